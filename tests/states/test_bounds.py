import itertools
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpu_wordle.backends.cpu.backend import CpuBackend
from gpu_wordle.game.objective import Objective
from gpu_wordle.game.patterns import PatternMatrix
from gpu_wordle.game.weights import Weights
from gpu_wordle.ranking.ranking import Ranking
from gpu_wordle.states import bounds
from gpu_wordle.states.batch import StateBatch
from gpu_wordle.states.partition import WeighedParts
from support import naive, naive_objectives
from support.naive_solve import NaiveGame
from support.word_lists import make_game, random_words


@given(random_words(lengths=(3, 4), most_guesses=12, least_answers=2, most_answers=6))
@settings(max_examples=60)
def test_bounds_never_exceed_the_value(words):
    guesses, answers = list(words.guesses.words), list(words.answers.words)
    patterns = [[naive.pattern(g, a) for g in guesses] for a in answers]
    n = len(answers)
    value = NaiveGame(patterns, [guesses.index(a) for a in answers]).value(tuple(range(n)), n)
    splits = [(len(naive.partition(g, answers)), int(g in answers)) for g in guesses]
    most_parts = max(parts for parts, _ in splits)
    assert bounds.state_lower_bound(n) <= value
    assert min(bounds.guess_lower_bound(n, *split) for split in splits) <= value
    assert bounds.part_lower_bound(n, most_parts) <= value


@given(
    sizes=st.lists(st.integers(1, 300), min_size=2, max_size=40),
    most_parts=st.integers(2, 256),
)
def test_the_excess_is_the_least_that_parts_and_squares_allow(sizes, most_parts):
    n, parts, squares = sum(sizes), len(sizes), sum(k * k for k in sizes)
    excess = bounds.least_excess(n, parts, squares, most_parts)
    assert 0 <= excess <= sum(max(0, k - most_parts) for k in sizes)
    most, missing = most_parts - 1, sum((k - 1) ** 2 for k in sizes)

    def is_enough(e):
        return e * e + most * e + most * (n - parts) >= missing

    assert is_enough(excess)
    assert excess == 0 or not is_enough(excess - 1)


@pytest.mark.parametrize(("size", "most_parts"), [(9, 4), (40, 3), (300, 150), (12_972, 2)])
def test_the_excess_of_one_part_beside_single_answers_is_exact(size, most_parts):
    assert bounds.least_excess(size + 5, 6, size * size + 5, most_parts) == size - most_parts


def test_no_guess_costs_less_than_its_excess_says():
    """Of words that mostly share a letter, many guesses leave a part that is too large."""
    chance, raised = random.Random(5), 0
    every = ["".join(letters) for letters in itertools.product("bcdfghk", "ae")]
    for _ in range(20):
        answers = chance.sample(every, 6)
        guesses = [*answers, *chance.sample(sorted({*every} - {*answers}), 1)]
        patterns = [[naive.pattern(g, a) for g in guesses] for a in answers]
        game = NaiveGame(patterns, list(range(6)))
        splits = [naive.partition(g, answers) for g in guesses]
        most_parts = max(map(len, splits))
        for g, sizes in enumerate(splits):
            excess = bounds.least_excess(6, len(sizes), sum(k * k for k in sizes), most_parts)
            bound = bounds.guess_lower_bound(6, len(sizes), int(g < 6)) + excess
            assert bound <= game.guess_value(tuple(range(6)), g, 7)
            raised += excess > 0
    assert raised


def test_the_bound_of_a_part_is_reached():
    """Of games whose best guess leaves some answers together, one needs no more than the bound."""
    chance, reached = random.Random(16), 0
    every = ["".join(letters) for letters in itertools.product("abcde", repeat=2)]
    for _ in range(30):
        answers = chance.sample(every, 5)
        patterns = [[naive.pattern(g, a) for g in answers] for a in answers]
        value = NaiveGame(patterns, list(range(5))).value(tuple(range(5)), 5)
        most_parts = max(len(naive.partition(g, answers)) for g in answers)
        reached += value == bounds.part_lower_bound(5, most_parts) > 2 * 5 - 1
    assert reached


def test_arrays_give_what_integers_give():
    sizes = np.arange(1, 50)
    for most_parts in (9, 60):
        assert bounds.part_lower_bound(sizes, np.array(most_parts)).tolist() == [
            bounds.part_lower_bound(int(n), most_parts) for n in sizes
        ]
    assert bounds.state_lower_bound(sizes).tolist() == [2 * n - 1 for n in range(1, 50)]


def small_parts(words, guesses):
    """The joint parts of some guesses by feedback; None if one has more than two answers."""
    parts = {}
    for answer in words.answers.words:
        parts.setdefault(tuple(naive.pattern(g, answer) for g in guesses), []).append(answer)
    return None if max(map(len, parts.values())) > 2 else list(parts.values())


@given(random_words(lengths=(3, 4), most_guesses=12, most_answers=8), st.data())
def test_bounds_are_exact_where_no_part_has_more_than_two_answers(words, data):
    """Of two answers, the heavier is guessed first."""
    prices = sorted(data.draw(st.lists(st.integers(0, 9), min_size=3, max_size=3)))
    weight_of = {answer: data.draw(st.integers(0, 9)) for answer in words.answers.words}
    for guess in words.guesses.words:
        parts = small_parts(words, [guess])
        if parts is None:
            continue
        turn_of = {}
        for part in parts:
            heaviest_first = sorted(part, key=weight_of.get, reverse=True)
            turn_of |= {answer: turn for turn, answer in enumerate(heaviest_first, 2)}
        own = weight_of.get(guess, 0)
        turn_of |= {guess: 1} if guess in turn_of else {}
        is_candidate = int(guess in turn_of)
        n, total = len(turn_of), sum(weight_of.values())
        assert bounds.guess_lower_bound(n, len(parts), is_candidate) == sum(turn_of.values())
        assert bounds.guess_depth_bound(n, len(parts), is_candidate) == max(turn_of.values())
        soon = sum(max(map(weight_of.get, part)) for part in parts)
        paid = sum(weight_of[answer] * prices[turn - 1] for answer, turn in turn_of.items())
        assert bounds.priced_guess_bound(total, own, soon, prices) == paid


@given(random_words(lengths=(2, 3), most_guesses=9, most_answers=9), st.integers(1, 3))
def test_the_bound_of_fixed_guesses_is_exact_where_no_joint_part_has_more_than_two(words, turns):
    for fixed in itertools.permutations(words.guesses.words, turns):
        parts = small_parts(words, fixed)
        if parts is None:
            continue
        turn_of = {answer: turn for part in parts for turn, answer in enumerate(part, turns + 1)}
        found = {guess: turn for turn, guess in enumerate(fixed, 1) if guess in turn_of}
        saved = sum(turns + 1 - turn for turn in found.values())
        needed = sum((turn_of | found).values())
        assert bounds.fixed_lower_bound(len(turn_of), len(parts), turns, saved) == needed


@given(
    random_words(lengths=(3, 4), most_guesses=9, least_answers=2, most_answers=5),
    st.sampled_from(["mean", "worst", "within:2", "fewest-failures", "cost:1,1,5"]),
    st.booleans(),
    st.data(),
)
@settings(max_examples=80)
def test_openers_start_with_bounds_that_hold_for_every_objective(words, name, is_weighed, data):
    n, limit = len(words.answers), data.draw(st.sampled_from([2, 3]))
    if name.startswith("cost"):
        name = "cost:1,5" if limit == 2 else name
    drawn = st.lists(st.integers(0, 9), min_size=n, max_size=n).filter(any)
    weights = Weights(tuple(data.draw(drawn))) if is_weighed else None
    objective = Objective.parse(name, limit, weights)
    game = make_game(words, objective=objective)
    stats = CpuBackend(1).open(game).stats(StateBatch.whole(n))
    lower = Ranking.begin(game.position_after(), stats).openers.lower
    counted = weights.of_answer if weights else (1,) * n
    for guess, word in enumerate(words.guesses.words):
        assert lower[guess] <= naive_objectives.value_of_guess(words, word, name, limit, counted)


@given(random_words(lengths=(3, 4), most_guesses=12, most_answers=12), st.data())
@settings(max_examples=40)
def test_weighed_parts_are_those_of_the_definition(words, data):
    n = len(words.answers)
    state = np.array(sorted(data.draw(st.sets(st.integers(0, n - 1), min_size=1))), np.uint16)
    weights = np.array([data.draw(st.integers(0, 20)) for _ in state])
    patterns = PatternMatrix(CpuBackend(1).build_patterns(words), words.feedback)
    weighed = WeighedParts.of(patterns, state, weights)
    for guess, word in enumerate(words.guesses.words):
        parts = {}
        for answer, weight in zip(state, weights.tolist(), strict=True):
            code = naive.pattern(word, words.answers.words[answer])
            parts.setdefault(code, []).append(weight)
        assert weighed.heaviest[guess] == sum(map(max, parts.values()))
        assert weighed.sum_squares[guess] == sum(sum(part) ** 2 for part in parts.values())
        shares = [sum(part) / weights.sum() for part in parts.values() if sum(part)]
        entropy = -sum(share * np.log2(share) for share in shares)
        assert weighed.entropy_bits[guess] == pytest.approx(entropy, abs=1e-9)


def test_prices_one_two_three_are_the_mean():
    for n, parts, candidate in ((9, 4, 1), (9, 9, 0), (1, 1, 1)):
        mean = bounds.guess_lower_bound(n, parts, candidate)
        assert bounds.priced_guess_bound(n, candidate, parts, (1, 2, 3)) == mean
