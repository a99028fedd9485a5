"""Guesses that another guess makes superfluous, found by their letters, on large states.

The feedback to a guess tells which of its letters are in their places, and for each letter the
lesser of its numbers of copies in guess and answer. So a guess asks a set of questions: "is letter
x at place i?" for each of its places, and "has the answer t copies of x or more?" for each copy. A
question is dead if all answers of the state say yes to it, or none. A guess whose live questions
are among those of another guess splits the state no finer, now and in any state below. If it is no
candidate, it need not be tried. On large states about half of all guesses fall.

This is the one module of the solver that knows that guesses are words.
"""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import numpy as np

from gpu_wordle.solver.machine.bitslice import lowest_bit
from gpu_wordle.solver.machine.linking import inlined, linked
from gpu_wordle.solver.machine.signatures import INT, NOTHING, WORD
from gpu_wordle.solver.memory.workspace import WORKSPACE
from gpu_wordle.tunables import FILTER_BITS, MAX_DOMINATED_LETTERS

_SIX = np.uint64(6)
_LOW_SIX = np.uint64(63)
_ONE = np.uint64(1)
_FILTER_SHIFT = np.uint64(64 - FILTER_BITS)


@inlined(NOTHING(WORKSPACE, INT, INT))
def find_live(w, at, n):
    """Set ``w.live[question]`` to the question's random number, or to 0 if it is dead.

    Question ``letter * 2L + i`` asks for the letter at place i. Question ``letter * 2L + L + t``
    asks for more than t copies of it. ``w.live_first[letter * 2L + i]`` gets the sum of what a
    letter at place i asks if it is the first of its kind.
    """
    length = w.answer_letters.shape[1]
    yes = w.question_count
    for q in range(yes.size):
        yes[q] = 0
    for i in range(n):
        letters = w.answer_letters[w.answers[at + i]]
        for p in range(length):
            copies = 0
            for q in range(p):
                copies += letters[q] == letters[p]
            question = np.int64(letters[p]) * 2 * length
            yes[question + p] += 1
            yes[question + length + copies] += 1
    for q in range(yes.size):
        # A question to which all answers say the same splits neither the state nor a part of it.
        w.live[q] = w.question_random[q] if 0 < yes[q] < n else np.uint64(0)
    for question in range(0, yes.size, 2 * length):
        for p in range(length):
            w.live_first[question + p] = w.live[question + p] + w.live[question + length]


@inlined(INT(WORKSPACE, INT))
def subset_hashes(w, guess):
    """Hash the live questions of each subset of a guess's live letters, into ``w.subset_hash``.

    Returns the number of subsets; the empty one is the first, and the last is the whole guess.
    """
    length = w.guess_letters.shape[1]
    letters = w.guess_letters[guess]
    hashes = w.subset_hash
    hashes[0] = 0
    masks = 1
    # Hashes are sums, so each subset costs one addition to a smaller subset.
    if not w.repeats[guess]:
        for p in range(length):
            more = w.live_first[np.int64(letters[p]) * 2 * length + p]
            if more != 0:
                for mask in range(masks):
                    hashes[masks + mask] = hashes[mask] + more
                masks *= 2
        return masks
    for p in range(length):
        question = np.int64(letters[p]) * 2 * length
        in_place = w.live[question + p]
        copy_live = in_place
        for c in range(length):
            copy_live |= w.live[question + length + c]
        w.letter_is_live[p] = copy_live != 0
        if copy_live == 0:
            continue
        # What a repeated letter asks depends on how many of its kind are in the subset before it.
        same = 0  # which of the live letters before are the same
        live = 0
        for q in range(p):
            if w.letter_is_live[q]:
                same |= (letters[q] == letters[p]) << live
                live += 1
        if same == 0:
            more = in_place + w.live[question + length]
            for mask in range(masks):
                hashes[masks + mask] = hashes[mask] + more
        else:
            for mask in range(masks):
                copies = 0
                for bit in range(live):
                    copies += ((mask & same) >> bit) & 1
                hashes[masks + mask] = hashes[mask] + in_place + w.live[question + length + copies]
        masks *= 2
    return masks


@inlined(WORD(WORKSPACE, INT))
def full_hash(w, guess):
    """Hash of the live questions of a guess: the sum of their random numbers."""
    length = w.guess_letters.shape[1]
    letters = w.guess_letters[guess]
    total = np.uint64(0)
    if not w.repeats[guess]:
        for p in range(length):
            total += w.live_first[np.int64(letters[p]) * 2 * length + p]
        return total
    for p in range(length):
        copies = 0
        for q in range(p):
            copies += letters[q] == letters[p]
        question = np.int64(letters[p]) * 2 * length
        total += w.live[question + p] + w.live[question + length + copies]
    return total


@linked(INT(WORKSPACE, INT, INT, INT, INT))
def undominated(w, at, n, listed, info):
    """Thin ``w.move_columns[:listed]`` to columns that no other makes superfluous; their number.

    Answers of the state, which ``w.member`` marks, are always kept. Of columns that ask the same
    questions, the first of the list is kept.
    """
    find_live(w, at, n)
    mask = 63
    while mask < 2 * listed:
        mask = 2 * mask + 1
    for t in range(mask + 1):
        w.slots[t] = 0
    present = w.question_filter
    for t in range(present.size):
        present[t] = 0
    number = 0
    for k in range(listed):
        c = w.move_columns[k]
        guess = w.guess[info + c]
        answer = w.answer_of_guess[guess]
        is_candidate = answer >= 0 and w.member[answer] > 0
        digest = full_hash(w, guess)
        w.question_hash[c] = digest
        # It asks nothing: only being the answer can make it worth a guess.
        if digest == 0:
            if is_candidate:
                w.move_columns[number] = c
                number += 1
            continue
        t = np.int64(digest) & mask
        while w.slots[t] != 0 and w.question_hash[w.slots[t] - 1] != digest:
            t = (t + 1) & mask
        if w.slots[t] == 0:
            w.slots[t] = c + 1
            # The filter fits in the cache. It rules out most subsets before the hash table is
            # asked.
            bit = digest >> _FILTER_SHIFT
            present[np.int64(bit >> _SIX)] |= _ONE << (bit & _LOW_SIX)
            w.move_columns[number] = c
            number += 1
        elif is_candidate:  # it asks what the one in the table asks, but may be right
            w.move_columns[number] = c
            number += 1
    length = w.guess_letters.shape[1]
    # The subsets of a guess are marked in a word of 64 bits: six letters have 64 subsets.
    if length > MAX_DOMINATED_LETTERS:
        return number
    for k in range(number):
        c = w.move_columns[k]
        whole = w.question_hash[c]
        masks = subset_hashes(w, w.guess[info + c])
        hits = np.uint64(0)
        for m in range(masks):
            bit = w.subset_hash[m] >> _FILTER_SHIFT
            there = (present[np.int64(bit >> _SIX)] >> (bit & _LOW_SIX)) & _ONE
            hits |= there << np.uint64(m)
        hits &= (_ONE << np.uint64(masks - 1)) - _ONE - _ONE  # not the empty one nor the whole
        while hits != 0:
            digest = w.subset_hash[lowest_bit(hits)]
            hits &= hits - _ONE
            # Some letters left out may have asked nothing more; no guess makes itself superfluous.
            if digest == whole:
                continue
            t = np.int64(digest) & mask
            while w.slots[t] != 0:
                rival = abs(w.slots[t]) - 1
                if w.question_hash[rival] == digest:
                    w.slots[t] = -(rival + 1)  # superfluous
                    break
                t = (t + 1) & mask
    kept = 0
    for k in range(number):
        c = w.move_columns[k]
        answer = w.answer_of_guess[w.guess[info + c]]
        is_candidate = answer >= 0 and w.member[answer] > 0
        if not is_candidate:
            t = np.int64(w.question_hash[c]) & mask
            # Answers of the state are not looked up: the table holds only the first of equal
            # columns.
            while abs(w.slots[t]) != c + 1:
                t = (t + 1) & mask
            if w.slots[t] < 0:
                continue
        w.move_columns[kept] = c
        kept += 1
    return kept
