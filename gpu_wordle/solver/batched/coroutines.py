"""Runs several coroutines at a time, each of which waits for what threads do for it.

While one waits, another has the device, so that device and threads are at work at the same time.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from typing import Any, TypeVar

from gpu_wordle.solver.memory.stop import Stop

Result = TypeVar("Result")

Job = Generator[list[Future[Any]], None, Result]
"""A coroutine: it yields the futures that it waits for, and is resumed when all are done."""


STOP_SECONDS = 0.1
"""Time between two looks for a stop: nobody is woken by futures that were cancelled."""


def interleave(jobs: Iterator[Job[Result]], in_flight: int, stop: Stop) -> Iterator[Result]:
    """What the jobs return, as they end, ``in_flight`` of them at a time.

    Ends early when a stop is asked for.
    """
    running: list[tuple[Job[Result], list[Future[Any]]]] = []
    while not stop.is_set():
        while len(running) < in_flight and (job := next(jobs, None)) is not None:
            running.append((job, []))
        if not running:
            return
        ready = next((at for at, (_, futures) in enumerate(running) if all_done(futures)), None)
        if ready is None:
            wait([f for _, futures in running for f in futures if not f.done()],
                 timeout=STOP_SECONDS, return_when=FIRST_COMPLETED)  # fmt: skip
            continue
        job, futures = running.pop(ready)
        for future in futures:
            future.result()  # an error of a thread is one of the job
        if stop.is_set():  # and what was waited for may have been broken off
            return
        try:
            running.append((job, next(job)))
        except StopIteration as end:
            yield end.value


def all_done(futures: list[Future[Any]]) -> bool:
    """Whether nothing is waited for any more."""
    return all(future.done() for future in futures)
