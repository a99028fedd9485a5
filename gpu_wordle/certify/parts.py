"""The larger parts that many guesses leave of one state. States are built on request.

Under constrained rules, parts with equal answers may differ in what was revealed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.backends.frontier import Children
from gpu_wordle.certify.certified_state import CertifiedState, key_of
from gpu_wordle.certify.turn_prices import TurnPrices
from gpu_wordle.game.game import Game

MIN_OPEN = 3
"""Answers of the smallest state whose bound by size may be too low."""


@dataclass(frozen=True, eq=False)
class Parts:
    """The parts that P guesses leave of a state.

    Attributes:
        child: int32[K], for each part the index of its state among all children. Parts of a guess
            come together, the largest first.
        starts: int64[P], index of each guess's first part.
        counts: int64[P], number of each guess's parts.
        number: int64[K], for each part the number of its certified state.
        distinct: number of distinct certified states.
        spot: builds a certified state by its number.
    """

    child: NDArray[np.int32]
    starts: NDArray[np.int64]
    counts: NDArray[np.int64]
    number: NDArray[np.int64]
    distinct: int
    spot: Callable[[int], CertifiedState]


def larger_parts(
    game: Game,
    tariff: TurnPrices,
    spot: CertifiedState,
    guesses: NDArray[np.int32],
    children: Children,
) -> Parts:
    """Return the parts of MIN_OPEN answers or more that guesses leave of a state."""
    states = children.states
    pair = np.repeat(np.arange(len(guesses)), np.diff(children.indptr))
    sizes = states.sizes[children.child]
    order = np.lexsort((-sizes, pair))
    order = order[sizes[order] >= MIN_OPEN]
    pair, child = pair[order], children.child[order]
    answers = game.words.guess_of_answer[states.answers[states.indptr[child]]]
    shown = game.traits.revealed_by(game.rule, guesses[pair], answers)
    revealed = np.broadcast_to(spot.revealed | shown, (len(pair), len(spot.revealed)))
    known_by = np.concatenate([states.keys[child], revealed], axis=1)
    _, first, number = np.unique(known_by, axis=0, return_index=True, return_inverse=True)

    @cache
    def spot_of(number: int) -> CertifiedState:
        i = first[number]
        key = key_of(states.keys[child[i]], revealed[i], tariff, spot.turns + 1)
        path = (*spot.path, int(guesses[pair[i]]))
        return CertifiedState(states.state(child[i]).copy(), revealed[i].copy(), path, key)

    counts = np.bincount(pair, minlength=len(guesses))
    starts = np.cumsum(counts) - counts
    return Parts(child, starts, counts, number.reshape(-1), len(first), spot_of)
