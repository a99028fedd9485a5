"""A table of simulations: a row for each strategy and opener, with all its games or their sums."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.errors import UserError, counted
from gpu_wordle.experiments.compare import NO_GUESS, Pairs, play_pairs
from gpu_wordle.experiments.simulate import Simulated, longest
from gpu_wordle.game.game import Game
from gpu_wordle.ranking.openers import UNKNOWN
from gpu_wordle.states.tree import DecisionTree
from gpu_wordle.strategies.play import NEVER
from gpu_wordle.strategies.positions import Positions
from gpu_wordle.strategies.strategy import Strategy
from gpu_wordle.tunables import OPENERS_AT_A_TIME

MAX_GAMES = 2**28
"""Most games of a table; each takes a byte, in memory and in a file."""

INFEASIBLE_TOTAL = -2
"""Stands for the exact total of an opener that is not winnable."""

Fixed = tuple[int, ...]
"""Guesses that ignore feedback: the opener, and further words of a fixed opening."""


@dataclass(frozen=True, eq=False)
class Simulations:
    """Games of strategies from openers, R rows of one game for each answer.

    Attributes:
        game: the game.
        strategies: names of the strategies.
        strategy: int16[R], index of each row's strategy.
        opener: int32[R], index of each row's first guess.
        is_played: bool[R], whether the row has been played.
        turns: uint8[R, A], turn on which each answer is found; NEVER if it is not found, or not
            played. None if only sums are kept.
        exact_total: int64[R], optimal total after the opener, or after all fixed guesses of the
            row's strategy; UNKNOWN, or INFEASIBLE_TOTAL if that is not winnable.
        sums: int32[R, T], what ``distribution`` is where ``turns`` are not kept.
    """

    game: Game
    strategies: tuple[str, ...]
    strategy: NDArray[np.int16]
    opener: NDArray[np.int32]
    is_played: NDArray[np.bool_]
    turns: NDArray[np.uint8] | None
    exact_total: NDArray[np.int64]
    sums: NDArray[np.int32] | None = None

    @classmethod
    def begin(
        cls, game: Game, strategies: Sequence[str], pairs: Iterable[tuple[int, int]]
    ) -> Simulations:
        """An unplayed table with a row for each distinct pair (strategy index, opener).

        Raises UserError for more than MAX_GAMES games.
        """
        rows = list(dict.fromkeys(pairs))
        games = len(rows) * game.answer_count
        if games > MAX_GAMES:
            raise UserError(
                f"{games:,} games; at most {MAX_GAMES:,} are played together; "
                "name fewer openers or strategies"
            )
        return cls(
            game,
            tuple(strategies),
            np.array([strategy for strategy, _ in rows], np.int16),
            np.array([opener for _, opener in rows], np.int32),
            np.zeros(len(rows), np.bool_),
            np.full((len(rows), game.answer_count), NEVER, np.uint8),
            np.full(len(rows), UNKNOWN, np.int64),
        )

    def __len__(self) -> int:
        return len(self.opener)

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """Strategy index and opener of each row."""
        return list(zip(self.strategy.tolist(), self.opener.tolist(), strict=True))

    def joined(self, older: Simulations) -> Simulations:
        """The rows of an older table of equal strategies, then the rows that it lacks."""
        result = Simulations.begin(self.game, self.strategies, [*older.pairs, *self.pairs])
        known = len(older)
        result.is_played[:known] = older.is_played
        result.games[:known] = older.games
        result.exact_total[:known] = older.exact_total
        return result

    @property
    def games(self) -> NDArray[np.uint8]:
        """The attribute ``turns``; UserError if only sums are kept."""
        if self.turns is None:
            raise UserError("only the sums of these games are kept; simulate the opener again")
        return self.turns

    @property
    def distribution(self) -> NDArray[np.int32]:
        """Number of answers found on turn 1, 2, ..., int32[R, T]; UNKNOWN if not played."""
        if self.sums is not None:
            return self.sums
        games = self.games
        last = max(1, int(games.max(initial=1)))
        found = np.empty((len(self), last), np.int32)
        for row, turns in enumerate(games):
            found[row] = np.bincount(turns, minlength=last + 1)[1:]
        found[~self.is_played] = UNKNOWN
        return found

    def summed(self) -> Simulations:
        """The table without the turns of single games."""
        return replace(self, turns=None, sums=self.distribution)

    @property
    def never_found(self) -> NDArray[np.int64]:
        """Number of answers that each row never finds, int64[R]."""
        return self.game.answer_count - self.distribution.clip(0).sum(axis=1, dtype=np.int64)

    @property
    def total(self) -> NDArray[np.int64]:
        """Number of guesses over all answers, ignoring the limit, [R]; UNKNOWN if one is lost."""
        found = self.distribution.astype(np.int64)
        totals = found @ np.arange(1, found.shape[1] + 1)
        return np.where(self.never_found > 0, UNKNOWN, totals)

    @property
    def mean(self) -> NDArray[np.float64]:
        """Guesses of an answer, [R]; NaN if one is never found."""
        total = self.total
        return np.where(total == UNKNOWN, np.nan, total / self.game.answer_count)

    @property
    def worst(self) -> NDArray[np.int16]:
        """Turn on which the last answer is found, int16[R]; UNKNOWN if one is never found."""
        found = self.distribution > 0
        last = found.shape[1] - found[:, ::-1].argmax(axis=1)
        return np.where(self.never_found > 0, UNKNOWN, last).astype(np.int16)

    @property
    def lost(self) -> NDArray[np.int32]:
        """Number of answers not found within the guess limit, int32[R]; UNKNOWN if not played."""
        in_time = self.distribution[:, : self.game.objective.max_guesses]
        lost = self.game.answer_count - in_time.sum(axis=1)
        return np.where(self.is_played, lost, UNKNOWN).astype(np.int32)

    def best_first(self, rows: Sequence[int]) -> list[int]:
        """The played rows among ``rows``, ordered by total; rows without a total come last."""
        total, pairs = self.total.tolist(), self.pairs
        played = (row for row in rows if self.is_played[row])
        return sorted(played, key=lambda row: (total[row] == UNKNOWN, total[row], pairs[row]))

    def take(self, rows: Sequence[int]) -> Simulations:
        """Some rows, in that order."""
        chosen = np.array(rows, np.intp)
        return replace(
            self,
            strategy=self.strategy[chosen],
            opener=self.opener[chosen],
            is_played=self.is_played[chosen],
            turns=None if self.turns is None else self.turns[chosen],
            exact_total=self.exact_total[chosen],
            sums=None if self.sums is None else self.sums[chosen],
        )

    def row(self, row: int, play_again: Callable[[], DecisionTree]) -> Simulated:
        """A row as Simulated; ``play_again`` makes its decision tree."""
        name, opener = self.strategies[int(self.strategy[row])], int(self.opener[row])
        return Simulated(self.game, name, opener, self.games[row], play_again)

    def __str__(self) -> str:
        """Progress, as in ``3 of 10 rows played``."""
        return f"{int(self.is_played.sum()):,} of {counted(len(self), 'row')} played"


def merged(tables: Mapping[str, Simulations]) -> Simulations:
    """Join the played rows of tables of one game, each strategy and opener once; only sums remain.

    Args:
        tables: the tables, by the names that messages call them.

    Raises UserError if two tables contradict each other.
    """
    sources, parts = [*tables], [table.summed() for table in tables.values()]
    names = tuple(dict.fromkeys(name for part in parts for name in part.strategies))
    turns = max(part.distribution.shape[1] for part in parts)
    strategy = np.concatenate(
        [np.array([names.index(n) for n in p.strategies], np.int16)[p.strategy] for p in parts]
    )
    sums = np.concatenate(
        [np.pad(p.distribution, ((0, 0), (0, turns - p.distribution.shape[1]))) for p in parts]
    )
    opener, is_played, exact = (
        np.concatenate([getattr(part, name) for part in parts])
        for name in ("opener", "is_played", "exact_total")
    )
    source = np.repeat(np.arange(len(parts)), [len(part) for part in parts])
    # Of equal rows those with a known exact total come first.
    order = np.lexsort([exact == UNKNOWN, opener, strategy])
    order = order[is_played[order]]
    before, here = order[:-1], order[1:]
    is_again = (strategy[before] == strategy[here]) & (opener[before] == opener[here])
    differs = (sums[before] != sums[here]).any(axis=1)
    differs |= (exact[here] != UNKNOWN) & (exact[before] != exact[here])
    for place in np.flatnonzero(is_again & differs)[:1]:
        one, other = (sources[source[rows[place]]] for rows in (before, here))
        word = parts[0].game.words.guesses.shown(int(opener[here[place]]))
        raise UserError(
            f"{one} and {other} contradict each other about {names[strategy[here[place]]]} from "
            f"{word}; leave one of them out"
        )
    kept = order[~np.insert(is_again, 0, False)] if len(order) else order
    game, all_played = parts[0].game, np.ones(len(kept), np.bool_)
    return Simulations(
        game, names, strategy[kept], opener[kept], all_played, None, exact[kept], sums[kept]
    )


@dataclass(frozen=True)
class HardGame:
    """One of the longest games.

    Attributes:
        answer: index of the hidden answer.
        turn: turn on which it is found; NEVER if it is not.
        guesses: indices of the guesses, up to the one that finds it or the last.
    """

    answer: int
    turn: int
    guesses: tuple[int, ...]


def hardest_games(
    simulations: Simulations,
    rows: Sequence[int],
    strategies: Sequence[Strategy],
    start: Positions,
    count: int,
) -> dict[int, list[HardGame]]:
    """The longest games of each row, those never solved first.

    Only states that contain their answers are played, which is far cheaper than all games.

    Args:
        simulations: the simulated games.
        rows: the rows whose games are wanted.
        strategies: the strategies, in the order of ``simulations.strategies``.
        start: a batch of one position, the start of the game.
        count: number of games of each row, at most one per answer.
    """
    found: dict[int, list[HardGame]] = {row: [] for row in rows}
    if count == 0:
        return found
    for number, strategy in enumerate(strategies):
        own = [row for row in rows if simulations.strategy[row] == number]
        own.sort(key=lambda row: int(simulations.opener[row]))
        for begin in range(0, len(own), OPENERS_AT_A_TIME):
            some = own[begin : begin + OPENERS_AT_A_TIME]
            chosen = [longest(simulations.games[row], count) for row in some]
            openers = np.repeat(simulations.opener[some], [len(answers) for answers in chosen])
            pairs = Pairs(openers, np.concatenate(chosen))
            played = iter(play_pairs(strategy, start, pairs))
            for row, answers in zip(some, chosen, strict=True):
                for answer in answers.tolist():
                    made = next(played)
                    guesses = tuple(made[made != NO_GUESS].tolist())
                    turn = int(simulations.games[row, answer])
                    found[row].append(HardGame(answer, turn, guesses))
    return found
