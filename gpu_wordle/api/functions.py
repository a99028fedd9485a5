"""The functions that ``import gpu_wordle`` offers: words in, words out."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from functools import partial
from pathlib import Path
from typing import Any

from gpu_wordle.api import files, jobs, pools
from gpu_wordle.api.games import Game, Position, position_of
from gpu_wordle.api.given import takes
from gpu_wordle.api.rankings import Ranking
from gpu_wordle.api.session import (
    Machine,
    Session,
    open_session,
    read_rule,
)
from gpu_wordle.api.simulations import Simulation
from gpu_wordle.game.words import DEFAULT_LIST
from gpu_wordle.options.reading import TEXT
from gpu_wordle.options.telling import Heard, Progress
from gpu_wordle.ranking import job
from gpu_wordle.ranking.ending import Ending, Reason
from gpu_wordle.ranking.shards import Shard
from gpu_wordle.report.ranking import TOTAL

SIGNALS = (signal.SIGINT,)
"""What interrupts a job of a program that uses this package."""


@takes()
def rank(
    position: Position | Game,
    *,
    exact: int | str | Sequence[str] = 100,
    shard: str | None = None,
    out: str | Path | None = None,
    fresh: bool = False,
    progress: Heard | None = None,
    time_limit: float | None = None,
    stop: threading.Event | None = None,
    backend: str = "auto",
    threads: int | None = None,
    batched: bool | None = None,
    executor: Executor | None = None,
) -> Ranking:
    """Rank all guesses of a position: exact values, proven and verified, and every statistic.

    Args:
        position: where the game stands; a Game stands at its start.
        exact: guesses to solve exactly: so many of the most promising, ``"all"``, or these words.
            The others keep honest bounds.
        shard: which part of them alone, as in ``"3/12"``; :func:`merge` puts parts together.
        out: HDF5 file. What is proved is saved there as the work goes on, at least every half
            minute; the same call goes on from it.
        fresh: whether to replace the file instead.
        progress: called as guesses are solved.
        time_limit: seconds; no end if not given.
        stop: what another thread sets to end the job.
        backend: what computes: ``auto``, ``cpu``, ``cuda``, ``reference`` or ``check``.
        threads: CPU threads; all cores if not given.
        batched: whether to search in batches; if not given, where a named backend prefers it.
        executor: what hands the guesses to workers, here or on other machines: any executor of
            :mod:`concurrent.futures`. Each worker then uses ``threads``, or one.

    After an early end the ranking holds what was proved. Ctrl-C saves the file, if there is to be
    one, and raises KeyboardInterrupt.
    Raises UserError if the file is of another job, and JobError if it cannot be written, or as for
    :func:`prove`.
    """
    machine = Machine(backend, threads, batched=batched, pools=pools.of_executor(executor))
    session = open_session(position_of(position), machine)
    chosen = _exact(exact, session.position)
    work = jobs.RankingWork(session)
    ending = Ending(time_limit, stop, SIGNALS)
    part = None if shard is None else Shard.parse(shard)
    path = None if out is None else Path(out)
    work.run(chosen, path, ending, _telling(progress, session), fresh=fresh, shard=part)
    raise_if_interrupted(ending)
    is_solved = bool(work.ranking.openers.is_solved.any())
    table = work.table().sorted_by(TOTAL if is_solved else "entropy_bits")
    return Ranking(table, partial(Position, session.position), ending.reason)


def _telling(progress: Heard | None, session: Session) -> Callable[[job.Progress], None]:
    """What tells of a ranking in words, if anybody hears it."""
    if progress is None:
        return job.unheard
    words = session.game.words.guesses.words

    def tell(event: job.Progress) -> None:
        best = tuple((words[guess], value) for guess, value in event.best)
        progress(Progress(event.phase, event.done, event.total, best))

    return tell


@takes()
def open_results(path: str | Path, game: Game | None = None) -> Ranking | Simulation:
    """Read a file of a ranking or of simulated games, which holds its words.

    ``game`` is needed only for a game made by :meth:`Game.from_feedback`. Raises UserError if the
    file is missing, damaged, of another kind, or of another game.
    """
    return files.open_results(Path(path), None if game is None else game._inner)


@takes(guesses=TEXT)
def published(guesses: str = DEFAULT_LIST, rule: str = "normal") -> Ranking:
    """A ranking that is published with the package, of every first guess.

    There are ``original`` under the rules ``normal`` and ``hard``, and ``nyt-2023`` under
    ``normal``. Raises UserError for any other.
    """
    return files.open_ranking(files.published_path(guesses, read_rule(rule)), None)


def _exact(exact: int | str | Sequence[str], position: Any) -> jobs.Exact:
    """What to solve; UserError for words that cannot be."""
    if isinstance(exact, int):
        return exact
    if isinstance(exact, str):
        return None
    chosen = jobs.find_guesses(position, exact)
    for guess in chosen:
        position.check_legal(guess)
    return chosen


def raise_if_interrupted(ending: Ending) -> None:
    """KeyboardInterrupt if Ctrl-C ended a job."""
    if ending.reason is Reason.INTERRUPTED:
        raise KeyboardInterrupt
