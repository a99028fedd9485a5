"""The plain twin of the search: same values, heights, guesses and node counts on small games."""

import numpy as np
import pytest

from gpu_wordle.game.values import INFEASIBLE, NO_LIMIT
from gpu_wordle.solver import TranspositionTable, open_solver
from gpu_wordle.solver.memory.arenas import EXPANDED, GENERATED, PRUNED, TABLE_HITS
from gpu_wordle.solver.plain import PlainSolver
from gpu_wordle.solver.query import SearchQuery
from support.seeds import seeds
from support.solver_games import random_game


@pytest.mark.parametrize("seed", seeds(4))
def test_twin_matches_node_for_node(seed):
    rng = np.random.default_rng(seed)
    expanded = guessed = 0
    for _ in range(150):
        game = random_game(rng)
        solver, twin = open_solver(game, TranspositionTable(1 << 20)), PlainSolver(game)
        engine = solver.engine
        answers, nothing = tuple(range(game.answer_count)), game.traits.nothing()
        for _ in range(4):  # the table of earlier probes stays: that is compared as well
            left = int(rng.choice([2, 3, 4, 5, 6, NO_LIMIT]))
            left = NO_LIMIT if left > game.answer_count else left
            cutoff = int(rng.choice([INFEASIBLE, rng.integers(1, 6 * game.answer_count)]))
            guess = int(rng.integers(game.guess_count)) if rng.integers(2) else None
            got = engine.search(SearchQuery(game.root(), nothing, left, guess, cutoff))
            if guess is None:
                want = twin.value(answers, cutoff, left)
            else:
                want = twin.search(answers, cutoff, left, guess)
            assert got == want
            assert engine.counters[[EXPANDED, GENERATED, PRUNED, TABLE_HITS]].tolist() == [
                twin.expanded, twin.generated, twin.pruned, twin.table_hits,
            ]  # fmt: skip
        expanded += twin.expanded
        question = SearchQuery(game.root(), nothing, left)
        value, _ = engine.search(question)
        if value < INFEASIBLE:
            assert engine.tree(question).guess[0] == twin.best_guess(answers, left)
            guessed += 1
    assert expanded > 300  # the games are not all trivial
    assert guessed > 80
