"""Check and time the batched search on a GPU, beside all CPU cores of the same machine.

    python scripts/gpu_check.py [--out FOLDER] [--only SECTION ...]

Three sections: ``compare`` runs the frontiers of both backends on the same states in several block
sizes and stops at the first difference; ``kernels`` times each kernel of a frontier with CUDA
events; ``jobs`` runs an opener, the proof of the best one and the ranking of all, each with the GPU
and with CPU threads alone, each within ``--seconds``. ``gpu_check.json`` and ``gpu_check.md``
go to the folder. ``--backend cpu`` tries the script itself out where there is no GPU; ``--answers``
and ``--guesses`` take a part of the game.
"""

from __future__ import annotations

import argparse
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from bench_common import report
from gpu_wordle.backends import Backend, Frontier, choose
from gpu_wordle.backends.check import CheckBackend
from gpu_wordle.backends.cpu import CpuBackend
from gpu_wordle.backends.cuda import CudaBackend
from gpu_wordle.backends.cuda_frontier import CudaFrontier
from gpu_wordle.backends.device import DeviceMatrix, probe
from gpu_wordle.frontier import Children, GuessList
from gpu_wordle.game import Game
from gpu_wordle.patterns import PatternMatrix
from gpu_wordle.ranking import Ranking
from gpu_wordle.solver import BatchedPool, SolverPool, by_letters, prove
from gpu_wordle.states import StateBatch
from gpu_wordle.words import GameWords, WordList, load_words

BLOCK_THREADS = (None, 32, 64, 128, 256)  # None: the tuned sizes
OPENERS = 200  # whose children the kernels are timed on
OPENER = "salet"
Row = dict[str, Any]


def main() -> int:
    """Run the sections; 1 if there is no device."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--out", type=Path)
    parser.add_argument("--only", nargs="+", default=["compare", "kernels", "jobs"])
    parser.add_argument("--backend", choices=["cuda", "cpu"], default="cuda")
    parser.add_argument("--guesses", type=int, default=1 << 20)
    parser.add_argument("--answers", type=int, default=1 << 20)
    parser.add_argument("--seconds", type=float, default=90.0)
    options = parser.parse_args()
    backend = choose(options.backend).backend
    game = part_of_game(options.guesses, options.answers)
    sections: dict[str, Iterator[Row]] = {
        "compare": compare(game, backend),
        "kernels": time_kernels(game) if isinstance(backend, CudaBackend) else iter(()),
        "jobs": run_jobs(game, backend, options.seconds),
    }
    rows: list[Row] = []
    for name in options.only:
        for row in sections[name]:
            rows.append({"section": name} | row)
            print(row, flush=True)
            if options.out is not None:  # what comes later may run out of time
                report(f"The batched search on {backend.device}", rows, options.out, quiet=True)
    return 0


def part_of_game(guesses: int, answers: int) -> Game:
    """The original game, or some of its words."""
    words = load_words()
    kept = words.answers.words[:: max(1, len(words.answers) // answers)][:answers]
    others = words.guesses.words[:: max(1, len(words.guesses) // guesses)][:guesses]
    chosen = tuple(sorted({*kept, *others}))
    lists = GameWords(WordList(chosen, "guesses"), WordList(kept, "answers"))
    return Game(lists, PatternMatrix(CpuBackend().build_patterns(lists), lists.feedback))


def expand(frontier: Frontier, game: Game, guesses: int) -> tuple[Children, list[GuessList]]:
    """Collapse the root, and split it by some guesses."""
    root = StateBatch.whole(game.answer_count)
    lists = frontier.collapse(root, [frontier.whole()], np.zeros(1, np.int32))
    rng = np.random.default_rng(1)
    chosen = rng.permutation(game.guess_count)[:guesses].astype(np.int32)
    return frontier.split(root, np.zeros(len(chosen), np.int32), chosen), lists


def compare(game: Game, backend: Backend) -> Iterator[Row]:
    """Every kernel against the CPU, in every block size; JobError at a difference."""
    for threads in BLOCK_THREADS:
        worker = CudaBackend(threads) if isinstance(backend, CudaBackend) else backend
        frontier = CheckBackend(worker, CpuBackend()).open_frontier(game)
        children, lists = expand(frontier, game, 8)
        states = children.states
        some = states.take(np.flatnonzero((states.sizes > 2) & (states.sizes < 200))[:300])
        list_of = np.zeros(len(some), np.int32)
        frontier.most_parts(some, lists, list_of, np.full(len(some), 1 << 16))
        below = frontier.collapse(some, lists, list_of)
        guesses = np.array([guesses.guess[0] for guesses in below], np.int32)
        frontier.split(some, np.arange(len(some), dtype=np.int32), guesses)
        yield {"case": f"threads {threads or 'tuned'}", "result": "=="}


class TimedFrontier(CudaFrontier):
    """A frontier that measures its kernels by CUDA events."""

    def __init__(self, game: Game, matrix: DeviceMatrix) -> None:
        super().__init__(game, matrix)
        self.seconds: dict[str, float] = {}

    def _launch(self, kernel: Any, *arguments: Any) -> None:
        start, stop = (self._cupy.cuda.Event() for _ in range(2))
        start.record()
        super()._launch(kernel, *arguments)
        stop.record()
        stop.synchronize()
        elapsed = self._cupy.cuda.get_elapsed_time(start, stop) / 1000
        self.seconds[kernel.name] = self.seconds.get(kernel.name, 0.0) + elapsed


def time_kernels(game: Game) -> Iterator[Row]:
    """Seconds and look-ups/s of each kernel on the states behind random openers."""
    frontier = TimedFrontier(game, DeviceMatrix(probe()[0], game.patterns))
    expand(frontier, game, 8)  # compiles and warms up
    frontier.seconds.clear()
    children, _ = expand(frontier, game, OPENERS)
    states = children.states.take(np.flatnonzero(children.states.sizes > 2))
    list_of = np.zeros(len(states), np.int32)
    for name in ("split", "collapse"):
        yield {"case": f"{name}, root", "states": 1, "seconds": frontier.seconds[name]}
    for name, case, chosen in (
        ("most_parts", "to 16 answers", states.sizes <= 16),
        ("most_parts", "to 255 answers", (states.sizes > 16) & (states.sizes <= 255)),
        ("most_parts", "above", states.sizes > 255),
        ("collapse", "65 to 255 answers", (states.sizes > 64) & (states.sizes <= 255)),
    ):
        some = states.take(np.flatnonzero(chosen)[: 20_000 if name == "most_parts" else 200])
        if len(some) == 0:
            continue
        frontier.seconds.clear()
        whole = [frontier.whole()]  # its ceilings stop nothing: every look-up is done
        if name == "most_parts":
            frontier.most_parts(some, whole, list_of[: len(some)], np.full(len(some), 1 << 16))
        else:
            frontier.collapse(some, whole, list_of[: len(some)])
        seconds = frontier.seconds[name]
        yield {
            "case": f"{name}, {case}",
            "states": len(some),
            "seconds": round(seconds, 6),
            "lookups_per_s": f"{int(some.sizes.sum()) * game.guess_count / seconds:.3g}",
        }


def run_jobs(game: Game, backend: Backend, seconds: float) -> Iterator[Row]:
    """An opener, the proof and the ranking: in batches on the backend, then on CPU threads."""
    pools: dict[str, Callable[[], SolverPool]] = {
        f"{backend.name}, batched": lambda: BatchedPool(game, backend.open_frontier(game)),
        "cpu threads": lambda: SolverPool(game),
    }
    for make in pools.values():  # what is compiled or loaded on first use is not timed
        with make() as pool:
            list(pool.solve_guesses([0], tree=True))
    for how, make in pools.items():
        for case, job in (("opener", one_opener), ("prove", proof), ("rank", ranking)):
            with make() as pool:
                end = threading.Timer(seconds, pool.stop.set)
                end.start()
                started = time.perf_counter()
                row = job(game, pool)
                row |= {"seconds": round(time.perf_counter() - started, 3), "threads": pool.threads}
                end.cancel()
            yield {"case": f"{case}, {how}"} | row


def one_opener(game: Game, pool: SolverPool) -> Row:
    """SALET, or the first guess where it is not in the game."""
    words = game.words.guesses.words
    guess = words.index(OPENER) if OPENER in words else 0
    ((_, result),) = pool.solve_guesses([guess], tree=True)
    return {"result": f"{words[guess]} {result.lower}"}


def proof(game: Game, pool: SolverPool) -> Row:
    """The best opener, proven if the time allows."""
    found = prove(pool)
    claim = "" if found.is_complete else ", not complete"
    return {"result": f"{' '.join(game.spell(found.best))} {found.total}{claim}"}


def ranking(game: Game, pool: SolverPool) -> Row:
    """All openers, each with a verified strategy, or as many as the time allows."""
    statistics = CpuBackend().open(game).stats(StateBatch.whole(game.answer_count))
    job = Ranking.begin(game, game.position_after(), statistics)
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
