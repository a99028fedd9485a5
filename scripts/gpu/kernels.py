"""Time the CUDA kernels on this machine's device, against the limits of the device.

    python scripts/gpu/kernels.py [--out FOLDER] [--states N] [--repeats N] [--only PART ...]

The batch is every state that any first guess leaves, each once: 489,216 with the original lists.
Slow measurements use N of them, drawn at random. Times are medians of runs between CUDA events,
after one warm-up. limits.cu measures the limits in the same run. What a kernel moves and issues,
counted from its source, is compared with them. report.py says what is written. A kernel that fails
gets a row, and the rest goes on. ``--only`` names the parts to measure, for a profiler.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from gpu_wordle.backends import load_game
from gpu_wordle.backends.cpu.backend import CpuBackend
from gpu_wordle.backends.cuda import backend as cuda
from gpu_wordle.backends.cuda import device
from gpu_wordle.game.game import Game
from gpu_wordle.game.values import INFEASIBLE
from gpu_wordle.solver import open_solver
from gpu_wordle.solver.batched.state_searches import StateSearches
from gpu_wordle.states.batch import StateBatch
from gpu_wordle.states.joint import labels_of
from gpu_wordle.states.partition import Criterion
from scripts.bench.common import medians, options
from scripts.gpu.launches import begun, timed_frontier
from scripts.gpu.report import Report, Row
from scripts.gpu.work import Work, copy_work, split_work, stats_bytes, work_of

BLOCK_THREADS = (32, 64, 128)  # beside the tuned sizes; larger blocks leave counters no room
COPY_BYTES = 1 << 30
CACHE_BYTES = 24 << 20  # less than the second-level cache, about the size of a matrix
CPU_LOOKUPS = 1e10  # takes a second or two
STATS_STATES = 20_000  # states whose [B, G] results fit comfortably
LIMIT_STEPS, LIMIT_THREADS = 20_000, 256
SEPARATED_MOST = 32  # largest state for which bound_states may stop early, see reach.cuh
SMALL_STATES_MOST = 64  # largest state that the search leaves to the CPU
REFUTED_STATES = 500
JOINT_PARTITIONS = 500
MOST = 1 << 16  # answers of a state
LOWER_BOUND = Criterion.LOWER_BOUND
PARTS = (
    "limits", "best", "bound_states", "refute", "stats",
    "patterns", "split", "collapse", "joint", "other_best", "cpu",
)  # fmt: skip
"""Methods of Bench, in their order: the limits come first, since rows are held against them."""


def main() -> int:
    """Measure everything; 1 if there is no device, or if anything failed."""
    asked = options(__doc__, states=50_000, repeats=3, only=dict.fromkeys(PARTS))
    if why_not := device.unavailable():
        print(f"nothing measured: {why_not}", file=sys.stderr)
        return 1
    report = Report(asked.out)
    game = load_game(cache=False)
    bench = Bench(report, game, depth_one_states(game), asked.states, asked.repeats)
    for part in asked.only:
        report.attempt("kernels", part, getattr(bench, part))
    return int(report.has_failed)


def depth_one_states(game: Game) -> StateBatch:
    """Return every state that any first guess leaves, once."""
    guesses = np.arange(game.guess_count, dtype=np.int32)
    root = StateBatch.whole(game.answer_count)
    frontier = CpuBackend().open_frontier(game)
    return frontier.split(root, np.zeros(len(guesses), np.int32), guesses).states


class Bench:
    """The kernels on one game, and the measured limits of the device."""

    def __init__(
        self, report: Report, game: Game, states: StateBatch, sample: int, repeats: int
    ) -> None:
        self._cupy = device.probe()[0]
        self._report = report
        self._game = game
        self._states = states
        chosen = np.random.default_rng(1).permutation(len(states))[:sample]
        self._sample = states.take(np.sort(chosen))
        self._repeats = repeats
        self._limits: dict[str, float] = {}
        self._frontier, self._launcher = timed_frontier(game)

    def _timed(self, work: Callable[[], Any]) -> float:
        """Median seconds of ``work`` on the device."""
        rows = [[begun(self._cupy, work)()] for _ in range(1 + self._repeats)]
        return medians(rows)[0]

    def _timed_calls(self, call: Callable[[], Any]) -> dict[str, float]:
        """Median seconds of each kernel in a call of the frontier, and of the call itself."""
        rows, names = [], ["call"]
        for _ in range(1 + self._repeats):
            started = time.perf_counter()
            call()
            elapsed = time.perf_counter() - started
            seconds = self._launcher.seconds()
            names = ["call", *seconds]
            rows.append([elapsed, *seconds.values()])
        return dict(zip(names, medians(rows), strict=True))

    def _of_sizes(
        self, states: StateBatch, least: int, most: int, count: int | None = None
    ) -> StateBatch:
        """The first ``count`` states of a given number of answers."""
        is_chosen = (states.sizes >= least) & (states.sizes <= most)
        return states.take(np.flatnonzero(is_chosen)[:count])

    def _add(self, case: str, seconds: float, work: Work, **more: Any) -> None:
        """Add a row: the rate, and the share of each limit that it reaches."""
        row: Row = {"case": case} | more | {"seconds": _short(seconds)}
        if work.lookups:
            row |= {"lookups": work.lookups, "lookups_per_s": _short(work.lookups / seconds)}
        shares = {
            name: amount / seconds / self._limits[name]
            for name, amount in work.amounts().items()
            if name in self._limits
        }
        row |= {f"of_{name}": round(share, 3) for name, share in shares.items()}
        if shares:
            nearest = max(shares, key=lambda name: shares[name])
            row["nearest"] = nearest if shares[nearest] >= 0.4 else "none of these"
        self._report.add("kernels", row)

    def limits(self) -> None:
        """Measure what this device can do at most, per second."""
        cupy = self._cupy
        source, target = (cupy.empty(COPY_BYTES, np.uint8) for _ in range(2))
        source.fill(1)
        seconds = self._timed(lambda: cupy.copyto(target, source))
        self._limit("memory", 2 * COPY_BYTES / seconds, "bytes copied, read and written")
        threads = LIMIT_THREADS
        runtime = cupy.cuda.runtime
        blocks = 16 * runtime.deviceGetAttribute(runtime.cudaDevAttrMultiProcessorCount, 0)
        result = cupy.empty(blocks * threads, np.uint32)
        code = Path(__file__).with_name("limits.cu").read_text("utf-8")
        module = cupy.RawModule(code=code, options=("-std=c++17",))

        def run(name: str, *arguments: Any, shared_bytes: int = 0) -> float:
            kernel = module.get_function(name)
            given = (*arguments, result)
            return self._timed(
                lambda: kernel((blocks, 1), (threads,), given, shared_mem=shared_bytes)
            )

        steps = np.int32(LIMIT_STEPS)
        each = LIMIT_STEPS * blocks * threads
        seconds = run("integer_limit", steps, np.uint32(1))
        self._limit("integer", 8 * each / seconds, "logic instructions of a thread")
        seconds = run("shared_limit", steps, np.uint32(1), shared_bytes=32 * threads)
        self._limit("shared", 16 * each / seconds, "accesses of a thread to shared memory")
        rounds = 100
        words = cupy.ones(CACHE_BYTES // 4, np.uint32)
        seconds = run("cache_limit", words, np.int32(CACHE_BYTES // 16), np.int32(rounds))
        self._limit("cache", rounds * CACHE_BYTES / seconds, "bytes read from the second level")

    def _limit(self, name: str, per_second: float, what: str) -> None:
        self._limits[name] = per_second
        self._report.add("limits", {"case": name, "per_s": _short(per_second), "what": what})

    def best(self) -> None:
        """Time best_guess by LOWER_BOUND on all states."""
        self._best_of(self._states, LOWER_BOUND, None, "all states")

    def other_best(self) -> None:
        """Time best_guess by other criteria and in other block sizes, on the sample."""
        for by in Criterion:
            self._best_of(self._sample, by, None, "sample")
        for threads in BLOCK_THREADS:
            self._best_of(self._sample, LOWER_BOUND, threads, "sample")

    def _best_of(self, states: StateBatch, by: Criterion, threads: int | None, which: str) -> None:
        evaluator = cuda.CudaBackend(threads).open(self._game)
        launches = evaluator.best_launches(states, by)
        self._launches(f"best_guess, {by.value}, {which}", states, launches, threads, by)

    def stats(self) -> None:
        """Time partition_stats on a part of the sample."""
        states = self._sample.chunk(0, min(len(self._sample), STATS_STATES))
        launches = cuda.CudaBackend().open(self._game).stats_launches(states)
        self._launches("partition_stats, sample", states, launches, None)

    def _launches(
        self,
        case: str,
        states: StateBatch,
        launches: list[cuda.Launch],
        threads: int | None,
        by: Criterion | None = None,
    ) -> None:
        """Add a row for each launch, and one for all of them."""
        total, seconds = Work(), 0.0
        for launch in launches:
            where = f"{case}, {launch.method}, threads {threads or 'tuned'}"
            if launch.method == "COUNTS_GLOBAL":
                self._report.add(
                    "kernels", {"case": where, "result": "left out: counters beyond shared memory"}
                )
                continue
            sizes = states.sizes[launch.rows]
            work = work_of(launch.method, sizes, self._game, is_lower_bound=by is LOWER_BOUND)
            if by is None:
                work.memory += stats_bytes(sizes, self._game)
            elapsed = self._timed(launch.run)
            self._add(where, elapsed, work, states=len(sizes), threads=launch.threads)
            total, seconds = total + work, seconds + elapsed
        if len(launches) > 1 and seconds:
            self._add(f"{case}, threads {threads or 'tuned'}", seconds, total, states=len(states))

    def bound_states(self) -> None:
        """bound_states on all states; the look-ups are known where nothing stops it early."""
        ends = [1, 17, SEPARATED_MOST + 1, 256, MOST]
        for case, least, end in zip(
            ("1 to 16 answers", "17 to 32 answers", "33 to 255 answers", "above"),
            ends[:-1], ends[1:], strict=True,
        ):  # fmt: skip
            some = self._of_sizes(self._states, least, end - 1)
            if len(some) == 0:  # in a small game
                continue
            count = partial(self._frontier.bound_states, some, np.zeros(len(some), np.int64))
            seconds = self._timed_calls(count)
            is_exact = least > SEPARATED_MOST
            work = work_of("SEEN", some.sizes, self._game) if is_exact else Work()
            row = {
                "states": len(some),
                "states_per_s": _short(len(some) / seconds["bound_states"]),
                "call_s": _short(seconds["call"]),
            }
            self._add(f"bound_states, {case}", seconds["bound_states"], work, **row)

    def refute(self) -> None:
        """bound_guesses on states of the sample, as a search asks: by the first guess's value."""
        batch = self._of_sizes(self._sample, SMALL_STATES_MOST + 1, MOST, REFUTED_STATES)
        if len(batch) == 0:  # in a small game
            return
        lists = self._frontier.collapse(batch)
        entries = len(self._frontier.entries(lists).guess)
        attempts = StateSearches(lists, np.full(len(batch), INFEASIBLE))
        attempts.search(open_solver(self._game).machine.attempt, np.arange(len(batch)))

        def refute() -> int:
            # again each time, since lists remember what was counted
            lists = self._frontier.collapse(batch)
            return sum(
                len(self._frontier.refute(lists, attempts.cutoffs, window).guess)
                for window in attempts.windows()
            )

        seconds = self._timed_calls(refute)
        row = {
            "states": len(batch),
            "guesses": entries,
            "guesses_per_s": _short(entries / seconds["bound_guesses"]),
            "survivors": refute(),
            "call_s": _short(seconds["call"]),
        }
        case = f"bound_guesses, sample above {SMALL_STATES_MOST} answers"
        self._add(case, seconds["bound_guesses"], Work(), **row)

    def patterns(self) -> None:
        """Time the matrix, with its copy to the host."""
        seconds = self._timed(partial(cuda.CudaBackend().build_patterns, self._game.words))
        values = self._game.patterns.values
        work = Work(lookups=values.size, memory=values.nbytes)
        self._add("build_patterns, with the copy to the host", seconds, work)

    def split(self) -> None:
        """Time splits: the root by all guesses, states of up to 255 answers by one each."""
        root = StateBatch.whole(self._game.answer_count)
        some = self._of_sizes(self._sample, 1, 255)
        rng = np.random.default_rng(2)
        cases = {
            "root by 2,000 guesses": (root, np.zeros(2000, np.int32)),
            "sample to 255 answers": (some, np.arange(len(some), dtype=np.int32)),
        }
        for case, (batch, state) in cases.items():
            guess = rng.integers(self._game.guess_count, size=len(state)).astype(np.int32)
            seconds = self._timed_calls(partial(self._frontier.split, batch, state, guess))
            row = {"pairs": len(state), "call_s": _short(seconds["call"])}
            self._add(f"split, {case}", seconds["split"], split_work(batch.sizes[state]), **row)

    def collapse(self) -> None:
        """The kernels collapse and copy_columns, of the root, and of states of different sizes."""
        cases = {
            "root": StateBatch.whole(self._game.answer_count),
            "65 to 255 answers": self._of_sizes(self._states, 65, 255, 1000),
            "above": self._of_sizes(self._states, 256, MOST, 100),
        }
        for case, batch in cases.items():
            if len(batch) == 0:  # the game is small
                continue
            collapse = partial(self._frontier.collapse, batch)
            seconds = self._timed_calls(collapse)
            method = "LABELS16" if batch.sizes.max() <= 255 else "LABELS32"
            work = work_of(method, batch.sizes, self._game)
            row = {
                "states": len(batch),
                "call_s": _short(seconds["call"]),
                "keep_s": _short(seconds["keep"]),
            }
            self._add(f"collapse, {case}", seconds["collapse"], work, **row)
            copied = copy_work(batch.sizes, np.diff(self._frontier.entries(collapse()).indptr))
            self._add(f"copy_columns, {case}", seconds["copy_columns"], copied, states=len(batch))

    def joint(self) -> None:
        """Time joint parts and entropy of some first guesses and every second one."""
        guesses = np.arange(self._game.guess_count, dtype=np.int32)
        first = np.random.default_rng(3).permutation(guesses)[:JOINT_PARTITIONS]
        labels = labels_of(self._game.patterns, first)
        counter = cuda.CudaBackend().open_joint(self._game, guesses)
        work = Work(lookups=labels.size * len(guesses))
        for case, count in (("parts", counter.parts), ("entropy", counter.entropy)):
            seconds = self._timed(partial(count, labels))
            row = {"partitions": len(labels), "with": "copies to and from the device"}
            self._add(f"joint {case}", seconds, work, **row)

    def cpu(self) -> None:
        """Time the CPU backend on the same work: best guesses by LOWER_BOUND."""
        most = int(CPU_LOOKUPS / self._game.guess_count)
        stop = int(np.searchsorted(self._sample.indptr, most))
        part = self._sample.chunk(0, min(len(self._sample), max(1, stop)))
        backend = CpuBackend()
        evaluator = backend.open(self._game)
        evaluator.best(part.chunk(0, 1), LOWER_BOUND)  # compiles
        started = time.perf_counter()
        evaluator.best(part, LOWER_BOUND)
        seconds = time.perf_counter() - started
        work = Work(lookups=int(part.sizes.sum()) * self._game.guess_count)
        case = f"best by lower_bound, sample, {backend.device}"
        self._add(case, seconds, work, states=len(part))


def _short(value: float) -> float:
    """Return the number with four significant digits."""
    return float(f"{value:.4g}")


if __name__ == "__main__":
    sys.exit(main())
