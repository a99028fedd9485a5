"""Cheap bounds: lower bounds by size and by one ply, which a checker works out by itself.

They are lemmas 3 and 4 of docs/theory/certificates.md. Costs are counted from the turns made. Let W
be the weight of a state and h that of its heaviest answer. Let the next three turns cost d(1), d(2)
and d(3) more than the turn before each. By size, a state costs at least::

    d(1) W + d(2) (W - h)

By one ply, let a guess have the weight w, or 0 if it is no candidate. Let the heaviest answers of
its parts weigh H together. Then it costs at least::

    d(1) W + d(2) (W - w) + d(3) (W - H)

Where turns cost one each, the engine of the search first finds the guesses that these bounds refute
without a limit. It is many times faster. Its table holds nothing else, since it never searches.

The guesses that remain are *rows*: cheap bounds do not refute them. A row lists the parts whose
bounds may have to rise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache, cached_property, reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.backends.cpu.frontier import CpuFrontier
from gpu_wordle.backends.protocol import Children
from gpu_wordle.certify.certified_state import CertifiedState, Key, key_of
from gpu_wordle.certify.machine import least_one_ply, measure
from gpu_wordle.certify.turn_prices import ONE_MORE, TurnPrices
from gpu_wordle.game.forms import Forms
from gpu_wordle.game.game import Game, State
from gpu_wordle.game.patterns import Patterns
from gpu_wordle.game.rule import Rule
from gpu_wordle.game.symmetry import Symmetry
from gpu_wordle.game.values import INFEASIBLE
from gpu_wordle.solver import Solver, SolverPool, TranspositionTable, open_solver
from gpu_wordle.states.batch import StateBatch, zobrist

MIN_OPEN = 3
"""Answers of the smallest state whose bound by size may be too low."""


@dataclass(frozen=True, eq=False)
class Parts:
    """The larger parts that P guesses leave of a state. States are built on request.

    Under constrained rules, parts with equal answers may differ in what was revealed.

    Attributes:
        child: int32[K], for each part the index of its state among all children. Parts of a guess
            come together, the largest first.
        starts: int64[P], index of each guess's first part.
        counts: int64[P], number of each guess's parts.
        number: int64[K], for each part the number of its certified state.
        distinct: number of distinct certified states.
        spot: builds a certified state by its number.
    """

    child: NDArray[np.int32]
    starts: NDArray[np.int64]
    counts: NDArray[np.int64]
    number: NDArray[np.int64]
    distinct: int
    spot: Callable[[int], CertifiedState]


def larger_parts(
    game: Game,
    tariff: TurnPrices,
    spot: CertifiedState,
    guesses: NDArray[np.int32],
    children: Children,
) -> Parts:
    """Return the parts of MIN_OPEN answers or more that guesses leave of a state."""
    states = children.states
    pair = np.repeat(np.arange(len(guesses)), np.diff(children.indptr))
    sizes = states.sizes[children.child]
    order = np.lexsort((-sizes, pair))
    order = order[sizes[order] >= MIN_OPEN]
    pair, child = pair[order], children.child[order]
    answers = game.words.guess_of_answer[states.answers[states.indptr[child]]]
    shown = game.traits.revealed_by(game.rule, guesses[pair], answers)
    revealed = np.broadcast_to(spot.revealed | shown, (len(pair), len(spot.revealed)))
    known_by = np.concatenate([states.keys[child], revealed], axis=1)
    _, first, number = np.unique(known_by, axis=0, return_index=True, return_inverse=True)

    @cache
    def spot_of(number: int) -> CertifiedState:
        i = first[number]
        key = key_of(states.keys[child[i]], revealed[i], tariff, spot.turns + 1)
        path = (*spot.path, int(guesses[pair[i]]))
        return CertifiedState(states.state(child[i]).copy(), revealed[i].copy(), path, key)

    counts = np.bincount(pair, minlength=len(guesses))
    starts = np.cumsum(counts) - counts
    return Parts(child, starts, counts, number.reshape(-1), len(first), spot_of)


SPLIT_TOGETHER = 512
"""Guesses whose parts are held in memory at once."""

QUICK_TABLE_BYTES = 1 << 26
"""Bytes of the transposition table of the engine that bounds."""

MAX_LEGAL_LISTS = 10_000
"""Most lists of legal guesses that are kept, one for each thing that may be revealed."""


@dataclass(frozen=True, eq=False)
class Row:
    """A guess that cheap bounds do not refute.

    Attributes:
        guess: the guess.
        missing: how much the bounds of its parts have to rise in total.
        parts: its parts of MIN_OPEN answers or more (see larger_parts), the largest first.
    """

    guess: int
    missing: int
    parts: tuple[CertifiedState, ...]


class StoppedError(Exception):
    """The caller asked the work to stop."""


class CheapBounds:
    """Lower bounds of states without search.

    Args:
        game: the game.
        tariff: the prices of turns.
        pool: solvers whose threads do the work; their stop token ends it.
    """

    def __init__(self, game: Game, tariff: TurnPrices, pool: SolverPool) -> None:
        self.game = game
        self.tariff = tariff
        self._pool = pool
        self._quick = open_solver(game.without_limit(), TranspositionTable(QUICK_TABLE_BYTES))
        self._idle = [self._quick]
        self._frontier = CpuFrontier(game, 1)
        self._forms = Forms.of(game)
        self._weight = game.objective.weights_of(game.root())
        self._one_ply: dict[Key, int] = {}
        self._known_legal: dict[bytes, NDArray[np.int32]] = {}
        self._marginal_costs = cache(tariff.marginal_costs)

    @property
    def is_by_form(self) -> bool:
        """True if an entry counts for all states of the same form; see forms.py."""
        return self._forms is not None

    def of(self, spot: CertifiedState) -> int:
        """Return the one-ply lower bound of a state. It is never below the bound by size."""
        found = self._one_ply.get(spot.key)
        if found is None:
            found = self._one_ply[spot.key] = self.count_one_ply(spot)
        return found

    def by_size(self, spot: CertifiedState) -> int:
        """Return the lower bound of a state by its size alone."""
        weight = self._weight[spot.answers]
        guesses_left = self.tariff.guesses_left(spot.turns)
        if guesses_left <= 1 and len(weight) > guesses_left:
            return INFEASIBLE
        first, second, _ = self._marginal_costs(spot.turns).tolist()
        total = int(weight.sum())
        return min(first * total + second * (total - int(weight.max())), INFEASIBLE)

    def is_settled(self, turns: int) -> bool:
        """True if the bound by size is exact after ``turns``: all later turns cost the same."""
        return turns >= self.tariff.turns and self.tariff.then != ONE_MORE

    def rows(
        self,
        spot: CertifiedState,
        targets: NDArray[np.int64] | int,
        advance: Callable[[int, int], None] = lambda done, total: None,
    ) -> list[Row]:
        """Return the guesses whose cheap bounds are below their targets, int64[G] or one for all.

        Of guesses that split the state alike it returns one. Under constrained rules it returns
        all, since such guesses reveal different things.
        """
        guesses = self._one_of_each_kind(spot) if spot.path else self._guesses
        targets = np.broadcast_to(np.asarray(targets, np.int64), self.game.guess_count)
        hopeful = self._hopeful(spot, guesses, targets)
        step = SPLIT_TOGETHER
        chunks = [hopeful[at : at + step] for at in range(0, len(hopeful), step)]
        found: list[list[Row]] = [[]] * len(chunks)
        done = 0

        def work(searcher: Solver, number: int) -> list[Row]:
            left = self.unrefuted(spot, chunks[number], targets)
            return list(self._open_rows(spot, left, targets)) if len(left) else []

        for number, rows in self._pool.map(work, range(len(chunks))):
            found[number] = rows
            done += len(chunks[number])
            advance(done, len(hopeful))
        if self._pool.stop.is_set():
            raise StoppedError
        return [row for rows in found for row in rows]

    def _one_of_each_kind(self, spot: CertifiedState) -> NDArray[np.int32]:
        """Return the legal guesses, one of each orbit of the renamings that keep the path."""
        legal = self.legal(spot)
        if self._forms is None:
            return legal
        kept = reduce(Symmetry.fixing, spot.path, self.game.symmetry)
        return legal if kept.is_trivial else legal[kept.orbits[legal] == legal]

    def _by_form(self, spot: CertifiedState) -> CertifiedState:
        """Return the state with the key of its form, if states are known by their forms."""
        if self._forms is None:
            return spot
        return replace(spot, key=self._forms.key(spot.answers) + spot.key[-1:])

    @cached_property
    def _guesses(self) -> NDArray[np.int32]:
        """Return all guesses, int32[G], those with the most parts at the start first.

        In this order a count of parts reaches its limit soon.
        """
        everything = np.arange(self.game.guess_count, dtype=np.int32)
        parts, *_ = self._measured(self.game.root(), everything)
        return everything[np.argsort(-parts, kind="stable")]

    @cached_property
    def _matrix(self) -> Patterns:
        """Return the patterns, with the columns in the order of :meth:`_guesses`."""
        values: NDArray[Any] = self.game.patterns.values
        matrix: Patterns = np.ascontiguousarray(values[:, self._guesses])
        return matrix

    def legal(self, spot: CertifiedState) -> NDArray[np.int32]:
        """Return the legal guesses of a state, int32[K], in the order of :meth:`_guesses`."""
        if self.game.rule is Rule.NORMAL:
            return self._guesses
        if not self.game.rule.is_constrained:
            return self._chosen(spot)
        answer = self.game.words.guess_of_answer[spot.answers[0]]
        traits = self.game.traits.bits[answer] & spot.revealed
        key = spot.revealed.tobytes() + traits.tobytes()
        legal = self._known_legal.get(key)
        if legal is None:
            if len(self._known_legal) >= MAX_LEGAL_LISTS:
                self._known_legal.clear()
            legal = self._known_legal[key] = self._chosen(spot)
        return legal

    def _chosen(self, spot: CertifiedState) -> NDArray[np.int32]:
        """Compute the legal guesses of a state, in the order of :meth:`_guesses`."""
        return self._guesses[self.game.legal_guesses(spot.answers, spot.revealed)[self._guesses]]

    def _sorted(self, answers: State) -> tuple[State, NDArray[np.int64]]:
        """Return the answers of a state, heaviest first, and their weights."""
        weight = self._weight[answers]
        if self.game.objective.weights is None:
            return answers, weight
        order = np.argsort(-weight, kind="stable")
        return answers[order], weight[order]

    def _measured(
        self, answers: State, guesses: NDArray[np.int32]
    ) -> tuple[NDArray[np.int64], ...]:
        """Return parts, weights of heads, own weights and hashes of each guess.

        See ``machine.measure``.
        """
        ordered, weight = self._sorted(answers)
        count = len(guesses)
        parts, heads, own = (np.empty(count, np.int64) for _ in range(3))
        hashes = np.empty((count, 2), np.uint64)
        patterns = self.game.patterns
        measure(
            patterns.values,
            patterns.pattern_count,
            (ordered, weight),
            guesses,
            zobrist(self.game.answer_count),
            (parts, heads, own, hashes),
        )
        return parts, heads, own, hashes.view(np.int64)

    def _hopeful(
        self, spot: CertifiedState, guesses: NDArray[np.int32], targets: NDArray[np.int64]
    ) -> NDArray[np.int32]:
        """Return the guesses with one-ply bounds below their targets.

        Of guesses that split the state alike it returns one, unless the rule is constrained.
        """
        parts, heads, own, hashes = self._measured(spot.answers, guesses)
        n, total = len(spot.answers), int(self._weight[spot.answers].sum())
        first, second, third = self._marginal_costs(spot.turns).tolist()
        bound = first * total + second * (total - own) + third * (total - heads)
        if self.tariff.guesses_left(spot.turns) <= 2:
            bound[parts < n] = INFEASIBLE
        is_candidate = np.isin(guesses, self.game.words.guess_of_answer[spot.answers])
        kept = (bound < targets[guesses]) & ((parts > 1) | is_candidate | (not spot.path))
        guesses, hashes, is_candidate = guesses[kept], hashes[kept], is_candidate[kept]
        if self.game.rule.is_constrained or not spot.path:
            return guesses
        order = np.lexsort((~is_candidate, hashes[:, 1], hashes[:, 0]))
        is_first = np.ones(len(order), np.bool_)
        is_first[1:] = (hashes[order[1:]] != hashes[order[:-1]]).any(axis=1)
        return guesses[np.sort(order[is_first])]

    def unrefuted(
        self, spot: CertifiedState, guesses: NDArray[np.int32], targets: NDArray[np.int64]
    ) -> NDArray[np.int32]:
        """Return the guesses that the engine does not refute.

        It returns all if the engine helps little: with unequal prices of turns, on the first turn,
        and where the target is INFEASIBLE.
        """
        if not (self.tariff.is_linear and spot.path) or targets.max() >= INFEASIBLE:
            return guesses
        try:
            quick = self._idle.pop()
        except IndexError:
            quick = self._quick.clone()
        position = spot.bare(quick.game)
        wanted = zip(guesses.tolist(), targets[guesses].tolist(), strict=True)
        left = [guess for guess, least in wanted if quick.bound(position, guess, least)[1] < least]
        self._idle.append(quick)
        return np.array(left, np.int32)

    def _open_rows(
        self, spot: CertifiedState, guesses: NDArray[np.int32], targets: NDArray[np.int64]
    ) -> Iterator[Row]:
        """Yield the rows of some guesses on a state.

        Bounds the largest part of every guess first, then the second largest, and so on. Most
        guesses are refuted early.
        """
        batch = StateBatch.from_sets([spot.answers.tolist()], self.game.answer_count)
        children = self._frontier.split(batch, np.zeros(len(guesses), np.int32), guesses)
        by_size = self._by_size(children.states, spot.turns + 1)
        sums = np.append(0, np.cumsum(by_size[children.child]))[children.indptr]
        paid = int(self._marginal_costs(spot.turns)[0]) * int(self._weight[spot.answers].sum())
        missing = targets[guesses] - paid - np.diff(sums)
        parts = larger_parts(self.game, self.tariff, spot, guesses, children)
        bounds = np.full(parts.distinct, -1, np.int64)
        depth = 0
        while len(pairs := np.flatnonzero((missing > 0) & (parts.counts > depth))):
            places = parts.starts[pairs] + depth
            numbers = parts.number[places]
            for number in np.unique(numbers[bounds[numbers] < 0]).tolist():
                if self._pool.stop.is_set():
                    raise StoppedError
                bounds[number] = self.of(parts.spot(number))
            missing[pairs] -= bounds[numbers] - by_size[parts.child[places]]
            depth += 1
        for p in np.flatnonzero(missing > 0).tolist():
            mine = parts.number[parts.starts[p] :][: parts.counts[p]].tolist()
            spots = tuple(self._by_form(parts.spot(number)) for number in mine)
            yield Row(int(guesses[p]), int(missing[p]), spots)

    def _by_size(self, states: StateBatch, turns: int) -> NDArray[np.int64]:
        """Return lower bounds of states by their sizes alone, int64[B]."""
        weight = self._weight[states.answers]
        total = np.add.reduceat(np.append(weight, 0), states.indptr[:-1])
        heaviest = np.maximum.reduceat(np.append(weight, 0), states.indptr[:-1])
        first, second, _ = self._marginal_costs(turns).tolist()
        bound = first * total + second * (total - heaviest)
        guesses_left = self.tariff.guesses_left(turns)
        if guesses_left <= 1:
            bound[states.sizes > guesses_left] = INFEASIBLE
        return np.minimum(bound, INFEASIBLE)

    def count_one_ply(self, spot: CertifiedState) -> int:
        """Compute the one-ply lower bound of a state, which :meth:`of` keeps."""
        ordered, weight = self._sorted(spot.answers)
        enough = self.by_size(spot)
        if self.game.rule is Rule.NORMAL:
            matrix, rows = self._matrix, ordered
        else:
            values: NDArray[Any] = self.game.patterns.values
            matrix = values.take(ordered, axis=0).take(self.legal(spot), axis=1)
            rows = np.arange(len(ordered), dtype=np.uint16)
        least = least_one_ply(
            matrix,
            self.game.patterns.pattern_count,
            (rows, weight),
            self._marginal_costs(spot.turns),
            self.tariff.guesses_left(spot.turns),
            enough,
        )
        return max(int(least), enough)
