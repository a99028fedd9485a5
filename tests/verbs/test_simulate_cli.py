"""``gpu-wordle simulate`` and ``strategies``: rows, tables, games in full, and bad input."""

import json

import pytest

from gpu_wordle.api.files import published_openers
from gpu_wordle.backends import load_game
from gpu_wordle.errors import UserError
from gpu_wordle.game.game import Game, Rule
from gpu_wordle.game.objective import Objective
from gpu_wordle.strategies.named import STRATEGIES
from support.commands import invoke
from support.output import rows_of
from support.small_game import ANSWERS, GUESSES
from support.strategies import with_naive_umpire


@pytest.fixture
def play(capsys):
    """Simulate on the original game and return the rows."""

    def call(*arguments):
        invoke(["simulate", *map(str, arguments), "--json", "--quiet"])
        return rows_of(capsys.readouterr().out)

    return call


def test_strategies_stand_beside_the_exact_value(play):
    rows = play("parts", "entropy", "--opener", "salet", "--opener", "crane")
    assert [row["total"] for row in rows] == sorted(row["total"] for row in rows)
    assert {(row["strategy"], row["opener"]) for row in rows} == {
        (strategy, opener) for strategy in ("parts", "entropy") for opener in ("salet", "crane")
    }
    exact = {"salet": 7920, "crane": 7930}
    for row in rows:
        assert row["exact_total"] == exact[row["opener"]]
        assert row["gap"] == row["total"] - row["exact_total"] > 0
        assert sum(row["distribution"]) == 2315
        assert row["total"] == sum(t * n for t, n in enumerate(row["distribution"], start=1))
        assert row["mean"] == row["total"] / 2315
        assert row["worst"] == len(row["distribution"])
        assert row["lost"] == sum(row["distribution"][6:])


@pytest.mark.slow
def test_the_naive_umpire_and_no_rule_for_two(play):
    (row,) = play("letter-frequency", "--umpire", "naive", "--no-two-survivors")
    assert row["total"] > 8800
    assert row["exact_total"] < row["total"]


def test_a_fixed_opening_stands_beside_its_own_exact_value(play):
    """CRANE SPILT and CRANE SLIPT take 8,336 and more at best, and CRANE alone 7,930."""
    rows = play("opening:crane+spilt:parts", "parts", "--opener", "crane")
    assert [(row["strategy"], row["exact_total"]) for row in rows] == [
        ("parts", 7930),
        ("opening:crane+spilt:parts", 8336),
    ]
    assert all(row["gap"] == row["total"] - row["exact_total"] > 0 for row in rows)
    (fixed,) = play("optimal", "--opener", "crane spilt")
    assert (fixed["total"], fixed["exact_total"], fixed["gap"]) == (8336, 8336, 0)


def test_a_game_of_ones_own_is_solved_for_comparison(run):
    rows = rows_of(run("simulate", "optimal", "random", "--opener", "all", "--top", 0, "--json"))
    assert len(rows) == 2 * len(GUESSES)
    assert {(row["exact_total"], row["exact_status"]) for row in rows} == {(None, "unknown")}
    (one,) = rows_of(run("simulate", "optimal", "--opener", "bfc", "--json"))
    assert (one["gap"], one["exact_status"]) == (0, "exact")
    fixed = rows_of(run("simulate", "optimal", "parts", "--opener", "bfc cat", "--json"))
    values = {row["strategy"].split(":")[-1]: row["total"] for row in fixed}
    assert {row["exact_total"] for row in fixed} == {values["optimal"]}


def test_it_is_said_why_there_is_no_exact_total(run):
    few = ["simulate", "places", "--opener", "bat", "--max-guesses", 2]
    (row,) = rows_of(run(*few, "--json"))
    assert (row["exact_total"], row["exact_status"]) == (None, "infeasible")
    assert "BAT: no exact total, since no strategy is a guaranteed win" in run(*few)
    shown = run("simulate", "parts", "--opener", "all")
    assert f"and {len(GUESSES) - 5} more: no exact total, since none is published" in shown


def test_the_longest_games_are_told_of_every_row(run):
    both = ["simulate", "parts", "refine:flawed", "--opener", "bat"]
    rows = rows_of(run(*both, "--hardest", 4, "--json"))
    for row in rows:
        games = [game.split(":") for game in row["hardest_games"]]
        assert len(games) == 4
        lengths = [len(made.split("+")) for _, made in games]
        assert lengths == sorted(lengths, reverse=True)
        assert {made.split("+")[0] for _, made in games} == {"bat"}
        ends = [made.split("+")[-1] == answer for answer, made in games]
        if row["worst"] is not None:
            assert all(ends)
            assert lengths[0] == row["worst"]
        else:
            assert not ends[0]  # some answer is never found, and comes first
    shown = run(*both)
    assert "parts from BAT:" in shown
    assert shown.count("(turn ") + shown.count("(never found)") == 6
    assert "(turn " not in run(*both, "--hardest", 0)
    (row,) = rows_of(run("simulate", "parts", "--opener", "bat", "--hardest", 0, "--json"))
    assert row["hardest_games"] is None


def test_longest_games_are_shown_in_full(run):
    shown = run("simulate", "places", "--opener", "bat")
    assert f"{len(ANSWERS)} games from each opener" in shown
    games = [line for line in shown.splitlines() if "(turn " in line]
    assert len(games) == 3
    for line in games:
        answer, made = line.split(" (turn ")
        assert made.split()[1] == "BAT"
        assert made.split()[-1] == answer


def test_a_lost_game_counts_to_its_end(run):
    (row,) = rows_of(run("simulate", "places", "--opener", "bat", "--max-guesses", 2, "--json"))
    assert row["lost"] == sum(row["distribution"][2:]) > 0
    assert sum(row["distribution"]) == len(ANSWERS)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nonsense"], "no strategy 'nonsense'"),
        (["entropy", "--state", "cat BGG"], "leave --state out"),
        (["entropy", "--opener", "xyz"], "xyz"),
        (["entropy", "--guesses", "mastermind:2x3", "--umpire", "naive"], "leave --umpire out"),
        (["greens", "--guesses", "mastermind:2x3"], "needs letters"),
    ],
)
def test_bad_input_is_one_line(arguments, message):
    with pytest.raises(UserError, match=message):
        invoke(["simulate", *arguments, "--quiet"])


def test_every_strategy_is_listed(capsys):
    invoke(["strategies", "--json"])
    said = json.loads(capsys.readouterr().out)
    assert [row["strategy"] for row in said["rows"]] == [s.name for s in STRATEGIES.values()]
    invoke(["strategies"])
    listed = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in listed] == [s.name for s in STRATEGIES.values()]
    assert any("most information" in line for line in listed)


@pytest.mark.slow
def test_totals_are_published_for_the_very_same_game_only(original):
    words, patterns = original.words, original.patterns
    salet = words.guesses.find("salet")
    assert published_openers(original).lower[salet] == 7920
    assert published_openers(Game(words, patterns, Rule.HARD)).lower[salet] == 8122
    assert published_openers(Game(words, patterns, Rule.ULTRA_HARD)) is None
    seven = Objective(max_guesses=7)
    assert published_openers(Game(words, patterns, Rule.HARD, seven)) is None
    assert published_openers(with_naive_umpire(original)) is None
    later = load_game("nyt-2023")
    assert published_openers(later).lower[later.words.guesses.find("tarse")] == 11219
