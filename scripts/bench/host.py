"""Measure the host's own work in a batched ranking, with recorded answers instead of a device.

    python scripts/bench/host.py [--runs 12] [--length 8] [--answers FILE] [--out results/bench]

Openers from all ranks are ranked, in runs of neighbours as in a ranking. First the CPU's frontier
stands in for the device, and its answers are recorded. Later they are played back, and the time of
that is left out. What remains is the host's own work: closing openers, strategies, their replay,
and the thread that drives the device. Then only values are computed. The difference is the cost of
strategies. All times are processor time on one thread of each kind, so that other work on the
machine disturbs them little.

A ranking of all openers touches fresh memory only once. So runs are measured in memory that was
used before, with empty tables. A full ranking also meets states again more often than a sample
does. So the states behind openers are counted, for the sample and for all openers: those of more
than two answers, and those left to the device. A state that is met again costs no search, but its
strategy is made again. So the estimate takes the time of values from runs in which all states are
known, and scales the rest with the number of distinct states of more than two answers.

Recording takes minutes. With ``--answers`` the answers are kept in a file. It also serves other
versions of the program, so that old and new can run in turns. It is a pickle: read only your own.
"""

from __future__ import annotations

import argparse
import pickle
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.backends import load_game
from gpu_wordle.backends.cpu.backend import CpuBackend
from gpu_wordle.backends.frontier import Children, GuessLists, Survivors, Window
from gpu_wordle.game.game import Game
from gpu_wordle.ranking.ranking import Ranking, in_chunks
from gpu_wordle.solver import BatchedPool, TranspositionTable
from gpu_wordle.states.batch import StateBatch
from gpu_wordle.tunables import MAX_LEFT_TO_CPU
from scripts.bench.common import report

TABLE_BYTES = 1 << 29
CORES = 16
MOST_SECONDS = 25.0  # wall seconds for all openers on the given cores
SPLIT_TOGETHER = 256  # openers whose states are held at once


class Recorder:
    """A frontier that records answers by the states that they are about.

    A known answer is played back; others are computed. ``spent_s`` is the processor time of both,
    and ``driver_s`` the total of the calling thread at the last answer.
    """

    def __init__(self, frontier: Any, game: Game) -> None:
        self._frontier = frontier
        self._game = game
        self._children: dict[bytes, Children] = {}
        self._bounds: dict[bytes, int] = {}
        self._lists: dict[bytes, tuple[int, int, int]] = {}
        self._survivors: dict[tuple[bytes, int, int, int], tuple[NDArray[Any], NDArray[Any]]] = {}
        self.new = self.spent_s = self.driver_s = 0.0
        self.calls = self.sent_bytes = self.fetched_bytes = 0

    @contextmanager
    def _answer(self, *sent: NDArray[Any]) -> Iterator[None]:
        started = time.thread_time()
        yield
        self.driver_s = time.thread_time()
        self.spent_s += self.driver_s - started
        self.calls += 1
        self.sent_bytes += sum(array.nbytes for array in sent)

    def _keys(self, batch: StateBatch) -> list[bytes]:
        return [key.tobytes() for key in batch.keys]

    def read(self, file: Path) -> None:
        """Read recorded answers from a file, if it exists."""
        if file.exists():
            for known, kept in zip(self._known, pickle.loads(file.read_bytes()), strict=True):
                known.update(kept)

    def write(self, file: Path) -> None:
        """Write all answers to a file."""
        file.write_bytes(pickle.dumps(self._known))

    @property
    def _known(self) -> tuple[dict[Any, Any], ...]:
        return self._children, self._bounds, self._lists, self._survivors

    def reset(self) -> None:
        """Reset the times; answers are kept."""
        self.new = self.spent_s = self.driver_s = 0.0
        self.calls = self.sent_bytes = self.fetched_bytes = 0

    drivers = 1
    memory_bytes = 1 << 40

    def list_bytes(self, answers: NDArray[np.int64]) -> NDArray[np.int64]:
        """Forward; see Frontier."""
        return self._frontier.list_bytes(answers)

    def split(self, batch: StateBatch, state: NDArray[Any], guess: NDArray[Any]) -> Children:
        """Answer for the root only; see Frontier."""
        with self._answer(guess):
            key = guess.tobytes()
            if key not in self._children:
                self._children[key] = self._frontier.split(batch, state, guess)
            children = self._children[key]
        states = children.states
        self.fetched_bytes += states.answers.nbytes + states.keys.nbytes + children.child.nbytes
        return children

    def bound_states(self, batch: StateBatch, known: NDArray[np.int64]) -> NDArray[np.int64]:
        """Answer or record; see Frontier."""
        with self._answer(batch.answers, batch.indptr, known):
            keys = self._keys(batch)
            new = [b for b, key in enumerate(keys) if key not in self._bounds]
            if new:
                least = self._frontier.bound_states(batch.take(np.array(new)), 0 * known[new])
                self._bounds |= zip([keys[b] for b in new], least.tolist(), strict=True)
            found = np.maximum(known, [self._bounds[key] for key in keys]).astype(np.int64)
        self.fetched_bytes += found.nbytes
        return found

    def collapse(self, batch: StateBatch) -> GuessLists:
        """Answer or record; see Frontier."""
        with self._answer(batch.answers, batch.indptr):
            keys = self._keys(batch)
            new = [b for b, key in enumerate(keys) if key not in self._lists]
            if new:
                made = self._frontier.collapse(batch.take(np.array(new)))
                columns = (made.bound, made.most_parts, made.promising)
                told = zip(*(column.tolist() for column in columns), strict=True)
                self._lists |= zip([keys[b] for b in new], told, strict=True)
            known = np.array([self._lists[key] for key in keys], np.int64).reshape(-1, 3)
            lists = GuessLists(
                batch, known[:, 0].copy(), known[:, 1].copy(), known[:, 2].astype(np.int32), None
            )
        self.fetched_bytes += 3 * 8 * len(batch)
        return lists

    def refute(self, lists: GuessLists, cutoff: NDArray[np.int64], window: Window) -> Survivors:
        """Answer or record; see Frontier."""
        with self._answer(cutoff):
            batch = lists.states
            given = (cutoff.tolist(), window.least.tolist(), window.below.tolist())
            asked = list(zip(self._keys(batch), *given, strict=True))
            new = [b for b, key in enumerate(asked) if key not in self._survivors]
            self.new += len(new)
            for b in new:  # one at a time, since lists take much memory
                made = self._frontier.collapse(batch.take(np.array([b])))
                own = Window(*(each[b : b + 1] for each in window))
                found = self._frontier.refute(made, cutoff[b : b + 1], own)
                self._survivors[asked[b]] = (found.guess, found.total)
            kept = [self._survivors[key] for key in asked]
            indptr = np.cumsum([0, *(len(guess) for guess, _ in kept)]).astype(np.int64)
            guess = np.concatenate([np.empty(0, np.int32), *(guess for guess, _ in kept)])
            total = np.concatenate([np.empty(0, np.int64), *(total for _, total in kept)])
        self.fetched_bytes += guess.nbytes + total.nbytes
        return Survivors(indptr, guess, total)


def sample(game: Game, runs: int, length: int) -> tuple[Ranking, NDArray[np.intp]]:
    """Return a fresh ranking, and runs of neighbours in the order of its openers."""
    evaluator = CpuBackend().open(game)
    statistics = evaluator.stats(StateBatch.whole(game.answer_count))
    ranking = Ranking.begin(game, game.position_after(), statistics)
    order = in_chunks(game, ranking.most_promising(statistics, game.guess_count))
    starts = np.linspace(0, len(order) - length, runs).astype(int)
    return ranking, np.concatenate([order[start : start + length] for start in starts])


def run(
    game: Game,
    recorder: Recorder,
    openers: NDArray[np.intp],
    ranking: Ranking | None = None,
    *,
    is_known: bool = False,
) -> Any:
    """Rank the openers, or only find their values if no ranking is given.

    With ``is_known`` all states are solved before; otherwise none is.

    Returns the number of openers, and processor seconds of the pool's thread, of the device's
    thread, of the caller's thread, and of all.
    """
    threads_s = [0.0]
    table = TranspositionTable(TABLE_BYTES)
    table.clear()
    with BatchedPool(game, recorder, 1, table) as pool:
        list(pool.solve_guesses(game.start(), openers.tolist(), tree=True))  # touches all memory
        if not is_known:
            pool.submit(lambda solver, _: solver.forget(), None).result()
        recorder.reset()
        submit = pool.submit

        def timed(work: Any) -> Any:
            def wrapped(solver: Any, task: Any) -> Any:
                started = time.thread_time()
                try:
                    return work(solver, task)
                finally:
                    threads_s[0] += time.thread_time() - started

            return wrapped

        pool.submit = lambda work, task: submit(timed(work), task)  # type: ignore[method-assign]
        started, worked = time.thread_time(), time.process_time()
        if ranking is None:
            done = list(pool.solve_guesses(game.start(), openers.tolist()))
        else:
            done = [guess for group in ranking.solve(openers, pool) for guess in group]
        caller_s = time.thread_time() - started
        process_s = time.process_time() - worked
    driver_s = recorder.driver_s - recorder.spent_s
    return len(done), threads_s[0], driver_s, caller_s, process_s - recorder.spent_s


def states_met(game: Game, frontier: Any, openers: NDArray[np.intp]) -> list[dict[str, str]]:
    """Return rows on the states behind openers: their number, and the number of distinct ones."""
    root = StateBatch.whole(game.answer_count)
    least = {"3 answers or more": 3, f"more than {MAX_LEFT_TO_CPU}": MAX_LEFT_TO_CPU + 1}
    times = dict.fromkeys(least, 0)
    keys: dict[str, list[NDArray[np.uint64]]] = {name: [] for name in least}
    for some in np.array_split(openers, -(-len(openers) // SPLIT_TOGETHER)):
        children = frontier.split(root, np.zeros(len(some), np.int32), some.astype(np.int32))
        sizes = children.states.sizes
        for name, size in least.items():
            times[name] += int((sizes[children.child] >= size).sum())
            keys[name].append(children.states.keys[sizes >= size])
    rows = []
    for name in least:
        distinct = len(np.unique(np.concatenate(keys[name]), axis=0))
        rows.append(
            {"what": f"states of {name}, {len(openers):,} openers", "number": f"{times[name]:,}",
             "distinct": f"{distinct:,}", "an opener": f"{times[name] / len(openers):.1f}",
             "distinct, an opener": f"{distinct / len(openers):.1f}"}
        )  # fmt: skip
    return rows


def main() -> None:
    """Record, play back, print, and write to --out."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--out", type=Path)
    parser.add_argument("--answers", type=Path, help="Where answers are kept.")
    parser.add_argument("--runs", type=int, default=12)
    parser.add_argument("--length", type=int, default=8)
    options = parser.parse_args()
    game = load_game()
    frontier = CpuBackend(1).open_frontier(game)
    recorder = Recorder(frontier, game)
    if options.answers is not None:
        recorder.read(options.answers)
    first, openers = sample(game, options.runs, options.length)
    run(game, recorder, openers, first)
    if options.answers is not None:
        recorder.write(options.answers)
    print(f"recorded in {recorder.spent_s:.0f} s of processor time", flush=True)
    again, _ = sample(game, options.runs, options.length)
    done, threads_s, driver_s, caller_s, process_s = run(game, recorder, openers, again)
    if (first.openers.lower[openers] != again.openers.lower[openers]).any():
        raise SystemExit("the two rankings differ; please report this")
    calls, sent, fetched = recorder.calls, recorder.sent_bytes, recorder.fetched_bytes
    _, values_s, *_ = run(game, recorder, openers)
    _, known_s, *_ = run(game, recorder, openers, is_known=True)
    scale = game.guess_count / done
    met = states_met(game, frontier, openers)
    met_by_all = states_met(game, frontier, np.arange(game.guess_count))
    share = float(met_by_all[0]["distinct, an opener"]) / float(met[0]["distinct, an opener"])
    spared_s = (values_s - known_s) * (1 - share)
    rows = [
        {"what": what, "CPU s": f"{seconds:.2f}", "ms an opener": f"{1000 * seconds / done:.1f}",
         f"{game.guess_count:,} openers, CPU s": f"{scale * seconds:.0f}"}
        for what, seconds in (
            ("threads: values", values_s),
            ("threads: strategies and their replay", threads_s - values_s),
            ("the device's thread, without the answers", driver_s),
            ("the caller's thread", caller_s),
            ("the whole process, without the answers", process_s),
            ("values where all states are known", known_s),
            ("the whole process, as states come back in a ranking of all", process_s - spared_s),
            (f"the budget: {MOST_SECONDS:.0f} s on {CORES} cores", CORES * MOST_SECONDS / scale),
        )
    ]  # fmt: skip
    rows += [
        {"what": "openers", "number": f"{done:,}"},
        {"what": "calls of the frontier", "number": f"{calls:,}"},
        {"what": "answers that had not been recorded", "number": f"{recorder.new:,.0f}"},
        {"what": "KB to the device, an opener",
         "number": f"{sent / done / 1e3:.1f}"},
        {"what": "KB from the device, an opener",
         "number": f"{fetched / done / 1e3:.1f}"},
    ]  # fmt: skip
    rows += [*met, *met_by_all]
    report("What a ranking in batches leaves to the host", rows, options.out)


if __name__ == "__main__":
    main()
