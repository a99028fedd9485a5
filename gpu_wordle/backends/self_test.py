"""A self-test of two seconds: compares a backend with the reference on two small games.

A proof must not be the first work that the kernels do on a device. So ``auto`` first compares
statistics, splits, bounds, joint parts and refuted guesses with plain Python, by ``==``. In the
large game the cutoff is tight, so that few guesses are examined and plain Python keeps pace.
"""

from __future__ import annotations

import numpy as np

from gpu_wordle.backends.check import checked
from gpu_wordle.backends.protocol import Backend
from gpu_wordle.backends.reference import ReferenceBackend
from gpu_wordle.errors import JobError
from gpu_wordle.game.game import Game
from gpu_wordle.game.patterns import PatternMatrix
from gpu_wordle.game.word_list import WordList
from gpu_wordle.game.words import GameWords
from gpu_wordle.states.batch import StateBatch
from gpu_wordle.states.joint import Labels, joint_labels
from gpu_wordle.states.partition import Criterion

LETTERS = "abcdefgh"
LENGTH = 5
SMALL = 60, 44
"""Guesses and answers of the small game, in which every operation is tested."""
LARGE = 300, 290
"""Guesses and answers of the large game: more than 255 answers take other counters."""
MORE = (1, 6)
"""Cutoffs of the small game, above the least one-ply bound: some guesses survive, most do not."""
LARGE_MORE = 3
"""Cutoff of the large game, above the least one-ply bound.

Plain Python takes a tenth of a second for each guess with a one-ply bound below the cutoff.
"""
JOINT = (3, 7), (11, 5)
"""Sequences of guess indices that make the partitions for the joint counters."""


def disagreement(backend: Backend) -> str | None:
    """Describe in one line how ``backend`` departs from the reference or fails; None if it agrees.

    Compared are pattern matrix, statistics, best guesses by every criterion, children, bounds of
    states, guess lists, refuted guesses and joint parts.
    """
    both = checked(backend, ReferenceBackend())
    try:
        _check_small(both, _game(both, *SMALL))
        _check_large(both, _game(both, *LARGE))
    except JobError as error:
        return str(error)
    except Exception as error:  # wrong results may break the code that uses them in any way
        return f"its results are unusable ({type(error).__name__})"
    return None


def _game(backend: Backend, guesses: int, answers: int) -> Game:
    """A game of random words with a fixed seed; its answers are spread over the guesses."""
    rng = np.random.default_rng(guesses)
    chosen: set[str] = set()
    while len(chosen) < guesses:
        chosen.add("".join(rng.choice(list(LETTERS), LENGTH)))
    words = tuple(sorted(chosen))
    hidden = tuple(words[i * guesses // answers] for i in range(answers))
    lists = GameWords(WordList(words, "guesses"), WordList(hidden, "answers"))
    return Game(lists, PatternMatrix(backend.build_patterns(lists), lists.feedback))


def _check_small(backend: Backend, game: Game) -> None:
    """Run every operation on the root and on its children."""
    frontier = backend.open_frontier(game)
    root = StateBatch.whole(game.answer_count)
    guesses = np.arange(0, game.guess_count, 12, dtype=np.int32)
    children = frontier.split(root, np.zeros(len(guesses), np.int32), guesses)
    states = children.states
    frontier.bound_states(states, 2 * states.sizes - 1)
    large = states.take(np.flatnonzero(states.sizes > 1))
    for batch in (root, large):
        lists = frontier.collapse(batch)
        for more in MORE:
            frontier.refute(lists, lists.bound + more)
    evaluator = backend.open(game)
    for criterion in Criterion:
        evaluator.best(StateBatch.join([root, large]), criterion)
    _check_joint(backend, game, np.concatenate([joint_labels(game.patterns, g) for g in JOINT]))


def _check_large(backend: Backend, game: Game) -> None:
    """Run the operations that count states of more than 255 answers with other counters."""
    root = StateBatch.whole(game.answer_count)
    frontier = backend.open_frontier(game)
    lists = frontier.collapse(root)
    frontier.refute(lists, lists.bound + LARGE_MORE)
    frontier.bound_states(root, 2 * root.sizes - 1)
    backend.open(game).stats(root)
    _check_joint(backend, game, np.zeros((1, game.answer_count), np.uint16))


def _check_joint(backend: Backend, game: Game, partitions: Labels) -> None:
    """Count joint parts and entropy of some partitions with every fourth guess."""
    counter = backend.open_joint(game, np.arange(0, game.guess_count, 4, dtype=np.int32))
    counter.parts(partitions)
    counter.entropy(partitions)
