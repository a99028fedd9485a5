"""Expanding states: the backends against the reference, and that against plain counting."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpu_wordle.backends.check import checked
from gpu_wordle.backends.cpu.backend import CpuBackend
from gpu_wordle.backends.protocol import Window
from gpu_wordle.backends.reference import ReferenceBackend
from gpu_wordle.errors import JobError
from gpu_wordle.game.values import INFEASIBLE
from gpu_wordle.states.batch import StateBatch
from support.frontiers import expand
from support.solver_games import small_solver
from support.word_lists import make_game, random_words


@pytest.mark.slow
@given(words=random_words(most_guesses=60, most_answers=40), seed=st.integers(0, 2**32))
@settings(max_examples=40)
def test_cpu_matches_reference(words, seed):
    game = make_game(words)
    frontier = checked(CpuBackend(2), ReferenceBackend()).open_frontier(game)
    expand(frontier, game, np.random.default_rng(seed))


@pytest.mark.slow
@given(words=random_words(most_guesses=40, most_answers=25), seed=st.integers(0, 2**32))
@settings(max_examples=20)
def test_reference_is_what_it_says(words, seed):
    """Against sets and loops that share no code with the package."""
    game = make_game(words)
    matrix = game.patterns.values.tolist()
    rng = np.random.default_rng(seed)
    guesses = rng.integers(game.guess_count, size=6).tolist()
    frontier = ReferenceBackend().open_frontier(game)
    root = StateBatch.whole(game.answer_count)
    children = frontier.split(root, np.zeros(6, np.int32), np.array(guesses, np.int32))
    lists = frontier.collapse(root) if game.answer_count > 1 else None

    def parts(answers, g):
        patterns = {matrix[a][g] for a in answers}
        return {frozenset(a for a in answers if matrix[a][g] == p) for p in patterns}

    def one_ply(answers, g):
        is_own = any(own[a] == g for a in answers)
        return 3 * len(answers) - len(parts(answers, g)) - is_own

    everything = range(game.answer_count)
    own = game.words.guess_of_answer.tolist()
    every_guess = range(game.guess_count)
    for p, g in enumerate(guesses):
        found = [frozenset(children.states.state(c).tolist()) for c in children.of_pair(p)]
        alone = {frozenset([a]) for a in everything if own[a] == g}
        assert set(found) == parts(everything, g) - alone
        assert len(found) == len(set(found))
    splits = {g: frozenset(parts(everything, g)) for g in every_guess}
    useful = {g for g, split in splits.items() if len(split) > 1}
    states = [children.states.state(b).tolist() for b in range(len(children.states))]
    least = [min(one_ply(state, g) for g in every_guess) for state in states]
    nothing = np.zeros(len(states), np.int64)
    assert frontier.bound_states(children.states, nothing).tolist() == least
    assert frontier.bound_states(children.states, nothing + 9).tolist() == [
        max(9, bound) for bound in least
    ]
    if lists is None:
        return
    listed = frontier.entries(lists)
    kept = listed.guess.tolist()
    assert useful & set(own) == set(kept) & set(own)
    assert {splits[g] for g in useful} == {splits[g] for g in kept}
    others = [splits[g] for g in kept if g not in own]
    assert len(others) == len(set(others))
    assert not set(others) & {splits[g] for g in own}
    assert listed.indptr.tolist() == [0, len(kept)]
    assert listed.is_candidate.tolist() == [g in own for g in kept]
    assert listed.parts.tolist() == [len(splits[g]) for g in kept]
    squares = [sum(len(part) ** 2 for part in splits[g]) for g in kept]
    assert listed.sum_squares.tolist() == squares
    by_bounds = [(one_ply(everything, g), g not in own, g) for g in kept]
    assert by_bounds == sorted(by_bounds)
    assert lists.bound.tolist() == [by_bounds[0][0]]
    assert lists.most_parts.tolist() == [max(len(splits[g]) for g in kept)]
    promise = [
        (len(own) * bound + 2 * square, *rest)
        for (bound, *rest), square in zip(by_bounds, squares, strict=True)
    ]
    assert lists.promising.tolist() == [min(promise)[-1]]

    full = {}
    for g in kept:
        rest = [part for part in splits[g] if [own[a] for a in part] != [g]]
        full[g] = len(everything) + sum(min(one_ply(part, h) for h in every_guess) for part in rest)
    for cutoff in (min(full.values()), max(full.values()), INFEASIBLE):
        found = frontier.refute(lists, np.array([cutoff]))
        survivors = [g for g in kept if full[g] < cutoff]
        assert found.guess.tolist() == sorted(survivors, key=full.get)
        assert found.total.tolist() == sorted(full[g] for g in survivors)
        plies = [one_ply(everything, g) for g in kept]
        least, below = np.array([min(plies) + 1]), np.array([max(plies)])
        found = frontier.refute(lists, np.array([cutoff]), Window(least, below))
        inside = [g for g in survivors if least[0] <= one_ply(everything, g) < below[0]]
        assert found.guess.tolist() == sorted(inside, key=full.get)
        assert found.total.tolist() == sorted(full[g] for g in inside)


@pytest.mark.slow
def test_original_game(original):
    """A hundred openers at once: distinct states, and the one-ply bounds of all of them."""
    frontier = CpuBackend(2).open_frontier(original)
    root = StateBatch.whole(original.answer_count)
    guesses = np.arange(0, 10_000, 100, dtype=np.int32)
    children = frontier.split(root, np.zeros(100, np.int32), guesses)
    states = children.states
    assert len(states) < len(children.child)
    assert len({tuple(key) for key in states.keys.tolist()}) == len(states)
    bounds = frontier.bound_states(states, 2 * states.sizes - 1)
    rng = np.random.default_rng(0)
    for c in rng.integers(len(states), size=20):
        rows = np.sort(original.patterns.values[states.state(c)], axis=0)
        parts = 1 + np.count_nonzero(rows[1:] != rows[:-1], axis=0)
        assert bounds[c] == 3 * states.sizes[c] - max(parts + (rows[-1] == 242))


def test_bounds_refute_nearly_all_guesses_of_a_state(original):
    """That is what the batched search lives on; SALET and no yellow or green letter here."""
    position = original.position_after("salet BBBBB")
    state = position.state
    value = small_solver(original).solve(position).lower
    frontier = CpuBackend(2).open_frontier(original)
    lists = frontier.collapse(StateBatch.from_sets([state.tolist()], original.answer_count))
    listed = frontier.entries(lists)
    hopeful = 3 * len(state) - listed.parts - listed.is_candidate < value
    assert hopeful.sum() > 150
    assert len(frontier.refute(lists, np.array([value])).guess) < 5


def test_a_difference_is_found(original):
    class Wrong(ReferenceBackend):
        def open_frontier(self, game, memory_bytes=None):
            frontier = super().open_frontier(game)
            frontier.bound_states = lambda *_: np.array([3])
            return frontier

    game = make_game(original.words)
    state = StateBatch.from_sets([[1, 2, 3, 4]], game.answer_count)
    frontier = checked(CpuBackend(1), Wrong()).open_frontier(game)
    with pytest.raises(JobError, match="disagree on bound_states"):
        frontier.bound_states(state, np.array([0]))
