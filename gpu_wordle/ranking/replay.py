"""What a strategy was seen to do: no value counts before its strategy is replayed."""

from __future__ import annotations

from collections.abc import Sequence

from gpu_wordle.game.game import Position
from gpu_wordle.solver import SolveResult
from gpu_wordle.verify import Verdict, Verifier

GAMES_AT_ONCE = 1 << 14
"""Games, one of each strategy and answer, that are played together."""


def replay(position: Position, result: SolveResult) -> Verdict | None:
    """What the strategy, if there is one, was seen to do.

    Raises VerificationError if that is not what a strategy must do, or not of the value claimed.
    """
    return replay_all(position, [result])[0]


def replay_all(position: Position, results: Sequence[SolveResult]) -> list[Verdict | None]:
    """What :func:`replay` says of each result; small strategies are played together."""
    game = position.game
    verifier = Verifier(game.words, game.objective)
    verdicts: list[Verdict | None] = [None] * len(results)
    grown = [
        (i, result.tree, result.upper)
        for i, result in enumerate(results)
        if result.tree is not None
    ]
    at_once = max(1, GAMES_AT_ONCE // len(position.state))
    for start in range(0, len(grown), at_once):
        places, trees, claimed = zip(*grown[start : start + at_once], strict=True)
        checked = verifier.check_all(
            trees, position.state, rule=game.rule, turns=position.turns, claimed=claimed
        )
        for place, verdict in zip(places, checked, strict=True):
            verdicts[place] = verdict
    return verdicts


def certain(found: tuple[SolveResult, Verdict | None]) -> object | None:
    """What of a result and its strategy is the same on every machine; None where it is open."""
    result, verdict = found
    if not result.is_exact:
        return None
    seen = () if verdict is None else verdict.distribution.tolist()
    return result.lower, result.worst, tuple(seen)
