"""SymmetricEngine: games with symmetries, where one of each kind of first guesses is searched.

While some symmetry keeps every guess made so far, it keeps the state, too, and guesses that it maps
to each other have the same value there. So one of each orbit is tried: the first in the order of
the search, which is the one that a search of all of them would find. Once no symmetry is left, or
little is to be gained, machine code takes over. Large states are known by their form: states that a
renaming of places and symbols maps to each other share it; see game/forms.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.game.forms import Forms
from gpu_wordle.game.game import State
from gpu_wordle.solver.machine_engine import MachineEngine
from gpu_wordle.solver.memory.arenas import PRUNED
from gpu_wordle.solver.python_engine import MAX_EXACT, Measures, Part, PythonEngine
from gpu_wordle.solver.query import SearchQuery, Value
from gpu_wordle.tunables import MIN_SYMMETRIC_STATE


class SymmetricEngine(PythonEngine):
    """An engine that searches by orbits around a MachineEngine, which could search every state."""

    @property
    def machine(self) -> MachineEngine:
        """The engine that searches without symmetries."""
        return self._machine

    def clone(self) -> SymmetricEngine:
        """Another engine of the game, for another thread, that shares table, stop and values."""
        return SymmetricEngine(self._machine.clone(), self._known)

    def search(self, query: SearchQuery) -> Value:
        """Value and height under the query's own limit; height 0 marks a bound."""
        # A guess that bounds refute needs no search, and no subgroup of its symmetries either.
        if query.guess is not None and query.guesses_left > 0:
            _, bound = self._machine.bound(query, query.guess)
            if bound >= query.cutoff:
                self.counters[PRUNED] += 1
                return bound, 0
        return super().search(query)

    @cached_property
    def _forms(self) -> Forms | None:
        return Forms.of(self.game)

    def _name(self, state: State) -> bytes:
        """The form of a state; most states that renamings map to each other share one."""
        return state.tobytes() if self._forms is None else self._forms.key(state)

    def _measured(self, state: State) -> Measures:
        return self._machine.measure(state)

    def _is_ready(self, query: SearchQuery) -> bool:
        symmetry, guess = query.symmetry, query.guess
        if symmetry is None or symmetry.is_trivial or len(query.state) < MIN_SYMMETRIC_STATE:
            return True
        return guess is not None and symmetry.fixing(guess).is_trivial

    def _is_tried(self, query: SearchQuery, order: NDArray[np.int64]) -> NDArray[np.bool_]:
        """The first of each orbit is tried."""
        if query.symmetry is None:
            return super()._is_tried(query, order)
        return query.symmetry.first_of_orbits(order)

    def _prepare(self, parts: Sequence[Part]) -> None:
        """Nothing is to be made ready: machine code knows all rows."""

    def _raise_bounds(self, parts: Sequence[Part], guesses_left: int) -> None:
        for part in parts:
            if len(part.state) > MAX_EXACT:
                part.max_parts = int(self.measure(part.state)[0].max())
                part.lower = self.costs.state_bound(part.state, part.max_parts, guesses_left)
