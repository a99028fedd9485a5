"""Trees of other programs: their forms, their feedback, and tables of the next guess."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gpu_wordle.errors import AmbiguousError, UserError, quoted
from gpu_wordle.experiments import signs
from gpu_wordle.game.feedback import LetterFeedback
from gpu_wordle.game.game import Game
from gpu_wordle.game.spelling import capitals
from gpu_wordle.game.words import GameWords
from gpu_wordle.states.tree import DecisionTree, End, read_text, tree_of

HDF5 = "HDF5"
LINES = "lines of guesses and feedback"
BLANK_COLUMNS = "lines whose blank columns repeat the line above"
NESTED = "nested JSON"
PATHS = "paths of guesses and feedback"
GUESS_LISTS = "lists of guesses that end in the answer"
TABLE = "a table from feedback to the next guess"

OWN = (LINES, NESTED)

APART = re.compile(r"[\s,;|/>]+")
"""What stands between the feedback of a history."""

_NOTHING: Mapping[str, Any] = {}


@dataclass(frozen=True)
class StoredTree:
    """A strategy as a file holds it.

    Attributes:
        tree: the strategy.
        history: guesses and feedback at which it starts; empty for other forms, which lack it.
        ends: how each line of text ends; None for other forms.
        opener: the first guess that the file states, if any.
        value: the value that the file states.
        total: the stated sum of guesses over the answers that are found.
        form: the form of the file, in words.
        made: number of turns made before it starts, by the numbers of its turns.
    """

    tree: DecisionTree
    history: str = ""
    ends: Sequence[End] | None = None
    opener: str | None = None
    value: int | None = None
    total: int | None = None
    form: str = HDF5
    made: int = 0


def of_lines(lines: Iterable[str], game: Game, form: str, made: int = 0) -> StoredTree:
    """A tree of lines of guesses and feedback, whose turns are numbered from 1."""
    may_lose = game.objective.allows_failure
    tree, ends = read_text("\n".join(lines), game.words, may_lose=may_lose)
    return StoredTree(tree, ends=ends, form=form, made=made)


def is_seen(field: str, words: GameWords) -> bool:
    """Whether a field may be feedback."""
    if isinstance(words.feedback, LetterFeedback):
        field = signs.clean(field)
        return len(field) == words.length and (signs.is_row_like(field) or signs.is_doubtful(field))
    try:
        words.feedback.parse(field)
    except UserError:
        return False
    return True


def spelled_patterns(fields: Iterable[tuple[str, str]], words: GameWords) -> dict[str, str]:
    """All feedback of a file as the game writes it; each field comes with its place in messages.

    Signs mean the same throughout a file. Raises UserError for signs that have several meanings.
    """
    feedback, places = words.feedback, dict[str, str]()
    for field, place in fields:
        places.setdefault(field, place)
    if not isinstance(feedback, LetterFeedback):
        return {field: feedback.format(feedback.parse(field)) for field in places}
    rows = {field: signs.clean(field) for field in places}
    for field, row in rows.items():
        if signs.is_doubtful(row) and not signs.is_row_like(row):
            raise AmbiguousError(
                f"{places[field]}{quoted(field)} can be read in two ways: {signs.doubts(row)}; "
                "write B, Y and G for grey, yellow and green"
            )
        if not signs.is_row_like(row) or len(row) != words.length:
            try:
                feedback.parse(row)
            except UserError as error:
                raise UserError(f"{places[field]}{error}") from None
    return dict(zip(rows, signs.colours(list(rows.values())), strict=True))


def of_entries(entries: Iterable[tuple[str, list[str]]], words: GameWords) -> StoredTree:
    """The tree of a table: each entry is all feedback so far, and then the guess."""
    told = list(entries)
    solved = words.feedback.format(words.feedback.solved)
    is_end = [words.guesses.place(row[-1]) is None for _, row in told]
    histories = [row if ends else row[:-1] for (_, row), ends in zip(told, is_end, strict=True)]
    spelled = spelled_patterns(
        ((f, where) for (where, _), seen in zip(told, histories, strict=True) for f in seen), words
    )
    guesses: dict[tuple[str, ...], str] = {}
    ends: list[tuple[str, tuple[str, ...], str | None]] = []
    for (where, row), seen, lacks_guess in zip(told, histories, is_end, strict=True):
        history = tuple(spelled[field] for field in seen)
        guess = None if lacks_guess else row[-1]
        if solved in history[:-1]:
            raise UserError(f"{where}goes on after {solved}, which ends the game")
        if history[-1:] == (solved,):
            ends.append((where, history, guess))
        elif guess is None:
            raise UserError(f"{where}no guess follows {' '.join(history)}; end it with the guess")
        elif history in guesses:
            raise UserError(
                f"{where}a second guess after {' '.join(history) or 'no feedback'}; keep one"
            )
        else:
            guesses[history] = guess
    if () not in guesses:
        raise UserError("no entry gives the first guess; add it, with no feedback before it")
    for history in sorted(guesses, key=len):
        if history and history[:-1] not in guesses:
            raise UserError(
                f"no entry gives the guess after {' '.join(history[:-1])}, but one gives that "
                f"after {' '.join(history)}"
            )
    for where, history, guess in ends:
        if history[:-1] not in guesses:
            raise UserError(f"{where}no entry gives the guess that is the answer")
        check_end(where, guess, guesses[history[:-1]], words)
    parse, find = words.feedback.parse, words.guesses.find
    nodes = {tuple(map(parse, history)): find(guess) for history, guess in guesses.items()}
    return StoredTree(tree_of(nodes), form=TABLE)


def check_end(
    where: str, end: str | None, guess: str, words: GameWords, beyond: Mapping[str, Any] = _NOTHING
) -> None:
    """Raise UserError unless what stands at all green is nothing, or the guess that gave it."""
    solved = words.feedback.format(words.feedback.solved)
    if beyond or (end is not None and words.guesses.find(end) != words.guesses.place(guess)):
        raise UserError(
            f"{where}{solved} after {capitals(guess)} leads to {capitals(end or '')}; all green "
            "means that the guess is the answer, so leave that out"
        )
