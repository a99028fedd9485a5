"""Analysed games: values by plain recursion, the identities of regret and luck, files of games."""

import csv
import io
import json
import random
import re
import resource
import sys
import threading
import time
from dataclasses import replace
from fractions import Fraction
from functools import partial
from math import inf
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gpu_wordle as gw
from gpu_wordle import store
from gpu_wordle.api import analysing, session
from gpu_wordle.api.files import published_openers
from gpu_wordle.errors import UserError
from gpu_wordle.experiments.analyse import Fault, analyse
from gpu_wordle.experiments.charts import consistent
from gpu_wordle.experiments.pasted import read_pasted
from gpu_wordle.experiments.records import read_games
from gpu_wordle.experiments.suggest import RootBounds
from gpu_wordle.experiments.transcripts import Chart, Transcript
from gpu_wordle.experiments.values import Values
from gpu_wordle.game.objective import Objective
from gpu_wordle.game.rule import Rule
from gpu_wordle.game.values import INFEASIBLE
from gpu_wordle.ranking.stop_token import StopToken
from gpu_wordle.solver import SolverPool
from gpu_wordle.store.form import ANALYSIS, TURNS
from support import ROOT, naive
from support.commands import child
from support.naive_rules import IMPOSSIBLE, NaiveRules
from support.output import rows_of
from support.small_game import ANSWERS, GUESSES
from support.solver_games import random_game
from support.word_lists import make_game, make_words

ENOUGH = 8
"""Guesses in which any of the random games can be won, however the first ones are wasted."""


def analysis_in(name):
    """The rows of a file of turns in the folder of the test."""
    return store.read_analysis(store.load(Path(name), ANALYSIS))


def mean(total, answers):
    return None if total >= IMPOSSIBLE else Fraction(total, len(answers))


def played_at_random(game, rng):
    """Guesses against an answer, now and then illegal ones, until it is found or for six turns."""
    words = game.words.guesses.words
    hidden = rng.choice(game.words.answers.words)
    made, position = [], game.start()
    for _ in range(6):
        legal = np.flatnonzero(position.choices).tolist()
        guess = rng.choice(legal) if rng.random() < 0.9 else rng.randrange(len(words))
        made.append(words[guess])
        if words[guess] == hidden:
            break
        seen = game.words.feedback.parse(naive.feedback(words[guess], hidden))
        position = position.after(guess, seen)
    return made, hidden


@settings(max_examples=60)
@given(st.integers(0, 2**32 - 1), st.sampled_from(list(Rule)), st.sampled_from([None, 3, 4, 6]))
def test_values_regret_and_luck_are_those_of_plain_recursion(seed, rule, limit):
    game = random_game(
        np.random.default_rng(seed), most_answers=6, most_guesses=9, lengths=(2, 4), rule=rule,
        max_guesses=limit,
    )  # fmt: skip
    guesses, hidden = played_at_random(game, random.Random(seed))
    analysed = analyse(Values(game), Transcript(tuple((w, None) for w in guesses), hidden))
    words = game.words.guesses.words
    oracle = NaiveRules(words, rule.value)
    left, answers, legal = limit or ENOUGH, game.words.answers.words, frozenset(words)
    if rule is Rule.CANDIDATES:
        legal = frozenset(answers)
    for step, guess in zip(analysed.steps, guesses, strict=True):
        colours = naive.feedback(guess, hidden)
        best = oracle.value(answers, legal, left)
        own = oracle.guess_value(answers, legal, guess, left)
        assert step.value == mean(best, answers)
        assert step.value_guess == mean(own, answers)
        assert (step.fault is Fault.ILLEGAL) == (guess not in legal)
        if guess in legal and best < IMPOSSIBLE and own < IMPOSSIBLE:
            assert step.regret == Fraction(own - best, len(answers)) >= 0
            if rule is Rule.NORMAL and limit is None:
                assert step.regret <= 1  # a guess that tells nothing costs just one
        if guess == hidden:
            assert (step.value_after, step.answers_after, step.is_solved) == (0, 1, True)
            break
        part = tuple(word for word in answers if naive.feedback(guess, word) == colours)
        legal = oracle.legal_after(legal, guess, colours, part)
        answers, left = part, max(left - 1, 0)
        assert step.value_after == mean(oracle.value(answers, legal, left), answers)
        assert step.answers_after == len(answers)
    known = [step for step in analysed.steps if step.regret is not None and step.luck is not None]
    if analysed.is_solved and len(known) == len(guesses):
        assert analysed.regret - analysed.luck == analysed.length - analysed.start
        assert analysed.skill == 1 - analysed.regret / analysed.length


@pytest.mark.parametrize("seed", range(8))
def test_all_the_best_guesses_are_named(seed):
    rng = np.random.default_rng(seed)
    rule = list(Rule)[seed % 4]
    game = random_game(rng, most_answers=7, most_guesses=10, lengths=(3, 4), rule=rule)
    words, answers = game.words.guesses.words, game.words.answers.words
    oracle = NaiveRules(words, rule.value)
    legal = frozenset(answers) if rule is Rule.CANDIDATES else frozenset(words)
    values = {word: oracle.guess_value(answers, legal, word, 6) for word in legal}
    least = min(values.values())
    best = [word for word in words if least < IMPOSSIBLE and values.get(word) == least]
    best.sort(key=lambda word: word not in answers)
    assert game.spell(Values(game).best(game.start())) == best


def test_no_value_is_kept_that_was_forgotten():
    words = make_words(["cat", "dog"], ["cat"])
    values = Values(replace(make_game(words), objective=Objective(max_guesses=3)))
    start = values.game.start()
    assert values.only_win(start) is None
    assert values.mean_of(start, 1) == 2
    values.forget()
    assert not [name for name, kept in vars(values).items() if kept and isinstance(kept, dict)]


def test_prices_take_the_place_of_guesses():
    game = random_game(np.random.default_rng(5), rule=Rule.NORMAL, max_guesses=4)
    costs = Objective.parse("cost:1,5,6,20")
    game = type(game)(game.words, game.patterns, game.rule, costs)
    for seed in range(20):
        guesses, hidden = played_at_random(game, random.Random(seed))
        analysed = analyse(Values(game), Transcript(tuple((w, None) for w in guesses), hidden))
        if analysed.is_solved and all(step.regret is not None for step in analysed.steps):
            paid = costs.costs[analysed.length - 1]
            assert analysed.regret - analysed.luck == paid - analysed.start
    with pytest.raises(UserError, match="guesses have no regret; choose mean"):
        Values(type(game)(game.words, game.patterns, game.rule, Objective.parse("worst")))


@pytest.mark.parametrize(
    ("rule", "objective"),
    [(Rule.HARD, Objective(None)),
     (Rule.NORMAL, Objective.parse("cost:1,2,3,4,50,60,70,80"))],
)  # fmt: skip
def test_a_guess_can_cost_more_than_its_turn(rule, objective):
    """But not under the normal rule and the mean."""
    game = make_game(make_words(sorted(GUESSES), ANSWERS))
    played = Transcript((("cat", "BGG"),))
    plain = analyse(Values(replace(game, objective=Objective(None))), played)
    assert 0 < plain.regret <= 1
    dear = analyse(Values(replace(game, rule=rule, objective=objective)), played)
    assert dear.regret > 1
    assert dear.skill < 0


# The verb


def test_a_game_is_told_turn_by_turn(run):
    said = json.loads(run("analyse", "chf", "rat", "cat", "--answer", "cat", "--json"))
    rows = said["rows"]
    assert [row["turn"] for row in rows] == [1, 2, 3]
    assert [row["guess"] for row in rows] == ["chf", "rat", "cat"]
    assert [row["pattern"] for row in rows] == ["GBB", "BGG", "GGG"]
    assert [row["answers_before"] for row in rows] == [10, 1, 1]
    for row in rows:
        for key in ("value_before", "value_best", "value_guess", "value_after", "regret", "luck"):
            assert float(Fraction(row[f"{key}_fraction"])) == row[key]
        assert row["value_best"] == row["value_before"]
        assert row["regret"] == pytest.approx(row["value_guess"] - row["value_best"])
    assert rows[1]["regret_fraction"] == "1/1"
    assert rows[1]["optimal_guesses"] == ["cat"]
    assert "entropy:cat" in rows[1]["rule_guesses"]
    assert rows[0]["value_guess_fraction"].endswith("/10")
    total = said["total_regret"] - said["total_luck"]
    assert (said["solved"], said["length"]) == (True, 3)
    assert total == pytest.approx(3 - said["start_value"])
    shown = run("analyse", "chf", "rat", "cat", "--answer", "cat")
    assert "It took 3: " in shown
    assert "Skill " in shown


def test_a_win_that_is_given_away_is_valued_without_the_limit(run, tmp_path):
    """Turn by turn, in the sentences, and for many games; prices of turns need their limit."""
    game = "rat", "mat", "--answer", "cat"
    rows = rows_of(run("analyse", *game, "--max-guesses", 3, "--json"))
    free = rows_of(run("analyse", *game, "--max-guesses", 0, "--json"))
    lost = [i for i, row in enumerate(rows) if row["guaranteed"] is False]
    assert lost
    assert all(row["guaranteed"] for row in free)
    said = dict.fromkeys(("guaranteed", "label", "marks", "coach"))
    for i in lost:
        assert rows[i] | said == free[i] | said
    said = json.loads(run("analyse", *game, "--max-guesses", 3, "--json"))
    regrets = sum(Fraction(row["regret_fraction"]) for row in rows)
    assert said["skill"] == pytest.approx(float(1 - regrets / len(rows)))
    shown = " ".join(run("analyse", *game, "--max-guesses", 3).split())
    assert "a win was not guaranteed: the values are those without the guess limit" in shown
    (tmp_path / "games.jsonl").write_text('{"guesses": ["rat", "mat"], "answer": "cat"}\n')
    many = "analyse", "--games", tmp_path / "games.jsonl", "--max-guesses", 3, "--json"
    (row,) = rows_of(run(*many))
    assert row["not_guaranteed"] == len(lost)
    assert row["skill"] == pytest.approx(said["skill"])
    priced = rows_of(run("analyse", *game, "--objective", "cost:1,2,3", "--json"))
    assert [row["regret"] for row in priced if row["guaranteed"] is False] == [None] * len(lost)


def test_a_game_with_prices_is_told_in_prices(run):
    shown = " ".join(
        run(
            "analyse", "rat", "mat", "cat", "--answer", "cat", "--objective", "cost:1,5,20,30,40,50"
        ).split()
    )
    assert re.search(r"The best play pays \d+\.\d{3} on average", shown)
    assert "It paid 20: " in shown
    assert "guesses on average" not in shown


def test_a_game_is_solved_only_within_the_guess_limit(run):
    """In the answer of one game, for many games, and in Python's scores alike."""
    for limit, is_won in ((3, True), (2, False)):
        options = ("--max-guesses", limit, "--json")
        one = json.loads(run("analyse", "rat", "mat", "cat", "--answer", "cat", *options))
        Path("games.jsonl").write_text('{"guesses": ["rat", "mat", "cat"], "answer": "cat"}\n')
        (row,) = rows_of(run("analyse", "--games", "games.jsonl", *options))
        assert (one["solved"], row["solved_games"]) == (is_won, int(is_won))


PASTED = {
    "Wordle 1,234 3/6*\n\n⬛🟩🟩 rat\n🟩⬛⬛ ||CHF||\n🟩🟩🟩 Cat": "rat BGG chf GBB cat GGG",
    "rat\nchf\ncat\n\n⬛🟩🟩\n🟩⬛⬛\n🟩🟩🟩\n": "rat BGG chf GBB cat GGG",
    "rat=-GG chf=G.. cat=GGG": "rat BGG chf GBB cat GGG",
}


@pytest.mark.parametrize("text", PASTED)
def test_what_is_pasted_is_read(text):
    words = make_words(sorted(GUESSES), ANSWERS)
    turns = read_pasted(text, words).turns
    parse = words.feedback.parse
    fields = PASTED[text].split()
    expected = list(zip(fields[::2], map(parse, fields[1::2]), strict=True))
    assert [(word.lower(), parse(seen)) for word, seen in turns] == expected


HEADINGS = [
    "Wordle 5 2/6", "Wordle 1,234 4/6*", "Wordle 1.234 X/6", "Wordle 1 234 4/6", "Wordle #12 3/6",
    "*Wordle # 1,234:  3/6", "Daily 7: X/10 ", "\N{SPARKLES} Term 99 1/6",
]  # fmt: skip


@pytest.mark.parametrize("heading", HEADINGS)
def test_a_heading_is_passed_over(heading):
    words = make_words(sorted(GUESSES), ANSWERS)
    assert read_pasted(f"{heading}\nrat BGG", words) == read_pasted("rat BGG", words)


@pytest.mark.parametrize("text", ["1", " ", "1 ", "1,", "# ", ":", "4/"])
def test_what_is_nearly_a_heading_is_read_in_no_time(text):
    words = make_words(sorted(GUESSES), ANSWERS)
    began = time.process_time()
    with pytest.raises(UserError):
        read_pasted(f"Wordle 1{20_000 * text}X rat BGG", words)
    assert time.process_time() - began < 0.5


def test_a_chart_alone_is_read_from_a_file(run):
    Path("chart.txt").write_text("Wordle 5 2/6\n⬛🟩🟩\n🟩🟩🟩\n", "utf-8")
    said = json.loads(run("analyse", "--paste", "chart.txt", "--top", 0, "--json"))
    words = make_words(sorted(GUESSES), ANSWERS)
    assert read_pasted("⬛🟩🟩\n🟩🟩🟩", words) == Chart((24, 26))
    games = [
        (first, answer)
        for answer in ANSWERS
        for first in sorted(GUESSES)
        if naive.feedback(first, answer) == "BGG"
    ]
    assert int(said["consistent_games"]) == len(games)
    assert said["remaining"] == [a for a in ANSWERS if any(a == answer for _, answer in games)]
    told = {row["opener"]: row["answers_left"] for row in said["rows"]}
    assert told == {first: sum(first == g for g, _ in games) for first, _ in games}
    assert said["openers"] == len(told)
    shown = run("analyse", "BGG", "GGG")
    assert "agree with these colours" in shown
    assert f"answers: {' '.join(said['remaining'])}\n" in shown
    assert f"answers: {said['remaining'][0]} and " in run("analyse", "BGG", "GGG", "--top", 1)
    assert rows_of(run("analyse", "BGG", "GGG", "--answer", "cat", "--json"))
    with pytest.raises(UserError, match="give rows of colours; only the last"):
        run("analyse", "GGG", "BGG")
    game = random_game(np.random.default_rng(2), rule=Rule.NORMAL)
    with pytest.raises(UserError, match="give rows of colours; only the last"):
        consistent(game, [])


def test_a_game_may_come_from_standard_input(run, monkeypatch):
    for asked in (["-"], ["--paste", "-"]):
        monkeypatch.setattr("sys.stdin", io.StringIO("rat chf\n⬛🟩🟩 🟩⬛⬛"))
        assert run("analyse", *asked) == run("analyse", "rat", "BGG", "chf", "GBB")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "give one of these: words and colours"),
        (["rat", "--state", "rat BGG"], "analyse is about whole games; leave --state out"),
        (["rat", "--games", "g.csv"], "give one of these"),
        (["rat", "BGG", "--out", "x.csv"], "--out needs --games"),
        (
            ["--games", "g.csv", "--out", "./g.csv"],
            "g.csv: is the file of --games; give --out another file",
        ),
        (["rat", "cat"], "turn 1: RAT has no colours; give them, or the answer"),
        (["rat", "BGG", "rta", "BGG"], r"turn 2: 'rta' is not one of .* did you mean rat"),
        (["rat", "BGG", "bit", "BGG"], "turn 2: BIT BGG is impossible: no answer left"),
        (["rat", "BGG", "--answer", "bit"], "turn 1: RAT BGG is impossible"),
        (["rat", "--answer", "zzz"], "'zzz' is not one of the 10 words"),
        (["rat", "BGG", "cat"], r"2 words \(rat, cat\) and 1 row of colours \(BGG\)"),
        (["cat", "rat", "--answer", "cat"], "turn 2: the answer was found before; leave it out"),
        (["--paste", "missing.txt"], "missing.txt: no such file"),
        (["--games", "g.txt"], "ends in .jsonl or .csv"),
        (["--games", "missing.csv"], "missing.csv: no such file"),
        (["rat", "--answer", "cat", "--objective", "worst"], "guesses have no regret"),
        (["rat", "--answer", "cat", "--objective", "within:2"], "guesses have no regret"),
    ],
)
def test_bad_input_is_told_in_a_line(run, arguments, message):
    with pytest.raises(UserError, match=message) as caught:
        run("analyse", *arguments)
    assert "\n" not in str(caught.value)


# Many games

GAMES = [
    {"player": "ann", "answer": "cat", "guesses": ["chf", "cat"]},
    {"player": "bob", "answer": "cat", "guesses": "chf rat qqq cat"},
    {"player": "bob", "guesses": ["rat", "bit"], "patterns": ["BGG", "BGG"]},
    {"player": "bob", "answer": "hat", "guesses": ["rat", "tab", "hat"]},
    {"player": "ann", "answer": "zzz", "guesses": ["rat"], "patterns": ["BGG"]},
]


def write_games(path):
    if path.suffix == ".jsonl":
        path.write_text("".join(f"{json.dumps(game)}\n\n" for game in GAMES))
        return
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, ["player", "answer", "guesses", "patterns"])
        writer.writeheader()
        for game in GAMES:
            writer.writerow({k: v if isinstance(v, str) else " ".join(v) for k, v in game.items()})


@pytest.mark.parametrize("form", [".jsonl", ".csv"])
def test_many_games_are_summed_up_by_player(run, form):
    path = Path(f"games{form}")
    write_games(path)
    ann, bob = rows_of(
        run("analyse", "--games", path, "--rule", "hard", "--out", "o.csv", "--json")
    )
    assert (ann["player"], ann["games"], ann["solved_games"], ann["turns"]) == ("ann", 2, 1, 3)
    assert (bob["unknown"], bob["illegal"], bob["contradictory"]) == (1, 2, 1)
    rows = list(csv.DictReader(Path("o.csv").read_text().splitlines()))
    for player in (ann, bob):
        own = [r for r in rows if r["player"] == player["player"] and r["regret"]]
        regrets = [Fraction(r["regret_fraction"]) for r in own]
        assert player["mean_regret"] == float(sum(regrets) / len(regrets))
        assert player["skill"] == float(1 - sum(regrets) / len(regrets))
        first = [Fraction(r["regret_fraction"]) for r in own if r["turn"] == "1"]
        assert player["regret_by_turn"][0] == float(sum(first) / len(first))
    assert [r["fault"] for r in rows if r["game_number"] == "2"] == ["", "illegal", "unknown", ""]
    assert "mean regret" in " ".join(run("analyse", "--games", path).split())


def test_all_forms_of_a_file_of_turns_say_the_same(run, monkeypatch):
    write_games(Path("games.jsonl"))
    for form in ("jsonl", "csv", "parquet", "h5"):
        run("analyse", "--games", "games.jsonl", "--out", f"o.{form}", "--quiet")
    rows = [json.loads(line) for line in Path("o.jsonl").read_text().splitlines()]
    assert pq.read_table("o.parquet").to_pylist() == rows
    stored = analysis_in("o.h5")
    assert len(stored) == len(rows) == 12
    for mine, row in zip(stored, rows, strict=True):
        assert mine == {key: row[key] for key in mine}
    for mine, row in zip(csv.DictReader(Path("o.csv").read_text().splitlines()), rows, strict=True):
        assert mine == {key: "" if value is None else str(value) for key, value in row.items()}
    with pytest.raises(UserError, match=r"ends in \.jsonl, \.csv, \.parquet, \.h5"):
        run("analyse", "--games", "games.jsonl", "--out", "o.txt")
    with pytest.raises(UserError, match="holds 'gpu-wordle analysis', not"):
        run("rank", "--exact", 0, "--out", "o.h5")
    run("solve", "cat", "--tree", "t.h5")
    monkeypatch.setattr(analysing, "analyse_many", None)  # what is not replaced is told before it
    with pytest.raises(UserError, match="holds 'gpu-wordle tree', so it is not replaced"):
        run("analyse", "--games", "games.jsonl", "--out", "t.h5")


def test_who_has_no_name_has_none_in_a_file_too(run):
    Path("games.csv").write_text("player,guesses,answer\n,rat cat,cat\nann,cat,cat\n")
    run("analyse", "--games", "games.csv", "--out", "o.h5", "--quiet")
    assert [row["player"] for row in analysis_in("o.h5")] == ["", "", "ann"]


def test_positions_that_games_share_are_solved_once(monkeypatch):
    game = random_game(np.random.default_rng(4), rule=Rule.NORMAL)
    opened = session.open_session(game.start(), session.Machine("cpu", 2))
    hidden, first = game.words.answers.words[0], game.words.guesses.words[-1]
    transcripts = [Transcript(((first, None), (hidden, None)), hidden)] * 5
    heard = []
    done = analysing.analyse_many(
        opened, transcripts, StopToken(), lambda *told: heard.append(told)
    )
    assert len(done.numbered) == 5
    assert heard[-1] in ((2, 2), (1, 1))


def test_an_early_end_keeps_the_games_that_are_done():
    game = random_game(np.random.default_rng(4), rule=Rule.NORMAL)
    opened = session.open_session(game.start(), session.Machine("cpu", 1))
    stopped = threading.Event()
    stopped.set()
    hidden = game.words.answers.words[0]
    given = [Transcript(((hidden, None),), hidden)]
    ended = analysing.analyse_many(opened, given, StopToken(event=stopped))
    assert (ended.numbered, ended.given, ended.summary()) == ([], 1, [])


def test_an_end_before_the_first_turn_writes_no_file(tmp_path):
    (tmp_path / "games.csv").write_text("guesses,answer\nsalet crane,crane\n")
    stopped = threading.Event()
    stopped.set()
    out = tmp_path / "turns.h5"
    ended = gw.analyse(gw.load_game(), games=tmp_path / "games.csv", out=out, stop=stopped)
    assert (ended.ended, list(ended), out.exists()) == ("stopped", [], False)


BOUNDED = ("value_best", "value_guess", "value_after", "regret", "luck")
"""Figures of a turn that have bounds where they are open."""


def check_intervals(rows):
    """No guess that is legal is better than the best one, whatever of them is known."""
    for row in rows:
        best, own, after, regret, luck = (
            [row[f"{key}_{end}"] for end in ("lower", "upper")] for key in BOUNDED
        )
        for lower, upper in (best, own, after, regret, luck):
            assert lower is None or upper is None or lower <= upper
        if row["fault"] is None and None not in (*best, *own):
            assert best[0] <= own[0]
            assert best[1] <= own[1]
            assert regret == pytest.approx([max(own[0] - best[1], 0), own[1] - best[0]])


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("rule", [Rule.NORMAL, Rule.HARD])
def test_what_an_early_end_leaves_open_lies_in_its_bounds(seed, rule):
    game = random_game(
        np.random.default_rng(seed), most_answers=7, most_guesses=10, lengths=(3, 4), rule=rule
    )
    opened = session.open_session(game.start(), session.Machine("cpu", 2))
    guesses, hidden = played_at_random(game, random.Random(seed))
    transcript = Transcript(tuple((word, None) for word in guesses), hidden)
    stopped = threading.Event()
    stopped.set()
    ended, rows = analysing.analyse_one(opened, transcript, StopToken(event=stopped))
    whole, true_rows = analysing.analyse_one(opened, transcript)
    assert ended.is_start_open
    assert not whole.is_start_open
    check_intervals(rows)
    for row, true in zip(rows, true_rows, strict=True):
        assert row["optimal_guesses"] == []
        for key in BOUNDED:
            assert row[key] is None or (key == "value_after" and row["guess"] == hidden)
            if true[key] is not None:
                assert true[f"{key}_lower"] == true[key] == true[f"{key}_upper"]
                assert_within(row, key, true[key])


def assert_within(row, key, true):
    """The bounds of a row hold a value, which is rounded as they are."""
    lower, upper = row[f"{key}_lower"], row[f"{key}_upper"]
    assert lower is None or lower <= true + 1e-9
    assert upper is None or true - 1e-9 <= upper


@settings(max_examples=60)
@given(
    st.integers(0, 2**32 - 1),
    st.sampled_from(list(Rule)),
    st.sampled_from([None, 3, 4, 6]),
    st.integers(0, 12),
)
def test_bounds_hold_what_plain_recursion_finds(seed, rule, limit, searched):
    """Wherever the search ends: here after so many of the values have been searched."""
    game = random_game(
        np.random.default_rng(seed), most_answers=6, most_guesses=9, lengths=(2, 4), rule=rule,
        max_guesses=limit,
    )  # fmt: skip
    made, hidden = played_at_random(game, random.Random(seed))
    opened = session.open_session(game.start(), session.Machine("cpu", 1))
    transcript = Transcript(tuple((word, None) for word in made), hidden)
    left = iter(range(searched))
    submit = SolverPool.submit

    def submit_or_stop(pool, work, position):
        if next(left, None) is None:
            pool.stop.set()
        return submit(pool, work, position)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(SolverPool, "submit", submit_or_stop)
        _, rows = analysing.analyse_one(opened, transcript)
    check_intervals(rows)
    words = game.words.guesses.words
    oracle = NaiveRules(words, rule.value)
    turns, answers, legal = limit or ENOUGH, game.words.answers.words, frozenset(words)
    if rule is Rule.CANDIDATES:
        legal = frozenset(answers)
    for row, guess in zip(rows, made, strict=True):
        # A guess that is no guaranteed win is valued without the limit.
        in_time = mean(oracle.guess_value(answers, legal, guess, turns), answers) is not None
        given = turns if in_time or not limit else ENOUGH
        best, own = (
            mean(total, answers)
            for total in (
                oracle.value(answers, legal, given),
                oracle.guess_value(answers, legal, guess, given),
            )
        )
        colours = naive.feedback(guess, hidden)
        part = tuple(word for word in answers if naive.feedback(guess, word) == colours)
        is_legal = guess in legal
        legal = oracle.legal_after(legal, guess, colours, part)
        answers, turns = part, max(turns - 1, 0)
        after = Fraction(0)
        if guess != hidden:
            after = mean(oracle.value(answers, legal, turns if in_time else given - 1), answers)
        true = {
            "value_best": best,
            "value_guess": own,
            "value_after": after,
            "regret": own - best if is_legal and None not in (best, own) else None,
            "luck": own - 1 - after if None not in (own, after) else None,
        }
        for key, value in true.items():
            if value is not None:
                assert row[key] in (None, float(value))
                assert_within(row, key, float(value))
            elif key != "regret":
                assert row[key] is None
                assert row[f"{key}_upper"] is None


CPU_SECONDS = 60
"""Far more than it takes to read what is published, and far less than it takes to prove it."""


def run_limited(tmp_path, *program):
    """What a child process prints within CPU_SECONDS, machine code compiled before."""
    limit = (CPU_SECONDS, CPU_SECONDS)
    begin = partial(resource.setrlimit, resource.RLIMIT_CPU, limit)
    return child(cwd=tmp_path, begin=begin, program=[sys.executable, *program])[0]


def test_a_game_of_todays_lists_is_analysed_in_a_moment(tmp_path):
    """All first guesses there are solved."""
    asked = ["analyse", "salet", "guano", "--answer", "guano", "--guesses", "nyt-2023", "--json"]
    said = json.loads(run_limited(tmp_path, "-m", "gpu_wordle", *asked, "--quiet"))
    first, second = said["rows"]
    assert first["value_best_fraction"] == "11219/3158"
    assert first["value_guess_fraction"] == "11235/3158"
    assert (first["regret_fraction"], first["optimal_guesses"]) == ("16/3158", ["tarse"])
    assert (second["answers_before"], second["luck"] is None) == (145, False)
    check_intervals(said["rows"])


def test_a_game_with_a_bad_opener_comes_to_an_end(tmp_path):
    """What the second guess is worth takes minutes to prove; the first is published."""
    asked = ["analyse", "qajaq", "BBBBB", "jujus", "BBBBB", "--guesses", "nyt-2023"]
    said = json.loads(run_limited(tmp_path, "-m", "gpu_wordle", *asked, "--threads", "1", "--json"))
    first, second = said["rows"]
    assert first["value_best_fraction"] == "11219/3158"
    assert first["optimal_guesses"] == ["tarse"]
    assert first["value_guess_fraction"] == "13365/3158"
    assert first["value_after"] is second["value_guess"] is None
    assert first["value_after_lower"] < first["value_after_upper"]
    assert second["value_best_lower"] == first["value_after_lower"]
    check_intervals(said["rows"])


def test_a_single_game_is_searched_for_a_moment_unless_told_otherwise(monkeypatch, run):
    """And many games are searched to the end."""
    asked = ["analyse", "chf", "rat", "cat", "--answer", "cat"]
    exact = run(*asked)
    monkeypatch.setattr("gpu_wordle.verbs.analyse.SEARCH_SECONDS", 1e-6)
    assert "[1.000, " in run(*asked)
    for limit in ("none", "10m"):
        assert run(*asked, "--time-limit", limit) == exact
    write_games(Path("games.csv"))
    (ann, _) = rows_of(run("analyse", "--games", "games.csv", "--json"))
    assert ann["games"] == 2


@pytest.mark.parametrize("objective", ["mean", "mean,worst"])
def test_the_value_of_the_start_of_todays_lists_is_read(tmp_path, objective):
    asked = f"gw.value(gw.load_game('nyt-2023', objective={objective!r}))"
    assert run_limited(tmp_path, "-c", f"import gpu_wordle as gw; print({asked})") == "11219/3158\n"


def test_first_guesses_have_the_values_that_are_published():
    """On today's lists, though nothing is searched."""
    game = session.open_game(session.read_words("nyt-2023"))
    openers, words = published_openers(game), game.words
    optimum = int(openers.lower.min())
    assert optimum == 11219
    opened = session.open_session(game.start(), session.Machine("cpu", 1))
    stopped = threading.Event()
    stopped.set()
    for guess in (openers.lower.argmin(), openers.lower.argmax()):
        transcript = Transcript(((words.guesses.words[guess], None),), words.answers.words[0])
        _, (row,) = analysing.analyse_one(opened, transcript, StopToken(event=stopped))
        check_intervals([row])
        assert row["value_best_lower"] == row["value_best_upper"] == optimum / 3158
        assert row["value_guess_fraction"] == f"{openers.lower[guess]}/3158"
        assert row["value_guess_lower"] == row["value_guess_upper"] == row["value_guess"]


def test_bounds_of_a_search_that_ended_early_are_kept(monkeypatch):
    """The best guess is at most as dear as one whose value was found by then."""
    monkeypatch.setattr("gpu_wordle.experiments.values.MIN_SHARED", 2)
    game = random_game(np.random.default_rng(8), most_answers=12, most_guesses=20, rule=Rule.NORMAL)
    true = Values(game).total(game.start())
    with SolverPool(game, 1) as pool:
        values = Values(game, pool=pool)
        settle = RootBounds.settle

        def settle_and_stop(found, guess, bound):
            settle(found, guess, bound)
            if bound.is_exact:
                pool.stop.set()

        monkeypatch.setattr(RootBounds, "settle", settle_and_stop)
        values.total(game.start())
        assert not values.has(game.start())
        lower, upper = values.bounds(game.start())
    assert 0 < lower <= true <= upper < INFEASIBLE


def test_a_time_limit_leaves_intervals(run):
    asked = ["analyse", "chf", "rat", "cat", "--answer", "cat", "--threads", 1]
    shown = run(*asked, "--time-limit", "0.000001")
    assert "the value of the start was not found in time" in shown
    assert "[1.000, " in shown
    assert "Skill" not in shown


@pytest.mark.parametrize("rule", Rule)
def test_all_threads_find_what_one_finds(monkeypatch, rule):
    monkeypatch.setattr("gpu_wordle.experiments.values.MIN_SHARED", 2)
    game = random_game(np.random.default_rng(8), most_answers=12, most_guesses=20, rule=rule)
    with SolverPool(game, 2) as pool:
        many, one = Values(game, pool=pool), Values(game)
        own = int(game.words.guess_of_answer[-1])
        for guess in [each for each in range(5) if each != own]:
            position = game.start().after(guess, int(game.patterns.values[-1, guess]))
            assert many.mean(position) == one.mean(position)
            assert many.best(position) == one.best(position)
            assert many.mean_of(position, guess) == one.mean_of(position, guess)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("rule", [Rule.NORMAL, Rule.HARD])
def test_what_agrees_with_a_chart_is_what_plain_recursion_plays(seed, rule):
    game = random_game(
        np.random.default_rng(seed), most_answers=7, most_guesses=12, lengths=(2, 4), rule=rule
    )
    words, answers = game.words.guesses.words, game.words.answers.words
    oracle = NaiveRules(words, rule.value)
    guesses, hidden = played_at_random(game, random.Random(seed))
    rows = [naive.feedback(guess, hidden) for guess in guesses[:3]]

    def games(answer, legal, made):
        """The openers of all legal games that give the rows, each as often as it has games."""
        if made == len(rows):
            return [None]
        return [
            word
            for word in legal
            if naive.feedback(word, answer) == rows[made]
            for _ in games(answer, oracle.legal_after(legal, word, rows[made], ()), made + 1)
        ]

    played = {answer: games(answer, frozenset(words), 0) for answer in answers}
    parsed = [game.words.feedback.parse(row) for row in rows]
    if not any(played.values()):
        with pytest.raises(UserError, match=f"no game gives these colours under the {rule} rule"):
            consistent(game, parsed)
        return
    found = consistent(game, parsed)
    assert [answers[a] for a in found.answers] == [a for a in answers if played[a]]
    assert found.games == sum(map(len, played.values()))
    left = {word: sum(word in openers for openers in played.values()) for word in words}
    assert dict(zip(game.spell(found.openers), found.left, strict=True)) == {
        word: count for word, count in left.items() if count
    }


def test_a_chart_is_read_by_its_rule(run):
    """Under the hard rule nobody who knows _AT guesses C__ next."""
    assert "agree with these colours" in run("analyse", "BGG", "GBB")
    with pytest.raises(UserError, match="no game gives these colours under the hard rule"):
        run("analyse", "BGG", "GBB", "--rule", "hard")
    assert rows_of(run("analyse", "BGG", "BGG", "--rule", "hard", "--json"))
    for rule in ("ultra-hard", "candidates"):
        with pytest.raises(UserError, match=f"do not tell which guesses the {rule} rule allows"):
            run("analyse", "BGG", "--rule", rule)
    with pytest.raises(UserError, match="3 rows of colours, and 2 guesses are allowed"):
        run("analyse", "BGG", "BGG", "BGG", "--max-guesses", 2)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "holds no games"),
        ("[1]", "line 1: .* is no JSON object"),
        ("{", "line 1: not JSON"),
        ('{"answer": "cat"}', "line 1: it has no guesses"),
        ('{"guesses": ["cat"]}', "line 1: neither answer nor patterns"),
        ('{"guesses": ["cat"], "patterns": ["GGG", "GGG"]}', "1 guesses and 2 patterns"),
        ('{"guesses": [3], "answer": "cat"}', "guesses .*3.*; give a list of texts"),
        ('{"guesses": "cat", "answer": 3}', "answer and player are text"),
    ],
)
def test_bad_files_of_games_are_told_by_line(run, text, message):
    Path("g.jsonl").write_text(text)
    with pytest.raises(UserError, match=message):
        run("analyse", "--games", "g.jsonl")


def test_a_game_that_cannot_be_read_is_counted_and_the_others_are_analysed(run):
    lines = [
        '{"guesses": "cat", "patterns": "GG"}',
        '{"guesses": "rat", "answer": "zzz"}',
        '{"guesses": "cat", "answer": "cat"}',
    ]
    Path("g.jsonl").write_text("\n".join(lines))
    (row,) = rows_of(run("analyse", "--games", "g.jsonl", "--json"))
    assert (row["games"], row["solved_games"]) == (3, 1)
    assert (row["contradictory"], row["unreadable"], row["incomplete"]) == (0, 1, 1)


def test_an_illegal_guess_is_shown_as_such(run):
    shown = run("analyse", "rat", "BGG", "chf", "BBB", "--rule", "hard", "--max-guesses", 0)
    assert any({"chf", "BBB", "illegal"} <= set(line.split()) for line in shown.splitlines())
    assert "1 turn illegal under the hard rule, without a regret." in shown


def test_a_csv_file_of_games_may_come_from_anywhere(tmp_path):
    path = tmp_path / "g.csv"
    path.write_text("\ufeffguesses,answer,other\nrat cat,cat,5\n", "utf-8")
    words = make_words(sorted(GUESSES), ANSWERS)
    assert read_games(path, words) == [Transcript((("rat", None), ("cat", None)), "cat")]


def test_only_line_ends_end_a_line_of_json(tmp_path):
    """JSON may hold other separators of lines as they are."""
    path = tmp_path / "g.jsonl"
    record = {"player": "a\u2028b\x85c", "guesses": "rat cat", "answer": "cat"}
    text = json.dumps(record, ensure_ascii=False)
    path.write_text(f"{text}\r\n\r\n{text}\n", "utf-8", newline="")
    turns = (("rat", None), ("cat", None))
    words = make_words(sorted(GUESSES), ANSWERS)
    assert read_games(path, words) == [Transcript(turns, "cat", "a\u2028b\x85c")] * 2


def test_the_page_of_the_files_names_every_dataset():
    page = ROOT.joinpath("docs/formats/analyses.md").read_text("utf-8")
    for name, column in TURNS.items():
        assert f"| `/turns/{name}` | {column.units} | {column.description} |" in page


# In Python


def test_values_in_python():
    game = gw.load_game("original")
    assert gw.value(game) == Fraction(7920, 2315)
    assert gw.regret(game, "crane") == Fraction(10, 2315)
    after = game.after("salet BYBBG")
    assert gw.value(after) == Fraction(45, 20)
    assert (gw.regret(after, "courd"), gw.regret(after, "crony")) == (0, Fraction(4, 20))
    rows = gw.analyse(game, ["salet", "courd", "abbot"], "abbot")
    assert [row["regret"] for row in rows] == [0, 0, 0]
    assert rows[0]["optimal_guesses"] == ["salet"]
    assert gw.analyse(game, ["salet"], patterns=["BYBBG"])[0]["answers_after"] == 20
    tight = gw.load_game(GUESSES, ANSWERS)
    (row,) = gw.analyse(tight, ["chf"], "cat", time_limit=1e-6)
    assert row["value_guess"] is None
    assert row["value_guess_lower"] <= gw.value(tight) + gw.regret(tight, "chf")


def test_values_where_a_win_is_not_sure():
    tight = gw.load_game(GUESSES, ANSWERS, max_guesses=4)
    assert gw.value(tight) == gw.value(gw.load_game(GUESSES, ANSWERS, max_guesses=0))
    assert (gw.regret(tight, "cat"), gw.regret(tight, "bfc")) == (inf, 0)
    assert gw.value(tight.after("bfc BBB tab YGB")) == inf
    with pytest.raises(UserError, match="no guess has a value here"):
        gw.regret(tight.after("bfc BBB tab YGB"), "rat")
    with pytest.raises(UserError, match="'zzz' is not one of"):
        gw.regret(tight, "zzz")
    candidates = gw.load_game(GUESSES, ANSWERS, rule="candidates")
    with pytest.raises(UserError, match="'chf' cannot be the answer"):
        gw.regret(candidates, "chf")
    with pytest.raises(UserError, match="2 guesses and 1 patterns"):
        gw.analyse(tight, ["cat", "rat"], patterns=["BGG"])
    for asked, message in [
        ((tight.after("rat BGG"), ["cat"], "cat"), "give a Game"),
        ((tight, "cat", "cat"), "guesses=.cat.: give a list of words"),
        ((tight, ["cat", 5], "cat"), "5 does not fit"),
        ((tight, [], "cat"), "no game is given"),
    ]:
        with pytest.raises(gw.UserError, match=message):
            gw.analyse(*asked)
    with pytest.raises(gw.UserError, match="by=5"):
        gw.suggest(tight, by=5)
    with pytest.raises(gw.UserError, match="openers=7"):
        gw.simulate(tight, "parts", 7)
