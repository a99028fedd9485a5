"""Proof of the best guess of a position: every other one is refuted against it.

A guess is refuted when a lower bound on its value exceeds the best value known. The cheapest bound
goes first: by the sizes of its parts; by one-ply bounds of the parts; by search.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from functools import partial
from itertools import chain
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.game.game import Position
from gpu_wordle.game.objective import Aim
from gpu_wordle.game.values import INFEASIBLE
from gpu_wordle.solver.orbits import GuessOrbits
from gpu_wordle.solver.pool import SolverPool, by_letters
from gpu_wordle.solver.result import SearchStats, SolveResult
from gpu_wordle.solver.solver import Solver
from gpu_wordle.tunables import FIRST_PROVED


class Fate(IntEnum):
    """The result of a guess in a proof."""

    OPEN = 0  # the proof was stopped before it came to a result
    OPTIMAL = 1  # it reaches the value
    BY_SIZES = 2  # refuted by the sizes of its parts
    BY_ONE_PLY = 3  # refuted by one-ply bounds of its parts, and what the table knew of them
    BY_SEARCH = 4  # refuted by search
    ILLEGAL = 5  # forbidden by the rule of the game
    EARLIER = 6  # refuted by an earlier run, of which a file keeps the bound


@dataclass(frozen=True, eq=False)
class Proof:
    """Which guesses are best in a position, and why the others are not.

    Attributes:
        total: the least value of any guess; if the proof is not complete, the best one found.
        best: the guesses that reach it, candidates first, then by index; where ties go to the lower
            worst case, those of the lowest.
        lower: int64[G], proven lower bound of each guess.
        fate: uint8[G], a Fate for each guess.
    """

    total: int
    best: tuple[int, ...]
    lower: NDArray[np.int64]
    fate: NDArray[np.uint8]

    @property
    def is_complete(self) -> bool:
        """True if no guess is left open."""
        return not (self.fate == Fate.OPEN).any()

    @property
    def least(self) -> int:
        """Proven lower bound of the least value; it is the total if the proof is complete."""
        allowed = self.lower[self.fate != Fate.ILLEGAL]
        return min(self.total, int(allowed.min(initial=self.total)))

    def count(self, fate: Fate) -> int:
        """How many guesses have this fate."""
        return int((self.fate == fate).sum())


class Incumbent:
    """The best value known, which workers share; a stale one that they read costs time only.

    Attributes:
        value: that value; INFEASIBLE - 1 before one is known.
    """

    def __init__(self, value: int = INFEASIBLE - 1) -> None:
        self.value = value
        self._offering = Lock()

    @property
    def goal(self) -> int:
        """The lower bound that refutes a guess."""
        return self.value + 1

    def offer(self, value: int) -> None:
        """Take over a value if it is better."""
        with self._offering:
            self.value = min(self.value, value)


Progress = Callable[[int, Fate, int], None]
"""Called with guess, fate and lower bound as each guess is settled; a fate may change to BY_SEARCH
when a better guess is found."""


def prove(pool: SolverPool, position: Position, *, progress: Progress | None = None) -> Proof:
    """Find and prove the best guesses of a position.

    The most promising guesses are tried in the order of the search, so the first is a good
    incumbent. The others come in the order of their letters, since what refutes one of them helps
    with the next. Each is searched only as far as it takes to show that it is worse than the best
    one found so far. A result holds for all guesses to which symmetries map its guess.

    The guesses are those of ``Position.choices``, which the rule allows. So the value is that of
    ``Solver.solve`` without a guess.
    """
    root_moves = pool.root_moves(position)
    count = len(root_moves.bound)
    lower = root_moves.bound.astype(np.int64)
    fate = np.full(count, Fate.OPEN, dtype=np.uint8)
    incumbent = Incumbent()

    def offer(found: tuple[SolveResult, Fate]) -> None:
        """What a worker has found is known before it begins another guess."""
        result, how = found
        if how is Fate.OPTIMAL:
            incumbent.offer(result.lower)

    legal = position.choices
    fate[~legal] = Fate.ILLEGAL
    kinds = GuessOrbits.of(position, root_moves.order[legal[root_moves.order]].tolist())
    others = by_letters(pool.game, kinds.firsts[FIRST_PROVED:])
    prepared = pool.prepared(position, others, lambda: incumbent.goal)
    ask = partial(attempt, max_parts=root_moves.max_parts)
    settled = (
        pool.each(ask, position, guesses, lambda: incumbent.goal, offer, fingerprint)
        for guesses in (kinds.firsts[:FIRST_PROVED], prepared)
    )
    for tried, (result, how) in chain.from_iterable(settled):
        # A better value may have been found while this guess was searched.
        is_beaten = how is Fate.OPTIMAL and result.lower > incumbent.value
        for guess in kinds.members(tried):
            lower[guess] = max(lower[guess], result.lower)
            fate[guess] = Fate.BY_SEARCH if is_beaten else how
            if progress:
                progress(guess, Fate(fate[guess]), result.lower)
    best = incumbent.value
    # Some were optimal against an incumbent that was beaten since.
    fate[(fate == Fate.OPTIMAL) & (lower > best)] = Fate.BY_SEARCH
    winners = sorted(
        np.flatnonzero(fate == Fate.OPTIMAL).tolist(),
        key=lambda g: (not root_moves.is_candidate[g], g),
    )
    if pool.game.objective.aim is Aim.MEAN_WORST and len(winners) > 1:
        results = pool.solve_guesses(position, winners, tree=True)
        worst = {guess: result.worst for guess, result in results if result.worst is not None}
        winners = [g for g in winners if worst.get(g) == min(worst.values(), default=None)]
    return Proof(best, tuple(winners), lower, fate)


def attempt(
    solver: Solver,
    position: Position,
    guess: int,
    cutoff: int,
    *,
    max_parts: int,
    tree: bool = False,
) -> tuple[SolveResult, Fate]:
    """Bound a guess, and search it if bounds do not refute it; returns the result and its fate.

    The result is the value if that is below the cutoff. ``max_parts`` bounds the parts that any
    guess makes of the state; ``tree`` asks for a strategy if the value is found.
    """
    bounded = bound(solver, position, guess, cutoff, max_parts=max_parts)
    if bounded[1] is not Fate.OPEN:
        return bounded
    result = solver.solve(position, guess, cutoff=cutoff, tree=tree, max_parts=max_parts)
    if result.is_exact:
        return result, Fate.OPTIMAL
    return result, Fate.BY_SEARCH if result.lower >= cutoff else Fate.OPEN


def bound(
    solver: Solver, position: Position, guess: int, cutoff: int, *, max_parts: int
) -> tuple[SolveResult, Fate]:
    """Bound a guess without search, up to the cutoff; the result and its fate, perhaps OPEN."""
    by_sizes, by_bounds = solver.bound(position, guess, cutoff, max_parts)
    how = Fate.BY_SIZES if by_sizes >= cutoff else Fate.BY_ONE_PLY
    lower = max(by_sizes, by_bounds)
    result = SolveResult(lower, INFEASIBLE, None, None, SearchStats())
    return result, how if lower >= cutoff else Fate.OPEN


def fingerprint(found: tuple[SolveResult, Fate, *tuple[object, ...]]) -> object | None:
    """The value of a guess, where it was found: every machine finds the same."""
    result, fate, *_ = found
    return result.lower if fate is Fate.OPTIMAL else None
