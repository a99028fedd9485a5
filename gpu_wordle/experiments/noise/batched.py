"""The same search by a backend that compares many states at once, as a device does.

Machine code lists the guesses of states as lines: their true totals, and the leaves whose draws
they add up. The backend draws, and says which line is least in every run and level. Guesses are
listed a few at a time, so that later ones are left out where those before refute them everywhere.
The order changes no result, and neither does the backend.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.backends.protocol import Perturber
from gpu_wordle.experiments.noise.machine.context import Context
from gpu_wordle.experiments.noise.machine.listed import COLUMN
from gpu_wordle.experiments.noise.model import NoiseModel
from gpu_wordle.experiments.noise.searcher import (
    Chosen,
    Node,
    Searcher,
    StoppedError,
    machine_code,
)
from gpu_wordle.game.game import Game
from gpu_wordle.game.rule import Rule
from gpu_wordle.solver import Solver
from gpu_wordle.states.lines import UNSOLVABLE, Lanes, Lines
from gpu_wordle.tunables import NOISE_GROWTH, NOISE_GUESSES

NO_RANK = np.iinfo(np.int64).max
"""Of a guess that is none."""


@dataclass(frozen=True, eq=False)
class Asked:
    """A state whose best guess is asked for, and what it is chosen from.

    Attributes:
        node: the state.
        guesses: int32[m], ascending.
        cells: uint8[..., m], their patterns.
        rows: int32[n], the rows of the answers.
    """

    node: Node
    guesses: NDArray[np.int32]
    cells: NDArray[np.uint8]
    rows: NDArray[np.int32]

    @property
    def table(self) -> tuple[NDArray[np.int32], NDArray[np.uint8], NDArray[np.int32]]:
        """What it is chosen from."""
        return self.guesses, self.cells, self.rows


@dataclass(frozen=True, eq=False)
class Best:
    """The best guesses on B states so far, lane by lane.

    Attributes:
        values: int64[B, L, R], their perturbed values.
        ranks: int64[B, L, R], their places among guesses of equal value.
    """

    values: NDArray[np.int64]
    ranks: NDArray[np.int64]

    @classmethod
    def none(cls, states: int, lanes: Lanes) -> Best:
        """Before any guess."""
        shape = states, *lanes.shape
        return cls(np.full(shape, UNSOLVABLE, np.int64), np.full(shape, NO_RANK, np.int64))

    def take(
        self, states: NDArray[np.intp], values: NDArray[np.int64], ranks: NDArray[np.int64]
    ) -> None:
        """Take guesses on some states where they are better, or as good and come before."""
        best, first = self.values[states], self.ranks[states]
        is_better = (values < best) | ((values == best) & (values < UNSOLVABLE) & (ranks < first))
        self.values[states] = np.where(is_better, values, best)
        self.ranks[states] = np.where(is_better, ranks, first)


class BatchedSearcher(Searcher):
    """A searcher whose lanes are those of a perturber."""

    def __init__(
        self,
        game: Game,
        model: NoiseModel,
        context: Context,
        solver: Solver,
        perturber: Perturber,
        lanes: Lanes,
    ) -> None:
        super().__init__(game, model, context, solver)
        self._perturber = perturber
        self._lanes = lanes
        self._code = machine_code(game)

    def best(self, node: Node, *, plays_on: bool = False) -> tuple[NDArray[np.int64], Chosen]:
        """See Searcher."""
        guesses = np.arange(self.game.guess_count, dtype=np.int32)
        asked = Asked(node, guesses, self.context.patterns, node.answers)
        if plays_on or node.made + 1 >= self.model.depth:
            best = self._best_last([asked], plays_on)
        else:
            best = self._best_inner(asked)
        return best.values[0], self._guesses(best.ranks[0])

    def _best_last(self, states: list[Asked], must_tell: bool) -> Best:
        """The best guesses on states whose guesses lead to leaves."""
        best = Best.none(len(states), self._lanes)
        known, begins = {}, {}
        for b, asked in enumerate(states):
            if len(asked.node.answers) == 1:
                self._take_the_only(asked.node, best, b)
            else:
                known[b], begins[b] = self._ordered(asked, False, must_tell), 0
        most = NOISE_GUESSES
        while begins:
            listed = {}
            for b, begin in begins.items():
                end, *listed[b] = self._code.list_lines(
                    *self._head(states[b].node), *states[b].table, known[b], begin, most,
                    best.values[b],
                )  # fmt: skip
                if end < 0:
                    raise StoppedError
                begins[b] = end
            self._compare(best, listed)
            begins = {b: end for b, end in begins.items() if end < known[b].shape[1]}
            most *= NOISE_GROWTH
        for b, asked in enumerate(states):
            self._chosen[asked.node.key] = self._guesses(best.ranks[b])
        return best

    def _compare(self, best: Best, listed: dict[int, list[NDArray[np.generic]]]) -> None:
        """Have the backend compare lines of some states, and take what is better."""
        ranks, totals, ends, leaves, keys, weights = zip(*listed.values(), strict=True)
        if not sum(map(len, ranks)):
            return
        before = np.cumsum([0, *map(len, keys)])
        lines = Lines(
            np.cumsum([0, *map(len, ranks)], dtype=np.int64),
            np.concatenate(totals),
            np.cumsum([0, *np.concatenate([np.diff(each) for each in ends])], dtype=np.int64),
            np.concatenate(
                [each + np.int32(more) for each, more in zip(leaves, before, strict=False)]
            ),
            np.concatenate(keys),
            np.concatenate(weights),
        )
        found = self._perturber.least(lines, self._lanes)
        at = found.place + lines.indptr[:-1, np.newaxis, np.newaxis]
        rank = np.append(np.concatenate(ranks), NO_RANK)
        is_found = found.place >= 0
        best.take(np.array(list(listed)), found.value, rank[np.where(is_found, at, -1)])

    def _best_inner(self, asked: Asked) -> Best:
        """The best guess on a state before the last guess."""
        best = Best.none(1, self._lanes)
        node = asked.node
        if len(node.answers) == 1:
            self._take_the_only(node, best, 0)
            return best
        known = self._ordered(asked, True, False)
        below = self._below(asked, known[COLUMN])
        begin, most = 0, NOISE_GUESSES
        while begin < known.shape[1]:
            begin, ranks, totals, part_of, tags, places = self._code.list_open(
                *self._head(node), *asked.table, known, begin, most, best.values[0]
            )
            if begin < 0:
                raise StoppedError
            children: dict[tuple[int, ...], tuple[int, Asked]] = {}
            for rank, parts, tag in zip(ranks.tolist(), part_of, tags.tolist(), strict=True):
                for p in np.unique(parts[parts >= 0]).tolist():
                    if tuple(tag[p]) not in children:
                        child = self._child(below, rank % self.game.guess_count, parts == p)
                        children[tuple(tag[p])] = len(children), child
            values = self._values([child for _, child in children.values()])
            for rank, total, parts, tag, place in zip(
                ranks, totals, part_of, tags, places, strict=True
            ):
                for p in np.unique(parts[parts >= 0]).tolist():
                    own = values[children[tuple(tag[p].tolist())][0]]
                    self.context.node_keys[place[p]] = tag[p]
                    self.context.node_values[place[p]] = own
                    total = np.where(own < UNSOLVABLE, total + own, UNSOLVABLE)
                    if (own >= UNSOLVABLE).any():
                        break
                best.take(np.array([0]), total[np.newaxis], np.full_like(total, rank)[np.newaxis])
            most *= NOISE_GROWTH
        self._chosen[node.key] = self._guesses(best.ranks[0])
        return best

    def _values(self, states: list[Asked]) -> NDArray[np.int64]:
        """Perturbed values of states after one guess more, int64[B, L, R]."""
        if not states:
            return np.empty((0, *self._lanes.shape), np.int64)
        if states[0].node.made + 1 >= self.model.depth:
            return self._best_last(states, False).values
        return np.concatenate([self._best_inner(asked).values for asked in states])

    def _ordered(self, asked: Asked, is_inner: bool, must_tell: bool) -> NDArray[np.int64]:
        """What order_guesses tells of a state."""
        node = asked.node
        known: NDArray[np.int64] = self._code.order_guesses(
            self.context, node.answers, node.revealed, is_inner, must_tell, *asked.table
        )
        return known

    def _head(self, node: Node) -> tuple[object, ...]:
        """What machine code is told of a state."""
        path = tuple(map(np.uint64, node.path))
        return self.context, node.answers, node.revealed, *path, node.made

    def _below(self, asked: Asked, columns: NDArray[np.int64]) -> Asked:
        """A state with what is enough to choose from on its parts.

        What splits it like another guess splits its parts like it, but for what rules forbid.
        """
        if self.game.rule is not Rule.NORMAL:
            return asked
        kept = np.sort(columns)
        cells = np.ascontiguousarray(asked.cells[asked.rows][:, kept])
        rows = np.arange(len(asked.rows), dtype=np.int32)
        return Asked(asked.node, asked.guesses[kept], cells, rows)

    def _child(self, asked: Asked, guess: int, is_in: NDArray[np.bool_]) -> Asked:
        """One part that a guess makes of a state."""
        node = self.part(asked.node, guess, asked.node.answers[is_in])
        return Asked(node, asked.guesses, asked.cells, asked.rows[is_in])

    def _take_the_only(self, node: Node, best: Best, b: int) -> None:
        """The guess of a state of one answer."""
        max_guesses = self.solver.game.objective.max_guesses
        if self.model.guesses_left(max_guesses, node.made) >= 1:
            best.values[b] = self._lanes.alpha
            best.ranks[b] = self.game.words.guess_of_answer[node.answers[0]]

    def _guesses(self, ranks: NDArray[np.int64]) -> Chosen:
        """Guesses by their ranks; -1 for none."""
        return np.where(ranks == NO_RANK, -1, ranks % self.game.guess_count).astype(np.int32)
