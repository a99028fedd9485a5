"""The results of every first guess: columns, checks of their consistency, and merging."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from enum import IntEnum
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.errors import JobError, counted
from gpu_wordle.game.game import Game, Position, State
from gpu_wordle.game.spelling import capitals
from gpu_wordle.game.values import INFEASIBLE
from gpu_wordle.verify import Verdict, Verdicts, VerificationError

if TYPE_CHECKING:
    from gpu_wordle.solver import SolveResult

UNKNOWN = -1
"""``solvable`` of an opener whose solvable answers are not known."""


class Status(IntEnum):
    """The state of knowledge about an opener."""

    BOUNDED = 0  # its total lies between its bounds
    EXACT = 1  # its bounds are its total
    INFEASIBLE = 2  # no strategy that starts with it stays within the guess limit


@dataclass(repr=False)
class Openers:
    """The results of every first guess. All arrays are over the G guesses.

    Attributes:
        lower: int64, proven lower bound of the value; INFEASIBLE where there is no strategy.
        upper: int64, value of a known strategy; INFEASIBLE where none is known.
        status: int8, a Status.
        worst: int16, turn on which the last answer is found; 0 where no strategy was extracted.
        distribution: int32[G, T], answers found on turn 1 to T by the strategy.
        weight_distribution: int64[G, T], their weights.
        failures: int32, answers that the strategy does not find.
        solvable: int64, the most weight of answers that a strategy can find in time (with equal
            weights, their number); UNKNOWN where nobody has searched. For an exact opener it is
            what its strategy finds: everything, unless the objective is to lose as little as
            possible.
        height: int16, guesses on the longest path of the strategy.
        expanded: int64, states expanded by the search.
        seconds: float64, CPU seconds of the search.
    """

    lower: NDArray[np.int64]
    upper: NDArray[np.int64]
    status: NDArray[np.int8]
    worst: NDArray[np.int16]
    distribution: NDArray[np.int32]
    weight_distribution: NDArray[np.int64]
    failures: NDArray[np.int32]
    solvable: NDArray[np.int64]
    height: NDArray[np.int16]
    expanded: NDArray[np.int64]
    seconds: NDArray[np.float64]

    @classmethod
    def unsolved(cls, lower: NDArray[np.int64], turns: int) -> Openers:
        """Return openers with these lower bounds, and nothing else known."""
        count = len(lower)
        return cls(
            lower.copy(),
            np.full(count, INFEASIBLE, np.int64),
            np.zeros(count, np.int8),
            np.zeros(count, np.int16),
            np.zeros((count, turns), np.int32),
            np.zeros((count, turns), np.int64),
            np.zeros(count, np.int32),
            np.full(count, UNKNOWN, np.int64),
            np.zeros(count, np.int16),
            np.zeros(count, np.int64),
            np.zeros(count, np.float64),
        )

    def __repr__(self) -> str:
        counts = (f"{int((self.status == s).sum())} {s.name.lower()}" for s in Status)
        return f"Openers({', '.join(counts)})"

    def __str__(self) -> str:
        return f"{counted(int(self.is_solved.sum()), 'guess', 'guesses')} solved"

    @property
    def is_solved(self) -> NDArray[np.bool_]:
        """True where the opener is exact or infeasible, bool[G]."""
        return self.status != Status.BOUNDED

    def order(self, legal: NDArray[np.bool_] | None = None) -> NDArray[np.intp]:
        """Return guess indices, solved openers first, and of those the least value first.

        Exact values come first, then infeasible openers, the most solvable first. Then come bounded
        ones by lower bound, then those that are not ``legal``. Ties go to the lower worst case,
        then to the lowest index.
        """
        place: NDArray[np.int64] = np.array([2, 0, 1])[self.status]
        if legal is not None:
            place = np.where(legal, place, 3)
        solvable = np.where(self.status == Status.INFEASIBLE, self.solvable, 0)
        return np.lexsort((self.worst, -solvable, self.lower, place))

    def forget(self, guesses: NDArray[np.intp]) -> Openers:
        """Return a copy in which ``guesses`` are unsolved and have no bounds."""
        blank = Openers.unsolved(np.zeros(len(self.lower), np.int64), self.distribution.shape[1])
        result = Openers(**{f.name: getattr(self, f.name).copy() for f in fields(self)})
        for f in fields(self):
            getattr(result, f.name)[guesses] = getattr(blank, f.name)[guesses]
        return result

    def same_result(self, other: Openers, guess: int) -> bool:
        """True if both have the same result of a guess. The work that it took may differ."""
        work = ("expanded", "seconds")
        names = [f.name for f in fields(self) if f.name not in work]
        mine, others = (
            [np.trim_zeros(np.atleast_1d(getattr(o, name)[guess]), "b").tolist() for name in names]
            for o in (self, other)
        )
        return mine == others

    def weight_lost(
        self, game: Game, state: State, guesses: NDArray[np.intp] | slice = slice(None)
    ) -> NDArray[np.int64]:
        """Return the weight of the answers that the strategy of each exact guess does not find.

        int64[G], or int64 for the ``guesses`` that are given.
        """
        weight = game.objective.weights_of(state).sum()
        return np.asarray(weight - self.weight_distribution[guesses].sum(axis=1))

    def record(
        self,
        guesses: Sequence[int],
        results: Sequence[SolveResult],
        verdicts: Sequence[Verdict | None],
    ) -> None:
        """Record the results of different guesses. Bounds only ever tighten.

        ``verdicts`` are the replays of their strategies; None where there is none.
        """
        from gpu_wordle.solver import Results  # whoever has results has loaded the search

        known, results = np.array(guesses, np.intp), Results.of(results)
        self.lower[known] = np.maximum(self.lower[known], results.lower)
        self.expanded[known] += results.work[:, 0]
        self.seconds[known] += results.seconds
        infeasible = known[results.is_infeasible]
        self.status[infeasible] = Status.INFEASIBLE
        self.upper[infeasible] = INFEASIBLE
        is_seen, seen = _side_by_side(verdicts)
        is_proved = results.is_exact & ~results.is_infeasible & is_seen
        if seen is not None and is_proved.any():
            self.upper[known[is_proved]] = results.upper[is_proved]
            self.height[known[is_proved]] = results.worst[is_proved]
            self._record_exact(known[is_proved], seen, is_proved[is_seen])

    def _record_exact(
        self, known: NDArray[np.intp], verdicts: Verdicts, chosen: NDArray[np.bool_]
    ) -> None:
        """Record the replays of the ``chosen`` strategies, whose values are known."""
        self.status[known] = Status.EXACT
        self.failures[known] = verdicts.failures[chosen]
        self.worst[known] = worst = verdicts.worst[chosen]
        last = int(worst.max())
        self.make_room(last)
        self.distribution[known, :last] = verdicts.distribution[chosen, :last]
        self.weight_distribution[known, :last] = verdicts.weight_distribution[chosen, :last]
        self.solvable[known] = self.weight_distribution[known].sum(axis=1)

    def make_room(self, turns: int) -> None:
        """Widen the distributions, unless they hold this many turns."""
        missing = turns - self.distribution.shape[1]
        if missing > 0:
            wider = ((0, 0), (0, missing))
            self.distribution = np.pad(self.distribution, wider)
            self.weight_distribution = np.pad(self.weight_distribution, wider)

    def record_solvable(self, guess: int, result: SolveResult, verdict: Verdict | None) -> None:
        """Record how much an infeasible guess solves in the game where answers may be lost."""
        self.expanded[guess] += result.stats.expanded
        self.seconds[guess] += result.stats.seconds
        if result.is_exact and verdict is not None:
            self.solvable[guess] = verdict.weight_distribution.sum()


def _side_by_side(
    verdicts: Sequence[Verdict | None],
) -> tuple[NDArray[np.bool_], Verdicts | None]:
    """Return which verdicts are not None, bool[n], and these verdicts; None if there is none."""
    if isinstance(verdicts, Verdicts):
        return np.ones(len(verdicts), np.bool_), verdicts
    seen = [verdict for verdict in verdicts if verdict is not None]
    is_seen = np.array([verdict is not None for verdict in verdicts], np.bool_)
    return is_seen, Verdicts.of(seen) if seen else None


TOLERANCE = 1e-9
"""Relative tolerance of statistics that are no whole numbers.

Systems differ in the last digits of a logarithm.
"""


def check_statistics(
    held: dict[str, NDArray[Any]], computed: dict[str, NDArray[Any]], game: Game
) -> None:
    """Raise VerificationError, naming the guess, if statistics are not those of the game.

    ``held`` may lack some columns, as older files do.
    """
    for name, values in held.items():
        if name not in computed:
            raise VerificationError(f"the game has no statistic {name}")
        expected = computed[name]
        same = values == expected
        if expected.dtype.kind == "f":
            same |= np.isclose(values, expected, rtol=TOLERANCE, atol=TOLERANCE)
        for guess in np.flatnonzero(~same)[:1]:
            raise VerificationError(
                f"{game.words.guesses.shown(guess)}: its {name} is said to be "
                f"{values[guess]}; it is {expected[guess]}"
            )


def check_openers(openers: Openers, game: Game, position: Position) -> None:
    """Raise VerificationError, naming the guess, if columns contradict each other or the rules."""
    state, made = position.state, position.turns_made
    exact = openers.status == Status.EXACT
    infeasible = openers.status == Status.INFEASIBLE
    possible = infeasible & position.legal
    counts, weights = openers.distribution, openers.weight_distribution
    latest = (np.arange(1, counts.shape[1] + 1) * (counts > 0)).max(axis=1)
    lost = openers.weight_lost(game, state)
    weight_of_answer = game.objective.weights_of(state)
    # as much as can be found if some answer is lost
    most = weight_of_answer.sum() - weight_of_answer.min()
    values = game.prices.value(weights, lost=lost, worst=openers.worst, made=made)
    unlikely = (weights < 0) | ((weights > 0) & (counts == 0))
    if game.objective.weights is None:
        unlikely = weights != counts
    faults = {
        "its lower bound is above its upper bound": openers.lower > openers.upper,
        "it has an unknown status": ~np.isin(openers.status, [s.value for s in Status]),
        "it is exact but its bounds differ": exact & (openers.lower != openers.upper),
        "its distribution does not add up to its value": exact & (values != openers.upper),
        "its distribution does not cover every answer": exact
        & (counts.sum(axis=1) + openers.failures != len(state)),
        "its weights are not those of its distribution": exact
        & (unlikely.any(axis=1) | (lost < 0) | ((lost > 0) & (openers.failures == 0))),
        "it loses answers": (openers.failures != 0) & (not game.objective.allows_failure),
        "its worst case is not the last turn of its distribution": exact
        & (latest != openers.worst),
        "its worst case is over the limit": exact & (openers.worst > game.objective.after(made)),
        "it is infeasible but has a strategy": infeasible & (openers.upper < INFEASIBLE),
        "its solvable answers are not those that its strategy finds": exact
        & (openers.solvable != weights.sum(axis=1)),
        "it is infeasible but can solve every answer": possible & (openers.solvable > most),
        "its solvable answers are fewer than none": openers.solvable < UNKNOWN,
        "its solvable answers cannot be known": ~(exact | possible) & (openers.solvable != UNKNOWN),
    }
    for fault, where in faults.items():
        if where.any():
            guess = game.words.guesses.words[int(np.flatnonzero(where)[0])]
            raise VerificationError(f"{capitals(guess)}: {fault}")


_OF_RESULTS = (
    *("status", "upper", "worst", "height", "failures", "distribution", "weight_distribution"),
)
"""Columns that must agree between two machines that have solved the same guess."""


class Merger:
    """Merges the openers of several sources.

    Args:
        words: the guesses.
        source: the name of the first source, for people.
        openers: the openers of the first source.

    Attributes:
        openers: the merged openers so far.
    """

    def __init__(self, words: Sequence[str], source: str, openers: Openers) -> None:
        self.openers = openers.forget(np.arange(0))
        self._words = words
        self._sources = [source]
        count = len(words)
        self._of_lower, self._of_upper, self._of_solvable = np.zeros((3, count), np.intp)

    def add(self, source: str, other: Openers) -> None:
        """Merge the openers of another source; JobError if the two contradict each other."""
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
        """Raise JobError, naming guess and sources, if two results cannot both be true."""
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
    """Merge the openers of one or more sources; JobError if they contradict each other."""
    sources = iter(parts)
    merger = Merger(words, *next(sources))
    for source, openers in sources:
        merger.add(source, openers)
    return merger.openers


def _as_wide(openers: Openers, other: Openers) -> Openers:
    """Return a copy with at least as many turns as the other."""
    copy = openers.forget(np.arange(0))
    copy.make_room(other.distribution.shape[1])
    return copy


def _differs(one: NDArray[np.generic], other: NDArray[np.generic]) -> NDArray[np.bool_]:
    """Return where two columns differ, bool[G]."""
    differs = one != other
    return differs if differs.ndim == 1 else differs.any(axis=1)


def _said(openers: Openers, guess: int) -> str:
    """Return the result of a guess, in a few words."""
    lower, upper = int(openers.lower[guess]), int(openers.upper[guess])
    if openers.status[guess] == Status.INFEASIBLE:
        solvable = int(openers.solvable[guess])
        return "no strategy" + ("" if solvable == UNKNOWN else f", and solves {solvable:,}")
    if openers.status[guess] == Status.EXACT:
        found = np.trim_zeros(openers.distribution[guess], "b").tolist()
        return f"the value {upper:,} with {found}"
    return f"a value from {lower:,}" + (f" to {upper:,}" if upper < INFEASIBLE else " on")
