"""The ledger: states with lower bounds, each proved by those before it; made by need, then shrunk.

A state is *proved* to cost a target when every row of it is closed. A row is closed when its parts
cost what it is missing, by their cheap bounds or by the ledger. The exact search tells how far the
bound of a part can be raised. It is never trusted: a raise is an entry, proved in the same way.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.certify.bounds import CheapBounds, Row
from gpu_wordle.certify.raising import choose
from gpu_wordle.certify.spot import Key, Spot, start_of

Exact = Callable[[Spot], int]
"""The exact value of a state, counted from the turns made."""


@dataclass(frozen=True, eq=False)
class Entry:
    """A state of the ledger.

    Attributes:
        spot: the state.
        cheap: what cheap bounds say of it.
        by: by how much it costs more, at least.
        rows: the guesses that cheap bounds alone do not refute for that cost.
    """

    spot: Spot
    cheap: int
    by: int
    rows: tuple[Row, ...]

    @property
    def bound(self) -> int:
        """What the state costs at least."""
        return self.cheap + self.by


class Ledger:
    """Entries, made as they are needed.

    Args:
        bounds: what checkers find out by themselves.
        exact: the search.
    """

    def __init__(self, bounds: CheapBounds, exact: Exact) -> None:
        self.entries: dict[Key, Entry] = {}
        self._bounds = bounds
        self._exact = exact
        self._values: dict[Key, int] = {}
        self._start: tuple[Row, ...] = ()

    def prove_start(
        self,
        targets: NDArray[np.int64],
        advance: Callable[[int, int], None],
        advance_raised: Callable[[int, int], None],
    ) -> None:
        """Prove what every opener costs, int64[G]; the targets have to be true.

        ``advance`` hears of openers whose cheap bounds were found, ``advance_raised`` of parts
        after them that were proved.
        """
        self._start = tuple(self._bounds.rows(start_of(self._bounds.game), targets, advance))
        self._close(self._start, advance_raised)

    def prove(self, spot: Spot, bound: int) -> None:
        """Prove that a state costs ``bound`` at least, which has to be true."""
        rows = tuple(self._bounds.rows(spot, bound))
        self._close(rows)
        cheap = self._bounds.of(spot)
        self.entries[spot.key] = Entry(spot, cheap, bound - cheap, rows)

    def shrunk(self) -> list[Entry]:
        """The entries that are needed, each with the least bound that is needed; children first.

        The largest states go first, since nothing that is smaller needs them. Each keeps what the
        rows of larger ones lack without it.
        """
        kept = dict(self.entries)
        holding: dict[Key, list[tuple[Key | None, Row]]] = {}
        for row in self._start:
            self._note(holding, None, row)
        order = sorted(self.entries.values(), key=lambda entry: -len(entry.spot.answers))
        for entry in order:
            key = entry.spot.key
            needed = 0
            for owner, row in holding.get(key, ()):
                missing = row.missing
                if owner is not None:
                    if owner not in kept:
                        continue
                    missing -= self.entries[owner].by - kept[owner].by
                others = sum(
                    kept[part.key].by for part in row.parts if part.key in kept and part.key != key
                )
                needed = max(needed, missing - others)
            if needed <= 0:
                del kept[key]
                continue
            kept[key] = replace(entry, by=min(entry.by, needed))
            for row in entry.rows:
                self._note(holding, key, row)
        return self._distinct(sorted(kept.values(), key=lambda entry: len(entry.spot.answers)))

    def _distinct(self, entries: list[Entry]) -> list[Entry]:
        """The entries without those that say less of the same state.

        What was revealed may differ, and yet leave the same guesses legal.
        """
        if not self._bounds.game.rule.is_constrained:
            return entries
        best: dict[tuple[bytes, ...], Entry] = {}
        for entry in entries:
            legal = np.sort(self._bounds.legal(entry.spot))
            state = entry.spot.answers.tobytes(), legal.tobytes(), entry.spot.key[-1:]
            if state not in best or best[state].bound < entry.bound:
                best[state] = entry
        kept = {entry.spot.key for entry in best.values()}
        return [entry for entry in entries if entry.spot.key in kept]

    def _close(
        self,
        rows: Sequence[Row],
        advance: Callable[[int, int], None] = lambda done, total: None,
    ) -> None:
        """Add the entries that close rows."""
        still = [row for row in (self._with_ledger(row) for row in rows) if row.missing > 0]
        raises = choose(still, self._gap) if still else []
        goals = [(each.spot, self._known(each.spot) + each.by) for each in raises]
        goals.sort(key=lambda goal: len(goal[0].answers))
        for done, (spot, bound) in enumerate(goals):
            advance(done, len(goals))
            if self._known(spot) < bound:
                self.prove(spot, bound)

    def _with_ledger(self, row: Row) -> Row:
        """What is missing in a row beside the entries that there are."""
        raised = sum(self.entries[p.key].by for p in row.parts if p.key in self.entries)
        return replace(row, missing=row.missing - raised)

    def _known(self, spot: Spot) -> int:
        """The best bound on a state that is proved."""
        entry = self.entries.get(spot.key)
        return self._bounds.of(spot) if entry is None else entry.bound

    def _gap(self, spot: Spot) -> int:
        """By how much the bound of a state can be raised."""
        if self._bounds.is_settled(spot.turns):
            return 0
        value = self._values.get(spot.key)
        if value is None:
            value = self._values[spot.key] = self._exact(spot)
        return value - self._known(spot)

    def _note(
        self, holding: dict[Key, list[tuple[Key | None, Row]]], owner: Key | None, row: Row
    ) -> None:
        """Put down which entries a row may rest on."""
        for part in row.parts:
            if part.key in self.entries:
                holding.setdefault(part.key, []).append((owner, row))
