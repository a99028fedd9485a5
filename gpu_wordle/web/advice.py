"""Answers about a position: what is left, what to guess, what a guess does and what it is worth."""

from __future__ import annotations

from typing import Any

from gpu_wordle.api import jobs
from gpu_wordle.errors import UserError
from gpu_wordle.experiments.suggest import Shortlist
from gpu_wordle.experiments.transcripts import history_of
from gpu_wordle.game.game import Position
from gpu_wordle.game.values import NO_LIMIT
from gpu_wordle.options.outcome import document_of
from gpu_wordle.options.telling import seldom
from gpu_wordle.ranking.solving import unknown
from gpu_wordle.ranking.statistics import STATISTICS
from gpu_wordle.report.document import Document, envelope
from gpu_wordle.report.formats import as_object
from gpu_wordle.report.solved import describe
from gpu_wordle.report.spectrum import describe_spectrum, spectrum_columns, words_of_parts
from gpu_wordle.report.table import Column, columns_of
from gpu_wordle.verbs import suggest as suggesting
from gpu_wordle.verbs.guarantee import row_of
from gpu_wordle.web.asked import Asked, OverdueError

UNASKED = ("rule", "objective", "max_guesses", "weights")
"""What does not matter to the patterns of one guess."""


def position(asked: Asked) -> Document:
    """Where a game stands: the answers left, and the turns as they were understood."""
    if asked["text"] and asked["turns"]:
        raise UserError("turns and a pasted text; give one of them")
    at = asked.position
    if asked["text"]:
        at = asked.game.position_after(history_of(asked["text"], asked.game.words))
    return describe_position(at)


def describe_position(at: Position) -> Document:
    """The same of a position."""
    words, left = at.game.words, at.guesses_left
    rows = [
        {"turn": turn, "guess": words.guesses.words[g], "pattern": words.feedback.format(p)}
        for turn, (g, p) in enumerate(at.turns, start=1)
    ]
    answer = {
        "remaining": [words.answers.words[a] for a in at.state],
        "guesses_left": None if left == NO_LIMIT else left,
    }
    columns = columns_of(rows, ("turn", "guess", "pattern"))
    return Document(envelope("position", at), answer, columns)


def first_said(asked: Asked) -> tuple[str, dict[str, Any]]:
    """What a client that listens hears ahead of advice: its position."""
    return "position", as_object(describe_position(asked.position))


def suggest(asked: Asked) -> Document:
    """The best next guesses; a client that listens hears how their values tighten."""
    criteria = suggesting.criteria_of(asked["by"])

    def heard(found: Shortlist) -> None:
        asked.tell("bounds", suggesting.describe_bounds(found))

    given = asked.session, criteria, asked["top"], asked.ending
    return document_of(suggesting.find(*given, seldom(heard))[1], "suggest")


def guarantee(asked: Asked) -> Document:
    """Whether the game can still surely be won after guesses."""
    position = asked.game.to_win().position_after(asked["turns"])
    guesses = jobs.find_guesses(position, asked["guess"])
    solved = jobs.guarantee(asked.session_of(position), guesses, asked.ending)
    if len(solved) < len(guesses):
        raise OverdueError
    asked_of = envelope("guarantee", position, unasked=("objective",))
    return Document(asked_of, columns=columns_of([row_of(each) for each in solved]))


def spectrum(asked: Asked) -> Document:
    """What a guess may receive, with the words of each part, and all statistics of the guess."""
    at, words = asked.position, asked.game.words
    guess = words.guesses.find(asked["guess"])
    session = asked.session
    counts = session.evaluator.spectrum(at.state, guess)
    statistics = jobs.RankingWork(session).statistics
    answer = describe_spectrum(words.guesses.words[guess], counts) | {
        "is_candidate": bool((words.guess_of_answer[at.state] == guess).any()),
        "statistics": {STATISTICS[name].key: column[guess].item()
                       for name, column in statistics.items()},
    }  # fmt: skip
    columns = [
        *spectrum_columns(words.feedback, counts, None),
        Column("remaining", words_of_parts(asked.game, at.state, guess)),
    ]
    return Document(envelope("spectrum", at, unasked=UNASKED), answer, columns)


def value(asked: Asked) -> Document:
    """The exact value of a guess, or of the best one; an interval where time was too short."""
    guess = None if asked["guess"] is None else asked.game.words.guesses.find(asked["guess"])
    solved = jobs.solve(asked.session, [guess], asked.ending)
    rows: list[dict[str, Any]] = [
        describe(each) for each in solved or [unknown(asked.position, guess)]
    ]
    return Document(envelope("solve", asked.position), columns=columns_of(rows))
