"""Trees by lists that are noted only are those of lists that are made, and of shortlists."""

from __future__ import annotations

import numpy as np
import pytest

from gpu_wordle.backends.cpu.backend import CpuBackend
from gpu_wordle.game.objective import Objective
from gpu_wordle.solver import BatchedPool, Limits, TranspositionTable, open_solver
from gpu_wordle.tunables import MAX_UNCOMPACTED, MIN_DOMINATED, MIN_KEPT
from support.slices import small_game

NEVER = 1 << 30


def solver_of(game, few, least_kept):
    """With a list where more than ``few`` guesses are promising, kept from so many answers on."""
    solver = open_solver(game, TranspositionTable(1 << 22))
    w = solver.machine.thread.workspace
    w.max_uncompacted[:], w.least_kept[:] = few, least_kept
    return solver


def trees(solver, openers):
    start = solver.game.start()
    return [solver.solve(start, opener, tree=True).tree for opener in openers]


def test_trees_of_the_original_game_are_those_of_lists_that_are_kept(original):
    """Some guesses in each of these trees would be others, if lists were not asked."""
    openers = [original.words.guesses.find(word) for word in ("ragga", "walks")]
    assert trees(solver_of(original, MAX_UNCOMPACTED, MIN_KEPT), openers) == trees(
        solver_of(original, MAX_UNCOMPACTED, NEVER), openers
    )


@pytest.mark.parametrize(("answers", "few", "max_guesses"), [(300, 0, 6), (260, 30, None)])
def test_trees_are_those_of_lists_that_are_kept_and_of_shortlists(
    original, answers, few, max_guesses
):
    game = small_game(original, answers, 3000, objective=Objective(max_guesses))
    rows = game.patterns.values
    largest = np.array([np.bincount(column).max() for column in rows.T])
    assert largest.max() >= MIN_DOMINATED  # so that superfluous guesses are left out of lists
    openers = [*range(0, game.guess_count, 500), *np.argsort(largest)[-2:].tolist()]
    kept = solver_of(game, few, 3)
    expected = trees(kept, openers)
    assert kept.machine.thread.workspace.lists[:, 0].any()
    noted = solver_of(game, few, NEVER)
    assert trees(noted, openers) == expected
    assert not noted.machine.thread.workspace.lists[:, 0].any()
    assert noted.machine.thread.workspace.listed.any()
    limits = Limits(small=4, group=20)
    frontier = CpuBackend(1).open_frontier(game)
    with BatchedPool(game, frontier, 1, TranspositionTable(1 << 20), limits=limits) as pool:
        w = pool.submit(lambda solver, _: solver.machine, None).result().thread.workspace
        w.max_uncompacted[:], w.least_kept[:] = few, 4
        found = dict(pool.solve_guesses(game.start(), openers, tree=True))
        assert pool.move_cache.entries.any()
    assert [found[opener].tree for opener in openers] == expected
