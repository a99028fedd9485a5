"""Trees in any form; and lines with blank columns.

Lines keep their numbers, so that messages name those of the file.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from gpu_wordle.errors import UserError, quoted
from gpu_wordle.experiments import signs
from gpu_wordle.game.feedback import LetterFeedback
from gpu_wordle.game.game import Game
from gpu_wordle.game.words import GameWords
from gpu_wordle.store.tree_forms import BLANK_COLUMNS, LINES, StoredTree, is_seen, of_lines
from gpu_wordle.store.tree_json import begins_as_tree, of_json
from gpu_wordle.store.tree_rows import csv_rows, of_rows


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
        return of_rows(csv_rows(text, delimiter), game)
    whole, form = _filled(text, words)
    if _is_unnumbered(fields, words):
        return of_rows([(number, line.split()) for number, line in enumerate(whole, 1)], game)
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
