"""Symmetries: groups against plain enumeration, values against searches that know none."""

from dataclasses import replace
from itertools import chain, permutations, product

import numpy as np
import pytest

from gpu_wordle.backends import choose
from gpu_wordle.errors import UserError
from gpu_wordle.game import games
from gpu_wordle.game.game import Position, Rule
from gpu_wordle.game.objective import Objective
from gpu_wordle.game.weights import Weights
from gpu_wordle.ranking.ranking import Ranking
from gpu_wordle.solver import (
    Fate,
    Solver,
    SolverPool,
    Stop,
    TranspositionTable,
    open_solver,
    prove,
    symmetric,
)
from gpu_wordle.solver.machine_engine import MachineEngine
from gpu_wordle.solver.symmetric import SymmetricEngine
from gpu_wordle.states.batch import StateBatch
from support.objectives import random_objective, with_objective
from support.seeds import seeds


@pytest.fixture
def from_the_start(monkeypatch):
    """Orbits down to the smallest states."""
    monkeypatch.setattr(symmetric, "MIN_SYMMETRIC_STATE", 3)


def every_renaming(game, places):
    """All permutations of the codes by places and symbols, as tuples, by the definition."""
    codes = game.words.guesses.words
    symbols = sorted(set("".join(codes)))
    number = {code: i for i, code in enumerate(codes)}
    return {
        tuple(
            number["".join(dict(zip(symbols, names, strict=True))[code[i]] for i in order)]
            for code in codes
        )
        for order in permutations(range(places))
        for names in permutations(symbols)
    }


def orbits_of(group, size):
    return [min(element[g] for element in group) for g in range(size)]


@pytest.mark.parametrize(
    ("game", "places"),
    [
        (games.mastermind(2, 3), 2),
        (games.mastermind(3, 3), 3),
        (games.mastermind(4, 2), 4),
        (games.bulls_and_cows(2, 4), 2),
        (games.bulls_and_cows(3, 5), 3),
        (games.mastermind(1, 1), 1),
    ],
)
def test_groups_are_those_of_all_renamings(game, places):
    group, size = every_renaming(game, places), game.guess_count
    assert game.symmetry.orbits.tolist() == orbits_of(group, size)
    for g in range(min(size, 12)):
        keeping_g = {element for element in group if element[g] == g}
        subgroup = game.symmetry.fixing(g)
        assert subgroup.orbits.tolist() == orbits_of(keeping_g, size)
        for h in range(0, size, 5):
            keeping_both = {element for element in keeping_g if element[h] == h}
            assert subgroup.fixing(h).orbits.tolist() == orbits_of(keeping_both, size)
        for image in range(size):
            if game.symmetry.orbits[image] == game.symmetry.orbits[g]:
                element = tuple(game.symmetry.routes(g).element(image).tolist())
                assert element in group
                assert element[g] == image
            else:
                with pytest.raises(ValueError, match="no symmetry"):
                    game.symmetry.routes(g).element(image)


def planted(rng):
    """A game of chance that one symmetry of chance keeps, and that symmetry, by names."""
    answers = int(rng.integers(4, 9))
    guesses = answers + int(rng.integers(0, 5))
    image = np.concatenate((rng.permutation(answers), answers + rng.permutation(guesses - answers)))
    matrix = rng.integers(0, 3, (guesses, answers))
    matrix[np.arange(answers), np.arange(answers)] = 9
    for g, a in product(range(guesses), range(answers)):
        at = g, a
        while (at := (int(image[at[0]]), int(image[at[1]]))) != (g, a):
            matrix[at] = matrix[g, a]
    names = [f"g{i}" for i in range(guesses)]
    return names, names[:answers], matrix, [names[i] for i in image]


def pair(game):
    """Two solvers: one that searches by orbits, and one that knows no symmetry."""
    machine = MachineEngine(game, TranspositionTable(1 << 16), Stop())
    plain = MachineEngine(game, TranspositionTable(1 << 16), Stop())
    return Solver(SymmetricEngine(machine)), Solver(plain)


def small_game(rng, rule):
    if rng.random() < 0.5:
        names, answers, matrix, image = planted(rng)
        return games.from_feedback(names, answers, matrix, 9, symmetries=[image], rule=rule)
    sizes = [(games.mastermind, 2, 3), (games.mastermind, 3, 2), (games.bulls_and_cows, 2, 4)]
    build, places, symbols = sizes[rng.integers(len(sizes))]
    return build(places, symbols, rule=rule)


@pytest.mark.usefixtures("from_the_start")
@pytest.mark.parametrize("rule", [Rule.NORMAL, Rule.CANDIDATES])
@pytest.mark.parametrize("seed", seeds(2))
def test_values_and_strategies_are_those_without_symmetry(rule, seed):
    rng = np.random.default_rng([seed, rule is Rule.NORMAL])
    searched = 0
    for _ in range(40):
        drawn = small_game(rng, rule)
        game = with_objective(drawn, random_objective(rng, drawn.answer_count))
        if rng.random() < 0.5:
            game = with_objective(drawn, replace(game.objective, weights=None))
        searched += not game.symmetry.is_trivial
        by_orbits, plain = pair(game)
        position = game.start()
        for guess in (None, *rng.choice(game.guess_count, 3)):
            asked = None if guess is None else int(guess)
            mine = by_orbits.solve(position, asked, tree=True)
            theirs = plain.solve(position, asked, tree=True)
            assert (mine.lower, mine.upper, mine.worst) == (
                theirs.lower,
                theirs.upper,
                theirs.worst,
            )
            assert mine.tree == theirs.tree
            cutoff = max(1, theirs.lower + int(rng.integers(-2, 3)))
            bounded = by_orbits.solve(position, asked, cutoff=cutoff)
            assert bounded.lower == theirs.lower if theirs.lower < cutoff else True
            assert min(theirs.lower, cutoff) <= bounded.lower <= theirs.lower
    assert searched > 20


@pytest.mark.usefixtures("from_the_start")
@pytest.mark.parametrize("seed", seeds(2))
def test_a_ranking_and_a_proof_by_kinds(seed):
    rng = np.random.default_rng(seed)
    for _ in range(6):
        game = small_game(rng, Rule.NORMAL)
        position, guesses = game.start(), np.arange(game.guess_count)
        plain = pair(game)[1]
        expected = [plain.solve(position, int(g)).lower for g in guesses]
        evaluator = choose("cpu", 1).backend.open(game)
        statistics = evaluator.stats(StateBatch.whole(game.answer_count))
        ranking = Ranking.begin(position, statistics)
        with SolverPool(game, 1, TranspositionTable(1 << 16)) as pool:
            solved = chain.from_iterable(ranking.solve(guesses, pool))
            assert sorted(solved) == guesses.tolist()
            assert ranking.openers.upper.tolist() == expected
            assert ranking.openers.lower.tolist() == expected
        with SolverPool(game, 1, TranspositionTable(1 << 16)) as pool:
            proof = prove(pool, position)
        assert proof.is_complete
        assert proof.total == min(expected)
        assert sorted(proof.best) == np.flatnonzero(np.array(expected) == min(expected)).tolist()
        for guess, fate in enumerate(proof.fate.tolist()):
            assert (fate == Fate.OPTIMAL) == (expected[guess] == proof.total)
            assert proof.lower[guess] <= expected[guess]


def test_weights_leave_the_symmetries_that_keep_them():
    game = games.mastermind(3, 3)
    by_first = Weights(tuple(5 if "1" in code else 2 for code in game.words.answers.words))
    weighed = with_objective(game, Objective(None, weights=by_first))
    spelled = game.words.guesses.words
    orbits = {spelled[g] for g in weighed.symmetry.orbits}
    assert {"111", "222"} <= orbits
    assert "333" not in orbits
    uneven = Weights(tuple(range(1, 28)))
    assert with_objective(game, Objective(None, weights=uneven)).symmetry.is_trivial


def test_positions_know_the_symmetries_that_are_left():
    game = games.mastermind(3, 4)
    position = game.position_after("112 1B0W")
    assert position.symmetry is not None
    third, fourth = game.words.guesses.find("113"), game.words.guesses.find("114")
    assert position.symmetry.orbits[third] == position.symmetry.orbits[fourth]
    assert position.symmetry.orbits[third] != position.symmetry.orbits[0]
    some = Position.of_answers(game, position.state[:-1], 1)
    assert some.symmetry is None
    assert some.after(third, int(game.patterns.values[some.state[0], third])).symmetry is None
    assert Position.of_answers(game, range(game.answer_count)).symmetry is game.symmetry


@pytest.mark.parametrize(
    ("image", "said"),
    [
        (["a", "b", "c"], "names each of its 4 guesses once"),
        (["a", "a", "c", "d"], "names each of its 4 guesses once"),
        (["a", "b", "c", "x"], "'x' is not one of the 4 words"),
        (["d", "b", "c", "a"], "'a' may be the answer, and 'd', to which it is mapped, may not"),
        (["b", "a", "c", "d"], "'c' receives other feedback for answer 'a' than 'c' for 'b'"),
    ],
)
def test_what_is_no_symmetry_is_refused(image, said):
    matrix = [[9, 1, 2], [1, 9, 3], [2, 3, 9], [0, 0, 0]]
    with pytest.raises(UserError, match=said):
        games.from_feedback("abcd", "abc", matrix, 9, symmetries=[image])


@pytest.mark.slow
def test_a_game_that_takes_ten_times_as_long_without():
    game = games.bulls_and_cows(4, 8)
    result = open_solver(game).solve(game.start(), 0, tree=True)
    assert (result.lower, result.upper) == (7817, 7817)
    assert result.stats.expanded < 10_000
