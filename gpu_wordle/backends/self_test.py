"""A self-test of two seconds: whether a backend agrees with the reference, here and now.

A search that is to prove something must not be the first to run kernels on a device. So ``auto``
has them count two small games on that very device before: statistics, splits, bounds, joint parts
and the refuting of guesses. Of large states only those guesses are refuted that bounds by sizes
leave open, for plain Python has to keep pace. All results are compared with its by ``==``.
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
"""Guesses and answers of a game whose states are bounded to the end."""
LARGE = 300, 290
"""The same of a game for what counts states of more than 255 answers."""
MORE = (1, 6)
"""By how much cutoffs exceed the least one-ply bound: some guesses survive, and most do not."""
LARGE_MORE = 3
"""The same of large states: plain Python takes a tenth of a second for each guess below that."""
JOINT = (3, 7), (11, 5)
"""Guesses, by their index, whose joint parts further ones split."""


def disagreement(backend: Backend) -> str | None:
    """Where ``backend`` departs from the reference or fails, in a line; None if it does not.

    What is compared: matrix, statistics, best guesses by every criterion, children, bounds of
    states, guess lists, refuted guesses and joint parts.
    """
    both = checked(backend, ReferenceBackend())
    try:
        _check_small(both, _game(both, *SMALL))
        _check_large(both, _game(both, *LARGE))
    except JobError as error:
        return str(error)
    except Exception as error:  # what works on nonsense may break in any way
        return f"its results cannot be worked with ({type(error).__name__})"
    return None


def _game(backend: Backend, guesses: int, answers: int) -> Game:
    """Random words, always the same; the answers are spread over the guesses."""
    rng = np.random.default_rng(guesses)
    chosen: set[str] = set()
    while len(chosen) < guesses:
        chosen.add("".join(rng.choice(list(LETTERS), LENGTH)))
    words = tuple(sorted(chosen))
    hidden = tuple(words[i * guesses // answers] for i in range(answers))
    lists = GameWords(WordList(words, "guesses"), WordList(hidden, "answers"))
    return Game(lists, PatternMatrix(backend.build_patterns(lists), lists.feedback))


def _check_small(backend: Backend, game: Game) -> None:
    """All that is asked of evaluators and frontiers, from the root down one level."""
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
    """What counts large states in other ways."""
    root = StateBatch.whole(game.answer_count)
    frontier = backend.open_frontier(game)
    lists = frontier.collapse(root)
    frontier.refute(lists, lists.bound + LARGE_MORE)
    frontier.bound_states(root, 2 * root.sizes - 1)
    backend.open(game).stats(root)
    _check_joint(backend, game, np.zeros((1, game.answer_count), np.uint16))


def _check_joint(backend: Backend, game: Game, partitions: Labels) -> None:
    """Parts and entropy that every fourth guess makes beside some partitions."""
    counter = backend.open_joint(game, np.arange(0, game.guess_count, 4, dtype=np.int32))
    counter.parts(partitions)
    counter.entropy(partitions)
