"""Strategies and the openers that they play from, as units of a job."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.experiments.shared_play import Players
from gpu_wordle.experiments.simulate import own_opener, turns_of
from gpu_wordle.experiments.simulations import Fixed, Simulations
from gpu_wordle.game.spelling import capitals
from gpu_wordle.ranking.job import Job, Progress
from gpu_wordle.ranking.openers import UNKNOWN
from gpu_wordle.ranking.stop_token import StopToken
from gpu_wordle.solver import Stop, by_letters
from gpu_wordle.strategies.opening import Opening
from gpu_wordle.strategies.play import NEVER
from gpu_wordle.strategies.positions import Positions, StoppedError
from gpu_wordle.strategies.strategy import Strategy
from gpu_wordle.tunables import OPENERS_AT_A_TIME

GROUP_SECONDS = 2.0
"""What openers that are played together should take at most, so that Ctrl-C takes effect soon."""


class Playing:
    """Strategies, and the openers that they are to play from.

    Args:
        strategies: what is played, each of another name.
        start: a batch of one position, the start of a game.
        openers: indices of first guesses; None for a strategy's own.
        players: workers who play instead of this process, if there are any.
        clock: seconds, from any time on.

    Attributes:
        table: a row for each strategy and opener; none before :meth:`begin`.
        asked: the rows that are asked for; those that a file had may be more.
    """

    def __init__(
        self,
        strategies: Sequence[Strategy],
        start: Positions,
        openers: Sequence[int | None],
        players: Players | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._strategies = strategies
        self._start = start
        self._openers = openers
        self._players = players
        self._clock = clock
        self._best: tuple[str, int, int] | None = None
        self.table = self._rows([])
        self.asked = np.arange(0)

    def begin(self, job: Job[Simulations]) -> None:
        """Add the rows that are asked for to the table of a job, which has begun, and save it.

        To find their own openers some strategies must learn for long, so the file is read before.
        JobError if the file cannot be written.
        """
        pairs = self._pairs(job.stop_token)
        self.table = self._rows(pairs)
        if len(job.table):
            self.table = self.table.joined(job.table)
        job.table = self.table
        place = {pair: row for row, pair in enumerate(self.table.pairs)}
        self.asked = np.array([place[pair] for pair in dict.fromkeys(pairs)], np.intp)
        job.save()

    def play(self, job: Job[Simulations]) -> None:
        """Play what is not played yet, or as much of it as can be until the job is to end."""
        stop = Stop()
        job.run(self._units(stop), stop)

    def _units(self, stop: Stop) -> Iterator[Progress | None]:
        """Play some rows after others, strategy by strategy."""
        start = replace(self._start, stop=stop)
        with suppress(StoppedError):
            for number, strategy in enumerate(self._strategies):
                for rows, turns in self._played(number, strategy, start, stop):
                    yield self._enter(strategy, rows, turns) if len(rows) else None

    def _rows(self, pairs: Sequence[tuple[int, int]]) -> Simulations:
        """Rows of which none is played."""
        names = [strategy.name for strategy in self._strategies]
        return Simulations.begin(self._start.game, names, pairs)

    def _pairs(self, stop_token: StopToken) -> list[tuple[int, int]]:
        """Each strategy's place and an opener of it, those that are asked for.

        Where the job ends before a strategy has come to its own opener, the rest is missing.
        """
        stop, found = Stop(), []
        start = replace(self._start, stop=stop)
        with stop_token.of(stop), suppress(StoppedError):
            for number, strategy in enumerate(self._strategies):
                for opener in self._openers:
                    own = own_opener(strategy, start) if opener is None else opener
                    found.append((number, own))
        return found

    def note_exact_totals(self, known: Callable[[Fixed], int | None]) -> None:
        """Put exact totals of the openings asked for, where they are known, beside the games."""
        for row in self.asked.tolist():
            total = known(self._fixed(row))
            if total is not None:
                self.table.exact_total[row] = total

    @property
    def unknown(self) -> list[Fixed]:
        """The openings asked for whose exact totals are not known, each once."""
        waiting = self.asked[self.table.exact_total[self.asked] == UNKNOWN]
        return list(dict.fromkeys(self._fixed(row) for row in waiting.tolist()))

    def _fixed(self, row: int) -> Fixed:
        """The guesses that a row makes whatever they show."""
        strategy = self._strategies[int(self.table.strategy[row])]
        further = strategy.guesses[1:] if isinstance(strategy, Opening) else ()
        return (int(self.table.opener[row]), *further)

    def _played(
        self, number: int, strategy: Strategy, start: Positions, stop: Stop
    ) -> Iterator[tuple[NDArray[np.intp], NDArray[np.uint8]]]:
        """Rows of a strategy and their games, by workers or here."""
        row_of = self._waiting(number)
        if self._players is None:
            for rows in self._groups(row_of, stop):
                openers = self.table.opener[rows].tolist()
                yield rows, turns_of(strategy, start, openers)
            return
        openers = by_letters(self._start.game, row_of)
        for played in self._players.play(number, openers, stop):
            rows = np.array([row_of[opener] for opener, _ in played], np.intp)
            yield rows, np.array([turns for _, turns in played], np.uint8)

    def _waiting(self, strategy: int) -> dict[int, int]:
        """Rows of a strategy that are asked for and not played, by their openers."""
        table = self.table
        is_waiting = ~table.is_played[self.asked] & (table.strategy[self.asked] == strategy)
        return {int(table.opener[row]): row for row in self.asked[is_waiting].tolist()}

    def _groups(self, row_of: dict[int, int], stop: Stop) -> Iterator[NDArray[np.intp]]:
        """Rows of a strategy that are played together, until the end is asked for.

        Openers of the same letters share most states. As many go together as take about
        GROUP_SECONDS, so that an end that is asked for comes soon.
        """
        ordered = [row_of[guess] for guess in by_letters(self._start.game, row_of)]
        begin, count = 0, 1
        while begin < len(ordered) and not stop.is_set():
            started = self._clock()
            yield np.array(ordered[begin : begin + count])
            begin += count
            if self._clock() - started < GROUP_SECONDS / 2:
                count = min(2 * count, OPENERS_AT_A_TIME)

    def _enter(
        self, strategy: Strategy, rows: NDArray[np.intp], found: NDArray[np.uint8]
    ) -> Progress:
        """Enter the games of some rows; how many are played, and the best row of this run."""
        table = self.table
        openers = table.opener[rows].tolist()
        table.turns[rows] = found
        table.is_played[rows] = True
        for opener, turns in zip(openers, table.turns[rows], strict=True):
            total = int(turns.sum(dtype=np.int64))
            if (turns != NEVER).all() and (self._best is None or total < self._best[2]):
                self._best = strategy.name, opener, total
        done = int(table.is_played[self.asked].sum())
        if self._best is None:
            return Progress("playing", done, len(self.asked))
        name, guess, total = self._best
        word = table.game.words.guesses.words[guess]
        note = f"best {capitals(word)} {total:,} by {name}"
        return Progress("playing", done, len(self.asked), ((word, total),), note)
