"""Which parts to write down: those that close the most rows for the least work."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from gpu_wordle.certify.bounds import Row
from gpu_wordle.certify.spot import Key, Spot

DEAR_SIZE = 20
"""Answers of a state that costs twice as much to write down as the smallest ones."""


class NotProvableError(Exception):
    """What is to be proved is not so: a guess costs less."""


@dataclass(frozen=True)
class Raise:
    """A state, and by how much its bound has to be higher than what is known."""

    spot: Spot
    by: int


def price_of(spot: Spot) -> float:
    """What writing a state down costs, roughly: itself, and what its own rows will need."""
    return 1 + (len(spot.answers) / DEAR_SIZE) ** 2


def choose(rows: Sequence[Row], gap: Callable[[Spot], int]) -> list[Raise]:
    """Raises that together close all rows.

    ``gap`` tells by how much the bound of a state can be raised. Of a row, its largest parts are
    looked at until they suffice. Then the state that closes the most for its price is chosen, again
    and again.
    """
    spots: dict[Key, int] = {}
    listed: list[Spot] = []
    gaps: list[int] = []
    row_of: list[int] = []
    spot_of: list[int] = []
    for number, row in enumerate(rows):
        missing = row.missing
        for spot in row.parts:
            place = spots.get(spot.key)
            if place is None:
                place = spots[spot.key] = len(listed)
                listed.append(spot)
                gaps.append(gap(spot))
            if gaps[place] > 0:
                row_of.append(number)
                spot_of.append(place)
                missing -= gaps[place]
                if missing <= 0:
                    break
        else:
            if missing > 0:
                raise NotProvableError
    return _covering(rows, listed, np.array(gaps), np.array(row_of), np.array(spot_of))


def _covering(
    rows: Sequence[Row],
    spots: Sequence[Spot],
    gaps: np.ndarray,
    row_of: np.ndarray,
    spot_of: np.ndarray,
) -> list[Raise]:
    """The greedy cover of the rows by raises of the spots that they hold, pair by pair."""
    missing = np.array([row.missing for row in rows], np.int64)
    price = np.array([price_of(spot) for spot in spots])
    chosen: list[Raise] = []
    is_free = np.ones(len(spots), np.bool_)
    while (missing > 0).any():
        gain = np.minimum(gaps[spot_of], missing[row_of]) * is_free[spot_of]
        benefit = np.bincount(spot_of, np.maximum(gain, 0), len(spots))
        best = int((benefit / price).argmax())
        mine = spot_of == best
        by = int(gain[mine].max())
        chosen.append(Raise(spots[best], by))
        is_free[best] = False
        np.subtract.at(missing, row_of[mine], by)
    return chosen
