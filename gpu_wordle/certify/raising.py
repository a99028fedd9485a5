"""Choose which parts to write down: those that close the most rows for the least work."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from gpu_wordle.certify.bounds import Row
from gpu_wordle.certify.certified_state import CertifiedState, Key
from gpu_wordle.game.values import INFEASIBLE

MAX_LOST = 64
"""Answers of the largest lost part by which an opener is refuted at the first try."""

LOST = INFEASIBLE // 2
"""Least gap that means that a state cannot be won in time."""

DEAR_SIZE = 20
"""Answers of a state that costs twice as much to write down as the smallest ones."""


class NotProvableError(Exception):
    """A claim is not true: some guess costs less."""


Gap = Callable[[CertifiedState], int]
"""Returns how much the bound of a state can rise."""

Closing = Sequence[tuple[CertifiedState, int]]
"""States that together close rows, each with the rise of its bound above the known one."""

Closer = Callable[[Row], Closing]
"""Returns parts that close a row; none if it fails."""


def price_of(spot: CertifiedState) -> float:
    """Estimate the cost of writing a state down: its own entry, and those that its rows need."""
    return 1 + (len(spot.answers) / DEAR_SIZE) ** 2


def choose(
    rows: Sequence[Row],
    closers: Sequence[Closer],
    advance: Callable[[int, int], None] = lambda done, total: None,
) -> Closing:
    """Return states that together close all rows, each row by the first closer that can.

    Again and again it takes the part that closes the most rows for its price. Calls ``advance``
    with the number of rows whose parts were searched. Raises NotProvableError if a row stays open.
    """
    places: dict[Key, int] = {}
    row_of: list[int] = []
    spots: list[CertifiedState] = []
    spot_of: list[int] = []
    gap_of: list[int] = []
    for number, row in enumerate(rows):
        advance(number, len(rows))
        for spot, gap in _closing(row, closers):
            place = places.setdefault(spot.key, len(spots))
            if place == len(spots):
                spots.append(spot)
            row_of.append(number)
            spot_of.append(place)
            gap_of.append(gap)
    return _covering(rows, spots, np.array(row_of), np.array(spot_of), np.array(gap_of))


def _closing(row: Row, closers: Sequence[Closer]) -> Closing:
    """Return what the first successful closer finds for a row.

    Raises NotProvableError if there is none.
    """
    for closer in closers:
        if closing := closer(row):
            return closing
    raise NotProvableError


def adding_up(gap: Gap, *, any_size: bool = False) -> Closer:
    """Make a closer that takes as many of the largest parts as suffice.

    With ``any_size`` it takes all parts, any of which may be chosen. Many small states take less
    work than few large ones, but each has to be searched first.
    """

    def close(row: Row) -> Closing:
        missing = row.missing
        closing: list[tuple[CertifiedState, int]] = []
        for spot in row.parts:
            by = gap(spot)
            if by > 0:
                closing.append((spot, by))
                missing -= by
                if missing <= 0 and not any_size:
                    break
        return closing if missing <= 0 else ()

    return close


def alone(gap: Gap, most: int | None = None) -> Closer:
    """Make a closer that takes the smallest part that suffices alone, such as a lost one.

    The part has at most ``most`` answers, if that is given.
    """

    def close(row: Row) -> Closing:
        for spot in reversed(row.parts):
            if most is not None and len(spot.answers) > most:
                break
            by = gap(spot)
            if by >= row.missing:
                return ((spot, by),)
        return ()

    return close


def _covering(
    rows: Sequence[Row],
    spots: Sequence[CertifiedState],
    row_of: np.ndarray,
    spot_of: np.ndarray,
    gap_of: np.ndarray,
) -> Closing:
    """Cover the rows greedily by raises of states, one pair of state and gap after another.

    Lost states are raised in full: to prove a state lost takes fewer entries than to prove that it
    costs more than the best known strategy.
    """
    missing = np.array([row.missing for row in rows], np.int64)
    price = np.array([price_of(spot) for spot in spots])
    chosen: list[tuple[CertifiedState, int]] = []
    is_free = np.ones(len(spots), np.bool_)
    while (missing > 0).any():
        gain = np.minimum(gap_of, missing[row_of]) * is_free[spot_of]
        benefit = np.bincount(spot_of, np.maximum(gain, 0), len(spots))
        best = int((benefit / price).argmax())
        mine = spot_of == best
        most = int(gap_of[mine].max())
        by = most if most >= LOST else int(gain[mine].max())
        chosen.append((spots[best], by))
        is_free[best] = False
        np.subtract.at(missing, row_of[mine], by)
    return chosen
