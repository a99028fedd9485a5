"""Progress reports of jobs."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace
from typing import TypeVar

from gpu_wordle.ranking.job import Progress, ProgressCallback, ignore_progress
from gpu_wordle.ranking.stop_token import StopToken

T = TypeVar("T")

COMPILING = "compiling"
"""The phase in which a search compiles its machine code, on first use on a machine."""

Compile = Callable[[Callable[[int, int], None] | None], int]
"""Compiles machine code, reports functions done and in total, and returns how many it compiled."""


TOLD_EVERY_S = 0.25
"""Least time between two updates of a display, in seconds."""


def seldom(on_progress: Callable[[T], object]) -> Callable[[T], None]:
    """Limit a callback to one call every TOLD_EVERY_S seconds; calls in between are dropped."""
    due = 0.0

    def tell(found: T) -> None:
        nonlocal due
        if time.monotonic() >= due:
            on_progress(found)
            due = time.monotonic() + TOLD_EVERY_S

    return tell


def noted(
    on_progress: ProgressCallback | None, note: Callable[[Progress], str]
) -> ProgressCallback:
    """Add a note for people to each progress report; without a callback, discard reports."""
    if on_progress is None:
        return ignore_progress
    return lambda progress: on_progress(replace(progress, note=note(progress)))


def teller(on_progress: ProgressCallback | None, phase: str) -> Callable[[int, int], None]:
    """A callback of (done, total) that reports the progress of one phase."""
    if on_progress is None:
        return lambda done, total: None

    def tell(done: int, total: int) -> None:
        on_progress(Progress(phase, done, total))

    return tell


def compile_first(work: Compile, on_progress: ProgressCallback | None, stop: object = None) -> int:
    """Compile the machine code that the cache lacks; returns how many functions were compiled.

    Compiling does not count against the time limit of ``stop``. Without a callback, a notebook
    shows it, and elsewhere the log reports it.
    """
    if on_progress is not None:
        show: Callable[[int, int], None] | None = teller(on_progress, COMPILING)
    else:
        show = _show_in_notebook if "ipykernel" in sys.modules else None
    with stop.paused() if isinstance(stop, StopToken) else nullcontext():
        return work(show)


def _show_in_notebook(done: int, total: int) -> None:
    """Show how far compiling is, in one line below the cell."""
    line = f"compiling, once on this machine: {done} of {total} functions"
    print(f"\r{line}", end="" if done < total else "\n", file=sys.stderr, flush=True)
