"""Many states at once: which of their guesses are searched, and what is found.

The first guess of a state is the most promising one, whose value refutes most of the others. What
may cost less is searched, the least bound first, and each value that is better lowers what the rest
must beat. What may cost as much as the best goes into the state's shortlist, for its strategy.

Guesses are refuted in two goes. In the first are those whose one-ply bounds are in the first part
of the range that may be of use. What threads find among them lowers the cutoffs of the rest.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.backends.frontier import GuessLists, Survivors, Window
from gpu_wordle.game.values import INFEASIBLE
from gpu_wordle.solver.memory.move_cache import MoveCache
from gpu_wordle.states.batch import StateBatch, rows_of
from gpu_wordle.tunables import FIRST_GUESSES_PART


class Searcher(Protocol):
    """What searches guesses: a MachineEngine."""

    def attempt(
        self,
        states: StateBatch,
        tries: NDArray[np.int64],
        guesses: NDArray[np.int32],
        bounds: NDArray[np.int64],
        max_parts: NDArray[np.int64],
        best: NDArray[np.int64],
        height: NDArray[np.int64],
    ) -> None:
        """See MachineEngine.attempt."""
        ...


class StateSearches:
    """A search of B states.

    Attributes:
        best: int64[B], the least total found, or the cutoff; a guess has to be below it. Once
            nothing is left to try, the value of the state where it has a height, else a bound.
        height: int64[B], height of a tree that reaches it; 0 for the cutoff.
    """

    def __init__(self, lists: GuessLists, cutoffs: NDArray[np.int64]) -> None:
        self._lists = replace(lists, held=None)  # whose memory is not for keeping
        self.best = cutoffs.copy()
        self.height = np.zeros(len(cutoffs), np.int64)
        self._survivors: list[Survivors] = []
        self._expect(np.arange(len(cutoffs)), lists.promising, lists.bound)

    @property
    def cutoffs(self) -> NDArray[np.int64]:
        """Bounds from which on a guess is of no interest, [B]: it can neither better nor match."""
        return self.best + (self.height > 0)

    def windows(self) -> tuple[Window, Window]:
        """The guesses of the first go, and those of the second."""
        bound = self._lists.bound
        halfway = bound + np.maximum(1, (self.cutoffs - bound) // FIRST_GUESSES_PART)
        nothing = np.zeros_like(bound)
        return Window(nothing, halfway), Window(halfway, nothing + INFEASIBLE)

    def expect(self, survivors: Survivors) -> None:
        """Have those of these guesses searched next that may be better; the first have been.

        They are what survives :attr:`cutoffs` in a window.
        """
        self._survivors.append(survivors)
        state = self._states_of(survivors)
        is_first = survivors.guess == self._lists.promising[state]
        chosen = ~is_first & (survivors.total < self.best[state])
        self._expect(state[chosen], survivors.guess[chosen], survivors.total[chosen])

    def _states_of(self, survivors: Survivors) -> NDArray[np.intp]:
        """Whose guesses they are."""
        return np.repeat(np.arange(len(self.best)), np.diff(survivors.indptr))

    def _expect(
        self, state: NDArray[np.intp], guess: NDArray[np.int32], bound: NDArray[np.int64]
    ) -> None:
        counts = np.bincount(state, minlength=len(self.best))
        self._indptr = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        self._guess, self._bound = guess, bound

    def waiting(self) -> NDArray[np.intp]:
        """The states with guesses to search."""
        return np.flatnonzero(np.diff(self._indptr))

    def search(self, solver: Searcher, states: NDArray[np.intp]) -> None:
        """Search what was expected of some states; several threads may, each other states."""
        tries, places = rows_of(self._indptr, states)
        best, height = self.best[states], self.height[states]
        solver.attempt(
            self._lists.states.take(states), tries, self._guess[places], self._bound[places],
            self._lists.most_parts[states], best, height,
        )  # fmt: skip
        self.best[states], self.height[states] = best, height

    def record(self, move_cache: MoveCache, place: NDArray[np.int64]) -> None:
        """Enter the guesses that may reach the value of each state, where that is known.

        ``place``, int64[G], is where each guess lies in the search's matrix of the game.
        """
        from gpu_wordle.solver.batched import many_states

        lists = self._lists
        state = np.concatenate([self._states_of(each) for each in self._survivors])
        guess = np.concatenate([each.guess for each in self._survivors])
        total = np.concatenate([each.total for each in self._survivors])
        order = np.lexsort((total, state))  # keeps the order of the list among equals
        state, guess, total = state[order], guess[order], total[order]
        known = np.flatnonzero(self.height)
        is_listed = (self.height > 0)[state] & (total <= self.best[state])
        counts = np.bincount(state[is_listed], minlength=len(self.best))
        indptr = np.concatenate([[0], np.cumsum(counts[known])]).astype(np.int64)
        many_states.shortlist_all(
            move_cache.entries, lists.states.keys[known], lists.states.sizes[known],
            self.best[known], lists.most_parts[known], indptr,
            place[guess[is_listed]].astype(np.int32),
        )  # fmt: skip
