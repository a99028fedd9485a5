"""Lists of guesses from memory are those that are made: the same search, with less to do."""

from __future__ import annotations

import pytest

from gpu_wordle.game.game import Rule
from gpu_wordle.game.objective import Objective
from gpu_wordle.solver import TranspositionTable, open_solver
from gpu_wordle.solver.constrained import workspace as constrained
from gpu_wordle.solver.memory import workspace
from gpu_wordle.tunables import MEASURED_WORDS, REMEMBERED_WORDS
from support.word_lists import make_game, make_words

NEVER = 1 << 30


def found_with(game, words, monkeypatch, openers):
    """What a solver finds of openers and with what work, and the words that it remembered."""
    monkeypatch.setattr(workspace, "REMEMBERED_WORDS", words)
    solver = open_solver(game, TranspositionTable(1 << 20))
    w = solver.machine.thread.workspace
    w.max_uncompacted[:], w.least_kept[:] = (
        0,
        (NEVER, 3),
    )  # each state has a list, and none is kept whole
    found = [solver.solve(game.start(), opener, tree=True) for opener in openers]
    what = [
        (row.lower, row.upper, row.tree, row.stats.expanded, row.stats.generated) for row in found
    ]
    return what, int(w.list_end[0])


def game_of(original, limit, rule=Rule.NORMAL):
    """Words that are hard to tell apart, so that a search comes back to many states."""
    words = original.words.guesses.words
    alike = [word for word in words if word[1] == "a" and word.endswith("es")][::3]
    lists = make_words(sorted({*alike, *words[::100]}), alike)
    return make_game(lists, rule, Objective(limit))


@pytest.fixture(params=[None, 6])
def game(original, request):
    return game_of(original, request.param)


def test_what_is_remembered_changes_nothing(game, monkeypatch):
    openers = range(0, game.guess_count, 20)
    made, none = found_with(game, 1, monkeypatch, openers)
    assert none == 0  # no list is that short
    remembered, words = found_with(game, REMEMBERED_WORDS, monkeypatch, openers)
    assert remembered == made
    for size in (400, 700, 1000, words // 2):
        overwritten, more_words = found_with(game, size, monkeypatch, openers)
        assert overwritten == made
        assert more_words > words > size  # lists that were overwritten were made anew


def test_what_is_forgotten_is_made_anew(game):
    solver = open_solver(game, TranspositionTable(1 << 20))
    thread = solver.machine.thread
    thread.workspace.max_uncompacted[:], thread.workspace.least_kept[:] = 0, 3
    solver.solve(game.start(), 3)
    assert thread.workspace.list_names.any()
    thread.forget()
    assert not thread.workspace.list_names.any()


@pytest.mark.parametrize("rule", [Rule.HARD, Rule.ULTRA_HARD])
def test_what_legal_guesses_make_of_a_state_may_come_from_memory(original, rule, monkeypatch):
    game = game_of(original, 6, rule)
    openers = range(0, game.guess_count, 20)

    def found_with(size):
        monkeypatch.setattr(constrained, "MEASURED_WORDS", size)
        solver = open_solver(game, TranspositionTable(1 << 20))
        found = [solver.solve(game.start(), opener, tree=True) for opener in openers]
        work = [(each.stats.expanded, each.stats.generated) for each in found]
        what = [(each.lower, each.upper, each.tree) for each in found]
        w = solver.machine.thread.workspace
        names = w.list_names.any()
        solver.forget()
        assert not w.list_names.any()
        return (what, work), int(w.list_end[0]), names

    made, none, is_any_named = found_with(1)
    assert (none, is_any_named) == (0, False)  # no list is that short
    remembered, words, is_any_named = found_with(MEASURED_WORDS)
    assert is_any_named
    assert remembered == made
    for size in (600, words // 2):
        overwritten, more_words, _ = found_with(size)
        assert overwritten == made
        assert more_words > words > size  # what was overwritten was made anew
