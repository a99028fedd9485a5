"""TranspositionTable: bounds and values of states, in fixed memory, shared by all threads.

An entry of 32 bytes holds an interval of values of 48 bits, the height of the tree that reaches its
upper end where both ends meet, and marks. Two entries share a cache line and are searched together.
States are known by 128-bit Zobrist keys: random numbers of the answers combined by exclusive or.

There are no locks. Each of the two key words is stored combined with both data words. So an entry
that two threads wrote at once does not match the key it is looked up by: a torn write is a miss and
not a lie. Source: Hyatt and Mann, "A lock-less transposition table", ICGA Journal 25, 2002.
"""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import numpy as np
from numba import types

from gpu_wordle.backends.cpu.threads import free_bytes
from gpu_wordle.game.game import Game
from gpu_wordle.game.values import INFEASIBLE
from gpu_wordle.solver.machine.linking import inlined
from gpu_wordle.solver.machine.signatures import INT, NOTHING, TABLE, WORD
from gpu_wordle.tunables import MAX_TABLE_BYTES, TABLE_BYTES_PER_CASE, TABLE_SHARE

ENTRY_BYTES = 32
WAYS = 2  # entries in a cache line
MIN_ENTRIES = 16
COUNTED = 1
"""Mark: ``lower`` is at least the one-ply bound, so there is no need to count parts again."""

_WORD = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)
_SHORT = np.uint64(0xFFFF)
_FORTY_EIGHT = np.uint64(48)
_TURN = np.uint64(23)
_BACK = np.uint64(41)
_BYTE = np.uint64(0xFF)
_EIGHT = np.uint64(8)
_SIXTEEN = np.uint64(16)
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


def default_table_bytes(game: Game | None = None, most: int = MAX_TABLE_BYTES) -> int:
    """An eighth of the free memory, at most 1 GiB or ``most``, and no more than a game may fill.

    Memory is slow when it is touched for the first time. So small games get a small table, as do
    games with few kinds of guesses.
    """
    size = min(most, free_bytes() // TABLE_SHARE)
    if game is not None:
        kinds = len(np.unique(game.symmetry.orbits))
        size = min(size, TABLE_BYTES_PER_CASE * game.answer_count**2 * kinds)
    return max(MIN_ENTRIES * ENTRY_BYTES, size)


class TranspositionTable:
    """Bounds and values of the states of one game; see the module.

    Attributes:
        entries: uint64[E, 4], E a power of two, at least 16, rows aligned to cache lines.
    """

    def __init__(self, size_bytes: int | None = None) -> None:
        """An empty table within ``size_bytes``; by default see default_table_bytes."""
        size_bytes = default_table_bytes() if size_bytes is None else size_bytes
        count = MIN_ENTRIES
        while 2 * count * ENTRY_BYTES <= size_bytes:
            count *= 2
        raw = np.zeros(count * 4 + 8, dtype=np.uint64)
        skip = -(raw.ctypes.data // 8) % 8
        self.entries = raw[skip : skip + count * 4].reshape(count, 4)

    def __len__(self) -> int:
        """Number of entries that the table has room for."""
        return len(self.entries)

    def clear(self) -> None:
        """Forget everything."""
        self.entries[:] = 0


@inlined(WORD(WORD, INT))
def limited_key(key, left):
    """First key word of a state with ``left`` guesses left, or of whatever else sets it apart."""
    return key ^ (np.uint64(left + 1) * _GOLDEN)


@inlined(INT(TABLE, WORD))
def slot_of(table, key):
    """Row of the first of the entries that may hold ``key``."""
    return np.int64(key & np.uint64(table.shape[0] - 1)) & ~(WAYS - 1)


@inlined(WORD(WORD))
def _turned(word):
    # Without the turn, equal changes of both data words would cancel out in a key.
    return (word << _TURN) | (word >> _BACK)


@inlined(types.UniTuple(INT, 4)(TABLE, WORD, WORD))
def probe(table, key_0, key_1):
    """``(lower, upper, height, marks)`` of a state; ``(0, INFEASIBLE, 0, 0)`` if unknown.

    ``height`` is that of a tree whose total is ``upper`` where ``lower == upper``, else 0.
    """
    slot = slot_of(table, key_0)
    for way in range(WAYS):
        data = table[slot + way, 2]
        more = table[slot + way, 3]
        # An entry in use holds a size in ``more``, so zero there means that it is empty.
        if (
            table[slot + way, 0] ^ data ^ _turned(more) == key_0
            and table[slot + way, 1] ^ more ^ _turned(data) == key_1
            and more != 0
        ):
            lower = np.int64((data & _WORD) | ((more >> _HALF & _SHORT) << _HALF))
            upper = np.int64((data >> _HALF) | ((more >> _FORTY_EIGHT) << _HALF))
            height = np.int64(more & _BYTE)
            marks = np.int64((more >> _EIGHT) & _BYTE)
            return lower, upper, height, marks
    return np.int64(0), np.int64(INFEASIBLE), np.int64(0), np.int64(0)


@inlined(NOTHING(TABLE, WORD, WORD, INT, INT, INT, INT, INT))
def record(table, key_0, key_1, size, lower, upper, height, marks):
    """Enter the interval of a state of ``size`` answers; it replaces the state's older entry.

    A full line gives up its smaller state, which is cheaper to solve again.
    """
    slot = slot_of(table, key_0)
    chosen = slot
    least = np.int64(1 << 30)
    for way in range(WAYS):
        data = table[slot + way, 2]
        more = table[slot + way, 3]
        if (
            table[slot + way, 0] ^ data ^ _turned(more) == key_0
            and table[slot + way, 1] ^ more ^ _turned(data) == key_1
        ):
            chosen = slot + way
            break
        held = np.int64((more >> _SIXTEEN) & _SHORT)
        if held < least:
            least = held
            chosen = slot + way
    low = np.uint64(lower)
    high = np.uint64(upper)
    data = (low & _WORD) | (high << _HALF)
    more = np.uint64(height) | (np.uint64(marks) << _EIGHT) | (np.uint64(size) << _SIXTEEN)
    more |= ((low >> _HALF) << _HALF) | ((high >> _HALF) << _FORTY_EIGHT)
    table[chosen, 0] = key_0 ^ data ^ _turned(more)
    table[chosen, 1] = key_1 ^ more ^ _turned(data)
    table[chosen, 2] = data
    table[chosen, 3] = more
