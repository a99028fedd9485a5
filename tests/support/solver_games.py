"""Random small games for the tests of the solver."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.game.feedback import pattern_count
from gpu_wordle.game.game import Game, Rule
from gpu_wordle.game.objective import Objective
from gpu_wordle.game.patterns import PatternMatrix
from gpu_wordle.solver import Solver, TranspositionTable, open_solver
from gpu_wordle.solver.memory.workspace import RING_BEGIN, RING_END
from support.word_lists import make_game, make_words

SOLVED = pattern_count(5) - 1
KEPT_BYTES = 40_000
"""Bytes for kept matrices: enough for two or three small ones."""


def random_game(
    rng: np.random.Generator,
    *,
    most_answers: int = 12,
    most_guesses: int = 30,
    lengths: tuple[int, int] = (2, 5),
    rule: Rule | None = None,
    max_guesses: int | None = 6,
) -> Game:
    """Return a game of random words over a small alphabet, some of them answers."""
    length = int(rng.integers(lengths[0], lengths[1] + 1))
    alphabet = list(("ab", "abc", "abcde", "abcdefghij")[rng.integers(4)])
    count = min(int(rng.integers(3, most_guesses + 1)), len(alphabet) ** length)
    words: set[str] = set()
    while len(words) < count:
        words.add("".join(rng.choice(alphabet, length)))
    guesses = sorted(words)
    n = int(rng.integers(1, min(most_answers, count) + 1))
    answers = [guesses[i] for i in sorted(rng.choice(count, n, replace=False))]
    if rule is None:
        rule = (Rule.NORMAL, Rule.CANDIDATES)[rng.integers(2)]
    return make_game(make_words(guesses, answers), rule, Objective(max_guesses))


def game_of_equal_candidates(rng: np.random.Generator) -> Game:
    """Return a game of arbitrary feedback in which pairs of answers split the answers alike.

    The choice between the two matters in states that hold only one of them. A few other guesses are
    good enough to lead to such states.
    """
    answers = int(rng.integers(10, 17))
    guesses = answers + int(rng.integers(1, 4))
    matrix = rng.integers(0, 2, size=(answers, guesses)).astype(np.uint8)
    labels = int(rng.integers(3, 5))
    matrix[:, answers:] = rng.integers(0, labels, size=(answers, guesses - answers))
    np.fill_diagonal(matrix, SOLVED)
    order = rng.permutation(answers)
    for a, b in zip(order[::2], order[1::2], strict=False):
        if rng.integers(2):
            matrix[b, a] = 3
            matrix[:, b] = matrix[:, a]
            matrix[a, b], matrix[b, b] = 3, SOLVED
    words = tuple(f"{chr(97 + g)}{'a' * 4}" for g in range(guesses))
    return _game_of_matrix(words, matrix)


def _game_of_matrix(words: Sequence[str], matrix: NDArray[np.uint8]) -> Game:
    """Return a game of this feedback, whose first words are the answers."""
    lists = make_words(words, words[: len(matrix)])
    return Game(lists, PatternMatrix(matrix, lists.feedback), Rule.NORMAL, Objective(None))


def coarse_game(rng: np.random.Generator, answers: int, guesses: int, share: float) -> Game:
    """Return a game whose guesses say yes to a share of the answers, and no to the others.

    The smaller the share, the more states a search has to expand.
    """
    matrix = (rng.random((answers, guesses)) < share).astype(np.uint8)
    np.fill_diagonal(matrix, SOLVED)
    words = tuple(f"{chr(97 + g // 26)}{chr(97 + g % 26)}aaa" for g in range(guesses))
    return _game_of_matrix(words, matrix)


def family_game(
    rng: np.random.Generator,
    *,
    rule: Rule,
    max_guesses: int | None = 6,
    answers: int = 9,
    guesses: int = 24,
) -> Game:
    """Return a game whose answers differ in one or two places: no guess separates them all."""
    length = int(rng.integers(3, 7))
    letters = list("abcdefghijkl")
    bases = ["".join(rng.choice(letters, length)) for _ in range(rng.integers(1, 3))]
    alike: set[str] = set()
    while len(alike) < answers:
        word = list(str(rng.choice(bases)))
        word[rng.integers(2)] = str(rng.choice(letters))
        alike.add("".join(word))
    words = set(alike)
    while len(words) < guesses:
        word = list(str(rng.choice(sorted(alike))))
        for place in rng.choice(length, rng.integers(1, length + 1)).tolist():
            word[place] = str(rng.choice(letters))
        words.add("".join(word))
    return make_game(make_words(sorted(words), sorted(alike)), rule, Objective(max_guesses))


def small_solver(
    game: Game,
    table_bytes: int = 1 << 16,
    *,
    few: int | None = None,
    in_slices: bool = False,
    least_lost: int | None = None,
) -> Solver:
    """Return a solver with a small table.

    ``few`` is the number of guesses that need no compact matrix. If it is given, matrices of small
    states are kept like those of large states. Under a constrained rule, ``in_slices`` counts all
    parts like those of large states. From ``least_lost`` answers on, a state is searched for lost
    parts like a large state.
    """
    solver = open_solver(game, TranspositionTable(table_bytes))
    if few is not None:
        w = solver.machine.thread.workspace
        w.max_uncompacted[:] = few
        w.least_kept[:] = 3
        w.ring[RING_END] = w.ring[RING_BEGIN] + KEPT_BYTES
    if in_slices:
        solver.machine.thread.workspace.slice_cost[:] = 0
    if least_lost is not None:
        solver.machine.thread.workspace.least_lost[:] = least_lost
    return solver
