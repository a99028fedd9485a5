"""Suggested guesses: the best of all, with exact values, by every rule, objective and list."""

import copy
import io
import json
import os
import pickle
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console

import gpu_wordle as gw
from gpu_wordle.api import session
from gpu_wordle.api.jobs import RankingWork
from gpu_wordle.errors import UserError
from gpu_wordle.experiments import suggest as suggesting
from gpu_wordle.experiments.suggest import RootBounds, Suggestions, bound_above, search
from gpu_wordle.game.objective import Aim, Objective
from gpu_wordle.game.rule import Rule
from gpu_wordle.game.values import INFEASIBLE
from gpu_wordle.ranking.stop_token import StopToken
from gpu_wordle.solver import Solver, SolverPool
from gpu_wordle.verbs.suggest import criteria_of, find, tightening
from support import naive
from support.commands import child
from support.naive_objectives import value_of_guess
from support.naive_rules import IMPOSSIBLE, NaiveRules
from support.objectives import Oracle, random_objective, with_objective
from support.output import rows_of
from support.seeds import seeds
from support.small_game import ANSWERS, GUESSES, WEIGHTS
from support.solver_games import family_game
from support.word_lists import make_words

TOP = 6


def rows_after(position, by="total", top=TOP, stop_token=None):
    opened = session.open_session(position, session.Machine("cpu", 1))
    return find(opened, criteria_of(by), top, stop_token or StopToken())[1]


def some_position(seed, rule, limit):
    """A position after one guess, and what an oracle says of every legal guess there.

    That is its value, and the least worst case with which it is reached.
    """
    rng = np.random.default_rng(seed)
    game = family_game(rng, rule=rule, max_guesses=limit, answers=7, guesses=14)
    words = game.words.guesses.words
    oracle = NaiveRules(words, rule.value)
    guess = int(rng.integers(len(words)))
    hidden = game.words.answers.words[int(rng.integers(7))]
    while hidden == words[guess]:
        guess = int(rng.integers(len(words)))
    colours = naive.feedback(words[guess], hidden)
    left = tuple(w for w in game.words.answers.words if naive.feedback(words[guess], w) == colours)
    legal = oracle.legal_after(frozenset(words), words[guess], colours, left)
    values = {w: oracle.guess_value(left, legal, w, limit - 1) for w in legal}

    def worst(word):
        turns = range(1, limit)
        return next(
            (t for t in turns if oracle.guess_value(left, legal, word, t) == values[word]), 0
        )

    worst_cases = {w: 0 if values[w] == IMPOSSIBLE else worst(w) for w in legal}
    return game.position_after(f"{words[guess]} {colours}"), left, values, worst_cases


@pytest.mark.parametrize("seed", seeds(6))
@pytest.mark.parametrize("rule", Rule)
def test_the_best_guesses_are_those_of_plain_recursion(seed, rule):
    position, left, values, worst = some_position(seed, rule, 3 + seed % 3)
    place = position.game.words.guesses.index
    best = sorted(values, key=lambda w: (values[w], worst[w], w not in left, place[w]))[:TOP]
    rows = rows_after(position)
    assert [row["guess"] for row in rows] == best
    least = min(values.values())
    for row in rows:
        word = row["guess"]
        lost = values[word] == IMPOSSIBLE
        assert (row["exact"], row["infeasible"]) == (True, lost)
        assert row["total"] == (None if lost else values[word])
        assert row["mean"] == (None if lost else values[word] / len(left))
        assert row["worst"] == (None if lost else worst[word])
        assert row["optimal"] == (not lost and values[word] == least)
        assert row["candidate"] == (word in left)
        assert row["chance"] == (word in left) / len(left)
        assert row["parts"] == len(naive.partition(word, list(left)))
        assert row["entropy_bits"] == pytest.approx(naive.entropy_bits(word, list(left)), abs=1e-5)


@pytest.mark.parametrize("rule", [Rule.NORMAL, Rule.HARD])
@pytest.mark.parametrize("threads", [1, 2])
def test_guesses_that_wait_for_others_come_out_the_same(monkeypatch, rule, threads):
    """With a budget of one state at first, which next to no guess makes do with."""
    game = session.open_game(session.read_words(), rule)
    position = game.position_after("salet BBBBY")
    solve, waited = Solver.solve, []

    def noting_solve(solver, position, guess, **asked):
        result = solve(solver, position, guess, **asked)
        if asked["budget"] is not None and not result.is_exact:
            waited.append(guess)
        return result

    monkeypatch.setattr(Solver, "solve", noting_solve)
    shown = []
    for first, most in ((1, 5), (1, 0)):
        monkeypatch.setattr(suggesting, "FIRST_BUDGET", first)
        monkeypatch.setattr(suggesting, "MAX_BUDGET", most)
        with SolverPool(game, threads) as pool:
            found = search(pool, position, TOP, StopToken())
        assert found.is_exact[found.best()].all()
        shown.append([(guess, int(found.lower[guess])) for guess in found.best()])
    assert shown[0] == shown[1]
    assert waited


def test_another_rule_bounds_a_guess_after_which_one_loses():
    """By parts the word relay loses an answer; by the expected part no first guess does."""
    position = session.open_game(session.read_words()).start()
    guess = position.game.words.guesses.find("relay")
    opened = session.open_session(position, session.Machine("cpu", 1))
    with SolverPool(position.game, 1) as pool:
        found = RootBounds(position, pool.root_moves(position), 1)
    bound_above(found, opened.evaluator, [guess])
    assert 8166 <= found.upper[guess] < 8300


@pytest.mark.parametrize("rule", [Rule.NORMAL, Rule.HARD])
def test_what_an_early_end_leaves_open_lies_in_its_interval(rule):
    position, _, values, _ = some_position(3, rule, 6)
    stopped = threading.Event()
    stopped.set()
    rows = rows_after(position, "total,parts", 2 * TOP, StopToken(event=stopped))
    assert not all(row["exact"] for row in rows)
    for by in ("total", "parts"):
        listed = [row for row in rows if row["by"] == by]
        bounds = [(row["upper"] or IMPOSSIBLE, row["lower"] or IMPOSSIBLE) for row in listed]
        assert by != "total" or bounds == sorted(bounds)
    for row in rows:
        value = values[row["guess"]]
        assert row["lower"] <= value <= (IMPOSSIBLE if row["upper"] is None else row["upper"])
        assert row["optimal"] in (None, value == min(values.values()))


def test_a_wanted_guess_is_searched_once_by_two_threads(monkeypatch):
    """Though it is promising too; each search waits, so that both threads are in one together."""
    position, _, values, _ = some_position(2, Rule.NORMAL, 6)
    best = sorted(values.values())[:TOP]
    solve, searched = Solver.solve, []

    def slow_solve(solver, position, guess, **asked):
        searched.append(guess)
        time.sleep(0.01)
        return solve(solver, position, guess, **asked)

    monkeypatch.setattr(Solver, "solve", slow_solve)
    for wanted in range(1, 4):
        searched.clear()
        with SolverPool(position.game, 2) as pool:
            first = pool.root_moves(position).order[:wanted].tolist()
            found = search(pool, position, TOP, StopToken(), first)
        assert len(searched) == len(set(searched))
        assert found.is_exact[found.best()].all()
        assert found.lower[found.best()].tolist() == best


def test_a_guess_that_is_settled_twice_counts_once():
    position, *_ = some_position(2, Rule.NORMAL, 6)
    with SolverPool(position.game, 1) as pool:
        root_moves = pool.root_moves(position)
        found = RootBounds(position, root_moves, count=2)
        first, second = root_moves.order[:2]
        ((_, result),) = pool.solve_guesses(position, [first])
    found.settle(first, result.bound)
    found.settle(first, result.bound)
    assert found.still_open(np.array([first, second]))[0].tolist() == [second]


def test_what_is_shown_meanwhile_says_what_is_exact():
    position, _, values, _ = some_position(2, Rule.NORMAL, 6)
    with SolverPool(position.game, 1) as pool:
        begun = RootBounds(position, pool.root_moves(position), count=2)
        done = search(pool, position, 2, StopToken())
    shown = [shown_meanwhile(found) for found in (begun, done)]
    assert shown[0].title.endswith(f"these have bounds, {len(values)} guesses to rule out")
    assert shown[1].title.endswith("these are exact, 0 guesses to rule out")


def shown_meanwhile(found):
    """The table that a search shows before its end."""
    work = RankingWork(session.open_session(found.position, session.Machine("cpu", 1)))
    return tightening(Suggestions(found, {"total": []}, {}), work.statistics)


def test_what_is_shown_meanwhile_has_the_columns_of_the_result():
    position, *_ = some_position(2, Rule.NORMAL, 6)
    with SolverPool(position.game, 1) as pool:
        begun = RootBounds(position, pool.root_moves(position), count=2)
    (table, *_) = rows_after(position, top=2).lines(160)
    for width in (40, 80, 160):
        names = [each.name for each in table.fitting(width)]
        assert [each.name for each in shown_meanwhile(begun).fitting(width)] == names


OBJECTIVES = ["mean", "worst", "within:2", "fewest-failures", "cost:1,2,2,20", "mean,worst"]


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_every_objective_and_prior(run, objective):
    asked = ["--objective", objective, "--weights", "w.csv", "--max-guesses", 4, "--top", 99]
    rows = rows_of(run("suggest", "rat", "BGG", *asked, "--json"))
    words = make_words(sorted(GUESSES), ANSWERS)
    scaled = [int(2 * weight) for weight in WEIGHTS]
    left = [a for a, word in enumerate(ANSWERS) if naive.feedback("rat", word) == "BGG"]
    name = objective.split(",")[0] if objective == "mean,worst" else objective
    values = [value_of_guess(words, row["guess"], name, 4, scaled, left, made=1) for row in rows]
    assert values == sorted(values)
    assert [row["lower"] for row in rows if row["exact"] and not row["infeasible"]] == [
        value for value, row in zip(values, rows, strict=True) if not row["infeasible"]
    ]
    assert rows[0]["optimal"]
    assert [row["optimal"] for row in rows if row["lower"] == values[0]].count(True) >= 1
    assert sum(row["chance"] for row in rows) == pytest.approx(1)


def random_position(rng, rule):
    """A position of a small game, and the words that may be guessed there.

    Half of the games are of the mean, with so few answers that totals are often equal.
    """
    game = family_game(rng, rule=rule, answers=4, guesses=int(rng.integers(7, 12)))
    objective = Objective.parse(("mean", "mean,worst")[rng.integers(2)], 4)
    if rng.integers(2):
        objective = random_objective(rng, game.answer_count)
    game = with_objective(game, objective)
    words, rules = game.words.guesses.words, NaiveRules(game.words.guesses.words, rule.value)
    position, left = game.start(), game.words.answers.words
    legal = frozenset(left if rule is Rule.CANDIDATES else words)
    hidden, last = rng.choice(left), game.objective.within or game.objective.guesses_left
    for _ in range(rng.integers(0, last)):
        word = rng.choice([word for word in words if word in legal])
        if word == hidden:
            break
        colours = naive.feedback(word, hidden)
        left = tuple(each for each in left if naive.feedback(word, each) == colours)
        legal = rules.legal_after(legal, word, colours, left)
        position = position.after(words.index(word), game.words.feedback.parse(colours))
    return position, left, legal


def naive_order(position, answers, legal):
    """The legal guesses, the best first, each with value and worst case, by brute force.

    The worst case is 0 where equal guesses do not go by it.
    """
    game, made = position.game, position.turns_made
    oracle, rated = Oracle(game), {}
    for word in legal:
        value, worst = oracle.value(answers, word, oracle.limit - made, legal), 0
        if game.objective.aim in (Aim.MEAN, Aim.MEAN_WORST) and value < INFEASIBLE:
            charges = [
                oracle.charge(answers, word, last - made, last, legal)
                for last in range(made + 1, oracle.limit + 1)
            ]
            worst = charges.index(charges[-1]) + 1
        rated[word] = value, worst
    place = game.words.guesses.index
    order = sorted(rated, key=lambda word: (*rated[word], word not in answers, place[word]))
    return {word: rated[word] for word in order}


@pytest.mark.parametrize("rule", Rule)
def test_rows_go_by_the_objective_that_was_asked_for(rule):
    """Under every one of them, in random positions, with any weights; so the first row is best."""
    rng = np.random.default_rng(1)
    going_by_worst = 0
    for number in range(40):
        position, answers, legal = random_position(rng, rule)
        expected = naive_order(position, answers, legal)
        rows = rows_after(position, top=1 + number % 4)
        assert [row["guess"] for row in rows] == list(expected)[: len(rows)]
        least = next(iter(expected.values()))
        for row in rows:
            value, worst = expected[row["guess"]]
            assert row["infeasible"] == (value == INFEASIBLE)
            assert row["lower"] == row["upper"] == (None if row["infeasible"] else value)
            assert not worst or row["worst"] == worst
            is_alike = position.game.objective.aim is not Aim.MEAN_WORST or worst == least[1]
            assert row["optimal"] == (value == least[0] < INFEASIBLE and is_alike)
        of_least = {worst for value, worst in expected.values() if value == least[0]}
        going_by_worst += len(of_least) > 1
    assert going_by_worst or rule is Rule.CANDIDATES


TIED_ANSWERS = ["bumpy", "dumpy", "jumpy"]
TIED_GUESSES = [*TIED_ANSWERS, "colin", "jibed", "pygmy", "tares"]
TIED_TURNS = ["tares", "BBBBB", "colin", "BBBBB", "pygmy", "YBBYG"]


@pytest.mark.parametrize(
    ("objective", "also_best"), [("mean,worst", False), ("mean", True), ("worst", False)]
)
def test_equal_totals_go_by_the_worst_case(tmp_path, objective, also_best):
    """After PYGMY, JIBED tells all three apart; BUMPY may need a third guess."""
    (tmp_path / "g.txt").write_text("\n".join(sorted(TIED_GUESSES)))
    (tmp_path / "a.txt").write_text("\n".join(TIED_ANSWERS))
    asked = ["suggest", *TIED_TURNS, "--guesses", "g.txt", "--answers", "a.txt", "--quiet"]
    asked += ["--objective", objective]
    (only,) = rows_of(child(*asked, "--top", 1, "--json", cwd=tmp_path)[0])
    assert (only["guess"], only["total"], only["worst"], only["optimal"]) == ("jibed", 6, 2, True)
    lines = child(*asked, cwd=tmp_path)[0].splitlines()
    listed = [line.split()[0] for line in lines if line.split()[0] in TIED_GUESSES]
    assert listed[:4] == ["jibed", *TIED_ANSWERS]
    game = gw.load_game(TIED_GUESSES, TIED_ANSWERS, objective=objective)
    first, second = gw.suggest(game.after(" ".join(TIED_TURNS)), top=2)
    assert first == only
    assert (second["guess"], second["total"], second["worst"]) == ("bumpy", 6, 3)
    assert second["optimal"] == also_best


def test_lists_by_statistics_are_those_of_the_literature(run):
    """Six by information and six by greens, each in its order, and the remaining answers."""
    said = json.loads(run("suggest", "rat", "BGG", "--by", "entropy,greens", "--json"))
    left = [word for word in ANSWERS if naive.feedback("rat", word) == "BGG"]
    assert said["remaining"] == left
    figures = {
        "entropy_bits": lambda word: naive.entropy_bits(word, left),
        "greens": lambda word: naive.coloured_tiles(word, left, "G"),
    }
    assert [row["by"] for row in said["rows"]] == ["entropy_bits"] * 6 + ["greens"] * 6
    for by, figure in figures.items():
        listed = [row["guess"] for row in said["rows"] if row["by"] == by]
        order = sorted(sorted(GUESSES), key=lambda w: (-round(figure(w), 6), w not in left))
        assert listed == order[:6]
    assert all(row["exact"] for row in said["rows"])


def test_people_see_the_optimum_marked_and_what_is_left(run):
    shown = run("suggest", "rat", "BGG", "--top", 4)
    assert "answers left: bat cat fat hat mat pat sat" in shown
    assert "=" in shown
    assert run("suggest", "--state", "rat BGG", "--top", 4) == shown
    assert run("suggest", "rat=BGG", "--top", 4) == shown


GRID = "Wordle 1,234 2/6\n\n⬛🟩🟩 rat\n🟩⬛⬛ ||CHF||\n"


@pytest.mark.parametrize("asked", [["-"], ["--paste", "-"], ["--paste", "grid.txt"]])
def test_what_is_pasted_is_read(run, monkeypatch, asked):
    Path("grid.txt").write_text(GRID, "utf-8")
    monkeypatch.setattr("sys.stdin", io.StringIO(GRID))
    told = run("suggest", "rat", "BGG", "chf", "GBB")
    assert run("suggest", *asked) == f"{told}ignored: 'Wordle 1,234 2/6'\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("⬛🟩🟩\n🟩⬛⬛", "2 rows of colours without the guessed words; write the words"),
        ("rat chf", "words without colours; give both, as in 'bat BBG'"),
        ("rat chf BGG", r"2 words \(rat, chf\) and 1 row of colours \(BGG\); give"),
        ("Wordle 5 4/6", "no words and no colours are found; give the words"),
    ],
)
def test_what_cannot_be_read_of_a_paste_is_said(run, monkeypatch, text, message):
    monkeypatch.setattr("sys.stdin", io.StringIO(text))
    with pytest.raises(UserError, match=message):
        run("suggest", "-")


def test_where_no_guess_surely_wins_there_is_advice(run):
    shown = run("suggest", "rat", "BGG", "--max-guesses", 2)
    assert "infeasible" in shown
    assert "--objective fewest-failures finds the best ones" in shown
    shown = run("suggest", "rat", "BGG", "--max-guesses", 2, "--objective", "fewest-failures")
    assert "infeasible" not in shown


def test_the_start_of_a_published_game_is_read():
    rows = gw.suggest(gw.load_game("original", rule="hard"), top=3)
    assert [(row["guess"], row["total"]) for row in rows] == [
        ("salet", 8122), ("least", 8127), ("reast", 8134),
    ]  # fmt: skip
    assert [row["worst"] for row in rows] == [6, 6, 6]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["rat"], "give a word and its pattern in turn"),
        (["rat", "BGZ"], "'Z' is no colour"),
        (["rta", "BGG"], "'rta' is not one of the 15 words of .*; did you mean rat"),
        (["rat", "BGG", "bit", "GBG", "fit", "GBG"], "turn 3: no answer .* after FIT GBG; check"),
        (["rat", "BGG", "bit", "BGG"], "turn 2: no answer .* after BIT BGG; check the feedback, or "
         "that of turn 1"),
        (["rat", "GGG"], "RAT was the answer, so the game is over"),
        (["rat", "BGG", "--state", "rat BGG"], "given twice; give them as arguments, by --state"),
        (["rat", "BGG", "--paste", "grid.txt"], "given twice"),
        (["--paste", "missing.txt"], "missing.txt: no such file"),
        (["--by", "luck"], "is called 'luck'; choose among total, entropy_bits"),
        (["--by", "weighted-entropy"], "--by weighted_entropy_bits needs weights"),
        (["rat", "BGG", "--max-guesses", "1"], "1 guess made, and 1 is allowed"),
    ],
)  # fmt: skip
def test_bad_input_is_told_in_a_line(run, arguments, message):
    with pytest.raises(UserError, match=message) as caught:
        run("suggest", *arguments)
    assert "\n" not in str(caught.value)


def test_rows_are_a_list_that_notebooks_show_as_tables():
    rows = gw.suggest(gw.load_game(GUESSES, ANSWERS).after("rat BGG"), top=2)
    plain = json.loads(json.dumps(rows))
    assert rows == plain == pickle.loads(pickle.dumps(rows)) == copy.deepcopy(rows)
    assert type(rows[:1]) is list
    shown = rows._repr_html_()
    assert (shown.count("<tr>"), "<pre>7 answers left: bat cat" in shown) == (3, True)
    page = Console(file=io.StringIO(), width=100)
    page.print(rows)
    assert rows[1]["guess"] in page.file.getvalue()
    assert "7 answers left: bat cat" in page.file.getvalue()


def test_a_caller_hears_how_far_the_search_has_come():
    heard = []
    position = gw.load_game(GUESSES, ANSWERS).after("rat BGG")
    row, *_ = gw.suggest(position, top=1, progress=heard.append)
    last = heard[-1]
    assert (last.phase, last.total) == ("suggesting", len(GUESSES))
    assert set(last.best) <= {(row["guess"], row["lower"])}


def test_suggestions_in_python_say_what_is_wrong():
    small = gw.load_game(GUESSES, ANSWERS)
    assert gw.suggest(small.after("rat BGG"), top=1)[0]["optimal"]
    with pytest.raises(UserError, match="top=0: give a whole number from 1 on"):
        gw.suggest(small, top=0)
    with pytest.raises(UserError, match="is called 'x'"):
        gw.suggest(small, by="x")


@pytest.mark.slow
def test_intervals_tighten_on_a_terminal_until_ctrl_c():
    pexpect = pytest.importorskip("pexpect")
    child = pexpect.spawn(
        sys.executable, ["-m", "gpu_wordle", "suggest", "mamma", "BBBBB", "--threads", "1"],
        env=os.environ | {"TERM": "xterm-256color"}, dimensions=(40, 100), encoding="utf-8",
        timeout=120,
    )  # fmt: skip
    child.expect(r"these\s+(are\s+exact|have\s+bounds),\s+[0-9,]+\s+guesses")
    child.sendintr()
    child.expect(r"1,232 answers left")
    child.expect("interrupted; what is shown was proved by then")
    child.wait()
    assert child.exitstatus == 130


@pytest.mark.parametrize("history", ["crane YBYBB moist BBBBB", "salet BYBBG crony BBYBB"])
def test_equal_guesses_on_few_answers_cost_no_strategy_each(original, monkeypatch, history):
    """Of thousands as good, as where one answer is left, only those that are shown are solved."""
    asked, solve_guesses = [], SolverPool.solve_guesses

    def counted(pool, position, guesses, **options):
        asked.extend(guesses)
        return solve_guesses(pool, position, guesses, **options)

    monkeypatch.setattr(SolverPool, "solve_guesses", counted)
    position = gw.Game(original).after(history)
    rows = gw.suggest(position, top=12, threads=1)
    assert len(rows) == 12
    assert [row["worst"] for row in rows] == sorted(row["worst"] for row in rows)
    assert len(asked) <= 24
