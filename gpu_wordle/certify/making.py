"""Makes a certificate of what the exact search has found.

A claim is first tried without a guess limit, if that says more and takes fewer words: then a state
costs the same on every turn. Where the limit matters, most openers cost enough without it. They are
refuted without it, since that search is faster. A state that cannot be won in time is proved by one
small part.

That no opener finds more answers within four guesses is certified alone, without the number of
guesses: then openers share states.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.certify.bounds import CheapBounds, StoppedError
from gpu_wordle.certify.certificate import (
    MAX_PRICED_TURNS,
    Certificate,
    Claim,
    SetEntry,
    feedback_name,
    paths_of,
)
from gpu_wordle.certify.certified_state import CertifiedState
from gpu_wordle.certify.cores import LEFT_COUNTED, Cores
from gpu_wordle.certify.ledger import Entry, Ledger, Progress, Searches
from gpu_wordle.certify.raising import NotProvableError
from gpu_wordle.certify.sharing import Sharing
from gpu_wordle.certify.turn_prices import TurnPrices
from gpu_wordle.errors import JobError, UserError
from gpu_wordle.game.forms import Forms
from gpu_wordle.game.game import Game, Position
from gpu_wordle.game.objective import MAX_GUESS_LIMIT, Aim, Objective
from gpu_wordle.game.rule import Rule
from gpu_wordle.game.symmetry import Symmetry
from gpu_wordle.game.values import INFEASIBLE
from gpu_wordle.solver import Solver, SolverPool
from gpu_wordle.states.tree import DecisionTree


def few(symmetry: Symmetry) -> NDArray[np.int32]:
    """Return few symmetries of a group, int32[k, G], with the same orbits as the group.

    A checker verifies each symmetry that is written down, and uses only their orbits. So few
    symmetries are enough (lemma 7 of docs/theory/certificates.md). The product of all generators
    comes first, since it moves the most.
    """
    if symmetry.is_trivial:
        return symmetry.generators
    product = np.arange(symmetry.generators.shape[1], dtype=np.int32)
    for generator in symmetry.generators:
        product = generator[product]
    chosen = Symmetry(product[np.newaxis])
    for generator in symmetry.generators:
        more = Symmetry(np.vstack([chosen.generators, generator]))
        if not np.array_equal(more.orbits, chosen.orbits):
            chosen = more
    return chosen.generators


def stand_ins(start: Position, opener: int | None) -> NDArray[np.int64]:
    """Return the guesses to prove, so that all guesses but the opener have one bound, int64[K].

    The opener stands for its own orbit; the first guess of the list for each other orbit.
    """
    legal, orbits = start.choices.copy(), start.game.symmetry.orbits
    if opener is None:
        return np.unique(orbits[legal])
    legal[opener] = False
    firsts = orbits[legal]
    return np.unique(np.where(firsts == orbits[opener], opener, firsts))


COUNTED = LEFT_COUNTED + 3
"""First turn on which an answer is late, where late answers are counted."""

MakePool = Callable[[Game], AbstractContextManager[SolverPool]]
"""Makes the solvers of a game, as a context manager that ends them."""


@dataclass(frozen=True, eq=False)
class Found:
    """What a search has found about a game from its start.

    Attributes:
        opener: the guess whose value is to be certified; None for none.
        value: its value, or the least of any guess, by the game's own objective.
        others: True if no other guess has a lower value; None if that is not to be certified.
        is_alone: True if all other guesses have greater values.
        tree: a strategy of that value, if there is one.
    """

    opener: int | None
    value: int
    others: bool
    is_alone: bool
    tree: DecisionTree | None


def check_certifiable(position: Position) -> None:
    """Raise UserError if a position cannot be certified."""
    feedback_name(position.game)
    objective = position.game.objective
    if max(objective.max_guesses or 0, objective.within or 0) > MAX_PRICED_TURNS:
        raise UserError(
            f"a certificate lists the prices of at most {MAX_PRICED_TURNS} turns; "
            "give fewer guesses, or "
            "0 for no limit"
        )
    if not position.is_start:
        raise UserError("a certificate is of a game from its start; leave --state out")


def certify(
    game: Game,
    found: Found,
    make_pool: MakePool,
    progress: Progress = lambda name, done, total: None,
) -> Certificate | None:
    """Return a certificate of what was found; None after a stop.

    Raises JobError if what was found is not true.
    """
    for lower_game, claim, tariff in _theorems(game, found):
        try:
            with ExitStack() as stack:
                pool = stack.enter_context(make_pool(lower_game))
                _check_opener(pool, claim)
                searches = _searches(
                    pool, claim, tariff, lambda game: stack.enter_context(make_pool(game))
                )
                ledger, is_by_form = _ledger(pool, searches, claim, tariff, progress)
        except StoppedError:
            return None
        except NotProvableError:  # the guess limit matters
            continue
        paths = None if found.tree is None else paths_of(found.tree, game)
        symmetries = None if is_by_form else few(lower_game.symmetry)[: None if found.others else 0]
        return Certificate(lower_game, tariff, claim, symmetries, paths, ledger)
    raise JobError("the search claims what cannot be proved; please report this")


def _theorems(game: Game, found: Found) -> Iterator[tuple[Game, Claim, TurnPrices]]:
    """Yield the claims to try, each with its game and its prices.

    The first says the most. Only late answers that are counted alone come before it.
    """
    objective = game.objective
    above = found.value + found.is_alone
    claim = Claim(found.opener, found.value, above if found.others else None)
    if found.value >= INFEASIBLE:
        won = game.to_win()
        yield won, claim, TurnPrices.of(won)
        return
    if objective.aim is Aim.WORST:
        turns = found.value // game.prices.scale
        costs = (0,) * (turns - 1) + (1,)
        priced = replace(game, objective=Objective(turns, Aim.COST, costs=costs))
        yield priced, Claim(found.opener, 1, 1 if found.others else None), TurnPrices.of(priced)
        return
    if objective.aim in (Aim.MEAN, Aim.MEAN_WORST):
        free = game.without_limit()
        yield free, claim, TurnPrices.of(free)
        if objective.max_guesses is None:
            return
    counted = counting_game(game)
    late = game.prices.score(found.value, game.answer_count, 0).late
    if counted is not None and found.others and late:
        yield (
            counted,
            Claim(found.opener, late, late),
            TurnPrices(counted.prices.by_turn[:COUNTED], 1),
        )
    yield _by_prices(game), claim, TurnPrices.of(game)


def counting_game(game: Game) -> Game | None:
    """Return the game in which each late answer costs one; None if openers cannot share states."""
    objective = game.objective
    is_plain = game.rule is Rule.NORMAL and objective.weights is None and Forms.of(game) is None
    if not (is_plain and objective.aim is Aim.WITHIN and objective.within == COUNTED - 1):
        return None
    costs = tuple(int(turn >= COUNTED) for turn in range(1, MAX_GUESS_LIMIT + 1))
    return replace(game, objective=Objective(len(costs), Aim.COST, costs=costs))


def _by_prices(game: Game) -> Game:
    """Return the game by prices. Its solver takes queries on every turn.

    A limit of WITHIN is dropped.
    """
    if game.objective.aim is not Aim.WITHIN:
        return game
    costs, weights = game.prices.by_turn, game.objective.weights
    return replace(game, objective=Objective(len(costs), Aim.COST, costs=costs, weights=weights))


def _searches(
    pool: SolverPool, claim: Claim, tariff: TurnPrices, open_pool: Callable[[Game], SolverPool]
) -> Searches:
    """Return the searches that find bounds for a ledger."""
    game, exact = pool.game, partial(_exact_of_spot, pool)
    if claim.bound >= INFEASIBLE:
        return Searches(exact, lost=exact)
    if not (tariff.is_linear and tariff.then == INFEASIBLE):
        return Searches(exact)
    free, lost = (
        partial(_exact_of_spot, open_pool(each)) for each in (game.without_limit(), game.to_win())
    )
    return Searches(exact, free, lost)


def _ledger(
    pool: SolverPool, searches: Searches, claim: Claim, tariff: TurnPrices, progress: Progress
) -> tuple[Sequence[Entry | SetEntry], bool]:
    """Return the states that prove a claim, and whether each counts for all states of its form.

    Raises NotProvableError if the claim is not true.
    """
    game = pool.game
    targets = np.zeros(game.guess_count, np.int64)
    if claim.others is not None:
        targets[stand_ins(game.start(), claim.opener)] = claim.others
    if claim.opener is not None:
        targets[claim.opener] = max(targets[claim.opener], claim.bound)
    turns = _insufficient(game, claim, tariff)
    if turns is not None and turns - 1 > LEFT_COUNTED:
        openers = np.flatnonzero(targets).tolist()
        refuting = Cores(game, pool.stop).refuting
        cores = refuting(openers, turns - 1, partial(progress, "refuting openers"))
        bound = int(targets.max())
        return [SetEntry(core.answers, turns - core.left, bound) for core in cores], False
    if _counts_late(claim, tariff):
        shared = Sharing(game, partial(value_of, pool), np.flatnonzero(targets), claim.bound)
        return shared.refuting(partial(progress, "refuting openers")), False
    bounds = CheapBounds(game, tariff, pool)
    ledger = Ledger(bounds, searches)
    ledger.prove_start(targets, progress)
    return ledger.shrunk(), bounds.is_by_form


def _insufficient(game: Game, claim: Claim, tariff: TurnPrices) -> int | None:
    """Return the number of turns if a claim says only that these turns do not suffice, or None.

    It says so if later turns are infeasible; or if the next turn costs one, and those before it
    nothing. Entries that list their answers count for smaller states only where all guesses are
    legal.
    """
    if game.rule is not Rule.NORMAL or tariff.then != INFEASIBLE:
        return None
    if claim.bound >= INFEASIBLE:
        return tariff.turns
    is_worst = tariff.listed == (0,) * (tariff.turns - 1) + (1,)
    is_plain = game.objective.weights is None and claim.bound == 1
    return tariff.turns - 1 if is_worst and is_plain else None


def _counts_late(claim: Claim, tariff: TurnPrices) -> bool:
    """True if a claim is about late answers alone, and states one bound for every opener."""
    return tariff == TurnPrices((0,) * (COUNTED - 1) + (1,), 1) and claim.others == claim.bound


def _check_opener(pool: SolverPool, claim: Claim) -> None:
    """Raise NotProvableError early if the opener costs less than is claimed; see StoppedError."""
    if claim.opener is not None:
        position = pool.game.start()
        if value_of(pool, position, guess=claim.opener) < claim.bound:
            raise NotProvableError


def _exact_of_spot(pool: SolverPool, spot: CertifiedState) -> int:
    """Return the exact value of a state."""
    return value_of(pool, spot.position(pool.game))


def value_of(
    pool: SolverPool, position: Position, cutoff: int | None = None, guess: int | None = None
) -> int:
    """Return the value of a position, or of a guess there, up to a cutoff.

    Raises StoppedError after a stop.
    """

    def solve(solver: Solver, asked: Position) -> int:
        return solver.solve(asked, guess, cutoff=cutoff).lower

    found = pool.submit(solve, position).result()
    if pool.stop.is_set():
        raise StoppedError
    return found
