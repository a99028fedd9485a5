"""States that so many guesses cannot win: what is refuted is lost, and what is lost is refuted."""

from functools import cache

import numpy as np
import pytest
from numba import njit

from gpu_wordle.game.rule import Rule
from gpu_wordle.solver import TranspositionTable, open_solver
from gpu_wordle.solver.machine.linking import fetcher
from gpu_wordle.solver.memory.workspace import WORKSPACE
from gpu_wordle.solver.unconstrained.lost_parts import holds_nogood, is_learned_lost_in_four
from gpu_wordle.solver.unconstrained.nogoods import core_of, irreducible_core
from gpu_wordle.solver.unconstrained.winnable import LOST, WON, winnable_in
from gpu_wordle.tunables import MAX_NOGOODS
from support.solver_games import family_game

fetch = fetcher(WORKSPACE)


@njit
def fate(address, state, marks, left):
    """The functions as machine code calls them."""
    w = fetch(address)
    w.tries_left[0] = 1 << 40
    return winnable_in(w, state, marks, left)


@njit
def held(address, state, left):
    """Whether a nogood of so many guesses is held, as machine code asks."""
    return holds_nogood(fetch(address), state.at, state.n, left)


@njit
def core(address, state, left):
    """How many answers of a state are in its core, as machine code asks; they come first."""
    return core_of(fetch(address), state, left)


@njit
def irreducible(address, state, left):
    """How many answers of a core nogoods of so many guesses need, as machine code asks."""
    return irreducible_core(fetch(address), state, left)


@njit
def learned(address, state, marks):
    """Whether four guesses are soon seen not to suffice, as machine code asks."""
    return is_learned_lost_in_four(fetch(address), state, marks)


class Winning:
    """Whether so many guesses find the answers of a state, by trying everything."""

    def __init__(self, patterns):
        self.patterns = patterns.T.tolist()
        self.state = cache(self.state)

    def state(self, answers, left):
        if len(answers) <= 1 or left <= 1:
            return len(answers) <= left
        return any(self.guess(column, answers, left - 1) for column in self.patterns)

    def guess(self, column, answers, left):
        parts = {}
        for answer in answers:
            parts.setdefault(column[answer], []).append(answer)
        if len(parts) == 1 and len(answers) > 1:
            return False
        return all(self.state(tuple(part), left) for part in parts.values())


SEEDS = [(0, 3), (1, 3), (2, 3), (3, 4), (4, 4), (5, 4), (6, 4)]


@pytest.mark.parametrize(("seed", "left"), SEEDS)
def test_what_is_refuted_is_lost_and_what_is_lost_is_refuted(seed, left):
    """State after state, so that the nogoods of one are met in the next."""
    told, workspace, winning = fates_told(seed, left, made_before=0)
    assert min(told.values()) > 5
    assert np.flatnonzero(workspace.nogoods_made).tolist() == list(range(2, left))
    for turns in range(2, left):
        for nogood in kept_nogoods(workspace, turns):
            assert not winning.state(tuple(sorted(nogood)), turns)


def test_nogoods_begin_anew_where_there_is_no_room():
    """Their number is that of the last ones, and no verdict differs."""
    _, workspace, _ = fates_told(0, 3, made_before=MAX_NOGOODS - 2)
    assert 0 < workspace.nogoods_made[2] < MAX_NOGOODS - 2
    hanging = workspace.nogoods_on_answer[2].sum()
    assert hanging == workspace.nogoods_made[2]


@pytest.mark.parametrize("seed", [3, 4, 5])
def test_parts_that_are_seen_to_be_lost_are_lost_and_small_ones_are_kept(seed):
    """Part after part, so that one holds the nogoods that were made of others."""
    rng = np.random.default_rng(seed)
    machine, workspace, address, winning = opened(rng, 22, 25)
    for _ in range(20):  # nogoods of three guesses are learned
        fate(address, *machine.thread.enter(machine.matrix, drawn(rng, 22)), 4)
    by_nogood, by_guesses = [], []
    for _ in range(60):
        state = drawn(rng, 22)
        is_lost = not winning.state(tuple(state.tolist()), 4)
        entered, marks = machine.thread.enter(machine.matrix, state)
        by_nogood.append(held(address, entered, 4))
        by_guesses.append(learned(address, entered, marks))
        assert is_lost or not by_nogood[-1]
        assert is_lost or not by_guesses[-1]
        assert by_guesses[-1] or not by_nogood[-1]
        assert not workspace.member.any()
    assert 0 < sum(by_nogood) < sum(by_guesses) < 60
    kept = kept_nogoods(workspace, 4)
    assert kept
    for nogood in kept:
        assert not winning.state(tuple(sorted(nogood)), 4)


@pytest.mark.parametrize("seed", [3, 4, 5])
def test_the_core_of_a_lost_state_is_lost(seed):
    """Where nogoods do not refute all, all answers are the core."""
    smaller = 0
    for _, winning, answers, size in brought_to_front(seed, core, 4):
        if size < len(answers):
            smaller += 1
            assert not winning.state(tuple(sorted(answers[:size])), 4)
    assert smaller > 3


@pytest.mark.parametrize("seed", [3, 4, 5])
def test_no_answer_of_an_irreducible_core_is_too_many(seed):
    """Nogoods refute all guesses on it, and do not without any of its answers."""
    smaller = 0
    for workspace, winning, answers, size in brought_to_front(seed, irreducible, 3):
        nogoods = kept_nogoods(workspace, 3)
        if are_all_refuted(winning.patterns, nogoods, set(answers)):
            smaller += size < len(answers)
            core = set(answers[:size])
            assert are_all_refuted(winning.patterns, nogoods, core)
            assert not winning.state(tuple(sorted(core)), 4)
            for answer in core:
                assert not are_all_refuted(winning.patterns, nogoods, core - {answer})
        else:
            assert size == len(answers)
    assert smaller > 3


def brought_to_front(seed, ask, left):
    """Of each state the answers in a new order, and how many of them ``ask`` brought to the front.

    Before them workspace and brute force. Nogoods are those of the states before.
    """
    rng = np.random.default_rng(seed)
    machine, workspace, address, winning = opened(rng, 22, 25)
    begin, stride = machine.matrix.cells.ctypes.data, machine.matrix.cells.shape[1]
    for _ in range(60):
        state = drawn(rng, 22)
        entered, _ = machine.thread.enter(machine.matrix, state)
        size = ask(address, entered, left)
        answers = workspace.answers[: len(state)].tolist()
        assert sorted(answers) == state.tolist()
        rows = workspace.rows[: len(state)].tolist()
        assert rows == [begin + answer * stride for answer in answers]
        assert not workspace.member.any()
        yield workspace, winning, answers, size
        fate(address, *machine.thread.enter(machine.matrix, state), 4)


def kept_nogoods(workspace, left):
    """The answers of each nogood of so many guesses that is kept."""
    made = int(workspace.nogoods_made[left])
    sizes = workspace.nogood_sizes[left]
    return [set(workspace.nogoods[left, i, : sizes[i]].tolist()) for i in range(1, made + 1)]


def are_all_refuted(patterns, nogoods, answers):
    """Whether each guess leaves the answers of some nogood together that are all among these."""
    within = [nogood for nogood in nogoods if nogood <= answers]
    return all(
        any(len({column[answer] for answer in nogood}) == 1 for nogood in within)
        for column in patterns
    )


def opened(rng, answers, guesses):
    """Machine, workspace, its address, and brute force, of a game that is drawn."""
    game = family_game(rng, rule=Rule.NORMAL, answers=answers, guesses=guesses)
    machine = open_solver(game, TranspositionTable(1 << 16)).machine
    thread = machine.thread
    return machine, thread.workspace, thread.borrowed.ctypes.data, Winning(game.patterns.values)


def drawn(rng, answers):
    """A state of some of the answers."""
    size = int(rng.integers(5, answers + 1))
    return np.array(sorted(rng.choice(answers, size, replace=False)), np.uint16)


def fates_told(seed, left, *, made_before):
    """How many states were won and lost, as brute force says, too; workspace and brute force."""
    rng = np.random.default_rng(seed)
    answers, guesses = {3: (16, 22), 4: (22, 25), 5: (17, 19)}[left]
    machine, workspace, address, winning = opened(rng, answers, guesses)
    workspace.nogoods_made[2] = made_before
    told = {True: 0, False: 0}
    for _ in range(40):
        state = drawn(rng, answers)
        entered, marks = machine.thread.enter(machine.matrix, state)
        verdict = fate(address, entered, marks, left)
        lost = verdict == LOST
        assert lost or verdict == WON
        assert lost == (not winning.state(tuple(state.tolist()), left))
        assert not workspace.member.any()
        told[lost] += 1
    return told, workspace, winning
