"""What the kernels move and issue on a batch, counted from their source, for kernels.py.

The counts leave out addresses, loops and whatever else is not named. They are the least that a
kernel does. So a share of a limit computed from them is never too high.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.game.game import Game

# Instructions of arithmetic of a look-up of best_guess by LOWER_BOUND, integer and multiplications,
# counted in the machine code for sm_90 by instructions.py: the main loop (for PAIRS at n = 16).
# Setting touched counters back takes at least two more, a lane and an address, as the source has
# it; the store counts as shared memory.
INTEGER_INSTRUCTIONS = {"PAIRS": 10.6, "COUNTS8": 5.6, "COUNTS16": 6.1}
CLEARING_INSTRUCTIONS = 2
STATS_BYTES = 17  # written by partition_stats for a guess and a state
COUNTER_BYTES = {"COUNTS8": 1, "COUNTS16": 2, "LABELS16": 2, "LABELS32": 4}
WORD_BYTES = 4


@dataclass
class Work:
    """Look-ups and their load on each unit, in the units of the limits; 0 is not counted.

    Attributes:
        lookups: look-ups of the pattern of a guess and an answer.
        memory: bytes to and from device memory.
        cache: bytes from the second-level cache.
        shared: accesses of a thread to shared memory.
        integer: instructions of a thread for the integer units.
    """

    lookups: int = 0
    memory: float = 0
    cache: float = 0
    shared: float = 0
    integer: float = 0

    def __add__(self, other: Work) -> Work:
        return Work(*(getattr(self, name) + getattr(other, name) for name in vars(self)))

    def amounts(self) -> dict[str, float]:
        """Return the counts, by the names of the limits."""
        named = {name: amount for name, amount in vars(self).items() if name != "lookups"}
        return {name: amount for name, amount in named.items() if amount > 0}


def work_of(
    method: str, sizes: NDArray[np.int64], game: Game, *, is_lower_bound: bool = False
) -> Work:
    """Return the work of counting parts of states under all guesses by a method of tally.cuh."""
    values = game.patterns.values
    bins, lanes = game.patterns.pattern_count, WORD_BYTES // values.itemsize
    guesses = game.guess_count
    n = sizes.astype(np.float64)
    passes, accesses = np.ones_like(n), np.zeros_like(n)  # a guess and state
    integer = np.zeros_like(n)
    if method in COUNTER_BYTES:
        words_per_bin = max(1, lanes * COUNTER_BYTES[method] // WORD_BYTES)
        is_touched = n * lanes < bins * words_per_bin  # otherwise all counters are cleared
        passes += is_touched
        accesses = 2 * n + np.where(is_touched, n, bins * words_per_bin / lanes)
        integer = CLEARING_INSTRUCTIONS * n * is_touched
    elif method == "SEEN":
        accesses = 2 * n + 2 * -(-bins // 32)
    if is_lower_bound:
        integer += INTEGER_INSTRUCTIONS[method] * n
    return Work(
        lookups=int(sizes.sum()) * guesses,
        cache=float((passes * n).sum()) * guesses * values.itemsize,
        shared=float(accesses.sum()) * guesses,
        integer=float(integer.sum()) * guesses if is_lower_bound else 0,
    )


def stats_bytes(sizes: NDArray[np.int64], game: Game) -> float:
    """Return the bytes that partition_stats writes."""
    return float(STATS_BYTES * len(sizes) * game.guess_count)


def split_work(sizes: NDArray[np.int64]) -> Work:
    """Return the work of split.cu on pairs: 2.5 n^2 comparisons, each one shared-memory access."""
    n = sizes.astype(np.float64)
    return Work(lookups=int(sizes.sum()), shared=float((2.5 * n * n).sum()))


def copy_work(sizes: NDArray[np.int64], kept: NDArray[np.int64]) -> Work:
    """Return the work of copy_columns: a byte read, scattered, and one written."""
    cells = float((sizes * kept).sum())
    return Work(cache=cells, memory=cells)
