"""States that three guesses cannot win: what is refuted is lost, and what is lost is refuted."""

import numpy as np
import pytest
from numba import njit

from gpu_wordle.game.rule import Rule
from gpu_wordle.solver import TranspositionTable, open_solver
from gpu_wordle.solver.machine.linking import fetcher
from gpu_wordle.solver.memory.workspace import WORKSPACE
from gpu_wordle.solver.unconstrained.nogoods import is_lost
from support.solver_games import family_game

fetch = fetcher(WORKSPACE)


@njit
def seen_to_be_lost(address, state, tops):
    """The function as machine code calls it."""
    return is_lost(fetch(address), state, tops)


def is_won(patterns, found_by, state):
    """Whether some guess leaves parts only whose answers some guess tells apart."""
    rows = patterns[state]
    for guess in range(patterns.shape[1]):
        parts = [state[(rows[:, guess] == p)] for p in np.unique(rows[:, guess])]
        parts = [part[found_by[part] != guess] for part in parts]
        if all(
            len(part) < 2
            or any(len(set(column)) == len(part) for column in patterns[part].T.tolist())
            for part in parts
        ):
            return True
    return False


@pytest.mark.parametrize("seed", range(6))
def test_what_is_refuted_is_lost_and_what_is_lost_is_refuted(seed):
    """State after state, so that the nogoods of one are met in the next."""
    rng = np.random.default_rng(seed)
    game = family_game(rng, rule=Rule.NORMAL, answers=16, guesses=22)
    machine = open_solver(game, TranspositionTable(1 << 16)).machine
    workspace = machine.thread.workspace
    address = machine.thread.borrowed.ctypes.data
    found_by = game.words.guess_of_answer
    told = {True: 0, False: 0}
    for _ in range(40):
        size = int(rng.integers(5, 17))
        state = np.array(sorted(rng.choice(16, size, replace=False)), np.uint16)
        entered, tops = machine.thread.enter(machine.matrix, state)
        lost = bool(seen_to_be_lost(address, entered, tops))
        assert lost == (not is_won(game.patterns.values, found_by, state))
        assert not workspace.member.any()
        told[lost] += 1
    for nogood in range(int(workspace.nogoods_made[0])):  # no guess tells its answers apart
        answers = workspace.nogoods[nogood, : workspace.nogood_sizes[nogood]]
        columns = game.patterns.values[answers].T.tolist()
        assert all(len(set(column)) < len(answers) for column in columns)
    assert min(told.values()) > 5
    assert workspace.nogoods_made[0] > 0
