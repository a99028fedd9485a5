"""The job of simulating: goes on from a file, plays, keeps checkpoints, and can be ended early.

It prints nothing: progress goes to a callback, remarks to the package's log.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.experiments.shared_play import Players
from gpu_wordle.experiments.simulate import own_opener, turns_of
from gpu_wordle.experiments.simulations import Fixed, Simulations
from gpu_wordle.ranking.checkpoints import Checkpoints, Kept, taken_over
from gpu_wordle.ranking.openers import UNKNOWN
from gpu_wordle.ranking.stop_token import StopToken
from gpu_wordle.solver import Stop, by_letters
from gpu_wordle.strategies.opening import Opening
from gpu_wordle.strategies.play import NEVER
from gpu_wordle.strategies.positions import Positions, StoppedError
from gpu_wordle.strategies.strategy import Strategy
from gpu_wordle.tunables import OPENERS_AT_A_TIME

GROUP_SECONDS = 2.0
"""What openers that are played together should take at most, for then Ctrl-C is heard."""

_log = logging.getLogger("gpu_wordle")


class SimulationFile(Kept[Simulations], Protocol):
    """Where a job keeps its games."""

    def save(self, simulations: Simulations) -> None:
        """Keep what has been played; JobError if that cannot be written."""
        ...


@dataclass(frozen=True)
class Played:
    """How far a simulation has come.

    Attributes:
        done: rows that are played.
        total: rows to play.
        best: strategy, opener and total of the best row that this run has played, if any.
    """

    done: int
    total: int
    best: tuple[str, int, int] | None = None


def ignore_progress(progress: Played) -> None:
    """Nobody asked how far the job has come."""


class SimulationJob:
    """Strategies, the openers that they are to play from, and a file.

    Args:
        strategies: what is played, each of another name.
        start: a batch of one position, the start of a game.
        openers: indices of first guesses; None for a strategy's own.
        file: where to keep the games; nowhere if not given.
        stop_token: what may end the job early.
        progress: called whenever some openers are played.
        clock: seconds, from any time on.
        players: workers who play instead of this process, if there are any.

    Attributes:
        simulations: what is played; with a file, its older rows first.
        asked: the rows that this job is about; none before it has begun.
    """

    def __init__(
        self,
        strategies: Sequence[Strategy],
        start: Positions,
        openers: Sequence[int | None],
        file: SimulationFile | None = None,
        stop_token: StopToken | None = None,
        progress: Callable[[Played], None] = ignore_progress,
        clock: Callable[[], float] = time.monotonic,
        players: Players | None = None,
    ) -> None:
        self._players = players
        self.stop_token = stop_token or StopToken()
        self._strategies = strategies
        self._start = start
        self._file = file
        self._progress = progress
        self._clock = clock
        self._openers = openers
        self.simulations = self._table([])
        self.asked = np.arange(0)
        self._best: tuple[str, int, int] | None = None
        self._checkpoints = Checkpoints(self._write, clock)

    def begin(self, *, fresh: bool = False) -> None:
        """Take over what the file has, unless ``fresh``, and see that it can be written.

        The file is read first: to find their own openers some strategies must learn for long.

        Raises UserError if the file is of another job, or not one of ours; JobError if it cannot
        be written.
        """
        older = taken_over(self._file, fresh=fresh)
        pairs = self._pairs()
        self.simulations = self._table(pairs)
        if older is not None:
            self.simulations = self.simulations.joined(older)
            _log.info("going on from %s, %s", self._file, older)
        place = {pair: row for row, pair in enumerate(self.simulations.pairs)}
        self.asked = np.array([place[pair] for pair in dict.fromkeys(pairs)], np.intp)
        self._checkpoints.save()

    def _pairs(self) -> list[tuple[int, int]]:
        """Each strategy's place and an opener of it, those that are asked for.

        Where the job ends before a strategy has come to its own opener, the rest is missing.
        """
        stop, found = Stop(), []
        start = replace(self._start, stop=stop)
        with self.stop_token.of(stop), suppress(StoppedError):
            for number, strategy in enumerate(self._strategies):
                for opener in self._openers:
                    own = own_opener(strategy, start) if opener is None else opener
                    found.append((number, own))
        return found

    def _table(self, pairs: Sequence[tuple[int, int]]) -> Simulations:
        """Rows of which none is played."""
        names = [strategy.name for strategy in self._strategies]
        return Simulations.begin(self._start.game, names, pairs)

    def run(self) -> None:
        """Play what is not played yet, or as much of it as can be until the job is to end."""
        stop = Stop()
        start = replace(self._start, stop=stop)
        with self.stop_token.of(stop), self._checkpoints.on_failure(), suppress(StoppedError):
            for number, strategy in enumerate(self._strategies):
                for rows, turns in self._played(number, strategy, start, stop):
                    self._enter(strategy, rows, turns)
                    self._checkpoints.attempt_if_due()

    def keep(self) -> None:
        """Write the file now; if that fails say so, for there may be room again in the end."""
        self._checkpoints.attempt()

    def save(self) -> None:
        """Write the file, if there is to be one; UnsavedError if that cannot be done."""
        self._checkpoints.finish()

    def note_exact_totals(self, known: Callable[[Fixed], int | None]) -> None:
        """Put exact totals of the openings asked for, where they are known, beside the games."""
        for row in self.asked.tolist():
            total = known(self._fixed(row))
            if total is not None:
                self.simulations.exact_total[row] = total

    @property
    def unknown(self) -> list[Fixed]:
        """The openings asked for whose exact totals are not known, each once."""
        waiting = self.asked[self.simulations.exact_total[self.asked] == UNKNOWN]
        return list(dict.fromkeys(self._fixed(row) for row in waiting.tolist()))

    def _fixed(self, row: int) -> Fixed:
        """The guesses that a row makes whatever they show."""
        strategy = self._strategies[int(self.simulations.strategy[row])]
        further = strategy.guesses[1:] if isinstance(strategy, Opening) else ()
        return (int(self.simulations.opener[row]), *further)

    def _played(
        self, number: int, strategy: Strategy, start: Positions, stop: Stop
    ) -> Iterator[tuple[NDArray[np.intp], NDArray[np.uint8]]]:
        """Rows of a strategy and their games, by workers or here."""
        row_of = self._waiting(number)
        if self._players is None:
            for rows in self._groups(row_of, stop):
                openers = self.simulations.opener[rows].tolist()
                yield rows, turns_of(strategy, start, openers)
            return
        openers = by_letters(self._start.game, row_of)
        for played in self._players.play(number, openers, stop):
            rows = np.array([row_of[opener] for opener, _ in played], np.intp)
            yield rows, np.array([turns for _, turns in played], np.uint8)

    def _waiting(self, strategy: int) -> dict[int, int]:
        """Rows of a strategy that are asked for and not played, by their openers."""
        table = self.simulations
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

    def _enter(self, strategy: Strategy, rows: NDArray[np.intp], found: NDArray[np.uint8]) -> None:
        """Enter some rows, and tell that they are played."""
        if not len(rows):
            return
        table = self.simulations
        openers = table.opener[rows].tolist()
        table.turns[rows] = found
        table.is_played[rows] = True
        for opener, turns in zip(openers, table.turns[rows], strict=True):
            total = int(turns.sum(dtype=np.int64))
            if (turns != NEVER).all() and (self._best is None or total < self._best[2]):
                self._best = strategy.name, opener, total
        done = int(table.is_played[self.asked].sum())
        self._progress(Played(done, len(self.asked), self._best))

    def _write(self) -> None:
        if self._file is not None and len(self.simulations):
            self._file.save(self.simulations)
