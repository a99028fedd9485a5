"""WideEngine: games in which a guess makes more parts than a byte can number.

Machine code knows patterns by labels of one byte, which need to be unique within the state that it
searches and nowhere else. A state is *narrow* if no guess makes more parts of it than there are
labels; then so are all its parts. Wide states are searched here, by branch and bound in Python on
the patterns as they are. Where a guess leaves narrow parts, their rows of the matrix are labelled
anew, each part by itself, and machine code searches them. All else is that of the whole game, so
that answers, weights, keys, table and trees need no translation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.backends.cpu.backend import CpuBackend
from gpu_wordle.game.game import Game, Rule, State
from gpu_wordle.game.values import INFEASIBLE, NO_LIMIT
from gpu_wordle.solver.engine import line_up, value
from gpu_wordle.solver.machine.layout import PATTERNS
from gpu_wordle.solver.machine_engine import MachineEngine
from gpu_wordle.solver.memory.arenas import BUDGET, EXPANDED, GENERATED, PRUNED, STOPPED
from gpu_wordle.solver.memory.search_matrix import SearchMatrix
from gpu_wordle.solver.memory.stage_costs import SHIFT, StageCosts
from gpu_wordle.solver.memory.stop import Stop
from gpu_wordle.solver.memory.table import TranspositionTable
from gpu_wordle.solver.question import Question, Value
from gpu_wordle.states.batch import StateBatch
from gpu_wordle.states.tree import NO_PARENT, DecisionTree
from gpu_wordle.tunables import MAX_KEPT_MEASURES, WIDE_STATES_AT_ONCE

Key = tuple[bytes, int, int, bytes]
"""A wide state, the guesses left, the shift of the costs, and what is revealed."""

MAX_EXACT = 2
"""Answers of a state up to which StageCosts.state_bound is its value."""


@dataclass
class _Part:
    """A part of a wide state: no guess makes more than ``max_parts`` parts of it."""

    state: State
    max_parts: int
    lower: int


class WideEngine:
    """An Engine for any number of parts, ``labels`` of which are told apart by machine code.

    Narrow states are asked of a MachineEngine, for which their rows are labelled.
    """

    def __init__(
        self,
        game: Game,
        table: TranspositionTable,
        stop: Stop,
        *,
        labels: int = PATTERNS,
        known: dict[Key, Value] | None = None,
    ) -> None:
        self._evaluator = CpuBackend(1).open(game)
        self._labels = labels
        self._labelling = np.zeros(game.answer_count, np.int64)  # number of each row's; 0 for none
        self._labellings = 0
        self._known: dict[Key, Value] = {} if known is None else known
        self._measures: dict[bytes, tuple[NDArray[np.int64], NDArray[np.int64]]] = {}
        whole = self._evaluator.stats(StateBatch.whole(game.answer_count))
        self._matrix = SearchMatrix.unlabelled(game, whole.parts[0].astype(np.int32))
        self._machine = MachineEngine(game, table, stop, matrix=self._matrix)

    @property
    def game(self) -> Game:
        """See Engine."""
        return self._machine.game

    @property
    def table(self) -> TranspositionTable:
        """See Engine."""
        return self._machine.table

    @property
    def stop(self) -> Stop:
        """See Engine."""
        return self._machine.stop

    @property
    def costs(self) -> StageCosts:
        """See Engine."""
        return self._machine.costs

    @property
    def counters(self) -> NDArray[np.int64]:
        """See Engine; Python and machine code count as one."""
        return self._machine.counters

    def heed(self, stop: Stop) -> None:
        """See Engine."""
        self._machine.heed(stop)

    def twin(self) -> WideEngine:
        """See Engine; rows are labelled by each engine for itself."""
        return WideEngine(self.game, self.table, self.stop, labels=self._labels, known=self._known)

    def forget(self) -> None:
        """See Engine."""
        self._machine.forget()
        self._known.clear()

    def measure(self, state: State) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """See Engine."""
        key = state.tobytes()
        if key not in self._measures:
            stats = self._evaluator.stats(
                StateBatch.from_sets([state.tolist()], self.game.answer_count)
            )
            if len(self._measures) >= MAX_KEPT_MEASURES:
                del self._measures[next(iter(self._measures))]
            parts, squares = stats.parts[0], stats.sum_squares[0]
            self._measures[key] = parts.astype(np.int64), squares.astype(np.int64)
        return self._measures[key]

    def bound(self, question: Question, guess: int) -> tuple[int, int]:
        """See Engine."""
        if self._is_ready(question.state, guess):
            return self._machine.bound(question, guess)
        paid, parts = self._split(question, guess)
        by_sizes = min(paid + sum(part.lower for part in parts), INFEASIBLE)
        if by_sizes >= question.cutoff:
            return by_sizes, by_sizes
        self._raise_bounds(parts, after(question.guesses_left))
        return by_sizes, min(paid + sum(part.lower for part in parts), INFEASIBLE)

    def search(self, question: Question) -> Value:
        """See Engine."""
        if self._is_ready(question.state, question.guess):
            return self._machine.search(question)
        guesses_left = question.guesses_left
        if guesses_left < 1:
            return INFEASIBLE, 0
        if guesses_left >= len(question.state) + 1 and self.costs.is_linear(guesses_left):
            question = question.within(NO_LIMIT)
        if question.guess is None:
            return self._search_state(question)
        return self._search_guess(question, question.guess)

    def tree(self, question: Question) -> DecisionTree | None:
        """See Engine."""
        guess = question.guess
        if self._is_ready(question.state, guess):
            return self._machine.tree(question)
        if guess is None:
            guess = self._first_optimal(question)
        if self._is_stopped():
            return None
        parts = self._parts(question.state, guess) if question.guesses_left > 1 else []
        patterns = [int(self.game.patterns.values[part[0], guess]) for part in parts]
        branches = [self.tree(self._part_of(question, guess, part)) for part in parts]
        grown = [branch for branch in branches if branch is not None]
        return joined(guess, patterns, grown) if len(grown) == len(branches) else None

    def _search_state(self, question: Question) -> Value:
        """Value of a wide state; see search.search."""
        cutoff, shift = question.cutoff, int(self.costs.terms[SHIFT])
        key = question.state.tobytes(), question.guesses_left, shift, question.revealed.tobytes()
        known, height = self._known.get(key, (0, 0))
        if height > 0 or known >= cutoff:
            return known, height
        self.counters[EXPANDED] += 1
        guesses, bounds = self._tries(question)
        least = max(known, min(bounds))
        best, height, floor = cutoff, 0, INFEASIBLE
        for guess, bound in zip(guesses, bounds, strict=True):
            if height > 0 and best <= least:
                break
            total, tree_height = bound, 0
            if bound < best:
                total, tree_height = self._search_guess(question.below(best), guess)
                if self._is_stopped():
                    return least, 0
            if total < best:
                best, height = total, tree_height
            else:
                floor = min(floor, total)
        self._known[key] = (best, height) if best < cutoff else (max(floor, known), 0)
        return self._known[key]

    def _search_guess(self, question: Question, guess: int) -> Value:
        """Value of one guess on a wide state, the smallest parts first."""
        self.counters[GENERATED] += 1
        cutoff, below, height = question.cutoff, after(question.guesses_left), 1
        paid, parts = self._split(question, guess)
        total = paid + sum(part.lower for part in parts)
        if total < cutoff:
            self._raise_bounds(parts, below)
            total = paid + sum(part.lower for part in parts)
        if total < cutoff:
            narrow = [part.state for part in parts if part.max_parts <= self._labels]
            self._label([part for part in narrow if len(part) > MAX_EXACT])
        for part in sorted(parts, key=lambda part: len(part.state)):
            if total >= cutoff or self._is_stopped():
                break
            n = len(part.state)
            if n <= MAX_EXACT or below < 2:
                height = max(height, 1 + min(n, below))
                continue
            goal = cutoff - total + part.lower
            asked = self._part_of(question, guess, part.state).below(goal)
            found, part_height = value(self, asked)
            total += max(found - part.lower, 0)
            height = max(height, 1 + part_height)
        if total >= cutoff:
            self.counters[PRUNED] += 1
        if total >= cutoff or self._is_stopped():
            return min(total, INFEASIBLE), 0
        return total, height

    def _first_optimal(self, question: Question) -> int:
        """The first guess in the order of ordering.py that reaches the value; any if stopped."""
        total, _ = self.search(question.below(INFEASIBLE))
        guesses, bounds = self._tries(question)
        for guess, bound in zip(guesses, bounds, strict=True):
            if bound <= total:
                found, height = self.search(question.of_guess(guess).below(total + 1))
                if self._is_stopped() or (found == total and height > 0):
                    break
        return guess

    def _tries(self, question: Question) -> tuple[list[int], list[int]]:
        """The legal guesses of a wide state that tell answers apart, in order, and their bounds."""
        state, game = question.state, self.game
        parts, _, order = line_up(self, state)
        is_tried = parts > 1
        if game.rule is not Rule.NORMAL:
            is_tried &= game.legal_guesses(state, question.revealed)
        order = order[is_tried[order]]
        bounds = self.costs.guess_bounds(
            state, parts, game.words.answer_of_guess, question.guesses_left
        )
        return order.tolist(), bounds[order].tolist()

    def _parts(self, state: State, guess: int) -> list[State]:
        """The parts that a guess makes of a state, by pattern, without the answer that it finds."""
        rest = state[state != self.game.words.answer_of_guess[guess]]
        patterns = self.game.patterns.values[rest, guess]
        order = np.argsort(patterns, kind="stable")
        cuts = np.flatnonzero(np.diff(patterns[order])) + 1
        return [part for part in np.split(rest[order], cuts) if len(part)]

    def _split(self, question: Question, guess: int) -> tuple[int, list[_Part]]:
        """What a state pays for a guess, and the parts with what they pay by their sizes."""
        costs, guesses_left = self.costs, question.guesses_left
        paid = int(costs.steps[guesses_left + 2] * costs.weight[question.state].sum())
        parts = self._parts(question.state, guess)
        bound = costs.state_bound
        return paid, [
            _Part(part, len(part), bound(part, len(part), after(guesses_left))) for part in parts
        ]

    def _raise_bounds(self, parts: Sequence[_Part], guesses_left: int) -> None:
        """Raise the bounds of parts by counting the most parts that any guess makes of each."""
        large = [part for part in parts if len(part.state) > MAX_EXACT]
        for start in range(0, len(large), WIDE_STATES_AT_ONCE):
            chosen = large[start : start + WIDE_STATES_AT_ONCE]
            sets = [part.state.tolist() for part in chosen]
            batch = StateBatch.from_sets(sets, self.game.answer_count)
            counted = self._evaluator.stats(batch).parts.max(axis=1)
            for part, max_parts in zip(chosen, counted.tolist(), strict=True):
                part.max_parts = max_parts
                part.lower = self.costs.state_bound(part.state, max_parts, guesses_left)

    def _part_of(self, question: Question, guess: int, part: State) -> Question:
        """The same of a part that ``guess`` leaves, without a cutoff."""
        some_answer = int(self.game.words.guess_of_answer[part[0]])
        revealed = self.game.traits.revealed_by(self.game.rule, guess, some_answer)
        return Question(part, question.revealed | revealed, after(question.guesses_left))

    def _is_ready(self, state: State, guess: int | None) -> bool:
        """Whether machine code can search a state; if it is narrow, its rows are labelled."""
        if guess is None and len(state) <= MAX_EXACT:
            return True
        labelling = self._labelling[state]
        if labelling[0] > 0 and (labelling == labelling[0]).all():
            return True
        if len(state) > self._labels and self.measure(state)[0].max() > self._labels:
            return False
        self._label([state])
        return True

    def _label(self, states: Sequence[State]) -> None:
        """Label the rows of narrow states, each by itself."""
        from gpu_wordle.solver.memory.labels import number_patterns

        if not states:
            return
        answers = np.concatenate(states)
        labels = np.empty((len(answers), self._matrix.guesses), np.uint8)
        at = 0
        for state in states:
            patterns = self.game.patterns.values[state].astype(np.uint16)
            number_patterns(patterns, labels[at : at + len(state)])
            at += len(state)
            self._labellings += 1
            self._labelling[state] = self._labellings
        self._matrix.label(answers, labels)
        if self.game.rule.is_constrained:  # it keeps copies of rows
            self._machine.thread.forget()

    def _is_stopped(self) -> bool:
        """Whether the search is over: asked to stop, or out of its budget."""
        counters = self.counters
        if self.stop.is_set() or counters[EXPANDED] > counters[BUDGET]:
            counters[STOPPED] = 1
        return bool(counters[STOPPED])


def after(guesses_left: int) -> int:
    """Guesses left after one more."""
    return guesses_left if guesses_left >= NO_LIMIT else guesses_left - 1


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
