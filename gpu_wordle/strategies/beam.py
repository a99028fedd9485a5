"""Exact search that looks only at the best guesses by a base rule in every state.

For games that are too large to solve. Three things spare work, and change no result:

- Bounds. A state of m answers needs 2m - 1 guesses at least: one finds an answer, the next each
  other one. So a guess has a bound, and those whose bound is above a known value are left alone.
- Memory. What was found of a state holds wherever it is met again, from other openers, too.
- Batches. States are ranked and split many at a time.
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
"""States; beyond them all are forgotten, so that memory has an end."""

Found = tuple[NDArray[np.int64], NDArray[np.int32]]
"""The least total of each state, and the guess that reaches it, [B] each."""


@dataclass(frozen=True)
class Beam:
    """Exact search that looks only at the best guesses by a base rule in every state.

    The total that it finds is that of a strategy, and so an upper bound on the optimum. Of equal
    guesses the one that the base rule ranks first is played. The guess limit is left aside.

    Attributes:
        base: what ranks guesses: by the answers left and the legal guesses, not by the turn, but
            for ``last_candidate``.
        width: how many of the best are looked at.
    """

    base: Greedy
    width: int
    _known: dict[bytes, tuple[int, int]] = field(default_factory=dict, repr=False, compare=False)

    recalls_turns = False

    @property
    def name(self) -> str:
        """What tables call it."""
        return f"beam:{self.base.name}:{self.width}"

    def choose(self, positions: Positions) -> NDArray[np.int32]:
        """See Strategy."""
        return self._solve(positions)[1]

    def _solve(self, positions: Positions) -> Found:
        """The least total of each state of a batch in which each stands once."""
        total, guess, is_known = self._look_up(positions)
        is_open = np.flatnonzero(~is_known)
        for places in np.array_split(is_open, self._batches(positions, is_open)):
            some = positions.take(places)
            total[places], guess[places] = found = self._search(some)
            self._remember(some, found)
        return total, guess

    def _batches(self, positions: Positions, places: NDArray[np.intp]) -> int:
        """Into how many batches states go, so that their parts by all guesses fit in memory."""
        entries = self.width * int(positions.states.sizes[places].sum())
        return min(len(places), 1 + entries // SCORED_PAIRS) or 1

    def _search(self, positions: Positions) -> Found:
        """The same of states of three answers or more that are not known.

        Each of them takes its guess of the least bound and has the states solved that follow, until
        those of the guess of the least bound are all known. Then the bound is its total, and no
        other guess has a lower one.
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
        """Which guesses leave everything as it was, so that they would be asked for ever, [R]."""
        before, after = self._keys(asked), self._keys(following)
        result = np.zeros(len(asked), np.bool_)
        result[split.parent[before[split.parent] == after[child]]] = True
        return result

    def _look_up(self, positions: Positions) -> tuple[*Found, NDArray[np.bool_]]:
        """Totals and guesses of the states that are known, and which are; of others a bound."""
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
        """What the guess of each position depends on, as bytes, [B]."""
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
    """The place of the first least value of each row; rows are contiguous."""
    is_least = values == np.minimum.reduceat(values, begins)[row]
    places = np.flatnonzero(is_least)
    return places[np.searchsorted(places, begins)]
