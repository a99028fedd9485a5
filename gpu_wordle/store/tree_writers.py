"""Trees written in the forms of other programs."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from gpu_wordle.game.feedback import LetterFeedback, format_pattern
from gpu_wordle.game.game import Position
from gpu_wordle.game.words import GameWords
from gpu_wordle.states.tree import DecisionTree


def _own_lines(tree: DecisionTree, position: Position) -> str:
    return tree.to_text(position.game.words, position.state)


def _own_json(tree: DecisionTree, position: Position) -> str:
    return tree.to_json(position.game.words)


def _columns(tree: DecisionTree, position: Position) -> str:
    """Lines in which a column that equals the line above is blank."""
    above, lines = list[str](), list[str]()
    for line in _own_lines(tree, position).splitlines():
        fields = line.split()
        pairs = zip(above, fields[:-1], strict=False)
        alike = next((n for n, (one, other) in enumerate(pairs) if one != other), None)
        alike = min(len(above), len(fields) - 1) if alike is None else alike
        blank = sum(len(field) + 1 for field in fields[:alike])
        lines.append(" " * blank + " ".join(fields[alike:]))
        above = fields
    return "\n".join(lines) + "\n"


def _map(tree: DecisionTree, position: Position) -> str:
    """JSON of ``guess`` and ``map``: digits lead to a node, or to a word after which all ends."""
    words, solved = position.game.words, position.game.words.feedback.solved
    found = {node for node, pattern in tree.ends(words, position.state) if pattern == solved}
    below: list[dict[str, Any]] = [{} for _ in range(len(tree))]
    for node in range(len(tree) - 1, -1, -1):
        guess = words.guesses.words[tree.guess[node]]
        children = dict(reversed(below[node].items()))
        if node in found and (children or node == 0):
            children[_digits(solved, words)] = guess
        told = {"guess": guess, "map": children} if children or node == 0 else guess
        if node == 0:
            return json.dumps(told, separators=(",", ":")) + "\n"
        below[tree.parent[node]][_digits(int(tree.pattern[node]), words)] = told
    raise AssertionError("a tree has a root")


def _module(tree: DecisionTree, position: Position) -> str:
    return f"export default {_map(tree, position)}"


def _table_csv(tree: DecisionTree, position: Position) -> str:
    """CSV of all feedback so far and the next guess, which comes last."""
    columns = max(tree.height - 1, 1)
    headings = [f"feedback{turn}" for turn in range(1, columns + 1)]
    entries = _entries(tree, position)
    rows = ([*seen, *[""] * (columns - len(seen)), guess] for seen, guess in entries)
    return _csv([[*headings, "guess"], *rows])


def _table_json(tree: DecisionTree, position: Position) -> str:
    """JSON of all feedback so far, apart by blanks, and the next guess."""
    entries = {" ".join(seen): guess for seen, guess in _entries(tree, position)}
    return json.dumps(entries, indent=1) + "\n"


def _paths_csv(tree: DecisionTree, position: Position) -> str:
    """CSV of a row for each answer: guesses and feedback in turn."""
    rows = [line.split() for line in _own_lines(tree, position).splitlines()]
    longest = max(len(row) for row in rows) // 2
    headings = [f"{name}{turn}" for turn in range(1, longest + 1) for name in ("guess", "feedback")]
    for row in rows:
        turns = enumerate(row[1::2], start=1)
        row[1::2] = [seen.removesuffix(str(turn)) for turn, seen in turns]
    return _csv([headings, *rows])


def _entries(tree: DecisionTree, position: Position) -> list[tuple[tuple[str, ...], str]]:
    """All feedback that leads to each guess, and the guess, in the order of the tree."""
    words, entries = position.game.words, list[tuple[tuple[str, ...], str]]()
    for node in range(len(tree)):
        seen = words.feedback.format(int(tree.pattern[node]))
        before = (*entries[tree.parent[node]][0], seen) if node else ()
        entries.append((before, words.guesses.words[tree.guess[node]]))
    return entries


def _digits(pattern: int, words: GameWords) -> str:
    """A pattern in digits, if it consists of colours."""
    if isinstance(words.feedback, LetterFeedback):
        return format_pattern(pattern, words.length, "012")
    return words.feedback.format(pattern)


def _csv(rows: Iterable[Sequence[str]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


WRITERS: Mapping[str, Callable[[DecisionTree, Position], str]] = {
    ".map.json": _map,
    ".table.json": _table_json,
    ".paths.csv": _paths_csv,
    ".txt": _own_lines,
    ".tree": _columns,
    ".json": _own_json,
    ".js": _module,
    ".csv": _table_csv,
}
"""The form of each suffix; of two that fit, the first holds."""
