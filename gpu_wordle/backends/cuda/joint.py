"""Joint parts on a CUDA device: the kernel joint.cu."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.backends.cuda.device import DeviceMatrix
from gpu_wordle.backends.cuda.launch import Launcher
from gpu_wordle.game.game import Game
from gpu_wordle.game.patterns import PatternMatrix
from gpu_wordle.states.joint import Labels, by_parts
from gpu_wordle.states.partition import entropy_table
from gpu_wordle.tunables import COUNT_THREADS

MAX_COUNTED8 = 255  # largest part that COUNTS8, with its 8-bit counters, can count


class CudaJointCounter:
    """JointCounter over the kernel joint.cu."""

    def __init__(
        self, cupy: Any, game: Game, guesses: NDArray[np.int32], block_threads: int | None
    ) -> None:
        self.guesses = guesses
        chosen = PatternMatrix(game.patterns.values[:, guesses], game.patterns.feedback)
        self._matrix = DeviceMatrix(cupy, chosen)
        self._launch = Launcher(self._matrix, block_threads)
        self._steps = cupy.asarray(np.diff(entropy_table(game.answer_count)))

    def parts(self, partitions: Labels, first: int = 0) -> NDArray[np.int64]:
        """Number of joint parts for the guesses from column ``first`` on, int64[W, C - first]."""
        return self._count(partitions, first, is_entropy=False)

    def entropy(self, partitions: Labels, first: int = 0) -> NDArray[np.int64]:
        """Sum of n * log2(n) over the sizes n of the joint parts, int64[W, C - first]."""
        return self._count(partitions, first, is_entropy=True)

    def _count(self, partitions: Labels, first: int, *, is_entropy: bool) -> NDArray[np.int64]:
        """Parts or entropy, int64[W, C - first], in chunks of partitions that fit into memory."""
        matrix = self._matrix
        lanes = 32 // matrix.pattern_bits
        skipped = first % lanes  # the kernel begins with a whole word
        count = len(self.guesses) - first + skipped
        result = np.empty((len(partitions), count), np.int64)
        answers, ends = by_parts(partitions)
        largest = int(np.diff(ends, axis=1, prepend=np.uint16(0)).max(initial=0))

        def work(start: int, stop: int) -> None:
            rows = slice(start, stop)
            result[rows] = self._launched(
                answers[rows], ends[rows], largest, first // lanes, count, is_entropy=is_entropy
            )

        bytes_each = result.itemsize * count + answers.itemsize * (answers.shape[1] + ends.shape[1])
        matrix.in_chunks(len(partitions), bytes_each, work)
        return result[:, skipped:]

    def _launched(
        self,
        answers: NDArray[np.uint16],
        ends: NDArray[np.uint16],
        largest: int,
        first_word: int,
        count: int,
        *,
        is_entropy: bool,
    ) -> Any:
        """Launch joint.cu for some partitions and the guesses from a matrix word on, [W, count].

        There are at most as many parts as answers, MAX_ANSWERS, so that parts fit 16 bits.
        """
        matrix = self._matrix
        cupy = matrix.cupy
        method, grid, shared_bytes, scratch = self._launch.counters(
            "COUNTS8" if largest <= MAX_COUNTED8 else "COUNTS16", len(answers), count, COUNT_THREADS
        )
        result = cupy.empty((len(answers), count), np.int64 if is_entropy else np.uint16)
        self._launch(
            matrix.kernel("joint.cu", "joint", method, f"-DENTROPY={int(is_entropy)}"),
            grid, COUNT_THREADS, shared_bytes,
            *matrix.arguments, np.uint32(first_word), np.int32(count),
            cupy.asarray(answers), cupy.asarray(ends), np.int32(len(answers)),
            np.int32(answers.shape[1]), np.int32(ends.shape[1]), self._steps, scratch, result,
        )  # fmt: skip
        return matrix.fetched(result)[0]
