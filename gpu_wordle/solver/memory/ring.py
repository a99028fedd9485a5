"""A ring of memory for lists of words, each found by a name of 128 bits.

Lists lie one after the other, where the newest overwrite the oldest. What a word holds is the
matter of those who write it.
"""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import numpy as np

from gpu_wordle.jit.cache import callee
from gpu_wordle.solver.memory.arenas import Arrays
from gpu_wordle.tunables import MAX_REMEMBERED


def ring_of_lists(words: int) -> Arrays:
    """The arrays of a ring of that many words."""
    return {
        # uint64[MAX_REMEMBERED, 2], names of the lists.
        "list_names": np.zeros((MAX_REMEMBERED, 2), np.uint64),
        # int64[MAX_REMEMBERED], where they begin, counted from the first word ever.
        "list_begins": np.zeros(MAX_REMEMBERED, np.int64),
        # uint64[words], the lists.
        "list_words": np.zeros(words, np.uint64),
        # int64[1], words of lists so far.
        "list_end": np.zeros(1, np.int64),
    }


@callee
def place_of_list(w, name):
    """Where the list of a name begins in ``w.list_words``; -1 if it is not there."""
    slot = np.int64(name[0] & np.uint64(w.list_names.shape[0] - 1))
    size = w.list_words.size
    begin = w.list_begins[slot]
    # Beginnings count all words ever, so they tell when the ring has gone round a list.
    is_there = w.list_names[slot, 0] == name[0] and w.list_names[slot, 1] == name[1]
    if not is_there or w.list_end[0] > begin + size:
        return np.int64(-1)
    return np.int64(begin % size)


@callee
def place_for_list(w, name, words):
    """Where a new list of a name begins in ``w.list_words``; -1 if it is longer than the ring."""
    size = w.list_words.size
    if words > size:
        return np.int64(-1)
    begin = w.list_end[0]
    # A list lies in one piece, so what is left at the end of the ring is skipped.
    if begin % size + words > size:
        begin += size - begin % size
    w.list_end[0] = begin + words
    slot = np.int64(name[0] & np.uint64(w.list_names.shape[0] - 1))
    w.list_names[slot, 0] = name[0]
    w.list_names[slot, 1] = name[1]
    w.list_begins[slot] = begin
    return np.int64(begin % size)
