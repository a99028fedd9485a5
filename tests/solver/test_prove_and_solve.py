"""The best guess that a proof finds has the value that solving the state without a guess gives."""

import numpy as np
import pytest

from gpu_wordle.game.game import Rule
from gpu_wordle.solver import Fate, SolverPool, TranspositionTable, prove
from support.slices import small_game
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


@pytest.mark.parametrize("settled", [1, 5, 20])
def test_a_proof_that_is_stopped_refutes_only_what_is_worse(original, settled):
    """Searches that the stop cuts short, or that begin after it, settle nothing."""
    game = small_game(original, answers=30, guesses=80)
    with SolverPool(game, 2, TranspositionTable(1 << 16)) as pool:
        truth = dict(pool.solve_guesses(game.start(), range(game.guess_count)))
    seen = []

    def stop_soon(guess, fate, lower):
        seen.append(guess)
        if len(seen) == settled:
            pool.stop.set()

    with SolverPool(game, 2, TranspositionTable(1 << 16)) as pool:
        proof = prove(pool, game.start(), progress=stop_soon)
    assert not proof.is_complete
    for guess, result in truth.items():
        assert proof.lower[guess] <= result.lower
        if proof.fate[guess] == Fate.OPTIMAL:
            assert proof.total == result.upper
        elif proof.fate[guess] != Fate.OPEN:
            assert proof.lower[guess] > proof.total
