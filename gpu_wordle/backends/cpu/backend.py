"""The CPU backend: numba kernels that release the GIL, run over blocks by a thread pool."""

from __future__ import annotations

import platform
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.backends.cpu import signatures as of
from gpu_wordle.backends.cpu.best import best_of_states
from gpu_wordle.backends.cpu.counting import Known, Statistics, stats_of_state
from gpu_wordle.backends.cpu.frontier import CpuFrontier
from gpu_wordle.backends.cpu.joint import CpuJointCounter
from gpu_wordle.backends.cpu.threads import granted, run, slices
from gpu_wordle.errors import counted
from gpu_wordle.game.feedback import GREEN, YELLOW
from gpu_wordle.game.game import Game
from gpu_wordle.game.patterns import Patterns, pattern_dtype
from gpu_wordle.game.words import GameWords
from gpu_wordle.jit.functions import compiled_by_width
from gpu_wordle.states.batch import StateBatch
from gpu_wordle.states.partition import BestGuesses, Criterion, PartitionStats
from gpu_wordle.tunables import (
    BUILD_BLOCK,
    MIN_SHARED_LOOKUPS,
)

CRITERIA = list(Criterion)


class CpuBackend:
    """numba on ``threads`` cores, as granted; by default all that this process may use."""

    name = "cpu"
    prefers_batches = False

    def __init__(self, threads: int | None = None) -> None:
        self.threads = granted(threads)

    @property
    def device(self) -> str:
        """Processor and number of threads."""
        return f"{processor_name()}, {counted(self.threads, 'thread')}"

    def build_patterns(self, words: GameWords) -> Patterns:
        """Pattern of every guess and answer, a block of guesses at a time in SIMD lanes."""
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

    def open_joint(self, game: Game, guesses: NDArray[np.int32]) -> CpuJointCounter:
        """A counter over a copy of the game's matrix, in tiles."""
        return CpuJointCounter(game, guesses, self.threads)

    def open_frontier(self, game: Game, memory_bytes: int | None = None) -> CpuFrontier:
        """A frontier over the game's matrix; lists take a quarter of the free memory by default."""
        return CpuFrontier(game, self.threads, memory_bytes)


class CpuEvaluator:
    """Evaluator over numba kernels; safe to share among threads."""

    def __init__(self, game: Game, threads: int) -> None:
        self._game = game
        self._threads = threads
        self._known = Known.of(game)

    def stats(self, batch: StateBatch) -> PartitionStats:
        """Partition statistics of every guess in every state, [B, G]."""
        result = PartitionStats.empty(len(batch), self._game.guess_count, batch.sizes)
        self._over_tasks(
            batch,
            lambda b, start, stop: stats_of_state(
                self._game.patterns.values,
                batch.state(b),
                self._known,
                start,
                result.is_candidate[b, start:stop],
                Statistics(
                    result.parts[b, start:stop],
                    result.max_part[b, start:stop],
                    result.sum_squares[b, start:stop],
                    result.sum_nlog2n[b, start:stop],
                ),
            ),
        )
        return result

    def best(self, batch: StateBatch, by: Criterion) -> BestGuesses:
        """Best guess of each state by criterion ``by``, and its one-ply lower bound, [B]."""
        best = np.empty((len(batch), 3), dtype=np.int64)  # guess, value, least lower bound
        # Few enough states to keep every thread busy, and enough to outweigh handing them out.
        chunk = min(len(batch) // (4 * self._threads), (1 << 22) // self._game.guess_count)
        run(
            self._threads,
            lambda start, stop: best_of_states(
                self._game.patterns.values,
                batch.indptr[start : stop + 1],
                batch.answers,
                self._known,
                CRITERIA.index(by),
                best[start:stop],
            ),
            slices(len(batch), max(1, chunk)),
        )
        return BestGuesses(best[:, 0].astype(np.int32), best[:, 1].copy(), best[:, 2].copy())

    def spectrum(self, state: NDArray[np.uint16], guess: int) -> NDArray[np.int64]:
        """Number of answers of ``state`` behind each pattern of ``guess``, int64[pattern_count]."""
        patterns = self._game.patterns
        return np.bincount(patterns.values[state, guess], minlength=patterns.pattern_count)

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
    with suppress(OSError, subprocess.SubprocessError):
        if sys.platform == "win32":
            import winreg

            place = r"HARDWARE\DESCRIPTION\System\CentralProcessor\0"
            with winreg.OpenKey(winreg.HKEY_LOCAL_MACHINE, place) as key:
                return str(winreg.QueryValueEx(key, "ProcessorNameString")[0]).strip()
        if sys.platform == "darwin":
            asked = ["/usr/sbin/sysctl", "-n", "machdep.cpu.brand_string"]
            return subprocess.check_output(asked, text=True, timeout=5).strip()
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.processor() or platform.machine()


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
    """Write rows ``first`` to ``last`` of the matrix.

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
