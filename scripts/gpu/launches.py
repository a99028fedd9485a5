"""The seconds that kernels take on the device, by CUDA events around their launches."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from gpu_wordle.backends import choose
from gpu_wordle.backends.cuda import device
from gpu_wordle.backends.cuda.device import DeviceMatrix
from gpu_wordle.backends.cuda.frontier import CudaFrontier
from gpu_wordle.backends.cuda.launch import Launcher
from gpu_wordle.game.game import Game


def begun(cupy: Any, work: Callable[[], Any]) -> Callable[[], float]:
    """Enqueue some work on the current stream; what is returned waits for it, and has its seconds.

    These are the seconds between two events on the device.
    """
    start, stop = cupy.cuda.Event(), cupy.cuda.Event()
    start.record()
    work()
    stop.record()

    def seconds() -> float:
        stop.synchronize()
        return float(cupy.cuda.get_elapsed_time(start, stop)) / 1000

    return seconds


class TimedLauncher(Launcher):
    """A launcher that notes how long each kernel runs, and waits for none."""

    def __init__(self, matrix: DeviceMatrix, block_threads: int | None = None) -> None:
        super().__init__(matrix, block_threads)
        self._launches: list[tuple[str, Callable[[], float]]] = []

    def __call__(self, kernel: Any, *arguments: Any) -> None:
        """Launch a kernel."""
        launch = partial(super().__call__, kernel, *arguments)
        self._launches.append((kernel.name, begun(self.matrix.cupy, launch)))

    def seconds(self) -> dict[str, float]:
        """Wait for all launches since the last call, and add up their seconds by kernel.

        Where two streams are at work, a kernel's seconds hold what it waited for the other's.
        """
        launches, self._launches = self._launches, []
        found: dict[str, float] = {}
        for name, elapsed in launches:
            found[name] = found.get(name, 0.0) + elapsed()
        return found


def timed_frontier(
    game: Game, block_threads: int | None = None
) -> tuple[CudaFrontier, TimedLauncher]:
    """Return a frontier on the device, as backends open it, and its launcher.

    Raises UserError without a device.
    """
    choose("cuda")
    cupy = device.probe()[0]
    with device.setting_up(cupy):  # other streams read what this one writes
        matrix = DeviceMatrix(cupy, game.patterns, None, CudaFrontier.drivers)
        launcher = TimedLauncher(matrix, block_threads)
        return CudaFrontier(game, launcher), launcher
