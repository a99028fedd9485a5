"""Values of guesses and of positions. Each strategy is replayed before its value counts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from gpu_wordle.game.game import Position
from gpu_wordle.game.values import INFEASIBLE
from gpu_wordle.ranking.stop_token import StopToken
from gpu_wordle.solver import Results, SearchStats, SolveResult, SolverPool
from gpu_wordle.verify import Verdict, Verdicts, Verifier

GAMES_AT_ONCE = 1 << 14
"""Games, one for each strategy and answer, that are played together."""


def replay(position: Position, result: SolveResult) -> Verdict | None:
    """Replay the strategy of a result, if there is one, and return the verdict.

    Raises VerificationError if the strategy is wrong, or has not the claimed value.
    """
    return replay_all(position, [result])[0]


def replay_all(position: Position, results: Sequence[SolveResult]) -> Sequence[Verdict | None]:
    """Replay the strategies of several results and return a verdict or None for each.

    Small strategies are played together. Raises as :func:`replay` does.
    """
    game, results = position.game, Results.of(results)
    verifier = Verifier(game.words, game.objective)
    is_grown = results.trees.sizes > 0
    trees, claimed = results.trees.grown(), results.upper[is_grown].tolist()
    at_once = max(1, GAMES_AT_ONCE // len(position.state))
    checked = [
        verifier.check_all(
            trees[start : start + at_once],
            position.state,
            rule=game.rule,
            turns=position.turns,
            known=position.known,
            claimed=claimed[start : start + at_once],
        )
        for start in range(0, len(trees), at_once)
    ]
    if checked and is_grown.all():
        return Verdicts.joined(checked)
    verdicts = chain.from_iterable(checked)
    return [next(verdicts) if grown else None for grown in is_grown.tolist()]


def fingerprint(found: tuple[SolveResult, Verdict | None]) -> object | None:
    """Return what is equal on every machine: value and strategy; None for an open result."""
    result, verdict = found
    if not result.is_exact:
        return None
    seen = () if verdict is None else verdict.distribution.tolist()
    return result.lower, result.worst, tuple(seen)


GuessOrBest = int | None
"""A guess that is asked about; None for the best one."""


@dataclass(frozen=True, eq=False)
class SolveReport:
    """A question and its proved answer.

    Attributes:
        position: the position that was asked about.
        guess: the guess that was asked about; None for the best guess.
        result: the value or its bounds, and a strategy.
        verdict: the replay of that strategy.
        lossy: for an infeasible guess, the result where answers may be lost, if it is known.
        lossy_verdict: the replay of its strategy.
    """

    position: Position
    guess: GuessOrBest
    result: SolveResult
    verdict: Verdict | None
    lossy: SolveResult | None = None
    lossy_verdict: Verdict | None = None


def unknown(position: Position, guess: GuessOrBest) -> SolveReport:
    """Return the report of a question that an early end has left out."""
    return SolveReport(position, guess, SolveResult(0, INFEASIBLE, None, None, SearchStats()), None)


def replayed(
    position: Position, found: Sequence[tuple[GuessOrBest, SolveResult]]
) -> dict[GuessOrBest, SolveReport]:
    """Return the report of each question about a position, after replaying its strategy."""
    verdicts = replay_all(position, [result for _, result in found])
    return {
        guess: SolveReport(position, guess, result, verdict)
        for (guess, result), verdict in zip(found, verdicts, strict=True)
    }


Advance = Callable[[int, int], None]
"""Called with the number of questions done, and of all questions."""


def solve(
    position: Position,
    guesses: Sequence[GuessOrBest],
    pool: SolverPool,
    stop_token: StopToken,
    advance: Advance = lambda done, total: None,
    budget: int | None = None,
) -> dict[GuessOrBest, SolveReport]:
    """Return the values of guesses, or of the best one for None, that were done when it ended.

    Closes ``pool``. ``budget`` limits the expanded states of each.
    """
    results = _results(position, guesses, pool, stop_token, advance, budget)
    return replayed(position, list(results))


def add_solvable(
    position: Position,
    solved: dict[GuessOrBest, SolveReport],
    make_pool: Callable[[int], SolverPool | None],
    stop_token: StopToken,
    advance: Advance = lambda done, total: None,
    budget: int | None = None,
) -> dict[GuessOrBest, SolveReport]:
    """Return the reports, with how much infeasible guesses can solve.

    ``make_pool`` is called with the number of such guesses. If it returns no pool, or after an
    early end, how much they can solve stays unknown.
    """
    infeasible = [guess for guess, each in solved.items() if each.result.is_infeasible]
    if not infeasible or stop_token.is_due():
        return solved
    pool = make_pool(len(infeasible))
    if pool is None:
        return solved
    lossy = position.allowing_failures()
    found = list(_results(lossy, infeasible, pool, stop_token, advance, budget))
    verdicts = replay_all(lossy, [result for _, result in found])
    return solved | {
        guess: replace(solved[guess], lossy=result, lossy_verdict=verdict)
        for (guess, result), verdict in zip(found, verdicts, strict=True)
    }


def guarantee(
    position: Position,
    guesses: Sequence[int],
    pool: SolverPool,
    stop_token: StopToken,
    advance: Advance = lambda done, total: None,
) -> dict[int, SolveReport]:
    """Decide for each guess whether it is a guaranteed win: by a strategy, or by a refutation.

    The objective is Objective.to_win. Guesses that an early end leaves undecided are missing.
    Closes the pool.
    """
    found: dict[int, SolveReport] = {}
    with pool, stop_token.of(pool.stop):
        advance(0, len(guesses))
        results = pool.solve_guesses(position, guesses, tree=True, least_worst=False)
        for done, (guess, result) in enumerate(results, start=1):
            if result.is_infeasible or result.tree is not None:
                verdict = replay(position, result)
                found[guess] = SolveReport(position, guess, result, verdict)
            advance(done, len(guesses))
    return found


def _results(
    position: Position,
    guesses: Sequence[GuessOrBest],
    pool: SolverPool,
    stop_token: StopToken,
    advance: Advance,
    budget: int | None,
) -> Iterator[tuple[GuessOrBest, SolveResult]]:
    """Yield results as they are done. Closes the pool."""
    asked = [guess for guess in guesses if guess is not None]
    with pool, stop_token.of(pool.stop):
        advance(0, len(guesses))
        results: Iterator[tuple[GuessOrBest, SolveResult]]
        if len(asked) == len(guesses):
            results = pool.solve_guesses(position, asked, budget=budget, tree=True)
        else:
            results = pool.map(
                lambda solver, guess: solver.solve(position, guess, budget=budget, tree=True),
                guesses,
            )
        for done, (guess, result) in enumerate(results, start=1):
            advance(done, len(guesses))
            yield guess, result
