"""Machine output of a verb: an envelope with the question, an answer, and rows."""

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
        envelope: the question and the program; see :func:`envelope`.
        answer: the facts about the whole.
        columns: the rows, stored by column; None if there are only facts.
        unknown: names of columns that are none of ``KEYS``, in a table of another origin.
    """

    envelope: Mapping[str, Any]
    answer: Mapping[str, Any] = field(default_factory=dict)
    columns: Sequence[Column] | None = None
    unknown: Sequence[str] = ()

    @property
    def table(self) -> Sequence[Column]:
        """The rows; if there are none, the answer as the only row."""
        return columns_of([self.answer]) if self.columns is None else self.columns


def envelope(
    verb: str, position: Position | None = None, *, unasked: Sequence[str] = ()
) -> dict[str, Any]:
    """The question of a verb; values are None without a position.

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
    """The position of a question: its game, objective and state."""
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
