"""The memory of the server: what is kept is bounded, and what is not kept goes."""

import gc
import platform
import subprocess
import sys
import weakref
from contextlib import ExitStack

import pytest

from gpu_wordle.solver import Stop, TranspositionTable
from gpu_wordle.solver.lending import Solvers, WorkspaceLimit
from gpu_wordle.strategies.positions import StoppedError
from gpu_wordle.web import games
from gpu_wordle.web.hands import Hands
from gpu_wordle.web.shelf import MAX_SOLVED_GAMES, SOLVERS_PER_THREAD, GameName, Shelf, offer_of
from support import small_game
from support.web import ask, served, wait_until

RULES = ("normal", "hard", "ultra-hard", "candidates")

FREED = """
import sys
import numpy as np
from gpu_wordle.web.large_blocks import return_large_blocks

def resident():
    return int(open("/proc/self/statm").read().split()[1]) >> 8

assert sys.argv[1] == "as it is" or return_large_blocks()
for _ in range(2):
    blocks = [np.ones(1 << 20) for _ in range(8)]
    pin = bytearray(100_000)
    del blocks
print(resident())
"""


@pytest.fixture(scope="module")
def offer(tmp_path_factory):
    folder = tmp_path_factory.mktemp("small")
    return offer_of(GameName(*small_game.write(folder)), None, [])


@pytest.fixture
def no_collector():
    """What is held in circles stays, as it does for long in a program of many objects."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


class Held:
    """Something that a task has."""

    def __call__(self):
        return None

    def fail(self):
        raise ValueError


@pytest.mark.parametrize("name", ["__call__", "fail"])
def test_hands_keep_nothing_of_what_is_done(no_collector, name):
    """A task holds a game with its tables, and hands may wait for hours."""
    hands, held = Hands(1), Held()
    seen = weakref.ref(held)
    share = hands.share()
    future = share.submit(getattr(held, name))
    assert (future.exception() is None) == (name == "__call__")
    del held, future
    share.shutdown()
    del share
    wait_until(lambda: seen() is None)
    hands.close()


def test_a_question_that_fails_leaves_no_solvers_behind(offer, monkeypatch, no_collector):
    pools, made = weakref.WeakSet(), Shelf.pool

    def watched(*given):
        pools.add(pool := made(*given))
        return pool

    def stopped(*given):
        assert pools
        raise StoppedError

    monkeypatch.setattr(Shelf, "pool", watched)
    monkeypatch.setattr(games, "watch_strategy", stopped)
    with served(offer) as server:
        asked = {"strategies": "entropy", "target": "hat"}
        assert ask(server, "api/watch", asked)[0] == 504
        wait_until(lambda: not pools)


def test_no_more_solvers_have_memory_than_are_allowed(offer):
    """Those that idled longest give theirs up, find the same with new memory, and none at work."""
    shelf, allowance, threads = Shelf(offer, Hands(1)), WorkspaceLimit(3), []
    opened = [shelf.game(GameName(*named(offer), rule=rule)) for rule in RULES]
    kept = [Solvers(game, TranspositionTable(1 << 16), limit=allowance) for game in opened]
    values = []

    def solved(solvers):
        with solvers.lent(Stop()) as solver:
            values.append((solvers, solver.solve(solvers.game.start()).upper))
            threads.append(weakref.ref(solver.machine.thread))

    def have_memory():
        return sum(thread() is not None for thread in threads)

    for solvers in kept:
        solved(solvers)
    assert have_memory() == 3
    assert threads[0]() is None
    for solvers in kept:
        solved(solvers)
    assert have_memory() == 3
    assert len({*values}) == len(kept)
    with ExitStack() as at_work:
        for solvers in kept:
            lent = at_work.enter_context(solvers.lent(Stop()))
            threads.append(weakref.ref(lent.machine.thread))
        assert all(thread() is not None for thread in threads[-len(kept) :])
        assert have_memory() == len(kept)
    assert have_memory() == 3
    shelf.hands.close()


def named(offer):
    """The lists of an offer's own game."""
    return offer.default.guesses, offer.default.answers


def test_games_take_turns_in_the_memory_of_a_server(offer):
    """However many are asked about; and those of one list have one search matrix."""
    hands, threads, cells, tables = Hands(1), [], [], weakref.WeakSet()
    shelf = Shelf(offer, hands)

    def seen(solver, position):
        threads.append(weakref.ref(solver.machine.thread))
        cells.append(weakref.ref(solver.machine.matrix.cells))
        tables.add(solver.table)
        return solver.solve(position).upper

    for objective in ("mean", "worst", "within:3"):
        for rule in RULES:
            game = shelf.game(GameName(*named(offer), rule=rule, objective=objective))
            with shelf.pool(game, None, None) as pool:
                assert pool.submit(seen, game.start()).result() > 0
            del pool
    wait_until(lambda: len(tables) == MAX_SOLVED_GAMES)
    wait_until(lambda: sum(thread() is not None for thread in threads) <= SOLVERS_PER_THREAD)
    assert len({id(each()) for each in cells if each() is not None}) == 1
    hands.close()


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="the C library is another one")
def test_large_blocks_that_are_freed_go_back_to_the_system():
    """As they are, 64 MiB stay behind a small block that is still needed."""

    def resident(how):
        told = subprocess.run([sys.executable, "-c", FREED, how], capture_output=True, text=True)
        assert told.returncode == 0, told.stderr
        return int(told.stdout)

    assert resident("as it is") - resident("returned") > 48
