"""Simulations that are merged: only the sums of games remain, beside rankings and in reports."""

from collections import Counter

import numpy as np
import pytest

from gpu_wordle import store
from gpu_wordle.api.files import open_results
from gpu_wordle.api.session import open_game, read_words
from gpu_wordle.errors import UserError
from gpu_wordle.game.objective import Objective
from gpu_wordle.store.contents import datasets_of
from gpu_wordle.store.form import GAMES, SIMULATION
from support.commands import invoke
from support.forging import forge
from support.output import rows_of
from support.small_game import ANSWERS, GUESSES

RULES = ("entropy", "places", "greens")
ALL = ("--opener", "all", "--max-guesses", 3)
BESIDE = ("--max-guesses", 3, "--with-simulations", "rules.h5")


@pytest.fixture
def rules(run, tmp_path, capsys):
    """Simulations of three rules from all openers, and their merged file, ``rules.h5``."""
    for rule in RULES:
        run("simulate", rule, *ALL, "--out", f"{rule}.h5")
    merge(*(f"{rule}.h5" for rule in RULES), "--out", "rules.h5")
    capsys.readouterr()
    return tmp_path


def merge(*arguments):
    """Merge files, which name their own game."""
    invoke(["merge", *arguments, "--quiet"])


def rows_by_pair(path):
    return {(row["strategy"], row["opener"]): row for row in open_results(path, None)}


def test_sums_are_those_of_the_games(rules):
    merged = rows_by_pair(rules / "rules.h5")
    single = {k: v for rule in RULES for k, v in rows_by_pair(rules / f"{rule}.h5").items()}
    assert merged == single
    assert len(merged) == len(RULES) * len(GUESSES)
    assert any(row["lost"] for row in merged.values())
    for rule in RULES:
        games = open_results(rules / f"{rule}.h5", None)
        for row in games:
            turns = games.turns(rule, row["opener"])
            found = Counter(turns.values())
            kept = merged[rule, row["opener"]]
            assert kept["distribution"] == [found[turn] for turn in range(1, max(found) + 1)]
            assert kept["total"] == sum(turns.values())
            assert kept["lost"] == sum(turn > 3 for turn in turns.values())
    assert "games/turns" not in store.load(rules / "rules.h5", SIMULATION).datasets


def test_single_games_are_asked_for_in_vain(run, rules):
    merged = open_results(rules / "rules.h5", None)
    with pytest.raises(UserError, match="only the sums of these games are kept"):
        merged.turns("entropy", merged.best)
    with pytest.raises(UserError, match="sums of games alone; choose another --out"):
        run("simulate", *RULES, *ALL, "--out", "rules.h5")


def test_an_existing_file_is_one_more_part(rules):
    merge("entropy.h5", "--out", "two.h5")
    merge("places.h5", "--out", "two.h5")
    both = open_results(rules / "two.h5", None).strategies
    assert sorted(both) == ["entropy", "places"]
    merge("greens.h5", "--out", "two.h5", "--fresh")
    assert open_results(rules / "two.h5", None).strategies == ("greens",)


def test_known_exact_totals_win_over_unknown_ones(run, rules):
    best = open_results(rules / "entropy.h5", None).best
    run("simulate", "entropy", "--opener", best, "--max-guesses", 3, "--out", "one.h5")
    known = rows_by_pair(rules / "one.h5")["entropy", best]
    assert known["exact_status"] != "unknown"
    for order in (("entropy.h5", "one.h5"), ("one.h5", "entropy.h5")):
        merge(*order, "--out", "whole.h5", "--fresh")
        assert rows_by_pair(rules / "whole.h5")["entropy", best] == known


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (["--max-guesses", 4], "made with max_guesses 4, this job has 3"),
        (["--ties", "words"], "made with choice pool all, survivors 2, ties words"),
        (["--umpire", "naive"], "made with feedback naive-letters"),
    ],
)
def test_other_simulations_are_refused(run, rules, made, said):
    run("simulate", "parts", "--opener", GUESSES[0], "--max-guesses", 3, *made, "--out", "o.h5")
    with pytest.raises(UserError, match=said):
        merge("rules.h5", "o.h5", "--out", "w.h5")


def test_files_older_than_the_version_of_rules_are_merged(rules):
    for name in ("entropy.h5", "places.h5"):
        forge(rules / name, lambda file: file.attrs.__delitem__("rules_version"))
    merge("entropy.h5", "places.h5", "--out", "whole.h5")
    assert len(open_results(rules / "whole.h5", None)) == 2 * len(GUESSES)


def test_a_contradiction_names_both_files(rules):
    contents = store.load(rules / "entropy.h5", SIMULATION)
    game = open_game(read_words("guesses.txt", "answers.txt"), objective=Objective(max_guesses=3))
    other = store.read_simulations(rules / "entropy.h5", contents, game)
    other.games[0, 0] += 1
    contents.datasets |= datasets_of("games", GAMES, other)
    store.save(rules / "other.h5", contents)
    said = "entropy.h5 and other.h5 contradict each other about entropy from "
    with pytest.raises(UserError, match=said):
        merge("entropy.h5", "other.h5", "--out", "w.h5")
    assert not (rules / "w.h5").exists()


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ([len(ANSWERS), 1], "more answers than there are"),
        ([-1, 3], "not known of the rows that are played"),
    ],
)
def test_sums_that_cannot_be_are_refused(rules, row, said):
    contents = store.load(rules / "rules.h5", SIMULATION)
    found = contents.values("games/distribution").copy()
    found[0] = 0
    found[0, :2] = row
    contents.datasets["games/distribution"].values[...] = found
    store.save(rules / "rules.h5", contents)
    with pytest.raises(UserError, match=f"malformed.*{said}"):
        open_results(rules / "rules.h5", None)


def test_totals_stand_beside_a_ranking(run, rules):
    rows = rows_of(run("rank", "--exact", 0, *BESIDE, "--json"))
    merged = rows_by_pair(rules / "rules.h5")
    for row in rows:
        games = [merged[rule, row["opener"]] for rule in RULES]
        assert row["simulated_totals"] == [each["total"] for each in games]
        assert row["simulated_lost"] == [each["lost"] for each in games]
        least = min(each["total"] for each in games)
        best = [each["strategy"] for each in games if each["total"] == least]
        assert row["best_strategy"] == ", ".join(best)
    by = rows_of(run("rank", "--exact", 0, *BESIDE, "--by", "games-by-places", "--json"))
    totals = [row["simulated_totals"][1] for row in by]
    assert totals == sorted(totals)
    told = run("rank", "--exact", 0, *BESIDE, "--by", "games-by-places")
    assert "games by" in told
    assert "places" in told


def test_files_of_another_game_do_not_stand_beside_a_ranking(run, rules):
    with pytest.raises(UserError, match="made with max_guesses 3, this ranking has 6"):
        run("rank", "--exact", 0, "--with-simulations", "rules.h5")
    with pytest.raises(UserError, match="places.h5: holds places again"):
        run("rank", "--exact", 0, *BESIDE, "--with-simulations", "places.h5")


def test_a_report_sets_strategies_side_by_side(run, rules):
    run("rank", "--exact", "all", "--max-guesses", 3, "--out", "best.h5")
    run("report", "rules.h5", "best.h5", "--out", "r.md")
    text = (rules / "r.md").read_text().partition("Strategies side by side")[2]
    text = text[text.index("Best and worst openers") :]
    merged = rows_by_pair(rules / "rules.h5")
    for rule in RULES:
        totals = np.array([row["total"] for (name, _), row in merged.items() if name == rule])
        line = next(each for each in text.splitlines() if each.startswith(f"| {rule} |"))
        assert f"| {totals.min()} |" in line
        assert f"| {totals.max()} |" in line
    assert "best play" in text
    assert "Where strategies disagree" in text
