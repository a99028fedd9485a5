"""Strategies and the openers after which they play, as units of a job, here or on workers."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.cluster.dispatch import Dispatch
from gpu_wordle.cluster.slot import Slot
from gpu_wordle.cluster.unit import Terms, Work
from gpu_wordle.cluster.worker_pool import WorkerPool
from gpu_wordle.experiments.simulate import own_opener, turns_of
from gpu_wordle.experiments.simulations import Fixed, Simulations
from gpu_wordle.game.game import Position
from gpu_wordle.game.spelling import capitals
from gpu_wordle.ranking.job import Job, Progress
from gpu_wordle.ranking.openers import UNKNOWN
from gpu_wordle.ranking.stop_token import StopToken
from gpu_wordle.solver import Stop, by_letters
from gpu_wordle.strategies.named import Opening, make_strategy
from gpu_wordle.strategies.play import NEVER
from gpu_wordle.strategies.positions import Positions, StoppedError
from gpu_wordle.strategies.strategy import Choice, Strategy
from gpu_wordle.tunables import OPENERS_AT_A_TIME, UNIT_SECONDS

Turns = NDArray[np.uint8]
"""The turn on which each answer is found, [A]."""


@dataclass(frozen=True)
class Players:
    """Workers that play strategies.

    Attributes:
        worker_pool: the workers.
        terms: threads and memory of each worker.
        position: the start of the game.
        given: the strategies as they are sent: built-in ones by name.
        choice: pool and tie rule of greedy strategies.
    """

    worker_pool: WorkerPool
    terms: Terms
    position: Position
    given: Sequence[str | Strategy]
    choice: Choice

    def play(
        self, number: int, openers: Sequence[int], stop: Stop
    ) -> Iterator[list[tuple[int, Turns]]]:
        """Yield openers with the turns of their games under strategy ``number``, as units end."""
        do = partial(_play, given=self.given[number], choice=self.choice)
        work = Work(do, lambda turns: turns.tobytes(), UNIT_SECONDS)
        dispatch = Dispatch(self.worker_pool, work, self.position, self.terms, stop)
        return dispatch.results(openers, len(openers))


def _play(
    slot: Slot,
    position: Position,
    openers: Sequence[int],
    known: None,
    *,
    given: str | Strategy,
    choice: Choice,
) -> Iterator[tuple[int, Turns]]:
    """Play all answers from some openers on a worker; a slot makes a built-in strategy once."""
    strategy = given
    if isinstance(strategy, str):
        name = strategy
        strategy = slot.kept((name, choice), lambda: make_strategy(name, slot.game, choice))
    start = Positions.of(position, slot.evaluator)
    for begin in range(0, len(openers), OPENERS_AT_A_TIME):
        some = openers[begin : begin + OPENERS_AT_A_TIME]
        yield from zip(some, turns_of(strategy, start, some), strict=True)


GROUP_SECONDS = 2.0
"""Most seconds that a group of openers should take, so that Ctrl-C takes effect soon."""


class Playing:
    """Strategies, and the openers after which they are to play.

    Args:
        strategies: the strategies, each with another name.
        start: a batch of one position, the start of a game.
        openers: indices of first guesses; None for a strategy's own.
        players: workers that play instead of this process, if there are any.
        clock: returns seconds since any fixed time.

    Attributes:
        table: a row for each strategy and opener; empty before :meth:`begin`.
        asked: the indices of the rows that the caller wants; a file may hold more.
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
        """Add the wanted rows to the table of a job, which has begun, and save it.

        Some strategies must learn for long to find their own openers, so the file is read first.
        Raises JobError if the file cannot be written.
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
        """Play the rows that are not played, or as many as possible until the job is to end."""
        stop = Stop()
        job.run(self._units(stop), stop)

    def _units(self, stop: Stop) -> Iterator[Progress | None]:
        """Play group after group of rows, strategy by strategy."""
        start = replace(self._start, stop=stop)
        with suppress(StoppedError):
            for number, strategy in enumerate(self._strategies):
                for rows, turns in self._played(number, strategy, start, stop):
                    yield self._enter(strategy, rows, turns) if len(rows) else None

    def _rows(self, pairs: Sequence[tuple[int, int]]) -> Simulations:
        """Return unplayed rows."""
        names = [strategy.name for strategy in self._strategies]
        return Simulations.begin(self._start.game, names, pairs)

    def _pairs(self, stop_token: StopToken) -> list[tuple[int, int]]:
        """Return the wanted pairs of a strategy's index and an opener.

        If the job ends before a strategy has found its own opener, the later pairs are missing.
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
        """Record exact totals of the wanted openings, where they are known."""
        for row in self.asked.tolist():
            total = known(self._fixed(row))
            if total is not None:
                self.table.exact_total[row] = total

    @property
    def unknown(self) -> list[Fixed]:
        """Return the wanted openings with unknown exact totals, each once."""
        waiting = self.asked[self.table.exact_total[self.asked] == UNKNOWN]
        return list(dict.fromkeys(self._fixed(row) for row in waiting.tolist()))

    def _fixed(self, row: int) -> Fixed:
        """Return the guesses that a row makes regardless of feedback."""
        strategy = self._strategies[int(self.table.strategy[row])]
        further = strategy.guesses[1:] if isinstance(strategy, Opening) else ()
        return (int(self.table.opener[row]), *further)

    def _played(
        self, number: int, strategy: Strategy, start: Positions, stop: Stop
    ) -> Iterator[tuple[NDArray[np.intp], NDArray[np.uint8]]]:
        """Yield rows of a strategy with their games, played by workers or here."""
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
        """Return the wanted, unplayed rows of a strategy, by their openers."""
        table = self.table
        is_waiting = ~table.is_played[self.asked] & (table.strategy[self.asked] == strategy)
        return {int(table.opener[row]): row for row in self.asked[is_waiting].tolist()}

    def _groups(self, row_of: dict[int, int], stop: Stop) -> Iterator[NDArray[np.intp]]:
        """Yield the rows of a strategy in groups that are played together, until a stop.

        Openers with the same letters share most states. A group takes about GROUP_SECONDS, so that
        a stop takes effect soon.
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
        """Record the games of some rows.

        Returns the number of rows played, and the best row of this run.
        """
        table = self.table
        openers = table.opener[rows].tolist()
        table.games[rows] = found
        table.is_played[rows] = True
        for opener, turns in zip(openers, found, strict=True):
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
