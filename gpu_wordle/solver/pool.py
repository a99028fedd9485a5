"""Many guesses of one position, on all cores: a pool of threads around one table.

The threads share the matrix of the game and the table, and nothing else; each has a workspace of
its own. The machine code runs without Python's lock. Values and trees are the same for any number
of threads; only the statistics of the work depend on who came first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from itertools import islice
from typing import TypeVar, Unpack

from gpu_wordle.backends.cpu.threads import granted
from gpu_wordle.errors import JobError
from gpu_wordle.game.game import Game, Position
from gpu_wordle.game.values import INFEASIBLE
from gpu_wordle.solver.lending import Solvers
from gpu_wordle.solver.memory.stop import Stop
from gpu_wordle.solver.memory.table import TranspositionTable
from gpu_wordle.solver.orbits import GuessOrbits
from gpu_wordle.solver.result import SolveResult
from gpu_wordle.solver.solver import RootMoves, SolveOptions, Solver
from gpu_wordle.tunables import PAIRS_AT_ONCE, TASKS_AHEAD

Task = TypeVar("Task")
Done = TypeVar("Done")
Checked = TypeVar("Checked")
Known = TypeVar("Known")

Ask = Callable[[Solver, Position, Task, Known], Done]
"""Asks a solver about a task of a position, with what is known when the task begins.

Others than threads may call it: so it is a function of a module, or a ``partial`` of one.
"""

AskAll = Callable[["SolverPool", Position, Task], Done]
"""Asks a whole pool about a task of a position."""

Check = Callable[[Position, Sequence[SolveResult]], Sequence[Checked]]
"""Checks each result of a position; likewise a function of a module."""

CheckedGroup = tuple[Sequence[int], Sequence[SolveResult], Sequence[Checked]]
"""Guesses that were solved together, their results, and the check of each result."""

Fingerprint = Callable[[Done], object | None]
"""The part of a result that is equal however often it is found; None if there is no such part."""


def by_letters(game: Game, guesses: Iterable[int]) -> list[int]:
    """The guesses in the order of their letters.

    Guesses of the same letters leave similar states behind, so that what the table learned from
    one is still there for the next.
    """
    words = game.words.guesses.words
    return sorted(sorted(guesses), key=lambda g: "".join(sorted(words[g])))


class SolverPool:
    """Solvers of one game around one table, a thread each.

    A context manager: leaving it, for whatever reason, ends running searches.

    Args:
        game: whose positions are solved.
        threads: tasks that run at once; one a core if not given.
        table: bounds and values of its states; one of its own if not given.
        stop: the flag that ends the searches; one of its own if not given.
        solvers: solvers of the game that other pools use as well, with their table.
        executor: what runs the tasks; threads of its own if not given. The pool shuts it down.
    """

    def __init__(
        self,
        game: Game,
        threads: int | None = None,
        table: TranspositionTable | None = None,
        *,
        stop: Stop | None = None,
        solvers: Solvers | None = None,
        executor: Executor | None = None,
    ) -> None:
        self.game = game
        self.threads = granted(threads)
        self.stop = stop or Stop()
        self._solvers = solvers or Solvers(game, table)
        self.table = self._solvers.first.table
        self._tasks_ahead = TASKS_AHEAD * self.threads
        self.is_wide = self._solvers.first.is_wide
        self._executor = executor or ThreadPoolExecutor(self.threads)

    def __enter__(self) -> SolverPool:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop.set()
        self._executor.shutdown(cancel_futures=True)

    def map(
        self, work: Callable[[Solver, Task], Done], tasks: Iterable[Task]
    ) -> Iterator[tuple[Task, Done]]:
        """Yield ``(task, work(solver, task))`` of every task, as each is done.

        Tasks are begun in their order. After a stop no more are begun, and those that were running
        then are still reported; so they are when ``tasks`` raises a JobError.
        """
        waiting = iter(tasks)
        running: dict[Future[Done], Task] = {}
        failure: JobError | None = None
        while True:
            is_stopped = failure is not None or self.stop.is_set()
            while len(running) < self._tasks_ahead and not is_stopped:
                try:
                    task = next(waiting)
                except StopIteration:
                    break
                except JobError as error:
                    failure = error
                    break
                running[self.submit(work, task)] = task
            if not running:
                if failure is not None:
                    raise failure
                return
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                yield running.pop(future), future.result()

    @property
    def workers(self) -> int:
        """Processes that do the work; 0 where threads of this one do it."""
        return 0

    def each(
        self,
        ask: Ask[Task, Known, Done],
        position: Position,
        tasks: Iterable[Task],
        known: Callable[[], Known],
        on_progress: Callable[[Done], object] = lambda done: None,
        fingerprint: Fingerprint[Done] = lambda done: None,
    ) -> Iterator[tuple[Task, Done]]:
        """Yield ``(task, ask(solver, position, task, known()))`` of every task, as each is done.

        ``known`` is called when a task is begun, and ``on_progress`` is told of a result before its
        thread begins another. ``fingerprint`` is for pools whose results may arrive twice.
        """

        def work(solver: Solver, task: Task) -> Done:
            done = ask(solver, position, task, known())
            on_progress(done)
            return done

        return self.map(work, tasks)

    def in_turn(
        self,
        ask: AskAll[Task, Done],
        position: Position,
        tasks: Sequence[Task],
        fingerprint: Fingerprint[Done] = lambda done: None,
    ) -> Iterator[tuple[Task, Done]]:
        """Yield ``(task, ask(pool, position, task))`` in turn, each on all threads."""
        for task in tasks:
            yield task, ask(self, position, task)

    def prepared(
        self, position: Position, guesses: Iterable[int], cutoff: Callable[[], int]
    ) -> Iterator[int]:
        """Yield the guesses, each when it is to be solved; here at once and in their order.

        ``cutoff`` returns the value at or above which a guess need not be exact at the time.
        """
        yield from guesses

    def submit(self, work: Callable[[Solver, Task], Done], task: Task) -> Future[Done]:
        """Have ``work(solver, task)`` done by some thread."""
        return self._executor.submit(self._run, work, task)

    def root_moves(self, position: Position) -> RootMoves:
        """One-ply bounds and order of all guesses; for callers that are no task of the pool."""
        return self.submit(Solver.root_moves, position).result()

    def _run(self, work: Callable[[Solver, Task], Done], task: Task) -> Done:
        with self._solvers.lent(self.stop) as solver:
            return work(solver, task)

    def solve_guesses(
        self, position: Position, guesses: Sequence[int], **asked: Unpack[SolveOptions]
    ) -> Iterator[tuple[int, SolveResult]]:
        """Yield ``(guess, result)`` of each guess, as they are done; see Solver.solve_many.

        Several guesses are solved together where that takes moments. Of guesses that symmetries of
        the position map to each other, one is solved.
        """
        kinds, cutoff = GuessOrbits.of(position, guesses), asked.get("cutoff")
        for group, results in self.map(
            lambda solver, group: solver.solve_many(position, group, **asked),
            self._groups(position, kinds.firsts, INFEASIBLE if cutoff is None else cutoff),
        ):
            yield from zip(*kinds.spread(group, results), strict=True)

    def checked_groups(
        self,
        position: Position,
        guesses: Sequence[int],
        check: Check[Checked],
        fingerprint: Fingerprint[tuple[SolveResult, Checked]] = lambda found: None,
    ) -> Iterator[CheckedGroup[Checked]]:
        """Yield guesses with their strategies, and the ``check`` of each on the same thread.

        ``fingerprint`` is for pools whose results may arrive twice.
        """
        kinds = GuessOrbits.of(position, guesses)

        def work(solver: Solver, group: Sequence[int]) -> CheckedGroup[Checked]:
            results = solver.solve_many(position, group, tree=True)
            found, results = kinds.spread(group, results)
            return found, results, check(position, results)

        for _, checked in self.map(work, self._groups(position, kinds.firsts, INFEASIBLE)):
            yield checked

    def _groups(
        self, position: Position, guesses: Sequence[int], cutoff: int
    ) -> Iterator[list[int]]:
        """Yield the guesses as they are prepared, in groups that a thread takes together."""
        waiting = self.prepared(position, guesses, lambda: cutoff)
        size = self.at_once(len(position.state), len(guesses))
        return iter(lambda: list(islice(waiting, size)), [])

    def at_once(self, answers: int, guesses: int) -> int:
        """How many of ``guesses`` guesses a thread takes together, on a state of ``answers``."""
        size = max(1, PAIRS_AT_ONCE // answers**2)
        return size if guesses <= size else min(size, -(-guesses // self.threads))
