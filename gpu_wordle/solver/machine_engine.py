"""MachineEngine: one thread's memory and the machine code that searches in it.

The search modules are imported when the first engine is made, since that loads machine code or, on
a machine's first use, compiles it.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.errors import JobError
from gpu_wordle.game.game import Game, Rule, State
from gpu_wordle.game.patterns import PatternMatrix
from gpu_wordle.game.values import INFEASIBLE, NO_LIMIT
from gpu_wordle.solver.memory.arenas import (
    BUDGET,
    FOUND_FIELDS,
    NO_BUDGET,
    NODES,
    NODES_END,
    OVERFLOW,
    STOPPED,
    TOTAL,
    WORK,
    Asked,
    Branch,
)
from gpu_wordle.solver.memory.move_cache import MoveCache
from gpu_wordle.solver.memory.search_matrix import SearchMatrix
from gpu_wordle.solver.memory.stage_costs import StageCosts
from gpu_wordle.solver.memory.stop import Stop
from gpu_wordle.solver.memory.table import TranspositionTable
from gpu_wordle.solver.memory.workspace import Thread
from gpu_wordle.solver.query import SearchQuery, Value
from gpu_wordle.solver.result import Results
from gpu_wordle.states.batch import StateBatch
from gpu_wordle.states.tree import NO_PARENT, DecisionTree, Forest, turns_of

ANY_GUESS = -1


class MachineEngine:
    """An engine whose states are all searched by machine code, on the rows of its matrix.

    That is the matrix of the game, unless another one is given. ``move_cache`` is given if others
    enter shortlists; constrained rules do without. The memory of the thread is made when it is
    first needed. Raises TooManyPartsError if bytes do not tell the parts of a guess apart.
    """

    def __init__(
        self,
        game: Game,
        table: TranspositionTable,
        stop: Stop,
        *,
        matrix: SearchMatrix | None = None,
        move_cache: MoveCache | None = None,
    ) -> None:
        self.game = game
        self.table = table
        self.stop = stop
        self.matrix = _matrix_of(game) if matrix is None else matrix
        self.move_cache = move_cache or MoveCache.none()
        self.costs = StageCosts.of(game)
        self._entry = SimpleNamespace(**_machine_code(game.rule))
        self._thread: Any = None
        self._address = 0

    @property
    def thread(self) -> Any:
        """The memory of the thread; see the workspaces."""
        if self._thread is None:
            self._keep(self._made())
        return self._thread

    @property
    def counters(self) -> NDArray[np.int64]:
        """Budget and work of the search; see arenas.py."""
        counters: NDArray[np.int64] = self.thread.workspace.counters
        return counters

    def set_stop(self, stop: Stop) -> None:
        """Use another flag from now on to end the searches of this engine."""
        self.stop = stop
        if self._thread is not None:
            workspace = self._thread.workspace._replace(stop=stop.flag)
            self._keep(replace(self._thread, workspace=workspace))

    def clone(self) -> MachineEngine:
        """Another engine of the game, for another thread, that shares table, stop and matrix."""
        return MachineEngine(
            self.game, self.table, self.stop, matrix=self.matrix, move_cache=self.move_cache
        )

    def rest(self) -> None:
        """Free this thread's workspace, which is made again when it is needed."""
        self._thread = None

    def forget(self) -> None:
        """Empty table and move cache, and drop what the workspace has learned about the game."""
        self.table.clear()
        self.move_cache.clear()
        if self._thread is not None:
            self._thread.forget()

    def search(self, query: SearchQuery) -> Value:
        """Value and height under the query's own limit; height 0 marks a bound.

        If the value is below the cutoff, it is exact. Otherwise it is a bound that is at least the
        cutoff, unless the search was stopped.
        """
        entered, marks = self._enter(query)
        guesses_left, cutoff = query.guesses_left, query.cutoff
        # More turns than answers and a first guess are never needed, so states are shared.
        if guesses_left >= len(query.state) + 1 and self.costs.is_linear(guesses_left):
            guesses_left = NO_LIMIT
        if query.guess is None:
            total, height = self._entry.call_value(
                self._address, entered, marks, cutoff, guesses_left
            )
        elif guesses_left < 1:
            return INFEASIBLE, 0
        else:
            place = int(self.matrix.place[query.guess])
            asked = Asked(cutoff, guesses_left, place, query.max_parts, 0)
            total, height = self._entry.call_search(self._address, entered, marks, asked)
            if self.counters[STOPPED]:
                # A stopped search returns little; the bound without search costs moments and is
                # better.
                asked = asked._replace(cutoff=INFEASIBLE)
                _, total = self._entry.call_bound_guess(self._address, entered, marks, asked)
        self._check_depth()
        return int(total), int(height)

    def bound(self, query: SearchQuery, guess: int) -> tuple[int, int]:
        """Lower bounds on a guess without search: by sizes alone, and by one-ply bounds as well."""
        entered, marks = self._enter(query)
        place = int(self.matrix.place[guess])
        asked = Asked(query.cutoff, query.guesses_left, place, query.max_parts, 0)
        by_sizes, total = self._entry.call_bound_guess(self._address, entered, marks, asked)
        return int(by_sizes), int(total)

    def measure(self, state: State) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Parts that each guess makes of a state, and the sums of their squares, int64[G]."""
        entered, _ = self.thread.enter(self.matrix, state, None)
        w = self.thread.workspace
        self._entry.call_measure(self._address, entered)
        parts = w.column_parts[self.matrix.place].astype(np.int64)
        pairs = w.column_pairs[self.matrix.place].astype(np.int64)
        return parts, len(state) + 2 * pairs

    def tree(self, query: SearchQuery) -> DecisionTree | None:
        """The first optimal strategy within the guesses left; None if the search was stopped."""
        state, guess = query.state, query.guess
        entered, marks = self._enter(query)
        self.counters[NODES] = 0
        nodes = np.empty((2 * len(state) + 1, 3), dtype=np.int32)
        forced = ANY_GUESS if guess is None else int(self.matrix.place[guess])
        branch = Branch(query.guesses_left, 0, forced, NO_PARENT, int(state[0]))
        if not self._entry.call_extract_tree(self._address, entered, marks, branch, nodes):
            if not self.counters[STOPPED]:
                raise JobError("no strategy reaches the value that was proved; please report this")
            return None
        return self._trees(nodes, np.array([0, self.counters[NODES]]))[0][0]

    def openers(self, query: SearchQuery, guesses: Sequence[int]) -> Results:
        """Values and strategies of guesses, in their order; fewer after a stop.

        For costs that are plain, see StageCosts. The strategies are those of :meth:`tree` within
        the least worst case that keeps the value. Where the value is infeasible, there is none. CPU
        seconds are shared out evenly.
        """
        started = time.thread_time()
        state, guesses_left = query.state, query.guesses_left
        entered, marks = self._enter(query)
        found = np.empty((len(guesses), FOUND_FIELDS), np.int64)
        nodes = np.empty(((2 * len(state) + 1) * len(guesses), 3), np.int32)
        done = self._entry.call_openers(
            self._address,
            entered,
            marks,
            guesses_left,
            self.matrix.place[np.asarray(guesses)],
            (found, nodes),
        )
        self._check_depth()
        found = found[:done]
        trees, heights = self._trees(nodes, np.append(0, found[:, NODES_END]))
        values, work = found[:, TOTAL], found[:, WORK:]
        seconds = np.full(done, (time.thread_time() - started) / max(done, 1))
        return Results(values, values, trees, heights, work, seconds)

    def search_in_turn(
        self, query: SearchQuery, guesses: NDArray[np.intp], cutoffs: NDArray[np.int64]
    ) -> list[Value]:
        """Values of guesses, intp[n], as :meth:`search`, up to the first below its cutoff.

        ``cutoffs`` are int64[n]. After a stop there are fewer values.
        """
        entered, marks = self._enter(query)
        values = np.empty((len(guesses), 2), np.int64)
        done = self._entry.call_search_in_turn(
            self._address,
            entered,
            marks,
            query.guesses_left,
            query.max_parts,
            (self.matrix.place[guesses], cutoffs, values),
        )
        self._check_depth()
        return [(total, height) for total, height in values[:done].tolist()]

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
        """Try guesses on states in turn, without a guess limit; see many_states.attempt.

        State b tries ``guesses[tries[b]:tries[b + 1]]``, whose lower bounds are ``bounds``.
        ``best`` and ``height`` are changed in place. After a stop they hold what was found by then.
        """
        from gpu_wordle.solver.batched import many_states

        self.counters[:] = 0
        self.counters[BUDGET] = NO_BUDGET
        root, marks = self.thread.enter(self.matrix, states.state(0))
        matrix = self.matrix.cells
        many_states.attempt(
            self._address, root, marks, matrix.ctypes.data, matrix.shape[1],
            states.indptr, states.answers,
            tries, self.matrix.place[guesses].astype(np.int64), bounds, max_parts, best, height,
        )  # fmt: skip
        self._check_depth()

    def _made(self) -> Any:
        """Make the memory of a thread that the rule of the game needs."""
        game, table, flag = self.game, self.table.entries, self.stop.flag
        if game.rule.is_constrained:
            from gpu_wordle.solver.constrained.workspace import Thread as ConstrainedThread

            traits, rule = game.traits, game.rule
            return ConstrainedThread.of(self.matrix, traits, rule, self.costs, table, flag)
        return Thread.of(self.matrix, self.costs, table, self.move_cache.entries, flag)

    def _keep(self, thread: Any) -> None:
        """Let machine code search in this memory."""
        self._thread = thread
        self._address = thread.borrowed.ctypes.data
        self._entry.save(thread.workspace, self._address)

    def _enter(self, query: SearchQuery) -> tuple[Any, Any]:
        """Enter the state at the bottom of the arenas; returns it with the marks."""
        return self.thread.enter(self.matrix, query.state, query.revealed)

    def _trees(
        self, nodes: NDArray[np.int32], ends: NDArray[np.int64]
    ) -> tuple[Forest, NDArray[np.int64]]:
        """The trees whose nodes lie between neighbouring ends, and their heights.

        Without nodes a tree is None, and its height 0.
        """
        nodes = nodes[: ends[-1]]
        guesses, parents, answers = (nodes[:, i].copy() for i in range(3))
        # A root has parent -1, which reads some other node; its pattern is set below.
        patterns = self.game.patterns.values[answers, guesses[parents]].astype(np.uint16)
        sizes = np.diff(ends)
        heights = np.zeros(len(sizes), np.int64)
        grown = ends[:-1][sizes > 0]
        heights[sizes > 0] = np.maximum.reduceat(turns_of(parents), grown)
        is_root = parents == NO_PARENT
        patterns[is_root] = 0
        parents -= np.repeat(ends[:-1], sizes).astype(np.int32)
        parents[is_root] = NO_PARENT
        return Forest(guesses, parents, patterns, ends), heights

    def _check_depth(self) -> None:
        if self.counters[OVERFLOW]:
            raise JobError(
                "the search went too deep for its memory: the guesses of this game tell its "
                "answers apart too slowly"
            )


_MATRICES: WeakKeyDictionary[PatternMatrix, SearchMatrix] = WeakKeyDictionary()
"""The search matrices made so far, each as long as the patterns of its game are in use."""


def _matrix_of(game: Game) -> SearchMatrix:
    """The search matrix of a game, made once for all games of the same patterns."""
    matrix = _MATRICES.get(game.patterns)
    if matrix is None:
        matrix = _MATRICES[game.patterns] = SearchMatrix.of(game)
    is_for_candidates = game.rule is Rule.CANDIDATES
    if matrix.candidates_only == is_for_candidates:
        return matrix
    return replace(matrix, candidates_only=is_for_candidates)


def _machine_code(rule: Rule) -> dict[str, Any]:
    """The machine code of the search under a rule, by name; Python calls that of entry.py."""
    if rule.is_constrained:
        from gpu_wordle.solver.constrained.machine_code import MACHINE_CODE as CONSTRAINED

        return CONSTRAINED
    from gpu_wordle.solver.unconstrained.machine_code import MACHINE_CODE

    return MACHINE_CODE
