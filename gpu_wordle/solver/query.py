"""SearchQuery: what an engine is asked, in one piece."""

from __future__ import annotations

from dataclasses import dataclass, replace

from gpu_wordle.game.game import State
from gpu_wordle.game.legality import Revealed
from gpu_wordle.game.symmetry import Symmetry
from gpu_wordle.game.values import INFEASIBLE
from gpu_wordle.solver.machine.layout import PATTERNS

Value = tuple[int, int]
"""Value and height of a tree that reaches it; height 0 with a bound, as in search.py."""


@dataclass(frozen=True, eq=False)
class SearchQuery:
    """The value of a state, or of one guess on it.

    Attributes:
        state: the answers still possible.
        revealed: under a constrained rule, what feedback has revealed; see legality.py.
        guesses_left: guesses left, or NO_LIMIT.
        guess: the first guess, legal or not; None for the best legal one.
        cutoff: from where on the exact value is of no interest.
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
        """The same with so many guesses left."""
        return replace(self, guesses_left=guesses_left)

    def below(self, cutoff: int) -> SearchQuery:
        """The same with another cutoff."""
        return replace(self, cutoff=cutoff)

    def of_guess(self, guess: int, max_parts: int = PATTERNS) -> SearchQuery:
        """The same of one guess."""
        return replace(self, guess=guess, max_parts=max_parts)
