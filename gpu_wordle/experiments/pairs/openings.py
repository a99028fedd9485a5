"""A fixed opening: the positions it leads to, a lower bound, its value and its strategy."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from gpu_wordle.errors import UserError
from gpu_wordle.experiments.pairs.survey import least_totals
from gpu_wordle.game.game import Game, Position
from gpu_wordle.game.objective import Aim
from gpu_wordle.game.values import INFEASIBLE
from gpu_wordle.ranking.check import check_from
from gpu_wordle.ranking.solving import Advance, SolveReport
from gpu_wordle.solver import SearchStats, SolveResult, SolverPool
from gpu_wordle.states.tree import NO_PARENT, DecisionTree


@dataclass(frozen=True, eq=False)
class Opening:
    """A fixed opening, played up to its last guess.

    Attributes:
        start: the position before the opening.
        guesses: the fixed guesses, in order.
        leaves: the positions before the last guess, in the order of the patterns.
        charged: price of the earlier guesses, summed over all answers.
    """

    start: Position
    guesses: tuple[int, ...]
    leaves: tuple[Position, ...]
    charged: int

    @classmethod
    def of(cls, start: Position, guesses: Sequence[int]) -> Opening:
        """Play all guesses but the last.

        Raises UserError for a repeated guess, for a guess that is illegal after some feedback, and
        for more guesses than the limit.
        """
        check_distinct(start.game, guesses)
        leaves, charged = [start], 0
        for guess in guesses[:-1]:
            charged += sum(_charge(position) for position in leaves)
            leaves = [after for position in leaves for after in following(position, guess)]
        for position in leaves:
            check_allowed(position, guesses[-1])
            _ = position.guesses_left
        return cls(start, tuple(guesses), tuple(leaves), charged)


def check_distinct(game: Game, guesses: Sequence[int]) -> None:
    """Raise UserError if a guess occurs twice."""
    for place, guess in enumerate(guesses):
        if guess in guesses[:place]:
            word = game.words.guesses.shown(guess)
            raise UserError(f"{word} is fixed twice, and tells nothing new; name different guesses")


def check_allowed(position: Position, guess: int) -> None:
    """Raise UserError, with the feedback before it, if a fixed guess is illegal."""
    try:
        position.check_legal(guess)
    except UserError as error:
        raise UserError(f"after {position.said}: {error}; fix another guess") from None


def following(position: Position, guess: int) -> Iterator[Position]:
    """Yield the positions after a guess, in the order of the patterns, without ALL_GREEN."""
    check_allowed(position, guess)
    patterns = position.game.patterns
    for pattern in np.unique(patterns.values[position.state, guess]).tolist():
        if pattern != patterns.all_green:
            yield position.after(guess, pattern)


def least_total(game: Game, guesses: Sequence[int], parts: int) -> int:
    """Return a lower bound on the total of an opening by the number of its joint parts."""
    return int(least_totals(game, np.array([guesses]), np.array([parts]))[0])


def solve_opening(
    opening: Opening,
    pool: SolverPool,
    budget: int | None = None,
    advance: Advance = lambda done, total: None,
) -> SolveReport:
    """Solve a fixed opening: its value and a strategy, replayed against all answers.

    ``advance`` is called with the number of positions solved, and of all positions. ``budget``
    limits the states expanded for each. After a stop, or beyond the budget, the result is an
    interval. Raises UserError if the objective is the worst case, which is no sum.
    """
    if opening.start.game.objective.aim is Aim.WORST:
        raise UserError(
            "a fixed opening is solved part by part, and the worst case is no sum over parts; "
            "use --objective mean, whose strategy has the least worst case of its total"
        )
    results: dict[int, SolveResult] = {}
    count = len(opening.leaves)
    advance(0, count)
    for place, result in pool.map(
        lambda solver, place: solver.solve(
            opening.leaves[place], opening.guesses[-1], budget=budget, tree=True
        ),
        range(count),
    ):
        results[place] = result
        advance(len(results), count)
    return _solved(opening, [results.get(place) for place in range(count)])


def _solved(opening: Opening, results: Sequence[SolveResult | None]) -> SolveReport:
    """Merge the results of the leaves. Leaves that a stop has left out have no bounds."""
    known = [r or SolveResult(0, INFEASIBLE, None, None, SearchStats()) for r in results]
    lower = min(opening.charged + sum(r.lower for r in known), INFEASIBLE)
    upper = min(opening.charged + sum(r.upper for r in known), INFEASIBLE)
    trees = [result.tree for result in known if result.tree is not None]
    tree = verdict = None
    if len(trees) == len(known) and lower == upper < INFEASIBLE:
        tree = _tree(opening.start, opening.guesses, iter(trees))
        verdict = check_from(opening.start, tree, claimed=upper)
    stats = SearchStats(
        sum(result.stats.expanded for result in known),
        sum(result.stats.generated for result in known),
        sum(result.stats.table_hits for result in known),
        sum(result.stats.pruned for result in known),
        sum(result.stats.seconds for result in known),
    )
    worst = None if verdict is None else verdict.worst
    result = SolveResult(lower, upper, tree, worst, stats)
    return SolveReport(opening.start, opening.guesses[0], result, verdict)


def _charge(position: Position) -> int:
    """Return the price of the next guess, summed over all answers left."""
    game = position.game
    (price,) = game.prices.ahead(position.turns_made, 1)
    return price * int(game.objective.weights_of(position.state).sum())


def _tree(
    position: Position, guesses: Sequence[int], of_leaves: Iterator[DecisionTree]
) -> DecisionTree:
    """Return the strategy of an opening: its guesses, then the strategies of its leaves."""
    guess, *others = guesses
    if not others:
        return next(of_leaves)
    root = np.array([guess], np.int32), np.array([NO_PARENT], np.int32), np.zeros(1, np.uint16)
    columns = [root]
    size = 1
    for after in following(position, guess):
        below = _tree(after, others, of_leaves)
        parent, pattern = below.parent + np.int32(size), below.pattern.copy()
        parent[0], pattern[0] = 0, after.turns[-1][1]
        columns.append((below.guess, parent, pattern))
        size += len(below)
    return DecisionTree(*(np.concatenate(column) for column in zip(*columns, strict=True)))
