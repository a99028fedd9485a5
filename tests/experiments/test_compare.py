"""Strategies side by side, and predictors of exact totals: against slow oracles, and published."""

import json
import signal
import threading
import time
from itertools import combinations, count

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gpu_wordle as gw
from gpu_wordle.api.games import position_of
from gpu_wordle.errors import UserError
from gpu_wordle.experiments import compare as experiment
from gpu_wordle.experiments.compare import (
    NO_GUESS,
    Pairs,
    all_pairs,
    compare,
    line,
    play_pairs,
    random_pairs,
)
from gpu_wordle.experiments.predict import Predictor, predict
from gpu_wordle.experiments.rank_correlation import kendall, spearman
from gpu_wordle.report import pictures
from gpu_wordle.report.compared import agreement, agreements
from gpu_wordle.solver import Stop
from gpu_wordle.strategies.named import make_strategy
from gpu_wordle.strategies.strategy import Choice, Pool, Ties
from gpu_wordle.verbs.compare import compare as compare_verb
from support import naive_correlation, naive_player
from support.commands import invoke
from support.small_game import ANSWERS, GUESSES
from support.strategies import answers_first, start_of
from support.word_lists import make_game, random_words

AS_LISTED = Choice(ties=Ties.WORDS)
SLOW_RULES = {
    "entropy": naive_player.entropy,
    "parts": naive_player.parts,
    "max-part": naive_player.max_part,
}


@pytest.fixture
def said(capsys):
    """Compare on the original game and return the document."""

    def call(*arguments):
        invoke(["compare", *map(str, arguments), "--json", "--quiet"])
        return json.loads(capsys.readouterr().out)

    return call


# Games


@given(words=random_words(lengths=(2, 4), most_guesses=15, most_answers=12))
@settings(max_examples=10)
def test_games_and_counts_are_those_of_a_slow_player(words):
    game = make_game(words)
    strategies = [make_strategy(name, game, AS_LISTED) for name in SLOW_RULES]
    starts = range(game.guess_count)
    pairs = all_pairs(game, starts)
    slow = []
    for rule in SLOW_RULES.values():
        played = [
            naive_player.games(
                list(words.guesses.words), list(words.answers.words), rule, opening=[opener]
            )
            for opener in words.guesses.words
        ]
        slow.append([games[answer] for games in played for answer in words.answers.words])
    if any(made[-1] != made[0] and len(made) > 40 for games in slow for made in games):
        return  # a rule that goes on missing an answer is cut off elsewhere
    for strategy, games in zip(strategies, slow, strict=True):
        paths = play_pairs(strategy, start_of(game), pairs)
        assert [game.spell(path[path != NO_GUESS]) for path in paths] == games

    seen = compare(strategies, start_of(game), pairs)
    lines = list(zip(*slow, strict=True))
    assert seen.games == len(lines)
    assert seen.total.tolist() == [sum(map(len, games)) for games in slow]
    assert seen.all_same == sum(a == b == c for a, b, c in lines)
    assert seen.all_different == sum(a != b and a != c and b != c for a, b, c in lines)
    assert sum(seen.agreements.values()) == len(lines)
    for i, j in combinations(range(3), 2):
        assert seen.same(i, j) == sum(line[i] == line[j] for line in lines)
        assert seen.same_length[i, j] == sum(len(line[i]) == len(line[j]) for line in lines)
        assert seen.shorter[i, j] == sum(len(line[i]) < len(line[j]) for line in lines)
        assert seen.shorter[j, i] == sum(len(line[i]) > len(line[j]) for line in lines)


def test_pairs_played_together_or_apart_are_the_same(original, monkeypatch):
    strategies = [make_strategy(name, original) for name in ("parts", "places")]
    pairs = random_pairs(original, range(original.guess_count), 12, seed=3)
    together = compare(strategies, start_of(original), pairs)
    monkeypatch.setattr("gpu_wordle.experiments.compare.OPENERS_AT_A_TIME", 1)
    apart = compare(strategies, start_of(original), pairs)
    assert apart.agreements == together.agreements
    assert apart.total.tolist() == together.total.tolist()


def test_pairs_depend_on_the_seed_alone(original):
    one, again, other = (random_pairs(original, [5, 7, 11], 50, seed) for seed in (1, 1, 2))
    np.testing.assert_array_equal(one.start, again.start)
    np.testing.assert_array_equal(one.target, again.target)
    assert (one.target != other.target).any()
    assert set(one.start.tolist()) == {5, 7, 11}
    assert (np.diff(one.start) >= 0).all()


def test_the_published_game_is_one_over_the_answers(original):
    """FALSE to VOWEL (Hayes, figure 11): entropy goes by DETER and BINGO, if it guesses answers."""
    game = answers_first(original)
    pair = Pairs(
        np.array([game.words.guesses.find("false")], np.int32),
        np.array([game.words.answers.find("vowel")]),
    )
    for pool, made in (
        (Pool.ANSWERS, ["false", "deter", "bingo", "hovel", "vowel"]),
        (Pool.ALL, ["false", "rewed", "abate", "vowel"]),
    ):
        strategy = make_strategy("entropy", game, Choice(pool, ties=Ties.WORDS))
        assert line(strategy, start_of(game), pair) == made


def test_how_agreement_is_written():
    assert agreement((0, 0, 2), ("a", "b", "c")) == "a = b / c"
    assert agreement((0, 1, 1), ("a", "b", "c")) == "a / b = c"


def test_rows_add_up(run):
    document = json.loads(
        run("compare", "entropy", "parts", "max-part", "--pairs", "all", "--json")
    )
    assert document["pairs"] % len(ANSWERS) == 0
    assert sum(document["agreements"].values()) == document["pairs"]
    assert document["lines"] is None
    assert len(document["rows"]) == 3
    for row in document["rows"]:
        assert row["same_games"] <= row["same_length"]
        assert row["same_length"] + row["shorter"] + row["longer"] == document["pairs"]


def test_one_pair_is_shown_in_full(run, tmp_path):
    call = ["compare", "entropy", "places", "--opener", "cat", "--target", "rat"]
    document = json.loads(run(*call, "--json"))
    assert {made[0] for made in document["lines"].values()} == {"cat"}
    assert {made[-1] for made in document["lines"].values()} == {"rat"}
    shown = run(*call, "--plot", tmp_path / "games.png")
    assert "entropy: CAT" in shown
    assert (tmp_path / "games.png").read_bytes().startswith(b"\x89PNG")


# Predictors


@given(st.data())
@settings(max_examples=60)
def test_correlations_are_those_of_their_definitions(data):
    size = data.draw(st.integers(2, 25))
    column = st.lists(st.integers(-3, 4), min_size=size, max_size=size)
    x, y = data.draw(column), data.draw(column)
    for fast, slow in (
        (kendall, naive_correlation.kendall),
        (spearman, naive_correlation.spearman),
    ):
        expected, found = slow(x, y), fast(np.array(x, float), np.array(y))
        assert (found is None) == (expected is None)
        assert found is None or found == pytest.approx(expected, abs=1e-12)
        assert found is None or fast(-np.array(x, float), np.array(y)) == pytest.approx(-found)


def test_regret_is_what_trusting_a_predictor_costs():
    totals = np.array([30, 10, 20, 99, 40])
    is_known = np.array([True, True, True, False, True])
    values = np.array([5.0, 4.0, 5.0, 9.0, np.nan])
    predictor = Predictor("some", values, True, "")
    is_candidate = np.array([False, True, True, True, True])
    (found,) = predict([predictor], totals, is_known, is_candidate)
    assert (found.openers, found.favourite, found.regret) == (3, 2, 10)  # a candidate goes first
    assert found.regret_of_few == found.regret_of_many == pytest.approx((10 + 20 + 0) / 3)
    perfect = Predictor("exact", totals.astype(float), False, "")
    (found,) = predict([perfect], totals, is_known, is_candidate)
    assert (found.kendall, found.spearman, found.regret) == (1.0, 1.0, 0)


@pytest.mark.slow
def test_entropy_predicts_best_and_parts_have_the_better_favourite(said, tmp_path):
    file = tmp_path / "mine.csv"
    file.write_text("opener,total\nsalet,8000\nreast,7900\nfuzzy,9000\ncrane,\n")
    document = said("--simulations", file, "--plot", tmp_path / "predictors.png")
    rows = {row["predictor"]: row for row in document["rows"]}
    assert (document["exact_openers"], document["best"]) == (12972, ["salet"])
    assert document["rows"][0]["predictor"] == "entropy"
    entropy, parts = rows["entropy"], rows["parts"]
    assert (entropy["favourite"], entropy["regret_of_1"]) == ("soare", 77)
    assert (parts["favourite"], parts["regret_of_1"]) == ("trace", 6)
    assert entropy["kendall"] > parts["kendall"] > rows["standard_deviation"]["kendall"] > 0.7
    assert rows["coloured_tiles"]["favourite"] == rows["common_characters"]["favourite"]
    mine = rows["games by mine"]
    assert (mine["ranked_openers"], mine["favourite"], mine["regret_of_1"]) == (3, "reast", 3)
    assert mine["kendall"] == pytest.approx(1 / 3)
    assert (tmp_path / "predictors.png").stat().st_size > 10_000


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["entropy"], "'entropy': name two strategies or more, each once"),
        (["entropy", "parts", "entropy"], "name two strategies or more, each once"),
        (["entropy", "nonsense"], "no strategy 'nonsense'"),
        (["entropy", "parts", "--state", "salet BBBBB"], "leave --state out"),
        (["entropy", "parts", "--opener", "xyzzy"], "xyzzy"),
        (["entropy", "parts", "--target", "soare"], "soare"),
        (["--time-limit", "9s"], "--time-limit goes with strategies"),
        (["entropy", "parts", "--simulations", "x.csv"], "leave the strategies out"),
        (["--simulations", "missing.csv"], "missing.csv: no such file"),
        (["--max-guesses", 7], "exact totals are published for"),
        (["--plot", "x.txt"], "ends in"),
    ],
)
def test_bad_input_is_one_line(arguments, message):
    with pytest.raises(UserError, match=message):
        invoke(["compare", *map(str, arguments), "--quiet"])


def test_a_file_of_all_games_is_read_too(said, run, tmp_path, capsys):
    file = tmp_path / "games.h5"
    opened = ["--opener", "salet", "--opener", "crane", "--opener", "fuzzy", "--out", file]
    invoke(["simulate", "parts", *map(str, opened), "--quiet"])
    capsys.readouterr()
    rows = {row["predictor"]: row for row in said("--simulations", file)["rows"]}
    assert rows["games by parts"]["ranked_openers"] == 3
    assert rows["games by parts"]["favourite"] == "salet"
    run("simulate", "parts", "--opener", "cat", "--out", tmp_path / "other.h5")
    with pytest.raises(UserError, match=r"other\.h5"):
        said("--simulations", tmp_path / "other.h5")


@pytest.mark.parametrize("text", ["0", "-1", "some", "1e3", "99999999999"])
def test_what_is_no_number_of_pairs_is_refused(text):
    with pytest.raises(Exception, match="--pairs .*: give a whole number from 1 to 10,000,000"):
        invoke(["compare", "entropy", "parts", "--pairs", text])


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"opener,mean\nsalet,3.4\n", "has no column total"),
        (b"\xff\xfe", "no CSV in UTF-8"),
        (b"opener,total\nxyzzy,8000\n", "line 2: opener 'xyzzy'"),
        (b"opener,total\nsalet,many\n", "line 2: .*total 'many'"),
    ],
)
def test_a_file_that_is_no_simulation_is_refused(tmp_path, content, message):
    file = tmp_path / "s.csv"
    file.write_bytes(content)
    with pytest.raises(UserError, match=message):
        invoke(["compare", "--simulations", str(file), "--quiet"])


def test_the_most_frequent_agreement_comes_first(original):
    strategies = [make_strategy(name, original) for name in ("entropy", "parts")]
    pairs = random_pairs(original, [original.words.guesses.find("salet")], 60, seed=0)
    seen = compare(strategies, start_of(original), pairs)
    counts = list(agreements(seen).values())
    assert counts == sorted(counts, reverse=True)


@pytest.mark.parametrize("call_that_is_interrupted", [1, 2, 3])
def test_ctrl_c_while_games_are_counted_tears_no_count(run, monkeypatch, call_that_is_interrupted):
    calls = count(1)

    def same(mine, other):  # is called in the midst of counting
        if next(calls) == call_that_is_interrupted:
            signal.raise_signal(signal.SIGINT)
        return is_same(mine, other)

    is_same = experiment.are_same
    monkeypatch.setattr(experiment, "are_same", same)
    monkeypatch.setattr(experiment, "OPENERS_AT_A_TIME", 2)
    document = json.loads(run("compare", "entropy", "places", "--pairs", "all", "--json"))
    assert document["pairs"] == 2 * call_that_is_interrupted * len(ANSWERS)
    assert sum(document["agreements"].values()) == document["pairs"]
    (row,) = document["rows"]
    assert row["same_length"] + row["shorter"] + row["longer"] == document["pairs"]


def test_ctrl_c_while_a_strategy_plays_counts_what_all_have_played(original):
    stop, strategies = Stop(), [make_strategy(name, original) for name in ("parts", "places")]
    pairs = random_pairs(original, [1, 2, 3], 12, seed=0)

    class Interrupting:
        name, recalls_turns = "last", False

        def choose(self, positions):
            stop.set()
            return strategies[0].choose(positions)

    seen = compare([Interrupting(), *strategies], start_of(original), pairs, stop=stop)
    assert seen.games == 0
    assert seen.agreements == {}


def test_a_time_limit_compares_what_was_played(run, monkeypatch, capsys):
    add = experiment.Compared.add

    def slow(seen, games):
        add(seen, games)
        time.sleep(2.2)

    monkeypatch.setattr(experiment.Compared, "add", slow)
    monkeypatch.setattr(experiment, "OPENERS_AT_A_TIME", 2)
    code = invoke(
        ["compare", "entropy", "parts", "--pairs", "all", "--time-limit", "2s", "--json", "-q",
         "--guesses", "guesses.txt", "--answers", "answers.txt"],
    )  # fmt: skip
    out, err = capsys.readouterr()
    assert not code
    assert json.loads(out)["pairs"] == 2 * len(ANSWERS)
    assert err.startswith("gpu-wordle: out of time; ")
    assert err.endswith("pairs are played\n")


def test_what_is_interrupted_before_any_pair_is_told_in_a_line(run, monkeypatch, capsys):
    def interrupt(*given):
        signal.raise_signal(signal.SIGINT)
        return play_pairs(*given)

    monkeypatch.setattr(experiment, "play_pairs", interrupt)
    code = invoke(["compare", "entropy", "parts", "--pairs", "9", "-q"])
    out, err = capsys.readouterr()
    assert (code, out) == (130, "")
    assert err == "gpu-wordle: interrupted; 0 of 9 pairs are played\n"
    invoke(["compare", "entropy", "parts", "--pairs", "9", "-q", "--json"])
    document = json.loads(capsys.readouterr().out)
    assert (document["pairs"], document["rows"]) == (0, [])
    assert {document[key] for key in ("all_same", "all_different", "agreements", "means")} == {None}


def test_python_compares_strategies_of_its_own(tmp_path):
    class Mine:
        name, recalls_turns = "mine", False

        def __init__(self, game):
            self._rule = make_strategy("parts", position_of(game).game)

        def choose(self, positions):
            return self._rule.choose(positions)

    game, heard = gw.load_game(GUESSES, ANSWERS), []
    (row,) = compare_verb(game, [Mine(game), "parts"], pairs="all", progress=heard.append)
    assert (row["strategy"], row["other"]) == ("mine", "parts")
    assert row["same_games"] == row["same_length"] == len(GUESSES) * len(ANSWERS)
    assert heard[-1].phase == "playing"
    stop = threading.Event()
    stop.set()
    rows = compare_verb(game, ["parts", "entropy"], stop=stop)
    assert (rows.facts["pairs"], rows.facts["means"]) == (0, None)
    with pytest.raises(UserError, match="strategies='parts': give names of strategies"):
        compare_verb(game, "parts")


@pytest.mark.parametrize(
    ("flags", "survivors"),
    [([], 2), (["--two-survivors"], 2), (["--no-two-survivors"], 1), (["--three-survivors"], 3),
     (["--no-two-survivors", "--three-survivors"], 3)],
)  # fmt: skip
def test_survivors_have_flags_of_their_own(run, flags, survivors):
    asked = ["compare", "entropy", "parts", "--pairs", "all", "--json"]
    assert run(*asked, *flags) == run(*asked, "--survivors", survivors)


def test_what_is_compared_is_drawn(tmp_path, monkeypatch):
    game = gw.load_game(GUESSES, ANSWERS)
    found = compare_verb(game, ["parts", "entropy"], pairs=20)
    assert found.plot().axes
    found.plot(tmp_path / "compared.svg")
    assert (tmp_path / "compared.svg").read_text("utf-8").startswith("<?xml")
    with pytest.raises(UserError, match=r"path='x.gif': |\.svg, \.png, \.pdf"):
        found.plot("x.gif")
    with pytest.raises(UserError, match="this result has no figure"):
        gw.suggest(game, top=1).plot()
    monkeypatch.setattr(pictures.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(UserError, match="pip install matplotlib"):
        found.plot()
