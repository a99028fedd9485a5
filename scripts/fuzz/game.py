"""A small game for fuzzing: its files, and short brute force for what is true of it.

It also reads the tables of this folder, which hold command lines and values of options.
"""

from __future__ import annotations

import json
import math
import re
import shlex
import tomllib
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

from support import small_game
from support.naive import feedback as colours
from support.naive import pattern as number
from support.small_game import ANSWERS, LISTS, WEIGHTS

GUESSES = sorted(small_game.GUESSES)
PLAYERS = ("ann", "bob")
PLAIN = ["--quiet", "--json", "--threads", "1"]
"""Options with which equal questions have equal answers."""

TEXTS = {
    "LONG": "x" * 5000,
    "DIGITS": "9" * 5000,
    "NINES": "9" * 99,
    "MANY": ",".join("1" * 999),
    "NOT-UTF-8": "\udcff",
}
"""Texts that tables name."""

_MARKS = str.maketrans({"0": "B", "1": "Y", "2": "G"} | dict.fromkeys("-._X⬛⬜", "B"))
_MARKS |= {ord("🟨"): "Y", ord("🟩"): "G"}
_VARYING = {"seconds", "expanded", "bytes", "fates"}
"""Keys that vary: times, work, pruning counts, and sizes of files that hold a time."""


@dataclass(frozen=True)
class Matrix:
    """A game by its feedback; ``solved`` is the feedback of a found answer."""

    guesses: Sequence[str]
    answers: Sequence[str]
    feedback: Callable[[str, str], object]
    solved: object
    weights: Sequence[Fraction]


def table(name: str) -> dict[str, Any]:
    """Return a table of this folder."""
    return tomllib.loads(Path(__file__).with_name(f"{name}.toml").read_text("utf-8"))


def arguments_of(line: str) -> list[str]:
    """Split a command line as a shell does. LISTS and PLAIN stand for the options named so."""
    named = {"LISTS": LISTS, "PLAIN": PLAIN}
    return [part for word in shlex.split(line) for part in named.get(word, [word])]


def values_of(listed: Iterable[str], lists: Mapping[str, Sequence[str]]) -> list[str]:
    """Return the values of a list of a table, which may name other lists, and TEXTS."""
    found = []
    for value in listed:
        if value in lists:
            found += values_of(lists[value], lists)
        else:
            found.append(re.sub("|".join(TEXTS), lambda name: TEXTS[name[0]], value))
    return found


def write_game(folder: Path) -> None:
    """Write the lists, weights, the same game as a matrix of feedback, and games of it."""
    small_game.write(folder)
    rows = (f"{word},{weight}\n" for word, weight in zip(ANSWERS, WEIGHTS, strict=True))
    (folder / "weights.csv").write_text("word,weight\n" + "".join(rows))
    lines = [f"{player},chf mps {answer},{answer}" for player in PLAYERS for answer in ANSWERS]
    (folder / "games.csv").write_text("\n".join(["player,guesses,answer", *lines, ""]))
    rows_of_matrix = [["26", *ANSWERS]]
    rows_of_matrix += [[guess, *(str(number(guess, a)) for a in ANSWERS)] for guess in GUESSES]
    (folder / "game.csv").write_text("".join(",".join(line) + "\n" for line in rows_of_matrix))


def words_in(data: bytes) -> list[str]:
    """Return the words of a list."""
    text = data.decode("utf-8-sig")
    return [_spelled(line) for line in re.split("[\r\n]+", text) if line.strip()]


def _spelled(word: str) -> str:
    return unicodedata.normalize("NFC", word.strip().lower())


def game_of_lists(folder: Path, weights: bool = False) -> Matrix:
    """Return the game that the files of a folder state."""
    guesses, answers = (
        words_in((folder / f"{n}.txt").read_bytes()) for n in ("guesses", "answers")
    )
    shares = [Fraction(1)] * len(answers)
    if weights:
        rows = (folder / "weights.csv").read_text("utf-8-sig").split("\n")
        pairs = [row.replace('"', "").split(",") for row in rows if row.strip()]
        named = {_spelled(row[0]): row[1] for row in pairs}
        shares = [Fraction(named[answer].strip()) for answer in answers]
    return Matrix(guesses, answers, colours, "G" * len(answers[0]), shares)


def game_of_matrix(path: Path) -> Matrix:
    """Return the game that a file of feedback states."""
    lines = path.read_text("utf-8-sig").replace("\r", "\n").replace('"', "").split("\n")
    head, *rows = [[cell.strip() for cell in line.split(",")] for line in lines if line.strip()]
    answers = [_spelled(name) for name in head[1:]]
    cells = {
        (_spelled(name), answer): int(cell)
        for name, *row in rows
        for answer, cell in zip(answers, row, strict=True)
    }
    guesses = [_spelled(row[0]) for row in rows]
    shares = [Fraction(1)] * len(answers)
    return Matrix(guesses, answers, lambda g, a: cells[g, a], int(head[0]), shares)


def means(game: Matrix, openers: Iterable[str], limit: int | None) -> list[Fraction | None]:
    """Return the least weighted mean of each opener; None if it may exceed the limit."""
    shares = dict(zip(game.answers, game.weights, strict=True))

    def after(guess: str, state: frozenset[str], left: float) -> Fraction | float:
        parts = defaultdict(set)
        for answer in state:
            parts[game.feedback(guess, answer)].add(answer)
        parts.pop(game.solved, None)
        cost: Fraction | float = sum((shares[answer] for answer in state), Fraction(0))
        for part in parts.values():
            rest = best(frozenset(part), left - 1)
            if rest == math.inf:
                return rest
            cost += rest
        return cost

    def tells(guess: str, state: frozenset[str]) -> bool:
        patterns = {game.feedback(guess, answer) for answer in state}
        return len(patterns) > 1 or game.solved in patterns

    @cache
    def best(state: frozenset[str], left: float) -> Fraction | float:
        if left <= 0:
            return math.inf
        telling = (guess for guess in game.guesses if tells(guess, state))
        return min((after(guess, state, left) for guess in telling), default=math.inf)

    whole, most = frozenset(game.answers), math.inf if limit is None else limit
    costs = (after(opener, whole, most) if most > 0 else math.inf for opener in openers)
    return [cost / sum(game.weights) if isinstance(cost, Fraction) else None for cost in costs]


def exactly(number: float) -> Fraction:
    """Return the exact decimal of a number in JSON."""
    return Fraction(str(number))


def untrue(document: dict[str, Any], game: Matrix) -> str:
    """Return where rows of ``solve`` contradict brute force; empty if nowhere."""
    rows = document["rows"]
    true = means(game, [row["opener"] for row in rows], document["max_guesses"])
    for row, mean in zip(rows, true, strict=True):
        told = None if row["infeasible"] else exactly(row["total"]) / exactly(document["weight"])
        if told != mean:
            return f"{row['opener']}: says {told}, is {mean}"
    return ""


def same(text: str) -> Any:
    """Return a JSON document without the keys that differ from run to run."""

    def pruned(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: pruned(held) for key, held in value.items() if key not in _VARYING}
        return [pruned(held) for held in value] if isinstance(value, list) else value

    return pruned(json.loads(text))


def played(path: Path) -> int | None:
    """Return the total of the strategy in a text or JSON file; None if it is none."""
    text = path.read_text("utf-8-sig")
    turns = _turns_of_json(json.loads(text)) if path.suffix == ".json" else _turns_of_text(text)
    known: dict[tuple[str, ...], str] = {}
    for answer, line in turns.items():
        history: tuple[str, ...] = ()
        for guess, pattern in line:
            if guess not in GUESSES or colours(guess, answer) != pattern:
                return None
            if known.setdefault(history, guess) != guess:
                return None
            history += (guess, pattern)
        if line[-1][0] != answer:
            return None
    return sum(map(len, turns.values())) if sorted(turns) == sorted(ANSWERS) else None


Turns = dict[str, list[tuple[str, str]]]


def _turns_of_text(text: str) -> Turns:
    """Return the guesses and feedback for each answer, of a tree in text."""
    lines: Turns = {}
    for line in filter(str.strip, text.splitlines()):
        tokens = line.split()
        marked = [re.sub(r"\d$", "", mark) for mark in tokens[1::2]]
        turns = list(zip(map(_spelled, tokens[::2]), map(_marks, marked), strict=True))
        if turns[-1][0] in lines:
            return {}
        lines[turns[-1][0]] = turns
    return lines


def _turns_of_json(tree: dict[str, Any]) -> Turns:
    """Return the guesses and feedback for each answer, of a tree in JSON."""
    lines: Turns = {}
    for answer in ANSWERS:
        node, turns = tree, []
        while True:
            guess = _spelled(node["guess"])
            pattern = colours(guess, answer)
            turns.append((guess, pattern))
            if guess == answer:
                break
            following = {_marks(key): child for key, child in node["next"].items()}
            if pattern not in following:
                return {}
            node = following[pattern]
        lines[answer] = turns
    return lines


def _marks(text: str) -> str:
    return text.strip().upper().translate(_MARKS)
