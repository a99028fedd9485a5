"""Tables over the last turn: Q-learning to the bit, value iteration, states, and ``learn``."""

import csv
import io
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gpu_wordle as gw
from gpu_wordle.errors import UserError
from gpu_wordle.experiments.simulate import simulate
from gpu_wordle.game.game import Game, Rule
from gpu_wordle.game.games import mastermind
from gpu_wordle.solver import Stop
from gpu_wordle.strategies.last_turns import START, UNKNOWN, LastTurns, ValueIteration
from gpu_wordle.strategies.named import make_strategy
from gpu_wordle.strategies.q_learning import Learning, QTable, learning_curve
from gpu_wordle.strategies.strategy import Choice
from gpu_wordle.verbs.learn import learn
from support import naive_tables
from support.commands import invoke
from support.small_game import ANSWERS, GUESSES
from support.strategies import start_of
from support.word_lists import make_game, make_words, random_words

WORDS = [
    *("bat", "cat", "hat", "mat", "rat", "bit", "hit", "sit", "cot", "hot"),
    *("tan", "man", "can", "ban", "pan"),
]


@pytest.fixture(scope="module")
def small():
    return make_game(make_words(sorted([*WORDS, "xyz"]), sorted(WORDS)))


def only(strategy, game, opener=None):
    (simulated,) = simulate(strategy, start_of(game), [opener])
    return simulated


def states_of(game):
    """The number of each state that occurs, by the guess and its feedback as text."""
    states, words = LastTurns("a table", game), game.words
    numbers = {None: START}
    for a, word in enumerate(words.answers.words):
        for pattern in np.unique(states.seen[:, a]).tolist():
            state = 1 + a * game.patterns.pattern_count + pattern
            numbers[word, words.feedback.format(pattern)] = state
    return numbers


def test_states_that_occur(original):
    """Each answer as a guess with its feedback; reference figures of "Solving Wordle"."""
    states = LastTurns("a table", original)
    assert states.occurring == 215_691
    assert states.count == 1 + 2315 * 3**5 == 1 + 562_545


@given(data=st.data())
@settings(max_examples=15)
def test_the_table_is_that_of_a_dictionary(data):
    words = data.draw(random_words(lengths=(2, 4), most_guesses=14, most_answers=14))
    game = make_game(words)
    share = st.sampled_from([0.0, 0.3, 1.0])
    constants = {
        "rate": data.draw(st.sampled_from([0.1, 0.5, 1.0])),
        "discount": data.draw(share),
        "exploration": data.draw(share),
        "initial": data.draw(share),
    }
    episodes, seed = data.draw(st.integers(1, 120)), data.draw(st.integers(0, 2**63))
    table = QTable(LastTurns("q", game), Learning(episodes, **constants, seed=seed))
    wins = sum(table.learn(share) for share in (episodes // 2, episodes - episodes // 2))
    answers = list(words.answers.words)
    expected, won = naive_tables.q_learning(answers, episodes, seed, **constants)
    assert (wins, table.tried) == (won, len(expected))
    numbers = states_of(game)
    assert table.visited == len({state for state, _ in expected})
    for state in {state for state, _ in expected}:
        row = [expected.get((state, guess), constants["initial"]) for guess in answers]
        assert table.row(numbers[state]).tolist() == row


@given(random_words(lengths=(2, 4), most_guesses=16, most_answers=16), st.integers(1, 4))
@settings(max_examples=15)
def test_value_iteration_is_that_of_plain_sums(words, sweeps):
    game = make_game(words)
    found = ValueIteration("v", LastTurns("v", game), sweeps, 0.9)
    answers = words.answers.words
    expected = naive_tables.value_iteration(answers, sweeps, 0.9)
    plain = [[expected[answer][guess] for guess in answers] for answer in answers]
    np.testing.assert_allclose(found.worth, plain, rtol=1e-5)
    start = start_of(game)
    guess = int(words.answer_of_guess[found.choose(start)[0]])
    means = np.mean(plain, axis=0)
    assert means[guess] == pytest.approx(means.max(), rel=1e-5)
    assert found.expected == pytest.approx(means.max(), rel=1e-5)


def test_a_table_can_learn_a_small_game(small):
    """Value iteration goes round in circles there; learning meets what its guesses leave."""
    learned = only(make_strategy("q-learning:40000:rate=0.2", small, Choice(seed=1)), small)
    untaught = only(make_strategy("q-learning:1", small, Choice(seed=1)), small)
    iterated = only(make_strategy("value-iteration", small), small)
    assert [int(each.lost.sum()) for each in (learned, iterated, untaught)] == [0, 6, 8]


def test_learning_depends_on_the_seed_alone(small):
    specs = [("q-learning:500", seed) for seed in (1, 1, 2)]
    one, again, other = (only(make_strategy(n, small, Choice(seed=s)), small) for n, s in specs)
    assert one.tree == again.tree
    assert one.tree != other.tree


def test_lost_games_are_played_to_their_end(small):
    """Also from a guess of which the table knows nothing."""
    for name in ("q-learning:10", "value-iteration:2:0.5"):
        for opener in (None, small.words.guesses.find("xyz")):
            simulated = only(make_strategy(name, small), small, opener)
            assert simulated.total is not None
            assert simulated.distribution[0] <= 1
    states = LastTurns("a table", small)
    start = start_of(small)
    assert states.of(start).tolist() == [START]
    after = small.start().after(small.words.guesses.find("xyz"), 0)
    assert states.of(type(start).of(after, start.evaluator)).tolist() == [UNKNOWN]


def test_the_curve(small):
    learning = Learning(episodes=3000, seed=5)
    heard = []
    curve = list(learning_curve(start_of(small), learning, 4, heard.append))
    assert [point.episodes for point in curve] == [750, 1500, 2250, 3000]
    assert heard[-1] == 3000
    assert curve == list(learning_curve(start_of(small), learning, 4))
    assert curve[-1].found > curve[0].found - 3
    assert all(0 <= point.won_learning <= 1 and point.found <= len(WORDS) for point in curve)
    assert [p.tried for p in curve] == sorted(p.tried for p in curve)
    last = list(learning_curve(start_of(small), learning, 1))
    assert last[0].tried == curve[-1].tried  # whatever the points


def test_a_curve_ends_where_it_is_stopped(small):
    stop, heard = Stop(), []

    def enough(episodes):
        heard.append(episodes)
        if episodes >= 2000:
            stop.set()

    curve = list(learning_curve(start_of(small), Learning(episodes=9000), 3, enough, stop))
    assert [point.episodes for point in curve] == [2000]


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("q-learning:0", "0 episodes: give 1 to"),
        ("q-learning:many", "'many': after q-learning come the episodes and rate, discount"),
        ("q-learning:rate=0", "rate 0.0: give a number above 0"),
        ("q-learning:rate=0.1:rate=0.2", "'rate=0.2': after"),
        ("q-learning:discount=2", "discount 2.0: give a number from 0 to 1"),
        ("q-learning:5:seed=3", "'seed=3': after"),
        ("value-iteration:0", "sweeps, 1 to 100"),
        ("value-iteration:3:x", "a number from 0 to 1"),
    ],
)
def test_constants_out_of_range(small, spec, message):
    with pytest.raises(UserError, match=message):
        make_strategy(spec, small)


def test_tables_are_for_games_of_some_size_under_the_normal_rule(small):
    hard = Game(small.words, small.patterns, Rule.HARD)
    with pytest.raises(UserError, match="cannot keep the hard rule; leave --rule out"):
        make_strategy("q-learning", hard)
    with pytest.raises(UserError, match="at most 5,000 answers, and this one has 7,776"):
        LastTurns("q-learning", mastermind(5, 6))
    other = mastermind(2, 4)
    assert only(make_strategy("value-iteration", other), other).total is not None


# On the command line.


def test_learn_prints_a_curve_and_draws_it(run, tmp_path):
    printed = run("learn", "--episodes", 400, "--points", 4, "--rate", "0.5", "--format", "csv",
                  "--plot", "curve.svg")  # fmt: skip
    rows = list(csv.DictReader(io.StringIO(printed)))
    assert [row["episodes"] for row in rows] == ["100", "200", "300", "400"]
    assert (tmp_path / "curve.svg").read_text().startswith("<?xml")
    assert "answers found within the limit, of" in run("learn", "--episodes", 100, "--points", 2)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--rate", "fast"], "--rate 'fast': give a number, as in 0.1"),
        (["--rate", "2"], "rate 2.0: give a number above 0 and at most 1"),
        (["--state", "cat BGG"], "leave --state out"),
        (["--rule", "hard"], "leave --rule out"),
        (["--plot", "x.gif"], "a plot's file ends in"),
    ],
)
def test_bad_input_is_one_line(arguments, message):
    with pytest.raises(Exception, match=message):
        invoke(["learn", *arguments, "--quiet"])


def test_python_learns_by_what_it_is_given(tmp_path):
    game, heard = gw.load_game(GUESSES, ANSWERS), []
    asked = {"episodes": 2000, "points": 2, "plot": tmp_path / "p.svg", "progress": heard.append}
    rows = learn(game, rate=Decimal("0.5"), **asked)
    assert [row["episodes"] for row in rows] == [1000, 2000]
    assert ("learning", 2000, 2000) in {(each.phase, each.done, each.total) for each in heard}
    assert (tmp_path / "p.svg").read_text().startswith("<?xml")
    for wrong in (True, float("nan"), 10**400, "0.1", Decimal("sNaN")):
        with pytest.raises(gw.UserError, match=r"rate=.*: give a number, as in 0\.1"):
            learn(game, rate=wrong)
    with pytest.raises(gw.UserError, match="with the objective mean"):
        learn(gw.load_game(GUESSES, ANSWERS, objective="worst"))
