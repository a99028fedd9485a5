"""The function that plays strategies: words in, rows out."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from pathlib import Path

from gpu_wordle.api import pools
from gpu_wordle.api.games import Game
from gpu_wordle.api.given import takes
from gpu_wordle.api.session import Machine
from gpu_wordle.api.simulating import SimulationWork, Umpire, find_openers, whole_game
from gpu_wordle.api.simulations import Simulation
from gpu_wordle.experiments.simulation_job import Played, unheard
from gpu_wordle.options.reading import one_of
from gpu_wordle.options.telling import Heard, Progress
from gpu_wordle.ranking.ending import Ending, Reason
from gpu_wordle.strategies.strategy import Choice, Pool, Strategy, Ties

__all__ = ["Strategy", "simulate"]


@takes(pool=one_of(Pool), ties=one_of(Ties), umpire=one_of(Umpire))
def simulate(
    game: Game,
    strategies: str | Strategy | Sequence[str | Strategy],
    openers: str | Sequence[str] | None = None,
    *,
    pool: str = "all",
    survivors: int = 2,
    last_candidate: bool = False,
    ties: str = "candidates",
    umpire: str = "true",
    seed: int = 0,
    out: str | Path | None = None,
    fresh: bool = False,
    progress: Heard | None = None,
    time_limit: float | None = None,
    stop: threading.Event | None = None,
    backend: str = "auto",
    threads: int | None = None,
    executor: Executor | None = None,
) -> Simulation:
    """Play every answer of a game by strategies, from openers, and compare with the exact values.

    Args:
        game: what is played, whose objective is the mean and whose answers are equally likely.
        strategies: names, as the command line lists them, or one's own; see :class:`Strategy`.
        openers: first guesses, or ``"all"``; each strategy's own, if not given.
        pool: guesses that greedy rules choose from: ``all``, ``answers`` or ``candidates``.
        survivors: with as few answers left, or fewer, greedy rules play the first of them.
        last_candidate: whether they play a candidate on the last turn.
        ties: which of equal guesses they play: ``words``, ``candidates`` or ``random``.
        umpire: ``true``; or ``naive``, who does not count copies of a letter.
        seed: seed of all that is random.
        out: HDF5 file. Every game is saved there as the work goes on; the same call goes on from
            it. Two strategies of one's own with one name are taken to be the same.
        fresh: whether to replace the file instead.
        progress: called as openers are played.
        time_limit: seconds; no end if not given.
        stop: what another thread sets to end the job.
        backend: as for :func:`solve`.
        threads: as for :func:`solve`.
        executor: as for :func:`rank`.

    After an early end there is what was played by then. Ctrl-C saves the file, if there is to be
    one, and raises KeyboardInterrupt.
    Raises UserError for what is no strategy or opener, and if the file is of another job; JobError
    for a strategy that names no legal guess, and if the file cannot be written.
    """
    machine = Machine(backend, threads, pools=pools.of_executor(executor))
    session = whole_game(game, Umpire(umpire), machine)
    choice = Choice(Pool(pool), survivors, last_candidate, Ties(ties), seed)
    first = find_openers(session.position, [openers] if isinstance(openers, str) else openers)
    given = strategies if isinstance(strategies, Sequence) else [strategies]
    work = SimulationWork(session, [given] if isinstance(given, str) else given, first, choice)
    ending = Ending.of_call(time_limit, stop)
    told = _told(progress, session.game.words.guesses.words)
    work.run(None if out is None else Path(out), ending, told, fresh=fresh)
    if ending.reason is Reason.INTERRUPTED:
        raise KeyboardInterrupt
    return Simulation(work.simulations, work.rows, work.tree, ending.reason)


def _told(progress: Heard | None, words: Sequence[str]) -> Callable[[Played], None]:
    """What tells a caller how far the games have come, if that was asked for."""
    if progress is None:
        return unheard
    heard = progress

    def tell(event: Played) -> None:
        best = () if event.best is None else ((words[event.best[1]], event.best[2]),)
        heard(Progress("playing", event.done, event.total, best))

    return tell
