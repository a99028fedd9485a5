"""Expanding states: the backends against the reference, and that against plain counting."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conftest import random_words
from gpu_wordle.backends.check import CheckBackend
from gpu_wordle.backends.cpu import CpuBackend
from gpu_wordle.backends.reference import ReferenceBackend
from gpu_wordle.errors import JobError
from gpu_wordle.game import Game
from gpu_wordle.patterns import PatternMatrix
from gpu_wordle.states import StateBatch


def game_of(words):
    return Game(words, PatternMatrix(CpuBackend(1).build_patterns(words), words.feedback))


def expand(frontier, game, rng, *, pairs=6):
    """Everything a frontier does, down two levels; returns what it found on the way."""
    root = StateBatch.whole(game.answer_count)
    whole = frontier.whole()
    lists = frontier.collapse(root, [whole], np.zeros(1, np.int32))
    guesses = rng.integers(game.guess_count, size=pairs).astype(np.int32)
    children = frontier.split(root, np.zeros(pairs, np.int32), guesses)
    states = children.states
    if len(states) == 0:
        return children, lists, np.empty(0, np.int64)
    list_of = np.zeros(len(states), np.int32)
    enough = rng.integers(1, 30, size=len(states))
    most = frontier.most_parts(states, lists, list_of, enough)
    below = frontier.collapse(states, lists, list_of)
    parent = rng.integers(len(states), size=pairs).astype(np.int32)
    again = frontier.split(states, parent, guesses)
    holder = np.zeros(len(again.states), np.int32)
    for p, b in enumerate(parent):
        holder[again.of_pair(p)] = b
    frontier.most_parts(again.states, below, holder, np.full(len(again.states), 300))
    frontier.collapse(again.states, below, holder)
    return children, lists, most


@given(words=random_words(most_guesses=60, most_answers=40), seed=st.integers(0, 2**32))
@settings(max_examples=40)
def test_cpu_matches_reference(words, seed):
    game = game_of(words)
    frontier = CheckBackend(CpuBackend(2), ReferenceBackend()).open_frontier(game)
    expand(frontier, game, np.random.default_rng(seed))


@given(words=random_words(most_guesses=40, most_answers=25), seed=st.integers(0, 2**32))
@settings(max_examples=40)
def test_reference_is_what_it_says(words, seed):
    """Against sets and loops that share no code with the package."""
    game = game_of(words)
    matrix = game.patterns.values.tolist()
    rng = np.random.default_rng(seed)
    guesses = rng.integers(game.guess_count, size=6).tolist()
    frontier = ReferenceBackend().open_frontier(game)
    children, (listed,), _ = expand(frontier, game, np.random.default_rng(seed))

    def parts(answers, g):
        return {frozenset(a for a in answers if matrix[a][g] == p) for p in range(3**words.length)}

    everything = range(game.answer_count)
    own = game.words.guess_of_answer.tolist()
    for p, g in enumerate(guesses):
        found = [frozenset(children.states.state(c).tolist()) for c in children.of_pair(p)]
        alone = {frozenset([a]) for a in everything if own[a] == g}
        assert set(found) == parts(everything, g) - alone - {frozenset()}
        assert len(found) == len(set(found))
    splits = {g: parts(everything, g) - {frozenset()} for g in range(game.guess_count)}
    useful = {g for g, split in splits.items() if len(split) > 1}
    kept = listed.guess.tolist()
    assert useful & set(own) == set(kept) & set(own)
    assert {frozenset(splits[g]) for g in useful} == {frozenset(splits[g]) for g in kept}
    others = [frozenset(splits[g]) for g in kept if g not in own]
    assert len(others) == len(set(others))
    assert not set(others) & {frozenset(splits[g]) for g in own}
    assert listed.parts.tolist() == sorted((len(splits[g]) for g in kept), reverse=True)


def test_original_game(original):
    """A hundred openers at once: distinct states, and the one-ply bounds of all of them."""
    frontier = CpuBackend(2).open_frontier(original)
    root = StateBatch.whole(original.answer_count)
    lists = frontier.collapse(root, [frontier.whole()], np.zeros(1, np.int32))
    assert lists[0].parts[0] == 150
    guesses = np.arange(0, 10_000, 100, dtype=np.int32)
    children = frontier.split(root, np.zeros(100, np.int32), guesses)
    assert len(children.states) < len(children.child)
    keys = {tuple(key) for key in children.states.keys.tolist()}
    assert len(keys) == len(children.states)
    list_of = np.zeros(len(children.states), np.int32)
    most = frontier.most_parts(children.states, lists, list_of, children.states.sizes)
    rng = np.random.default_rng(0)
    for c in rng.integers(len(most), size=20):
        columns = original.patterns.values[children.states.state(c)].T
        assert most[c] == max(len(np.unique(column)) for column in columns)


def test_a_difference_is_found(original):
    class Wrong(ReferenceBackend):
        def open_frontier(self, game, memory_bytes=None):
            frontier = super().open_frontier(game)
            frontier.most_parts = lambda *_: np.array([3])
            return frontier

    words = original.words
    game = game_of(words)
    state = StateBatch.from_sets([[1, 2, 3, 4]], game.answer_count)
    frontier = CheckBackend(CpuBackend(1), Wrong()).open_frontier(game)
    with pytest.raises(JobError, match="disagree on most_parts"):
        frontier.most_parts(state, [frontier.whole()], np.zeros(1, np.int32), np.array([9]))
