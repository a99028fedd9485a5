"""The best guess that a proof finds has the value that solving the state without a guess gives."""

import numpy as np
import pytest

from gpu_wordle.game.game import Rule
from gpu_wordle.solver import Fate, SolverPool, TranspositionTable, prove
from support.solver_games import family_game, random_game, small_solver


@pytest.mark.parametrize("rule", list(Rule))
def test_proof_and_solution_of_the_first_turn_agree(rule):
    rng = np.random.default_rng(0)
    restricted = 0
    for _ in range(25):
        draw = family_game if rng.integers(2) else random_game
        game = draw(rng, rule=rule)
        value = small_solver(game).solve(game.start(), tree=True)
        with SolverPool(game, 2, TranspositionTable(1 << 16)) as pool:
            proof = prove(pool, game.start())
            openers = dict(pool.solve_guesses(game.start(), range(game.guess_count)))
        assert proof.is_complete
        assert value.is_exact
        assert value.is_infeasible == (not proof.best)
        own = set(game.words.guess_of_answer.tolist())
        legal = own if rule is Rule.CANDIDATES else set(range(game.guess_count))
        assert set(np.flatnonzero(proof.fate != Fate.ILLEGAL)) == legal
        if proof.best:
            assert proof.total == value.upper
            assert value.tree.guess[0] in proof.best
        least = min(openers[g].upper for g in legal)
        assert least == value.upper
        restricted += min(result.upper for result in openers.values()) < least
    assert (restricted > 3) == (rule is Rule.CANDIDATES)
