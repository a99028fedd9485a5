"""Decision trees on a terminal and in a notebook."""

from __future__ import annotations

from html import escape

from rich.text import Text
from rich.tree import Tree

from gpu_wordle.game.feedback import Feedback, LetterFeedback
from gpu_wordle.game.game import Position
from gpu_wordle.game.spelling import capitals
from gpu_wordle.report.tiles import tiled
from gpu_wordle.states.tree import DecisionTree

MAX_NODES_SHOWN = 200
"""Most guesses of a tree that is shown in full; of larger trees, two turns are shown."""


def shown_nodes(tree: DecisionTree) -> list[int]:
    """The nodes to show, in order."""
    depth = tree.height if len(tree) <= MAX_NODES_SHOWN else 2
    return [node for node, turn in enumerate(tree.turns) if turn <= depth]


def rich_tree(tree: DecisionTree, position: Position) -> Tree:
    """The tree on a terminal, with tiles in their colours."""
    words = position.game.words
    spelled = words.guesses.words
    branches: dict[int, Tree] = {0: Tree(Text(capitals(spelled[tree.guess[0]]), "bold"))}
    for node in shown_nodes(tree)[1:]:
        parent = int(tree.parent[node])
        text = tiles(spelled[tree.guess[parent]], int(tree.pattern[node]), words.feedback)
        text.append(f" {capitals(spelled[tree.guess[node]])}", "bold")
        branches[node] = branches[parent].add(text)
    left_out = len(tree) - len(branches)
    if left_out:
        branches[0].add(Text(f"and {left_out:,} guesses on later turns", "dim"))
    return branches[0]


def tiles(word: str, pattern: int, feedback: Feedback) -> Text:
    """A word with its feedback, as tiles or as text."""
    if isinstance(feedback, LetterFeedback):
        return tiled(feedback.tiles(word), pattern)
    return Text(feedback.format(pattern))


def tree_html(tree: DecisionTree, position: Position) -> str:
    """The tree as nested lists, for a notebook."""
    words = position.game.words
    shown = shown_nodes(tree)
    items: dict[int, list[str]] = {node: [] for node in shown}
    for node in reversed(shown):
        guess = escape(words.guesses.shown(tree.guess[node]))
        seen = f"<code>{escape(words.feedback.format(int(tree.pattern[node])))}</code> "
        below = f"<ul>{''.join(reversed(items[node]))}</ul>" if items[node] else ""
        item = f"<li>{seen if node else ''}<b>{guess}</b>{below}</li>"
        if node == 0:
            return f"<ul>{item}</ul>"
        items[int(tree.parent[node])].append(item)
    raise AssertionError("a tree has a root")
