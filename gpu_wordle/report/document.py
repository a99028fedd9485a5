"""What a verb says to programs: an envelope that says what was asked, an answer, and rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from gpu_wordle.game.game import Position
from gpu_wordle.report.figures import Figures
from gpu_wordle.report.keys import ENVELOPE, SCHEMA
from gpu_wordle.report.table import Column, columns_of
from gpu_wordle.version import __version__

PROGRAM = "gpu-wordle"


@dataclass(frozen=True)
class Document:
    """The machine output of one call; its keys are those of ``KEYS``.

    Attributes:
        envelope: what was asked, and of which program; see :func:`envelope`.
        answer: what is said of the whole.
        columns: the rows, by their columns; None where the answer is all that there is.
    """

    envelope: Mapping[str, Any]
    answer: Mapping[str, Any] = field(default_factory=dict)
    columns: Sequence[Column] | None = None

    @property
    def table(self) -> Sequence[Column]:
        """The rows; without any, the answer as the only one."""
        return columns_of([self.answer]) if self.columns is None else self.columns


def envelope(
    verb: str, position: Position | None = None, *, unasked: Sequence[str] = ()
) -> dict[str, Any]:
    """What a verb was asked, with None for what there is no position to say of.

    ``unasked`` names keys that do not matter to the verb, and are None as well.
    """
    result: dict[str, Any] = dict.fromkeys(ENVELOPE)
    result |= {
        "schema": SCHEMA,
        "program": {"name": PROGRAM, "version": __version__},
        "verb": verb,
    }
    if position is not None:
        result |= _asked(position)
    return result | dict.fromkeys(unasked)


def _asked(position: Position) -> dict[str, Any]:
    """The question: a game, what is to be least, and where the game stands."""
    game, objective = position.game, position.game.objective
    words, figures = game.words, Figures.of(game, position)
    return {
        "game": {
            "guess_list": words.guesses.source,
            "answer_list": words.answers.source,
            "guess_count": game.guess_count,
            "answer_count": game.answer_count,
            "feedback": words.feedback.name,
            "guesses_sha256": words.guesses.sha256,
            "answers_sha256": words.answers.sha256,
        },
        "rule": game.rule.value,
        "objective": objective.name,
        "max_guesses": objective.max_guesses,
        "weights": None if objective.weights is None else objective.weights.source,
        "state": position.history,
        "answers": len(position.state),
        "weight": figures.scaled(figures.weight),
    }
