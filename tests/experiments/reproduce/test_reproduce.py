"""The literature reproduced: figures to the digit, and how they are written down."""

import csv
import functools
import io
import json
import logging
import math
import re
from collections import Counter
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpu_wordle.api import studies
from gpu_wordle.api.session import open_game
from gpu_wordle.backends import choose
from gpu_wordle.errors import UserError
from gpu_wordle.experiments.compare import Compared
from gpu_wordle.experiments.noise.searcher import FREE
from gpu_wordle.experiments.reproduce import registry, weary_games
from gpu_wordle.experiments.reproduce.ablation import LOST, PrintedAlgorithm, Switches
from gpu_wordle.experiments.reproduce.bench import Bench, reordered
from gpu_wordle.experiments.reproduce.exact_solution import past_games, turns_of_answers
from gpu_wordle.experiments.reproduce.item import (
    PUBLISHED,
    TITLES,
    Source,
    Verdict,
    figure,
    found,
    is_mean,
)
from gpu_wordle.experiments.reproduce.mixture import (
    Weights,
    drawn_weights,
    learning_half,
    turns_by,
)
from gpu_wordle.experiments.reproduce.registry import ITEMS, select
from gpu_wordle.experiments.reproduce.weary_games import rounded_entropy
from gpu_wordle.experiments.reproduce.weary_notes import cuts, games_by_pairs
from gpu_wordle.experiments.reproduce.wordle_ai import REMOVED
from gpu_wordle.game.game import Game
from gpu_wordle.game.objective import Objective
from gpu_wordle.jit.functions import Need
from gpu_wordle.report.documents import read_document
from gpu_wordle.report.reproduced import document_page, item_page, remarks
from gpu_wordle.solver.ready import CONSTRAINED, STATISTICS, UNCONSTRAINED
from gpu_wordle.strategies.play import expand
from gpu_wordle.verbs import reproduce as reproduce_verb
from gpu_wordle.verbs.reproduce import read_days
from support import ROOT, naive, naive_player
from support.commands import invoke
from support.solving import solve
from support.word_lists import make_game, make_words, random_words

RESULTS = ROOT / "results"

TO_THE_DIGIT = [
    *("exact-solution/worst-case", "exact-solution/figure-4", "wordle-weary/figure-3-4"),
    *("wordle-weary/figure-6", "wordle-weary/figure-14-15", "wordle-weary/figure-16"),
    *("wordle-weary/figure-17", "wordle-weary/families", "wordle-weary/figure-20"),
    *("optimal-strategies/information", "optimal-strategies/pairs", "solving-wordle/game"),
    *("wordle-weary/figure-11", "wordle-weary/figure-23"),
]
"""Items whose figures all come out as they are printed, and which take a moment."""

TO_THE_DIGIT_SLOW = [
    *("wordle-weary/figure-5", "wordle-weary/figure-7-9", "optimal-strategies/greedy"),
    *("optimal-strategies/best", "wordle-ai/results"),
]
MISPRINTS = {
    "exact-solution/table-1": {"hard: mean of LEAST", "hard: mean of TRAPE"},
    "exact-solution/tiles": {"mean coloured tiles of SALET"},
    "wordle-weary/table-1": {"entropy, 6: SLATE"},
    "optimal-strategies/greens": {
        f"yellows of {word}" for word in ("SAREE", "SOOEY", "SOREE", "SEASE", "SEARE", "SEINE")
    },
    "solving-wordle/rounds": {f"right places, all guesses, round {i}" for i in (1, 2, 3)},
    "solving-wordle/states": {"states of a last guess and its colours"},
    "wordle-weary/figure-21": {"words found in eleven cuts", "words that need a twelfth"},
    "wordle-weary/figure-22": {"bits expected from that heap"},
    "wordle-ai/worst": {"information: game for WAFER"},
    "wordle-ai/taylor": {"the word with the fewest such answers", "their ranks by this number"},
}
"""What is explained, and why is told: the others of these items come out as they are printed."""


@pytest.fixture(scope="module")
def bench(original):
    return Bench(original, choose("cpu", threads=2).backend, studies.published_ranking)


@functools.cache
def made_by(bench, name):
    """What an item comes to, computed once."""
    return ITEMS[name].compute(bench)


def lines_of(bench, name):
    return made_by(bench, name).lines


@pytest.mark.parametrize(
    "name",
    [*TO_THE_DIGIT, *(pytest.param(name, marks=pytest.mark.slow) for name in TO_THE_DIGIT_SLOW)],
)
def test_every_printed_figure_comes_out(bench, name):
    lines = lines_of(bench, name)
    assert any(line.verdict is Verdict.SAME for line in lines)
    assert {line.verdict for line in lines} <= {Verdict.SAME, Verdict.NEW}


@pytest.mark.parametrize("name", MISPRINTS)
def test_what_differs_is_explained_and_nothing_else_differs(bench, name):
    lines = lines_of(bench, name)
    explained = {line.what for line in lines if line.verdict is Verdict.EXPLAINED}
    assert explained == MISPRINTS[name]
    assert all(line.explanation for line in lines if line.what in explained)
    others = {line.verdict for line in lines if line.what not in explained}
    assert others <= {Verdict.SAME, Verdict.NEW}


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name, item in ITEMS.items() if not item.is_slow])
def test_nothing_else_differs_that_is_not_explained(bench, name):
    made = made_by(bench, name)
    assert made.lines
    differing = {line.what for line in made.lines if line.verdict is Verdict.DIFFERS}
    assert not differing
    if made.table is not None:
        assert len({len(column) for column in made.table.values()}) == 1


def verdicts_of(lines):
    return {line.what: line.verdict for line in lines if line.published is not None}


def test_random_games_that_take_too_few_guesses_differ(bench, monkeypatch):
    play = bench.play
    monkeypatch.setattr(bench, "play", lambda strategy, *rest: play("parts", *rest))
    printed = PUBLISHED["wordle-weary/figure-2"] | {"starts": 3}
    found = verdicts_of(weary_games.random_play(bench, printed).lines)
    assert found["mean, true umpire"] is found["mean, naive umpire"] is Verdict.DIFFERS


def test_a_number_that_is_about_right_is_compared_at_its_tens(bench):
    printed = PUBLISHED["wordle-weary/figure-2"] | {"starts": 2}
    what = "answers left by a first guess at random"
    for about, verdict in ((10, Verdict.WITHIN), (4, Verdict.DIFFERS)):
        lines = weary_games.random_play(bench, printed | {"about": about}).lines
        assert verdicts_of(lines)[what] is verdict


def test_means_of_whole_games_out_of_their_range_differ(bench, monkeypatch):
    """A mean that no way to break ties gives, nor rounding, is not explained by either."""
    printed = PUBLISHED["wordle-weary/table-2"]
    wrong = printed | {rule: [["SLATE", "3.600"]] for rule in weary_games.RULES}
    monkeypatch.setattr(bench, "means", lambda rule, openers, choices: np.array([[3.494], [3.45]]))
    monkeypatch.setattr(weary_games, "mean", lambda played: 3.4946)
    monkeypatch.setattr(weary_games, "rounded_games", lambda *given: "games")
    found = verdicts_of(weary_games.full_games(bench, wrong).lines)
    assert set(found.values()) == {Verdict.DIFFERS}
    wrong["entropy"] = [["SLATE", "3.495"]]
    line, *_ = weary_games.full_games(bench, wrong).lines
    assert line.verdict is Verdict.EXPLAINED
    assert "summed in floating point it is 3.495" in line.explanation


def test_shares_of_the_same_games_out_of_their_range_differ(bench, monkeypatch):
    seen = Compared(weary_games.RULES, games=weary_games.RANDOM_PAIRS)
    monkeypatch.setattr(weary_games, "compared_rules", lambda bench, *how: seen)
    found = verdicts_of(weary_games.same_games(bench, PUBLISHED["wordle-weary/figure-12"]).lines)
    assert set(found.values()) == {Verdict.DIFFERS}


@pytest.mark.slow
def test_most_of_two_tables_of_whole_games_come_out(bench):
    """Table 2 of Hayes: all fifteen starts by parts, candidates first; entropy from REAST."""
    lines = {line.what: line for line in lines_of(bench, "wordle-weary/table-2")}
    assert len(lines) == 45
    assert {line.verdict for what, line in lines.items() if what.startswith("parts")} == {
        Verdict.SAME
    }
    assert lines["entropy: REAST"].verdict is Verdict.SAME
    assert all(abs(line.difference) <= 0.002 for line in lines.values())


def test_the_second_guesses_add_up_to_the_optimum(bench, original):
    made = ITEMS["exact-solution/table-2"].compute(bench)
    table = made.table
    assert len(table["pattern"]) == len(set(table["pattern"])) == 148
    assert sum(table["answers_left"]) == 2315
    assert 2315 + sum(table["total"]) == 7920
    for pattern, left, guess in list(
        zip(table["pattern"], table["answers_left"], table["guess"], strict=True)
    )[::20]:
        part = [w for w in original.words.answers.words if naive.feedback("salet", w) == pattern]
        assert len(part) == left
        assert len(naive.partition(guess, part)) > 1 or left == 1


@pytest.mark.slow
def test_noisy_policies_are_those_of_the_published_experiment(bench):
    made = ITEMS["exact-solution/figure-5"].compute(bench)
    with (RESULTS / "noise" / "salet-depth-3.csv").open(newline="", encoding="utf-8") as file:
        published = [row for row in csv.DictReader(file) if int(row["run"]) < 25]
    for level, optimal, median in zip(
        *(made.table[name] for name in ("level_percent", "optimal_runs", "median")), strict=True
    ):
        totals = [int(r["total"]) for r in published if float(r["level_percent"]) == float(level)]
        assert len(totals) == 25
        assert optimal == totals.count(7920)
        assert median == f"{np.median(totals) / 2315:.5f}"
    lines = {line.what: line for line in made.lines}
    assert lines["does any run recover the optimum at 0.1 %?"].verdict is Verdict.EXPLAINED
    assert lines["runs that recover the optimum at 10 %"].computed == "11 of 25"
    assert lines["runs without the guess limit that lose an answer at 10 %"].computed == "0 of 25"


@pytest.mark.slow
def test_the_range_over_optimal_strategies_holds_the_printed_shares(bench):
    """One split of the least total has all three printed shares: 93, 1230, 916, 76."""
    lines = lines_of(bench, "exact-solution/figure-3")
    assert [line.verdict for line in lines] == [Verdict.WITHIN] * 3 + [Verdict.SAME] * 2
    splits = [
        (a, b, c, d)
        for a in range(2316) if f"{100 * a / 2315:.1f}" == "4.0"
        for b in range(2316 - a) if f"{100 * (a + b) / 2315:.1f}" == "57.1"
        for d in range(2316 - a - b) if f"{100 * d / 2315:.1f}" == "3.3"
        for c in [2315 - a - b - d] if 2 * a + 3 * b + 4 * c + 5 * d == 7920
    ]  # fmt: skip
    assert splits == [(93, 1230, 916, 76)]


def test_families_are_counted_over_every_template(bench, original):
    table = ITEMS["wordle-weary/families"].compute(bench).table
    assert {"_IGHT": 9, "_A_ER": 29}.items() <= dict(
        zip(table["template"], table["answers"], strict=True)
    ).items()
    counted = Counter(
        word[:i] + "_" + word[i + 1 :] for word in original.words.answers.words for i in range(5)
    )
    assert max(counted.values()) == 9


def test_turns_of_a_tree_are_those_of_the_checker(bench, original):
    game = original
    tree = bench.solver().solve(game.start(), bench.guess("salet"), tree=True).tree
    turns = turns_of_answers(tree, game.start())
    assert turns.sum() == 7920
    assert np.bincount(turns)[1:].tolist() == [0, 90, 1239, 907, 79]


def test_a_user_may_give_the_days_that_were_played(bench, original, tmp_path):
    file = tmp_path / "past.txt"
    file.write_text("2022-03-02,sissy\n2022-03-01,cigar\nrebut\nxyzzy\ncigar\n")
    days = read_days(file, original)
    mine = Bench(original, bench.backend, studies.published_ranking, days)
    tree = bench.solve("salet", tree=True).tree
    found_on = turns_of_answers(tree, original.start())
    turns = dict(zip(original.words.answers.words, found_on, strict=True))
    printed = PUBLISHED["exact-solution/figure-2"] | {"days": 2}
    made = past_games(mine, printed)
    lines = {line.what: line for line in made.lines}
    assert sum(made.drawn["played"]) == 3
    assert lines["days of your list"].computed == "3"
    assert lines["days of your list"].explanation == (
        "2022-03-01 to 2022-03-02. 2 lines passed over: repeats, and words that are no answers."
    )
    assert lines["mean of the first 2"].computed == f"{(turns['cigar'] + turns['sissy']) / 2:.3f}"
    file.write_text("cat\n")
    with pytest.raises(UserError, match="no answer of the original game"):
        read_days(file, original)
    file.write_text("2022-13-01,cigar\n")
    with pytest.raises(UserError, match="no date"):
        read_days(file, original)


# What is settled, and the notes


def test_the_last_of_equal_guesses_gives_the_printed_counts(bench):
    """Each guess after the second tells the most of all, and none that is equal comes later."""
    lines = {line.what: line.computed for line in lines_of(bench, "wordle-ai/worst")}
    made = lines["information: game for WAFER"].lower().split()
    assert made == ["soare", "talar", "pigmy", "wrick", "zurfs", "wafer"]
    assert (lines["information: guesses for VAUNT"], lines["information: guesses for WATCH"]) == (
        "4",
        "4",
    )
    game = bench.without(REMOVED)
    left = [
        word for word in game.words.answers.words
        if all(naive.feedback(g, word) == naive.feedback(g, "wafer") for g in made[:2])
    ]  # fmt: skip
    for guess in made[2:-1]:
        bits = [round(naive.entropy_bits(word, left), 9) for word in game.words.guesses.words]
        last = max(range(len(bits)), key=lambda g: (bits[g], g))
        assert game.words.guesses.words[last] == guess
        left = [w for w in left if naive.feedback(guess, w) == naive.feedback(guess, "wafer")]
    assert left == ["wafer"]


@pytest.mark.parametrize(
    ("printed", "count", "is_so"),
    [
        ("3.69017", 2315, False), ("3.69017", 2309, False), ("3.49417", 2315, True),
        ("3.51064", 2315, False), ("3.42117", 2315, True), ("4", 3, True), ("2.5", 3, False),
    ],
)  # fmt: skip
def test_a_mean_is_that_of_a_whole_total(printed, count, is_so):
    decimals = len(printed.partition(".")[2])
    totals = range(count, 9 * count)
    assert any(f"{total / count:.{decimals}f}" == printed for total in totals) is is_so
    assert is_mean(printed, count) is is_so


def found_by_halving(place, cards):
    """The number of cuts in two after which the card in some place is alone."""
    low, high, made = 0, cards, 0
    while high - low > 1:
        middle, made = (low + high) // 2, made + 1
        low, high = (low, middle) if place < middle else (middle, high)
    return made


@pytest.mark.parametrize("cards", [1, 2, 3, 16, 37, 64, 2315])
def test_cards_are_found_by_halving(cards):
    assert cuts(cards, 2) == Counter(found_by_halving(place, cards) for place in range(cards))


@given(st.integers(1, 300), st.integers(2, 5))
@settings(max_examples=30)
def test_cuts_fill_a_tree(cards, heaps):
    found = cuts(cards, heaps)
    assert found.total() == cards
    assert sum(count / heaps**made for made, count in found.items()) <= 1 + 1e-9
    assert max(found) - min(found) <= 1


def test_covering_words_miss_the_answers_without_their_letters(bench, original):
    answers = original.words.answers.words
    missed = {
        word: sum(not set(word) & set(answer) for answer in answers)
        for word in ("reais", "blahs", "centu", "doggo", "aurei", "uraei", "raise")
    }
    assert missed["reais"] == missed["raise"] == 168
    assert missed["aurei"] == missed["uraei"] == 114
    three = [word for word in answers if not set("blahscentudoggo") & set(word)]
    lines = [line.computed for line in lines_of(bench, "wordle-ai/taylor")]
    assert lines == [
        "168",
        "AUREI URAEI, 114",
        ", ".join(f"{missed[word]:,}" for word in ("blahs", "centu", "doggo")),
        lines[3],
        "13",
        f"{len(three)}: {' '.join(three).upper()}",
        "0",
    ]


def test_the_printed_rate_lies_between_two_rules_for_ties(bench):
    rate, _, lost, _ = lines_of(bench, "wordle-ai/hikmet")
    assert rate.verdict is Verdict.WITHIN
    assert lost.computed == "22, 12"


@pytest.mark.parametrize("is_placed", [True, False])
def test_pairs_of_letters_are_played_as_by_a_plain_player(bench, original, is_placed):
    answers = list(original.words.answers.words[::12])
    game = open_game(make_words(answers, answers))
    played = games_by_pairs(game, Bench(game, bench.backend, bench.published), is_placed=is_placed)
    plain = naive_player.by_pairs(answers, is_placed=is_placed)
    assert played.turns.tolist() == [len(plain[word]) for word in game.words.answers.words]


def test_the_mixture_is_played_as_by_a_plain_player(bench, original):
    answers = list(original.words.answers.words[::40])
    guesses = sorted({*answers, *original.words.guesses.words[::130]})
    game = open_game(make_words(guesses, answers))
    weights = Weights(0.01, 0.05, 0.2, 0.03)

    def weight(left, made):
        settled = sum(len(set(letters)) == 1 for letters in zip(*left, strict=True))
        gathered = 1 - math.log2(len(left)) / math.log2(len(answers))
        return min(1, 0.01 + 0.05 * len(made) + 0.2 * gathered + 0.03 * settled)

    rule = naive_player.places_entropy(answers, weight)
    plain = naive_player.games(guesses, answers, rule, survivors=1)
    turns = turns_by(Bench(game, bench.backend, bench.published), game, weights)
    assert turns.tolist() == [len(plain[word]) for word in answers]


def test_weights_are_drawn_from_a_seed_and_halves_do_not_overlap():
    assert drawn_weights(5, 1) == drawn_weights(5, 1) != drawn_weights(5, 2)
    assert str(Weights()) == "none"
    assert str(Weights(by_turn=0.5)) == "by_turn 0.5000"
    is_learned = learning_half(2309, 0)
    assert is_learned.sum() == 1154


@pytest.mark.slow
def test_a_limit_costs_the_best_openers_nothing_under_the_normal_rule(bench):
    assert [line.computed for line in lines_of(bench, "exact-solution/limits")] == [
        "7,920, 7,920, 7,920", "7,278 of 12,972", "100 of 100", "8,122, 8,116, 8,116", "1 of 10",
    ]  # fmt: skip


def test_published_tables_can_be_read_back():
    for path in sorted((RESULTS / "reproduced").glob("*.csv")):
        assert read_document(path).columns


# Figures beside figures


@pytest.mark.parametrize(
    ("printed", "mine", "options", "verdict", "shown", "difference"),
    [
        ("3.526", 3.52570, {}, Verdict.SAME, "3.526", 0),
        ("8,418", 8418, {}, Verdict.SAME, "8,418", 0),
        ("2 %", 1.6, {}, Verdict.SAME, "2 %", 0),
        ("3.526", 3.5274, {}, Verdict.DIFFERS, "3.527", 0.001),
        ("3.526", 3.5274, {"explanation": "why"}, Verdict.EXPLAINED, "3.527", 0.001),
        ("3.526", 3.5274, {"within": (3.52, 3.53)}, Verdict.WITHIN, "3.527", 0.001),
        ("3.526", 3.5274, {"within": (3.5268, 3.53)}, Verdict.DIFFERS, "3.527", 0.001),
        ("3.5", 3.9, {"within": (3.8, 4), "range_note": "ties"}, Verdict.DIFFERS, "3.9", 0.4),
        ("3.5", 3.9, {"within": (3.8, 4), "explanation": "why"}, Verdict.EXPLAINED, "3.9", 0.4),
        ("1,056", 1050, {}, Verdict.DIFFERS, "1,050", -6),
    ],
)
def test_a_figure_is_compared_at_the_digits_that_are_printed(
    printed, mine, options, verdict, shown, difference
):
    line = figure("some", printed, mine, **options)
    assert (line.verdict, line.computed) == (verdict, shown)
    assert line.difference == pytest.approx(difference)


def test_words_and_what_is_not_printed():
    assert figure("start", "SALET", "SALET").verdict is Verdict.SAME
    assert figure("start", "SALET", "CRANE").verdict is Verdict.DIFFERS
    assert figure("start", "SALET", "CRANE", "why").verdict is Verdict.EXPLAINED
    assert found("more", "7").published is None


def test_items_are_chosen_by_name():
    assert [item.name for item in select(["wordle-ai/results", "exact-solution/tiles"])] == [
        *("exact-solution/tiles", "wordle-ai/results")
    ]
    quick = select([])
    assert not any(item.is_slow for item in quick)
    assert {item.source for item in quick} == set(Source) == set(TITLES)
    assert len(select(["all"])) == len(ITEMS) > len(quick)
    assert {item.source for item in select(["wordle-ai"])} == {Source.WORDLE_AI}
    with pytest.raises(UserError, match="no item 'nonsense'; reproduce --list"):
        select(["nonsense"])


def test_the_published_counts_are_those_of_the_published_figures():
    folder = ROOT / "results" / "reproduced"
    index = (folder / "README.md").read_text()
    said = json.loads((folder / "reproduced.json").read_text())
    whole = Counter()
    for source in Source:
        rows = [row for row in said["rows"] if row["item"].startswith(f"{source.value}/")]
        seen = Counter(row["verdict"] for row in rows)
        whole += seen
        page = (folder / f"{source.value}.md").read_text()
        assert seen == Counter(
            line.rsplit("|", 2)[1].strip() for line in page.splitlines()
            if line.startswith("| ") and not line.startswith(("|  |", "| ---"))
        )  # fmt: skip
        items = [item for item in ITEMS if item.startswith(f"{source.value}/")]
        assert list(dict.fromkeys(row["item"] for row in rows)) == items
        counts = [len(items), *(seen[verdict.value] for verdict in Verdict)]
        assert f"({source.value}.md) | {' | '.join(map(str, counts))} |" in index
    assert said["verdicts"] == {verdict.value: whole[verdict.value] for verdict in Verdict}


# The verb


@pytest.fixture
def call(capsys):
    def run(*arguments):
        invoke(["reproduce", *map(str, arguments), "--quiet"])
        return capsys.readouterr().out

    return run


@pytest.mark.slow
def test_pages_tables_and_pictures(call, tmp_path):
    folder = tmp_path / "pages"
    names = ["exact-solution/table-2", "exact-solution/tiles", "wordle-weary/figure-13"]
    shown = call(*names, "--out", folder)
    assert "3 items:" in shown
    assert "mean coloured tiles of AUDIO" in shown
    page = (folder / "exact-solution.md").read_text()
    assert "1.683 | 1.684 | +0.001 | explained" in page
    assert "![Second guesses after SALET](exact-solution-table-2.png)" in page
    assert (folder / "exact-solution-table-2.png").stat().st_size < 300_000
    rows = list(csv.DictReader(io.StringIO((folder / "exact-solution-table-2.csv").read_text())))
    assert len(rows) == 148
    text = (folder / "exact-solution-table-2.txt").read_text().splitlines()
    assert [len(text), text[0].split()[0]] == [149, "pattern"]
    said = json.loads((folder / "reproduced.json").read_text())
    assert said["verb"] == "reproduce"
    assert "| 2 |" in (folder / "README.md").read_text()
    call("exact-solution/tiles", "--out", folder)  # over what is there
    assert "exact-solution" in (folder / "README.md").read_text()


def test_there_is_a_list(call):
    rows = json.loads(call("--list", "--json"))["rows"]
    assert [row["item"] for row in rows] == list(ITEMS)
    assert any(row["slow"] for row in rows)
    assert "Second guesses after SALET" in call("--list")


def test_it_says_how_far_it_is_and_compiles_before_it_counts(monkeypatch):
    told, searched = [], []
    monkeypatch.setattr(reproduce_verb, "make_ready", lambda items, show: searched.extend(items))
    names = ["exact-solution/tiles", "wordle-weary/figure-16"]
    log = logging.getLogger("gpu_wordle")
    lines = []
    heard = logging.Handler()
    heard.emit = lambda record: lines.append(record.getMessage())
    log.addHandler(heard)
    level = log.level
    log.setLevel(logging.INFO)
    try:
        reproduce_verb.reproduce(names, progress=lambda each: told.append((len(searched), each)))
    finally:
        log.removeHandler(heard)
        log.setLevel(level)
    assert [item.name for item in searched] == names
    assert [(ready, each.done, each.total, each.note) for ready, each in told] == [
        (2, number, 2, name) for number, name in enumerate(names)
    ]
    done = [line for line in lines if " of 2: " in line]
    assert [re.sub(r"\d+\.\d s", "T", line) for line in done] == [
        f"{number} of 2: {name}, T" for number, name in enumerate(names, start=1)
    ]


def test_items_name_the_machine_code_that_they_need(monkeypatch):
    asked = []
    monkeypatch.setattr(registry, "make_modules_ready", lambda *given: asked.append(given))
    for name in ("exact-solution/tiles", "exact-solution/table-1", "exact-solution/figure-5"):
        registry.make_ready([ITEMS[name]])
    (plain, few, _), (both, some, _), (noisy, _, _) = asked
    assert plain == STATISTICS
    assert few == (Need.STATISTICS, Need.GREEDY)
    assert {*UNCONSTRAINED, *CONSTRAINED} == {*both}
    assert Need.SEARCH in some
    assert {*FREE} == {*noisy}


def test_what_was_made_before_ctrl_c_is_shown(monkeypatch, capsys):
    def interrupt(bench, printed):
        raise KeyboardInterrupt

    item = ITEMS["wordle-weary/figure-16"]
    monkeypatch.setitem(registry.ITEMS, item.name, replace(item, make=interrupt))
    code = invoke(["reproduce", "exact-solution/tiles", item.name, "-q"])
    out, err = capsys.readouterr()
    assert code == 130
    assert "AUDIO" in out
    assert "interrupted; 1 of 2 items were computed by then" in err


def test_a_page_tells_each_reason_once(bench):
    item = ITEMS["optimal-strategies/greens"]
    made = item.compute(bench)
    page = item_page(item, made, None)
    assert page.startswith("## Openers of most green tiles")
    assert len(remarks(made)) == len(set(remarks(made)))
    whole = document_page([(item, made)], {})
    assert "24 as printed, 6 different for a known reason" in whole


def test_a_folder_that_cannot_be_made_is_named(tmp_path):
    file = tmp_path / "file"
    file.write_text("")
    with pytest.raises(UserError, match="cannot be made"):
        invoke(["reproduce", "exact-solution/tiles", "--out", str(file / "x")])


# What is written for this alone


@given(st.data())
@settings(max_examples=15)
def test_optimisations_change_no_value(data):
    words = data.draw(random_words(lengths=(2, 4), most_guesses=9, most_answers=7))
    ordered = reordered(make_game(words), np.arange(len(words.answers)))
    game = Game(ordered.words, ordered.patterns, objective=Objective(3))
    state = tuple(range(game.answer_count))
    values = {
        PrintedAlgorithm(game.patterns.values, Switches(*on)).value(3, state)
        for on in product([True, False], repeat=4)
    }
    exact = solve(game.start())
    expected = LOST if exact.is_infeasible else exact.lower
    if len(state) == 1:
        expected = 1
    assert values == {expected}


def test_rounding_breaks_no_more_than_ties(bench):
    """Rounded entropies are those of the package but for the last digits."""
    start = bench.start(bench.ordered)
    soare = np.array([bench.ordered.words.guesses.find("soare")], np.int32)
    _, after, _ = expand(start, soare, is_merged=False)
    some = after.chunk(0, 4)
    rounded = rounded_entropy(bench.ordered).scores(some)
    np.testing.assert_allclose(rounded, some.statistics().entropy_bits, atol=1e-6)
