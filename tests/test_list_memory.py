"""Lists of guesses from memory are those that are made: the same search, with less to do."""

from __future__ import annotations

import numpy as np
import pytest

from gpu_wordle.game.objective import Objective
from gpu_wordle.solver import TranspositionTable, open_solver
from gpu_wordle.solver.memory import workspace
from gpu_wordle.tunables import MIN_REMEMBERED, REMEMBERED_WORDS
from support.slices import small_game


def found_with(game, words, monkeypatch, openers):
    """What a solver finds of openers and with what work, and the words that it remembered."""
    monkeypatch.setattr(workspace, "REMEMBERED_WORDS", words)
    solver = open_solver(game, TranspositionTable(1 << 20))
    w = solver.machine.thread.workspace
    w.few[:], w.least_kept[:] = 0, 1 << 30  # a list for each state, and none is kept whole
    found = [solver.solve(game.start(), opener, tree=True) for opener in openers]
    what = [
        (row.lower, row.upper, row.tree, row.stats.expanded, row.stats.generated) for row in found
    ]
    return what, int(w.list_end[0])


@pytest.mark.parametrize("max_guesses", [None, 4])
def test_what_is_remembered_changes_nothing(original, monkeypatch, max_guesses):
    game = small_game(original, 200, 600, objective=Objective(max_guesses))
    most = np.array([np.bincount(column).max() for column in game.patterns.values.T])
    openers = np.argsort(-most)[100:104].tolist()
    assert most[openers].min() > MIN_REMEMBERED
    made, none = found_with(game, 1, monkeypatch, openers)
    assert none == 0  # no list is that short
    remembered, words = found_with(game, REMEMBERED_WORDS, monkeypatch, openers)
    assert remembered == made
    small = words // 4
    overwritten, more_words = found_with(game, small, monkeypatch, openers)
    assert overwritten == made
    assert more_words > words > small  # lists that were overwritten were made anew


def test_what_is_forgotten_is_made_anew(original):
    game = small_game(original, 200, 600)
    solver = open_solver(game, TranspositionTable(1 << 20))
    thread = solver.machine.thread
    thread.workspace.few[:] = 0
    solver.solve(game.start(), 3)
    assert thread.workspace.list_names.any()
    thread.forget()
    assert not thread.workspace.list_names.any()
