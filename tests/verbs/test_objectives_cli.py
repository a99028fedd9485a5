"""Objectives and weights in every verb: the same exact values from all of them."""

import csv
import io
import json
from pathlib import Path

import numpy as np
import pytest

import gpu_wordle as gw
from gpu_wordle import store
from gpu_wordle.errors import UserError
from gpu_wordle.game.words import load_words
from gpu_wordle.report.keys import ENVELOPE
from support import naive, naive_objectives
from support.output import rows_of
from support.small_game import ANSWERS, GUESSES, WEIGHTS

OBJECTIVES = [
    ("mean", 4),
    ("mean,worst", 4),
    ("worst", 4),
    ("within:2", 4),
    ("within:3", 4),
    ("fewest-failures", 2),
    ("fewest-failures", 3),
    ("cost:1,2,3,20", 4),
    ("cost:0,0,1,1", 4),
]
SCALED = tuple(int(2 * w) for w in WEIGHTS)
FORMS = {"t.h5": "HDF5", "t.json": "nested JSON", "t.txt": "lines of guesses and feedback"}
"""Files of trees, and how verify names their forms."""


def options(objective, limit, is_weighed):
    more = ["--weights", "w.csv"] if is_weighed else []
    return ["--objective", objective, "--max-guesses", limit, *more]


def words():
    return load_words("guesses.txt", "answers.txt")


def every_case(test):
    test = pytest.mark.parametrize("is_weighed", [False, True], ids=["equal", "weighed"])(test)
    return pytest.mark.parametrize(("objective", "limit"), OBJECTIVES)(test)


def least_worst_case(lists, word, value, limit, weights):
    """The fewest turns in which a strategy of the opener can reach the value, at worst."""
    return next(
        turns
        for turns in range(1, limit + 1)
        if naive_objectives.value_of_guess(lists, word, "mean", turns, weights) == value
    )


@pytest.mark.slow
@every_case
def test_solve_prove_rank_and_verify_agree_with_brute_force(run, objective, limit, is_weighed):
    asked = options(objective, limit, is_weighed)
    weights = SCALED if is_weighed else None
    lists = words()
    kind = objective.split(",")[0] if objective.startswith("mean") else objective
    true = {
        w: naive_objectives.value_of_guess(lists, w, kind, limit, weights)
        for w in lists.guesses.words
    }

    rank = ["rank", *asked, "--exact", "all", "--top", 0, "--json", "--out", "r.h5"]
    rows = rows_of(run(*rank))
    for row in rows:
        value = true[row["opener"]]
        status = "exact" if value < naive_objectives.INFEASIBLE else "infeasible"
        assert row["status"] == status
        if status == "exact":
            assert row["lower"] == row["upper"] == value
    best = min(true.values())
    assert true[rows[0]["opener"]] == best
    assert run(*rank) == run(*rank)
    verified = json.loads(run("verify", "r.h5", "--json"))
    assert verified["exact_openers"] == sum(v < naive_objectives.INFEASIBLE for v in true.values())

    proof = json.loads(run("prove", *asked, "--json"))
    assert proof["complete"]
    if best == naive_objectives.INFEASIBLE:
        assert proof["best"] == []
        return
    winners = {word for word, value in true.items() if value == best}
    if objective == "mean,worst":
        worst = {
            word: least_worst_case(lists, word, value, limit, weights)
            for word, value in true.items()
            if value < naive_objectives.INFEASIBLE
        }
        known = [row["opener"] for row in rows if row["opener"] in worst]
        assert known == sorted(known, key=lambda word: (true[word], worst[word]))
        winners = {word for word in winners if worst[word] == worst[known[0]]}
    assert set(proof["best"]) == winners
    assert proof["value"] == best
    for opener in [rows[0]["opener"], "chf"]:
        if true[opener] == naive_objectives.INFEASIBLE:
            continue
        for name, form in FORMS.items():
            (solved,) = rows_of(run("solve", opener, *asked, "--json", "--tree", name))
            assert solved["upper"] == true[opener]
            alone = [] if name == "t.h5" else asked
            seen = json.loads(run("verify", name, *alone, "--json"))
            assert seen["rule"] == "normal"
            assert (seen["objective"], seen["max_guesses"]) == (objective, limit)
            assert seen["form"] == form
            for figure in set(seen) - {"verified", "form", *ENVELOPE}:
                assert seen[figure] == solved[figure]
            assert seen["value"] == true[opener]


def test_ties_go_to_the_lower_worst_case(run):
    """Of three openers of the least mean one has a lower worst case, and is not the first."""
    answers = ["mat", "bat", "rat", "sat", "fit", "bit", "cat"]
    guesses = sorted([*answers, "mps", "fat", "bfc", "pat", "chf"])
    Path("guesses.txt").write_text("\n".join(guesses))
    Path("answers.txt").write_text("\n".join(answers))
    lists = words()
    value = {w: naive_objectives.value_of_guess(lists, w, "mean", 6) for w in guesses}
    worst = {w: least_worst_case(lists, w, value[w], 6, None) for w in guesses}
    assert json.loads(run("prove", "--json"))["best"] == ["bat", "bit", "bfc"]
    asked = ["--objective", "mean,worst", "--json"]
    assert json.loads(run("prove", *asked))["best"] == ["bfc"]
    rows = rows_of(run("rank", *asked, "--exact", "all", "--top", 0))
    assert [row["opener"] for row in rows] == sorted(guesses, key=lambda w: (value[w], worst[w], w))
    assert [row["worst"] for row in rows] == [worst[row["opener"]] for row in rows]
    assert rows[0]["opener"] == "bfc"


@every_case
def test_positions_are_valued_by_absolute_turns(run, objective, limit, is_weighed):
    asked = options(objective, limit, is_weighed)
    lists = words()
    weights = SCALED if is_weighed else None
    state = [a for a, word in enumerate(lists.answers.words) if word[1:] == "at" and word != "rat"]
    kind = "mean" if objective.startswith("mean") else objective
    values = {
        w: naive_objectives.value_of_guess(lists, w, kind, limit, weights, state, made=1)
        for w in lists.guesses.words
    }
    place = ["--state", "rat BGG", *asked, "--json"]
    rows = rows_of(run("rank", *place, "--exact", "all", "--top", 0))
    for row in rows:
        if values[row["opener"]] == naive_objectives.INFEASIBLE:
            assert row["status"] == "infeasible"
        else:
            assert row["upper"] == values[row["opener"]]
    proof = json.loads(run("prove", *place))
    best = min(values.values())
    if best < naive_objectives.INFEASIBLE:
        assert values[proof["best"][0]] == best
        (solved,) = rows_of(run("solve", *place, "--tree", "t.h5"))
        assert solved["upper"] == best
        run("verify", "t.h5")
    else:
        assert proof["best"] == []


@pytest.mark.slow
@pytest.mark.parametrize("rule", ["hard", "ultra-hard", "candidates"])
@every_case
def test_every_rule_takes_every_objective(run, rule, objective, limit, is_weighed):
    """What solve, prove and rank say is the same, and strategies replay under the rule."""
    asked = [*options(objective, limit, is_weighed), "--rule", rule]
    rows = rows_of(run("rank", *asked, "--exact", "all", "--top", 0, "--json"))
    assert {row["status"] for row in rows} <= {"exact", "infeasible"}
    # Under candidates any opener may be ranked, and the best legal one is an answer.
    exact = {
        row["opener"]: row["upper"]
        for row in rows
        if row["status"] == "exact" and (rule != "candidates" or row["is_candidate"])
    }
    proof = json.loads(run("prove", *asked, "--json"))
    if not exact:
        assert proof["best"] == []
        assert objective != "fewest-failures"
        return
    best = min(exact.values())
    assert proof["best"][0] in {guess for guess, value in exact.items() if value == best}
    (solved,) = rows_of(run("solve", proof["best"][0], *asked, "--json", "--tree", "t.h5"))
    assert solved["upper"] == best
    run("verify", "t.h5")


def test_figures_are_shown_in_their_own_terms(run):
    weighed = options("within:2", 4, True)
    said = json.loads(run("solve", "chf", *weighed, "--json"))
    (solved,) = said["rows"]
    assert (said["objective"], said["weight"]) == ("within:2", sum(WEIGHTS))
    assert 0 < solved["within"] < said["weight"]
    assert solved["mean"] == pytest.approx(solved["total"] / said["weight"])
    out = run("solve", "chf", *weighed)
    assert "within:2 weighed by w.csv" in out
    (failing,) = rows_of(run("solve", "cat", *options("fewest-failures", 2, False), "--json"))
    assert failing["failures"] == 10 - sum(failing["distribution"]) > 0
    assert failing["mean"] == failing["total"] / sum(failing["distribution"])
    (worst,) = rows_of(run("solve", "chf", *options("worst", 4, False), "--json"))
    assert worst["worst"] == len(worst["distribution"])
    (cost,) = rows_of(run("solve", "chf", *options("cost:1,2,3,20", 4, False), "--json"))
    prices = [1, 2, 3, 20]
    assert (
        cost["cost"]
        == cost["value"]
        == np.dot(cost["distribution"], prices[: len(cost["distribution"])])
    )
    assert cost["total"] == np.dot(cost["distribution"], np.arange(len(cost["distribution"])) + 1)
    table = run("rank", *options("within:2", 4, False), "--exact", "all", "--format", "csv")
    (row, *_) = csv.DictReader(io.StringIO(table))
    assert list(row)[:6] == ["opener", "is_candidate", "status", "within", "total", "mean"]
    assert "best: " in run("prove", *weighed)
    assert "within 2 guesses" in run("prove", *weighed)


def test_statistics_know_the_weights(run):
    rank = ["rank", "--exact", 0, "--by", "weighted_entropy", "--weights", "w.csv"]
    rows = rows_of(run(*rank, "--json", "--out", "r.h5"))
    bits = [row["weighted_entropy_bits"] for row in rows]
    assert bits == sorted(bits, reverse=True)
    assert bits != [row["entropy_bits"] for row in rows]
    contents = store.load(Path("r.h5"))
    objective = store.read_objective(contents)
    assert objective.weights.of_answer == SCALED
    assert float(objective.weights.unit) == 0.5
    assert objective.weights.source == "w.csv"
    assert contents.attributes["weights_sha256"] == objective.weights.sha256
    run("verify", "r.h5")
    Path("other.csv").write_text(Path("w.csv").read_text().replace("30", "31"))
    for other in (["--weights", "other.csv"], []):
        with pytest.raises(UserError, match="made with other weights; "):
            run("rank", "--exact", 0, *other, "--out", "r.h5")
    with pytest.raises(UserError, match="made with objective mean, this job has worst"):
        run(*rank, "--objective", "worst", "--out", "r.h5")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["solve", "cat", "--objective", "least"], "objective 'least': give mean, mean,worst"),
        (["rank", "--objective", "within:9"], "within:9 is out of range; use within:1 to within:6"),
        (["prove", "--objective", "cost:1,2", "--max-guesses", 3], "as many prices as"),
        (["solve", "cat", "--objective", "fewest-failures", "--max-guesses", 0], "no answer is"),
        (["solve", "cat", "--weights", "missing.csv"], "missing.csv: no such file"),
        (["rank", "--weights", "bad.csv"], "bad.csv, line 2: the weight -1 is negative"),
        (["prove", "--weights", "few.csv"], "few.csv: no weight for 'cat' and 8 more"),
        (["rank", "--batched", "--objective", "worst"], "--batched searches for the least mean"),
        (["prove", "--batched", "--weights", "w.csv"], "not mean weighed by w.csv; leave it out"),
        (["rank", "--by", "weighted-entropy"], "--by weighted_entropy_bits needs weights"),
        (
            ["solve", "cat", "--state", "rat BGG", "--objective", "within:1"],
            "within 1; use another",
        ),
        (["verify", "t.txt", "--objective", "least"], "objective 'least'"),
    ],
)
def test_errors_say_what_to_do(run, tmp_path, arguments, message):
    (tmp_path / "bad.csv").write_text("bat,1\ncat,-1\n")
    (tmp_path / "few.csv").write_text("bat,1\n")
    (tmp_path / "t.txt").write_text("bat GGG1\n")
    with pytest.raises(UserError, match=message) as caught:
        run(*arguments)
    assert "\n" not in str(caught.value)


def test_the_limit_follows_the_prices(run):
    (solved,) = rows_of(run("solve", "chf", "--objective", "cost:1,2,3,4", "--json"))
    (mean,) = rows_of(run("solve", "chf", "--max-guesses", 4, "--json"))
    assert solved["cost"] == mean["total"]


def test_the_worst_case_counts_answers_that_weigh_nothing():
    """FAT may be lost for free; the strategy finds it all the same, last, and that turn counts."""
    weights = dict(zip(ANSWERS, WEIGHTS, strict=True))
    game = gw.load_game(
        GUESSES, ANSWERS, objective="fewest-failures", max_guesses=6, weights=weights
    )
    result = gw.solve(game, "rat")
    turns = {}
    for answer in ANSWERS:
        node, turns[answer] = result.tree, 1
        while node.guess != answer:
            node = node[naive.feedback(node.guess, answer)]
            turns[answer] += 1
    assert weights["fat"] == 0
    assert max(turns, key=turns.__getitem__) == "fat"
    assert sorted(turns.values())[-2] < turns["fat"] == result.worst
