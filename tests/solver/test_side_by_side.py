"""Trees, results and verdicts of many guesses as columns: each is what it is by itself."""

import numpy as np
import pytest

from gpu_wordle.game.game import Game
from gpu_wordle.game.objective import Objective
from gpu_wordle.game.values import INFEASIBLE
from gpu_wordle.ranking.solving import replay, replay_all
from gpu_wordle.solver import Results, SearchStats, SolveResult, open_solver
from gpu_wordle.states.tree import DecisionTree, Forest
from gpu_wordle.verify import Verdict, Verdicts, VerificationError, Verifier
from support.word_lists import make_game, make_words

GUESSES = ["crane", "salet", "slate", "trace", "trade", "grade", "cigar", "fuzzy"]


def a_tree(first: int, nodes: int) -> DecisionTree:
    """Some nodes in a row."""
    places = np.arange(nodes, dtype=np.int32)
    return DecisionTree(places + np.int32(first), places - 1, places.astype(np.uint16))


def game_of(limit: int | None) -> Game:
    """A game in which openers take two guesses or more."""
    words = make_words(GUESSES, GUESSES[:7])
    return make_game(words, objective=Objective(limit))


def test_a_forest_holds_its_trees():
    trees = [a_tree(0, 3), None, a_tree(5, 1), None, a_tree(7, 2)]
    forest = Forest.of(trees)
    assert list(forest) == trees
    assert forest[-1] == trees[-1]
    assert list(forest[1:3]) == trees[1:3]
    assert list(forest[2:]) == trees[2:]
    assert list(forest[3:2]) == []
    assert forest.sizes.tolist() == [3, 0, 1, 0, 2]
    assert list(forest.grown()) == [tree for tree in trees if tree is not None]
    assert list(forest[1:4].grown()) == [trees[2]]
    assert len(forest.tree(1)) == 0
    assert Forest.of(forest) is forest
    with pytest.raises(ValueError, match="without leaving any out"):
        forest[::2]
    for place in (5, -6):
        with pytest.raises(IndexError):
            forest[place]
    assert list(Forest.of([])) == list(Forest.of([None]).grown()) == []


def test_results_are_what_was_put_in():
    results = [
        SolveResult(7, 7, a_tree(1, 2), 2, SearchStats(1, 2, 3, 4, 0.5)),
        SolveResult(5, INFEASIBLE, None, None, SearchStats(6, 7, 8, 9, 1.5)),
        SolveResult(INFEASIBLE, INFEASIBLE, None, None, SearchStats()),
    ]
    columns = Results.of(results)
    assert list(columns) == list(columns[:]) == results
    assert columns[-2:] == results[-2:]
    assert columns.is_exact.tolist() == [True, False, True]
    assert columns.is_infeasible.tolist() == [False, False, True]
    assert columns.work.tolist() == [[1, 2, 3, 4], [6, 7, 8, 9], [0, 0, 0, 0]]
    assert list(Results.of([])) == []


def same(one: Verdict, other: Verdict) -> bool:
    """Whether two verdicts say the same."""
    return [np.asarray(field).tolist() for field in one] == [
        np.asarray(field).tolist() for field in other
    ]


def test_verdicts_are_what_was_put_in():
    one = Verdict(4, 4, 2, np.array([1, 2]), np.array([10, 20]), answers=4, failures=1)
    other = Verdict(9, 8, 3, np.array([1, 0, 3]), np.array([5, 0, 6]), answers=4, failures=0)
    columns = Verdicts.of([one, other, one])
    assert all(map(same, columns, [one, other, one]))
    assert all(map(same, columns[1:], [other, one]))
    assert columns.distribution.tolist() == [[1, 2, 0], [1, 0, 3], [1, 2, 0]]
    assert all(
        map(same, Verdicts.joined([columns, Verdicts.of([other])]), [one, other, one, other])
    )


@pytest.mark.parametrize("limit", [None, 2, 1])
@pytest.mark.parametrize("at_once", [1, 20, 1 << 14])
def test_replayed_together_or_alone(monkeypatch, limit, at_once):
    monkeypatch.setattr("gpu_wordle.ranking.solving.GAMES_AT_ONCE", at_once)
    game = game_of(limit)
    results = open_solver(game).solve_many(game.start(), range(len(GUESSES)), tree=True)
    assert isinstance(results, Results)
    alone = [replay(game.start(), result) for result in results]
    for given in (results, list(results)):
        for verdict, other in zip(replay_all(game.start(), given), alone, strict=True):
            assert (verdict is None) == (other is None)
            assert verdict is None or same(verdict, other)
    assert replay_all(game.start(), []) == []


@pytest.mark.parametrize("place", range(len(GUESSES)))
def test_a_false_claim_among_others_is_found(place):
    game = game_of(None)
    results = open_solver(game).solve_many(game.start(), range(len(GUESSES)), tree=True)
    claims = results.upper.tolist()
    claims[place] += 1
    first = f"starts with {GUESSES[place].upper()} has a value of {claims[place] - 1} "
    with pytest.raises(VerificationError, match=first):
        Verifier(game.words, game.objective).check_all(results.trees, claimed=claims)
