"""How far a job has come, as whoever waits for it is told."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace
from typing import TypeVar

from gpu_wordle.ranking.job import Listener, Progress, ignore_progress
from gpu_wordle.ranking.stop_token import StopToken

T = TypeVar("T")

COMPILING = "compiling"
"""A phase of every verb that searches, on a machine that has not done so before."""

Compile = Callable[[Callable[[int, int], None] | None], int]
"""What makes machine code ready, and shows how many functions of how many are compiled."""


TOLD_EVERY_S = 0.25
"""Between two looks at what tightens."""


def seldom(on_progress: Callable[[T], object]) -> Callable[[T], None]:
    """Hand on what comes, but not before TOLD_EVERY_S have passed since the last of it."""
    due = 0.0

    def tell(found: T) -> None:
        nonlocal due
        if time.monotonic() >= due:
            on_progress(found)
            due = time.monotonic() + TOLD_EVERY_S

    return tell


def noted(on_progress: Listener | None, note: Callable[[Progress], str]) -> Listener:
    """Hand on how far a job is with a note for people; nothing if nobody hears it."""
    if on_progress is None:
        return ignore_progress
    return lambda progress: on_progress(replace(progress, note=note(progress)))


def teller(on_progress: Listener | None, phase: str) -> Callable[[int, int], None]:
    """What tells how far one phase is, if anybody hears it."""
    if on_progress is None:
        return lambda done, total: None

    def tell(done: int, total: int) -> None:
        on_progress(Progress(phase, done, total))

    return tell


def compile_first(work: Compile, on_progress: Listener | None, stop: object = None) -> int:
    """Have machine code compiled that the cache lacks; if nobody hears it, the log tells.

    It takes none of the time of a caller's stop_token. Returns how many functions were compiled.
    """
    with stop.paused() if isinstance(stop, StopToken) else nullcontext():
        return work(None if on_progress is None else teller(on_progress, COMPILING))
