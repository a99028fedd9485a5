"""Games, positions and trees are values: equal ones are found in sets, and can be sent."""

import copy
import multiprocessing
import pickle
from concurrent.futures import ProcessPoolExecutor

import numpy as np
import pytest

import gpu_wordle as gw
from support.small_game import ANSWERS, GUESSES

COPIES = [copy.copy, copy.deepcopy, lambda each: pickle.loads(pickle.dumps(each))]


@pytest.fixture(scope="module")
def small(_private_cache):
    return gw.load_game(GUESSES, ANSWERS)


def test_equal_games_and_positions_are_one_in_sets(small):
    again = gw.load_game(list(GUESSES), list(ANSWERS))
    others = [
        gw.load_game(GUESSES, ANSWERS, rule="hard"),
        gw.load_game(GUESSES, ANSWERS, max_guesses=5),
        gw.load_game(GUESSES, ANSWERS[1:]),
        gw.load_game(GUESSES, ANSWERS, objective="worst"),
        gw.load_game(GUESSES, ANSWERS, weights=dict.fromkeys(ANSWERS, 1) | {"bat": 2}),
    ]
    assert small == again != others[0]
    assert len({small, again, *others}) == 6
    assert small.start == again.start == again.after("") != small.after("chf BBB")
    assert {small.after("chf BBB"): 1}[again.after("CHF 000")] == 1
    assert len({game.start for game in [small, again, *others]}) == 6
    assert small != small.start
    matrices = [
        gw.Game.from_feedback(["a", "b"], ["x", "y"], [[1, 0], [n, 1]], 1) for n in (0, 2, 2)
    ]
    assert matrices[0] != matrices[1] == matrices[2]


@pytest.mark.parametrize("copied", COPIES)
@pytest.mark.parametrize("name", ["small", "mastermind", "matrix"])
def test_copies_are_equal_and_play_the_same(small, copied, name):
    game = {
        "small": small,
        "mastermind": gw.load_game("mastermind:2x3"),
        "matrix": gw.Game.from_feedback(
            list("abc"), list("xyz"), [[1, 0, 0], [0, 1, 0], [0, 2, 1]], 1
        ),
    }[name]
    tree = gw.solve(game).tree
    inside = next(iter(tree.children.values()))
    ranking = gw.rank(game, exact="all")
    for each in (game, game.start, tree, inside, gw.solve(game).tree):
        again = copied(each)
        assert again == each
        assert hash(again) == hash(each)
        assert repr(again) == repr(each)
    again = copied(game)
    assert gw.solve(again).total == gw.solve(game).total
    assert list(copied(ranking)) == list(ranking)
    assert copied(ranking).position == ranking.position == game.start
    assert copied(gw.solve(game)).total == gw.solve(game).total


def test_nodes_are_in_the_trees_that_go_through_them(small):
    tree, twin = gw.solve(small).tree, gw.solve(small, threads=1).tree
    nodes = list(tree)
    assert all(node in tree for node in nodes)
    assert set(nodes) == set(twin)
    assert len(set(nodes)) == len(nodes) == len(tree)
    for feedback, child in tree.children.items():
        assert feedback in tree
        assert tree[feedback] == child == twin[feedback]
        assert all(node in child for node in child)
        assert tree not in child
        assert [node for node in nodes if node in child] == list(child)
    assert "GGG" not in tree
    assert None not in tree
    assert tree != gw.solve(gw.load_game(GUESSES, ANSWERS, max_guesses=5)).tree
    assert tree != gw.solve(small, "tab").tree


def test_simulations_are_pickled_without_their_trees(small, tmp_path):
    games = gw.simulate(small, ["parts", "greens"], ["chf", "bat"], out=tmp_path / "s.h5")
    for each in (games, gw.open_results(tmp_path / "s.h5")):
        again = pickle.loads(pickle.dumps(each))
        assert list(again) == list(games)
        assert again.turns("parts", "bat") == games.turns("parts", "bat")
        with pytest.raises(gw.UserError, match="nor does a pickle"):
            again.tree("parts", "bat")
    assert games.tree("parts", "bat").guess == "bat"


def test_a_ranking_from_a_file_is_pickled_with_its_position(small, tmp_path):
    gw.rank(small.after("chf BBB"), exact=2, out=tmp_path / "r.h5")
    read = pickle.loads(pickle.dumps(gw.open_results(tmp_path / "r.h5")))
    (tmp_path / "r.h5").unlink()
    assert read.position == small.after("chf BBB")
    assert pickle.loads(pickle.dumps(gw.published())).best == "salet"


def test_positions_share_one_matrix_where_they_arrive():
    start = gw.load_game("original").start
    sent = pickle.dumps([start, start.after("salet BYBBG")])
    assert len(sent) < 500_000
    arrived = pickle.loads(sent)
    again = pickle.loads(sent)
    assert arrived == again == [start, start.after("salet BYBBG")]
    parts = [each.parts("crony") for each in (*arrived, *again)]
    assert parts[:2] == parts[2:]
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=context) as pool:
        assert list(pool.map(len, [start, start.after("salet BYBBG")])) == [2315, 20]
        assert list(pool.map(copy.copy, [start.after("salet BYBBG")])) == [arrived[1]]


def test_weights_go_along(small):
    weights = {word: int(w) for word, w in zip(ANSWERS, np.arange(1, 11), strict=True)}
    game = gw.load_game(GUESSES, ANSWERS, weights=weights)
    again = pickle.loads(pickle.dumps(game))
    assert again == game != small
    assert gw.solve(again).total == gw.solve(game).total
