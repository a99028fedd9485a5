"""Measuring partitions: one pass over a state, from which all statistics of its guesses add up.

A block of guesses is shown one answer after another. For each guess, ``earlier`` counts the answers
before with the same pattern. An answer with none begins a part; an answer with c makes a part grow
from c to c + 1. So parts, squares of their sizes, the largest one, entropies, weights and hashes
are sums over the answers. A caller's function says what an answer adds.

Rows of few answers are compared in pairs, many guesses to a SIMD vector. That takes n^2 / 2 steps.
So larger states count in a table of patterns, which takes one memory access for each answer and
guess.
"""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.jit.cache import callee
from gpu_wordle.tunables import HISTOGRAM_BYTES, PAIR_BLOCK, TABLE_BLOCK

ALL = np.empty(0, np.int32)
"""Block.guesses of a block whose guesses are neighbours."""

_LABEL_AT = np.uint32(16)
_COUNT = np.uint32(0xFFFF)


class Block(NamedTuple):
    """Some guesses on a state.

    Attributes:
        patterns: [..., G], rows of patterns, a column for each guess.
        rows: the rows of the answers of the state.
        guesses: int32[...], the columns that count; ALL for all.
        start: the first of them.
        width: number of guesses.
    """

    patterns: NDArray[Any]
    rows: NDArray[Any]
    guesses: NDArray[np.int32]
    start: int
    width: int


class Room(NamedTuple):
    """Scratch for blocks of a state of n answers.

    Attributes:
        cells: patterns[n, B], or [1, B] where a table counts.
        few: uint8[2, B], for pairs: earlier answers of the same pattern, and the first of them.
        many: uint16[2, B], for a table: earlier answers of the same pattern, and the first of them.
        table: [B, bins], by pattern the answers so far in the low 16 bits, and the first of them
            above if words are wide enough. Zero between blocks.
        width: B, the most guesses of a block.
        tells_first: whether first answers are told.
    """

    cells: NDArray[Any]
    few: NDArray[np.uint8]
    many: NDArray[np.uint16]
    table: NDArray[Any]
    width: int
    tells_first: bool


@callee
def make_room(patterns, bins, n, most_paired, word):
    """Room for n answers, compared in pairs up to ``most_paired``, 255 at most.

    ``word`` is np.uint32 where first answers are wanted, otherwise np.uint16.
    """
    is_paired = n <= most_paired
    width = PAIR_BLOCK if is_paired else max(8, min(TABLE_BLOCK, HISTOGRAM_BYTES // (2 * bins)))
    table = np.zeros((1 if is_paired else width, bins), word)
    return Room(
        np.zeros((n if is_paired else 1, width), patterns.dtype),
        np.empty((2, width), np.uint8),
        np.empty((2, width), np.uint16),
        table,
        width,
        table.itemsize == 4,
    )


@callee
def _copy_cells(block, i, cells):
    """Copy the patterns of a block on answer i of the state."""
    stop = block.start + block.width
    if block.guesses.size == 0:
        # A slice, since numba checks for each guess whether an index that is a sum is negative.
        row = block.patterns[block.rows[i], block.start : stop]
        for k in range(row.size):
            cells[k] = row[k]
    else:
        whole = block.patterns[block.rows[i]]
        chosen = block.guesses[block.start : stop]
        for k in range(chosen.size):
            cells[k] = whole[chosen[k]]


def measuring(add: Any) -> Any:
    """Decorator: compile a loop of ``add(sums, i, cells, earlier, first)`` over answers i.

    For each guess of the block, ``cells`` holds the pattern of answer i. ``earlier`` counts the
    answers before i with that pattern, and ``first`` is the first of them, if the room tells it.
    Machine code calls the result as ``measure(block, room, sums)``.
    """
    add_one = callee(add)

    def compiled(function: Any) -> Any:
        # Compiled code of several processes may meet: other sums need another name in it.
        function.__qualname__ = f"{function.__name__}_{add.__name__}"
        return callee(function)

    @compiled
    def measure_pairs(block, room, sums):
        earlier, first = room.few[0], room.few[1]
        for i in range(block.rows.size):
            cells = room.cells[i]
            _copy_cells(block, i, cells)
            earlier[:] = 0
            first[:] = i
            for j in range(i):
                other = room.cells[j]
                if room.tells_first:
                    label = np.uint8(j)
                    for k in range(PAIR_BLOCK):
                        # Arithmetic, since with a branch LLVM would use no vectors.
                        is_same = np.uint8(cells[k] == other[k])
                        is_first = np.uint8(is_same & np.uint8(earlier[k] == 0))
                        first[k] += np.uint8(is_first * np.uint8(label - first[k]))
                        earlier[k] += is_same
                else:
                    for k in range(PAIR_BLOCK):
                        earlier[k] += np.uint8(cells[k] == other[k])
            add_one(sums, i, cells, earlier, first)

    @compiled
    def measure_by_table(block, room, sums):
        earlier, first, table, cells = room.many[0], room.many[1], room.table, room.cells[0]
        for i in range(block.rows.size):
            _copy_cells(block, i, cells)
            new = table.dtype.type(np.uint32(i) << _LABEL_AT)
            for k in range(block.width):
                entry = table[k, cells[k]]
                if entry == 0:
                    entry = new
                table[k, cells[k]] = entry + table.dtype.type(1)
                earlier[k] = entry & _COUNT
                first[k] = np.uint32(entry) >> _LABEL_AT
            add_one(sums, i, cells, earlier, first)
        table[: block.width] = 0

    @compiled
    def measure(block, room, sums):
        if len(room.table) == 1:
            measure_pairs(block, room, sums)
        else:
            measure_by_table(block, room, sums)

    return measure


@callee
def add_marked(block, flags, parts):
    """Add parts by a flag for each pattern, which is faster than a table on large states.

    ``flags``, uint8[width, bins], are set for the patterns that occur. All guesses count.
    """
    bins = np.uint64(flags.shape[1])
    flat = flags.reshape(-1)[: block.width * flags.shape[1]]
    flat[:] = 0
    for answer in block.rows:
        row = block.patterns[answer, block.start : block.start + block.width]
        base = np.uint64(0)
        for k in range(block.width):
            flat[base + np.uint64(row[k])] = np.uint8(1)
            base += bins
    for k in range(block.width):
        seen = np.uint16(0)
        for flag in flags[k]:
            seen += np.uint16(flag)
        parts[k] += seen


@callee
def sort_ascending(numbers, most, order):
    """Write indices of whole numbers from 0 to ``most``, ascending and stable, into ``order``.

    Returns int64[most + 2]: where the indices of each number end. numpy's sorts take a second to
    compile.
    """
    ends = np.zeros(most + 2, np.int64)
    for number in numbers:
        ends[number + 1] += 1
    for number in range(most + 1):
        ends[number + 1] += ends[number]
    for j in range(numbers.size):
        order[ends[numbers[j]]] = j
        ends[numbers[j]] += 1
    return ends
