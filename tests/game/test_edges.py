"""Boundaries: what is just allowed, what is just refused, and bounds as tight as they are told."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpu_wordle.backends.cpu.backend import CpuBackend
from gpu_wordle.errors import UserError
from gpu_wordle.game import games
from gpu_wordle.game.objective import MAX_GUESS_LIMIT, Objective
from gpu_wordle.game.patterns import PatternMatrix, cached_patterns, pattern_dtype
from gpu_wordle.game.values import INFEASIBLE, NO_LIMIT
from gpu_wordle.game.weights import Weights, parse_weights
from gpu_wordle.game.word_list import WordList
from gpu_wordle.game.words import MAX_ANSWERS, GameWords, parse_list, words_of
from gpu_wordle.ranking.ranking import Ranking
from gpu_wordle.states import bounds
from gpu_wordle.states.batch import StateBatch
from gpu_wordle.tunables import DEFINITION_BLOCK
from support import naive, naive_objectives
from support.word_lists import make_game, make_words, random_words

# Values


def dearest_within(weight):
    """What the last answer of this weight may cost under within:1 with a limit of two guesses."""
    return weight * (2 + 2 * weight + 1)


@pytest.mark.parametrize(
    ("name", "limit", "dearest"),
    [
        ("mean", 1, lambda w: w),
        ("mean", 6, lambda w: 6 * w),
        ("mean", None, lambda w: MAX_GUESS_LIMIT * w),
        ("mean,worst", 3, lambda w: 3 * w),
        ("cost:7,9", 2, lambda w: 9 * w),
        ("worst", 1, lambda w: 2 * (w + 1)),
        ("worst", 6, lambda w: 7 * (6 * w + 1)),
        ("within:1", 2, dearest_within),
        ("fewest-failures", 1, lambda w: w * (w + 1)),
        ("fewest-failures", 6, lambda w: w * (6 * w + 1)),
    ],
)
def test_values_stay_below_infeasible_and_come_close(name, limit, dearest):
    least, most = 2, INFEASIBLE
    while most - least > 1:  # the greatest weight with which values cannot come to too much
        middle = (least + most) // 2
        least, most = (middle, most) if dearest(middle) < INFEASIBLE else (least, middle)
    assert Objective.parse(name, limit, Weights((least - 1, 1))).prices(2).by_turn
    with pytest.raises(UserError, match=f"could come to {dearest(most):,}, and have to stay below"):
        Objective.parse(name, limit, Weights((most - 1, 1))).prices(2)


@pytest.mark.parametrize(
    ("limit", "weights", "answers", "scale"),
    [
        (3, None, 5, 16),
        (3, (4, 4, 4, 4, 4), 5, 61),
        (3, (1, 0, 0, 0, 0), 5, 16),  # no less than with equal weights
        (None, None, 1, MAX_GUESS_LIMIT + 1),
    ],
)
def test_the_scale_is_one_above_all_that_the_second_aim_can_come_to(limit, weights, answers, scale):
    given_weights = None if weights is None else Weights(weights)
    assert Objective.parse("worst", limit, given_weights).prices(answers).scale == scale


def test_limits_of_guesses():
    for limit in (1, MAX_GUESS_LIMIT):
        assert Objective(limit).guesses_left == limit
    for limit in (0, -1, MAX_GUESS_LIMIT + 1):
        with pytest.raises(UserError, match=rf"use 1 to {MAX_GUESS_LIMIT}, or 0 for none"):
            Objective(limit)
    assert Objective.parse("within:6", 6).within == 6
    assert Objective.parse(f"within:{MAX_GUESS_LIMIT}", None).guesses_left == MAX_GUESS_LIMIT
    with pytest.raises(UserError, match="use within:1 to within:250"):
        Objective.parse(f"within:{MAX_GUESS_LIMIT + 1}", None)
    assert Objective.parse("cost:0,0,0").costs == (0, 0, 0)
    assert Objective.parse("mean", None).after(NO_LIMIT - 1) == NO_LIMIT


def test_the_last_guess_is_allowed_and_no_other():
    assert [Objective(3).after(turns) for turns in (0, 1, 2)] == [3, 2, 1]
    with pytest.raises(UserError, match="3 guesses made, and 3 are allowed"):
        Objective(3).after(3)
    with pytest.raises(UserError, match="1 guess made, and 1 is allowed"):
        Objective(1).after(1)
    within = Objective.parse("within:2", 4)
    assert within.after(1) == 3
    with pytest.raises(UserError, match="2 guesses made; no answer .* within 2"):
        within.after(2)


# Weights, words and games


def test_weights_add_up_to_less_than_infeasible():
    pair = words_of(["crane", "slate"], "answers.txt")
    last = parse_weights(f"crane,{INFEASIBLE - 2}\nslate,1\n", pair, "w.csv")
    assert last.total == INFEASIBLE - 1
    with pytest.raises(UserError, match="add up to 1,099,511,627,776, and have to stay below"):
        parse_weights(f"crane,{INFEASIBLE - 1}\nslate,1\n", pair, "w.csv")


@pytest.mark.parametrize(
    ("weight", "is_read"),
    [("1e17", True), ("1e18", False), ("1e-350", True), ("1e-351", False), ("9" * 18, True)],
)
def test_digits_of_a_weight(weight, is_read):
    pair = words_of(["crane", "slate"], "answers.txt")
    text = f"crane,{weight}\nslate,{weight}\n"
    if is_read:
        assert parse_weights(text, pair, "w.csv").of_answer == (1, 1)
        return
    with pytest.raises(UserError, match="at most 18 digits before the point and 350 after it"):
        parse_weights(text, pair, "w.csv")


def test_words_have_two_to_ten_letters():
    for length in (2, 10):
        assert parse_list(b"a" * length, "x").length == length
    for length in (1, 11):
        with pytest.raises(UserError, match="words of 2 to 10 letters are supported"):
            parse_list(b"a" * length, "x")


def test_answers_are_numbered_by_sixteen_bits():
    letters = "abcdefghijklmnopqrstuvwxyz"
    many = tuple(map("".join, product(letters, repeat=4)))[: MAX_ANSWERS + 1]
    most = WordList(many[:-1], "most")
    assert len(GameWords(most, most).answers) == 65_535
    with pytest.raises(UserError, match="has 65,536 answers; at most 65,535 are supported"):
        GameWords(WordList(many, "more"), WordList(many, "more"))


@pytest.mark.parametrize(
    ("name", "codes"),
    [("mastermind:4x15", 50_625), ("mastermind:1x35", 35), ("bulls-and-cows:1x36", 36)],
)
def test_the_largest_games_of_their_kind(name, codes):
    assert len(games.load(name).guesses) == codes


@pytest.mark.parametrize("name", ["mastermind:8x4", "mastermind:16x1", "mastermind:1x36",
                                  "bulls-and-cows:1x37", "bulls-and-cows:0x5"])  # fmt: skip
def test_games_just_beyond_are_refused(name):
    """Four to the power of eight is one code too many."""
    with pytest.raises(UserError, match=f"{name}(: give 1| has more than 65,535 codes)"):
        games.load(name)


def test_feedback_is_a_number_of_sixteen_bits():
    most = games.from_feedback("xy", "xy", [[65_535, 0], [1, 65_535]], 65_535).words.feedback
    assert most.numbers == (0, 1, 65_535)
    for wrong in (65_536, -1):
        with pytest.raises(UserError, match=f"guess 'x' receives {wrong} for answer 'y'"):
            games.from_feedback("xy", "xy", [[9, wrong], [1, 9]], 9)


# Patterns


def game_of_patterns(count):
    """A game with so many patterns, the one that says solved among them."""
    names = [f"n{i}" for i in range(300)]
    feedback = np.add.outer(np.arange(300), np.arange(300)) % (count - 1)
    np.fill_diagonal(feedback, 60_000)
    return games.from_feedback(names, names, feedback, 60_000)


def test_a_byte_holds_256_patterns():
    assert (pattern_dtype(5), pattern_dtype(6)) == (np.uint8, np.uint16)
    for count, dtype in ((256, np.uint8), (257, np.uint16)):
        game = game_of_patterns(count)
        assert game.patterns.pattern_count == count
        assert game.patterns.values.dtype == dtype
        assert np.array_equal(game.patterns.values, game.words.feedback.values.T)


@pytest.mark.parametrize("extra", [-1, 0, 1])
def test_patterns_by_definition_are_the_same_in_any_number_of_blocks(extra):
    letters = "abcdefgh"
    words = list(map("".join, product(letters, repeat=3)))[: DEFINITION_BLOCK + extra]
    lists = make_words(words, words)
    matrix = PatternMatrix.by_definition(lists)
    assert np.array_equal(matrix.values, CpuBackend(1).build_patterns(lists))
    assert matrix.values[0, 1] == naive.pattern(words[1], words[0])


def test_a_matrix_of_another_shape_or_type_is_built_anew(tmp_path, monkeypatch):
    monkeypatch.setenv("GPU_WORDLE_CACHE", str(tmp_path))
    words = make_words(["crane", "slate", "trace"], ["crane", "trace"])
    right = CpuBackend(1).build_patterns(words)
    for wrong in (right[:1], right.astype(np.uint16), right.T.copy()):
        for file in tmp_path.iterdir():
            file.unlink()
        cached_patterns(words, lambda kept=wrong: kept)
        again = cached_patterns(words, lambda: right).values
        assert (again.dtype, again.tolist()) == (right.dtype, right.tolist())


# Bounds are tight where they are said to be


@given(
    random_words(lengths=(3, 4), most_guesses=9, least_answers=1, most_answers=6),
    st.sampled_from(["mean", "worst", "within:2", "cost:1,1,5", "cost:0,4,9", "fewest-failures"]),
    st.booleans(),
    st.data(),
)
@settings(max_examples=120)
def test_an_opener_that_leaves_pairs_at_most_has_its_bound_for_value(words, name, is_weighed, data):
    """Then some strategy finds one answer of each part on the second turn, the other on the third.

    Where one of a pair is found first its own weight counts, so the heavier is.
    """
    n = len(words.answers)
    drawn = st.lists(st.integers(0, 9), min_size=n, max_size=n).filter(any)
    weights = Weights(tuple(data.draw(drawn))) if is_weighed else None
    game = make_game(words, objective=Objective.parse(name, 3, weights))
    stats = CpuBackend(1).open(game).stats(StateBatch.whole(n))
    lower = Ranking.begin(game.position_after(), stats).openers.lower
    counted = weights.of_answer if weights else (1,) * n
    for guess in np.flatnonzero(stats.max_part[0] <= 2):
        word = words.guesses.words[guess]
        assert lower[guess] == naive_objectives.value_of_guess(words, word, name, 3, counted)


@given(random_words(lengths=(3, 4), most_guesses=10, least_answers=2, most_answers=7))
@settings(max_examples=60)
def test_depth_is_that_of_a_guess_that_leaves_pairs_at_most(words):
    answers = list(words.answers.words)
    for word in words.guesses.words:
        sizes = naive.partition(word, answers)
        if max(sizes) > 2:
            continue
        is_candidate = int(word in answers)
        left = max(sorted(sizes)[is_candidate:], default=0)  # once the guess itself is left out
        assert bounds.guess_depth_bound(len(answers), len(sizes), is_candidate) == 1 + left


def test_bounds_by_size_are_reached():
    """Where the first guess tells all apart, and where the best makes so many parts of pairs."""
    assert [bounds.state_lower_bound(n) for n in (1, 2, 5)] == [1, 3, 9]
    assert [bounds.part_lower_bound(k, 4) for k in (1, 3, 4, 5, 6)] == [1, 5, 7, 10, 13]
    assert bounds.part_lower_bound(np.array([4, 5]), np.array([4, 4])).tolist() == [7, 10]
    words = make_words(["ab", "cd", "ac"], ["ab", "cd", "ac"])
    best = min(naive_objectives.value_of_guess(words, w, "mean", 4) for w in words.guesses.words)
    assert best == bounds.state_lower_bound(3)
