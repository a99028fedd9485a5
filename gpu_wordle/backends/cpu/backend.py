"""The CPU backend: numba kernels that release the GIL, run over blocks by a thread pool.

Guesses are taken in blocks so that what is counted for a block stays in the first-level cache.
Small states are not counted at all: pairs of rows are compared, many guesses to a SIMD vector, so
that a guess costs nothing beyond its look-ups (see :func:`_compare_pairs`).
"""

from __future__ import annotations

import platform
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numba import njit
from numpy.typing import NDArray

from gpu_wordle.backends.cpu import signatures as of
from gpu_wordle.backends.cpu.frontier import CpuFrontier
from gpu_wordle.backends.cpu.threads import granted, run, slices
from gpu_wordle.errors import counted
from gpu_wordle.game.feedback import GREEN, YELLOW
from gpu_wordle.game.game import Game
from gpu_wordle.game.patterns import Patterns, pattern_dtype
from gpu_wordle.game.words import GameWords
from gpu_wordle.jit.functions import compiled_by_width
from gpu_wordle.states.batch import StateBatch
from gpu_wordle.states.partition import BestGuesses, Criterion, PartitionStats, entropy_table
from gpu_wordle.tunables import (
    BEST_BLOCK,
    BUILD_BLOCK,
    HISTOGRAM_BYTES,
    MAX_PAIRWISE_CPU,
    MIN_SHARED_LOOKUPS,
)

CRITERIA = list(Criterion)


class CpuBackend:
    """numba on ``threads`` cores (default: all that this process may use), as granted."""

    name = "cpu"
    prefers_batches = False

    def __init__(self, threads: int | None = None) -> None:
        self.threads = granted(threads)

    @property
    def device(self) -> str:
        """Processor and number of threads."""
        return f"{processor_name()}, {counted(self.threads, 'thread')}"

    def build_patterns(self, words: GameWords) -> Patterns:
        """All pairs, a block of guesses at a time in SIMD lanes."""
        guess_letters, answer_letters = dense_letters(words)
        result = np.empty((len(words.answers), len(words.guesses)), pattern_dtype(words.length))
        run(
            self.threads,
            lambda start, stop: _build_patterns(result, guess_letters, answer_letters, start, stop),
            slices(len(words.answers), max(1, len(words.answers) // (8 * self.threads))),
        )
        return result

    def open(self, game: Game) -> CpuEvaluator:
        """An evaluator over the game's matrix, which stays where it is."""
        return CpuEvaluator(game, self.threads)

    def open_frontier(self, game: Game, memory_bytes: int | None = None) -> CpuFrontier:
        """A frontier over the game's matrix; lists take a quarter of the memory if not told."""
        return CpuFrontier(game, self.threads, memory_bytes)


class CpuEvaluator:
    """Evaluator over numba kernels; safe to share among threads."""

    def __init__(self, game: Game, threads: int) -> None:
        self._game = game
        self._threads = threads
        self._nlog2n = entropy_table(game.answer_count)

    def stats(self, batch: StateBatch) -> PartitionStats:
        """See Evaluator."""
        result = PartitionStats.empty(len(batch), self._game.guess_count, batch.sizes)
        self._over_tasks(
            batch,
            lambda b, start, stop: _stats(
                *self._inputs(batch, b),
                start,
                stop,
                result.parts[b],
                result.is_candidate[b],
                result.max_part[b],
                result.sum_squares[b],
                result.sum_nlog2n[b],
            ),
        )
        return result

    def best(self, batch: StateBatch, by: Criterion) -> BestGuesses:
        """See Evaluator."""
        best = np.empty((len(batch), 3), dtype=np.int64)  # guess, value, least lower bound
        # Few enough states to keep every thread busy, and enough to outweigh handing them out.
        chunk = min(len(batch) // (4 * self._threads), (1 << 22) // self._game.guess_count)
        run(
            self._threads,
            lambda start, stop: _best_of_states(
                self._game.patterns.values,
                batch.indptr,
                batch.answers,
                self._game.patterns.pattern_count,
                self._game.words.guess_of_answer,
                self._nlog2n,
                CRITERIA.index(by),
                start,
                stop,
                best,
            ),
            slices(len(batch), max(1, chunk)),
        )
        return BestGuesses(best[:, 0].astype(np.int32), best[:, 1].copy(), best[:, 2].copy())

    def spectrum(self, state: NDArray[np.uint16], guess: int) -> NDArray[np.int64]:
        """See Evaluator."""
        patterns = self._game.patterns
        return np.bincount(patterns.values[state, guess], minlength=patterns.pattern_count)

    def _inputs(
        self, batch: StateBatch, b: int
    ) -> tuple[Patterns, NDArray[np.uint16], int, NDArray[np.int32], NDArray[np.int64]]:
        patterns = self._game.patterns
        guess_of_answer = self._game.words.guess_of_answer
        return (
            patterns.values,
            batch.state(b),
            patterns.pattern_count,
            guess_of_answer,
            self._nlog2n,
        )

    def _over_tasks(self, batch: StateBatch, work: Callable[[int, int, int], None]) -> None:
        """Run ``work(b, start, stop)`` over states and ranges of guesses, all threads busy."""
        guesses = self._game.guess_count
        is_small = len(batch.answers) * guesses < MIN_SHARED_LOOKUPS
        threads = 1 if is_small else self._threads
        parts = 4 * threads
        step = guesses if threads == 1 or len(batch) >= parts else -(-guesses // parts)
        tasks = [(b, *r) for b in range(len(batch)) for r in slices(guesses, step)]
        run(threads, work, tasks)


def processor_name() -> str:
    """The processor as its maker calls it, as far as the system says."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    named = (line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    return next(named, platform.processor() or platform.machine())


def dense_letters(words: GameWords) -> tuple[NDArray[np.uint16], NDArray[np.uint16]]:
    """Letters renumbered from 0, position-major: [L, G] and [L, A]."""
    both = np.concatenate([words.guesses.codes, words.answers.codes])
    dense = np.unique(both, return_inverse=True)[1].reshape(both.shape).astype(np.uint16)
    split = len(words.guesses)
    return np.ascontiguousarray(dense[:split].T), np.ascontiguousarray(dense[split:].T)


@compiled_by_width(
    lambda pattern: of.NOTHING(pattern[:, ::1], of.LETTERS, of.LETTERS, of.INT, of.INT)
)
def _build_patterns(out, guess_letters, answer_letters, first, last):  # type: ignore[no-untyped-def]
    """Rows ``first`` to ``last`` of the matrix.

    Letter i of a guess is yellow if it is not green and the answer has more copies of it outside
    its greens than the guess has before i outside its own: the earlier ones are served first.
    Written without branches on the letters, so that it becomes SIMD code over the guesses.
    """
    length, guess_count = guess_letters.shape
    green = np.empty((length, BUILD_BLOCK), np.uint8)
    available = np.empty(BUILD_BLOCK, np.uint8)
    pattern = np.empty(BUILD_BLOCK, np.uint16)
    for a in range(first, last):
        for start in range(0, guess_count, BUILD_BLOCK):
            width = min(BUILD_BLOCK, guess_count - start)
            for i in range(length):
                letter = answer_letters[i, a]
                row = guess_letters[i, start : start + width]
                for k in range(width):
                    green[i, k] = row[k] == letter
            pattern[:] = 0
            place = 1
            for i in range(length):
                row = guess_letters[i, start : start + width]
                available[:] = 0
                for j in range(length):
                    letter = answer_letters[j, a]
                    for k in range(width):
                        available[k] += np.uint8((row[k] == letter) & (green[j, k] == 0))
                for j in range(i):
                    earlier = guess_letters[j, start : start + width]
                    for k in range(width):
                        # A claimed copy; where none is left the count must stay at zero.
                        claim = np.uint8((earlier[k] == row[k]) & (green[j, k] == 0))
                        available[k] -= np.uint8(claim & np.uint8(available[k] > 0))
                for k in range(width):
                    yellow = (green[i, k] == 0) & (available[k] > 0)
                    digit = GREEN * np.uint16(green[i, k]) + YELLOW * np.uint16(yellow)
                    pattern[k] += np.uint16(digit * place)
                place *= 3
            for k in range(width):
                out[a, start + k] = pattern[k]


@njit
def _stats_of_range(  # type: ignore[no-untyped-def]
    patterns, state, pattern_count, guess_of_answer, nlog2n, first, last,
    parts, candidate, largest, squares, entropy,
):  # fmt: skip
    """Statistics of guesses ``first`` to ``last`` on one state, into [G] arrays."""
    n = state.size
    candidate[first:last] = False
    for a in state:
        if first <= guess_of_answer[a] < last:
            candidate[guess_of_answer[a]] = True
    if n <= MAX_PAIRWISE_CPU:
        step = BUILD_BLOCK
        rows = np.zeros((n, BUILD_BLOCK), patterns.dtype)
        same = np.empty((n, BUILD_BLOCK), np.uint8)
        earlier = np.empty((n, BUILD_BLOCK), np.uint8)
        sums = np.empty((3, BUILD_BLOCK), np.uint16)
    else:
        step = max(8, min(64, HISTOGRAM_BYTES // (2 * pattern_count)))
        counts = np.zeros((step, pattern_count), np.uint16)
        more = np.empty(step * pattern_count, np.uint16)
        before = np.empty(step, np.uint16)
        gain = nlog2n[1:] - nlog2n[:-1]
    for start in range(first, last, step):
        stop = min(start + step, last)
        out_parts, out_largest = parts[start:stop], largest[start:stop]
        out_squares, out_entropy = squares[start:stop], entropy[start:stop]
        if n <= MAX_PAIRWISE_CPU:
            for i in range(n):
                row = patterns[state[i], start:stop]
                for k in range(stop - start):
                    rows[i, k] = row[k]
            _compare_pairs(rows, same, earlier)
            _reduce_pairs(
                same, earlier, nlog2n, sums, out_parts, out_largest, out_squares, out_entropy
            )
        elif n < pattern_count:
            _count_ranks(
                patterns, state, start, counts, before, gain,
                out_parts, out_largest, out_squares, out_entropy,
            )  # fmt: skip
        else:
            size = (stop - start) * pattern_count
            flat = counts.reshape(-1)[:size]
            _count_parts(patterns, state, start, stop, flat, more[:size])
            _reduce_counts(
                flat.reshape(stop - start, pattern_count),
                nlog2n,
                out_parts,
                out_largest,
                out_squares,
                out_entropy,
            )


@njit
def _compare_pairs(rows, same, earlier):  # type: ignore[no-untyped-def]
    """Compare the patterns of every two answers, a block of guesses at once.

    All arrays are [n, BUILD_BLOCK].

    ``same[i]`` becomes the number of answers whose pattern is that of answer i, itself included,
    and ``earlier[i]`` the number of those before i.
    """
    n = len(rows)
    for i in range(n):
        row, same_i, earlier_i = rows[i], same[i], earlier[i]
        for k in range(BUILD_BLOCK):
            same_i[k] = np.uint8(0)
        for j in range(n):
            if j == i:
                for k in range(BUILD_BLOCK):
                    earlier_i[k] = same_i[k]
            other = rows[j]
            for k in range(BUILD_BLOCK):
                same_i[k] = np.uint8(same_i[k] + np.uint8(row[k] == other[k]))


@njit
def _reduce_pairs(  # type: ignore[no-untyped-def]
    same, earlier, nlog2n, sums, parts, largest, squares, entropy
):
    """Statistics from :func:`_compare_pairs`, by way of ``sums`` uint16[3, BUILD_BLOCK].

    A part is known by its first answer, the one with none earlier, and its size is the ``same``
    of that answer. The squares of the sizes sum to the sum of ``same`` over all answers.
    """
    width = parts.size
    sums[:] = 0
    n_parts, most, sum_squares = sums[0], sums[1], sums[2]
    entropy[:] = 0
    for i in range(len(same)):
        same_i, earlier_i = same[i], earlier[i]
        for k in range(BUILD_BLOCK):
            n_parts[k] += np.uint16(earlier_i[k] == 0)
            most[k] = max(most[k], np.uint16(same_i[k]))
            sum_squares[k] += np.uint16(same_i[k])
        for k in range(width):
            entropy[k] += nlog2n[same_i[k] * np.uint8(earlier_i[k] == 0)]
    for k in range(width):
        parts[k] = n_parts[k]
        largest[k] = most[k]
        squares[k] = sum_squares[k]


@njit
def _count_ranks(  # type: ignore[no-untyped-def]
    patterns, state, start, counts, before, gain, parts, largest, squares, entropy
):
    """Statistics for a state with fewer answers than there are patterns, in one pass.

    The answer that makes a part grow from c to c + 1 adds 2c + 1 to the sum of squares and
    ``gain[c]`` to the entropy sum, so no counter is looked at that no answer touched. Leaves
    ``counts`` at zero.
    """
    width = parts.size
    parts[:] = 0
    largest[:] = 0
    squares[:] = 0
    entropy[:] = 0
    for a in state:
        row = patterns[a, start : start + width]
        for k in range(width):
            c = counts[k, row[k]]
            before[k] = c
            counts[k, row[k]] = c + np.uint16(1)
        for k in range(width):
            parts[k] += np.uint16(before[k] == 0)
            largest[k] = max(largest[k], np.uint16(before[k] + 1))
            squares[k] += np.uint32(2 * before[k] + 1)
        for k in range(width):
            entropy[k] += gain[before[k]]
    counts[:] = 0


@njit
def _count_parts(patterns, state, start, stop, counts, more):  # type: ignore[no-untyped-def]
    """Size of the part behind each pattern, for a block of guesses: counts[k * patterns + pattern].

    Answers go in pairs, one to ``counts`` and one to ``more``, so that twice as many independent
    increments are under way; ``more`` is added in the end.
    """
    counts[:] = 0
    more[:] = 0
    pattern_count = np.uint64(counts.size // (stop - start))
    for t in range(0, state.size - 1, 2):
        row = patterns[state[t], start:stop]
        other = patterns[state[t + 1], start:stop]
        base = np.uint64(0)
        for k in range(stop - start):
            counts[base + np.uint64(row[k])] += np.uint16(1)
            more[base + np.uint64(other[k])] += np.uint16(1)
            base += pattern_count
    if state.size % 2:
        row = patterns[state[-1], start:stop]
        for k in range(stop - start):
            counts[np.uint64(k) * pattern_count + np.uint64(row[k])] += np.uint16(1)
    for i in range(counts.size):
        counts[i] += more[i]


@njit
def _reduce_counts(counts, nlog2n, parts, largest, squares, entropy):  # type: ignore[no-untyped-def]
    """Statistics from :func:`_count_parts`."""
    for k in range(parts.size):
        n_parts, most, sum_squares, sum_entropy = 0, np.uint16(0), np.uint32(0), 0
        row = counts[k]
        for p in range(row.size):
            n_parts += row[p] > 0
            most = max(most, row[p])
            sum_squares += np.uint32(row[p]) * np.uint32(row[p])
        for p in range(row.size):
            sum_entropy += nlog2n[row[p]]
        parts[k] = n_parts
        largest[k] = most
        squares[k] = sum_squares
        entropy[k] = sum_entropy


_stats = compiled_by_width(
    lambda pattern: of.NOTHING(
        of.given(pattern, 2), of.ANSWERS, of.INT, of.GUESSES, of.INDICES, of.INT, of.INT,
        of.UINT16S, of.FLAGS, of.UINT16S, of.UINT32S, of.INT64S,
    )
)(_stats_of_range.py_func)  # fmt: skip
"""The same for Python to call."""


@njit
def _perfect_candidate(  # type: ignore[no-untyped-def]
    patterns, state, guess_of_answer, stamps, stamp
):
    """The first guess of the list that is in the state and tells all its answers apart, or -1.

    Also the last stamp used. ``stamps`` int64[pattern_count] holds none that is greater than
    ``stamp``.
    """
    found = np.int64(-1)
    if state.size > stamps.size:
        return found, stamp
    for a in state:
        g = np.int64(guess_of_answer[a])
        stamp += 1
        is_perfect = found < 0 or g < found
        for other in state:
            pattern = patterns[other, g]
            if not is_perfect or stamps[pattern] == stamp:
                is_perfect = False
                break
            stamps[pattern] = stamp
        if is_perfect:
            found = g
    return found, stamp


@compiled_by_width(
    lambda pattern: of.NOTHING(
        of.given(pattern, 2), of.INDICES, of.ANSWERS, of.INT, of.GUESSES, of.INDICES,
        of.INT, of.INT, of.INT, of.INT64_ROWS,
    )
)  # fmt: skip
def _best_of_states(  # type: ignore[no-untyped-def]
    patterns, indptr, answers, pattern_count, guess_of_answer, nlog2n, criterion, first, last, best
):
    """Rows ``first`` to ``last`` of ``best`` (guess, value, least lower bound)."""
    guess_count = patterns.shape[1]
    parts = np.empty(guess_count, np.uint16)
    candidate = np.empty(guess_count, np.bool_)
    largest = np.empty(guess_count, np.uint16)
    squares = np.empty(guess_count, np.uint32)
    entropy = np.empty(guess_count, np.int64)
    stamps = np.zeros(pattern_count, np.int64)
    stamp = np.int64(0)
    for b in range(first, last):
        state = answers[indptr[b] : indptr[b + 1]]
        n = state.size
        perfect, stamp = _perfect_candidate(patterns, state, guess_of_answer, stamps, stamp)
        least = np.int64(3 * n)
        best_guess, best_value, best_rank = -1, np.int64(0), np.int64(2)
        for start in range(0, guess_count, BEST_BLOCK):
            stop = min(start + BEST_BLOCK, guess_count)
            if perfect >= 0:  # nothing is better, and what is as good comes after it
                start, stop = perfect, perfect + 1
            _stats_of_range(
                patterns, state, pattern_count, guess_of_answer, nlog2n, start, stop,
                parts, candidate, largest, squares, entropy,
            )  # fmt: skip
            splits_all = False
            for g in range(start, stop):
                bound = 3 * n - np.int64(parts[g]) - np.int64(candidate[g])
                least = min(least, bound)
                if criterion == 0:
                    value = bound
                elif criterion == 1:
                    value = entropy[g]
                elif criterion == 2:
                    value = np.int64(largest[g])
                elif criterion == 3:
                    value = np.int64(squares[g])
                else:
                    value = -np.int64(parts[g])
                rank = np.int64(not candidate[g])
                if (
                    best_guess < 0
                    or value < best_value
                    or (value == best_value and rank < best_rank)
                ):
                    best_guess, best_value, best_rank = g, value, rank
                splits_all |= parts[g] == n
            # No candidate does, so the bound of 2n is least; by bounds a candidate may be as good.
            if perfect >= 0 or (splits_all and criterion != 0):
                break
        best[b, 0] = best_guess
        best[b, 1] = best_value
        best[b, 2] = least
