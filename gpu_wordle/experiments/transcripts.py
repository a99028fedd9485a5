"""Games as people and programs write them down: words, colours, share grids, records."""

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
"""What a file of games may hold."""

MAX_PASTED_BYTES = MIB
"""What is read of a game that was pasted."""

_HEADER = re.compile(r"^\W*\w+ [.,# ]*\d[\d.,# ]*(?:: +| )[\dX]/\d+\*?\s*$", re.IGNORECASE)
"""The first line of a shared grid, as in ``Wordle 1,234 4/6*``.

There are few ways to split a line into the parts, so that it takes time in its length.
"""

_SQUARES = re.compile("[⬛⬜🟨🟦🟩🟧]")


@dataclass(frozen=True)
class Transcript:
    """A game as it was written down.

    Attributes:
        turns: guesses, each with its colours if they are given.
        answer: what was hidden, if that is given.
        player: who played it.
    """

    turns: tuple[tuple[str, str | None], ...]
    answer: str | None = None
    player: str = ""


@dataclass(frozen=True)
class Chart:
    """A share grid without words: the colours of each turn."""

    patterns: tuple[int, ...]


def is_heading(line: str) -> bool:
    """Whether a line is what stands above a shared grid, as in ``Wordle 1,234 4/6*``."""
    return _HEADER.match(line) is not None


def example_of(words: GameWords) -> str:
    """A guess of the game and feedback to it, as one writes them."""
    word = words.feedback.example.split()[0]
    if word in words.guesses.index:
        return words.feedback.example
    seen = words.feedback.patterns(words, np.array(0), np.array(len(words.answers) - 1))
    return f"{words.guesses.words[0]} {words.feedback.format(int(seen))}"


def read_pasted(text: str, words: GameWords, answer: str | None = None) -> Transcript | Chart:
    """A game or a chart from what somebody has typed or pasted.

    Words and colours may stand in turn, or side by side in two columns, in either order. Words may
    have bars around them, as spoilers do. A heading such as ``Wordle 1,234 4/6`` is passed over.
    Raises UserError if words and colours do not go together, or there are neither.
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
    """The turns of a game that was pasted, as text that ``Game.position_after`` reads.

    Raises UserError if words or colours are missing.
    """
    given = read_pasted(text, words)
    if isinstance(given, Chart):
        raise UserError(
            f"{counted(len(given.patterns), 'row')} of colours, which do not say what was guessed; "
            "write the words before them, or beside them"
        )
    if any(seen is None for _, seen in given.turns):
        raise UserError(f"words without colours; give both, as in {example_of(words)!r}")
    return " ".join(f"{word} {seen}" for word, seen in given.turns)


def _is_pattern(token: str, words: GameWords) -> bool:
    """Whether a token is colours, and no word of the game."""
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
    """The games of a .jsonl or .csv file, one a line; UserError, with the line, for what is none.

    A record has ``guesses``, as a list or separated by blanks; and ``answer``, or ``patterns`` with
    the colours of each guess, or both. ``player`` says who played it.
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
                f"{path}, line {number}: no JSON; give an object on each line"
            ) from None
        if not isinstance(record, dict):
            raise UserError(f"{path}, line {number}: {quoted(record)} is no object; give one")
        yield number, record


def _csv_lines(path: Path, text: str) -> Iterator[tuple[int, Mapping[str, Any]]]:
    reader = csv.DictReader(io.StringIO(text))
    try:
        for record in reader:
            yield reader.line_num, {k: v for k, v in record.items() if k and v}
    except csv.Error as error:
        raise UserError(f"{path}, line {reader.line_num}: no CSV ({error})") from None


def _transcript(where: str, record: Mapping[str, Any]) -> Transcript:
    """The game of one record."""
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
    """A list of texts, or a text split at blanks; empty if there is none."""
    value = record.get(key) or []
    listed = value.split() if isinstance(value, str) else value
    if not isinstance(listed, list) or not all(isinstance(text, str) for text in listed):
        raise UserError(f"{where}: {key} {quoted(value)}; give a list of texts")
    return listed
