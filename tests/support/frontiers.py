"""All operations of frontiers, for tests that compare two of them."""

import numpy as np

from gpu_wordle.backends.protocol import Window
from gpu_wordle.game.values import INFEASIBLE
from gpu_wordle.states.batch import StateBatch


def expand(frontier, game, rng, *, pairs=6, small=80):
    """Run all operations of a frontier, two levels deep; return the children of the first level.

    Guesses of states with fewer than ``small`` answers are bounded to the end.
    """
    root = StateBatch.whole(game.answer_count)
    refute_some(frontier, root, rng, small)
    guesses = rng.integers(game.guess_count, size=pairs).astype(np.int32)
    children = frontier.split(root, np.zeros(pairs, np.int32), guesses)
    states = children.states
    if len(states) == 0:
        return children
    frontier.bound_states(states, rng.integers(2 * states.sizes - 1, 3 * states.sizes))
    refute_some(frontier, states, rng, small)
    parent = rng.integers(len(states), size=pairs).astype(np.int32)
    again = frontier.split(states, parent, guesses).states
    frontier.bound_states(again, 2 * again.sizes - 1)
    refute_some(frontier, again, rng, small)
    return children


def refute_some(frontier, batch, rng, small):
    """Refute guesses of the states with random cutoffs; of small states also without any."""
    large = batch.take(np.flatnonzero(batch.sizes > 1))
    if len(large) > 0:
        lists = frontier.collapse(large)
        frontier.refute(lists, lists.bound + rng.integers(1, 9, size=len(large)))
        cutoff = np.where(large.sizes < small, INFEASIBLE, lists.bound + 1)
        frontier.refute(lists, cutoff)


def check_bounds(frontier, batch):
    """Check bounds of states and of their guesses between the two backends of a CheckFrontier."""
    rng = np.random.default_rng(0)
    least = 2 * batch.sizes - 1
    frontier.bound_states(batch, least)
    frontier.bound_states(batch, least + rng.integers(6, size=len(batch)))
    lists = frontier.collapse(batch.take(np.flatnonzero(batch.sizes > 1)))
    for more in (1, 4, 1 << 40):
        frontier.refute(lists, lists.bound + more)
    middle = lists.bound + rng.integers(4, size=len(lists.bound))
    frontier.refute(lists, lists.bound + 6, Window(middle, middle + 2))
    frontier.refute(lists, lists.bound + 6, Window(middle, middle))
