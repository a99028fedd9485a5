"""Trees in text: JSON, lines of guesses and feedback, and rows of paths, guesses or tables.

Lines keep their numbers, so that messages name those of the file.
"""

from __future__ import annotations

import csv
import io
import re
import textwrap
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from gpu_wordle.errors import AmbiguousError, UserError, counted, quoted
from gpu_wordle.experiments import signs
from gpu_wordle.game.feedback import LetterFeedback
from gpu_wordle.game.game import Game
from gpu_wordle.game.words import GameWords
from gpu_wordle.store.tree_forms import (
    APART,
    BLANK_COLUMNS,
    GUESS_LISTS,
    LINES,
    PATHS,
    TABLE,
    StoredTree,
    is_seen,
    of_entries,
    of_lines,
    spelled_patterns,
)
from gpu_wordle.store.tree_json import begins_as_tree, of_json

_HEADING = re.compile(
    r"(next|first)?[ _-]?(guess|word|answer|feedback|pattern|response|reply|result|history|state)"
    r"(es|s)?[ _-]?\d*",
    re.IGNORECASE,
)

Rows = Sequence[tuple[int, list[str]]]
"""The fields of each row, with its line."""


def tree_of_text(text: str, game: Game, *, is_json: bool) -> StoredTree:
    """Read a tree in any form. Raises UserError, with the number of the line, for a wrong one."""
    words = game.words
    if is_json or begins_as_tree(text):
        return of_json(text, words)
    first = next((line for line in text.splitlines() if line.strip()), "")
    fields = first.split()
    turn = _turn(fields[1], words) if len(fields) > 1 else None
    delimiter = next((sign for sign in ",;\t" if sign in first), None)
    if turn is None and delimiter is not None:
        return _of_rows(_csv_rows(text, delimiter), game)
    whole, form = _filled(text, words)
    if _is_unnumbered(fields, words):
        return _of_rows([(number, line.split()) for number, line in enumerate(whole, 1)], game)
    made = max(turn or 1, 1) - 1
    if made:
        whole = [_renumbered(n, line.split(), made) for n, line in enumerate(whole, 1)]
    return of_lines(whole, game, form, made)


def _is_unnumbered(fields: Sequence[str], words: GameWords) -> bool:
    """Whether a first line has a guess and then a guess, feedback without its turn, or nothing."""
    if not fields or not isinstance(words.feedback, LetterFeedback):
        return False
    first, *rest = fields
    is_bare = not rest or words.guesses.place(rest[0]) is not None
    if rest and is_seen(rest[0], words):
        is_bare |= rest[0].isdecimal() or not any(sign.isdecimal() for sign in rest[0])
    return is_bare and words.guesses.place(first) is not None


def _turn(field: str, words: GameWords) -> int | None:
    """The turn that follows the colours of a field; None if there is none."""
    if not isinstance(words.feedback, LetterFeedback):
        return None
    field = signs.clean(field)
    colours, turn = field[: words.length], field[words.length :]
    is_turn = turn.isascii() and turn.isdecimal() and signs.is_row_like(colours)
    return int(turn[:9]) if is_turn else None


def _filled(text: str, words: GameWords) -> tuple[list[str], str]:
    """The lines with their blank columns filled from the lines above, and the form."""
    above, form, whole = "", LINES, list[str]()
    for number, line in enumerate(textwrap.dedent(text).splitlines(), start=1):
        start = len(line) - len(line.lstrip())
        first = line[start:].partition(" ")[0]
        if first and words.guesses.place(first) is None:
            if above and start:
                form = BLANK_COLUMNS
                if "\t" in line[:start]:
                    raise UserError(
                        f"line {number}: a tab stands in a blank column; write blanks, one for "
                        "each sign of the line above"
                    )
                if above[start - 1 : start + 1].split() != [above[start : start + 1]]:
                    raise UserError(
                        f"line {number}: {quoted(first)} stands below no start of a column of the "
                        "line above, so its blank columns cannot be filled; keep the blanks, or "
                        "write every line in full"
                    )
                line = above[:start] + line[start:]
            elif _turn(first, words) is not None:
                raise UserError(
                    f"line {number}: begins with the feedback {quoted(first)}, without a guess or "
                    "blank columns before it; keep the blanks, or write every line in full"
                )
        above = line if first else above
        whole.append(line)
    return whole, form


def _renumbered(number: int, fields: list[str], made: int) -> str:
    """A line whose turns are numbered from 1 instead of from ``made + 1``."""
    for turn, place in enumerate(range(1, len(fields), 2), start=1):
        if not fields[place].endswith(str(turn + made)):
            raise UserError(
                f"line {number}: {quoted(fields[place])} should end in its turn, {turn + made}, as "
                f"the first line is numbered from {made + 1}"
            )
        fields[place] = f"{fields[place].removesuffix(str(turn + made))}{turn}"
    return " ".join(fields)


# Rows


def _csv_rows(text: str, delimiter: str) -> Rows:
    """The rows of a CSV file, with the line where each ends."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        return [(reader.line_num, APART.split(" ".join(row).strip())) for row in reader]
    except csv.Error as error:
        raise UserError(f"line {reader.line_num}: no CSV ({error})") from None


def _of_rows(rows: Rows, game: Game) -> StoredTree:
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
