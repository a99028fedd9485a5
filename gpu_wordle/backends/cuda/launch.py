"""Launches kernels: sizes of blocks and shared memory, and scratch memory if that is too small."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np

from gpu_wordle.backends.cuda.device import WORD_BYTES, DeviceMatrix
from gpu_wordle.errors import JobError
from gpu_wordle.tunables import FRONTIER_THREADS

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
        """Enqueue a kernel on the current stream; ``usual_threads`` unless a number is forced."""
        enqueue(kernel, grid, self.threads(usual_threads), shared_bytes, arguments)


def enqueue(
    kernel: Any, grid: tuple[int, int], threads: int, shared_bytes: int, arguments: tuple[Any, ...]
) -> None:
    """Enqueue a kernel launch on the current stream.

    All kernels ask for the largest shared-memory carve-out. Kernels with different carve-outs
    cannot run on one multiprocessor at the same time.
    """
    with _ENQUEUING:  # the limit of shared memory belongs to the kernel, not to a thread's launch
        kernel.preferred_shared_memory_carveout = 100  # percent
        kernel.max_dynamic_shared_size_bytes = shared_bytes
        kernel(grid, (threads,), arguments, shared_mem=shared_bytes)


def address_of(array: Any) -> int:
    """Device address of an array."""
    return int(array.data.ptr)
