"""What a strategy was seen to do: no value counts before its strategy is replayed."""

from __future__ import annotations

from gpu_wordle.game.game import Position
from gpu_wordle.solver import SolveResult
from gpu_wordle.verify import Verdict, Verifier


def replay(position: Position, result: SolveResult) -> Verdict | None:
    """What the strategy, if there is one, was seen to do.

    Raises VerificationError if that is not what a strategy must do, or not of the value claimed.
    """
    if result.tree is None:
        return None
    game = position.game
    return Verifier(game.words, game.objective).check(
        result.tree, position.state, rule=game.rule, turns=position.turns, claimed=result.upper
    )
