"""The CUDA backend: CuPy over the kernels of ``kernels/``, compiled on first use.

The heads of the kernels say how they work; this module decides how they are launched. States of a
batch are grouped by counting method (:data:`METHODS`), one launch for each group. A batch that does
not fit into the device's memory is split into chunks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.backends.cuda import device
from gpu_wordle.backends.cuda.device import (
    MAX_BLOCK_THREADS,
    DeviceMatrix,
    device_errors,
    setting_up,
)
from gpu_wordle.backends.cuda.frontier import CudaFrontier
from gpu_wordle.backends.cuda.joint import CudaJointCounter
from gpu_wordle.backends.cuda.launch import Launcher
from gpu_wordle.errors import JobError, UserError
from gpu_wordle.game.game import Game
from gpu_wordle.game.patterns import Patterns, pattern_dtype
from gpu_wordle.game.words import GameWords
from gpu_wordle.states.batch import StateBatch
from gpu_wordle.states.partition import BestGuesses, Criterion, PartitionStats, entropy_table
from gpu_wordle.tunables import COUNT_THREADS, PAIR_THREADS, PATTERN_THREADS

METHODS = {"PAIRS": 16, "COUNTS8": 255, "COUNTS16": 65_535}
"""Counting methods (tally.cuh) and the largest state of each; a state takes the first that fits."""

BEST_BYTES = 512  # shared memory of best_guess.cu before its counters
NOT_CANDIDATE = np.uint32(1 << 31)  # bit of a rank in best_guess.cu


class CudaBackend:
    """The current CUDA device, through CuPy.

    ``block_threads`` replaces the tuned numbers of threads in a block, for tests and benchmarks. It
    is a multiple of 32 up to MAX_BLOCK_THREADS.

    Raises JobError if no device answers, and UserError for other ``block_threads``.
    """

    name = "cuda"
    prefers_batches = True

    def __init__(self, block_threads: int | None = None) -> None:
        cupy, why_not = device.probe()
        if why_not:
            raise JobError(f"the cuda backend cannot be used: {why_not}")
        if block_threads not in (None, *range(32, MAX_BLOCK_THREADS + 1, 32)):
            raise UserError(
                f"blocks of {block_threads:,} threads are not possible; "
                f"give a multiple of 32 up to {MAX_BLOCK_THREADS}"
            )
        self._cupy = cupy
        self._block_threads = block_threads

    @property
    def device(self) -> str:
        """Name of the device and CUDA version of its driver, as a text."""
        runtime = self._cupy.cuda.runtime
        with device_errors():
            name = runtime.getDeviceProperties(runtime.getDevice())["name"].decode()
            version = runtime.driverGetVersion()
        return f"{name}, driver for CUDA {version // 1000}.{version % 1000 // 10}"

    def build_patterns(self, words: GameWords) -> Patterns:
        """Patterns of every answer and guess by patterns.cu, [A, G]; a thread for each guess."""
        cupy = self._cupy
        threads = self._block_threads or PATTERN_THREADS
        guesses, answers = len(words.guesses), len(words.answers)
        with device_errors():
            matrix = cupy.empty((answers, guesses), pattern_dtype(words.length))
            kernel = device.kernel("patterns.cu", "build_patterns", f"-DLENGTH={words.length}")
            arguments = (
                cupy.asarray(words.guesses.codes),
                cupy.asarray(words.answers.codes),
                np.int32(guesses),
                np.int32(answers),
                matrix,
            )
            kernel((-(-guesses // threads), min(answers, 512)), (threads,), arguments)
            return np.asarray(cupy.asnumpy(matrix))

    def open(self, game: Game) -> CudaEvaluator:
        """An evaluator; puts the game's patterns on the device."""
        with setting_up(self._cupy):
            return CudaEvaluator(self._cupy, game, self._block_threads)

    def open_joint(self, game: Game, guesses: NDArray[np.int32]) -> CudaJointCounter:
        """A joint counter; puts the pattern columns of these guesses on the device."""
        with setting_up(self._cupy):
            return CudaJointCounter(self._cupy, game, guesses, self._block_threads)

    def open_frontier(self, game: Game, memory_bytes: int | None = None) -> CudaFrontier:
        """A frontier; puts the game's patterns on the device.

        Half of ``memory_bytes`` is for guess lists and half for work arrays. Without it lists take
        half of the free memory, and work arrays half of what is then free.
        """
        half = None if memory_bytes is None else memory_bytes // 2
        with setting_up(self._cupy):
            matrix = DeviceMatrix(self._cupy, game.patterns, half, CudaFrontier.drivers)
            return CudaFrontier(game, Launcher(matrix, self._block_threads), half)


@dataclass(frozen=True)
class Launch:
    """A prepared kernel launch, for the states of a batch with one counting method.

    Attributes:
        method: the counting method.
        rows: indices of the states in the batch.
        threads: threads of a block.
        outputs: the device arrays that it fills.
        run: enqueues the launch on the current stream and returns at once.
    """

    method: str
    rows: NDArray[np.int32]
    threads: int
    outputs: tuple[Any, ...]
    run: Callable[[], None]


class CudaEvaluator:
    """Evaluator over the kernels partition_stats.cu and best_guess.cu."""

    def __init__(self, cupy: Any, game: Game, block_threads: int | None) -> None:
        self._cupy = cupy
        self._patterns = game.patterns
        self._matrix = DeviceMatrix(cupy, game.patterns)
        self._launch = Launcher(self._matrix, block_threads)
        self._steps = cupy.asarray(np.diff(entropy_table(self._matrix.answer_count)))

    def stats(self, batch: StateBatch) -> PartitionStats:
        """Partition statistics of every guess in every state, [B, G] on the host."""
        result = PartitionStats.empty(len(batch), self._matrix.guess_count, batch.sizes)
        columns: tuple[NDArray[Any], ...] = (
            result.parts,
            result.is_candidate,
            result.max_part,
            result.sum_squares,
            result.sum_nlog2n,
        )

        def work(start: int, stop: int) -> None:
            launches = self.stats_launches(batch.chunk(start, stop))
            for launch in launches:
                launch.run()
            for column, output in zip(columns, launches[0].outputs, strict=True):
                column[start:stop] = self._cupy.asnumpy(output)

        bytes_per_guess = sum(column.itemsize for column in columns)
        self._in_chunks(batch, bytes_per_guess * self._matrix.guess_count, work)
        return result

    def best(self, batch: StateBatch, by: Criterion) -> BestGuesses:
        """Best guess of each state by criterion ``by``, and its one-ply lower bound, [B]."""
        result = BestGuesses(
            np.empty(len(batch), np.int32),
            np.empty(len(batch), np.int64),
            np.empty(len(batch), np.int64),
        )

        def work(start: int, stop: int) -> None:
            launches = self.best_launches(batch.chunk(start, stop), by)
            for launch in launches:
                launch.run()
            for launch in launches:
                # Each [slices, rows]; the tie rule is the order of (value, rank).
                value, rank, bound = (self._cupy.asnumpy(output) for output in launch.outputs)
                first = np.lexsort((rank, value), axis=0)[:1]
                rows = start + launch.rows
                result.guess[rows] = np.take_along_axis(rank, first, 0)[0] & ~NOT_CANDIDATE
                result.value[rows] = np.take_along_axis(value, first, 0)[0]
                result.lower_bound[rows] = bound.min(axis=0)

        self._in_chunks(batch, 64, work)
        return result

    def spectrum(self, state: NDArray[np.uint16], guess: int) -> NDArray[np.int64]:
        """Number of answers behind each pattern, on the host, which is faster for one column."""
        return np.bincount(self._patterns.values[state, guess], minlength=self._matrix.bins)

    def _in_chunks(
        self, batch: StateBatch, bytes_per_state: int, work: Callable[[int, int], None]
    ) -> None:
        """Call ``work(start, stop)`` over the batch, in chunks that fit with their answers."""
        bytes_per_state += batch.answers.nbytes // max(1, len(batch))
        self._matrix.in_chunks(len(batch), bytes_per_state, work)

    def stats_launches(self, batch: StateBatch) -> list[Launch]:
        """The launches that compute statistics of ``batch``; all fill the same arrays, [B, G]."""
        shape = (len(batch), self._matrix.guess_count)
        dtypes = (np.uint16, np.uint8, np.uint16, np.uint32, np.int64)
        outputs = tuple(self._cupy.empty(shape, dtype) for dtype in dtypes)
        return list(self._launches(batch, "partition_stats", (), 0, lambda *_: outputs))

    def best_launches(self, batch: StateBatch, by: Criterion) -> list[Launch]:
        """The launches that find the best guesses of ``batch``; each fills arrays of its own."""

        def outputs(slices: int, rows: int) -> tuple[Any, ...]:
            dtypes = (np.int64, np.uint32, np.int64)
            return tuple(self._cupy.empty((slices, rows), dtype) for dtype in dtypes)

        options = (f"-DCRITERION={by.name}",)
        return list(self._launches(batch, "best_guess", options, BEST_BYTES, outputs))

    def _launches(
        self,
        batch: StateBatch,
        name: str,
        options: tuple[str, ...],
        reserved_bytes: int,
        outputs: Callable[[int, int], tuple[Any, ...]],
    ) -> Iterator[Launch]:
        """Launches of kernel ``name``, one for each counting method that the batch needs.

        ``reserved_bytes`` is the kernel's shared memory besides the counters. ``outputs`` makes the
        output arrays, given the numbers of slices of the guesses and of states.
        """
        cupy, matrix = self._cupy, self._matrix
        indptr, answers = cupy.asarray(batch.indptr), cupy.asarray(batch.answers)
        for method, rows in group_by_method(batch.sizes):
            threads = PAIR_THREADS if method == "PAIRS" else COUNT_THREADS
            method, grid, shared_bytes, scratch = self._launch.counters(
                method, len(rows), matrix.guess_count, threads, reserved_bytes
            )
            filled = outputs(grid[1], len(rows))
            run = partial(
                self._launch,
                matrix.kernel(f"{name}.cu", name, method, *options),
                grid, threads, shared_bytes,
                *matrix.arguments, np.int32(matrix.guess_count), indptr, answers,
                cupy.asarray(rows), np.int32(len(rows)), self._steps, scratch, *filled,
            )  # fmt: skip
            yield Launch(method, rows, self._launch.threads(threads), filled, run)


def group_by_method(sizes: NDArray[np.int64]) -> Iterator[tuple[str, NDArray[np.int32]]]:
    """Yield each counting method that is needed, with the indices of its states, large ones first.

    The device starts blocks in order. So no large state is left alone at the end, and neighbours
    take equally long.
    """
    order = np.argsort(-sizes, kind="stable").astype(np.int32)
    which = np.searchsorted(list(METHODS.values()), sizes[order])
    for i, method in reversed(list(enumerate(METHODS))):
        rows = order[which == i]
        if len(rows):
            yield method, rows
