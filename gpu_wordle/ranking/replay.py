"""What a strategy was seen to do: no value counts before its strategy is replayed."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from gpu_wordle.game.game import Position
from gpu_wordle.solver import Results, SolveResult
from gpu_wordle.verify import Verdict, Verdicts, Verifier

GAMES_AT_ONCE = 1 << 14
"""Games, one of each strategy and answer, that are played together."""


def replay(position: Position, result: SolveResult) -> Verdict | None:
    """What the strategy, if there is one, was seen to do.

    Raises VerificationError if that is not what a strategy must do, or not of the value claimed.
    """
    return replay_all(position, [result])[0]


def replay_all(position: Position, results: Sequence[SolveResult]) -> Sequence[Verdict | None]:
    """What :func:`replay` says of each result; small strategies are played together."""
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
            claimed=claimed[start : start + at_once],
        )
        for start in range(0, len(trees), at_once)
    ]
    if checked and is_grown.all():
        return Verdicts.joined(checked)
    verdicts = chain.from_iterable(checked)
    return [next(verdicts) if grown else None for grown in is_grown.tolist()]


def fingerprint(found: tuple[SolveResult, Verdict | None]) -> object | None:
    """What of a result and its strategy is the same on every machine; None where it is open."""
    result, verdict = found
    if not result.is_exact:
        return None
    seen = () if verdict is None else verdict.distribution.tolist()
    return result.lower, result.worst, tuple(seen)
