"""Games other than Wordle, and words of every length, from the lists to the files."""

import hashlib
import json
import sys
from collections import Counter
from itertools import chain

import numpy as np
import pytest

from gpu_wordle import cli
from gpu_wordle.backends import choose, load_game
from gpu_wordle.errors import UserError
from gpu_wordle.game import games
from gpu_wordle.game.game import Rule
from gpu_wordle.game.objective import Objective
from gpu_wordle.game.values import INFEASIBLE
from gpu_wordle.ranking.ranking import Ranking
from gpu_wordle.solver import BatchedPool, SolverPool, TranspositionTable, open_solver, prove
from gpu_wordle.states.batch import StateBatch
from gpu_wordle.store.tree_json import of_json
from gpu_wordle.verify import Verifier
from support.naive_objectives import value_of_guess
from support.naive_solve import IMPOSSIBLE, NaiveGame
from support.output import rows_of
from support.seeds import seeds


def pegs(guess, answer):
    """Pegs that fit, and symbols in common besides: the definition, in plain Python."""
    fitting = sum(g == a for g, a in zip(guess, answer, strict=True))
    return fitting, (Counter(guess) & Counter(answer)).total() - fitting


def naive_of(game):
    return NaiveGame(
        game.patterns.values.tolist(),
        game.words.guess_of_answer,
        game.rule is Rule.CANDIDATES,
    )


def solver_of(game):
    return open_solver(game, TranspositionTable(1 << 22))


def run(capsys, monkeypatch, *arguments, code=0):
    """Run a command in this process and return what it prints, or the line of its error."""
    monkeypatch.setattr(sys, "argv", ["gpu-wordle", *map(str, arguments), "--quiet"])
    assert cli.run() == code
    printed = capsys.readouterr()
    return printed.out if code == 0 else printed.err


@pytest.mark.parametrize(
    "game",
    [
        games.mastermind(3, 4),
        games.mastermind(1, 3),
        games.mastermind(2, 1),
        games.mastermind(5, 2),
        games.bulls_and_cows(3, 5),
        games.bulls_and_cows(4, 4),
    ],
    ids=lambda game: game.words.guesses.source,
)
def test_feedback_of_pegs(game):
    codes, feedback = game.words.guesses.words, game.words.feedback
    assert game.words.answers.words == codes
    first, second = feedback.letters
    for a, answer in enumerate(codes):
        for g, guess in enumerate(codes):
            fitting, besides = pegs(guess, answer)
            pattern = int(game.patterns.values[a, g])
            assert feedback.format(pattern) == f"{fitting}{first}{besides}{second}"
            assert (pattern == feedback.solved) == (guess == answer)
    for pattern in range(feedback.pattern_count):
        spelled = feedback.format(pattern)
        assert feedback.parse(spelled) == feedback.parse(spelled.lower()) == pattern
        assert feedback.parse(spelled.replace(first, "").replace(second, "")) == pattern


def test_codes():
    assert games.mastermind(2, 3).words.guesses.words[:4] == ("11", "12", "13", "21")
    assert len(games.mastermind().words.answers) == 6**4
    assert games.bulls_and_cows().words.answers.words[0] == "0123"
    assert len(games.bulls_and_cows().words.answers) == 5040


@pytest.mark.parametrize(
    ("name", "codes", "first", "letters"),
    [
        ("mastermind", 1296, "1111", "BW"),
        ("Mastermind:3x4", 64, "111", "BW"),
        ("bulls-and-cows", 5040, "0123", "BC"),
        ("bulls-and-cows:2x5", 20, "01", "BC"),
    ],
)
def test_games_of_pegs_are_named_with_sizes_or_without(name, codes, first, letters):
    words = games.load(name)
    assert (len(words.answers), words.answers.words[0]) == (codes, first)
    assert words.feedback.letters == letters
    assert games.load("original") is None


def test_places_and_neighbouring_symbols_may_be_changed():
    """One symmetry for each two neighbours, and no guess is lost by any."""
    for game, known in ((games.mastermind(3, 4), 2 + 3), (games.bulls_and_cows(2, 5), 1 + 4)):
        words, patterns = game.words, game.patterns.values
        found = words.feedback.symmetries(words)
        assert len({tuple(images.tolist()) for images in found}) == len(found) == known
        for images in found:
            assert np.array_equal(patterns[np.ix_(images, images)], patterns)


@pytest.mark.parametrize("rule", [Rule.NORMAL, Rule.CANDIDATES])
@pytest.mark.parametrize(
    ("make", "sizes"),
    [
        (games.mastermind, (2, 3)),
        (games.mastermind, (2, 5)),
        (games.mastermind, (3, 3)),
        (games.mastermind, (4, 2)),
        (games.bulls_and_cows, (2, 5)),
        (games.bulls_and_cows, (3, 4)),
    ],
)
def test_small_games_against_brute_force(make, sizes, rule):
    for limit in (3, 4, 6):
        game = make(*sizes, rule=rule, objective=Objective(limit))
        naive, everything = naive_of(game), tuple(range(game.answer_count))
        left = game.objective.guesses_left
        solver = solver_of(game)
        for guess in range(0, game.guess_count, 4):
            want = naive.guess_value(everything, guess, left)
            result = solver.solve(game.start(), guess, tree=True)
            assert result.upper == result.lower == (INFEASIBLE if want >= IMPOSSIBLE else want)
            if result.tree is not None:
                Verifier(game.words, game.objective).check(result.tree, rule=rule, claimed=want)


@pytest.mark.parametrize("seed", seeds(40))
def test_any_matrix_against_brute_force(seed):
    rng = np.random.default_rng(seed)
    answers = int(rng.integers(1, 10))
    guesses = answers + int(rng.integers(0, 6))
    solved = int(rng.integers(0, 40))
    matrix = rng.integers(0, int(rng.integers(1, 40)), size=(guesses, answers))
    matrix[matrix == solved] = 40
    finder = rng.permutation(guesses)[:answers]
    matrix[finder, range(answers)] = solved
    names = [f"guess-{'x' * g}" for g in range(guesses)]
    things = [f"thing {a}".replace(" ", "_") for a in range(answers)]
    rule = (Rule.NORMAL, Rule.CANDIDATES)[seed % 2]
    game = games.from_feedback(names, things, matrix, solved, rule=rule)
    assert game.words.guess_of_answer.tolist() == finder.tolist()

    naive = NaiveGame(matrix.T.tolist(), finder, rule is Rule.CANDIDATES)
    everything = tuple(range(answers))
    values = [naive.guess_value(everything, g, answers + 1) for g in range(guesses)]
    with SolverPool(game, 1, TranspositionTable(1 << 20)) as pool:
        proof = prove(pool, game.start())
    legal = naive.legal(everything)
    least = min(values[g] for g in legal)
    feasible = least < IMPOSSIBLE
    assert proof.total == least if feasible else not proof.best
    assert sorted(proof.best) == sorted(g for g in legal if values[g] == least) * feasible
    assert solver_of(game).solve(game.start()).upper == (least if feasible else INFEASIBLE)
    for guess, value in enumerate(values):
        result = solver_of(game).solve(game.start(), guess, tree=True)
        assert result.upper == (value if value < IMPOSSIBLE else INFEASIBLE)
        if result.tree is None:
            continue
        verdict = Verifier(game.words, game.objective).check(result.tree, rule=rule)
        assert verdict.total == value
        text = result.tree.to_text(game.words, game.root())
        assert type(result.tree).from_text(text, game.words) == result.tree
        assert of_json(result.tree.to_json(game.words), game.words).tree == result.tree


def test_backends_agree_on_few_patterns():
    """Games of two patterns and more, fewer than any game of words has."""
    yes_or_no = games.from_feedback("abcd", "abcd", 1 - np.eye(4, dtype=int), 0)
    cpu, reference = choose("cpu", 1).backend, choose("reference").backend
    for game in (yes_or_no, games.mastermind(2, 4), games.bulls_and_cows(3, 5)):
        batch = StateBatch.whole(game.answer_count)
        want = reference.open(game).stats(batch)
        got = cpu.open(game).stats(batch)
        assert np.array_equal(got.parts, want.parts)
        assert np.array_equal(got.sum_squares, want.sum_squares)
        assert np.array_equal(got.is_candidate, want.is_candidate)
        assert np.array_equal(
            cpu.open(game).spectrum(game.root(), 0), reference.open(game).spectrum(game.root(), 0)
        )
        alone = solver_of(game).solve(game.start())
        with BatchedPool(game, cpu.open_frontier(game), 1, TranspositionTable(1 << 22)) as pool:
            assert min(
                r.upper for _, r in pool.solve_guesses(game.start(), range(game.guess_count))
            ) == (alone.upper)


def test_least_total_of_mastermind():
    """The least total is 5,625 (Koyama and Lai, 1993).

    Permuting pegs and permuting colours leaves the game as it is, so that openers with the same
    numbers of equal pegs are worth the same: five openers stand for all 1,296. Of these, 1111 needs
    no search: as no guess makes more than 14 parts, at most 14 ** (t - 1) answers of any state are
    found by turn t.
    """
    game = games.mastermind(objective=Objective(6))
    openers = {1123: 5625, 1234: 5673, 1122: 5702, 1112: 5791}
    shapes = {tuple(sorted(Counter(code).values())) for code in game.words.guesses.words}
    solved = {tuple(sorted(Counter(str(code)).values())) for code in (*openers, 1111)}
    assert shapes == solved
    solver = open_solver(game, TranspositionTable(1 << 26))
    for code, total in openers.items():
        result = solver.solve(game.start(), game.words.guesses.find(str(code)), tree=True)
        assert result.is_exact
        verdict = Verifier(game.words, game.objective).check(result.tree, claimed=total)
        assert verdict.worst == (5 if code == 1122 else 6)
    sizes = Counter(pegs("1111", code) for code in game.words.answers.words).values()
    remaining = [k - found for k in sizes for found in (0, 1, 14, 14**2) if k > found]
    assert 1296 + sum(remaining) - 1 > 5625  # the answer 1111 itself is found on the first turn


def test_least_worst_case_of_mastermind():
    """Five guesses suffice (Knuth, 1977); four do not, since 4 * 1,296 is less than 5,625."""
    five = games.mastermind(objective=Objective(5))
    result = open_solver(five, TranspositionTable(1 << 26)).solve(
        five.start(), five.words.guesses.find("1122"), tree=True
    )
    verdict = Verifier(five.words, five.objective).check(result.tree, claimed=5702)
    assert verdict.worst == 5
    four = games.mastermind(objective=Objective(4))
    solver = open_solver(four, TranspositionTable(1 << 26))
    for code in ("1122", "1123", "1234", "1112"):
        assert solver.solve(four.start(), four.words.guesses.find(code)).is_infeasible
    assert solver.solve(four.start(), four.words.guesses.find("1111"), cutoff=5185).lower > 4 * 1296


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: games.mastermind(0, 6), "1 to 15 pegs and 1 to 35 colours"),
        (lambda: games.mastermind(4, 36), "1 to 15 pegs and 1 to 35 colours"),
        (lambda: games.mastermind(9, 6), "more than 65,535 codes"),
        (lambda: games.bulls_and_cows(5, 4), "at least as many"),
        (lambda: games.mastermind(rule=Rule.HARD), "the hard rule is about letters"),
        (lambda: games.load("mastermind:4"), "sizes are written as in mastermind:4x6"),
        (lambda: games.load("mastermind", "original"), "answers of its own"),
        (lambda: games.mastermind(2, 3).position_after("12"), "as in '1123 1B2W'"),
        (lambda: games.mastermind(2, 3).position_after("12 1B1W"), "not 1B1W"),
        (lambda: games.mastermind(2, 3).position_after("12 00 12 20"), "no answer of mastermind"),
    ],
)
def test_errors_of_pegs(make, message):
    with pytest.raises(UserError, match=message) as caught:
        make()
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("guesses", "answers", "feedback", "message"),
    [
        ("ab", "ab", [[9, 1], [1, 9], [0, 0]], r"has shape \(3, 2\); it takes \(2, 2\)"),
        ("ab", "ab", [[9, 1], [1]], "has shape"),
        ("ab", "ab", [[9, 1.0], [1, 9]], "holds float64"),
        ("ab", "ab", [[9, -1], [1, 9]], "guess 'a' receives -1 for answer 'b'"),
        ("ab", "ab", [[9, 70000], [1, 9]], "feedback is 0 to 65,535"),
        ("ab", "ab", [[9, 1], [1, 1]], "answer 'b' is found by 0 guesses"),
        ("abc", "ab", [[9, 1], [9, 1], [1, 9]], "answer 'a' is found by 2 guesses"),
        ("ab", "ab", [[9, 9], [1, 1]], "guess 'a' finds 2 answers"),
        (["a", "A"], "ab", [[9, 1], [1, 9]], r"\(guesses\): 'a' occurs twice"),
        ("ab", ["a", ""], [[9, 1], [1, 9]], r"\(answers\): '' is no name"),
        (["a", "b c"], "ab", [[9, 1], [1, 9]], "'b c' is no name"),
        ([], [], [], "the list is empty"),
    ],
)
def test_errors_of_a_matrix(guesses, answers, feedback, message):
    with pytest.raises(UserError, match=message) as caught:
        games.from_feedback(guesses, answers, feedback, 9)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("solved", [0, 65_535])
def test_feedback_may_be_as_large_as_is_said(solved):
    other = 65_535 - solved
    game = games.from_feedback("ab", "ab", [[solved, other], [other, solved]], solved)
    assert game.words.feedback.pattern_count == 2


@pytest.mark.parametrize(("patterns", "dtype"), [(256, np.uint8), (257, np.uint16)])
def test_a_byte_holds_256_patterns(patterns, dtype):
    names = [f"n{i}" for i in range(patterns)]
    feedback = np.where(np.eye(patterns, dtype=bool), patterns, 1)
    feedback[0, 1:] = np.arange(1, patterns)
    game = games.from_feedback(names, names, feedback.tolist(), patterns)
    assert game.words.feedback.pattern_count == patterns
    assert game.patterns.values.dtype == dtype
    assert len(np.unique(game.patterns.values[:, 0])) == patterns


def test_solved_is_any_number():
    """Feedback above the number that says solved, and that number 0."""
    game = games.from_feedback(["x", "y"], ["x", "y"], [[0, 7], [3, 0]], 0)
    feedback = game.words.feedback
    assert [feedback.format(p) for p in range(feedback.pattern_count)] == ["3", "7", "0"]
    solved_last = np.array([[65_536, 7], [3, 65_536]], np.int64)
    digest = hashlib.sha256(solved_last.tobytes()).hexdigest()
    assert feedback.name == f"matrix {digest[:32]} 0"  # by which files know the game
    assert game.position_after("x 7").state.tolist() == [1]
    with pytest.raises(UserError, match="one of 0, 3, 7"):
        game.position_after("x 1")


@pytest.mark.parametrize(
    ("numbers", "told"),
    [(10, "0, 1, 2, 3, 4, 5, 6, 7, 8, 9$"), (11, "0, 1, 2, 3, 4, 5, 6, 7, 8, 9, [.]{3}$")],
)
def test_ten_numbers_of_a_matrix_are_told_at_most(numbers, told):
    names = [f"n{i}" for i in range(numbers)]
    feedback = np.where(np.eye(numbers, dtype=bool), numbers - 1, 0)
    feedback[0, 1:] = np.arange(numbers - 1)
    game = games.from_feedback(names, names, feedback.tolist(), numbers - 1)
    with pytest.raises(UserError, match=told):
        game.position_after("n0 99")


@pytest.mark.slow
def test_command_line_on_mastermind(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    lists = ("--guesses", "mastermind:3x4")
    proof = json.loads(run(capsys, monkeypatch, "prove", *lists, "--json"))
    assert (proof["total"], proof["answers"], proof["complete"]) == (206, 64, True)
    (row,) = rows_of(run(capsys, monkeypatch, "solve", "112", *lists, "--tree", "a.txt", "--json"))
    assert row["total"] == 206
    assert "112 1B1W1 " in (tmp_path / "a.txt").read_text()
    assert "total 206" in run(capsys, monkeypatch, "verify", "a.txt", *lists)
    (row,) = rows_of(run(capsys, monkeypatch, "solve", "--state", "112 1b1w", *lists, "--json"))
    codes = games.mastermind(3, 4).words.guesses.words
    left = [code for code in codes if pegs("112", code) == (1, 1)]
    assert sum(row["distribution"]) == len(left)
    ranked = ("rank", *lists, "--exact", "all", "--out", "r.h5", "--json")
    rows = rows_of(run(capsys, monkeypatch, *ranked, "--top", 0))
    assert len(rows) == 64
    assert rows[0]["total"] == 206
    assert "greens" not in rows[0]
    assert "verified" in run(capsys, monkeypatch, "verify", "r.h5", *lists)
    err = run(capsys, monkeypatch, "rank", *lists, "--by", "greens", code=2)
    assert "--by greens needs a game of words" in err
    assert "1B1W" in run(capsys, monkeypatch, "spectrum", "112", *lists)
    assert "yes" in run(capsys, monkeypatch, "guarantee", "112", *lists, "--max-guesses", 4)


def test_command_line_on_a_matrix(tmp_path, capsys, monkeypatch):
    """Feedback is part of what a file is of, and not only the names."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.csv").write_text("9,ape,bee\ntest,1,2\nape,9,0\nbee,0,9\n")
    (tmp_path / "b.csv").write_text("9,ape,bee\ntest,1,1\nape,9,0\nbee,0,9\n")
    ranked = ("rank", "--exact", "all", "--out", "r.h5", "--json", "--guesses")
    rows = rows_of(run(capsys, monkeypatch, *ranked, "a.csv"))
    assert [(row["opener"], row["total"]) for row in rows] == [("ape", 3), ("bee", 3), ("test", 4)]
    err = run(capsys, monkeypatch, *ranked, "b.csv", code=2)
    assert "made with feedback" in err
    err = run(capsys, monkeypatch, "verify", "r.h5", "--guesses", "b.csv", code=2)
    assert "made with the feedback of matrix" in err
    rows = rows_of(run(capsys, monkeypatch, *ranked, "b.csv", "--fresh"))
    assert [row["total"] for row in rows] == [3, 3, 5]
    (tmp_path / "c.csv").write_text("9,ape,bee\nape,9\nbee,0,9\n")
    assert "line 2 has 2 cells" in run(capsys, monkeypatch, *ranked, "c.csv", code=2)
    (tmp_path / "c.csv").write_text("9,ape,bee\nape,9,x\nbee,0,9\n")
    err = run(capsys, monkeypatch, *ranked, "c.csv", code=2)
    assert "line 2: feedback 'x' is no whole number" in err
    assert "no such file" in run(capsys, monkeypatch, *ranked, "d.csv", code=2)


def word_file(path, rng, length):
    """A file of random words that are alike enough for the game to be worth playing."""
    words = set()
    while len(words) < 9:
        words.add("".join(rng.choice(list("abc"), length)))
    path.write_text("\n".join(sorted(words)))
    return path


@pytest.mark.slow
@pytest.mark.parametrize("length", range(2, 11))
def test_words_of_every_length(tmp_path, capsys, monkeypatch, length):
    """Solve, prove and rank random lists by the command line, against brute force."""
    monkeypatch.chdir(tmp_path)
    path = word_file(tmp_path / "words.txt", np.random.default_rng(length), length)
    game = load_game(str(path))
    assert game.patterns.values.dtype == (np.uint8 if length <= 5 else np.uint16)
    naive, everything = naive_of(game), tuple(range(9))
    values = {
        word: naive.guess_value(everything, g, 6) for g, word in enumerate(game.words.guesses.words)
    }
    lists = ("--guesses", path, "--json")
    proof = json.loads(run(capsys, monkeypatch, "prove", *lists))
    assert proof["total"] == min(values.values())
    assert set(proof["best"]) == {w for w, v in values.items() if v == proof["total"]}
    (row,) = rows_of(run(capsys, monkeypatch, "solve", proof["best"][0], *lists))
    assert row["total"] == proof["total"]
    rows = rows_of(run(capsys, monkeypatch, "rank", "--exact", "all", *lists))
    assert {row["opener"]: row["total"] for row in rows} == values


@pytest.mark.slow
@pytest.mark.parametrize("rule", ["hard", "ultra-hard", "candidates"])
@pytest.mark.parametrize("length", range(2, 11))
def test_rules_and_objectives_with_words_of_every_length(
    tmp_path, capsys, monkeypatch, length, rule
):
    """The same as above under another rule and objective, with weights; strategies verified."""
    monkeypatch.chdir(tmp_path)
    objective = ("worst", "within:2", "fewest-failures", "cost:1,2,4,9")[length % 4]
    rng = np.random.default_rng(length)
    path = word_file(tmp_path / "words.txt", rng, length)
    words = load_game(str(path)).words
    weights = rng.integers(1, 9, 9).tolist()
    weights[0] = 1  # so that there is no common divisor
    rows = zip(words.answers.words, weights, strict=True)
    (tmp_path / "w.csv").write_text("".join(f"{word},{weight}\n" for word, weight in rows))
    values = {
        word: value_of_guess(words, word, objective, 4, weights, rule=rule)
        for word in words.guesses.words
    }
    lists = ("--guesses", path, "--rule", rule)
    asked = (*lists, "--objective", objective, "--max-guesses", 4, "--weights", "w.csv", "--json")
    rows = rows_of(run(capsys, monkeypatch, "rank", "--exact", "all", *asked))
    exact = {row["opener"]: row["upper"] for row in rows if row["status"] == "exact"}
    found = {row["opener"]: exact.get(row["opener"], INFEASIBLE) for row in rows}
    assert found == values
    proof = json.loads(run(capsys, monkeypatch, "prove", *asked))
    least = min(values.values())
    if least == INFEASIBLE:
        assert proof["best"] == []
        return
    assert proof["value"] == least
    assert set(proof["best"]) == {w for w, v in values.items() if v == least}
    (row,) = rows_of(run(capsys, monkeypatch, "solve", proof["best"][0], *asked))
    assert row["value"] == least
    run(capsys, monkeypatch, "solve", proof["best"][0], *asked, "--tree", "t.h5")
    assert "verified" in run(capsys, monkeypatch, "verify", "t.h5", "--guesses", path)


def test_rankings_know_the_game():
    game = games.bulls_and_cows(3, 4)
    partition = choose("cpu", 1).backend.open(game).stats(StateBatch.whole(game.answer_count))
    ranking = Ranking.begin(game.position_after(), partition)
    with SolverPool(game, 1, TranspositionTable(1 << 20)) as pool:
        assert sorted(chain.from_iterable(ranking.solve(np.arange(3), pool))) == [0, 1, 2]
    naive = naive_of(game)
    assert ranking.openers.upper[0] == naive.guess_value(tuple(range(24)), 0, 6)


@pytest.mark.parametrize("guesses", [255, 256, 257, 4096])
def test_hash_tables_of_guesses_have_room_for_all_of_them(guesses):
    """Move generation takes the least power of two above twice their number."""
    answers = ["0", "1", "2"]
    feedback = [[2 if g == a else (g >> 1) % 2 for a in range(3)] for g in range(guesses)]
    game = games.from_feedback([str(g) for g in range(guesses)], answers, feedback, 2)
    machine = open_solver(game, TranspositionTable(1 << 16)).machine
    assert machine.thread.workspace.slots.size > 2 * guesses
