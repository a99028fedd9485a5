"""Reads the games that people have kept: many pasted games, tables, and files of turns."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from gpu_wordle.errors import UserError
from gpu_wordle.experiments import signs
from gpu_wordle.experiments.pasted import NothingReadError, read_pasted
from gpu_wordle.experiments.pasted_lines import Item, Read, is_heading, read_line
from gpu_wordle.experiments.records import Given, read_records
from gpu_wordle.experiments.transcripts import Chart, Charts, Fault, Transcript
from gpu_wordle.game.words import GameWords

BINARY = (".h5", ".hdf5", ".parquet")
"""Suffixes of files of turns that are no text."""

MAX_TITLE = 100
"""Most characters of the title of a game."""


@dataclass
class KeptGames:
    """What has been read.

    Attributes:
        games: the games; a title is, for example, the heading of a share grid.
        refused: a line for each game that cannot be read.
        ignored: text that belongs to no game.
    """

    games: list[Given] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    ignored: list[str] = field(default_factory=list)


def read_kept_games(
    text: str, name: str, words: GameWords, *, last_is_answer: bool = False
) -> KeptGames:
    """Read the games of a text: a .csv, .jsonl or .json file by its name, else pasted games.

    Pasted games are separated by empty lines, headings, or solved grids; several words in a line
    are a game of their own. With ``last_is_answer``, the last word of a game without colours is its
    answer; otherwise such a game is refused. Pasted games that cannot be read are listed, and the
    others are kept. Raises UserError for a file that cannot be read.
    """
    suffix = name.lower().rpartition(".")[2] if "." in name else ""
    if f".{suffix}" in BINARY:
        raise UserError(
            f"{name}: this file is no text; write the turns with --out to a .csv or .jsonl file"
        )
    if suffix == "json":
        return _listed(name, [_of_document(name, text)])
    if suffix in ("csv", "jsonl"):
        return _listed(name, read_records(name, text, words, is_csv=suffix == "csv"))
    return _pasted(text, words, last_is_answer=last_is_answer)


def _listed(name: str, games: Sequence[Given]) -> KeptGames:
    """The games of a file; those with turns that cannot be read are refused."""
    found = KeptGames()
    for number, game in enumerate(games, start=1):
        if isinstance(game, Transcript) and any(isinstance(seen, Fault) for _, seen in game.turns):
            found.refused.append(f"{name}, game {number}: it has a turn that cannot be read")
        else:
            found.games.append(game)
    if not games:
        raise UserError(f"{name}: holds no games")
    return found


def _of_document(name: str, text: str) -> Transcript:
    """The game of the JSON that ``analyse`` prints; UserError for any other JSON."""
    try:
        said = json.loads(text)
        rows = said["rows"]
        turns = tuple((str(row["guess"]), row["pattern"]) for row in rows)
    except (ValueError, TypeError, KeyError, RecursionError):
        raise UserError(
            f"{name}: not the JSON of a game, as analyse --json prints it; give a .jsonl file for "
            "many games"
        ) from None
    if not turns or not all(isinstance(seen, str | None) for _, seen in turns):
        raise UserError(f"{name}: holds no turns of a game")
    return Transcript(turns)


def _pasted(text: str, words: GameWords, *, last_is_answer: bool) -> KeptGames:
    """The games of a pasted text."""
    found = KeptGames()
    title = ""
    for first, lines in _blocks(text.splitlines(), words):
        whole = "\n" * (first - 1) + "\n".join(lines)  # errors name the lines of the whole text
        try:
            given = read_pasted(whole, words)
        except NothingReadError:
            title = " ".join(filter(None, (title, *map(str.strip, lines))))
            continue
        except UserError as error:
            found.refused.append(str(error))
            title = ""
            continue
        for game in given.charts if isinstance(given, Charts) else (given,):
            if isinstance(game, Transcript) and not any(seen for _, seen in game.turns):
                if not last_is_answer:
                    found.refused.append(
                        f"line {first}: {' '.join(w for w, _ in game.turns)}: words without "
                        "colours; say that the last word is the answer, or add the colours"
                    )
                    continue
                game = replace(game, answer=game.turns[-1][0])
            title = " ".join(filter(None, (title, *game.ignored)))
            found.games.append(replace(game, title=title))
            title = ""
    if title:
        found.ignored.append(title)
    return found


def _blocks(lines: Sequence[str], words: GameWords) -> Iterator[tuple[int, list[str]]]:
    """The lines of each game with the number of the first one; titles are blocks of their own."""
    items = [_items(line, words) for line in lines]
    kinds = [[each.kind for each in some] for some in items]
    start, block = 0, list[str]()
    for i, line in enumerate(lines):
        of_words, of_rows = kinds[i].count("word"), kinds[i].count("row")
        is_whole = of_words > 1 and of_rows in (0, of_words)
        before = {kind for each in kinds[start:i] for kind in each}
        is_other = before == {"row"} and {"word", "row"} <= set(kinds[i])  # a grid, then a game
        if block and (not line.strip() or is_heading(line) or is_whole or is_other):
            yield start + 1, block
            block = []
        if not line.strip():
            continue
        if not block:
            start = i
        block.append(line)
        are_rows_alone = not any("word" in each for each in kinds[start : i + 1])
        has_words_below = kinds[i + 1 : i + 2] == [["word"]]
        if is_whole or (_is_solved(items[i], words) and not (are_rows_alone and has_words_below)):
            yield start + 1, block
            block = []
    if block:
        yield start + 1, block


def _items(line: str, words: GameWords) -> list[Item]:
    """The items of a line; none if it cannot be read alone."""
    read = Read()
    try:
        read_line(1, line, words, read)
    except UserError:
        return []
    return [each for _, items in read.lines for each in items]


def _is_solved(items: Sequence[Item], words: GameWords) -> bool:
    """Whether a line of one turn is the last one of a solved game."""
    try:
        rows = [each.text for each in items if each.kind == "row"]
        return signs.colours(rows) == [signs.GREEN * words.length]
    except UserError:
        return False


def record_of(game: Given, words: GameWords) -> dict[str, Any]:
    """A game as a record that ``read_records`` reads."""
    record: dict[str, Any] = {"title": game.title[:MAX_TITLE]} if game.title else {}
    player = {"player": game.player} if game.player else {}
    if isinstance(game, Chart):
        rows = [words.feedback.format(each) for each in game.patterns]
        return record | {"patterns": rows} | player
    record["guesses"] = [word for word, _ in game.turns]
    seen = [colours for _, colours in game.turns]
    if all(seen):
        record["patterns"] = seen
    if game.answer is not None:
        record["answer"] = game.answer
    return record | player
