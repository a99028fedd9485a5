"""The function that finds the best openings to fix in advance: words in, rows out."""

from __future__ import annotations

import threading
from concurrent.futures import Executor
from pathlib import Path

from gpu_wordle.api.functions import SIGNALS, pools_of, raise_if_interrupted
from gpu_wordle.api.games import Game, position_of
from gpu_wordle.api.given import takes
from gpu_wordle.api.openings import Asked, By, Openings, OpeningsWork
from gpu_wordle.api.session import Machine, open_session
from gpu_wordle.experiments.pairs import job
from gpu_wordle.options.reading import one_of
from gpu_wordle.options.telling import Heard, Progress
from gpu_wordle.ranking.ending import Ending

__all__ = ["Openings", "pairs"]


@takes(by=one_of(By))
def pairs(
    game: Game,
    *,
    words: int = 2,
    first: str | None = None,
    by: str | None = None,
    prove: bool = False,
    top: int = 20,
    out: str | Path | None = None,
    fresh: bool = False,
    progress: Heard | None = None,
    time_limit: float | None = None,
    stop: threading.Event | None = None,
    threads: int | None = None,
    executor: Executor | None = None,
) -> Openings:
    """Find the best guesses to fix in advance, two of them or more: all pairs are counted.

    Args:
        game: what is played, from its start.
        words: guesses that are fixed, 2 to 6. From 3 on they are found by extending the best
            pairs, so that better ones may exist.
        first: the first of them; any, if not given.
        by: what is best: ``parts``, ``entropy``, ``singles`` (from 3 words on) or ``total``; if
            not given ``parts``, or with ``prove`` the total.
        prove: whether to refute all pairs that are not told.
        top: openings that are told, 0 for all.
        out: HDF5 file of the pairs. The same call goes on from it.
        fresh: whether to replace the file instead.
        progress: called as first guesses are counted, and pairs solved.
        time_limit: seconds; no end if not given.
        stop: what another thread sets to end the job.
        threads: as for :func:`solve`.
        executor: as for :func:`rank`.

    After an early end there is what was found by then. Ctrl-C saves the file, if there is to be
    one, and raises KeyboardInterrupt.
    Raises UserError for what contradicts itself, and if the file is of another job.
    """
    asked = Asked(words, None if by is None else By(by), top, prove)
    session = open_session(position_of(game), Machine("cpu", threads, pools=pools_of(executor)))
    guesses = session.game.words.guesses
    begin = None if first is None else guesses.find(first)
    ending = Ending(time_limit, stop, SIGNALS)

    def tell(event: job.Progress) -> None:
        if progress is not None:
            best: tuple[tuple[str, int], ...] = ()
            if event.best is not None:
                best = ((" ".join(session.game.spell(event.best[:2])), event.best[2]),)
            progress(Progress(event.phase, event.done, event.total, best))

    work = OpeningsWork(session, asked, begin, ending)
    work.run(None if out is None else Path(out), tell, fresh=fresh)
    found = work.found(tell)
    raise_if_interrupted(ending)
    return found
