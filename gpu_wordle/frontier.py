"""What the batched solver asks of a backend: lists of guesses, and the children of states."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.game import Game
from gpu_wordle.states import StateBatch


@dataclass(frozen=True, eq=False)
class GuessList:
    """Guesses among which those are that matter in a state, and in every subset of it.

    Of guesses that split the state in the same way one is enough, but that every candidate is kept:
    in a subset that holds it, it saves a turn.

    Attributes:
        state: the state, a batch of one.
        guess: int32[K], by parts, the most first.
        parts: uint16[K], the parts that each makes of the state, or a bound on them.
        sum_squares: uint32[K], sum over the parts of the square of their size.
        is_candidate: bool[K], whether the guess is in the state.
        held: what the backend that made the list holds for it.
    """

    state: StateBatch
    guess: NDArray[np.int32]
    parts: NDArray[np.uint16]
    sum_squares: NDArray[np.uint32]
    is_candidate: NDArray[np.bool_]
    held: Any = field(default=None, repr=False)

    def __len__(self) -> int:
        return len(self.guess)

    @classmethod
    def whole(cls, game: Game, held: Any = None) -> GuessList:
        """Every guess of a game, in the order of the word list; ``parts`` are bounds only."""
        count = game.guess_count
        most = min(game.answer_count, game.patterns.pattern_count)
        return cls(
            StateBatch.whole(game.answer_count),
            np.arange(count, dtype=np.int32),
            np.full(count, most, np.uint16),
            np.full(count, min(game.answer_count**2, 2**32 - 1), np.uint32),
            game.words.answer_of_guess >= 0,
            held,
        )


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
