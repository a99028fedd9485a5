"""Rankings of one position, made in parts: what they know together, and whether they agree."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.errors import JobError
from gpu_wordle.game.spelling import capitals
from gpu_wordle.game.values import INFEASIBLE
from gpu_wordle.ranking.openers import UNKNOWN, Openers, Status

_OF_RESULTS = (
    *("status", "upper", "worst", "height", "failures", "distribution", "weight_distribution"),
)
"""What two machines that have solved the same guess must both have found."""


class Merger:
    """What the openers of several sources say together.

    Args:
        words: the guesses.
        source: where the first openers come from, for people.
        openers: those.

    Attributes:
        openers: what is known by now.
    """

    def __init__(self, words: Sequence[str], source: str, openers: Openers) -> None:
        self.openers = openers.forget(np.arange(0))
        self._words = words
        self._sources = [source]
        count = len(words)
        self._of_lower, self._of_upper, self._of_solvable = np.zeros((3, count), np.intp)

    def add(self, source: str, other: Openers) -> None:
        """Take over what another source knows; JobError if the two contradict each other."""
        mine = self.openers
        other = _as_wide(other, mine)
        self.openers = mine = _as_wide(mine, other)
        self._sources.append(source)
        self._compare(mine, other)
        new = len(self._sources) - 1
        fresh = other.is_solved & ~mine.is_solved
        self._of_lower[fresh | (other.lower > mine.lower)] = new
        self._of_upper[fresh | (other.upper < mine.upper)] = new
        more = (other.solvable != UNKNOWN) & (mine.solvable == UNKNOWN)
        self._of_solvable[more] = new
        bounds = (
            np.maximum(mine.lower, other.lower),
            np.where(mine.is_solved, mine.upper, np.minimum(mine.upper, other.upper)),
        )
        work = [np.maximum(getattr(mine, n), getattr(other, n)) for n in ("expanded", "seconds")]
        mine.lower, mine.upper = bounds
        for name in _OF_RESULTS:
            getattr(mine, name)[fresh] = getattr(other, name)[fresh]
        mine.solvable[more] = other.solvable[more]
        mine.expanded, mine.seconds = work

    def _compare(self, mine: Openers, other: Openers) -> None:
        """JobError, naming guess and sources, where what is proved cannot all be true."""
        both = mine.is_solved & other.is_solved
        for name in _OF_RESULTS:
            differs = _differs(getattr(mine, name), getattr(other, name))
            self._refuse(both & differs, self._of_upper, mine, other)
        apart = (mine.lower > other.upper) | (other.lower > mine.upper)
        self._refuse(apart & (mine.lower >= other.lower), self._of_lower, mine, other)
        self._refuse(apart, self._of_upper, mine, other)
        known = (mine.solvable != UNKNOWN) & (other.solvable != UNKNOWN)
        differs = known & (mine.solvable != other.solvable)
        self._refuse(differs, self._of_solvable, mine, other)

    def _refuse(
        self, where: NDArray[np.bool_], origin: NDArray[np.intp], mine: Openers, other: Openers
    ) -> None:
        for guess in np.flatnonzero(where)[:1].tolist():
            raise JobError(
                f"{capitals(self._words[guess])}: {self._sources[origin[guess]]} has "
                f"{_said(mine, guess)}, {self._sources[-1]} has {_said(other, guess)}; one of them "
                "is wrong, and nothing is merged; gpu-wordle verify finds out which"
            )


def merged(words: Sequence[str], parts: Iterable[tuple[str, Openers]]) -> Openers:
    """What several sources know together, at least one; JobError where they contradict."""
    sources = iter(parts)
    merger = Merger(words, *next(sources))
    for source, openers in sources:
        merger.add(source, openers)
    return merger.openers


def _as_wide(openers: Openers, other: Openers) -> Openers:
    """A copy with at least as many turns as the other's."""
    copy = openers.forget(np.arange(0))
    missing = max(0, other.distribution.shape[1] - copy.distribution.shape[1])
    wider = ((0, 0), (0, missing))
    copy.distribution = np.pad(copy.distribution, wider)
    copy.weight_distribution = np.pad(copy.weight_distribution, wider)
    return copy


def _differs(one: NDArray[np.generic], other: NDArray[np.generic]) -> NDArray[np.bool_]:
    """Where two columns differ, bool[G]."""
    differs = one != other
    return differs if differs.ndim == 1 else differs.any(axis=1)


def _said(openers: Openers, guess: int) -> str:
    """What is known of a guess, in a few words."""
    lower, upper = int(openers.lower[guess]), int(openers.upper[guess])
    if openers.status[guess] == Status.INFEASIBLE:
        solvable = int(openers.solvable[guess])
        return "no strategy" + ("" if solvable == UNKNOWN else f", and solves {solvable:,}")
    if openers.status[guess] == Status.EXACT:
        found = np.trim_zeros(openers.distribution[guess], "b").tolist()
        return f"the value {upper:,} with {found}"
    return f"a value from {lower:,}" + (f" to {upper:,}" if upper < INFEASIBLE else " on")
