"""Launches kernels: sizes of blocks and shared memory, and scratch memory if that is too small."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np

from gpu_wordle.backends.cuda.device import WORD_BYTES, DeviceMatrix
from gpu_wordle.errors import JobError
from gpu_wordle.tunables import FRONTIER_THREADS

COUNTER_BYTES = {
    "PAIRS": (0, 0),
    "COUNTS8": (1, 2),
    "COUNTS16": (2, 2),
    "LABELS16": (2, 4),
    "LABELS32": (4, 4),
}
"""Bytes of a pattern's counter or label by method: in shared memory, and in scratch memory."""

_ENQUEUING = threading.Lock()


class Launcher:
    """Launches kernels over a game's matrix.

    Attributes:
        matrix: the patterns.
        block_threads: threads of every block; None for each kernel's own number.
    """

    def __init__(self, matrix: DeviceMatrix, block_threads: int | None = None) -> None:
        self.matrix = matrix
        self.block_threads = block_threads

    def threads(self, usual: int) -> int:
        """Threads of a block: ``block_threads`` if given, else ``usual``."""
        return self.block_threads or usual

    def counters(
        self,
        method: str,
        states: int,
        guesses: int,
        usual_threads: int,
        own_bytes: int = 0,
        least_slices: int = 1,
    ) -> tuple[str, tuple[int, int], int, Any]:
        """Method, grid, shared bytes and scratch memory of a kernel with counters of patterns.

        The counters of a block lie in shared memory, beside ``own_bytes``, if they fit; else in
        scratch memory, and the method becomes its global form, such as COUNTS_GLOBAL. The grid has
        states by slices of their guesses, ``least_slices`` where there are so many words.
        """
        matrix, threads = self.matrix, self.threads(usual_threads)
        lanes = 32 // matrix.pattern_bits
        in_shared, in_scratch = (
            matrix.bins * max(WORD_BYTES, lanes * each) * threads if each else 0
            for each in COUNTER_BYTES[method]
        )
        wanted = max(least_slices, -(-matrix.most_blocks // states))
        slices = min(wanted, -(-guesses // (lanes * threads)))
        if own_bytes + in_shared <= matrix.most_shared_bytes:
            return method, (states, slices), own_bytes + in_shared, np.intp(0)
        most = matrix.scratch_blocks(in_scratch)
        blocks = min(states, most)
        slices = max(1, min(slices, most // blocks))
        scratch = matrix.cupy.empty(blocks * slices * in_scratch // WORD_BYTES, np.uint32)
        return f"{method.rstrip('0123456789')}_GLOBAL", (blocks, slices), own_bytes, scratch

    def bit_words(self) -> int:
        """32-bit words of the seen bits of a block, as laid out in reach.cuh."""
        lanes = 32 // self.matrix.pattern_bits
        return -(-self.matrix.bins // 32) * lanes * self.threads(FRONTIER_THREADS)

    def slab(
        self, method: str, count: int, own_bytes: int, words: int
    ) -> tuple[str, int, int, Any]:
        """Method, blocks, shared bytes and scratch memory for blocks that need ``words`` each.

        The 32-bit words lie in shared memory, behind ``own_bytes``, if they fit; else in scratch
        memory, and the method becomes SEEN_GLOBAL.
        """
        matrix = self.matrix
        blocks = min(count, matrix.most_blocks)
        shared_bytes = own_bytes + WORD_BYTES * words
        if shared_bytes <= matrix.most_shared_bytes:
            return method, blocks, shared_bytes, np.intp(0)
        blocks = min(blocks, matrix.scratch_blocks(WORD_BYTES * words))
        return "SEEN_GLOBAL", blocks, own_bytes, matrix.cupy.empty(blocks * words, np.uint32)

    def require_shared(self, shared_bytes: int, answers: int) -> None:
        """Raise JobError if a state of ``answers`` answers needs more shared memory than exists."""
        if shared_bytes > self.matrix.most_shared_bytes:
            raise JobError(
                f"a state of {answers:,} answers is too large for the device; use --backend cpu"
            )

    def __call__(
        self,
        kernel: Any,
        grid: tuple[int, int],
        usual_threads: int,
        shared_bytes: int,
        *arguments: Any,
    ) -> None:
        """Enqueue a kernel on the current stream; ``usual_threads`` unless a number is forced.

        All kernels ask for the largest shared-memory carve-out. Kernels with different carve-outs
        cannot run on one multiprocessor at the same time.
        """
        threads = self.threads(usual_threads)
        with _ENQUEUING:  # the limit of shared memory belongs to the kernel, not to a launch
            kernel.preferred_shared_memory_carveout = 100  # percent
            kernel.max_dynamic_shared_size_bytes = shared_bytes
            kernel(grid, (threads,), arguments, shared_mem=shared_bytes)


def address_of(array: Any) -> int:
    """Device address of an array."""
    return int(array.data.ptr)
