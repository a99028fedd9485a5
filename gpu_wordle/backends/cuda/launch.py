"""Launches of kernels: blocks, their shared memory, and memory for what does not fit there."""

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
        block_threads: threads of every block, if that is given; else each kernel has its own.
    """

    def __init__(self, matrix: DeviceMatrix, block_threads: int | None = None) -> None:
        self.matrix = matrix
        self.block_threads = block_threads

    def threads(self, usual: int) -> int:
        """Threads of a block of a kernel that usually has so many."""
        return self.block_threads or usual

    def bit_words(self) -> int:
        """Words of the bits of a block that counts, see reach.cuh."""
        lanes = 32 // self.matrix.pattern_bits
        return -(-self.matrix.bins // 32) * lanes * self.threads(FRONTIER_THREADS)

    def slab(
        self, method: str, count: int, own_bytes: int, words: int
    ) -> tuple[str, int, int, Any]:
        """Method, blocks, shared bytes and scratch memory where each block needs so many words.

        They lie in shared memory, behind its ``own_bytes``, if they fit.
        """
        matrix = self.matrix
        blocks = min(count, matrix.most_blocks)
        shared_bytes = own_bytes + WORD_BYTES * words
        if shared_bytes <= matrix.most_shared_bytes:
            return method, blocks, shared_bytes, np.intp(0)
        blocks = min(blocks, matrix.scratch_blocks(WORD_BYTES * words))
        return "SEEN_GLOBAL", blocks, own_bytes, matrix.cupy.empty(blocks * words, np.uint32)

    def require_shared(self, shared_bytes: int, answers: int) -> None:
        """JobError if a block may not have so many bytes, as a state of so many answers takes."""
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
        """Launch a kernel."""
        enqueue(kernel, grid, self.threads(usual_threads), shared_bytes, arguments)


def enqueue(
    kernel: Any, grid: tuple[int, int], threads: int, shared_bytes: int, arguments: tuple[Any, ...]
) -> None:
    """Enqueue a launch on the current stream.

    All kernels prefer the whole carve-out: those whose carve-outs differ wait for each other where
    they could share a multiprocessor.
    """
    with _ENQUEUING:  # what a kernel may have of shared memory holds for all threads that launch it
        kernel.preferred_shared_memory_carveout = 100  # percent
        kernel.max_dynamic_shared_size_bytes = shared_bytes
        kernel(grid, (threads,), arguments, shared_mem=shared_bytes)


def address_of(array: Any) -> int:
    """Where a device array lies."""
    return int(array.data.ptr)
