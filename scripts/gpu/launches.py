"""The seconds that kernels take on the device, by CUDA events around their launches."""

from __future__ import annotations

from typing import Any

from gpu_wordle.backends import choose
from gpu_wordle.backends.cuda import device
from gpu_wordle.backends.cuda.device import DeviceMatrix
from gpu_wordle.backends.cuda.frontier import CudaFrontier
from gpu_wordle.backends.cuda.launch import Launcher
from gpu_wordle.game.game import Game


class TimedLauncher(Launcher):
    """A launcher that notes how long each kernel runs, and waits for none."""

    def __init__(self, matrix: DeviceMatrix, block_threads: int | None = None) -> None:
        super().__init__(matrix, block_threads)
        self._events: list[tuple[str, Any, Any]] = []

    def __call__(self, kernel: Any, *arguments: Any) -> None:
        """Launch a kernel between two events on the current stream."""
        event = self.matrix.cupy.cuda.Event
        start, stop = event(), event()
        start.record()
        super().__call__(kernel, *arguments)
        stop.record()
        self._events.append((kernel.name, start, stop))

    def seconds(self) -> dict[str, float]:
        """Wait for all launches since the last call, and add up their seconds by kernel.

        Where two streams are at work, a kernel's seconds hold what it waited for the other's.
        """
        events, self._events = self._events, []
        found: dict[str, float] = {}
        for name, start, stop in events:
            stop.synchronize()
            elapsed = self.matrix.cupy.cuda.get_elapsed_time(start, stop) / 1000
            found[name] = found.get(name, 0.0) + elapsed
        return found


def timed_frontier(
    game: Game, block_threads: int | None = None
) -> tuple[CudaFrontier, TimedLauncher]:
    """Return a frontier on the device, as backends open it, and its launcher.

    Raises UserError without a device.
    """
    choose("cuda")
    matrix = DeviceMatrix(device.probe()[0], game.patterns, None, CudaFrontier.drivers)
    launcher = TimedLauncher(matrix, block_threads)
    return CudaFrontier(game, launcher), launcher
