"""Questions about a position: remaining answers, suggestions, guarantees, spectra and values."""

from __future__ import annotations

from typing import Annotated

from gpu_wordle.api import jobs
from gpu_wordle.api.files import published_openers
from gpu_wordle.api.judging import judge
from gpu_wordle.errors import UserError
from gpu_wordle.experiments.pasted import history_of
from gpu_wordle.experiments.suggest import RootBounds
from gpu_wordle.game.game import Position
from gpu_wordle.game.values import NO_LIMIT
from gpu_wordle.options.declared import Option
from gpu_wordle.options.outcome import document_of
from gpu_wordle.options.reading import WORD, whole
from gpu_wordle.options.telling import seldom
from gpu_wordle.ranking.solving import unknown
from gpu_wordle.ranking.statistics import STATISTICS
from gpu_wordle.report.document import Document, as_object, envelope
from gpu_wordle.report.ranking import TOTAL
from gpu_wordle.report.solved import describe
from gpu_wordle.report.spectrum import describe_spectrum, spectrum_columns, words_of_parts
from gpu_wordle.report.table import Column, columns_of
from gpu_wordle.verbs import suggest as suggesting
from gpu_wordle.verbs.guarantee import row_of
from gpu_wordle.verbs.spectrum import UNASKED
from gpu_wordle.verbs.suggest import DEFAULT_TOP
from gpu_wordle.web.parameters import MAX_TOP, Guess, Pasted, taken, texts
from gpu_wordle.web.questions import Asked, At, OverdueError, Searched, question


@question("rows", "remaining", "guesses_left", "ignored")
def position(asked: At, *, text: Pasted = None) -> Document:
    """The position of a game: the remaining answers, and the turns as they were read."""
    if text and asked.turns:
        raise UserError("turns and a pasted text are given; give only one of them")
    game, words = asked.game, asked.game.words
    turns, ignored = history_of(text, words) if text else ("", ())
    at = game.position_after(turns, asked.known) if text else asked.position
    left = at.guesses_left
    rows = [
        {"turn": turn, "guess": words.guesses.words[g], "pattern": words.feedback.format(p)}
        for turn, (g, p) in enumerate(at.turns, start=1)
    ]
    answer = {
        "remaining": [words.answers.words[a] for a in at.state],
        "guesses_left": None if left == NO_LIMIT else left,
        "ignored": list(ignored),
    }
    columns = columns_of(rows, ("turn", "guess", "pattern"))
    return Document(envelope("position", at), answer, columns)


def _tell_position(asked: Asked) -> None:
    """Send the position to a listening client, ahead of the suggestions."""
    asked.tell("position", as_object(position(asked)))


@question(
    "rows",
    "remaining",
    "ignored",
    events={
        "position": "the answer of api/position, at once",
        "waiting": "number of other questions that come first",
        "bounds": "bounds of the best guesses so far, several times a second",
        "suggestions": "the answer of api/suggest; the last event",
        "failed": "the error; the last event",
    },
    opening=_tell_position,
)
def suggest(
    asked: Searched,
    *,
    by: Annotated[str, taken(suggesting.suggest, "by")] = TOTAL,
    top: Annotated[int, taken(suggesting.suggest, "top", whole(1, MAX_TOP))] = DEFAULT_TOP,
) -> Document:
    """The best next guesses; a listening client receives their bounds as they tighten."""
    criteria = suggesting.criteria_of(by)

    def on_progress(found: RootBounds) -> None:
        asked.tell("bounds", suggesting.describe_bounds(found))

    given = asked.session, criteria, top, asked.stop_token
    return document_of(suggesting.find(*given, seldom(on_progress))[1], "suggest")


@question("rows")
def guarantee(
    asked: Searched, *, guess: Annotated[list[str], Option("Guesses.", texts(12))]
) -> Document:
    """Whether guesses are guaranteed wins."""
    position = _to_win(asked)
    guesses = jobs.find_guesses(position, guess)
    solved = jobs.guarantee(asked.shelf.session(position), guesses, asked.stop_token)
    if len(solved) < len(guesses):
        raise OverdueError
    asked_of = envelope("guarantee", position, unasked=("objective",))
    return Document(asked_of, columns=columns_of([row_of(each) for each in solved]))


def _to_win(asked: Asked) -> Position:
    """The position in the game in which only a guaranteed win matters."""
    return asked.game.to_win().position_after(asked.turns, asked.known)


@question("rows", "best_guesses", "best_candidates")
def guess(asked: Searched, *, guess: Annotated[str, Option("A guess.", WORD)]) -> Document:
    """A guess beside the best: its exact value, what it loses, its groups, and all best guesses."""
    found = asked.game.words.guesses.find(guess)
    judged = judge(asked.session, found, asked.stop_token)
    row = judged.describe()
    if row["guaranteed"] is None:
        session = asked.shelf.session(_to_win(asked))
        for solved in jobs.guarantee(session, [found], asked.stop_token):
            row["guaranteed"] = row_of(solved)["guaranteed"]
    return Document(envelope("guess", asked.position), judged.facts(), columns_of([row]))


@question("rows", "statistics")
def spectrum(asked: At, *, guess: Annotated[str, Option("A guess.", WORD)]) -> Document:
    """The possible feedback to a guess, the answers behind each, and the guess's statistics."""
    at, words = asked.position, asked.game.words
    found = words.guesses.find(guess)
    session = asked.session
    counts = session.evaluator.spectrum(at.state, found)
    statistics = jobs.RankingWork(session).statistics
    answer = describe_spectrum(words.guesses.words[found], counts) | {
        "is_candidate": bool((words.guess_of_answer[at.state] == found).any()),
        "statistics": {STATISTICS[name].key: column[found].item()
                       for name, column in statistics.items()},
    }  # fmt: skip
    columns = [
        *spectrum_columns(words.feedback, counts, None),
        Column("remaining", words_of_parts(asked.game, at.state, found)),
    ]
    return Document(envelope("spectrum", at, unasked=UNASKED), answer, columns)


@question("rows")
def value(asked: Searched, *, guess: Guess = None) -> Document:
    """The exact value of a guess, or of the best one; an interval if the time is too short."""
    found = None if guess is None else asked.game.words.guesses.find(guess)
    if found is None and asked.position.is_start:  # searching all first guesses takes half a minute
        published = published_openers(asked.game)
        found = None if published is None else int(published.lower.argmin())
    solved = jobs.solve(asked.session, [found], asked.stop_token)
    rows = [describe(each) for each in solved or [unknown(asked.position, found)]]
    return Document(envelope("solve", asked.position), columns=columns_of(rows))
