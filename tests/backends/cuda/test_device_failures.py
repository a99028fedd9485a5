"""A device that fails in the middle of its work: one line, and nothing that was proved is lost."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from gpu_wordle.backends.cpu.backend import CpuBackend
from gpu_wordle.backends.cuda import backend as cuda
from gpu_wordle.errors import JobError
from gpu_wordle.ranking.job import Job
from gpu_wordle.ranking.ranking import Ranking, solve
from gpu_wordle.solver import BatchedPool, Limits, TranspositionTable
from gpu_wordle.states.batch import StateBatch
from support.host_cupy import DeviceFailureError
from support.slices import slice_of
from support.solver_games import small_solver
from support.word_lists import make_game

FAILED = "the CUDA device failed (unspecified launch failure)"


def fail(host, name, after=0):
    """From now on a function of the host fails, once it has been called so often."""
    works, calls = getattr(host, name), []

    def failing(*arguments, **options):
        calls.append(name)
        if len(calls) > after:
            raise DeviceFailureError("unspecified launch failure\nand what CUDA says besides")
        return works(*arguments, **options)

    setattr(host, name, failing)


COPIES = [(method, *copy) for method in ("split", "bound_states", "collapse", "refute")
          for copy in (("asarray", 0), ("asarray", 1), ("asnumpy", 0))]  # fmt: skip
COPIES += [("entries", "asnumpy", 0)]
"""What is asked for, the copy that fails, and how many of them work before."""


@pytest.mark.parametrize(("method", "name", "after"), COPIES)
def test_a_copy_that_fails_is_one_line(use, original, method, name, after):
    host = use()
    game = make_game(slice_of(original, 40, 20))
    frontier = cuda.CudaBackend(32).open_frontier(game)
    root, zero = StateBatch.whole(20), np.zeros(1, np.int32)
    lists = frontier.collapse(root)
    calls = {
        "split": lambda: frontier.split(root, zero, zero),
        "bound_states": lambda: frontier.bound_states(root, np.array([39])),
        "collapse": lambda: frontier.collapse(root),
        "entries": lambda: frontier.entries(lists),
        "refute": lambda: frontier.refute(lists, lists.bound + 5),
    }
    fail(host, name, after)
    with pytest.raises(JobError) as caught:
        calls[method]()
    assert str(caught.value).startswith(FAILED)
    assert "\n" not in str(caught.value)
    assert all(stream.is_done for stream in host.streams)  # or what is given up is still in use


class Shelf:
    """A file in memory."""

    kept = None

    def load(self):
        return None

    def save(self, openers):
        self.kept = openers.forget(np.array([], np.intp))  # a copy


def test_what_was_proved_before_a_failure_is_kept(use, original):
    """The job ends with the line; the file holds the solved openers with their values."""
    host = use()
    game = make_game(slice_of(original, 60, 40))
    statistics = CpuBackend(1).open(game).stats(StateBatch.whole(40))
    shelf = Shelf()
    ranking = Ranking.begin(game.position_after(), statistics)
    job = Job(ranking.openers, shelf)
    frontier = cuda.CudaBackend(32).open_frontier(game)
    has_failed = threading.Event()

    class Failing:
        """Fails where cutoffs go to the device, once an opener is solved; most groups wait then."""

        def __getattr__(self, name):
            return getattr(frontier, name)

        def refute(self, *arguments):
            if ranking.openers.is_solved.any() and not has_failed.is_set():
                has_failed.set()
                fail(host, "asarray")
            return frontier.refute(*arguments)

    def make_pool():
        limits = Limits(small=4, group=3)
        return BatchedPool(game, Failing(), 1, TranspositionTable(1 << 18), limits=limits)

    with pytest.raises(JobError, match="unspecified launch failure"):
        solve(job, ranking, np.arange(60), make_pool)
    solved = np.flatnonzero(shelf.kept.is_solved)
    assert 0 < len(solved) < 60
    solver = small_solver(game)
    for guess in solved.tolist():
        assert shelf.kept.lower[guess] == solver.solve(game.start(), guess).lower
