"""WideEngine: games in which a guess makes more parts than a byte can number.

Machine code knows patterns by labels of one byte, which need to be unique only within the state
that it searches. A state is *narrow* if no guess makes more parts of it than there are labels; then
so are all its parts. Wide states are searched here, by branch and bound in Python on the patterns
as they are. Where a guess leaves narrow parts, their rows of the matrix are labelled anew, each
part by itself, and machine code searches them. Answers, weights, keys, table and trees are those of
the whole game, so nothing is translated.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gpu_wordle.backends.cpu.backend import CpuBackend
from gpu_wordle.game.game import Game, State
from gpu_wordle.solver.machine.layout import PATTERNS
from gpu_wordle.solver.machine_engine import MachineEngine
from gpu_wordle.solver.memory.search_matrix import SearchMatrix
from gpu_wordle.solver.memory.stop import Stop
from gpu_wordle.solver.memory.table import TranspositionTable
from gpu_wordle.solver.python_engine import MAX_EXACT, Key, Measures, Part, PythonEngine
from gpu_wordle.solver.query import SearchQuery, Value
from gpu_wordle.states.batch import StateBatch
from gpu_wordle.tunables import WIDE_STATES_AT_ONCE


class WideEngine(PythonEngine):
    """An engine for any number of parts, ``labels`` of which machine code tells apart.

    A MachineEngine searches narrow states, once their rows are labelled.
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
        whole = self._evaluator.stats(StateBatch.whole(game.answer_count))
        self._matrix = SearchMatrix.unlabelled(game, whole.parts[0].astype(np.int32))
        super().__init__(MachineEngine(game, table, stop, matrix=self._matrix), known)

    def clone(self) -> WideEngine:
        """Another engine of the game, for another thread; each labels rows for itself."""
        return WideEngine(self.game, self.table, self.stop, labels=self._labels, known=self._known)

    def _measured(self, state: State) -> Measures:
        stats = self._evaluator.stats(
            StateBatch.from_sets([state.tolist()], self.game.answer_count)
        )
        return stats.parts[0].astype(np.int64), stats.sum_squares[0].astype(np.int64)

    def _is_ready(self, query: SearchQuery) -> bool:
        """True if the state is narrow, whose rows are then labelled."""
        state = query.state
        if query.guess is None and len(state) <= MAX_EXACT:
            return True
        labelling = self._labelling[state]
        # All answers were labelled together, so their labels are unique among them.
        if labelling[0] > 0 and (labelling == labelling[0]).all():
            return True
        if len(state) > self._labels and self.measure(state)[0].max() > self._labels:
            return False
        self._label([state])
        return True

    def _raise_bounds(self, parts: Sequence[Part], guesses_left: int) -> None:
        large = [part for part in parts if len(part.state) > MAX_EXACT]
        for start in range(0, len(large), WIDE_STATES_AT_ONCE):
            chosen = large[start : start + WIDE_STATES_AT_ONCE]
            sets = [part.state.tolist() for part in chosen]
            batch = StateBatch.from_sets(sets, self.game.answer_count)
            counted = self._evaluator.stats(batch).parts.max(axis=1)
            for part, max_parts in zip(chosen, counted.tolist(), strict=True):
                part.max_parts = max_parts
                part.lower = self.costs.state_bound(part.state, max_parts, guesses_left)

    def _prepare(self, parts: Sequence[Part]) -> None:
        """Label the rows of the narrow parts."""
        narrow = [part.state for part in parts if part.max_parts <= self._labels]
        self._label([part for part in narrow if len(part) > MAX_EXACT])

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
            # Labels are unique only among answers that were labelled together: those of one number.
            self._labelling[state] = self._labellings
        self._matrix.label(answers, labels)
        if self.game.rule.is_constrained:  # it keeps copies of rows
            self._machine.thread.forget()
