"""The most answers that infeasible guesses can solve: brute force, files, every verb."""

import csv
import io
import json
import os
import signal
import subprocess
import weakref
from dataclasses import replace
from itertools import chain
from pathlib import Path

import numpy as np
import pytest

from gpu_wordle import store
from gpu_wordle.api import pools
from gpu_wordle.backends import load_game
from gpu_wordle.backends.cpu.backend import CpuBackend
from gpu_wordle.errors import UserError
from gpu_wordle.game.game import Game, Rule
from gpu_wordle.game.objective import Objective
from gpu_wordle.game.values import INFEASIBLE
from gpu_wordle.game.weights import Weights
from gpu_wordle.ranking.openers import UNKNOWN, Openers, Status, check_openers
from gpu_wordle.ranking.ranking import Ranking
from gpu_wordle.solver import SolverPool, TranspositionTable
from gpu_wordle.states.batch import StateBatch
from gpu_wordle.verify import VerificationError
from support.commands import COMMAND, ended, invoke, started, versions
from support.naive_objectives import NaiveObjective
from support.output import rows_of
from support.small_game import ANSWERS, GUESSES, WEIGHTS
from support.solver_games import family_game

HARD = ["--rule", "hard", "--max-guesses", "4"]  # CHF wins for certain, CAT solves six at most
EVERYTHING = ["rank", *HARD, "--exact", "all", "--json"]


def oracle(rule, limit, weights):
    """Tells the most weight of some answers that a strategy can find, by guess or for any."""
    naive = NaiveObjective(GUESSES, rule, "fewest-failures", limit, weights)

    def most(guess=None, answers=tuple(ANSWERS), legal=frozenset(GUESSES), turn=1):
        if guess is None:
            lost = naive.value(answers, legal, turn)[0]
        else:
            lost = naive.guess_value(answers, legal, guess, turn)[0]
        return sum(weights[word] for word in answers) - lost

    return most


def solve_all(game, ranking):
    todo = np.arange(game.guess_count)
    with SolverPool(game, 2, TranspositionTable(1 << 16)) as pool:
        for _ in ranking.solve(todo, pool):
            pass
    with SolverPool(game.allowing_failures(), 2, TranspositionTable(1 << 16)) as pool:
        done = list(chain.from_iterable(ranking.solve_infeasible(todo, pool)))
    assert not ranking.lacks_solvable.any()
    return done


def begin(game, history=""):
    position = game.position_after(history)
    batch = StateBatch.from_sets([position.state.tolist()], game.answer_count)
    return Ranking.begin(position, CpuBackend(1).open(game).stats(batch))


@pytest.mark.parametrize("objective", ["mean", "worst", "within:2"])
@pytest.mark.parametrize("rule", list(Rule))
def test_every_figure_matches_brute_force(rule, objective):
    rng = np.random.default_rng(5)
    found = {Status.EXACT: 0, Status.INFEASIBLE: 0}
    for weighed in (False, True) * 4:
        limit = int(rng.integers(2, 5))
        game = family_game(rng, rule=rule, max_guesses=limit, answers=8, guesses=16)
        spelled = game.words.answers.words
        values = tuple(rng.integers(0, 9, len(spelled)).tolist()) if weighed else (1,) * 8
        asked = Objective.parse(objective, limit, Weights(values) if weighed else None)
        game = replace(game, objective=asked)
        ranking = begin(game)
        done = solve_all(game, ranking)
        openers = ranking.openers
        check_openers(openers, game, ranking.position)
        assert sorted(done) == np.flatnonzero(openers.status == Status.INFEASIBLE).tolist()
        words = game.words.guesses.words
        naive = NaiveObjective(
            words, rule, "fewest-failures", limit, dict(zip(spelled, values, strict=True))
        )
        for g, word in enumerate(words):
            found[openers.status[g]] += 1
            lost = naive.guess_value(spelled, frozenset(words), word, 1)[0]
            assert openers.solvable[g] == sum(values) - lost
            assert lost == 0 or openers.status[g] == Status.INFEASIBLE
    assert min(found.values()) > 10


def test_what_the_rule_forbids_has_no_figure():
    rng = np.random.default_rng(6)
    forbidden = 0
    for _ in range(10):
        game = family_game(rng, rule=Rule.HARD, max_guesses=3)
        hidden = game.words.answers.words[0]
        guess = game.words.guesses.words[int(rng.integers(game.guess_count))]
        seen = game.words.feedback.patterns(
            game.words, np.array([game.words.guesses.find(guess)]), np.array([0], np.uint16)
        )
        if guess == hidden:
            continue
        ranking = begin(game, f"{guess} {game.words.feedback.format(int(seen[0]))}")
        solve_all(game, ranking)
        check_openers(ranking.openers, game, ranking.position)
        legal = ranking.position.choices
        assert (ranking.openers.solvable[~legal] == UNKNOWN).all()
        assert (ranking.openers.solvable[legal] >= 0).all()
        forbidden += int((~legal).sum())
    assert forbidden > 20


def test_without_a_limit_nothing_is_ever_lost():
    with pytest.raises(UserError, match="without a limit no answer is ever lost"):
        Objective(None).allowing_failures()
    lossy = Objective.parse("within:2", 4).allowing_failures()
    assert (lossy.name, lossy.max_guesses) == ("fewest-failures", 4)


def test_the_most_solvable_of_the_infeasible_come_first():
    openers = Openers.unsolved(np.array([INFEASIBLE, 9, INFEASIBLE, INFEASIBLE, INFEASIBLE]), 6)
    openers.status[:] = [2, 0, 2, 2, 2]
    openers.solvable[:] = [5, UNKNOWN, UNKNOWN, 8, 5]
    assert openers.order().tolist() == [3, 0, 4, 2, 1]


@pytest.mark.parametrize(
    ("guess", "solvable", "message"),
    [
        ("chf", 9, "are not those that its strategy finds"),
        ("cat", 10, "infeasible but can solve every answer"),
        ("cat", -2, "fewer than none"),
        ("bat", 3, "cannot be known"),
    ],
)
def test_contradictions_are_found(run, guess, solvable, message):
    run(*EVERYTHING, "--out", "r.h5")
    openers = openers_of("r.h5")
    game = load_game("guesses.txt", "answers.txt", rule=Rule.HARD, objective=Objective(4))
    bat, cat, chf = (game.words.guesses.find(word) for word in ("bat", "cat", "chf"))
    assert openers.status[[cat, chf]].tolist() == [Status.INFEASIBLE, Status.EXACT]
    openers = openers.forget(np.array([bat]))
    check_openers(openers, game, game.position_after())
    openers.solvable[{"bat": bat, "cat": cat, "chf": chf}[guess]] = solvable
    with pytest.raises(VerificationError, match=f"^{guess.upper()}: .*{message}"):
        check_openers(openers, game, game.position_after())


def test_a_guess_that_is_not_infeasible_after_all_is_found_out():
    game = family_game(np.random.default_rng(1), rule=Rule.NORMAL, max_guesses=6)
    ranking = begin(game)
    ranking.openers.status[3] = Status.INFEASIBLE
    with (
        SolverPool(game.allowing_failures(), 1, TranspositionTable(1 << 16)) as pool,
        pytest.raises(VerificationError, match="but a strategy finds every answer in time"),
    ):
        list(ranking.solve_infeasible(np.array([3]), pool))


@pytest.mark.slow
@pytest.mark.parametrize("weighed", [False, True])
@pytest.mark.parametrize("rule", list(Rule))
def test_solve_and_rank_say_the_same_as_brute_force(run, rule, weighed):
    weights = dict(zip(ANSWERS, WEIGHTS if weighed else [1] * 10, strict=True))
    asked = ["--rule", rule, "--max-guesses", 4, *(["--weights", "w.csv"] if weighed else [])]
    most = oracle(rule, 4, weights)
    rows = rows_of(run("rank", *asked, "--exact", "all", "--top", 0, "--json", "--out", "r.h5"))
    solved = rows_of(run("solve", *GUESSES, *asked, "--json"))
    assert len({row["solvable"] for row in rows}) > 1
    for row, of_opener in zip(sorted(rows, key=lambda row: GUESSES.index(row["opener"])), solved,
                              strict=True):  # fmt: skip
        assert row["solvable"] == of_opener["solvable"] == most(row["opener"])
        assert of_opener["infeasible"] == (row["status"] == "infeasible")
        if not of_opener["infeasible"]:
            assert row["solvable"] == sum(weights.values())
    infeasible = [row["solvable"] for row in rows if row["status"] == "infeasible"]
    assert infeasible == sorted(infeasible, reverse=True)
    assert json.loads(run("verify", "r.h5", "--json"))["solved_again"] == len(GUESSES)


def test_an_infeasible_state_tells_what_its_best_guess_can_solve(run):
    hard = [*HARD, "--state", "mat BGG", "--json"]
    left = tuple(word for word in ANSWERS if word[1:] == "at" and word != "mat")
    legal = frozenset(word for word in GUESSES if word[1:] == "at")
    most = oracle("hard", 4, dict.fromkeys(ANSWERS, 1))
    (row,) = rows_of(run("solve", *hard))
    assert (row["opener"], row["infeasible"]) == (None, True)
    assert row["solvable"] == most(None, left, legal, 2) == 3
    (row,) = rows_of(run("solve", "cat", *hard))
    assert row["solvable"] == most("cat", left, legal, 2)
    rows = rows_of(run("rank", *hard, "--exact", "all", "--top", 0))
    assert {row["opener"] for row in rows if row["solvable"] is not None} == legal


def test_tables_and_csv_show_the_figure_where_it_says_something(run):
    out = run("solve", "chf", "cat", *HARD)
    head, chf, cat = (line.split() for line in out.splitlines()[2:5])
    assert head.index("solvable") == 4
    assert (chf[4], cat[1], cat[4]) == ("10", "infeasible", "6")
    assert "solvable" not in run("solve", "chf", *HARD)
    everything = EVERYTHING[:-1]
    assert "solvable" in run(*everything)
    assert "solvable" not in run(*everything, "--top", 1)
    assert "solvable" not in run("rank", "--exact", "all")
    for asked in ([*everything, "--top", 1], ["rank", "--exact", "all"]):
        out = run(*asked, "--format", "csv")
        assert next(csv.DictReader(io.StringIO(out)))["solvable"] == "10"


def test_fewest_failures_counts_what_its_strategy_finds(run):
    asked = ["--objective", "fewest-failures", "--max-guesses", 2, "--json"]
    for row in rows_of(run("solve", *GUESSES, *asked)):
        assert row["solvable"] == 10 - row["failures"] == sum(row["distribution"])


def test_only_infeasible_guesses_are_asked_what_they_can_solve(run, monkeypatch):
    def never(_):
        raise AssertionError("nobody asked")

    monkeypatch.setattr(Game, "allowing_failures", never)
    assert rows_of(run("solve", "chf", *HARD, "--json"))[0]["solvable"] == 10
    (row,) = rows_of(run("guarantee", "cat", *HARD, "--json"))
    assert not row["guaranteed"]
    (row,) = rows_of(run("solve", "chf", *HARD, "--budget", 1, "--json"))
    assert (row["exact"], row["solvable"]) == (False, None)


def test_a_search_cut_short_leaves_the_figure_unknown(run, monkeypatch, capsys):
    open_pool = pools.failures_pool

    def stopped(*arguments, **named):
        pool = open_pool(*arguments, **named)
        pool.stop.set()
        return pool

    monkeypatch.setattr(pools, "failures_pool", stopped)
    lists = ["--guesses", "guesses.txt", "--answers", "answers.txt"]
    assert invoke(["solve", "cat", *HARD, "--json", *lists]) == 130
    (row,) = rows_of(capsys.readouterr().out)
    assert (row["infeasible"], row["solvable"]) == (True, None)


def test_weights_of_many_digits_leave_the_figure_unknown(run, capsys):
    rows = "".join(f"{word},{10**7 + i}\n" for i, word in enumerate(ANSWERS))
    Path("large.csv").write_text(rows)
    asked = [*HARD, "--weights", "large.csv", "--json"]
    lists = ["--guesses", "guesses.txt", "--answers", "answers.txt"]
    invoke(["solve", "cat", *asked, *lists])
    out, err = capsys.readouterr()
    assert rows_of(out)[0]["solvable"] is None
    assert "warning: how many answers infeasible guesses can solve stays unknown" in err
    assert "give weights of fewer digits" in err
    rows = rows_of(run("rank", *asked, "--exact", "all", "--top", 0, "--out", "r.h5"))
    assert {row["solvable"] for row in rows if row["status"] == "infeasible"} == {None}
    run("verify", "r.h5")


def openers_of(name):
    return store.read_openers(store.load(Path(name)))


def test_files_hold_the_figure_and_older_ones_get_it(run, monkeypatch):
    out = run(*EVERYTHING, "--out", "r.h5")
    contents = store.load(Path("r.h5"))
    whole = openers_of("r.h5")
    assert (contents.datasets["openers/solvable"].values == whole.solvable).all()
    assert contents.datasets["openers/solvable"].units == "answers"
    del contents.datasets["openers/solvable"]
    store.save(Path("old.h5"), contents)
    old = openers_of("old.h5")
    infeasible = old.status == Status.INFEASIBLE
    assert (old.solvable[infeasible] == UNKNOWN).all()
    assert (old.solvable[~infeasible] == 10).all()
    run("verify", "old.h5")
    assert "openers/solvable" not in store.load(Path("old.h5")).datasets
    with monkeypatch.context() as patch:
        patch.setattr(Ranking, "solve", None)  # what was solved is not solved again
        assert [strip(row) for row in rows_of(run(*EVERYTHING, "--out", "old.h5"))] == [
            strip(row) for row in rows_of(out)
        ]
    again = openers_of("old.h5")
    assert all(whole.same_result(again, g) for g in range(len(GUESSES)))
    run("rank", "--exact", "all", "--out", "feasible.h5")
    assert "openers/solvable" not in store.load(Path("feasible.h5")).datasets


def strip(row):
    """A row without the work that it took."""
    return {name: value for name, value in row.items() if name not in ("expanded", "seconds")}


def test_a_wrong_figure_is_found_by_solving_again(run):
    run(*EVERYTHING, "--out", "r.h5")
    contents = store.load(Path("r.h5"))
    openers = store.read_openers(contents)
    worst = int(openers.order()[-1])
    assert openers.status[worst] == Status.INFEASIBLE
    contents.datasets["openers/solvable"].values[worst] -= 1
    store.save(Path("r.h5"), contents)
    with pytest.raises(VerificationError, match=r"the file says infeasible with \d solvable, sol"):
        run("verify", "r.h5", "--sample", len(GUESSES))


def test_a_second_table_waits_until_the_first_is_gone(run, monkeypatch):
    tables = []
    first, second = pools.batched_pool, pools.failures_pool

    def remember(*arguments, **named):
        pool = first(*arguments, **named)
        tables.append(weakref.ref(pool.table))
        return pool

    def look(*arguments, **named):
        assert [table() for table in tables] == [None]
        tables.append(None)
        return second(*arguments, **named)

    monkeypatch.setattr(pools, "batched_pool", remember)
    monkeypatch.setattr(pools, "failures_pool", look)
    run(*EVERYTHING)
    assert len(tables) == 2


def lists_of(original, folder):
    """Word files of a game of infeasible guesses, of which the figures take some seconds."""
    rng = np.random.default_rng(11)
    words = original.words
    answers = [words.answers.words[a] for a in sorted(rng.choice(2315, 300, replace=False))]
    others = [words.guesses.words[g] for g in rng.choice(12972, 700, replace=False)]
    (folder / "g.txt").write_text("\n".join(sorted({*answers, *others})))
    (folder / "a.txt").write_text("\n".join(answers))
    hard = ["--rule", "hard", "--max-guesses", "3"]  # which no guess wins
    return ["--guesses", "g.txt", "--answers", "a.txt", "--threads", "1", *hard]


@pytest.mark.slow
def test_a_job_that_is_interrupted_again_and_again_loses_no_figures(original, tmp_path):
    command = [*COMMAND, "rank", "--exact", "all", "--json", "--quiet"]
    command += [*lists_of(original, tmp_path), "--out", "part.h5"]
    path, known = tmp_path / "part.h5", 4
    for how in (signal.SIGKILL, signal.SIGINT):
        process = started(
            command, cwd=tmp_path, env={**os.environ, "GPU_WORDLE_CHECKPOINT_S": "0.1"},
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        before = wait_for_figures(path, process, known)
        process.send_signal(how)
        _, err = process.communicate(timeout=60)
        kept = store.read_openers(store.load(path))
        infeasible = kept.status == Status.INFEASIBLE
        known = figures_in(path)
        assert kept.is_solved.all()
        assert before <= known < infeasible.sum()
    assert process.returncode == 130
    assert "the same command goes on from the file" in err
    resumed = ended(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    again = store.read_openers(store.load(path))
    is_known = ~infeasible | (kept.solvable != UNKNOWN)
    assert all(kept.same_result(again, g) for g in np.flatnonzero(is_known))
    assert (again.solvable[infeasible] >= 0).all()
    assert all(row["solvable"] is not None for row in rows_of(resumed.stdout))


def wait_for_figures(path, process, known):
    """Wait until a checkpoint holds more figures than the ``known``."""
    figures = (figures_in(path) for _ in versions(path, process))
    return next(each for each in figures if each > known)


def figures_in(path):
    openers = store.read_openers(store.load(path))
    return int((openers.solvable[openers.status == Status.INFEASIBLE] != UNKNOWN).sum())


@pytest.mark.slow
def test_slate_can_solve_all_but_one_answer_in_hard_mode(capsys):
    hard = ["solve", "slate", "--rule", "hard", "--json", "--quiet"]
    invoke(hard)
    (slate,) = rows_of(capsys.readouterr().out)
    assert (slate["infeasible"], slate["solvable"]) == (True, 2314)
    invoke([*hard, "--objective", "fewest-failures"])
    (losing,) = rows_of(capsys.readouterr().out)
    assert 2315 - losing["failures"] == losing["solvable"] == 2314


@pytest.mark.slow
def test_losing_one_answer_costs_more_than_finding_all_of_them_late(capsys):
    """A search that did not know of that gap would run out of this budget more than ten times."""
    hard = ["solve", "anger", "--rule", "hard", "--budget", "100000", "--json", "--quiet"]
    invoke(hard)
    (anger,) = rows_of(capsys.readouterr().out)
    assert (anger["infeasible"], anger["solvable"]) == (True, 2313)
