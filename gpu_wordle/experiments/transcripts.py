"""Reads games that people and programs have written down: words, colours, share grids, records."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from gpu_wordle.errors import UserError, counted, quoted
from gpu_wordle.game.reading import MIB, read_text
from gpu_wordle.game.words import GameWords

MAX_GAMES_BYTES = 256 * MIB
"""Largest file of games."""

MAX_PASTED_BYTES = MIB
"""Largest text of a pasted game."""

_HEADER = re.compile(r"^\W*\w+ [.,# ]*\d[\d.,# ]*(?:: +| )[\dX]/\d+\*?\s*$", re.IGNORECASE)
"""The first line of a shared grid, as in ``Wordle 1,234 4/6*``.

A line matches in few ways only, so that matching takes linear time.
"""

_SQUARES = re.compile("[⬛⬜🟨🟦🟩🟧]")


@dataclass(frozen=True)
class Transcript:
    """A written game.

    Attributes:
        turns: the guesses, each with its colours or None.
        answer: the hidden answer, if given.
        player: name of the player, if given.
    """

    turns: tuple[tuple[str, str | None], ...]
    answer: str | None = None
    player: str = ""


@dataclass(frozen=True)
class Chart:
    """A share grid without words: the colours of each turn."""

    patterns: tuple[int, ...]


def is_heading(line: str) -> bool:
    """Whether a line is the heading of a share grid, as in ``Wordle 1,234 4/6*``."""
    return _HEADER.match(line) is not None


def example_of(words: GameWords) -> str:
    """A guess of the game with feedback, as an example of how to write a turn."""
    word = words.feedback.example.split()[0]
    if word in words.guesses.index:
        return words.feedback.example
    seen = words.feedback.patterns(words, np.array(0), np.array(len(words.answers) - 1))
    return f"{words.guesses.words[0]} {words.feedback.format(int(seen))}"


def read_pasted(text: str, words: GameWords, answer: str | None = None) -> Transcript | Chart:
    """Read a typed or pasted game, or a chart of colours only.

    Words and colours may alternate, or stand in two columns in either order. Words may be marked as
    spoilers by bars. Headings such as ``Wordle 1,234 4/6`` are skipped.

    Raises UserError if the numbers of words and colours differ, or if there are none.
    """
    lines = [line for line in text.splitlines() if not is_heading(line)]
    tokens = [token for line in lines for token in line.replace("|", " ").split()]
    named, colours = list[str](), list[str]()
    for token in tokens:
        word, sign, seen = token.rpartition("=")
        if sign and words.guesses.place(token) is None:
            named.append(word)
            colours.append(seen)
        elif _is_pattern(token, words):
            colours.append(token)
        else:
            named.append(token)
    if named and not colours:
        return Transcript(tuple((word, None) for word in named), answer)
    if colours and not named:
        return Chart(tuple(words.feedback.parse(seen) for seen in colours))
    if not named or len(named) != len(colours):
        found = f"{counted(len(named), 'word')} and {counted(len(colours), 'row')} of colours"
        raise UserError(
            f"{found}; give the words of a game, and the colours of each or the answer, as in "
            f"{example_of(words)!r}"
        )
    return Transcript(tuple(zip(named, colours, strict=True)), answer)


def history_of(text: str, words: GameWords) -> str:
    """The turns of a pasted game, as a text for ``Game.position_after``.

    Raises UserError if words or colours are missing.
    """
    given = read_pasted(text, words)
    if isinstance(given, Chart):
        raise UserError(
            f"{counted(len(given.patterns), 'row')} of colours without the guessed words; "
            "write the words before them, or beside them"
        )
    if any(seen is None for _, seen in given.turns):
        raise UserError(f"words without colours; give both, as in {example_of(words)!r}")
    return " ".join(f"{word} {seen}" for word, seen in given.turns)


def _is_pattern(token: str, words: GameWords) -> bool:
    """Whether a token is a row of colours and not a word of the game."""
    if words.guesses.place(token) is not None:
        return False
    if _SQUARES.search(token):
        return True
    try:
        words.feedback.parse(token)
    except UserError:
        return False
    return True


def read_games(path: Path) -> list[Transcript]:
    """Read the games of a .jsonl or .csv file, one on each line.

    A record has ``guesses``, as a list or separated by blanks, and ``answer`` or ``patterns`` (the
    colours of each guess) or both. ``player`` is optional. Raises UserError, with the number of the
    line, for a record that is no game.
    """
    suffix = path.suffix.lower()
    if suffix not in (".jsonl", ".csv"):
        raise UserError(f"{path}: the name of a file of games ends in .jsonl or .csv")
    text = read_text(path, MAX_GAMES_BYTES, "", "save the games as UTF-8")
    records = _json_lines(path, text) if suffix == ".jsonl" else _csv_lines(path, text)
    games = [_transcript(f"{path}, line {number}", record) for number, record in records]
    if not games:
        raise UserError(f"{path}: holds no games; put one on each line")
    return games


def _json_lines(path: Path, text: str) -> Iterator[tuple[int, Mapping[str, Any]]]:
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            raise UserError(
                f"{path}, line {number}: not JSON; give an object on each line"
            ) from None
        if not isinstance(record, dict):
            raise UserError(f"{path}, line {number}: {quoted(record)} is no JSON object; give one")
        yield number, record


def _csv_lines(path: Path, text: str) -> Iterator[tuple[int, Mapping[str, Any]]]:
    reader = csv.DictReader(io.StringIO(text))
    try:
        for record in reader:
            yield reader.line_num, {k: v for k, v in record.items() if k and v}
    except csv.Error as error:
        raise UserError(f"{path}, line {reader.line_num}: no CSV ({error})") from None


def _transcript(where: str, record: Mapping[str, Any]) -> Transcript:
    """Read one record; ``where`` names its file and line."""
    guesses = _list_of(where, record, "guesses")
    patterns = _list_of(where, record, "patterns")
    answer, player = record.get("answer"), record.get("player", "")
    if not guesses:
        raise UserError(f"{where}: it has no guesses; give them as 'guesses'")
    if patterns and len(patterns) != len(guesses):
        raise UserError(
            f"{where}: {len(guesses)} guesses and {len(patterns)} patterns; give one for each"
        )
    if not patterns and answer is None:
        raise UserError(f"{where}: neither answer nor patterns; give 'answer' or 'patterns'")
    if not isinstance(answer, str | None) or not isinstance(player, str):
        raise UserError(f"{where}: answer and player are text")
    if not patterns:
        return Transcript(tuple((guess, None) for guess in guesses), answer, player)
    return Transcript(tuple(zip(guesses, patterns, strict=True)), answer, player)


def _list_of(where: str, record: Mapping[str, Any], key: str) -> Sequence[str]:
    """The texts under ``key``: a list, or a text split at blanks; empty if missing."""
    value = record.get(key) or []
    listed = value.split() if isinstance(value, str) else value
    if not isinstance(listed, list) or not all(isinstance(text, str) for text in listed):
        raise UserError(f"{where}: {key} {quoted(value)}; give a list of texts")
    return listed
