"""Time the batched search on a GPU by each of its tunables, one at a time, without recompiling.

    python scripts/gpu/sweep.py [--out FOLDER] [--openers N] [--limit SECONDS] [--seconds SECONDS]

Every row is the ranking's search of ``--openers`` of all ranks, with their strategies, around an
empty table: with the values of tunables.py first, then with one of them changed; ``--only`` names
which. Rows that say how long a warm-up took pay for compiling, so that no other does. A setting
that needs more than ``--limit`` is stopped, and its row says how many openers it came to;
``--seconds`` limits all rows. The same call again measures what the folder lacks. ``--backend cpu``
tries the script itself out where there is no GPU; ``--answers`` and ``--guesses`` take a part of
the game. report.py says what is written.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from gpu_wordle.backends.cpu.frontier import CpuFrontier
from gpu_wordle.backends.cuda import lists
from gpu_wordle.backends.cuda.frontier import CudaFrontier
from gpu_wordle.game.game import Game
from gpu_wordle.solver import BatchedPool, SolverPool, TranspositionTable
from gpu_wordle.solver.batched_pool import Limits
from gpu_wordle.tunables import (
    DEVICE_DRIVERS,
    GROUP_OPENERS,
    GROUPS_IN_FLIGHT,
    INTERLEAVED_STATES,
    MAX_LEFT_TO_CPU,
)
from scripts.bench import common
from scripts.gpu.check import PART_OF_GAME, Clocked, clocked, part_of_game, run_job
from scripts.gpu.report import Report, Row

WARM_UP_OPENERS = 40
SWEPT = {
    "drivers": (1, 3, 4),
    "in_flight": (2, 8, 16),
    "group": (128, 256, 1024),
    "small": (32, 48, 128, 255),
    "threads": (64, 256),
    "interleaved": (4, 128),
}
"""Values of each field of a Setting beside the usual one."""


@dataclass(frozen=True)
class Setting:
    """Values of the tunables; ``threads`` of a block are None if each kernel has its own."""

    drivers: int = DEVICE_DRIVERS
    in_flight: int = GROUPS_IN_FLIGHT
    group: int = GROUP_OPENERS
    small: int = MAX_LEFT_TO_CPU
    threads: int | None = None
    interleaved: int = INTERLEAVED_STATES

    def __str__(self) -> str:
        return (
            f"drivers {self.drivers}, groups in flight {self.in_flight}, group {self.group}, "
            f"left to the CPU up to {self.small}, threads {self.threads or 'tuned'}, "
            f"interleaved {self.interleaved}"
        )

    def pool(
        self, backend: str, game: Game, table: TranspositionTable
    ) -> tuple[SolverPool, Clocked]:
        """Return a pool with this setting."""
        (CpuFrontier if backend == "cpu" else CudaFrontier).drivers = self.drivers
        lists.INTERLEAVED_STATES = self.interleaved
        frontier = clocked(backend, game, self.threads)
        limits = Limits(self.small, self.group, self.in_flight)
        return BatchedPool(game, frontier, table=table, limits=limits), frontier


def main() -> int:
    """Time the settings; 1 if anything failed."""
    options = common.options(
        __doc__, **PART_OF_GAME, openers=2600, limit=35.0, seconds=500.0, only=SWEPT
    )
    end = time.monotonic() + options.seconds
    report = Report(options.out)
    game = part_of_game(options.lists, options.guesses, options.answers)
    usual = Setting()
    changed = [replace(usual, **{name: value}) for name in options.only for value in SWEPT[name]]
    warm = set()

    def limit() -> float:
        return min(options.limit, end - time.monotonic())

    for setting in (usual, *changed):
        if report.has("sweep", case := f"{options.lists}, {options.backend}, {setting}"):
            continue
        timed = partial(run_job, game, partial(setting.pool, options.backend, game))
        if setting.threads not in warm:  # kernels are compiled for a number of threads
            warm.add(setting.threads)
            name = f"warm-up, {options.backend}, threads {setting.threads or 'tuned'}"
            report.attempt(
                "sweep", name, partial(timed, of_all_ranks(WARM_UP_OPENERS), None, limit)
            )
        report.attempt("sweep", case, partial(timed, of_all_ranks(options.openers), None, limit))
    return int(report.has_failed)


def of_all_ranks(count: int) -> Callable[[Game, SolverPool], Row]:
    """Return the job of solving ``count`` openers, each with a strategy."""

    def solve(game: Game, pool: SolverPool) -> Row:
        chosen = range(0, game.guess_count, max(1, game.guess_count // count))[:count]
        found = [each for _, each in pool.solve_guesses(pool.game.start(), chosen, tree=True)]
        totals = [each.lower for each in found if each.is_exact and not each.is_infeasible]
        return {"result": f"{len(found):,} of {len(chosen):,} openers", "totals": sum(totals)}

    return solve


if __name__ == "__main__":
    sys.exit(main())
