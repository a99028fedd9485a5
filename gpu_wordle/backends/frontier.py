"""What the batched solver asks of a backend: children of states, their guesses, and bounds."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.states.batch import StateBatch


@dataclass(frozen=True, eq=False)
class GuessLists:
    """The guesses that matter in each of B states, and in every subset of it.

    Of guesses that split the state in the same way one is enough, but that every candidate is kept:
    in a subset that holds it, it saves a turn. The lists themselves stay where the backend that
    made them wants to have them.

    Attributes:
        states: the states.
        bound: int64[B], the least one-ply bound of any guess.
        most_parts: int64[B], the most parts that any guess makes.
        promising: int32[B], the first guess in the order of the search (solver/ordering.py).
        held: what the backend holds.
    """

    states: StateBatch
    bound: NDArray[np.int64]
    most_parts: NDArray[np.int64]
    promising: NDArray[np.int32]
    held: Any = field(repr=False)


@dataclass(frozen=True, eq=False)
class Entries:
    """What guess lists say.

    Attributes:
        indptr: int64[B + 1]; state b owns the entries ``indptr[b]`` to ``indptr[b + 1]``.
        guess: int32[nnz], by one-ply bounds, the least first.
        parts: uint16[nnz], the parts that each makes of the state.
        sum_squares: uint32[nnz], sum over the parts of the square of their size.
        is_candidate: bool[nnz], whether the guess is in the state.
    """

    indptr: NDArray[np.int64]
    guess: NDArray[np.int32]
    parts: NDArray[np.uint16]
    sum_squares: NDArray[np.uint32]
    is_candidate: NDArray[np.bool_]


class Window(NamedTuple):
    """The guesses of B states that are looked at in one go, by their one-ply bounds.

    Attributes:
        least: int64[B], the least bound of those.
        below: int64[B], what all of them are below.
    """

    least: NDArray[np.int64]
    below: NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Survivors:
    """The guesses of B states that bounds have not refuted.

    Attributes:
        indptr: int64[B + 1]; state b owns the guesses ``indptr[b]`` to ``indptr[b + 1]``.
        guess: int32[nnz], by their bounds, the least first, and of equal ones as in the list.
        total: int64[nnz], the bound of each.
    """

    indptr: NDArray[np.int64]
    guess: NDArray[np.int32]
    total: NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Children:
    """The states that P pairs of a state and a guess leave behind, each of them once.

    Attributes:
        indptr: int64[P + 1]; pair p owns ``child[indptr[p]:indptr[p + 1]]``.
        child: int32[...], indices into ``states``, by pattern; ALL_GREEN is left out.
        states: the distinct states, by ascending keys.
    """

    indptr: NDArray[np.int64]
    child: NDArray[np.int32]
    states: StateBatch

    def of_pair(self, p: int) -> NDArray[np.int32]:
        """The children of one pair, as indices into ``states``."""
        return self.child[self.indptr[p] : self.indptr[p + 1]]
