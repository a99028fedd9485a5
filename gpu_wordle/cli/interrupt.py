"""An orderly end on Ctrl-C: the search stops, what it has proved is kept."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from gpu_wordle.solver import Stop

EXIT_CODE = 130


@contextmanager
def interruptible(stop: Stop) -> Iterator[None]:
    """The first SIGINT or SIGTERM sets ``stop``; a second one ends the program."""

    def ask(number: int, frame: FrameType | None) -> None:
        if stop.is_set():
            raise KeyboardInterrupt
        stop.set()

    before = {number: signal.signal(number, ask) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
