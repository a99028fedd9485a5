"""Trees in rows: paths, lists of guesses, and tables, as CSV or apart by blanks."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from gpu_wordle.errors import AmbiguousError, UserError, counted, quoted
from gpu_wordle.game.game import Game
from gpu_wordle.game.words import GameWords
from gpu_wordle.store.tree_forms import (
    APART,
    GUESS_LISTS,
    PATHS,
    TABLE,
    StoredTree,
    is_seen,
    of_entries,
    of_lines,
    spelled_patterns,
)

_HEADING = re.compile(
    r"(next|first)?[ _-]?(guess|word|answer|feedback|pattern|response|reply|result|history|state)"
    r"(es|s)?[ _-]?\d*",
    re.IGNORECASE,
)

Rows = Sequence[tuple[int, list[str]]]
"""The fields of each row, with its line."""


def csv_rows(text: str, delimiter: str) -> Rows:
    """The rows of a CSV file, with the line where each ends."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        return [(reader.line_num, APART.split(" ".join(row).strip())) for row in reader]
    except csv.Error as error:
        raise UserError(f"line {reader.line_num}: no CSV ({error})") from None


def of_rows(rows: Rows, game: Game) -> StoredTree:
    """Read rows of paths, of guesses, or of a table, whichever all of them fit."""
    words, rows = game.words, [(number, fields) for number, fields in rows if any(fields)]
    kinds = {**_KINDS}
    is_headed = bool(rows) and all(map(_HEADING.fullmatch, rows[0][1]))
    if is_headed and any(words.guesses.place(field) is None for field in rows[0][1]):
        named = [_is_guess_heading(field) for field in rows[0][1]]
        rows = rows[1:]
        form = TABLE if not named[0] or len(named) == 1 else GUESS_LISTS if all(named) else PATHS
        kinds = {form: kinds[form]}
    if not rows:
        raise UserError("the tree is empty")
    misfits = {
        form: [each for each in rows if not fits(each[1], words)]
        for form, (fits, _) in kinds.items()
    }
    form = min(misfits, key=lambda form: len(misfits[form]))
    if misfits[form]:
        raise _misfit(form, *misfits[form][0], words)
    also = [other for other in misfits if other != form and not misfits[other]]
    if also and any(len(fields) > 1 for _, fields in rows):
        raise AmbiguousError(
            f"line {rows[0][0]}: the rows can be read in two ways, as {form} or as {also[0]}; "
            "begin with a row of headings: guess1,feedback1,... for paths, guess1,guess2,... for "
            "guesses, or feedback1,...,guess for a table"
        )
    return kinds[form][1](rows, game)


def _is_guess_heading(field: str) -> bool:
    """Whether a heading is that of a guess."""
    found = _HEADING.fullmatch(field)
    return found is not None and found[2].lower() in ("guess", "word", "answer")


def _is_path(fields: Sequence[str], words: GameWords) -> bool:
    return all(words.guesses.place(guess) is not None for guess in fields[::2]) and all(
        is_seen(field, words) for field in fields[1::2]
    )


def _is_list(fields: Sequence[str], words: GameWords) -> bool:
    return all(words.guesses.place(guess) is not None for guess in fields)


def _is_entry(fields: Sequence[str], words: GameWords) -> bool:
    *before, last = fields
    return all(is_seen(field, words) for field in before) and (
        words.guesses.place(last) is not None or is_seen(last, words)
    )


def _misfit(form: str, number: int, fields: Sequence[str], words: GameWords) -> UserError:
    """What is wrong with a row that does not fit the form of most rows."""
    for place, field in enumerate(fields):
        is_guess = {
            PATHS: place % 2 == 0, GUESS_LISTS: True, TABLE: place == len(fields) - 1
        }[form]  # fmt: skip
        if is_guess and words.guesses.place(field) is None:
            try:
                words.guesses.find(field)
            except UserError as error:
                return UserError(f"line {number}: {error}, and the file seems to hold {form}")
        if not is_guess and not is_seen(field, words):
            return UserError(
                f"line {number}: {quoted(field)} is no feedback, as in {words.feedback.example}, "
                f"and the file seems to hold {form}"
            )
    return UserError(f"line {number}: does not fit the other lines, which seem to hold {form}")


def _of_paths(rows: Rows, game: Game) -> StoredTree:
    """Rows of guesses and feedback in turn; the last guess may lack its feedback, all green."""
    words = game.words
    solved = words.feedback.format(words.feedback.solved)
    spelled = spelled_patterns(((f, f"line {n}: ") for n, row in rows for f in row[1::2]), words)
    lines = {}
    for number, row in rows:
        seen = [spelled[field] for field in row[1::2]]
        lines[number] = _line(row[::2], seen if len(row) % 2 == 0 else [*seen, solved])
    return _at_places(lines, game, PATHS)


def _of_lists(rows: Rows, game: Game) -> StoredTree:
    """Rows of guesses; the last is the answer, from which all feedback follows."""
    words, lines = game.words, {}
    for number, row in rows:
        answer = words.answers.place(row[-1])
        if answer is None:
            raise UserError(
                f"line {number}: ends in {quoted(row[-1])}, which is none of the "
                f"{counted(len(words.answers), 'answer')}; each line is to end in its answer"
            )
        guesses = np.array([words.guesses.find(word) for word in row], np.int32)
        patterns = words.feedback.patterns(words, guesses, np.full(len(row), answer, np.int64))
        if (patterns[:-1] == words.feedback.solved).any():
            raise UserError(f"line {number}: goes on after its answer, {quoted(row[-1])}")
        lines[number] = _line(row, [words.feedback.format(int(each)) for each in patterns])
    return _at_places(lines, game, GUESS_LISTS)


def _of_table(rows: Rows, game: Game) -> StoredTree:
    """Rows of feedback and the next guess."""
    return of_entries(((f"line {n}: ", row) for n, row in rows), game.words)


_KINDS: Mapping[
    str,
    tuple[Callable[[Sequence[str], GameWords], bool], Callable[[Rows, Game], StoredTree]],
] = {
    TABLE: (_is_entry, _of_table),
    PATHS: (_is_path, _of_paths),
    GUESS_LISTS: (_is_list, _of_lists),
}
"""Forms of rows: the test of a row, and the reader of all."""


def _line(guesses: Sequence[str], seen: Sequence[str]) -> str:
    """A line of guesses with feedback and turn."""
    turns = enumerate(zip(guesses, seen, strict=True), start=1)
    return " ".join(f"{guess} {colours}{turn}" for turn, (guess, colours) in turns)


def _at_places(lines: Mapping[int, str], game: Game, form: str) -> StoredTree:
    """The tree of lines, each at its place in the file, which messages name."""
    return of_lines((lines.get(n, "") for n in range(1, max(lines) + 1)), game, form)
