"""MoveCache: what they hold, that they are lossy and never lie, and that they change no tree."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numba import njit

from gpu_wordle.backends.cpu.backend import CpuBackend
from gpu_wordle.game.game import Position
from gpu_wordle.game.objective import Objective
from gpu_wordle.solver import BatchedPool, Limits, TranspositionTable
from gpu_wordle.solver.batched.many_states import shortlist_all
from gpu_wordle.solver.memory import move_cache as memory
from gpu_wordle.solver.memory.move_cache import ENTRY_WORDS, GUESSES, MAX_SHORTLIST, MoveCache
from support.slices import small_game
from support.solver_games import small_solver

MISS = None


@njit
def read_shortlist(entries, key_0, key_1, cutoff, columns):
    return memory.read_shortlist(entries, key_0, key_1, cutoff, columns)


@njit
def write_shortlist(entries, key_0, key_1, size, value, max_parts, columns):
    return memory.write_shortlist(entries, key_0, key_1, size, value, max_parts, columns)


def key(seed):
    return np.random.default_rng(seed).integers(0, 1 << 64, size=2, dtype=np.uint64)


def read(move_cache, state_key, cutoff):
    """Columns and most parts, or MISS."""
    columns = np.zeros(MAX_SHORTLIST, np.int32)
    found = read_shortlist(move_cache.entries, *state_key, cutoff, columns)
    return MISS if found < 0 else (columns[: found & 0xFFFF].tolist(), found >> 32)


def write(move_cache, state_key, size, value, columns, max_parts=9):
    listed = np.array(columns, np.int32)
    write_shortlist(move_cache.entries, *state_key, size, value, max_parts, listed)


@given(
    seed=st.integers(0, 2**32),
    size=st.integers(3, 65_535),
    value=st.integers(5, 1 << 40),
    max_parts=st.integers(2, 256),
    columns=st.lists(st.integers(0, 2**31 - 1), min_size=1, max_size=MAX_SHORTLIST),
)
def test_what_goes_in_comes_out_up_to_the_cutoff_that_it_is_for(
    seed, size, value, max_parts, columns
):
    move_cache = MoveCache(2)
    assert read(move_cache, key(seed), value) is MISS
    write(move_cache, key(seed), size, value, columns, max_parts)
    for cutoff in (1, value, value + 1):
        assert read(move_cache, key(seed), cutoff) == (columns, max_parts)
    assert read(move_cache, key(seed), value + 2) is MISS
    assert read(move_cache, key(seed + 1), value) is MISS
    move_cache.clear()
    assert read(move_cache, key(seed), value) is MISS


def test_a_list_that_is_too_long_is_not_kept():
    move_cache = MoveCache(2)
    write(move_cache, key(0), 50, 100, range(MAX_SHORTLIST + 1))
    assert not move_cache.entries.any()


def test_a_full_line_gives_up_its_smaller_state():
    move_cache = MoveCache(2)
    for size in (70, 90, 80):
        write(move_cache, key(size), size, 3 * size, [size])
    assert [read(move_cache, key(size), 1) is MISS for size in (70, 80, 90)] == [True, False, False]


@given(word=st.integers(0, ENTRY_WORDS - 1), bit=st.integers(0, 63))
def test_an_entry_of_which_a_word_is_another_s_is_a_miss(word, bit):
    move_cache = MoveCache(2)
    write(move_cache, key(0), 70, 200, [5, 6, 7])
    move_cache.entries[0, word] ^= np.uint64(1 << bit)
    assert read(move_cache, key(0), 1) is MISS


def pool_of(game, frontier=None, small=4):
    """One thread, which looks for shortlists of the smallest states too."""
    frontier = frontier or CpuBackend(1).open_frontier(game)
    limits = Limits(small=small, group=20)
    pool = BatchedPool(game, frontier, 1, TranspositionTable(1 << 20), limits=limits)
    engine_of(pool).thread.workspace.least_kept[:] = small
    return pool


def engine_of(pool):
    """What searches on the only thread."""
    return pool.submit(lambda solver, _: solver.machine, None).result()


class Noted:
    """A frontier that notes the states whose guesses it refutes."""

    def __init__(self, frontier):
        self._frontier = frontier
        self.states = []

    def __getattr__(self, name):
        return getattr(self._frontier, name)

    def refute(self, lists, cutoff, window):
        self.states += [lists.states.take(np.array([b])) for b in range(len(lists.states))]
        return self._frontier.refute(lists, cutoff, window)


def test_a_shortlist_holds_a_guess_of_each_partition_that_reaches_the_value(original):
    game = small_game(original, answers=60, guesses=40, objective=Objective(None))
    frontier = Noted(CpuBackend(1).open_frontier(game))
    with pool_of(game, frontier) as pool:
        list(pool.solve_guesses(game.start(), range(0, game.guess_count, 4)))
        guess_at, move_cache = engine_of(pool).matrix.order, pool.move_cache
    solver = small_solver(game, 1 << 18)
    found = 0
    for batch in frontier.states:
        listed = read(move_cache, batch.keys[0], 1)
        if listed is MISS:  # there are too many, or another state has taken the place
            continue
        position = Position.of_answers(game, batch.state(0))
        values = [solver.solve(position, g).lower for g in range(game.guess_count)]
        assert read(move_cache, batch.keys[0], min(values) + 1) == listed
        assert read(move_cache, batch.keys[0], min(values) + 2) is MISS
        rows = game.patterns.values[batch.state(0)]
        partitions = {partition(rows[:, guess_at[c]]) for c in listed[0]}
        best = [g for g, value in enumerate(values) if value == min(values)]
        assert {partition(rows[:, g]) for g in best} <= partitions
        assert listed[1] == max(len(set(rows[:, g].tolist())) for g in range(game.guess_count))
        found += 1
    assert found > 20


def partition(column):
    labels = column.tolist()
    return tuple(labels.index(label) for label in labels)


@pytest.mark.parametrize(("answers", "guesses", "max_guesses"), [(300, 120, 6), (160, 90, 4)])
def test_trees_are_those_of_the_search_without_them(original, answers, guesses, max_guesses):
    """Under a tight limit too, where states cost more than without, and shortlists help little."""
    game = small_game(original, answers=answers, guesses=guesses, objective=Objective(max_guesses))
    openers = range(0, guesses, 3)
    with pool_of(game) as pool:
        found = dict(pool.solve_guesses(game.start(), openers, tree=True))
        assert (pool.move_cache.entries[:, GUESSES] != 0).sum() > 50
    with pool_of(game) as pool:
        pool.move_cache = MoveCache.none()  # what is entered is not looked at
        without = dict(pool.solve_guesses(game.start(), openers, tree=True))
    solver = small_solver(game, 1 << 20)
    solved = 0
    for guess in openers:
        alone = solver.solve(game.start(), guess, tree=True)
        assert (found[guess].lower, found[guess].worst) == (alone.lower, alone.worst)
        assert found[guess].tree == without[guess].tree == alone.tree
        solved += alone.tree is not None
    assert solved > 10
    work = [sum(r.stats.generated for r in each.values()) for each in (found, without)]
    assert work[0] <= work[1] - (max_guesses == 6)


def test_forgetting_clears_them(original):
    game = small_game(original, answers=60, guesses=40)
    with pool_of(game) as pool:
        list(pool.solve_guesses(game.start(), range(5)))
        assert pool.move_cache.entries.any()
        engine_of(pool).forget()
        assert not pool.move_cache.entries.any()


def test_the_states_of_a_batch_are_entered_one_by_one():
    move_cache = MoveCache(64)
    keys = np.stack([key(seed) for seed in range(3)])
    columns = np.array([4, 5, 6, 7], np.int32)
    sizes, values, parts = (np.array(v, np.int64) for v in ([8, 9, 7], [20, 30, 40], [3, 4, 5]))
    indptr = np.array([0, 1, 3, 4], np.int64)
    shortlist_all(move_cache.entries, keys, sizes, values, parts, indptr, columns)
    for b in range(3):
        listed = columns[indptr[b] : indptr[b + 1]].tolist()
        assert read(move_cache, keys[b], values[b] + 1) == (listed, parts[b])
