"""The search frontier by frontier: the values of the search depth first, whatever the limits."""

from __future__ import annotations

import threading
import time
import weakref
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest

from gpu_wordle.api.pools import batched_pool
from gpu_wordle.api.session import Machine, Session
from gpu_wordle.backends import BackendChoice
from gpu_wordle.backends.check import checked
from gpu_wordle.backends.cpu.backend import CpuBackend
from gpu_wordle.backends.cuda import device
from gpu_wordle.backends.cuda.backend import CudaBackend
from gpu_wordle.backends.reference import ReferenceBackend
from gpu_wordle.cli import console
from gpu_wordle.errors import JobError
from gpu_wordle.game.game import Position, Rule
from gpu_wordle.game.objective import Objective
from gpu_wordle.game.values import INFEASIBLE
from gpu_wordle.solver import BatchedPool, Limits, SolverPool, Stop, TranspositionTable, prove
from gpu_wordle.solver import batched_pool as batched
from gpu_wordle.solver.batched.driver import Driver, Shared, interleave
from gpu_wordle.solver.batched.opener_batch import OpenerBatch
from gpu_wordle.states.batch import StateBatch
from support.seeds import seeds
from support.slices import small_game
from support.solver_games import random_game, small_solver

DEEP = Limits(small=4, group=50)
"""Nearly everything is left to the frontier."""


def pool_of(game, limits, backend=None, table_bytes=1 << 18):
    frontier = (backend or CpuBackend(2)).open_frontier(game)
    return BatchedPool(game, frontier, 2, TranspositionTable(table_bytes), limits=limits)


def totals_of(pool, guesses, **limits):
    return {
        guess: result.lower
        for guess, result in pool.solve_guesses(pool.game.start(), guesses, **limits)
    }


@pytest.mark.parametrize("seed", seeds(3))
def test_values_are_those_of_the_search(seed):
    rng = np.random.default_rng(seed)
    for _ in range(12):
        game = random_game(
            rng, most_answers=60, most_guesses=150, rule=Rule.NORMAL, max_guesses=None
        )
        limits = Limits(small=int(rng.integers(2, 9)), group=int(rng.integers(1, 50)))
        solver = small_solver(game, 1 << 18)
        cutoff = None if rng.integers(2) else int(rng.integers(1, 4 * game.answer_count))
        with pool_of(game, limits, table_bytes=int(rng.choice([512, 1 << 18]))) as pool:
            found = totals_of(pool, range(game.guess_count), cutoff=cutoff)
        assert len(found) == game.guess_count
        for guess, value in found.items():
            want = solver.solve(game.start(), guess).lower
            if cutoff is None or want < cutoff:
                assert value == want
            else:
                assert cutoff <= value <= want


@pytest.mark.parametrize("cutoff_share", [1, 2, 2.6, 3])
def test_states_reach_the_table_with_their_values(original, cutoff_share):
    """What is entered for a state is its value, or a bound as high as its guesses demand."""
    game = small_game(original, answers=150, guesses=300)
    guesses = list(range(40))
    cutoff = int(cutoff_share * game.answer_count)
    with pool_of(game, DEEP) as pool:
        list(pool.prepared(game.start(), guesses, lambda: cutoff))
        table = pool.table
    free = replace(game, objective=Objective(None))
    solver = small_solver(free, 1 << 20)
    frontier = CpuBackend(2).open_frontier(game)
    root = StateBatch.whole(game.answer_count)
    children = frontier.split(root, np.zeros(40, np.int32), np.array(guesses, np.int32))
    group = OpenerBatch(game.answer_count, children, table)
    exact = 0
    for s, state in enumerate(children.states.state(b) for b in range(len(children.states))):
        value = solver.solve(Position.of_answers(free, state)).lower
        assert group.lower[s] <= value
        if group.height[s] > 0:
            assert group.lower[s] == value
            exact += len(state) > DEEP.small
    bounds = frontier.bound_states(children.states, group.lower)
    group.learn(np.arange(len(bounds)), bounds, group.height)
    large = group.sizes > DEEP.small
    assert exact > 0 or cutoff_share < 3
    assert (group.goals(cutoff)[large] <= group.lower[large]).all()


def test_every_backend_gives_the_same():
    """Lists, children and counts of two frontiers compared at every step of a whole ranking."""
    rng = np.random.default_rng(3)
    game = random_game(rng, most_answers=40, most_guesses=80, rule=Rule.NORMAL)
    backend = checked(CpuBackend(1), ReferenceBackend())
    with pool_of(game, Limits(small=3, group=7), backend) as pool:
        results = dict(pool.solve_guesses(game.start(), range(game.guess_count)))
    solver = small_solver(game)
    for guess, result in results.items():
        assert result.lower == solver.solve(game.start(), guess).lower


@pytest.mark.parametrize("memory_bytes", [1, 5000])
def test_lists_wait_for_memory(original, memory_bytes):
    """With room for one list or a few at a time, all openers come to an end all the same."""
    game = small_game(original, answers=120, guesses=60)
    frontier = CpuBackend(2).open_frontier(game, memory_bytes)
    with BatchedPool(game, frontier, 2, TranspositionTable(1 << 18), limits=DEEP) as pool:
        found = totals_of(pool, range(60))
    solver = small_solver(game)
    assert found == {g: solver.solve(game.start(), g).lower for g in range(60)}


def test_a_proof_is_the_same(original):
    game = small_game(original, answers=100, guesses=200)
    with SolverPool(game, 2) as pool:
        alone = prove(pool, game.start())
    with pool_of(game, DEEP) as pool:
        batched = prove(pool, game.start())
    assert (batched.total, batched.best) == (alone.total, alone.best)
    assert batched.is_complete


@pytest.mark.parametrize("rule", [rule for rule in Rule if rule is not Rule.NORMAL])
def test_under_another_rule_nothing_is_batched(original, rule):
    game = small_game(original, answers=12, guesses=20, rule=rule)
    with pool_of(game, DEEP) as pool:
        results = dict(pool.solve_guesses(game.start(), range(game.guess_count)))
    solver = small_solver(game)
    for guess, result in results.items():
        assert result.lower == solver.solve(game.start(), guess).lower


def test_lists_are_given_up_before_their_survivors_are_searched(original):
    """Else the lists of a group would hold twice their share of the memory."""
    game = small_game(original, answers=150, guesses=200)
    frontier = CpuBackend(1).open_frontier(game, 60_000)
    alive = weakref.WeakSet()
    most_alive = []

    class Watching:
        def __getattr__(self, name):
            return getattr(frontier, name)

        def collapse(self, batch):
            lists = frontier.collapse(batch)
            alive.add(lists)
            most_alive.append(len(alive))
            return lists

    limits = Limits(small=4, group=20)
    with BatchedPool(game, Watching(), 1, TranspositionTable(1 << 18), limits=limits) as pool:
        list(pool.prepared(game.start(), range(200), lambda: INFEASIBLE))
    assert len(most_alive) > 10
    assert max(most_alive) <= batched.GROUPS_IN_FLIGHT
    assert not alive


def test_states_up_to_a_limit_are_left_to_the_threads(original):
    """Also where the limit lies between two waves."""
    game = small_game(original, answers=600, guesses=30)
    frontier = CpuBackend(2).open_frontier(game)
    sizes = []
    collapse = frontier.collapse
    frontier.collapse = lambda batch: sizes.extend(batch.sizes) or collapse(batch)
    limits = Limits(small=160, group=20)
    with BatchedPool(game, frontier, 2, TranspositionTable(1 << 18), limits=limits) as pool:
        list(pool.prepared(game.start(), range(30), lambda: INFEASIBLE))
    assert len(sizes) > 0
    assert min(sizes) > 160


def test_a_stop_ends_it(original):
    game = small_game(original, answers=200, guesses=300)
    with pool_of(game, DEEP) as pool:
        done = pool.prepared(game.start(), range(game.guess_count), lambda: INFEASIBLE)
        next(done)
        pool.stop.set()
        assert len(list(done)) < game.guess_count - 1


def test_an_error_of_the_device_comes_through(original):
    """It is not lost in a thread or a coroutine, and the pool comes to an end."""
    game = small_game(original)
    frontier = CpuBackend(2).open_frontier(game)

    def fail(*_):
        raise JobError("the CUDA device failed (unspecified launch failure)")

    frontier.refute = fail
    pool = BatchedPool(game, frontier, 2, TranspositionTable(1 << 18), limits=DEEP)
    with pool, pytest.raises(JobError, match="launch failure"):
        list(pool.solve_guesses(game.start(), range(game.guess_count)))


def check_openers(game, openers, table_bytes):
    """Check that values, trees and limits are those of the ordinary pool; returns the values."""
    with pool_of(game, Limits(), table_bytes=table_bytes) as pool:
        batched = dict(pool.solve_guesses(game.start(), openers, tree=True))
    solver = small_solver(game, table_bytes)
    for guess in openers:
        alone = solver.solve(game.start(), guess, tree=True)
        assert batched[guess].lower == batched[guess].upper == alone.lower
        assert batched[guess].worst == alone.worst
        assert (batched[guess].tree is None) == (alone.tree is None)
        if alone.tree is not None:
            assert np.array_equal(batched[guess].tree.guess, alone.tree.guess)
    return [batched[guess].lower for guess in openers]


@pytest.mark.slow
def test_openers_of_the_original_game(original):
    words = original.words.guesses
    openers = [words.find(word) for word in ("salet", "rhone", "reast")]
    check_openers(original, openers, 1 << 26)


def test_openers_that_need_a_guess_too_many(original):
    """Within four guesses most of them cost more than without a limit, and some are infeasible."""
    openers = list(range(0, 900, 22))
    free = small_game(original, answers=500, guesses=900, objective=Objective(None))
    least = check_openers(free, openers, 1 << 22)
    values = check_openers(replace(free, objective=Objective(4)), openers, 1 << 22)
    dearer = sum(a < b < INFEASIBLE for a, b in zip(least, values, strict=True))
    assert dearer > 10
    assert values.count(INFEASIBLE) > 1


def test_the_device_is_worked_while_threads_search(original):
    """The threads search during the calls of the frontier, not between them."""
    game = small_game(original, answers=150, guesses=200)
    frontier = CpuBackend(1).open_frontier(game)
    settled = []
    meanwhile = []

    class Slow:
        """A frontier that is busy until a thread has settled something, or for a moment."""

        def __getattr__(self, name):
            return getattr(frontier, name)

        def collapse(self, batch):
            before = len(settled)
            end = time.monotonic() + 0.1
            while len(settled) == before and time.monotonic() < end:
                time.sleep(0.001)
            meanwhile.append(len(settled) - before)
            return frontier.collapse(batch)

    class Noting(BatchedPool):
        def submit(self, work, task):
            def noted(solver, task):
                time.sleep(0.005)  # a search that takes a while
                done = work(solver, task)
                settled.append(done)
                return done

            return super().submit(noted, task)

    limits = Limits(small=20, group=20)
    with Noting(game, Slow(), 2, TranspositionTable(1 << 18), limits=limits) as pool:
        found = totals_of(pool, range(60))
    assert sum(meanwhile) > 0
    solver = small_solver(game)
    assert found == {guess: solver.solve(game.start(), guess).lower for guess in range(60)}


class Eager(CpuBackend):
    """A backend that prefers batches."""

    prefers_batches = True


@pytest.mark.parametrize(
    ("backend", "is_automatic", "rule", "batched", "is_batched"),
    [
        (Eager, False, Rule.NORMAL, None, True),
        (Eager, True, Rule.NORMAL, None, False),
        (Eager, True, Rule.NORMAL, True, True),
        (Eager, False, Rule.HARD, None, False),
        (Eager, False, Rule.NORMAL, False, False),
        (CpuBackend, True, Rule.NORMAL, None, False),
        (CpuBackend, False, Rule.NORMAL, True, True),
    ],
)
def test_the_choice_of_path(original, capsys, backend, is_automatic, rule, batched, is_batched):
    game = small_game(original, rule=rule)
    choice = BackendChoice(backend(1), "for the test", is_automatic)
    machine = Machine(threads=1, table_mib=1, batched=batched)
    console.listen(quiet=False)
    with batched_pool(Session(game.start(), choice, machine), game.guess_count) as pool:
        assert isinstance(pool, BatchedPool) == is_batched
    assert ("searching in batches on cpu" in capsys.readouterr().err) == is_batched


def test_threads_of_their_own_drive_the_device(use, original):
    """Two at a time, which choose the device that the frontier was opened on."""
    host = use()
    game = small_game(original, answers=90, guesses=120)
    frontier = CudaBackend(32).open_frontier(game)
    host.threads.clear()
    both, met = threading.Barrier(2, timeout=60), set()

    class Together:
        """Has each driver's first group wait for the other's."""

        def __getattr__(self, name):
            return getattr(frontier, name)

        def split(self, *arguments):
            name = threading.current_thread().name
            if name not in met:
                met.add(name)
                both.wait()
            return frontier.split(*arguments)

    limits = Limits(small=4, group=3)
    with BatchedPool(game, Together(), 2, TranspositionTable(1 << 18), limits=limits) as pool:
        found = totals_of(pool, range(120))
    assert host.threads == {"device-0", "device-1"}
    assert not host.threads & {thread.name for thread in threading.enumerate()}
    assert all(stream.is_done for stream in host.streams)
    with SolverPool(game, 1, TranspositionTable(1 << 18)) as plain:
        assert found == totals_of(plain, range(120))


def test_threads_that_launch_a_kernel_do_not_take_its_memory_from_each_other(use, original):
    """What a kernel may have of shared memory belongs to its function, not to a thread."""
    host = use()
    game = small_game(original, answers=90, guesses=120)
    frontier = CudaBackend(32).open_frontier(game)
    large, small = StateBatch.whole(90), StateBatch.from_sets([[3, 5, 8, 13]], 90)
    pairs = [np.zeros(120, np.int32), np.arange(120, dtype=np.int32)]
    errors = []

    def ask(batch):
        try:
            for _ in range(20):
                frontier.split(batch, *pairs)
        except AssertionError as error:
            errors.append(error)

    host.pause_s = 0.001
    threads = [threading.Thread(target=ask, args=(batch,)) for batch in (large, small)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []


def test_threads_that_want_the_same_kernel_compile_it_once(use, monkeypatch):
    host = use()
    compiled = host.RawModule

    def slowly(**given):
        time.sleep(0.1)
        return compiled(**given)

    monkeypatch.setattr(host, "RawModule", slowly, raising=False)
    want = [
        threading.Thread(target=device.kernel, args=("patterns.cu", "build_patterns", "-DLENGTH=2"))
        for _ in range(3)
    ]
    for thread in want:
        thread.start()
    for thread in want:
        thread.join()
    assert len(host.modules) == 1


def drawn(items, most=2):
    driver = Driver([iter(items)], most)
    try:
        return list(driver)
    finally:
        driver.close()


def test_a_driver_hands_over_all_items_and_the_error():
    assert drawn(range(20)) == list(range(20))

    def failing():
        yield 1
        raise JobError("the device is gone")

    driver = Driver([failing()], 3)
    items = iter(driver)
    assert next(items) == 1
    with pytest.raises(JobError, match="is gone"):
        next(items)
    driver.close()


def test_a_driver_has_a_thread_for_each_source_of_a_shared_stock():
    """Both wait for each other in the middle, which one thread could not; nothing comes twice."""
    both, drawn_by = threading.Barrier(2, timeout=10), {}

    def source(stock):
        for item in stock:
            if item in (3, 4):
                both.wait()
            drawn_by[item] = threading.current_thread().name
            yield item

    stock = Shared(iter(range(50)))
    driver = Driver([source(stock), source(stock)], 100)
    assert sorted(driver) == list(range(50))
    assert set(drawn_by.values()) == {"device-0", "device-1"}
    assert list(driver) == []
    driver.close()


def test_an_error_of_one_thread_comes_through_beside_others():
    def failing():
        yield 1
        raise JobError("the device is gone")

    driver = Driver([iter(range(1000)), failing()], 2)
    with pytest.raises(JobError, match="is gone"):
        list(driver)
    driver.close()


def test_a_driver_draws_so_many_ahead_and_no_more_once_it_is_closed():
    taken = []

    def counted():
        for item in range(100):
            taken.append(item)
            yield item

    driver = Driver([counted()], 3)
    items = iter(driver)
    assert next(items) == 0
    end = time.monotonic() + 5
    while len(taken) < 4 and time.monotonic() < end:
        time.sleep(0.001)
    assert len(taken) in (3, 4)
    driver.close()
    assert len(list(items)) < 10
    assert len(taken) < 10


def test_a_driver_ends_where_what_it_waits_for_is_cancelled():
    gate, stop = threading.Event(), Stop()
    threads = ThreadPoolExecutor(1)
    threads.submit(gate.wait)

    def job():
        yield [threads.submit(int)]  # which waits for the gate

    driver = Driver([interleave(iter([job()]), 1, stop)], 1)
    time.sleep(0.1)
    stop.set()
    threads.shutdown(wait=False, cancel_futures=True)
    closing = threading.Thread(target=driver.close, daemon=True)
    closing.start()
    closing.join(5)
    gate.set()
    assert not closing.is_alive()
