"""All pairs of guesses, counted by joint parts or entropy: a histogram, and the best pairs.

Guesses are columns, those with the most parts first. A pair is counted as the partition by its
finer guess, joined with the coarser one: so parts are small and labels are few.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.backends.protocol import JointCounter
from gpu_wordle.game.game import Game
from gpu_wordle.states.bounds import fixed_lower_bound
from gpu_wordle.states.joint import joint_labels, labels_of
from gpu_wordle.states.partition import ENTROPY_FRACTION_BITS, entropy_table
from gpu_wordle.tunables import PARTITIONS_AT_ONCE

BINS_PER_BIT = 10
"""Bins of the histogram for each bit of entropy."""

NO_KEY = np.iinfo(np.int64).max
"""A key above every key of a pair."""


class Measure(StrEnum):
    """The statistic of the joint parts by which pairs are ranked."""

    PARTS = "parts"
    ENTROPY = "entropy"


MAX_KEPT = {Measure.PARTS: 400_000, Measure.ENTROPY: 10_000}
"""Most pairs kept: enough to prove the best thousand by parts, or to show the best by entropy."""


@dataclass(frozen=True, eq=False)
class Pairs:
    """Pairs of guesses, ordered by key, the best first; every array is [K].

    Attributes:
        first: int32, the first guess.
        second: int32, the second guess.
        key: int64, lower is better: for PARTS the lower bound on the total, for ENTROPY the sum of
            c * log2(c) over the joint parts.
    """

    first: NDArray[np.int32]
    second: NDArray[np.int32]
    key: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.first)

    def __iter__(self) -> Iterator[tuple[int, int]]:
        return zip(self.first.tolist(), self.second.tolist(), strict=True)

    @property
    def ordered(self) -> NDArray[np.int32]:
        """Both guesses of each pair, [K, 2]."""
        return np.stack([self.first, self.second], axis=1)

    @classmethod
    def none(cls) -> Pairs:
        """No pairs."""
        return cls(np.empty(0, np.int32), np.empty(0, np.int32), np.empty(0, np.int64))

    @classmethod
    def join(cls, several: Sequence[Pairs]) -> Pairs:
        """Merge several, the best first. Ties put lower guesses first."""
        first = np.concatenate([pairs.first for pairs in several])
        second = np.concatenate([pairs.second for pairs in several])
        key = np.concatenate([pairs.key for pairs in several])
        return cls(first, second, key).take(np.lexsort((second, first, key)))

    def take(self, places: NDArray[np.intp] | slice) -> Pairs:
        """Return the pairs with the given indices."""
        return Pairs(self.first[places], self.second[places], self.key[places])


@dataclass(eq=False)
class Survey:
    """The state of a survey of all pairs.

    Attributes:
        game: the game; every pair of its guesses is legal.
        measure: the statistic that ranks pairs.
        first: the first guess of every pair; None for all unordered pairs.
        counted: number of columns whose pairs with all later columns are counted.
        histogram: int64, number of pairs by joint parts, or by entropy in bins.
    """

    game: Game
    measure: Measure = Measure.PARTS
    first: int | None = None
    counted: int = 0
    histogram: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))
    _kept: Pairs = field(default_factory=Pairs.none)
    _others: int = NO_KEY

    def __post_init__(self) -> None:
        self._found: list[Pairs] = []
        self._is_answer = self.game.words.answer_of_guess >= 0
        if self.histogram.size == 0:
            self.histogram = np.zeros(histogram_size(self.game, self.measure), np.int64)

    @classmethod
    def of_ordered(
        cls, game: Game, measure: Measure, ordered: NDArray[np.int32], first: int | None = None
    ) -> Survey:
        """Return a complete survey of these pairs alone, [K, 2], made in the order given."""
        survey = cls(game, measure, first)
        survey.counted = survey.rows
        sizes = [joint_sizes(game, pair) for pair in ordered.tolist()]
        table = entropy_table(game.answer_count)
        parts = np.array([len(each) for each in sizes], np.int64)
        values = np.array([table[each].sum() for each in sizes], np.int64)
        key = values
        if measure is Measure.PARTS:
            key, values = least_totals(game, ordered, parts), parts
        survey.histogram += np.bincount(survey._places(values), minlength=len(survey.histogram))
        survey._kept = Pairs.join([Pairs(ordered[:, 0], ordered[:, 1], key)])
        return survey

    @property
    def kept(self) -> Pairs:
        """The best counted pairs."""
        if self._found:
            self._sort()
        return self._kept

    @property
    def others(self) -> int:
        """The least key of a counted pair that is not kept; NO_KEY if all are kept."""
        if self._found:
            self._sort()
        return self._others

    @cached_property
    def columns(self) -> NDArray[np.int32]:
        """All guesses, those with the most parts first, [G]."""
        return finest_first(self.game)

    @property
    def rows(self) -> int:
        """Number of columns that can begin a pair; :attr:`counted` ends there."""
        return self.game.guess_count if self.first is None else 1

    @property
    def is_complete(self) -> bool:
        """Whether every pair is counted."""
        return self.counted == self.rows

    @property
    def pair_count(self) -> int:
        """Number of counted pairs."""
        return int(self.histogram.sum())

    def run(self, counter: JointCounter, end: int | None = None) -> Iterator[int]:
        """Count the remaining pairs; yield :attr:`counted` from time to time.

        ``counter`` counts the guesses :attr:`columns`. If ``end`` is given, it stops before that
        column. ``end`` is the last column, or a multiple of PARTITIONS_AT_ONCE after the first one.
        """
        count = counter.parts if self.measure is Measure.PARTS else counter.entropy
        while self.counted < (self.rows if end is None else end):
            begin = self.counted
            some = self._beginnings(begin)
            first_column = 0 if self.first is not None else begin
            values = count(labels_of(self.game.patterns, some), first_column)
            self._found += [self._add_row(begin + i, row[i:]) for i, row in enumerate(values)]
            self.counted = begin + len(some)
            self._sort_if_due()
            yield self.counted

    def add(self, counted: int, histogram: NDArray[np.int64], kept: Pairs, others: int) -> None:
        """Add the columns up to ``counted``, which a worker has counted.

        ``kept`` are the best of their pairs, and ``others`` is the least key of the rest.
        """
        self.counted = counted
        self.histogram += histogram
        self._found.append(kept)
        self._others = min(self._others, others)
        self._sort_if_due()

    def _beginnings(self, begin: int) -> NDArray[np.int32]:
        """Return the guesses whose pairs are counted next."""
        if self.first is not None:
            return np.array([self.first], np.int32)
        return self.columns[begin : begin + PARTITIONS_AT_ONCE]

    def _add_row(self, column: int, values: NDArray[np.int64]) -> Pairs:
        """Count the pairs of one column, and return those that may be kept.

        ``values`` are those of the columns from that one on or, with :attr:`first` given, of all
        columns. Unordered pairs come in the order of :func:`in_order`.
        """
        guess = int(self.columns[column]) if self.first is None else self.first
        others = self.columns[-len(values) :]
        is_other = others != guess
        others, values = others[is_other], values[is_other]
        self.histogram += np.bincount(self._places(values), minlength=len(self.histogram))
        own, is_answer = bool(self._is_answer[guess]), self._is_answer[others]
        comes_first = np.ones(len(others), np.bool_)
        if self.first is None:
            comes_first = np.where(is_answer == own, guess < others, own)
        key = values
        if self.measure is Measure.PARTS:
            saved = np.where(comes_first, 2 * own + is_answer, own + 2 * is_answer)
            key = fixed_lower_bound(self.game.answer_count, values, 2, saved)
        near = np.flatnonzero(key <= self._others)
        comes_first, others = comes_first[near], others[near]
        return Pairs(
            np.where(comes_first, guess, others).astype(np.int32),
            np.where(comes_first, others, guess).astype(np.int32),
            key[near],
        )

    def _sort_if_due(self) -> None:
        if sum(map(len, self._found)) > MAX_KEPT[self.measure]:
            self._sort()

    def _sort(self) -> None:
        """Merge the pairs found since the last merge with those kept, and keep the best."""
        joined = Pairs.join([self._kept, *self._found])
        most = MAX_KEPT[self.measure]
        if len(joined) > most:
            self._others = min(self._others, int(joined.key[most]))
            joined = joined.take(slice(most))
        self._kept, self._found = joined, []

    def _places(self, values: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the bins of values in the histogram."""
        if self.measure is Measure.PARTS:
            return values
        bits = entropy_bits(values, self.game.answer_count)
        return np.rint(bits * BINS_PER_BIT).astype(np.int64)


def finest_first(game: Game) -> NDArray[np.int32]:
    """Return all guesses, those with the most parts of all answers first, int32[G]."""
    by_guess, most = np.ascontiguousarray(game.patterns.values.T), game.patterns.pattern_count
    parts = [np.count_nonzero(np.bincount(patterns, minlength=most)) for patterns in by_guess]
    return np.argsort(-np.array(parts), kind="stable").astype(np.int32)


def histogram_size(game: Game, measure: Measure) -> int:
    """Return the number of bins of a histogram."""
    if measure is Measure.PARTS:
        return game.answer_count + 1
    return int(np.log2(game.answer_count) * BINS_PER_BIT) + 2


def entropy_bits(nlog2n: NDArray[np.int64], answers: int) -> NDArray[np.float64]:
    """Return the entropy in bits of partitions, from their sums of c * log2(c) in fixed point."""
    bits = np.log2(answers) - nlog2n / (answers * 2.0**ENTROPY_FRACTION_BITS)
    return np.asarray(np.maximum(bits, 0.0))


def joint_sizes(game: Game, guesses: Sequence[int]) -> NDArray[np.int64]:
    """Return the sizes of the joint parts of several guesses."""
    return np.bincount(joint_labels(game.patterns, guesses)[0])


def least_totals(
    game: Game, openings: NDArray[np.integer], parts: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return lower bounds on the totals of openings, [K, n], by their joint parts, [K].

    See bounds.fixed_lower_bound.
    """
    turns = openings.shape[1]
    is_answer = game.words.answer_of_guess[openings] >= 0
    return fixed_lower_bound(game.answer_count, parts, turns, is_answer @ np.arange(turns, 0, -1))


def in_order(game: Game, guesses: Sequence[int], first: int | None = None) -> tuple[int, ...]:
    """Return guesses in their cheapest order: answers first, then by index.

    ``first``, if it is given, stays before all others.
    """
    is_answer = game.words.answer_of_guess >= 0
    return tuple(sorted(guesses, key=lambda guess: (guess != first, not is_answer[guess], guess)))


Ordered = NDArray[np.int32]
"""Ordered pairs (first, second), int32[K, 2]."""


def legal_pairs(game: Game) -> Ordered:
    """Return the pairs whose second guess is legal after any feedback to the first, int32[K, 2].

    A guess is legal iff, of the revealed traits, it has exactly those that the answer has
    (legality.py). Take all answers other than the first guess. The second guess needs every trait
    that one of them makes required, and must lack every trait that one of them makes forbidden.
    """
    guesses = game.words.guess_of_answer
    bits = game.traits.bits
    found = []
    for first in range(game.guess_count):
        hidden = guesses[guesses != first]
        answers, revealed = bits[hidden], game.traits.revealed_by(game.rule, first, hidden)
        needed = np.bitwise_or.reduce(answers & revealed, axis=0)
        barred = np.bitwise_or.reduce(~answers & revealed, axis=0)
        is_legal = ((bits & needed) == needed).all(axis=1) & ((bits & barred) == 0).all(axis=1)
        is_legal[first] = False
        seconds = np.flatnonzero(is_legal)
        found.append(np.stack([np.full(len(seconds), first), seconds], axis=1))
    return np.concatenate(found).astype(np.int32)
