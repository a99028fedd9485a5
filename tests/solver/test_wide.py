"""Games whose guesses make more parts than machine code has labels for."""

import json
import sys

import numpy as np
import pytest

from gpu_wordle import cli
from gpu_wordle.backends import choose, load_game
from gpu_wordle.game.game import Game, Rule
from gpu_wordle.game.objective import Objective
from gpu_wordle.game.patterns import PatternMatrix
from gpu_wordle.game.values import INFEASIBLE
from gpu_wordle.game.word_list import WordList
from gpu_wordle.game.words import GameWords
from gpu_wordle.ranking.ranking import Ranking
from gpu_wordle.solver import (
    BatchedPool,
    Fate,
    Solver,
    SolverPool,
    Stop,
    TranspositionTable,
    lending,
    open_solver,
    prove,
    python_engine,
)
from gpu_wordle.solver.machine.layout import PATTERNS
from gpu_wordle.solver.machine_engine import MachineEngine
from gpu_wordle.solver.memory.search_matrix import TooManyPartsError
from gpu_wordle.solver.wide import WideEngine
from gpu_wordle.states.batch import StateBatch
from support.brute_force import brute_force, naive_of
from support.objectives import Oracle, check, random_objective, with_objective
from support.seeds import seeds
from support.solver_games import family_game, random_game


def few_labels(game, table=None, *, stop=None, move_cache=None, matrix=None):
    table = table or TranspositionTable(1 << 16)
    return Solver(WideEngine(game, table, stop or Stop(), labels=3))


def is_wide(game):
    return any(len(set(column)) > 3 for column in game.patterns.values.T.tolist())


@pytest.mark.parametrize("rule", list(Rule))
@pytest.mark.parametrize("seed", seeds(2))
def test_every_rule_and_objective(rule, seed):
    rng = np.random.default_rng([seed, list(Rule).index(rule)])
    wide = 0
    for _ in range(60):
        if rng.random() < 0.3:
            drawn = family_game(rng, rule=rule, answers=int(rng.integers(3, 9)), guesses=14)
        else:
            drawn = random_game(rng, most_answers=9, most_guesses=14, rule=rule)
        wide += is_wide(drawn)
        game = with_objective(drawn, random_objective(rng, drawn.answer_count))
        solver, oracle = few_labels(game), Oracle(game)
        for _ in range(4):
            check(game, rng, solver, oracle)
    assert wide > 15


@pytest.mark.parametrize("seed", seeds(3))
def test_trees_and_bounds_are_those_of_the_solver(seed):
    rng = np.random.default_rng(seed)
    for _ in range(25):
        game = random_game(rng, most_answers=25, most_guesses=40, max_guesses=None)
        plain, wide = open_solver(game, TranspositionTable(1 << 16)), few_labels(game)
        guess = None if rng.integers(2) else int(rng.integers(game.guess_count))
        expected = plain.solve(game.start(), guess, tree=True)
        assert wide.solve(game.start(), guess, tree=True).tree == expected.tree
        mine, theirs = wide.root_moves(game.start()), plain.root_moves(game.start())
        assert (mine.bound == theirs.bound).all()
        assert (mine.order == theirs.order).all()
        assert mine.max_parts == theirs.max_parts
        value = plain.solve(game.start(), int(theirs.order[0])).lower
        by_sizes, total = wide.bound(game.start(), int(theirs.order[0]), INFEASIBLE)
        assert by_sizes <= total <= value


def test_a_budget_and_a_stop_give_honest_intervals():
    rng = np.random.default_rng(8)
    stopped = 0
    for _ in range(30):
        game = family_game(rng, rule=Rule.NORMAL, answers=10, guesses=16)
        guess = None if rng.integers(2) else int(rng.integers(game.guess_count))
        exact = brute_force(naive_of(game), tuple(range(game.answer_count)), guess, 6)
        solver = few_labels(game)
        result = solver.solve(game.start(), guess, budget=1)
        assert result.lower <= exact <= result.upper
        stopped += not result.is_exact
        assert solver.solve(game.start(), guess).lower == exact
        stop = Stop()
        stop.set()
        result = few_labels(game, stop=stop).solve(game.start(), guess, tree=True)
        assert result.lower <= exact <= result.upper
    assert stopped > 5


def test_values_that_are_kept_are_bounded(monkeypatch):
    """And those that were dropped are found again, trees included."""
    rng, most = np.random.default_rng(12), 0
    for _ in range(12):
        game = random_game(rng, most_answers=12, rule=Rule.NORMAL)
        results = []
        for allowed in (python_engine.MAX_KNOWN, 2):
            monkeypatch.setattr(python_engine, "MAX_KNOWN", allowed)
            known = {}
            table = TranspositionTable(1 << 16)
            solver = Solver(WideEngine(game, table, Stop(), labels=3, known=known))
            results.append(solver.solve(game.start(), tree=True))
            most = max(most, len(known))
            assert len(known) <= allowed
        want, found = results
        assert (found.lower, found.upper, found.worst) == (want.lower, want.upper, want.worst)
        assert found.tree is want.tree is None or (found.tree.guess == want.tree.guess).all()
        monkeypatch.undo()
    assert most > 2


def test_proofs_and_rankings(monkeypatch):
    monkeypatch.setattr(lending, "open_solver", few_labels)
    rng = np.random.default_rng(9)
    backend = choose("cpu", 1).backend
    for _ in range(8):
        game = random_game(rng, most_answers=12, rule=Rule.NORMAL)
        naive, everything = naive_of(game), tuple(range(game.answer_count))
        values = [brute_force(naive, everything, g, 6) for g in range(game.guess_count)]
        table = TranspositionTable(1 << 16)
        with BatchedPool(game, backend.open_frontier(game), 2, table) as pool:
            assert pool.is_wide
            proof = prove(pool, game.start())
        assert proof.total == min(values)
        assert set(np.flatnonzero(proof.fate == Fate.OPTIMAL)) == {
            g for g, value in enumerate(values) if value == min(values)
        }
        stats = backend.open(game).stats(StateBatch.whole(game.answer_count))
        ranking = Ranking.begin(game.position_after(), stats)
        with SolverPool(game, 2, TranspositionTable(1 << 16)) as pool:
            list(ranking.solve(np.arange(game.guess_count), pool))
        assert ranking.openers.lower.tolist() == values


@pytest.fixture(scope="module")
def long_words(tmp_path_factory):
    """A file of six-letter words, of which some guess makes more than 256 parts."""
    rng = np.random.default_rng(6)
    words = {"".join(rng.choice(list("aeiorstln"), 6)) for _ in range(900)}
    path = tmp_path_factory.mktemp("wide") / "words.txt"
    path.write_text("\n".join(sorted(words)))
    return str(path)


def run(capsys, monkeypatch, *arguments):
    """The one row that a command prints, or else what it says of the whole."""
    monkeypatch.setattr(sys, "argv", ["gpu-wordle", *arguments, "--json", "--quiet"])
    assert cli.run() == 0
    printed = json.loads(capsys.readouterr().out)
    return printed["rows"][0] if "rows" in printed else printed


@pytest.mark.slow
def test_long_words(long_words, tmp_path, capsys, monkeypatch):
    """An opener from the command line, and its parts as games of their own."""
    game = load_game(long_words)
    most = [len(np.unique(column)) for column in game.patterns.values.T]
    opener = int(np.argmax(most))
    assert most[opener] > PATTERNS
    with pytest.raises(TooManyPartsError):
        MachineEngine(game, TranspositionTable(0), Stop())
    total = game.answer_count
    for seen in np.unique(game.patterns.values[:, opener]).tolist():
        if seen != game.patterns.all_green:
            part = game.part(game.root(), opener, seen)
            answers = WordList(tuple(game.words.answers.words[a] for a in part), "part")
            words = GameWords(game.words.guesses, answers)
            matrix = PatternMatrix(game.patterns.values[part], words.feedback)
            alone = Game(words, matrix, objective=Objective(5))
            total += open_solver(alone, TranspositionTable(1 << 18)).solve(alone.start()).upper
    tree = str(tmp_path / "tree.txt")
    lists = ("--guesses", long_words)
    word = game.words.guesses.words[opener]
    row = run(capsys, monkeypatch, "solve", word, "--tree", tree, *lists)
    assert row["exact"]
    assert row["total"] == total
    assert run(capsys, monkeypatch, "verify", tree, *lists)["total"] == total
