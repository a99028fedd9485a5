"""Measure the host's work in a batched search, and the calls of its frontier, on the CPU.

python scripts/bench/batched.py [--openers N] [--out results/bench]

The same openers are searched by the ordinary pool, and by the batched one with the CPU's frontier
in place of a device. The frontier's time is not counted, except in the caller's own thread. It says
nothing about a device.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

from gpu_wordle.backends import load_game
from gpu_wordle.backends.cpu.backend import CpuBackend
from gpu_wordle.backends.frontier import GuessLists, Survivors
from gpu_wordle.solver import BatchedPool, SolverPool, TranspositionTable, by_letters
from gpu_wordle.states.batch import StateBatch
from scripts.bench.common import report

FIRST = 5000  # ranks after it are left out
TABLE_BYTES = 1 << 28


def main() -> None:
    """Measure, print, and write to --out."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--openers", type=int, default=128)
    arguments = parser.parse_args()
    game = load_game()
    guesses = by_letters(game, range(game.guess_count))[FIRST : FIRST + arguments.openers]
    frontier = Counted(CpuBackend().open_frontier(game))
    rows = [
        run("ordinary search", SolverPool(game, table=touched()), guesses),
        run("batched search", BatchedPool(game, frontier, table=touched()), guesses),
    ]
    if rows[0]["sum of totals"] != rows[1]["sum of totals"]:
        raise SystemExit("the two searches differ; please report this")
    rows += [{"what": f"asked of the frontier: {what}", "number": f"{frontier.asked[what]:,}"}
             for what in frontier.asked]  # fmt: skip
    report("What the batched search leaves to the host", rows, arguments.out)


def touched() -> TranspositionTable:
    """Return a table whose memory is already allocated by the system."""
    table = TranspositionTable(TABLE_BYTES)
    table.clear()
    return table


def run(what: str, pool: SolverPool, guesses: list[int]) -> dict[str, str]:
    """Solve some openers, and return processor times: of the pool's threads, and the caller's."""
    threads_s: list[float] = []

    def timed(work: Any) -> Any:
        def wrapped(solver: Any, task: Any) -> Any:
            started = time.thread_time()
            try:
                return work(solver, task)
            finally:
                threads_s.append(time.thread_time() - started)

        return wrapped

    submit = pool.submit
    pool.submit = lambda work, task: submit(timed(work), task)  # type: ignore[method-assign]
    with pool:
        list(pool.solve_guesses(pool.game.start(), [0]))  # loading on first use is not timed
        pool.table.clear()
        threads_s.clear()
        started = time.thread_time()
        total = sum(result.lower for _, result in pool.solve_guesses(pool.game.start(), guesses))
        caller_s = time.thread_time() - started
    return {
        "what": what,
        "openers": f"{len(guesses):,}",
        "threads, CPU s": f"{sum(threads_s):.2f}",
        "caller, CPU s": f"{caller_s:.2f}",
        "sum of totals": f"{total:,}",
    }


class Counted:
    """A frontier that counts its calls."""

    def __init__(self, frontier: Any) -> None:
        self._frontier = frontier
        self.asked: Counter[str] = Counter()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._frontier, name)

    def bound_states(self, batch: StateBatch, known: Any) -> Any:
        """Count and forward; see Frontier."""
        self.asked["states to bound"] += len(batch)
        return self._frontier.bound_states(batch, known)

    def collapse(self, batch: StateBatch) -> GuessLists:
        """Count and forward; see Frontier."""
        self.asked["states whose guesses to list"] += len(batch)
        return self._frontier.collapse(batch)

    def refute(self, lists: GuessLists, cutoff: Any, window: Any) -> Survivors:
        """Count and forward; see Frontier."""
        survivors = self._frontier.refute(lists, cutoff, window)
        bounds = self._frontier.entries(lists)
        answers = np.repeat(lists.states.sizes, np.diff(bounds.indptr))
        one_ply = 3 * answers - bounds.parts - bounds.is_candidate
        least, below = (
            np.repeat(each, np.diff(bounds.indptr))
            for each in (window.least, np.minimum(window.below, cutoff))
        )
        self.asked["guesses to refute"] += int(((least <= one_ply) & (one_ply < below)).sum())
        self.asked["survivors"] += len(survivors.guess)
        return survivors


if __name__ == "__main__":
    main()
