"""Fixed openings of three to six guesses: the best pairs, extended guess by guess, then improved.

First a beam search extends the best openings of each length by every guess. Then a local search
replaces each guess in turn by the best one for the others, until nothing improves. The result need
not be optimal. The optimum makes at least as many parts, and at most one for each answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.backends.protocol import JointCounter
from gpu_wordle.experiments.pairs.survey import in_order
from gpu_wordle.game.game import Game
from gpu_wordle.game.patterns import PatternMatrix
from gpu_wordle.ranking.solving import Advance
from gpu_wordle.solver import Stop
from gpu_wordle.states.joint import Labels, joint_labels

GUESSES_AT_A_TIME = 1024
"""Number of guesses in a block of :func:`singles`."""

Guesses = tuple[int, ...]


class Goal(StrEnum):
    """The statistic of the joint parts to maximise."""

    PARTS = "parts"
    ENTROPY = "entropy"
    SINGLES = "singles"  # answers that are alone in their part


def singles(
    patterns: PatternMatrix, labels: Labels, guesses: NDArray[np.integer]
) -> NDArray[np.int64]:
    """Return how many answers are alone in a joint part of a partition and each guess, int64[C].

    Answers that are alone in the partition stay alone. The others are sorted by part and pattern.
    """
    part = labels[0]
    is_alone = np.bincount(part)[part] == 1
    shared = np.flatnonzero(~is_alone)
    result = np.full(len(guesses), np.count_nonzero(is_alone), np.int64)
    if len(shared) == 0:
        return result
    own = part[shared].astype(np.int32) * patterns.pattern_count
    for begin in range(0, len(guesses), GUESSES_AT_A_TIME):
        some = guesses[begin : begin + GUESSES_AT_A_TIME]
        codes = np.ascontiguousarray(patterns.values[np.ix_(shared, some)].T) + own
        codes.sort(axis=1)
        is_new = np.ones((len(some), len(shared) + 1), np.bool_)
        is_new[:, 1:-1] = codes[:, 1:] != codes[:, :-1]
        result[begin : begin + len(some)] += (is_new[:, :-1] & is_new[:, 1:]).sum(axis=1)
    return result


@dataclass(frozen=True, eq=False)
class OpeningSearch:
    """A search for openings.

    Attributes:
        game: the game.
        counter: counts the guesses that may be fixed.
        goal: what to maximise.
        first: a guess that stays in front, if given.
        stop: ends the search early.
    """

    game: Game
    counter: JointCounter
    goal: Goal = Goal.PARTS
    first: int | None = None
    stop: Stop = field(default_factory=Stop)

    def extend(
        self,
        openings: Sequence[Guesses],
        beam: int,
        advance: Advance = lambda done, total: None,
    ) -> list[Guesses]:
        """Extend openings by one guess, and return the ``beam`` best results, the best first.

        Each set of guesses occurs once, in its cheapest order. Ties put lower guesses first.
        Returns nothing after a stop.
        """
        found: dict[Guesses, int] = {}
        guesses = self.counter.guesses
        for done, opening in enumerate(openings, start=1):
            if self.stop.is_set():
                return []
            row = self._scores(opening)
            is_new = ~np.isin(guesses, opening)
            order = np.flatnonzero(is_new)[np.argsort(row[is_new], kind="stable")][:beam]
            for column in order.tolist():
                longer = in_order(self.game, (*opening, int(guesses[column])), self.first)
                found[longer] = int(row[column])
            advance(done, len(openings))
        return sorted(found, key=lambda guesses: (found[guesses], guesses))[:beam]

    def improve(
        self, openings: Sequence[Guesses], advance: Advance = lambda done, total: None
    ) -> list[Guesses]:
        """Improve openings by replacing guesses one by one; return distinct results, best first.

        No opening gets worse. After a stop, openings are returned as far as they were improved.
        """
        found: dict[Guesses, int] = {}
        for done, opening in enumerate(openings, start=1):
            value, improved = self._improved(opening)
            found[in_order(self.game, improved, self.first)] = value
            advance(done, len(openings))
        return sorted(found, key=lambda guesses: (found[guesses], guesses))

    def _improved(self, opening: Guesses) -> tuple[int, Guesses]:
        """Return score and guesses of a local optimum, which no replacement of a guess improves."""
        guesses = self.counter.guesses
        column_of = {guess: column for column, guess in enumerate(guesses.tolist())}
        now, best, tried = list(opening), np.iinfo(np.int64).max, 0
        while tried < len(now):  # until all guesses were tried since the last change
            for place, guess in enumerate(now):
                others = now[:place] + now[place + 1 :]
                row = self._scores(others)
                best = min(best, int(row[column_of[guess]]))
                tried += 1
                if guess == self.first or self.stop.is_set():
                    continue
                row = np.where(np.isin(guesses, others), np.iinfo(np.int64).max, row)
                column = int(row.argmin())
                if row[column] < best:
                    best, now[place], tried = int(row[column]), int(guesses[column]), 1
        return best, tuple(now)

    def _scores(self, opening: Sequence[int]) -> NDArray[np.int64]:
        """Return the score of an opening with each guess of the counter; lower is better."""
        labels = joint_labels(self.game.patterns, opening)
        if self.goal is Goal.ENTROPY:
            return self.counter.entropy(labels)[0]
        if self.goal is Goal.SINGLES:
            return -singles(self.game.patterns, labels, self.counter.guesses)
        return -self.counter.parts(labels)[0]
