"""SearchQuery: what engines are asked, and what they have in common.

An engine searches states of one game on one thread. It knows states, guesses left and cutoffs. What
all engines share about objectives, the guess limit and the least worst case is in ``solver.py``.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.game.game import Game, State
from gpu_wordle.game.legality import Revealed
from gpu_wordle.game.symmetry import Symmetry
from gpu_wordle.game.values import INFEASIBLE
from gpu_wordle.solver.machine.layout import PATTERNS

Value = tuple[int, int]
"""Value and height of a tree that reaches it; height 0 with a bound, as in search.py."""


@dataclass(frozen=True, eq=False)
class SearchQuery:
    """A question for the value of a state, or of one guess on it.

    Attributes:
        state: the answers still possible.
        revealed: under a constrained rule, what feedback has revealed; see legality.py.
        guesses_left: guesses left, or NO_LIMIT.
        guess: the first guess, legal or not; None for the best legal one.
        cutoff: values at or above it need not be exact.
        max_parts: with a guess, a bound on the parts that any guess makes of the state.
        symmetry: symmetries that keep every guess made so far, and so the state; None if none are
            known.
    """

    state: State
    revealed: Revealed
    guesses_left: int
    guess: int | None = None
    cutoff: int = INFEASIBLE
    max_parts: int = PATTERNS
    symmetry: Symmetry | None = None

    def within(self, guesses_left: int) -> SearchQuery:
        """This query with another number of guesses left."""
        return replace(self, guesses_left=guesses_left)

    def below(self, cutoff: int) -> SearchQuery:
        """This query with another cutoff."""
        return replace(self, cutoff=cutoff)

    def of_guess(self, guess: int, max_parts: int = PATTERNS) -> SearchQuery:
        """This query about one guess."""
        return replace(self, guess=guess, max_parts=max_parts)


def line_up(
    game: Game, state: State, parts: NDArray[np.int64], squares: NDArray[np.int64]
) -> tuple[NDArray[np.bool_], NDArray[np.int64]]:
    """Which guesses may be the answer, bool[G], and the order in which a search tries them.

    ``parts``, int64[G], are those that each guess makes of the state, and ``squares`` the sums of
    their squares; see ordering.py.
    """
    n = len(state)
    is_candidate = np.zeros(game.guess_count, dtype=np.bool_)
    is_candidate[game.words.guess_of_answer[state]] = True
    by_parts = 3 * n - parts - is_candidate
    return is_candidate, np.lexsort((~is_candidate, n * by_parts + 2 * squares))


def parts_of(game: Game, state: State, guess: int) -> list[State]:
    """The parts that a guess makes of a state, by pattern, without the answer that it finds."""
    rest = state[state != game.words.answer_of_guess[guess]]
    patterns = game.patterns.values[rest, guess]
    # A stable sort keeps the answers of each part in the order of the state.
    order = np.argsort(patterns, kind="stable")
    cuts = np.flatnonzero(np.diff(patterns[order])) + 1
    return [part for part in np.split(rest[order], cuts) if len(part)]
