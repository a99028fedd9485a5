"""The independent checker, from a position on."""

from __future__ import annotations

from collections.abc import Sequence

from gpu_wordle.game.game import Position
from gpu_wordle.states.tree import DecisionTree, End
from gpu_wordle.verify import Verdict, Verifier


def check_from(
    position: Position,
    tree: DecisionTree,
    *,
    claimed: int | None = None,
    lines: Sequence[End] | None = None,
) -> Verdict:
    """Check a strategy from a position on, under its rule and with all that is known there.

    ``claimed`` and ``lines`` are those of :meth:`Verifier.check`. Raises VerificationError as it
    does.
    """
    game = position.game
    return Verifier(game.words, game.objective).check(
        tree,
        position.state,
        rule=game.rule,
        turns=position.turns,
        known=position.known,
        claimed=claimed,
        lines=lines,
    )
