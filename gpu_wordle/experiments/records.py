"""Reads files of many games: words, colours, pasted texts and transcripts of language models."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from numbers import Integral
from pathlib import Path
from typing import Any

from gpu_wordle.errors import UserError, quoted
from gpu_wordle.experiments.pasted import NothingReadError, parse_row, read_pasted
from gpu_wordle.experiments.replies import read_reply
from gpu_wordle.experiments.transcripts import Chart, Fault, Transcript
from gpu_wordle.game.reading import MIB, read_text
from gpu_wordle.game.words import GameWords

MAX_GAMES_BYTES = 256 * MIB
"""Largest file of games."""


MESSAGES = ("messages", "prompt", "completion")
"""The keys of a record that hold messages."""

Given = Transcript | Chart
"""A game of a file: with words, or a share grid without."""


def read_games(path: Path, words: GameWords) -> list[Given]:
    """Read the games of a .jsonl or .csv file, one on each line.

    A record has ``guesses``, as a list or separated by blanks, and ``answer`` or ``patterns`` (the
    colours of each guess) or both. Instead it may have ``text``, a pasted game, or the messages of
    a language model that plays: ``messages``, or ``prompt`` and ``completion``. They tell the
    turns by what the model was told or, with the answer, by its replies. ``patterns`` alone are a
    share grid. ``player`` is optional. A file of turns, as ``analyse`` writes it, has a turn on
    each line.

    Raises UserError, with the number of the line, for a record that is no game.
    """
    suffix = path.suffix.lower()
    if suffix not in (".jsonl", ".csv"):
        raise UserError(f"{path}: the name of a file of games ends in .jsonl or .csv")
    text = read_text(path, MAX_GAMES_BYTES, "", "save the games as UTF-8")
    games = read_records(str(path), text, words, is_csv=suffix == ".csv")
    if not games:
        raise UserError(f"{path}: holds no games; put one on each line")
    return games


def read_records(name: str, text: str, words: GameWords, *, is_csv: bool) -> list[Given]:
    """Read the games of a text in CSV, or of one with a JSON object on each line."""
    records = _csv_lines(name, text) if is_csv else _json_lines(name, text)
    games: list[Given] = []
    turns: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
    for number, record in records:
        if "game_number" not in record:
            game = read_record(f"{name}, line {number}", record, words)
            games.append(replace(game, title=str(record.get("title") or "")))
            continue
        key = str(record["game_number"]), str(record.get("player") or "")
        turns.setdefault(key, []).append(record)
    return games + [_of_turns(player, rows) for (_, player), rows in turns.items()]


def _of_turns(player: str, rows: Sequence[Mapping[str, Any]]) -> Transcript:
    """A game from its rows in a file of turns."""
    told = [(str(row.get("guess") or ""), row.get("pattern")) for row in rows]
    turns = tuple((guess, str(seen) if seen else None) for guess, seen in told)
    return Transcript(turns, player=player)


def _json_lines(path: str, text: str) -> Iterator[tuple[int, Mapping[str, Any]]]:
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


def _csv_lines(path: str, text: str) -> Iterator[tuple[int, Mapping[str, Any]]]:
    reader = csv.DictReader(io.StringIO(text))
    try:
        for record in reader:
            yield reader.line_num, {k: v for k, v in record.items() if k and v}
    except csv.Error as error:
        raise UserError(f"{path}, line {reader.line_num}: no CSV ({error})") from None


def read_record(where: str, record: Mapping[str, Any], words: GameWords) -> Given:
    """Read one record, as :func:`read_games` describes it.

    Raises UserError, which begins with ``where``, for a record that is no game.
    """
    guesses = _list_of(where, record, "guesses")
    patterns = _list_of(where, record, "patterns")
    answer, player = record.get("answer"), record.get("player", "")
    if not isinstance(answer, str | None) or not isinstance(player, str):
        raise UserError(f"{where}: answer and player are text")
    told = _told(where, record)
    if told is not None and not guesses:
        turns = _turns_told(told, words)
        if answer is None or any(word for word, _ in turns):
            return Transcript(turns, answer, player)
        replies, unread = _replies(where, record, words)
        return Transcript(replies or turns, answer, player, unread)
    if not guesses and patterns:
        try:
            return Chart(tuple(parse_row(each, words) for each in patterns), player=player)
        except UserError as error:
            raise UserError(f"{where}: {error}") from None
    if not guesses:
        raise UserError(
            f"{where}: it has no guesses; give them as 'guesses', or a pasted game as 'text'"
        )
    if patterns and len(patterns) != len(guesses):
        raise UserError(
            f"{where}: {len(guesses)} guesses and {len(patterns)} patterns; give one for each"
        )
    if not patterns and answer is None:
        raise UserError(f"{where}: neither answer nor patterns; give 'answer' or 'patterns'")
    if not patterns:
        return Transcript(tuple((guess, None) for guess in guesses), answer, player)
    return Transcript(tuple(zip(guesses, patterns, strict=True)), answer, player)


def _list_of(where: str, record: Mapping[str, Any], key: str) -> Sequence[str]:
    """The texts under ``key``: a list, or a text split at blanks; empty if missing."""
    value = record.get(key) or []
    listed = value.split() if isinstance(value, str) else value
    if key == "patterns" and isinstance(listed, list):  # games of their own feedback number it
        listed = [str(each) if isinstance(each, Integral) else each for each in listed]
    if not isinstance(listed, list) or not all(isinstance(text, str) for text in listed):
        raise UserError(f"{where}: {key} {quoted(value)}; give a list of texts")
    return listed


def _told(where: str, record: Mapping[str, Any]) -> list[str] | None:
    """The texts that tell a game: a pasted one, or what a model was told after its first guess."""
    text = record.get("text")
    if isinstance(text, str):
        return [text]
    messages = _messages(where, record)
    if not messages:
        return None
    told, has_guessed = list[str](), False
    for each in messages:
        if each["role"] == "assistant":
            has_guessed = True
        elif has_guessed:
            told.append(_content(each.get("content")))
    return told


def _messages(where: str, record: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The messages of a record; a prompt or a completion of another form is not read.

    Raises UserError, which names the key, for messages that are none.
    """
    found = list[dict[str, Any]]()
    for key in MESSAGES:
        value = record.get(key) or []
        if key == "messages" and not isinstance(value, list):
            raise UserError(f"{where}: {key} {quoted(value)}; give a list of messages")
        for each in value if isinstance(value, list) else ():
            if not isinstance(each, dict) or not isinstance(each.get("role"), str):
                raise UserError(
                    f"{where}: {key}: {quoted(each)} is no message; give its role and content"
                )
            found.append(each)
    return found


def _replies(
    where: str, record: Mapping[str, Any], words: GameWords
) -> tuple[tuple[tuple[str, None], ...], tuple[str, ...]]:
    """The words that a model has guessed, and its replies that cannot be read."""
    guesses, unread = list[tuple[str, None]](), list[str]()
    for each in _messages(where, record):
        if each["role"] == "assistant":
            text = _content(each.get("content"))
            try:
                guesses.append((read_reply(text, words), None))
            except UserError:
                unread.append(text)
    return tuple(guesses), tuple(unread)


def _content(content: Any) -> str:
    """The text of a message, which may come in parts."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    texts = (part.get("text") for part in parts if isinstance(part, dict))
    return "\n".join(text for text in texts if isinstance(text, str))


def _turns_told(told: Sequence[str], words: GameWords) -> tuple[tuple[str, str | None], ...]:
    """The turns in some texts; a text that tells the game from its start replaces those before.

    A turn that cannot be read has no word, and its fault in place of its colours.
    """
    turns: tuple[tuple[str, str | None], ...] = ()
    for text in told:
        try:
            given = read_pasted(text, words)
        except NothingReadError:
            continue
        except UserError as error:
            turns += (("", Fault.of(error)),)
            continue
        if not isinstance(given, Transcript):
            turns += (("", Fault.INCOMPLETE),)
        elif any(seen is not None for _, seen in given.turns):
            is_whole = len(given.turns) > len(turns) and given.turns[: len(turns)] == turns
            turns = given.turns if is_whole else turns + given.turns
    return turns
