"""Beam search: exact search restricted to the best guesses of a base rule in every state.

It serves games that are too large to solve. Three techniques save work, and change no result:

- Bounds. A state of m answers has a total of at least 2m - 1: one answer takes one guess, each
  other at least two. So each guess has a lower bound, and the search skips those above a known
  value.
- Memory. The result of a state is kept and used again, for other openers too.
- Batches. Many states are ranked and split at a time.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.strategies.play import MAX_TURNS, Split, expand
from gpu_wordle.strategies.positions import Positions
from gpu_wordle.strategies.strategy import Greedy
from gpu_wordle.tunables import SCORED_PAIRS

MAX_REMEMBERED = 2_000_000
"""Most states kept; when they are full, all are forgotten."""

Found = tuple[NDArray[np.int64], NDArray[np.int32]]
"""The least total of each state, int64[B], and the guess that reaches it, int32[B]."""


@dataclass(frozen=True)
class Beam:
    """Exact search restricted to the best guesses of a base rule in every state.

    A strategy reaches its total. So the total is an upper bound on the optimum. Ties go to the
    guess that the base rule ranks first. The guess limit is ignored.

    Attributes:
        base: ranks guesses by the answers left and the legal guesses. Except for
            ``last_candidate``, the turn must not matter.
        width: number of guesses searched in each state.
    """

    base: Greedy
    width: int
    _known: dict[bytes, tuple[int, int]] = field(default_factory=dict, repr=False, compare=False)

    recalls_turns = False

    @property
    def name(self) -> str:
        """Its name in tables and files."""
        return f"beam:{self.base.name}:{self.width}"

    def choose(self, positions: Positions) -> NDArray[np.int32]:
        """Implements ``Strategy.choose``."""
        return self._solve(positions)[1]

    def _solve(self, positions: Positions) -> Found:
        """Return the least total and best guess of each state of a batch of distinct states."""
        total, guess, is_known = self._look_up(positions)
        is_open = np.flatnonzero(~is_known)
        for places in np.array_split(is_open, self._batches(positions, is_open)):
            some = positions.take(places)
            total[places], guess[places] = found = self._search(some)
            self._remember(some, found)
        return total, guess

    def _batches(self, positions: Positions, places: NDArray[np.intp]) -> int:
        """Return the number of batches that states make, so that all parts fit in memory."""
        entries = self.width * int(positions.states.sizes[places].sum())
        return min(len(places), 1 + entries // SCORED_PAIRS) or 1

    def _search(self, positions: Positions) -> Found:
        """Return the least total and best guess of unknown states of three answers or more.

        Repeat for all states at once: take the guess of the least bound, and solve its children. If
        they are all known, the bound is the guess's exact total. No other guess has a lower bound,
        so it is the best.
        """
        if len(positions) == 0:
            return np.empty(0, np.int64), np.empty(0, np.int32)
        ranked = self.base.ranked(positions, self.width)
        row, column = np.nonzero(ranked >= 0)
        begins = np.flatnonzero(np.diff(row, prepend=-1))
        asked, guess = positions.take(row), ranked[row, column]
        split, following, child = expand(asked, guess, is_merged=True)
        below, _, is_known = self._look_up(following)
        is_vain = self._is_vain(asked, split, following, child)
        never = MAX_TURNS * positions.states.sizes[row]
        while True:
            positions.raise_if_stopped()
            summed = np.bincount(split.parent, weights=below[child], minlength=len(row))
            bound = np.where(is_vain, never, asked.states.sizes + summed.astype(np.int64))
            best = _first_of_least(bound, row, begins)
            is_wanted = np.zeros(len(row), np.bool_)
            is_wanted[best] = ~is_vain[best]
            needed = np.unique(child[is_wanted[split.parent] & ~is_known[child]])
            if len(needed) == 0:
                return bound[best], guess[best]
            below[needed] = self._solve(following.take(needed))[0]
            is_known[needed] = True

    def _is_vain(
        self, asked: Positions, split: Split, following: Positions, child: NDArray[np.int32]
    ) -> NDArray[np.bool_]:
        """Return the guesses that leave the state as it is, bool[R]; they would recurse forever."""
        before, after = self._keys(asked), self._keys(following)
        result = np.zeros(len(asked), np.bool_)
        result[split.parent[before[split.parent] == after[child]]] = True
        return result

    def _look_up(self, positions: Positions) -> tuple[*Found, NDArray[np.bool_]]:
        """Return totals and guesses, [B], and which states are known.

        For unknown states the total is a lower bound.
        """
        sizes = positions.states.sizes
        total, guess = 2 * sizes.astype(np.int64) - 1, positions.first_guesses
        is_known = sizes <= 2
        is_open = np.flatnonzero(~is_known)
        for b, key in zip(is_open.tolist(), self._keys(positions)[is_open].tolist(), strict=True):
            found = self._known.get(key)
            if found is not None:
                total[b], guess[b] = found
                is_known[b] = True
        return total, guess, is_known

    def _remember(self, positions: Positions, found: Found) -> None:
        if len(self._known) + len(positions) > MAX_REMEMBERED:
            self._known.clear()
        values = zip(found[0].tolist(), found[1].tolist(), strict=True)
        self._known.update(zip(self._keys(positions).tolist(), values, strict=True))

    def _keys(self, positions: Positions) -> NDArray[np.void]:
        """Return each key in ``_known``, [B]: the bytes that determine the guess of a position."""
        columns = [positions.states.keys]
        if positions.game.rule.is_constrained:
            columns.append(positions.revealed)
        if self.base.choice.last_candidate:
            limit = positions.game.objective.max_guesses or 0
            turn = min(positions.turns_made, limit)
            columns.append(np.full((len(positions), 1), turn, np.uint64))
        rows = np.ascontiguousarray(np.concatenate(columns, axis=1))
        return rows.view(np.dtype((np.void, rows.itemsize * rows.shape[1])))[:, 0]


def _first_of_least(
    values: NDArray[np.int64], row: NDArray[np.intp], begins: NDArray[np.intp]
) -> NDArray[np.intp]:
    """Return the index of the first least value of each row.

    ``values`` holds one row after another.
    """
    is_least = values == np.minimum.reduceat(values, begins)[row]
    places = np.flatnonzero(is_least)
    return places[np.searchsorted(places, begins)]
