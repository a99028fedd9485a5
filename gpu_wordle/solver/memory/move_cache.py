"""MoveCache: the few guesses that may reach the value of a large state, shared by all threads.

Once the value of a state is known without a guess limit, a guess matters only if a lower bound on
it does not exceed that value. There are one to four in most states: the state's *shortlist*. A
limit on the guesses makes no guess cheaper. So to find the first guess that keeps the value, or to
show that none does within a limit, it is enough to look at these.

An entry is a cache line of eight words: key, value, numbers, guesses. As in table.py there are no
locks, two entries are searched together, and the words of the key are stored combined with a sum of
the others. So an entry that is torn does not match its key, and is a miss.
"""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import numpy as np

from gpu_wordle.solver.machine.linking import inlined
from gpu_wordle.solver.machine.signatures import BOOL, INT, INT32S, NOTHING, TABLE, WORD
from gpu_wordle.solver.memory.table import WAYS, slot_of
from gpu_wordle.tunables import SHORTLISTS

VALUE, NUMBERS, GUESSES = range(2, 5)
"""Words of an entry after its key. NUMBERS are the number of guesses, the most parts of any guess,
and the number of answers, of 16, 16 and 32 bits."""
GUESS_WORDS = 4
ENTRY_WORDS = GUESSES + GUESS_WORDS
MAX_SHORTLIST = 2 * GUESS_WORDS
"""The most guesses of a shortlist that is kept; there are two in a word."""

_WORD = np.uint64(0xFFFFFFFF)
_SHORT = np.uint64(0xFFFF)
_SIXTEEN = np.uint64(16)
_HALF = np.uint64(32)
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


class MoveCache:
    """MoveCache of the states of one game; see the module.

    Attributes:
        entries: uint64[E, 8], E a power of two, rows aligned to cache lines; zero where empty.
    """

    def __init__(self, count: int = SHORTLISTS) -> None:
        """No shortlists yet, and room for ``count``, a power of two, two or more."""
        raw = np.zeros((count + 1) * ENTRY_WORDS, dtype=np.uint64)
        skip = -(raw.ctypes.data // 8) % ENTRY_WORDS
        self.entries = raw[skip : skip + count * ENTRY_WORDS].reshape(count, ENTRY_WORDS)

    @classmethod
    def none(cls) -> MoveCache:
        """The smallest cache, for searches that share no shortlists."""
        return cls(WAYS)

    def clear(self) -> None:
        """Forget everything."""
        self.entries[:] = 0


@inlined(WORD(WORD, WORD))
def _summed(total, word):
    """A sum of words with one word more; it depends on their order."""
    total = (total ^ word) * _GOLDEN
    return total ^ (total >> _HALF)


@inlined(INT(TABLE, WORD, WORD, INT, INT32S))
def read_shortlist(move_cache, key_0, key_1, cutoff, columns):
    """Read the guesses of a state that may cost less than the cutoff into ``columns``.

    Returns their number, and in the bits from 32 on the most parts that any guess makes. Returns -1
    if the state has no shortlist, or if the cutoff is more than one above the value.
    """
    slot = slot_of(move_cache, key_0)
    for way in range(WAYS):
        value = move_cache[slot + way, VALUE]
        numbers = move_cache[slot + way, NUMBERS]
        total = _summed(_summed(np.uint64(0), value), numbers)
        for c in range(GUESS_WORDS):
            word = move_cache[slot + way, GUESSES + c]
            total = _summed(total, word)
            columns[2 * c] = np.int32(word & _WORD)
            columns[2 * c + 1] = np.int32(word >> _HALF)
        if (
            numbers != 0
            # Above the value, guesses that are not in the shortlist may be below the cutoff.
            and cutoff <= np.int64(value) + 1
            and move_cache[slot + way, 0] ^ total == key_0
            and move_cache[slot + way, 1] ^ total == key_1
        ):
            most_parts = (numbers >> _SIXTEEN) & _SHORT
            return np.int64((most_parts << _HALF) | (numbers & _SHORT))
    return np.int64(-1)


@inlined(WORD(INT32S, INT))
def _two_of(columns, c):
    """The word of two columns from column ``2 * c`` on, zero beyond the last."""
    low = columns[2 * c] if 2 * c < columns.size else 0
    high = columns[2 * c + 1] if 2 * c + 1 < columns.size else 0
    return np.uint64(low) | (np.uint64(high) << _HALF)


@inlined(BOOL(TABLE, INT, INT))
def _is_larger(move_cache, one, other):
    """True if an entry is of more answers than another."""
    return move_cache[one, NUMBERS] >> _HALF > move_cache[other, NUMBERS] >> _HALF


@inlined(NOTHING(TABLE, WORD, WORD, INT, INT, INT, INT32S))
def write_shortlist(move_cache, key_0, key_1, size, value, most_parts, columns):
    """Enter the shortlist of a state of ``size`` answers and of this value.

    A full line gives up its smaller state, whose guesses take less time to list again. Nothing is
    entered if there are more than MAX_SHORTLIST ``columns``.
    """
    number = columns.size
    if number > MAX_SHORTLIST:
        return
    chosen = slot_of(move_cache, key_0)
    if _is_larger(move_cache, chosen, chosen + 1):
        chosen += 1
    numbers = np.uint64(number) | (np.uint64(most_parts) << _SIXTEEN)
    numbers |= np.uint64(size) << _HALF
    total = _summed(_summed(np.uint64(0), np.uint64(value)), numbers)
    for c in range(GUESS_WORDS):  # not read back: another thread may write here, too
        total = _summed(total, _two_of(columns, c))
    words = move_cache[chosen]
    words[VALUE] = np.uint64(value)
    words[NUMBERS] = numbers
    for c in range(GUESS_WORDS):
        words[GUESSES + c] = _two_of(columns, c)
    words[0] = key_0 ^ total
    words[1] = key_1 ^ total
