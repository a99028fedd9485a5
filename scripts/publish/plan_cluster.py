"""Plan rankings on clusters of 1 to 10,000 cores, from measured seconds of openers.

    python scripts/publish/plan_cluster.py [--cores 1 10 100 ...] [--seeds N] [--units-left N]
                                           [--out FOLDER] [--plot FILE]
    python scripts/publish/plan_cluster.py --measure [--openers N]

Units are cut by the package's own ``Cutter``, and late ones are given to a second worker, as in
``Dispatch``. Each worker has one core. Everything else is drawn or measured:

- the seconds of each opener, from ``results/``, where a table was shared and warm;
- the warm-up of a table: an opener takes longer at a worker that has done few. ``--measure`` finds
  by how much: it times openers in the order of a ranking, from an empty table;
- a worker takes START_S until its first unit, and its owner OWNER_S for each answer;
- a worker fails every FAILS_AFTER_H hours on average, loses its unit and takes START_S again;
- one worker in a hundred is SLOW times slower than the others.

Efficiency is the warm seconds of all openers, divided by cores times wall time. A core-hour costs
PRICE.
"""

from __future__ import annotations

import heapq
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.backends import load_game
from gpu_wordle.cluster import cutting
from gpu_wordle.cluster.cutting import Cutter
from gpu_wordle.cluster.dispatch import LATE_FACTOR, LATE_SECONDS
from gpu_wordle.cluster.pool import GROWTH, MAX_EXPONENT
from gpu_wordle.report.pictures import sheet
from gpu_wordle.solver import open_solver
from gpu_wordle.store import Contents, load
from gpu_wordle.tunables import SAME_PROMISE, UNIT_SECONDS
from scripts import ROOT
from scripts.bench.common import options, report

CORES = [1, 2, 10, 30, 100, 300, 1_000, 3_000, 10_000]

START_S = 15.0
"""Seconds until a worker has joined, loaded machine code, and built or mapped the patterns."""
OWNER_S = 0.002
"""Seconds that the owner takes for an answer."""
FAILS_AFTER_H = 24.0
SLOW_SHARE, SLOW = 0.01, 4.0
PRICE = 0.04
"""Dollars for a core-hour. Prices of rented machines differ by a factor of five."""

MEASURED = (1, 12)
"""Chunks of the ranking whose openers are measured."""

ALL_WORDS_H = 100.0
"""Core-hours of ranking with all 12,972 words as answers: an estimate, not measured."""

WARM_UP = {1: 1.6, 4: 1.3, 16: 1.2, 64: 1.15, 256: 1.0}
"""Factor on the warm seconds of an opener, by the number of openers its worker has begun.

Between the given numbers it is interpolated by their logarithms. See ``results/bench/cluster.md``.
"""


@dataclass(frozen=True)
class Job:
    """A planned ranking.

    Attributes:
        name: its name.
        seconds: those of each opener, in the order of the ranking, on one warm core.
        weights: the owner's estimate for each opener.
    """

    name: str
    seconds: NDArray[np.float64]
    weights: NDArray[np.float64]


def jobs() -> list[Job]:
    """Return the original ranking, that of July 2023, and that of all words."""
    original = job_of("original", "openers-original-normal.h5")
    scale = 3600 * ALL_WORDS_H / original.seconds.sum()
    return [
        original,
        job_of("July 2023", "openers-nyt-2023.h5"),
        Job("all words", original.seconds * scale, original.weights),
    ]


def chunks_of(contents: Contents) -> list[list[int]]:
    """The openers of a file in the order of a ranking: by bounds, and in chunks by letters."""
    words = contents.values("words/guesses").tolist()
    order = np.argsort(contents.values("statistics/lower_bound"), kind="stable")
    chunks = np.array_split(order, math.ceil(len(order) / SAME_PROMISE))
    return [sorted(chunk.tolist(), key=lambda g: (sorted(words[g]), g)) for chunk in chunks]


def job_of(name: str, file: str) -> Job:
    """A ranking as its file has it; what was not solved takes as long as others of its bound."""
    contents = load(ROOT / "results" / file)
    bound = contents.values("statistics/lower_bound").astype(float)
    seconds = contents.values("openers/seconds").copy()
    by_bound = np.argsort(bound, kind="stable")
    is_known = seconds[by_bound] > 0
    means = np.convolve(  # of 50 neighbours among those that are known
        np.pad(seconds[by_bound][is_known], 25, mode="edge"), np.full(51, 1 / 51), mode="valid"
    )
    guessed = np.interp(np.arange(len(by_bound)), np.flatnonzero(is_known), means)
    seconds[by_bound[~is_known]] = guessed[~is_known]
    order = np.concatenate(chunks_of(contents))
    answers = len(contents.values("words/answers"))
    weights = np.exp(np.minimum(GROWTH * (bound - bound.min()) / answers, MAX_EXPONENT))
    return Job(name, seconds[order], weights[order])


Tasks = tuple[int, ...]


class Plan:
    """A ranking on a number of cores, simulated event by event.

    Args:
        job: the ranking.
        cores: workers, of one core each.
        seed: seed of all random events.
    """

    def __init__(self, job: Job, cores: int, seed: int = 0) -> None:
        self.job = job
        self.cores = cores
        self._rng = np.random.default_rng(seed)
        self._cutter: Cutter[int] = Cutter(
            iter(range(len(job.seconds))), job.weights.__getitem__, job.weights.sum(), UNIT_SECONDS
        )
        counts = np.arange(1, len(job.seconds) + 1)
        self._factors = np.interp(np.log(counts), np.log(list(WARM_UP)), list(WARM_UP.values()))
        self._slowness = np.where(self._rng.random(cores) < SLOW_SHARE, SLOW, 1.0)
        self._done = [0] * cores  # number of openers that each worker's table has seen
        self._out: dict[int, tuple[float, Tasks]] = {}
        self._given_twice: set[Tasks] = set()
        self._again: list[Tasks] = []
        self._idle: list[int] = []
        self._events: list[tuple[float, int, str]] = []
        self._settled = np.zeros(len(job.seconds), bool)
        self.units = self.failures = self.late = 0

    def run(self) -> float:
        """Return the seconds until the last opener is known."""
        starts = START_S * (0.5 + self._rng.random(self.cores))
        self._events = [(start, worker, "free") for worker, start in enumerate(starts.tolist())]
        self._events.append((LATE_SECONDS, -1, "look"))
        heapq.heapify(self._events)
        left, owner_free = len(self.job.seconds), 0.0
        while True:
            now, worker, kind = heapq.heappop(self._events)
            if kind == "look":
                self._hurry(now)
                heapq.heappush(self._events, (now + 1.0, -1, "look"))
                continue
            if kind == "back":
                now = owner_free = max(owner_free, now) + OWNER_S
                left -= self._take_back(worker, now)
                if not left:
                    return now
            elif kind == "failed":
                self._again.append(self._out.pop(worker)[1])
                self._done[worker] = 0
                self.failures += 1
                heapq.heappush(self._events, (now + START_S, worker, "free"))
                continue
            tasks = self._again.pop() if self._again else self._cutter.next(self.cores)
            if tasks:
                self._begin(worker, tasks, now)
            else:
                self._idle.append(worker)

    def _take_back(self, worker: int, now: float) -> int:
        """Record a unit; return how many of its openers are new."""
        sent, tasks = self._out.pop(worker)
        self._done[worker] += len(tasks)
        self._cutter.learn(tasks, now - sent)
        self.units += 1
        fresh = [task for task in tasks if not self._settled[task]]
        self._settled[fresh] = True
        return len(fresh)

    def _begin(self, worker: int, tasks: Tasks, now: float) -> None:
        """Let a worker do a unit, unless it fails meanwhile."""
        place = np.arange(self._done[worker], self._done[worker] + len(tasks))
        factors = self._factors[np.minimum(place, len(self._factors) - 1)]
        warm = self.job.seconds[list(tasks)]
        takes = float((warm * factors).sum()) * self._slowness[worker]
        lives = self._rng.exponential(FAILS_AFTER_H * 3600)
        self._out[worker] = now, tasks
        event = (takes, "back") if takes < lives else (lives, "failed")
        heapq.heappush(self._events, (now + event[0], worker, event[1]))

    def _hurry(self, now: float) -> None:
        """Give late or failed units to idle workers, like Dispatch."""
        if not self._idle:
            return
        waiting = [(tasks, False) for tasks in self._again]
        self._again.clear()
        for sent, tasks in self._out.values():
            patience = max(LATE_SECONDS, LATE_FACTOR * self._cutter.expected(tasks))
            if now - sent > patience and tasks not in self._given_twice:
                waiting.append((tasks, True))
        for tasks, is_late in waiting:
            if not self._idle:
                self._again += [] if is_late else [tasks]
                continue
            if is_late:
                self._given_twice.add(tasks)
                self.late += 1
            self._begin(self._idle.pop(), tasks, now)


def planned(cores: list[int], seeds: int) -> list[dict[str, Any]]:
    """Return a row for each ranking and number of cores: medians over some seeds."""
    rows = []
    for job in jobs():
        for count in cores:
            plans = [Plan(job, count, seed) for seed in range(seeds)]
            seen = [(plan.run(), plan.units, plan.failures, plan.late) for plan in plans]
            wall, units, failures, late = np.median(seen, axis=0).tolist()
            hours = count * wall / 3600
            rows.append({
                "ranking": job.name,
                "cores": count,
                "wall_s": round(wall, 1),
                "efficiency": round(float(job.seconds.sum()) / (count * wall), 3),
                "core_hours": round(hours, 2),
                "dollars": round(PRICE * hours, 2),
                "units": int(units),
                "failures": int(failures),
                "late": int(late),
            })  # fmt: skip
    return rows


def measure(openers: int) -> None:
    """Print how much longer openers take from an empty table than in the published ranking."""
    game = load_game("original")
    published = load(ROOT / "results" / "openers-original-normal.h5")
    seconds, chunks = published.values("openers/seconds"), chunks_of(published)
    edges = 2 ** np.arange(10)
    sums = np.zeros((len(edges), 2))
    for place in MEASURED:
        solver = open_solver(game)
        for n, guess in enumerate(chunks[place][:openers], start=1):
            result = solver.solve(game.start(), guess, tree=True)
            at = int(np.searchsorted(edges, n, side="right")) - 1
            sums[at] += result.stats.seconds, seconds[guess]
        print(f"chunk {place}: openers from the n-th on, seconds here, as published, their ratio")
        for edge, (here, there) in zip(edges, sums, strict=True):
            if there:
                print(f"{edge:4d} {here:8.3f} {there:8.3f} {here / there:.2f}", flush=True)


def plot(rows: list[dict[str, Any]], path: Path) -> None:
    """Draw efficiency and wall time over cores."""
    figure = sheet((9, 4))
    left, right = figure.subplots(1, 2)
    for name in dict.fromkeys(row["ranking"] for row in rows):
        some = [row for row in rows if row["ranking"] == name]
        for axes, key in ((left, "efficiency"), (right, "wall_s")):
            cores, values = zip(*((row["cores"], row[key]) for row in some), strict=True)
            axes.plot(cores, values, marker=".", label=name)
    for axes, title in ((left, "efficiency"), (right, "wall time, seconds")):
        axes.set_xscale("log")
        axes.set_xlabel("cores")
        axes.set_title(title)
    left.set_ylim(0, 1.05)
    right.set_yscale("log")
    left.legend()
    figure.savefig(path)


def main() -> None:
    """Simulate and report, or measure."""
    asked = options(
        __doc__, cores=CORES, seeds=5, units_left=cutting.UNITS_LEFT, plot=Path, measure=False,
        openers=64,
    )  # fmt: skip
    if asked.measure:
        measure(asked.openers)
        return
    cutting.UNITS_LEFT = asked.units_left
    rows = planned(asked.cores, asked.seeds)
    report("Rankings on clusters, simulated", rows, asked.out)
    if asked.plot is not None:
        plot(rows, asked.plot)


if __name__ == "__main__":
    main()
