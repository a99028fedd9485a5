"""Many states at once: which of their guesses are searched, and the values found.

The first guess of a state is the most promising one, whose value refutes most of the others.
Guesses that may cost less are searched, the least bound first, and each value that is better lowers
what the rest must beat. Guesses that may cost as much as the best go into the state's shortlist,
for its strategy.

Guesses are refuted in two goes. The first takes guesses whose one-ply bounds are in the lower part
of the range that may be of use. The values that threads find among them lower the cutoffs of the
rest.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.backends.protocol import GuessLists, Survivors, Window
from gpu_wordle.game.values import INFEASIBLE
from gpu_wordle.solver.memory.move_cache import MoveCache
from gpu_wordle.states.batch import rows_of
from gpu_wordle.tunables import FIRST_GUESSES_PART

Attempt = Callable[..., None]
"""Tries guesses on states in turn: MachineEngine.attempt."""


class StateSearches:
    """A search of B states.

    Attributes:
        best: int64[B], the least total found, or the cutoff; a guess has to be below it. Once
            nothing is left to try, it is the value of the state if the state has a height, else a
            bound.
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
        """Bounds at or above which a guess can neither better nor match the best, [B]."""
        return self.best + (self.height > 0)

    def windows(self) -> tuple[Window, Window]:
        """The ranges of bounds of the guesses of the first go, and of the second."""
        bound = self._lists.bound
        halfway = bound + np.maximum(1, (self.cutoffs - bound) // FIRST_GUESSES_PART)
        nothing = np.zeros_like(bound)
        return Window(nothing, halfway), Window(halfway, nothing + INFEASIBLE)

    def expect(self, survivors: Survivors) -> None:
        """Expect a search of the survivors that may be better, but for each state's first guess.

        The first guesses have been searched. The survivors are those of :attr:`cutoffs` in a
        window.
        """
        self._survivors.append(survivors)
        state = self._states_of(survivors)
        is_first = survivors.guess == self._lists.promising[state]
        chosen = ~is_first & (survivors.total < self.best[state])
        self._expect(state[chosen], survivors.guess[chosen], survivors.total[chosen])

    def _states_of(self, survivors: Survivors) -> NDArray[np.intp]:
        """The state of each survivor."""
        return np.repeat(np.arange(len(self.best)), np.diff(survivors.indptr))

    def _expect(
        self, state: NDArray[np.intp], guess: NDArray[np.int32], bound: NDArray[np.int64]
    ) -> None:
        counts = np.bincount(state, minlength=len(self.best))
        self._indptr = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        self._guess, self._bound = guess, bound

    def waiting(self) -> NDArray[np.intp]:
        """The states that have guesses to search."""
        return np.flatnonzero(np.diff(self._indptr))

    def search(self, attempt: Attempt, states: NDArray[np.intp]) -> None:
        """Search the expected guesses of some states; several threads may, each other states."""
        tries, places = rows_of(self._indptr, states)
        best, height = self.best[states], self.height[states]
        attempt(
            self._lists.states.take(states), tries, self._guess[places], self._bound[places],
            self._lists.most_parts[states], best, height,
        )  # fmt: skip
        self.best[states], self.height[states] = best, height

    def record(self, move_cache: MoveCache, place: NDArray[np.int64]) -> None:
        """Enter the shortlists of states whose value was found: the guesses that may reach it.

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
