"""The pairs of a constrained rule: the second guess is legal after any feedback to the first."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.game.game import Game

Ordered = NDArray[np.int32]
"""Ordered pairs (first, second), int32[K, 2]."""


def legal_pairs(game: Game) -> Ordered:
    """Return the pairs whose second guess is legal after any feedback to the first, int32[K, 2].

    A guess is legal iff, of the revealed traits, it has exactly those that the answer has
    (legality.py). Take all answers other than the first guess. The second guess needs every trait
    that one of them makes required, and must lack every trait that one of them makes forbidden.
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
