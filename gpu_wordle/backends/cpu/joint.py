"""Joint parts on the CPU: answers that neither a partition nor a guess tells apart.

The parts of a partition are taken one by one. A part of few answers is counted by comparing every
two of them. For a larger one the labels that occur are bits of 64-bit words, and the bits that are
set are counted. Both work on 64 guesses at a time, a guess a lane, so that the inner loops are SIMD
code.

A guess's patterns are renumbered from 0, the frequent ones first: most guesses show fewer than 128
of them, so that two words hold their bits.
"""

from __future__ import annotations

import numpy as np
from numba import types
from numba.core.typing.templates import Signature
from numpy.typing import NDArray

from gpu_wordle.backends.cpu import signatures as of
from gpu_wordle.backends.cpu.threads import run, slices
from gpu_wordle.game.game import Game
from gpu_wordle.jit.cache import callee
from gpu_wordle.jit.functions import Need, compiled_by_width
from gpu_wordle.states.joint import Labels, by_parts
from gpu_wordle.states.partition import entropy_table
from gpu_wordle.tunables import MAX_PAIRWISE_JOINT, SLICES_PER_THREAD

LANES = 64
"""Guesses that are counted together."""

WORD_BITS = 64

_ROWS = of.given(types.uint16, 2)
_RESULTS = of.INT64_ROWS


def _over_tiles(pattern: types.Type) -> Signature:
    """Types of the functions that count tiles of guesses."""
    return of.NOTHING(of.given(pattern, 3), of.INDICES, _ROWS, _ROWS, of.INDICES, _RESULTS)


class CpuJointCounter:
    """Joint counter over tiles of 64 guesses; safe to share among threads."""

    def __init__(self, game: Game, guesses: NDArray[np.int32], threads: int) -> None:
        self.guesses = guesses
        self._threads = threads
        self._tiles, self._most_labels = _tiles(game, guesses)
        self._gain = np.diff(entropy_table(game.answer_count + 1))

    def parts(self, partitions: Labels, first: int = 0) -> NDArray[np.int64]:
        """Number of joint parts for the guesses from column ``first`` on, int64[W, C - first]."""
        return self._count(partitions, first, False)

    def entropy(self, partitions: Labels, first: int = 0) -> NDArray[np.int64]:
        """Sum of n * log2(n) over the sizes n of the joint parts, int64[W, C - first]."""
        return self._count(partitions, first, True)

    def _count(self, partitions: Labels, first: int, is_entropy: bool) -> NDArray[np.int64]:
        """Parts or entropy, over tiles of guesses shared out among the threads."""
        count = _entropy_of_tiles if is_entropy else _parts_of_tiles
        answers, ends = by_parts(partitions)
        begin, tiles = first // LANES, len(self._tiles)
        result = np.empty((len(partitions), (tiles - begin) * LANES), np.int64)

        def work(start: int, stop: int) -> None:
            mine = slice(begin + start, begin + stop)
            into = result[:, start * LANES : stop * LANES]
            done = np.empty(into.shape, np.int64)
            count(self._tiles[mine], self._most_labels[mine], answers, ends, self._gain, done)
            into[:] = done

        step = max(1, (tiles - begin) // (SLICES_PER_THREAD * self._threads))
        run(self._threads, work, slices(tiles - begin, step))
        skipped = first - begin * LANES
        return result[:, skipped : skipped + len(self.guesses) - first]


@compiled_by_width(_over_tiles, Need.RARE)
def _parts_of_tiles(  # type: ignore[no-untyped-def]
    tiles, most_labels, answers, ends, gain, result
):
    """Joint parts of W partitions and the guesses of some tiles, [W, lanes]."""
    rows = np.empty((MAX_PAIRWISE_JOINT, LANES), tiles.dtype)
    same = np.empty(LANES, np.uint8)
    seen = np.empty((most_labels.max() // WORD_BITS + 1, LANES), np.uint64)
    total = np.empty(LANES, np.int32)
    for t in range(len(tiles)):
        tile = tiles[t]
        words = seen[: (most_labels[t] + WORD_BITS - 1) // WORD_BITS]
        for w in range(answers.shape[0]):
            total[:] = 0
            begin = 0
            for end in ends[w]:
                part = answers[w, begin:end]
                begin = np.int64(end)
                if part.size <= MAX_PAIRWISE_JOINT:
                    _add_unlike(tile, part, rows, same, total)
                else:
                    _set_bits(tile, part, words)
                    _add_bits(words, total)
            for lane in range(LANES):
                result[w, t * LANES + lane] = total[lane]


@callee
def _add_unlike(tile, part, rows, same, total):  # type: ignore[no-untyped-def]
    """Add to ``total`` the answers of a part that differ from all before, in each lane."""
    for i in range(part.size):
        mine = rows[i]
        row = tile[part[i]]
        for k in range(LANES):
            mine[k] = row[k]
        same[:] = 0
        for j in range(i):
            other = rows[j]
            for k in range(LANES):
                same[k] |= np.uint8(mine[k] == other[k])
        for k in range(LANES):
            total[k] += 1 - same[k]


@callee
def _bit(label, word):  # type: ignore[no-untyped-def]
    """The bit of a label in word number ``word``, 0 if it is in another."""
    return np.uint64(label // WORD_BITS == word) << np.uint64(label % WORD_BITS)


@callee
def _set_bits(tile, part, words):  # type: ignore[no-untyped-def]
    """Set the bits of all labels that occur in a part, in each lane; four answers a round."""
    words[:] = 0
    rest = part.size % 4
    for i in range(0, part.size - rest, 4):
        a, b, c, d = tile[part[i]], tile[part[i + 1]], tile[part[i + 2]], tile[part[i + 3]]
        for m in range(len(words)):
            word = words[m]
            for k in range(LANES):
                word[k] |= (_bit(a[k], m) | _bit(b[k], m)) | (_bit(c[k], m) | _bit(d[k], m))
    for i in range(part.size - rest, part.size):
        a = tile[part[i]]
        for m in range(len(words)):
            word = words[m]
            for k in range(LANES):
                word[k] |= _bit(a[k], m)


@callee
def _add_bits(words, total):  # type: ignore[no-untyped-def]
    """Add to ``total`` the number of set bits, in each lane (Warren, Hacker's Delight, 5-1)."""
    for m in range(len(words)):
        word = words[m]
        for k in range(LANES):
            x = word[k]
            x = x - ((x >> np.uint64(1)) & np.uint64(0x5555555555555555))
            x = (x & np.uint64(0x3333333333333333)) + (
                (x >> np.uint64(2)) & np.uint64(0x3333333333333333)
            )
            x = (x + (x >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
            total[k] += np.int32((x * np.uint64(0x0101010101010101)) >> np.uint64(56))


@compiled_by_width(_over_tiles, Need.RARE)
def _entropy_of_tiles(  # type: ignore[no-untyped-def]
    tiles, most_labels, answers, ends, gain, result
):
    """Sums of c * log2(c) over the joint parts, each of c answers, [W, lanes].

    They are of W partitions and the guesses of some tiles. ``gain[c]`` is how much a part of c
    answers adds more when one more joins it.
    """
    count = np.zeros((LANES, most_labels.max()), np.uint16)
    for t in range(len(tiles)):
        tile = tiles[t]
        for w in range(answers.shape[0]):
            total = result[w, t * LANES : (t + 1) * LANES]
            total[:] = 0
            begin = 0
            for end in ends[w]:
                part = answers[w, begin:end]
                begin = np.int64(end)
                # A part of one answer adds 1 * log2(1), which is zero.
                if part.size < 2:
                    continue
                for a in part:
                    row = tile[a]
                    for k in range(LANES):
                        total[k] += gain[count[k, row[k]]]
                        count[k, row[k]] += 1
                for a in part:
                    row = tile[a]
                    for k in range(LANES):
                        count[k, row[k]] = 0


def _tiles(
    game: Game, guesses: NDArray[np.int32]
) -> tuple[NDArray[np.unsignedinteger], NDArray[np.int64]]:
    """Renumbered patterns, [T, A, LANES], a tile of guesses in one piece; most labels, int64[T].

    The lanes beyond the last guess hold one label.
    """
    values = game.patterns.values
    count = -(-len(guesses) // LANES)
    tiles = np.zeros((count, game.answer_count, LANES), values.dtype)
    most_labels = np.ones(count, np.int64)
    number = np.empty(game.patterns.pattern_count, values.dtype)
    by_guess = np.ascontiguousarray(values.T)
    for column, guess in enumerate(guesses.tolist()):
        patterns = by_guess[guess]
        sizes = np.bincount(patterns, minlength=len(number))
        number[np.argsort(-sizes, kind="stable")] = np.arange(len(number))
        tile, lane = divmod(column, LANES)
        tiles[tile, :, lane] = number[patterns]
        most_labels[tile] = max(most_labels[tile], np.count_nonzero(sizes))
    return tiles, most_labels
