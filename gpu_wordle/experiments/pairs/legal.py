"""The pairs of a constrained rule: the second guess is legal whatever the first reveals."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.game.game import Game

Ordered = NDArray[np.int32]
"""Pairs in the order in which they are made, [K, 2]."""


def legal_pairs(game: Game) -> Ordered:
    """Pairs of a constrained rule whose second guess is legal after all feedback to the first.

    A guess is legal if it has the revealed traits that the answer has, and none of the others (see
    legality.py). So over all answers but the first guess itself the former unite to what the second
    must have, and the latter to what it must not have.
    """
    guesses = game.words.guess_of_answer
    bits = game.traits.bits
    found = []
    for first in range(game.guess_count):
        hidden = guesses[guesses != first]
        answers, revealed = bits[hidden], game.traits.revealed_by(game.rule, first, hidden)
        needed = np.bitwise_or.reduce(answers & revealed, axis=0)
        barred = np.bitwise_or.reduce(~answers & revealed, axis=0)
        is_legal = ((bits & needed) == needed).all(axis=1) & ((bits & barred) == 0).all(axis=1)
        is_legal[first] = False
        seconds = np.flatnonzero(is_legal)
        found.append(np.stack([np.full(len(seconds), first), seconds], axis=1))
    return np.concatenate(found).astype(np.int32)
