"""Engine: a search of the states of one game on one thread, by whatever means.

An engine knows states, guesses left and cutoffs. It is asked by a SearchQuery. Objectives, the
guess limit and the least worst case are alike for all engines; they stand here and in
``solver.py``.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.game.game import Game, State
from gpu_wordle.game.legality import Revealed
from gpu_wordle.game.symmetry import Symmetry
from gpu_wordle.game.values import INFEASIBLE
from gpu_wordle.solver.machine.layout import PATTERNS
from gpu_wordle.solver.memory.stage_costs import StageCosts
from gpu_wordle.solver.memory.stop import Stop
from gpu_wordle.solver.memory.table import TranspositionTable
from gpu_wordle.states.tree import DecisionTree

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


class Engine(Protocol):
    """Searches states of one game; each thread needs its own."""

    game: Game
    """The game."""

    table: TranspositionTable
    """Bounds and values of states, shared by the engines of a pool."""

    @property
    def stop(self) -> Stop:
        """The flag by which others end the search."""

    costs: StageCosts
    """What guesses cost; a change holds from the next query on."""

    @property
    def counters(self) -> NDArray[np.int64]:
        """Budget and work of the search; see workspace.py."""

    def search(self, query: SearchQuery) -> Value:
        """Value and height under the query's own limit; height 0 marks a bound.

        If the value is below the cutoff, it is exact. Otherwise it is a bound that is at least the
        cutoff, unless the search was stopped.
        """

    def bound(self, query: SearchQuery, guess: int) -> tuple[int, int]:
        """Lower bounds on a guess without search, as :meth:`Solver.bound` promises them."""

    def tree(self, query: SearchQuery) -> DecisionTree | None:
        """The first optimal strategy within the guesses left; None if the search was stopped."""

    def measure(self, state: State) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Parts that each guess makes of a state, and the sums of their squares, int64[G]."""

    def set_stop(self, stop: Stop) -> None:
        """Use another flag from now on to end the searches of this engine."""

    def clone(self) -> Engine:
        """Another engine of the game, for another thread, that shares table and stop."""

    def rest(self) -> None:
        """Free this thread's workspace, which is made again when it is needed."""

    def forget(self) -> None:
        """Empty the table, and drop everything else that was learned about the game."""


class Lineup(NamedTuple):
    """The guesses on a state in the order of a search.

    Attributes:
        parts: int64[G], parts that each guess makes.
        is_candidate: bool[G], whether the guess may be the answer.
        order: int64[G], the guesses in the order in which a search tries them; see ordering.py.
    """

    parts: NDArray[np.int64]
    is_candidate: NDArray[np.bool_]
    order: NDArray[np.int64]


def line_up(engine: Engine, state: State) -> Lineup:
    """Measure all guesses on a state and put them in order."""
    n = len(state)
    parts, squares = engine.measure(state)
    is_candidate = np.zeros(engine.game.guess_count, dtype=np.bool_)
    is_candidate[engine.game.words.guess_of_answer[state]] = True
    by_parts = 3 * n - parts - is_candidate
    order = np.lexsort((~is_candidate, n * by_parts + 2 * squares))
    return Lineup(parts, is_candidate, order)


def parts_of(game: Game, state: State, guess: int) -> list[State]:
    """The parts that a guess makes of a state, by pattern, without the answer that it finds."""
    rest = state[state != game.words.answer_of_guess[guess]]
    patterns = game.patterns.values[rest, guess]
    # A stable sort keeps the answers of each part in the order of the state.
    order = np.argsort(patterns, kind="stable")
    cuts = np.flatnonzero(np.diff(patterns[order])) + 1
    return [part for part in np.split(rest[order], cuts) if len(part)]
