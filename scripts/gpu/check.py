"""Check and time the batched search on a GPU, beside all CPU cores of the same machine.

    python scripts/gpu/check.py [--out FOLDER] [--only SECTION ...] [--seconds S] [--lists NAME]
                                [--blocks THREADS ...] [--no-pool]

Three sections: ``compare`` runs evaluator and frontier of both backends on the same states in
several block sizes; ``gpu`` and ``cpu`` run an opener, the proof of the best one and the ranking of
all, in batches on the device or by CPU threads alone. A job that reaches its limit, or the end of
``--seconds`` for all of them, is stopped, and its row says how far it came. What fails is a row
too, and the rest goes on. ``--backend cpu`` tries the script itself out where there is no GPU;
``--answers`` and ``--guesses`` take a part of the game. ``--no-pool`` makes each array an
allocation of its own, for compute-sanitizer. report.py says what is written.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from gpu_wordle.backends import Backend, choose
from gpu_wordle.backends.check import checked
from gpu_wordle.backends.cpu.backend import CpuBackend
from gpu_wordle.backends.cuda.backend import CudaBackend
from gpu_wordle.backends.self_test import disagreement
from gpu_wordle.game.game import Game
from gpu_wordle.game.patterns import PatternMatrix
from gpu_wordle.game.word_list import WordList
from gpu_wordle.game.words import DEFAULT_LIST, GameWords, load_words
from gpu_wordle.ranking.ranking import Ranking
from gpu_wordle.solver import BatchedPool, SolverPool, TranspositionTable, by_letters, prove
from gpu_wordle.states.batch import StateBatch
from gpu_wordle.states.joint import labels_of
from gpu_wordle.states.partition import Criterion
from gpu_wordle.tunables import PROVE_TABLE_MIB, SOLVE_TABLE_MIB
from scripts.bench import common
from scripts.gpu.launches import TimedLauncher, timed_frontier
from scripts.gpu.report import Report, Row

BLOCK_THREADS = [0, 32, 64, 128, 256]  # 0: the tuned sizes
OPENER = "salet"
LIMITS = {"opener": 30.0, "prove": 60.0, "rank": 300.0}  # seconds
TABLE_BYTES = {"opener": SOLVE_TABLE_MIB << 20, "prove": PROVE_TABLE_MIB << 20, "rank": None}
PART_OF_GAME = {
    "backend": ("cuda", "cpu"), "lists": DEFAULT_LIST, "guesses": 1 << 20, "answers": 1 << 20
}  # fmt: skip
"""Options of where to search, and in which part of which game."""
Make = Callable[[TranspositionTable], tuple[SolverPool, "Clocked | None"]]


def main() -> int:
    """Run the sections; 1 if anything failed."""
    options = common.options(
        __doc__, **PART_OF_GAME, only=["compare", "gpu", "cpu"], seconds=500.0,
        blocks=BLOCK_THREADS, no_pool=False,
    )  # fmt: skip
    end = time.monotonic() + options.seconds
    report = Report(options.out)
    game = part_of_game(options.lists, options.guesses, options.answers)
    if options.no_pool:
        import cupy

        cupy.cuda.set_allocator(None)  # a memory pool would hide overruns inside its blocks
    if "compare" in options.only:
        for threads in options.blocks if options.backend == "cuda" else (0,):
            is_cpu = options.backend == "cpu"
            worker = CpuBackend if is_cpu else partial(CudaBackend, threads or None)
            case = f"{options.lists}, threads {threads or 'tuned'}"
            report.attempt("compare", case, partial(compare, game, worker))
    if "gpu" in options.only:
        report.attempt("jobs", f"self-test, {options.backend}", partial(tested, options.backend))

        def batched(table: TranspositionTable) -> tuple[SolverPool, Clocked]:
            frontier = clocked(options.backend, game)
            return BatchedPool(game, frontier, table=table), frontier

        run_jobs(report, game, f"{options.lists}, {options.backend}, batched", batched, end)
    if "cpu" in options.only:

        def alone(table: TranspositionTable) -> tuple[SolverPool, None]:
            return SolverPool(game, table=table), None

        run_jobs(report, game, f"{options.lists}, cpu threads", alone, end)
    return int(report.has_failed)


def tested(name: str) -> Row:
    """Time the self-test that decides whether ``auto`` may search there, twice."""
    backend = choose(name).backend
    seconds = []
    for _ in range(2):  # the first time compiles the kernels
        started = time.perf_counter()
        wrong = disagreement(backend)
        seconds.append(round(time.perf_counter() - started, 3))
    return {"result": wrong or "passed", "first_s": seconds[0], "seconds": seconds[1]}


def part_of_game(lists: str, guesses: int, answers: int) -> Game:
    """Return a game by the name of its lists, or with only some of its words."""
    words = load_words(lists)
    kept = words.answers.words[:: max(1, len(words.answers) // answers)][:answers]
    others = words.guesses.words[:: max(1, len(words.guesses) // guesses)][:guesses]
    chosen = tuple(sorted({*kept, *others}))
    part = GameWords(WordList(chosen, "guesses"), WordList(kept, "answers"))
    return Game(part, PatternMatrix(CpuBackend().build_patterns(part), part.feedback))


def compare(game: Game, make: Callable[[], Backend]) -> Row:
    """Compare every kernel with the CPU, in every way of counting; JobError at a difference."""
    backend = checked(make(), CpuBackend())
    backend.build_patterns(game.words)
    frontier = backend.open_frontier(game)
    root = StateBatch.whole(game.answer_count)
    rng = np.random.default_rng(1)
    guesses = rng.permutation(game.guess_count)[:8].astype(np.int32)
    states = frontier.split(root, np.zeros(len(guesses), np.int32), guesses).states
    frontier.bound_states(states, 2 * states.sizes - 1)
    sizes = states.sizes
    few = [np.flatnonzero((sizes > 2) & (sizes < 200))[:300], np.flatnonzero(sizes > 255)[:2]]
    some = states.take(np.concatenate(few))
    lists = frontier.collapse(some)
    frontier.entries(lists)
    for part in (64, 16):
        frontier.refute(lists, lists.bound + some.sizes // part + 1)
    frontier.split(some, np.arange(len(some), dtype=np.int32), lists.promising)

    fixed = labels_of(game.patterns, guesses)
    counter = backend.open_joint(game, np.arange(game.guess_count, dtype=np.int32))
    counter.parts(fixed)
    counter.entropy(fixed[:2])

    evaluator = backend.open(game)
    for batch in (some, root):
        evaluator.stats(batch)
        for by in Criterion:
            evaluator.best(batch, by)
    return {"result": "=="}


class Clocked:
    """A frontier that adds up the seconds and the calls of its methods.

    With the launcher of a device, it adds up the seconds of each kernel too. Those of a method hold
    what Python and copies take, and what it waited for other threads.
    """

    def __init__(self, frontier: Any, launcher: TimedLauncher | None = None) -> None:
        self._frontier, self._launcher = frontier, launcher
        self._spent: Row = {}

    def spent(self) -> Row:
        """The seconds and the calls since the beginning."""
        on_device = {} if self._launcher is None else self._launcher.seconds()
        return self._spent | {f"{name}_device_s": round(s, 6) for name, s in on_device.items()}

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._frontier, name)
        if name not in ("split", "collapse", "bound_states", "refute"):
            return method

        def timed(*arguments: Any) -> Any:
            started = time.perf_counter()
            result = method(*arguments)
            seconds = time.perf_counter() - started
            for key, more in ((f"{name}_s", seconds), (f"{name}_calls", 1)):
                self._spent[key] = round(self._spent.get(key, 0) + more, 6)
            return result

        return timed


def clocked(backend: str, game: Game, block_threads: int | None = None) -> Clocked:
    """Open a frontier with its clock."""
    if backend == "cpu":
        return Clocked(CpuBackend().open_frontier(game))
    return Clocked(*timed_frontier(game, block_threads))


def run_jobs(report: Report, game: Game, how: str, make: Make, end: float) -> None:
    """Run an opener, the proof and the ranking, each with its own pool, until ``end`` at most."""

    def warm_up() -> Row:  # compiling and loading on first use are not timed with a job
        started = time.perf_counter()
        pool, _ = make(TranspositionTable(TABLE_BYTES["opener"]))
        with pool:
            list(pool.solve_guesses(pool.game.start(), [0], tree=True))
        CpuBackend().open(game).stats(StateBatch.whole(game.answer_count))
        return {"result": "compiled", "seconds": round(time.perf_counter() - started, 3)}

    report.attempt("jobs", f"warm-up, {how}", warm_up)
    for case, job in (("opener", one_opener), ("prove", proof), ("rank", ranking)):
        limit = partial(_seconds_left, LIMITS[case], end)
        name = f"{case}, {how}"
        report.add("jobs", {"case": name, "result": "begun, and killed before its end"})
        report.attempt("jobs", name, partial(run_job, game, make, job, TABLE_BYTES[case], limit))


def _seconds_left(limit: float, end: float) -> float:
    return min(limit, end - time.monotonic())


def run_job(
    game: Game,
    make: Make,
    job: Callable[[Game, SolverPool], Row],
    table_bytes: int | None,
    limit: Callable[[], float],
) -> Row:
    """Return the seconds and result of a job, its seconds in a frontier, and its busy cores.

    The table is as large as that of the verb for this job. Its first touch is part of the set-up:
    on a virtual machine whose memory grows with use, it takes seconds that vary.
    """
    if limit() < 1:
        return {"result": "not begun: no time was left"}
    began = time.perf_counter()
    table = TranspositionTable(table_bytes)
    pool, clock = make(table)
    table.clear()  # after the pool, which fails at once where there is no device
    with pool:
        timer = threading.Timer(max(1.0, limit()), pool.stop.set)
        timer.daemon = True
        timer.start()
        started, worked = time.perf_counter(), time.process_time()
        row = job(game, pool)
        seconds = time.perf_counter() - started
        row |= {
            "seconds": round(seconds, 3),
            "set_up_s": round(started - began, 3),
            "threads": pool.threads,
            "cores_busy": round((time.process_time() - worked) / seconds, 1),
        }
        timer.cancel()
    return row if clock is None else row | clock.spent()


def one_opener(game: Game, pool: SolverPool) -> Row:
    """Solve SALET, or the first guess if SALET is not in the game."""
    words = game.words.guesses.words
    guess = words.index(OPENER) if OPENER in words else 0
    found = next(pool.solve_guesses(pool.game.start(), [guess], tree=True), None)
    is_exact = found is not None and found[1].is_exact
    return {"result": f"{words[guess]} {found[1].lower if is_exact else 'not solved in time'}"}


def proof(game: Game, pool: SolverPool) -> Row:
    """Prove the best opener, if time allows."""
    found = prove(pool, pool.game.start())
    if not found.best:
        return {"result": "nothing proven in time"}
    claim = "" if found.is_complete else ", not complete"
    return {"result": f"{' '.join(game.spell(found.best))} {found.total}{claim}"}


def ranking(game: Game, pool: SolverPool) -> Row:
    """Rank all openers, each with a verified strategy, or as many as time allows."""
    statistics = CpuBackend().open(game).stats(StateBatch.whole(game.answer_count))
    job = Ranking.begin(game.position_after(), statistics)
    promising = job.most_promising(statistics, game.guess_count)
    for _ in job.solve(np.array(by_letters(game, promising.tolist())), pool):
        pass
    solved = int(job.openers.is_solved.sum())
    best = int(job.openers.order()[0])
    return {
        "result": f"{solved:,} of {game.guess_count:,} openers, "
        f"{game.words.guesses.words[best]} {job.openers.lower[best]}"
    }


if __name__ == "__main__":
    sys.exit(main())
