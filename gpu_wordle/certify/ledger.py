"""The ledger: states with lower bounds, each proved by those before it.

Made as needed, then shrunk.

A state is *proved* to cost a target when all its rows are closed. A row is closed when its parts
cost what it is missing, by their cheap bounds or by the ledger. The exact search tells how far the
bound of a part can rise. Nobody has to trust it: each raise is an entry, proved in the same way.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.certify.bounds import CheapBounds, Row
from gpu_wordle.certify.certified_state import CertifiedState, Key, start_of
from gpu_wordle.certify.raising import MAX_LOST, Closer, adding_up, alone, choose
from gpu_wordle.game.rule import Rule
from gpu_wordle.game.values import INFEASIBLE

Exact = Callable[[CertifiedState], int]
"""Returns the exact value of a state, counted from the turns made."""


Progress = Callable[[str, int, int], None]
"""Called with the name of the current step, the units done, and all units."""


@dataclass(frozen=True)
class Searches:
    """Exact searches that tell how far bounds can rise.

    Attributes:
        value: the exact value of a state.
        free: its value without a guess limit: found sooner, and never more. None if it is of no
            use.
        lost: INFEASIBLE if a state cannot be won in time, else less. None if openers are not to be
            refuted by lost states.
    """

    value: Exact
    free: Exact | None = None
    lost: Exact | None = None


@dataclass(frozen=True, eq=False)
class Entry:
    """A state of the ledger.

    Attributes:
        spot: the state.
        cheap: its cheap lower bound.
        by: how much its proved bound exceeds that.
        rows: the guesses that cheap bounds alone do not refute at the proved bound.
    """

    spot: CertifiedState
    cheap: int
    by: int
    rows: tuple[Row, ...]

    @property
    def bound(self) -> int:
        """The proved lower bound of the state."""
        return self.cheap + self.by


class Losses:
    """Lost states of one game, in which guesses never become legal again, and a search for them.

    A state is lost if it cannot be won in time. It is lost too if it has all answers of a lost
    state, and every guess that is legal in it is legal in that one (lemma 2 of
    docs/theory/certificates.md). So a few small lost states refute many guesses. A guess is legal
    if it agrees with all that was revealed: the less revealed, the more legal guesses.

    Args:
        answer_count: A, the number of answers of the game.
    """

    def __init__(self, answer_count: int) -> None:
        self._answer_count = answer_count
        self._by_first: dict[tuple[int, bytes], list[tuple[int, int, CertifiedState]]] = (
            defaultdict(list)
        )
        self._found: dict[Key, CertifiedState] = {}
        self._missed: set[Key] = set()

    def add(self, spot: CertifiedState) -> None:
        """Record that a state is lost."""
        self._by_first[int(spot.answers[0]), spot.key[-1:]].append((*self._sets(spot), spot))
        self._missed.clear()

    def inside(self, spot: CertifiedState) -> CertifiedState | None:
        """Return a lost state that proves this one lost, or None."""
        if spot.key in self._missed:
            return None
        found = self._found.get(spot.key) or next(self._all_inside(spot), None)
        if found is None:
            self._missed.add(spot.key)
        else:
            self._found[spot.key] = found
        return found

    def smallest_inside(self, spot: CertifiedState) -> CertifiedState:
        """Return the smallest lost state that proves this one lost.

        Returns the state itself if there is none.
        """
        return min(self._all_inside(spot), key=lambda each: len(each.answers), default=spot)

    def _all_inside(self, spot: CertifiedState) -> Iterator[CertifiedState]:
        """Yield all lost states that prove this one lost."""
        answers, revealed = self._sets(spot)
        for first in spot.answers.tolist():
            for its_answers, its_revealed, lost in self._by_first.get((first, spot.key[-1:]), ()):
                if not (its_answers & ~answers or its_revealed & ~revealed):
                    yield lost

    def _sets(self, spot: CertifiedState) -> tuple[int, int]:
        """Return the answers of a state and what was revealed, as bit sets."""
        is_here = np.zeros(self._answer_count, np.bool_)
        is_here[spot.answers] = True
        answers = int.from_bytes(np.packbits(is_here, bitorder="little").tobytes(), "little")
        return answers, int.from_bytes(spot.revealed.tobytes(), "little")


class Ledger:
    """Entries by state, made as they are needed.

    Args:
        bounds: the cheap bounds, which checkers compute themselves.
        searches: the exact searches.
    """

    def __init__(self, bounds: CheapBounds, searches: Searches) -> None:
        self.entries: dict[Key, Entry] = {}
        self._bounds = bounds
        value = partial(self._gap, searches.value, {})
        lost = partial(self._gap, searches.lost, {}) if searches.lost else value
        self._losing = (alone(lost),)
        self._usual: Sequence[Closer] = (adding_up(value),)
        self._first: Sequence[Closer] = self._usual
        if searches.free:
            free = partial(self._gap, searches.free, {})
            limited = alone(value), adding_up(value)
            self._usual = (adding_up(free), *limited)
            self._first = (adding_up(free, any_size=True), *limited)
        if searches.lost:
            self._first = (alone(lost, MAX_LOST), *self._first)
        game = bounds.game
        may_share = searches.lost and game.rule is not Rule.CANDIDATES and not bounds.is_by_form
        self._losses = Losses(game.answer_count) if may_share else None
        self._smallest: dict[Key, CertifiedState] = {}
        self._start: tuple[Row, ...] = ()

    def prove_start(self, targets: NDArray[np.int64], progress: Progress) -> None:
        """Prove lower bounds of all openers, int64[G]. The targets have to be true."""
        start = start_of(self._bounds.game)
        rows = self._bounds.rows(start, targets, partial(progress, "bounding openers"))
        self._start = self._closed(rows, self._first, self._losses, progress)

    def prove(self, spot: CertifiedState, bound: int) -> None:
        """Prove that a state costs at least ``bound``, which has to be true."""
        is_lost = bound >= INFEASIBLE
        closers, losses = (self._losing, self._losses) if is_lost else (self._usual, None)
        rows = self._closed(self._bounds.rows(spot, bound), closers, losses)
        cheap = self._bounds.of(spot)
        self.entries[spot.key] = Entry(spot, cheap, bound - cheap, rows)
        if losses is not None:
            losses.add(spot)

    def shrunk(self) -> list[Entry]:
        """Return the entries that are needed, each with the least bound that is needed.

        Children first.

        The largest states are lowered first, since no smaller state needs them. Each keeps the
        bound that the rows of larger states need. Lost states keep theirs, since they stand for
        others.
        """
        kept = dict(self.entries)
        holding: dict[Key, list[tuple[Key | None, Row]]] = {}
        for row in self._start:
            self._note(holding, None, self._by_smallest(row))
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
            if entry.bound < INFEASIBLE:
                kept[key] = replace(entry, by=min(entry.by, needed))
            for row in entry.rows:
                self._note(holding, key, self._by_smallest(row))
        return self._distinct(sorted(kept.values(), key=lambda entry: len(entry.spot.answers)))

    def _distinct(self, entries: list[Entry]) -> list[Entry]:
        """Return the entries, one for each state: that with the greatest bound.

        States with different revelations are equal if they have the same answers and legal guesses.
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

    def _closed(
        self,
        rows: Sequence[Row],
        closers: Sequence[Closer],
        losses: Losses | None = None,
        progress: Progress = lambda name, done, total: None,
    ) -> tuple[Row, ...]:
        """Add the entries that close rows.

        Returns the rows, each with the parts that it may rest on.

        With ``losses``, a row that has a lost part rests on that part alone.
        """
        rows = [_settled(row, losses) for row in rows]
        still = [row for row in map(self._with_ledger, rows) if row.missing > 0]
        raises = choose(still, closers, partial(progress, "choosing states")) if still else []
        goals = [(spot, self._known(spot) + by) for spot, by in raises]
        goals.sort(key=lambda goal: len(goal[0].answers))
        for done, (spot, bound) in enumerate(goals):
            progress("proving states", done, len(goals))
            is_lost = losses is not None and bound >= INFEASIBLE and losses.inside(spot)
            if self._known(spot) < bound and not is_lost:
                self.prove(spot, bound)
        return tuple(_settled(row, losses) for row in rows)

    def _by_smallest(self, row: Row) -> Row:
        """Return the row with a lost part replaced by the smallest state that shows it lost."""
        if self._losses is None or len(row.parts) != 1:
            return row
        part = row.parts[0]
        entry = self.entries.get(part.key)
        if entry is None or entry.bound < INFEASIBLE:
            return row
        if part.key not in self._smallest:
            self._smallest[part.key] = self._losses.smallest_inside(part)
        return replace(row, parts=(self._smallest[part.key],))

    def _with_ledger(self, row: Row) -> Row:
        """Return the row with what is missing after the raises of present entries."""
        raised = sum(self.entries[p.key].by for p in row.parts if p.key in self.entries)
        return replace(row, missing=row.missing - raised)

    def _known(self, spot: CertifiedState) -> int:
        """Return the best proved lower bound of a state."""
        entry = self.entries.get(spot.key)
        return self._bounds.of(spot) if entry is None else entry.bound

    def _gap(self, exact: Exact, values: dict[Key, int], spot: CertifiedState) -> int:
        """Return how much the bound of a state can rise; ``values`` caches the searches."""
        if self._bounds.is_settled(spot.turns):
            return 0
        value = values.get(spot.key)
        if value is None:
            value = values[spot.key] = exact(spot)
        return value - self._known(spot)

    def _note(
        self, holding: dict[Key, list[tuple[Key | None, Row]]], owner: Key | None, row: Row
    ) -> None:
        """Record the entries on which a row may rest."""
        for part in row.parts:
            if part.key in self.entries:
                holding.setdefault(part.key, []).append((owner, row))


def _settled(row: Row, losses: Losses | None) -> Row:
    """Return the row.

    If a part is known to be lost, it rests on the state that shows this alone.
    """
    if losses is None:
        return row
    for part in row.parts:
        lost = losses.inside(part)
        if lost is not None:
            return replace(row, parts=(lost,))
    return row
