"""Types that the batched search and a backend exchange: children of states, guesses, bounds."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.states.batch import StateBatch


@dataclass(frozen=True, eq=False)
class GuessLists:
    """The guesses that a search needs in each of B states, and in every subset of them.

    One guess of each partition is enough, except that every candidate is kept: in a subset that
    contains it, it may be the answer. The lists themselves stay in the memory of the backend.

    Attributes:
        states: the states.
        bound: int64[B], the least one-ply bound of any guess.
        most_parts: int64[B], the largest number of parts that any guess makes.
        promising: int32[B], the first guess in the move ordering of the search.
        held: the lists, in the backend's own form.
    """

    states: StateBatch
    bound: NDArray[np.int64]
    most_parts: NDArray[np.int64]
    promising: NDArray[np.int32]
    held: Any = field(repr=False)


@dataclass(frozen=True, eq=False)
class Entries:
    """The contents of guess lists, on the host.

    Attributes:
        indptr: int64[B + 1]; the entries of state b are ``indptr[b]:indptr[b + 1]``.
        guess: int32[nnz], ordered by one-ply bound, the least first.
        parts: uint16[nnz], the number of parts that each guess makes.
        sum_squares: uint32[nnz], the sum of the squared sizes of its parts.
        is_candidate: bool[nnz], whether the guess is one of the state's answers.
    """

    indptr: NDArray[np.int64]
    guess: NDArray[np.int32]
    parts: NDArray[np.uint16]
    sum_squares: NDArray[np.uint32]
    is_candidate: NDArray[np.bool_]


class Window(NamedTuple):
    """A range of one-ply bounds for each of B states: only guesses in the range are examined.

    Attributes:
        least: int64[B], the least bound, inclusive.
        below: int64[B], the upper end, exclusive.
    """

    least: NDArray[np.int64]
    below: NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Survivors:
    """The guesses of B states that bounds have not refuted.

    Attributes:
        indptr: int64[B + 1]; the guesses of state b are ``indptr[b]:indptr[b + 1]``.
        guess: int32[nnz], ordered by bound, the least first; ties in the order of the guess list.
        total: int64[nnz], the bound of each guess.
    """

    indptr: NDArray[np.int64]
    guess: NDArray[np.int32]
    total: NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Children:
    """The children of P pairs of a state and a guess, with equal states merged.

    Attributes:
        indptr: int64[P + 1]; the children of pair p are ``child[indptr[p]:indptr[p + 1]]``.
        child: int32[nnz], indices into ``states``, ordered by pattern, without ALL_GREEN.
        states: the distinct states, by ascending key.
    """

    indptr: NDArray[np.int64]
    child: NDArray[np.int32]
    states: StateBatch

    def of_pair(self, p: int) -> NDArray[np.int32]:
        """The children of pair ``p``, as indices into ``states``."""
        return self.child[self.indptr[p] : self.indptr[p + 1]]
