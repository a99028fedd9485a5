"""States that many openers leave together, for certificates that count late answers.

A state has at least as many late answers as any of its parts (lemma 5 of
docs/theory/certificates.md). A bad opener leaves states with far more late answers than the claim
needs. So such a state is made smaller, as long as it keeps enough late answers, and so that as many
other openers as possible leave all of it together. It then refutes them too. Openers for which no
single state suffices need several of their own, and few of those are shared.

With two guesses left, one ply counts late answers exactly. So with three left no deeper states have
to be written down.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.certify.certificate import SetEntry
from gpu_wordle.certify.certified_state import CertifiedState
from gpu_wordle.certify.ledger import Entry
from gpu_wordle.certify.machine import count_keeping, fullest
from gpu_wordle.certify.raising import NotProvableError
from gpu_wordle.game.game import Game, Position, State
from gpu_wordle.game.values import INFEASIBLE
from gpu_wordle.solver.query import parts_of

Value = Callable[[Position, int], int]
"""Returns the value of a position if it is below the cutoff, else at least the cutoff."""

MIN_ALONE = 250
"""Answers of an opener's largest part. If it has fewer, it seldom suffices alone."""
MAX_FAILED_ALONE = 5
"""Smaller states that may fail before a state that suffices alone is kept as it is."""
MAX_FAILED_OF_SEVERAL = 4
"""Smaller states that may fail before a state that does not suffice alone is kept as it is."""
MIN_KEPT = 0.55
"""Least fraction of a state's answers that one step of making it smaller keeps."""
MAX_COMPARED = 250
"""Openers that are compared at once. Half of them leave the most of the state together."""
SEED = 1
"""Seed of the random choice of the other half."""


@dataclass(frozen=True, eq=False)
class _Part:
    """Answers that an opener leaves together.

    Attributes:
        answers: the answers, ascending.
        late: a lower bound on their late answers.
        known: the bound that entries for other openers give already.
    """

    answers: State
    late: int
    known: int

    @property
    def gain(self) -> int:
        """Late answers beyond the known ones."""
        return self.late - self.known


class Sharing:
    """States after the first guess that refute openers.

    Args:
        game: a game in which each late answer costs one, and all guesses are legal.
        value: the search: the value of a position, or at least the cutoff.
        openers: the openers to refute.
        goal: the late answers that each opener is claimed to have at least.
    """

    def __init__(self, game: Game, value: Value, openers: NDArray[np.intp], goal: int) -> None:
        self._game = game
        self._value = value
        self._goal = goal
        self._patterns = game.patterns.values
        self._bins = game.patterns.pattern_count
        self._known: dict[int, dict[int, int]] = defaultdict(dict)
        self._is_open = np.zeros(game.guess_count, np.bool_)
        self._is_open[openers] = goal > 0
        self._entries: list[Entry | SetEntry] = []
        self._draw = np.random.default_rng(SEED)

    def refuting(self, advance: Callable[[int, int], None]) -> list[Entry | SetEntry]:
        """Return entries that refute all openers; NotProvableError if one has fewer late answers.

        Calls ``advance`` with the number of openers refuted so far.
        """
        openers = np.flatnonzero(self._is_open).astype(np.int32)
        largest, _ = self._fullest(self._game.root(), openers)
        order = np.argsort(largest, kind="stable")
        alone = openers[order][largest[order] >= MIN_ALONE].tolist()
        for guesses, refute in (alone, self._by_one), (openers[order].tolist(), self._by_several):
            for guess in guesses:
                if self._is_open[guess]:
                    refute(guess)
                    advance(len(openers) - int(self._is_open.sum()), len(openers))
        return self._entries

    def _by_one(self, opener: int) -> None:
        """Refute an opener by its largest part, if that suffices."""
        part = self._parts(opener)[0]
        if self._late(part, self._goal) >= self._goal:
            self._enter(self._shared(part, self._goal, MAX_FAILED_ALONE), self._goal)

    def _by_several(self, opener: int) -> None:
        """Refute an opener by as few parts as suffice, with no higher bounds than needed."""
        needed: list[_Part] = []
        bounds = self._known[opener]
        late = sum(bounds.values())
        for answers in self._parts(opener):
            known = bounds.get(int(self._patterns[answers[0], opener]), 0)
            part = _Part(answers, self._late(answers, self._goal), known)
            if part.gain > 0:
                needed.append(part)
                late += part.gain
            if late >= self._goal:
                break
        else:
            raise NotProvableError
        needed.sort(key=lambda part: part.gain)
        while late - needed[0].gain >= self._goal:
            late -= needed.pop(0).gain
        asked = [part.late for part in needed]
        asked[-1] -= late - self._goal  # less than any gain, so that the bound stays positive
        for part, bound in zip(reversed(needed), reversed(asked), strict=True):
            self._enter(self._shared(part.answers, bound, MAX_FAILED_OF_SEVERAL), bound)

    def _parts(self, guess: int) -> list[State]:
        """Return the parts that a first guess leaves, the largest first."""
        return sorted(parts_of(self._game, self._game.root(), guess), key=len, reverse=True)

    def _late(self, answers: State, enough: int) -> int:
        """Return the late answers of a state after the first guess, or at least ``enough``.

        One thread searches at a time, since each question depends on the last answer.
        """
        position = CertifiedState(answers, self._game.traits.nothing(), (0,), b"").bare(self._game)
        late = self._value(position, enough)
        if late >= INFEASIBLE:  # by the solver's own limit, which the tariff does not have
            raise NotProvableError
        return min(late, enough)

    def _fullest(
        self, answers: State, guesses: NDArray[np.int32]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return for each guess the size of its largest part, and the pattern of that part."""
        sizes, shown = np.empty((2, len(guesses)), np.int64)
        fullest(self._patterns, self._bins, answers, guesses, sizes, shown)
        return sizes, shown

    def _shared(self, state: State, bound: int, tries: int) -> State:
        """Return a smaller state of at least ``bound`` that more open openers leave together."""
        failed: set[int] = set()
        while True:
            openers = np.flatnonzero(self._is_open).astype(np.int32)
            sizes, shown = self._fullest(state, openers)
            is_tried = np.isin(openers, list(failed))
            is_fit = (sizes < len(state)) & (sizes >= MIN_KEPT * len(state)) & ~is_tried
            compared = self._compared(np.flatnonzero(is_fit), sizes)
            smaller = [state[self._patterns[state, openers[k]] == shown[k]] for k in compared]
            for k in self._by_use(len(state), smaller, openers):
                if self._late(smaller[k], bound) >= bound:
                    state = smaller[k]
                    break
                failed.add(int(openers[compared[k]]))
                if len(failed) >= tries:
                    return state
            else:
                return state

    def _compared(self, fit: NDArray[np.intp], sizes: NDArray[np.int64]) -> NDArray[np.intp]:
        """Choose at most MAX_COMPARED of the openers by which a state may be made smaller."""
        if len(fit) <= MAX_COMPARED:
            return fit
        half = MAX_COMPARED // 2
        fit = fit[np.argsort(-sizes[fit], kind="stable")]
        return np.concatenate([fit[:half], self._draw.choice(fit[half:], half, replace=False)])

    def _by_use(self, size: int, smaller: list[State], openers: NDArray[np.int32]) -> list[int]:
        """Order smaller states: first those that refute many openers for few answers left out."""
        if not smaller:
            return []
        sizes = np.array([len(state) for state in smaller], np.int64)
        padded = np.zeros((len(smaller), int(sizes.max())), np.uint16)
        for row, state in zip(padded, smaller, strict=True):
            row[: len(state)] = state
        refuted = np.empty(len(smaller), np.int64)
        count_keeping(self._patterns, padded, sizes, openers, refuted)
        use = (refuted - 1) / (1.0 + (size - sizes))
        order: list[int] = np.argsort(-use, kind="stable").tolist()
        return order

    def _enter(self, state: State, bound: int) -> None:
        """Record a state and its bound for each opener that leaves it together."""
        rows = self._patterns[state]
        keeping = np.flatnonzero((rows == rows[0]).all(axis=0))
        shown = rows[0, keeping]
        whole = None
        for guess, pattern in zip(keeping.tolist(), shown.tolist(), strict=True):
            bounds = self._known[guess]
            bounds[pattern] = max(bound, bounds.get(pattern, 0))
            self._is_open[guess] &= sum(bounds.values()) < self._goal
            if whole is None and (self._patterns[:, guess] == pattern).sum() == len(state):
                whole = guess
        if whole is None:
            self._entries.append(SetEntry(state, 1, bound))
        else:
            spot = CertifiedState(state, self._game.traits.nothing(), (whole,), b"")
            self._entries.append(Entry(spot, 0, bound, ()))
