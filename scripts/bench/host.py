"""Measure the host's own work in a batched ranking, with recorded answers instead of a device.

    python scripts/bench/host.py [--runs 12] [--length 8] [--answers FILE] [--out results/bench]

Openers from all ranks are ranked, in runs of neighbours as a ranking takes them. At first the
CPU's frontier stands in for the device, and its answers are recorded. Later they are played back,
and what that takes is left out. What remains is the host's own work: closing openers, strategies,
their replay, and the thread that drives the device. Then values alone are asked for: the
difference is what strategies take. The ordinary search finds the values, too. All is processor
time, on one thread of each kind, so that other work on the machine disturbs it little.

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

import pickle
import time
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.backends import load_game
from gpu_wordle.backends.cpu.backend import CpuBackend
from gpu_wordle.backends.protocol import Children, GuessLists, Survivors, Window
from gpu_wordle.game.game import Game
from gpu_wordle.ranking.ranking import Ranking, in_chunks
from gpu_wordle.solver import BatchedPool, SolverPool, TranspositionTable
from gpu_wordle.states.batch import StateBatch
from gpu_wordle.tunables import MAX_LEFT_TO_CPU
from scripts.bench import common

TABLE_BYTES = 1 << 29
CORES = 16
MOST_SECONDS = 25.0  # wall seconds for all openers on the given cores
SPLIT_TOGETHER = 256  # openers whose states are held at once


class Recorder:
    """A frontier that records answers by the states that they are about.

    A known answer is played back; others are worked out. ``spent_s`` is the processor time of both,
    and ``driver_s`` that of the calling thread in all, as of the last answer. ``asked`` counts what
    the frontier was asked for.
    """

    drivers = 1
    memory_bytes = 1 << 40

    def __init__(self, frontier: Any) -> None:
        self._frontier = frontier
        self.known: dict[Hashable, Any] = {}
        self.reset()

    def reset(self) -> None:
        """Begin to count anew; answers are kept."""
        self.spent_s = self.driver_s = 0.0
        self.new = self.calls = self.sent_bytes = self.fetched_bytes = 0
        self.asked: Counter[str] = Counter()

    @contextmanager
    def _answer(self, *sent: NDArray[Any]) -> Iterator[None]:
        started = time.thread_time()
        yield
        self.driver_s = time.thread_time()
        self.spent_s += self.driver_s - started
        self.calls += 1
        self.sent_bytes += sum(array.nbytes for array in sent)

    def _recorded(
        self, keys: list[Hashable], make: Callable[[NDArray[np.intp]], Iterable[Any]]
    ) -> list[Any]:
        """The answer to each key; ``make`` works out the unknown ones, given their places."""
        new = [n for n, key in enumerate(keys) if key not in self.known]
        if new:
            self.known |= zip([keys[n] for n in new], make(np.array(new)), strict=True)
        self.new += len(new)
        return [self.known[key] for key in keys]

    def list_bytes(self, answers: NDArray[np.int64]) -> NDArray[np.int64]:
        """Forward; see Frontier."""
        return self._frontier.list_bytes(answers)

    def split(self, batch: StateBatch, state: NDArray[Any], guess: NDArray[Any]) -> Children:
        """Answer for the root only; see Frontier."""
        with self._answer(guess):
            (children,) = self._recorded(
                [guess.tobytes()], lambda _: [self._frontier.split(batch, state, guess)]
            )
        states = children.states
        self.fetched_bytes += states.answers.nbytes + states.keys.nbytes + children.child.nbytes
        return children

    def bound_states(self, batch: StateBatch, known: NDArray[np.int64]) -> NDArray[np.int64]:
        """See Frontier."""

        def make(new: NDArray[np.intp]) -> Any:
            return self._frontier.bound_states(batch.take(new), 0 * known[new])

        with self._answer(batch.answers, batch.indptr, known):
            least = self._recorded([("bound", key.tobytes()) for key in batch.keys], make)
            found = np.maximum(known, least).astype(np.int64)
        self.asked["states to bound"] += len(batch)
        self.fetched_bytes += found.nbytes
        return found

    def collapse(self, batch: StateBatch) -> GuessLists:
        """See Frontier."""

        def make(new: NDArray[np.intp]) -> Any:
            made = self._frontier.collapse(batch.take(new))
            return np.stack([made.bound, made.most_parts, made.promising], axis=1)

        with self._answer(batch.answers, batch.indptr):
            told = self._recorded([("lists", key.tobytes()) for key in batch.keys], make)
            bound, most_parts, promising = np.array(told, np.int64).reshape(-1, 3).T.copy()
            lists = GuessLists(batch, bound, most_parts, promising.astype(np.int32), None)
        self.asked["states whose guesses to list"] += len(batch)
        self.fetched_bytes += 3 * 8 * len(batch)
        return lists

    def refute(self, lists: GuessLists, cutoff: NDArray[np.int64], window: Window) -> Survivors:
        """See Frontier; one state at a time, for lists take much memory."""
        batch = lists.states

        def make(new: NDArray[np.intp]) -> Iterator[tuple[NDArray[Any], NDArray[Any], int]]:
            for b in new:
                made = self._frontier.collapse(batch.take(np.array([b])))
                own = Window(*(each[b : b + 1] for each in window))
                found = self._frontier.refute(made, cutoff[b : b + 1], own)
                entries = self._frontier.entries(made)
                one_ply = 3 * batch.sizes[b] - entries.parts - entries.is_candidate
                is_asked = (own.least <= one_ply) & (one_ply < min(own.below[0], cutoff[b]))
                yield found.guess, found.total, int(is_asked.sum())

        with self._answer(cutoff):
            states = [key.tobytes() for key in batch.keys]
            given = (cutoff.tolist(), window.least.tolist(), window.below.tolist())
            kept = self._recorded(list(zip(states, *given, strict=True)), make)
            indptr = np.cumsum([0, *(len(guess) for guess, *_ in kept)]).astype(np.int64)
            guess = np.concatenate([np.empty(0, np.int32), *(guess for guess, *_ in kept)])
            total = np.concatenate([np.empty(0, np.int64), *(total for _, total, _ in kept)])
        self.asked["guesses to refute"] += sum(asked for *_, asked in kept)
        self.asked["survivors"] += len(guess)
        self.fetched_bytes += guess.nbytes + total.nbytes
        return Survivors(indptr, guess, total)


def sample(game: Game, runs: int, length: int) -> tuple[Ranking, NDArray[np.intp]]:
    """Return a fresh ranking, and runs of neighbours in the order of its openers."""
    evaluator = CpuBackend().open(game)
    statistics = evaluator.stats(StateBatch.whole(game.answer_count))
    ranking = Ranking.begin(game.position_after(), statistics)
    order = in_chunks(game, ranking.most_promising(statistics, game.guess_count))
    starts = np.linspace(0, len(order) - length, runs).astype(int)
    return ranking, np.concatenate([order[start : start + length] for start in starts])


def timed_work(pool: SolverPool) -> list[float]:
    """Let the threads of a pool add up their processor seconds, in the list that is returned."""
    threads_s, submit = [0.0], pool.submit

    def timed(work: Any) -> Any:
        def wrapped(solver: Any, task: Any) -> Any:
            started = time.thread_time()
            try:
                return work(solver, task)
            finally:
                threads_s[0] += time.thread_time() - started

        return wrapped

    pool.submit = lambda work, task: submit(timed(work), task)  # type: ignore[method-assign]
    return threads_s


def run(
    game: Game,
    recorder: Recorder | None,
    openers: NDArray[np.intp],
    ranking: Ranking | None = None,
    *,
    is_known: bool = False,
) -> tuple[int, dict[str, float]]:
    """Rank the openers, or find their values where there is no ranking.

    Without a recorder the ordinary search does it. ``is_known`` has all states be known before;
    otherwise none is.

    Returns how many openers are done, and processor seconds of the pool's thread, the device's,
    the caller's, and of the whole process; without a ranking, the sum of the totals, too.
    """
    table = TranspositionTable(TABLE_BYTES)
    table.clear()
    is_batched = recorder is not None
    pool = BatchedPool(game, recorder, 1, table) if is_batched else SolverPool(game, 1, table)
    with pool:
        list(pool.solve_guesses(game.start(), openers.tolist(), tree=True))  # touches all memory
        if not is_known:
            pool.submit(lambda solver, _: solver.forget(), None).result()
        counts = recorder or Recorder(None)
        counts.reset()
        threads_s = timed_work(pool)
        started, worked = time.thread_time(), time.process_time()
        done, total = 0, 0
        if ranking is None:
            for _, result in pool.solve_guesses(game.start(), openers.tolist()):
                done, total = done + 1, total + result.lower
        else:
            done = sum(len(group) for group in ranking.solve(openers, pool))
        return done, {
            "caller": time.thread_time() - started,
            "process": time.process_time() - worked - counts.spent_s,
            "threads": threads_s[0],
            "driver": counts.driver_s - counts.spent_s,
            "total": total,
        }


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
    """Record, play back, and report."""
    options = common.options(__doc__, answers=Path, runs=12, length=8)
    game = load_game()
    frontier = CpuBackend(1).open_frontier(game)
    recorder = Recorder(frontier)
    if options.answers is not None and options.answers.exists():
        recorder.known = pickle.loads(options.answers.read_bytes())
    first, openers = sample(game, options.runs, options.length)
    run(game, recorder, openers, first)
    if options.answers is not None:
        options.answers.write_bytes(pickle.dumps(recorder.known))
    print(f"recorded in {recorder.spent_s:.0f} s of processor time", flush=True)
    again, _ = sample(game, options.runs, options.length)
    done, ranked = run(game, recorder, openers, again)
    if (first.openers.lower[openers] != again.openers.lower[openers]).any():
        raise SystemExit("the two rankings differ; please report this")
    calls, sent, fetched = recorder.calls, recorder.sent_bytes, recorder.fetched_bytes
    new, asked = recorder.new, recorder.asked
    (_, values), (_, known), (_, ordinary) = (
        run(game, by, openers, is_known=is_known)
        for by, is_known in ((recorder, False), (recorder, True), (None, False))
    )
    if values["total"] != ordinary["total"]:
        raise SystemExit("the two searches differ; please report this")
    values_s, known_s = values["threads"], known["threads"]
    scale = game.guess_count / done
    met = states_met(game, frontier, openers)
    met_by_all = states_met(game, frontier, np.arange(game.guess_count))
    share = float(met_by_all[0]["distinct, an opener"]) / float(met[0]["distinct, an opener"])
    returning_s = ranked["process"] - (values_s - known_s) * (1 - share)
    seconds_of = {
        "threads: values": values_s,
        "threads: strategies and their replay": ranked["threads"] - values_s,
        "the device's thread, without the answers": ranked["driver"],
        "the caller's thread": ranked["caller"],
        "the whole process, without the answers": ranked["process"],
        "values where all states are known": known_s,
        "the whole process, as states come back in a ranking of all": returning_s,
        "threads: values by the ordinary search": ordinary["threads"],
        f"the budget: {MOST_SECONDS:.0f} s on {CORES} cores": CORES * MOST_SECONDS / scale,
    }
    numbers = {
        "openers": f"{done:,}",
        "calls of the frontier": f"{calls:,}",
        "answers that had not been recorded": f"{new:,}",
        "KB to the device, an opener": f"{sent / done / 1e3:.1f}",
        "KB from the device, an opener": f"{fetched / done / 1e3:.1f}",
        **{f"asked of the frontier: {what}": f"{number:,}" for what, number in asked.items()},
    }
    rows = [
        {"what": what, "CPU s": f"{seconds:.2f}", "ms an opener": f"{1000 * seconds / done:.1f}",
         f"{game.guess_count:,} openers, CPU s": f"{scale * seconds:.0f}"}
        for what, seconds in seconds_of.items()
    ]  # fmt: skip
    rows += [{"what": what, "number": number} for what, number in numbers.items()]
    rows += [*met, *met_by_all]
    common.report("What a ranking in batches leaves to the host", rows, options.out)


if __name__ == "__main__":
    main()
