"""The model that counts what bound_guesses.cu does finds what the kernel's twin finds."""

from __future__ import annotations

import numpy as np
import pytest
from gpu_count import COUNTERS, FOUND, LOOKUPS, PAIRS, count_list

from gpu_wordle.backends.cpu.backend import CpuBackend
from support.frontiers import game_of
from support.slices import random_batch, slice_of


@pytest.mark.slow
def test_bounds_are_those_of_the_frontier_with_and_without_a_memo(original):
    """Bounds below the cutoff are equal, others reach it; a memo spares look-ups."""
    game = game_of(slice_of(original, 700, 300))
    frontier = CpuBackend(1).open_frontier(game)
    random = np.random.default_rng(0).integers(1 << 63, size=(300, 2), dtype=np.uint64)
    spent = np.zeros((2, len(COUNTERS)), np.int64)
    for size in (5, 30, 250):
        lists = frontier.collapse(random_batch((size,), 300))
        listed = lists.held[0][0]
        cutoff = int(lists.bound[0]) + max(2, size // 6)
        expected = frontier.refute(lists, np.array([cutoff]))
        for is_remembered in (False, True):
            counted, bounds = count_list(lists, game, cutoff, random, is_remembered=is_remembered)
            spent[int(is_remembered)] += counted
            below = {
                int(listed[g]): int(bounds[g]) for g in range(len(bounds)) if bounds[g] < cutoff
            }
            assert below == dict(zip(expected.guess.tolist(), expected.total.tolist(), strict=True))
    without, with_memo = spent
    assert without[PAIRS] == with_memo[PAIRS] > 0
    assert without[FOUND] == 0 < with_memo[FOUND]
    assert with_memo[LOOKUPS] < without[LOOKUPS]
