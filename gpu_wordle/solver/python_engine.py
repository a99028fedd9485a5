"""PythonEngine: the first states of a game searched in Python, the others by machine code.

Subclasses use facts about the first states that machine code does not know. They tell which states
are ready for machine code, and which guesses are tried on the others. The branch and bound is that
of ``search/``, in Python: guesses in the same order, the same contract.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.game.game import Rule, State
from gpu_wordle.game.values import INFEASIBLE, NO_LIMIT, after
from gpu_wordle.solver.machine_engine import MachineEngine
from gpu_wordle.solver.memory.arenas import BUDGET, EXPANDED, GENERATED, PRUNED, STOPPED
from gpu_wordle.solver.memory.stage_costs import SHIFT
from gpu_wordle.solver.memory.stop import Stop
from gpu_wordle.solver.query import SearchQuery, Value, line_up, parts_of
from gpu_wordle.states.tree import NO_PARENT, DecisionTree
from gpu_wordle.tunables import MAX_KEPT_MEASURES

Key = tuple[bytes, int, int, bytes]
"""The key of a state: its name, the guesses left, the shift of the costs, and what is revealed."""

Measures = tuple[NDArray[np.int64], NDArray[np.int64]]
"""Parts that each guess makes of a state, and the sums of their squares."""

MAX_EXACT = 2
"""Answers of a state up to which StageCosts.state_bound is its value."""

MAX_KNOWN = 1 << 16
"""The most values that engines of a game keep together, of 1 kB or so each; then all are
dropped."""


@dataclass
class Part:
    """A part that a guess leaves: no guess makes more than ``max_parts`` parts of it."""

    state: State
    max_parts: int
    lower: int


class PythonEngine(ABC):
    """An engine around a MachineEngine; both know states alike, so nothing is translated."""

    def __init__(self, machine: MachineEngine, known: dict[Key, Value] | None = None) -> None:
        self._machine = machine
        self.game, self.table, self.costs = machine.game, machine.table, machine.costs
        self._known: dict[Key, Value] = {} if known is None else known
        self._measures: dict[bytes, Measures] = {}

    @property
    def stop(self) -> Stop:
        """The flag by which others end the search."""
        return self._machine.stop

    @property
    def counters(self) -> NDArray[np.int64]:
        """Budget and work of the search, Python and machine code together."""
        return self._machine.counters

    def set_stop(self, stop: Stop) -> None:
        """Use another flag from now on to end the searches of this engine."""
        self._machine.set_stop(stop)

    @abstractmethod
    def clone(self) -> PythonEngine:
        """Another engine of the game, for another thread, that shares table and stop."""

    def rest(self) -> None:
        """Free this thread's workspace; labelled rows are kept, since values are known for them."""
        self._machine.rest()
        self._measures.clear()

    def forget(self) -> None:
        """Empty the table, and drop everything else that was learned about the game."""
        self._machine.forget()
        self._known.clear()

    def measure(self, state: State) -> Measures:
        """Parts that each guess makes of a state, and sums of their squares; the last are kept."""
        key = state.tobytes()
        if key not in self._measures:
            if len(self._measures) >= MAX_KEPT_MEASURES:
                del self._measures[next(iter(self._measures))]
            self._measures[key] = self._measured(state)
        return self._measures[key]

    def bound(self, query: SearchQuery, guess: int) -> tuple[int, int]:
        """Lower bounds on a guess without search: by sizes alone, and by one-ply bounds as well."""
        if self._is_ready(query.of_guess(guess)):
            return self._machine.bound(query, guess)
        paid, parts = self._split(query, guess)
        by_sizes = min(paid + sum(part.lower for part in parts), INFEASIBLE)
        if by_sizes >= query.cutoff:
            return by_sizes, by_sizes
        self._raise_bounds(parts, after(query.guesses_left))
        return by_sizes, min(paid + sum(part.lower for part in parts), INFEASIBLE)

    def search(self, query: SearchQuery) -> Value:
        """Value and height under the query's own limit; height 0 marks a bound."""
        if self._is_ready(query):
            return self._machine.search(query)
        guesses_left = query.guesses_left
        if guesses_left < 1:
            return INFEASIBLE, 0
        if guesses_left >= len(query.state) + 1 and self.costs.is_linear(guesses_left):
            query = query.within(NO_LIMIT)
        if query.guess is None:
            return self._search_state(query)
        return self._search_guess(query, query.guess)

    def tree(self, query: SearchQuery) -> DecisionTree | None:
        """The first optimal strategy within the guesses left; None if the search was stopped."""
        guess = query.guess
        if self._is_ready(query):
            return self._machine.tree(query)
        if guess is None:
            guess = self._first_optimal(query)
        if self._is_stopped():
            return None
        parts = parts_of(self.game, query.state, guess) if query.guesses_left > 1 else []
        patterns = [int(self.game.patterns.values[part[0], guess]) for part in parts]
        branches = [self.tree(self._part_of(query, guess, part)) for part in parts]
        grown = [branch for branch in branches if branch is not None]
        return joined(guess, patterns, grown) if len(grown) == len(branches) else None

    def _name(self, state: State) -> bytes:
        """The name of a state: states of one name have one value."""
        return state.tobytes()

    @abstractmethod
    def _measured(self, state: State) -> Measures:
        """Measure a state for :meth:`measure`."""

    @abstractmethod
    def _is_ready(self, query: SearchQuery) -> bool:
        """True if machine code is to answer the query; it can do so from then on."""

    @abstractmethod
    def _raise_bounds(self, parts: Sequence[Part], guesses_left: int) -> None:
        """Raise the bounds of parts by counting the most parts that any guess makes of each."""

    @abstractmethod
    def _prepare(self, parts: Sequence[Part]) -> None:
        """Make parts ready that are about to be searched, one after another."""

    def _is_tried(self, query: SearchQuery, order: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Which of the distinct guesses in ``order`` are tried, bool[n]: here all of them."""
        return np.ones(len(order), np.bool_)

    def _search_state(self, query: SearchQuery) -> Value:
        """Value of a state; see search.search."""
        cutoff, shift = query.cutoff, int(self.costs.terms[SHIFT])
        name = self._name(query.state)
        key = name, query.guesses_left, shift, query.revealed.tobytes()
        known, height = self._known.get(key, (0, 0))
        if height > 0 or known >= cutoff:
            return known, height
        self.counters[EXPANDED] += 1
        guesses, bounds = self._tries(query)
        max_parts = int(self.measure(query.state)[0].max())
        least = max(known, min(bounds))
        best, height, floor = cutoff, 0, INFEASIBLE
        for guess, bound in zip(guesses, bounds, strict=True):
            # No guess costs less than the least bound.
            if height > 0 and best <= least:
                break
            total, tree_height = bound, 0
            if bound < best:
                total, tree_height = self.search(query.below(best).of_guess(guess, max_parts))
                if self._is_stopped():
                    return least, 0
            if total < best:
                best, height = total, tree_height
            else:
                floor = min(floor, total)
        found = (best, height) if best < cutoff else (max(floor, known), 0)
        if len(self._known) >= MAX_KNOWN:
            self._known.clear()
        self._known[key] = found
        return found

    def _search_guess(self, query: SearchQuery, guess: int) -> Value:
        """Value of one guess on a state, the smallest parts first."""
        self.counters[GENERATED] += 1
        cutoff, below, height = query.cutoff, after(query.guesses_left), 1
        paid, parts = self._split(query, guess)
        total = paid + sum(part.lower for part in parts)
        if total < cutoff:
            self._raise_bounds(parts, below)
            total = paid + sum(part.lower for part in parts)
        if total < cutoff:
            self._prepare(parts)
        for part in sorted(parts, key=lambda part: len(part.state)):
            if total >= cutoff or self._is_stopped():
                break
            n = len(part.state)
            # The bound of such a part is its value.
            if n <= MAX_EXACT or below < 2:
                height = max(height, 1 + min(n, below))
                continue
            # The other parts pay the rest by now, so a part that reaches this goal refutes the
            # guess.
            goal = cutoff - total + part.lower
            asked = self._part_of(query, guess, part.state).below(goal)
            found, part_height = self._value_of_part(asked)
            total += max(found - part.lower, 0)
            height = max(height, 1 + part_height)
        if total >= cutoff:
            self.counters[PRUNED] += 1
        if total >= cutoff or self._is_stopped():
            return min(total, INFEASIBLE), 0
        return total, height

    def _value_of_part(self, query: SearchQuery) -> Value:
        """Value of a part, without the limit first if each guess costs one.

        That is mostly the value under the limit as well, and all limits share it. Constrained rules
        need the help of the limit.
        """
        guesses_left = query.guesses_left
        if self.costs.is_linear(guesses_left) and not self.game.rule.is_constrained:
            free = self.search(query.within(NO_LIMIT))
            if free[1] <= guesses_left:
                return free
        return self.search(query)

    def _first_optimal(self, query: SearchQuery) -> int:
        """The first guess in the order of ordering.py that reaches the value; any if stopped."""
        total, _ = self.search(query.below(INFEASIBLE))
        guesses, bounds = self._tries(query)
        for guess, bound in zip(guesses, bounds, strict=True):
            if bound <= total:
                found, height = self.search(query.below(total + 1).of_guess(guess))
                if self._is_stopped() or (found == total and height > 0):
                    break
        return guess

    def _tries(self, query: SearchQuery) -> tuple[list[int], list[int]]:
        """The legal guesses to be tried, which tell answers apart, and their one-ply bounds."""
        state, game = query.state, self.game
        parts, squares = self.measure(state)
        _, order = line_up(game, state, parts, squares)
        # A guess that leaves all answers together tells nothing, and uses up a turn.
        is_legal = parts > 1
        if game.rule is not Rule.NORMAL:
            is_legal &= game.legal_guesses(state, query.revealed)
        order = order[is_legal[order]]
        order = order[self._is_tried(query, order)]
        bounds = self.costs.guess_bounds(
            state, parts, game.words.answer_of_guess, query.guesses_left
        )
        return order.tolist(), bounds[order].tolist()

    def _split(self, query: SearchQuery, guess: int) -> tuple[int, list[Part]]:
        """What the answers of a state pay for a guess, and its parts, bounded by their sizes."""
        costs, guesses_left = self.costs, query.guesses_left
        paid = int(costs.marginal_costs[guesses_left + 2] * costs.weight[query.state].sum())
        parts = parts_of(self.game, query.state, guess)
        bound = costs.state_bound
        return paid, [
            Part(part, len(part), bound(part, len(part), after(guesses_left))) for part in parts
        ]

    def _part_of(self, query: SearchQuery, guess: int, part: State) -> SearchQuery:
        """The query about a part that ``guess`` leaves, without a cutoff."""
        some_answer = int(self.game.words.guess_of_answer[part[0]])
        revealed = self.game.traits.revealed_by(self.game.rule, guess, some_answer)
        symmetry = query.symmetry and query.symmetry.fixing(guess)
        revealed |= query.revealed
        return SearchQuery(part, revealed, after(query.guesses_left), symmetry=symmetry)

    def _is_stopped(self) -> bool:
        """True if the search is over: asked to stop, or out of its budget."""
        counters = self.counters
        if self.stop.is_set() or counters[EXPANDED] > counters[BUDGET]:
            counters[STOPPED] = 1
        return bool(counters[STOPPED])


def joined(guess: int, patterns: Sequence[int], branches: Sequence[DecisionTree]) -> DecisionTree:
    """The strategy of a guess whose patterns, ascending, lead to ``branches``."""
    guesses, parents = [np.array([guess], np.int32)], [np.array([NO_PARENT], np.int32)]
    seen = [np.zeros(1, np.uint16)]
    size = 1
    for pattern, branch in zip(patterns, branches, strict=True):
        parent, reached_by = branch.parent + np.int32(size), branch.pattern.copy()
        parent[0], reached_by[0] = 0, pattern
        guesses.append(branch.guess)
        parents.append(parent)
        seen.append(reached_by)
        size += len(branch)
    return DecisionTree(np.concatenate(guesses), np.concatenate(parents), np.concatenate(seen))
