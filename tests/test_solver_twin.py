"""The plain twin of the search: same values, heights, guesses and node counts on small games."""

import numpy as np
import pytest

from gpu_wordle.game.values import INFEASIBLE, NO_LIMIT
from gpu_wordle.solver import Stop, TranspositionTable
from gpu_wordle.solver.machine.layout import PATTERNS
from gpu_wordle.solver.memory.search_matrix import SearchMatrix
from gpu_wordle.solver.memory.stage_costs import StageCosts
from gpu_wordle.solver.memory.workspace import (
    EXPANDED,
    GENERATED,
    NODES,
    PRUNED,
    TABLE_HITS,
    Thread,
)
from gpu_wordle.solver.plain import PlainSolver
from gpu_wordle.solver.search import entry
from gpu_wordle.solver.search.strategy import ANY_GUESS, GUESS
from support.seeds import seeds
from support.solver_games import random_game


@pytest.mark.parametrize("seed", seeds(4))
def test_twin_matches_node_for_node(seed):
    rng = np.random.default_rng(seed)
    expanded = guessed = 0
    for _ in range(150):
        game = random_game(rng)
        twin, matrix = PlainSolver(game), SearchMatrix.of(game)
        table, stop = TranspositionTable(1 << 20), Stop()
        thread = Thread.of(matrix, StageCosts.of(game), table.entries, stop.flag)
        address = thread.borrowed.ctypes.data
        entry.save(thread.workspace, address)
        counters = thread.workspace.counters
        answers = tuple(range(game.answer_count))
        for _ in range(4):  # the table of earlier probes stays: that is compared as well
            left = int(rng.choice([2, 3, 4, 5, 6, NO_LIMIT]))
            left = NO_LIMIT if left > game.answer_count else left
            cutoff = int(rng.choice([INFEASIBLE, rng.integers(1, 6 * game.answer_count)]))
            state, tops = thread.enter(matrix, game.root())
            if rng.integers(2):
                guess = int(rng.integers(game.guess_count))
                place = int(matrix.place[guess])
                got = entry.search(address, state, tops, cutoff, left, place, PATTERNS)
                want = twin.search(answers, cutoff, left, guess)
            else:
                got = entry.value(address, state, tops, cutoff, left)
                want = twin.value(answers, cutoff, left)
            assert got == want
            assert counters[[EXPANDED, GENERATED, PRUNED, TABLE_HITS]].tolist() == [
                twin.expanded, twin.generated, twin.pruned, twin.table_hits,
            ]  # fmt: skip
        expanded += twin.expanded
        value, _ = entry.value(address, state, tops, INFEASIBLE, left)
        if value < INFEASIBLE:
            nodes = np.zeros((2 * game.answer_count, 3), np.int32)
            counters[NODES] = 0
            assert entry.grow(address, state, tops, left, ANY_GUESS, -1, 0, nodes)
            assert nodes[0, GUESS] == twin.best_guess(answers, left)
            guessed += 1
    assert expanded > 300  # the games are not all trivial
    assert guessed > 80
