"""Entropies as the program of Hayes sums them: in floating point, so that rounding breaks ties.

Guesses with parts of the same sizes have one entropy. Added up in floating point, in the order of
the codes, it comes out differently by a last digit, and so the first of them is not always played.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.experiments.reproduce.bench import AS_PRINTED
from gpu_wordle.game.feedback import digits
from gpu_wordle.game.game import Game
from gpu_wordle.strategies.positions import Positions
from gpu_wordle.strategies.strategy import Greedy


def rounded_entropy(game: Game) -> Greedy:
    """The rule of most entropy, summed in floating point as the essay's listing does."""
    length, count = game.words.length, game.patterns.pattern_count
    # The essay numbers a code by its digits from the left, the package from the right.
    renumbered = [
        sum(digit * 3 ** (length - 1 - i) for i, digit in enumerate(digits(code, length)))
        for code in range(count)
    ]
    codes = np.array(renumbered, np.uint8)[game.patterns.values]

    def scores(positions: Positions) -> NDArray[np.float64]:
        states = (positions.states.state(b) for b in range(len(positions)))
        return np.stack([_entropies(codes[state], count) for state in states])

    return Greedy("entropy, rounded", scores, AS_PRINTED)


def _entropies(codes: NDArray[np.uint8], count: int) -> NDArray[np.float64]:
    """The entropy of each guess over a state, summed code by code, [G]."""
    answers, guesses = codes.shape
    sizes = np.zeros((count, guesses), np.int64)
    columns = np.arange(guesses)
    for row in codes:
        sizes[row, columns] += 1
    n = np.arange(answers + 1, dtype=np.float64)
    terms = n / answers * (np.log2(answers) - np.log2(np.maximum(n, 1)))
    result = np.zeros(guesses)
    for size in sizes:
        result += terms[size]
    return result
