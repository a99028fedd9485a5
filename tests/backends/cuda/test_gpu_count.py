"""The model that counts what bound_guesses.cu does finds what the kernel's twin finds."""

from __future__ import annotations

import numpy as np
import pytest

from gpu_wordle.backends.cpu.backend import CpuBackend
from gpu_wordle.game.values import INFEASIBLE
from scripts.gpu.count import COUNTERS, FOUND, LOOKUPS, PAIRS, count_list
from support.slices import random_batch, slice_of
from support.word_lists import make_game


@pytest.mark.slow
def test_bounds_are_those_of_the_frontier_with_and_without_a_memo(original):
    """Bounds below the cutoff are equal, others reach it; a memo spares look-ups."""
    game = make_game(slice_of(original, 700, 300))
    frontier = CpuBackend(1).open_frontier(game)
    random = np.random.default_rng(0).integers(1 << 63, size=(300, 2), dtype=np.uint64)
    spent = np.zeros((2, len(COUNTERS)), np.int64)
    for size in (5, 30, 250):
        lists = frontier.collapse(random_batch((size,), 300))
        listed = lists.held[0][0]
        cutoff = int(lists.bound[0]) + max(2, size // 6)
        expected = frontier.refute(lists, np.array([cutoff]))
        for is_remembered in (False, True):
            counted, bounds = count_list(
                lists, game, [(INFEASIBLE, cutoff)], random, is_remembered=is_remembered
            )
            spent[int(is_remembered)] += counted
            below = {
                int(listed[g]): int(bounds[g]) for g in range(len(bounds)) if bounds[g] < cutoff
            }
            assert below == dict(zip(expected.guess.tolist(), expected.total.tolist(), strict=True))
    without, with_memo = spent
    assert without[PAIRS] == with_memo[PAIRS] > 0
    assert without[FOUND] == 0 < with_memo[FOUND]
    assert with_memo[LOOKUPS] < without[LOOKUPS]


@pytest.mark.slow
def test_a_second_launch_at_a_lower_cutoff_asks_less(original):
    """Guesses of the first launch are counted as before, and the others only below its result."""
    game = make_game(slice_of(original, 700, 300))
    frontier = CpuBackend(1).open_frontier(game)
    random = np.random.default_rng(0).integers(1 << 63, size=(300, 2), dtype=np.uint64)
    lists = frontier.collapse(random_batch((250,), 300))
    bound, cutoff = int(lists.bound[0]), int(lists.bound[0]) + 40
    one, bounds = count_list(lists, game, [(INFEASIBLE, cutoff)], random, is_remembered=False)
    launches = [(bound + 5, cutoff), (INFEASIBLE, cutoff - 20)]
    two, fewer = count_list(lists, game, launches, random, is_remembered=False)
    same, again = count_list(
        lists, game, [(bound + 5, cutoff), (INFEASIBLE, cutoff)], random, is_remembered=False
    )
    assert (same.tolist(), again.tolist()) == (one.tolist(), bounds.tolist())
    assert two[PAIRS] < one[PAIRS]
    assert two[LOOKUPS] < one[LOOKUPS]
    assert len(fewer) < len(bounds)
