"""Measure the CUDA kernels on this machine's device.

    python scripts/bench_gpu.py [--out results/gpu]

One call compares the backends with ``==``, measures the device's own limits (a memory copy; a
kernel of nothing but integer instructions) and times each kernel with CUDA events, as the median of
many runs after a warm-up, in several block sizes. The batch is made of the states after one random
guess. The CPU backend runs beside it. ``bench.json`` and ``bench.md`` go to the folder given.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import gpu_wordle
from gpu_wordle.backends import cuda, device, load_game
from gpu_wordle.backends.check import CheckBackend
from gpu_wordle.backends.cpu import CpuBackend
from gpu_wordle.game import Game
from gpu_wordle.partition import Criterion
from gpu_wordle.states import StateBatch

BLOCK_THREADS = (None, 32, 64, 128, 256, 512)  # None: the tuned sizes
COPY_BYTES = 1 << 30
CPU_LOOKUPS = 4e9  # about a second or two on a few cores
BEST_BYTES_PER_STATE = 20

# Instructions for the integer units a look-up of best_guess by LOWER_BOUND, counted in the machine
# code for sm_90 (the main loop; for PAIRS at n = 16): what the share of the integer limit rests on.
INTEGER_INSTRUCTIONS = {"PAIRS": 8.9, "COUNTS8": 5.7, "COUNTS16": 6.2, "COUNTS_GLOBAL": 6.2}

# 16 integer instructions a step: eight independent chains of an exclusive or and a sum.
INTEGER_SOURCE = """
extern "C" __global__ void integer_limit(int steps, unsigned seed, unsigned *result)
{
    unsigned x[8];
    for (int i = 0; i < 8; i++)
        x[i] = threadIdx.x * 8 + i;
    for (int s = 0; s < steps; s++)
#pragma unroll
        for (int i = 0; i < 8; i++)
            x[i] = (x[i] ^ seed) + x[(i + 1) % 8];
    unsigned sum = 0;
    for (int i = 0; i < 8; i++)
        sum ^= x[i];
    result[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
"""
INTEGER_PER_STEP = 16


def main() -> int:
    """Run everything; 1 if there is no device."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--out", type=Path, default=Path("results/gpu"))
    parser.add_argument("--states", type=int, default=100_000)
    parser.add_argument("--repeats", type=int, default=20)
    options = parser.parse_args()
    if why_not := device.unavailable():
        print(f"nothing measured: {why_not}", file=sys.stderr)
        return 1
    import cupy

    game = load_game(cache=False)
    batch = depth_one_states(game, options.states)
    check_backends(game, batch)
    report = {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "program_version": gpu_wordle.__version__,
        "cupy": cupy.__version__,
        "device": cuda.CudaBackend().device,
        "cpu": CpuBackend().device,
        "words_sha256": game.words.sha256,
        "states": len(batch),
        "lookups": lookups(batch, game),
        "repeats": options.repeats,
        "limits": measure_limits(cupy, options.repeats),
        "patterns": measure_patterns(cupy, game, options.repeats),
        "cpu_lookups_per_s": measure_cpu(game, batch),
    }
    report["best_guess"] = measure_best(cupy, game, batch, options.repeats, report["limits"])
    report["partition_stats"] = measure_stats(cupy, game, batch, options.repeats)
    options.out.mkdir(parents=True, exist_ok=True)
    (options.out / "bench.json").write_text(json.dumps(report, indent=2) + "\n")
    text = as_markdown(report)
    (options.out / "bench.md").write_text(text)
    print(text)
    return 0


def depth_one_states(game: Game, count: int) -> StateBatch:
    """The first ``count`` states behind random first guesses, every part of each."""
    sets: list[Any] = []
    for guess in np.random.default_rng(1).permutation(game.guess_count):
        patterns = game.patterns.values[:, guess]
        order = np.argsort(patterns, kind="stable")
        ends = np.flatnonzero(np.diff(patterns[order])) + 1
        sets += np.split(order, ends)
        if len(sets) >= count:
            break
    return StateBatch.from_sets(sets[:count], game.answer_count)


def lookups(batch: StateBatch, game: Game) -> int:
    """(guess, answer) pairs that a batch looks up."""
    return int(batch.sizes.sum()) * game.guess_count


def check_backends(game: Game, batch: StateBatch) -> None:
    """Every kernel against the CPU backend, in every block size; JobError at a difference."""
    sample = batch.chunk(0, min(len(batch), 300))
    root = StateBatch.whole(game.answer_count)
    for threads in BLOCK_THREADS:
        backend = CheckBackend(cuda.CudaBackend(threads), CpuBackend())
        backend.build_patterns(game.words)
        evaluator = backend.open(game)
        for states in (sample, root):
            evaluator.stats(states)
            for by in Criterion:
                evaluator.best(states, by)


def time_on_device(cupy: Any, work: Callable[[], Any], repeats: int) -> float:
    """Median seconds of ``work`` between two events, after two runs to warm up."""
    work()
    work()
    times = []
    for _ in range(repeats):
        start, stop = cupy.cuda.Event(), cupy.cuda.Event()
        start.record()
        work()
        stop.record()
        stop.synchronize()
        times.append(cupy.cuda.get_elapsed_time(start, stop) / 1000)
    return statistics.median(times)


def measure_limits(cupy: Any, repeats: int) -> dict[str, float]:
    """Bytes/s of a copy (read and written), and integer instructions/s, of this device."""
    source, target = (cupy.empty(COPY_BYTES, np.uint8) for _ in range(2))
    copy_s = time_on_device(cupy, lambda: cupy.copyto(target, source), repeats)
    kernel = cupy.RawModule(code=INTEGER_SOURCE).get_function("integer_limit")
    blocks = 16 * int(cupy.cuda.Device().attributes["MultiProcessorCount"])
    threads, steps = 256, 20_000
    result = cupy.empty(blocks * threads, np.uint32)
    arguments = (np.int32(steps), np.uint32(1), result)
    integer_s = time_on_device(cupy, lambda: kernel((blocks, 1), (threads,), arguments), repeats)
    return {
        "copy_bytes_per_s": 2 * COPY_BYTES / copy_s,
        "integer_per_s": INTEGER_PER_STEP * steps * blocks * threads / integer_s,
    }


def measure_patterns(cupy: Any, game: Game, repeats: int) -> list[dict[str, Any]]:
    """Pairs/s of building the matrix, its copy to the host included."""
    pairs = game.answer_count * game.guess_count
    rows = []
    for threads in BLOCK_THREADS:
        backend = cuda.CudaBackend(threads)
        seconds = time_on_device(cupy, partial(backend.build_patterns, game.words), repeats)
        rows.append({"threads": threads, "seconds": seconds, "pairs_per_s": pairs / seconds})
    return rows


def measure_best(
    cupy: Any, game: Game, batch: StateBatch, repeats: int, limits: dict[str, float]
) -> list[dict[str, Any]]:
    """Each launch of best_guess: by LOWER_BOUND in all block sizes, else in the tuned ones."""
    rows = []
    for by, threads in [(by, None) for by in Criterion] + [
        (Criterion.LOWER_BOUND, threads) for threads in BLOCK_THREADS[1:]
    ]:
        launches = cuda.CudaBackend(threads).open(game).best_launches(batch, by)
        for launch in launches:
            row = measure_launch(cupy, game, batch, launch, repeats)
            row |= {"criterion": by.value, "is_tuned": threads is None}
            if by is Criterion.LOWER_BOUND:
                moved = row["lookups"] + BEST_BYTES_PER_STATE * row["states"]
                integer = row["lookups"] * INTEGER_INSTRUCTIONS[launch.method]
                shares = {
                    "memory": moved / row["seconds"] / limits["copy_bytes_per_s"],
                    "integer": integer / row["seconds"] / limits["integer_per_s"],
                }
                nearer = max(shares, key=lambda limit: shares[limit])
                row |= {"shares": shares, "binds": nearer if shares[nearer] > 0.5 else "latency"}
            rows.append(row)
    return rows


def measure_stats(cupy: Any, game: Game, batch: StateBatch, repeats: int) -> list[dict[str, Any]]:
    """Each launch of partition_stats on the states whose [B, G] results fit comfortably."""
    part = batch.chunk(0, min(len(batch), 10_000))
    launches = cuda.CudaBackend().open(game).stats_launches(part)
    return [measure_launch(cupy, game, part, launch, repeats) for launch in launches]


def measure_launch(
    cupy: Any, game: Game, batch: StateBatch, launch: cuda.Launch, repeats: int
) -> dict[str, Any]:
    """Look-ups/s of one launch."""
    count = int(batch.sizes[launch.rows].sum()) * game.guess_count
    seconds = time_on_device(cupy, launch, repeats)
    return {
        "method": launch.method,
        "threads": launch.threads,
        "states": len(launch.rows),
        "lookups": count,
        "seconds": seconds,
        "lookups_per_s": count / seconds,
    }


def measure_cpu(game: Game, batch: StateBatch) -> float:
    """Look-ups/s of the CPU backend, best guesses by LOWER_BOUND, after a run to compile."""
    per_state = lookups(batch, game) / len(batch)
    part = batch.chunk(0, min(len(batch), max(1, int(CPU_LOOKUPS / per_state))))
    evaluator = CpuBackend().open(game)
    evaluator.best(part.chunk(0, 1), Criterion.LOWER_BOUND)
    start = time.perf_counter()
    evaluator.best(part, Criterion.LOWER_BOUND)
    return lookups(part, game) / (time.perf_counter() - start)


def as_markdown(report: dict[str, Any]) -> str:
    """The report for people."""
    tuned_s = sum(
        row["seconds"]
        for row in report["best_guess"]
        if row["is_tuned"] and row["criterion"] == Criterion.LOWER_BOUND.value
    )
    rate = report["lookups"] / tuned_s
    limits = report["limits"]
    lines = [
        f"# Kernels on {report['device']}",
        "",
        f"{report['date']}, gpu-wordle {report['program_version']}, CuPy {report['cupy']}; made by "
        "`python scripts/bench_gpu.py`. All kernels agreed with the CPU backend in every block "
        f"size. Times are medians of {report['repeats']} runs between CUDA events.",
        "",
        f"Best guesses of {report['states']:,} states after one random guess "
        f"({report['lookups']:.3g} look-ups): **{rate:.3g} look-ups/s**; the CPU backend in the "
        f"same run ({report['cpu']}): {report['cpu_lookups_per_s']:.3g}.",
        "",
        f"The device's own limits, measured: copy {limits['copy_bytes_per_s']:.3g} bytes/s (read "
        f"and written), {limits['integer_per_s']:.3g} integer instructions/s.",
        "",
        "## best_guess",
        "",
        "| criterion | method | threads | states | look-ups | look-ups/s | memory | integer |",
        "|---|---|---:|---:|---:|---:|---:|---:|",
    ]
    for row in report["best_guess"]:
        shares = row.get("shares", {})
        cells = [
            f"{shares[name]:.0%}" + (" (binds)" if row["binds"] == name else "") if shares else ""
            for name in ("memory", "integer")
        ]
        lines.append(f"| {row['criterion']} {_launch_cells(row)} {' | '.join(cells)} |")
    lines += [
        "",
        "Memory and integer are shares of the limits above: one byte a look-up, and the "
        "instructions counted in the machine code for sm_90. Where both are below a half, neither "
        "binds but the latency of the counting.",
        "",
        "## partition_stats",
        "",
        "| method | threads | states | look-ups | look-ups/s |",
        "|---|---:|---:|---:|---:|",
        *(_launch_cells(row).strip() for row in report["partition_stats"]),
        "",
        "## build_patterns, with the copy to the host",
        "",
        "| threads | pairs/s |",
        "|---:|---:|",
        *(f"| {r['threads'] or 'tuned'} | {r['pairs_per_s']:.3g} |" for r in report["patterns"]),
    ]
    return "\n".join(lines) + "\n"


def _launch_cells(row: dict[str, Any]) -> str:
    return (
        f"| {row['method']} | {row['threads']} | {row['states']:,} "
        f"| {row['lookups']:.3g} | {row['lookups_per_s']:.3g} |"
    )


if __name__ == "__main__":
    sys.exit(main())
