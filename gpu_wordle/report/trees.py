"""Decision trees on a terminal; trees and positions in a notebook."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from rich.text import Text
from rich.tree import Tree

from gpu_wordle.errors import counted
from gpu_wordle.game.feedback import Feedback, LetterFeedback
from gpu_wordle.game.game import Position
from gpu_wordle.game.spelling import capitals
from gpu_wordle.report import notebook
from gpu_wordle.report.content import Strategy
from gpu_wordle.report.figures import left_line
from gpu_wordle.report.tiles import tiled
from gpu_wordle.states.tree import DecisionTree

MAX_NODES_SHOWN = 200
"""Most guesses of a tree that is shown in full; of larger trees, two turns are shown."""
MAX_OPEN = 40
"""Most guesses of a tree that a notebook shows unfolded."""


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
    """The tree for a notebook, as lists that fold."""
    nodes = shown_nodes(tree)
    left_out = len(tree) - len(nodes)
    more = f"<p>and {left_out:,} guesses on later turns</p>" if left_out else ""
    lists = nested(Strategy(tree, position), nodes, are_open=len(nodes) <= MAX_OPEN)
    return notebook.in_notebook(f"<ul class=gw-tree>{lists}</ul>{more}")


def nested(strategy: Strategy, nodes: Sequence[int], *, are_open: bool = False) -> str:
    """The guesses of a tree as HTML lists that fold, of which the first is open or all are.

    Before each guess stands the feedback that leads to it, and behind it the number of answers.
    ``nodes`` are those to show, in order, with all that lead to them.
    """
    tree, words, answers = strategy.tree, strategy.position.game.words, strategy.answers()
    below: dict[int, list[str]] = {node: [] for node in nodes}
    for node in reversed(nodes):
        parent, pattern = int(tree.parent[node]), int(tree.pattern[node])
        seen = ""
        if node:
            guess = words.guesses.words[tree.guess[parent]]
            letters = words.feedback.tiles(guess)
            seen = f"{notebook.tiles(letters, words.feedback.format(pattern))} "
        guess = escape(words.guesses.shown(tree.guess[node]))
        label = f"{seen}<b>{guess}</b> <small>{counted(answers[node], 'answer')}</small>"
        item = f"<li><span class=leaf>{label}</span></li>"
        if inner := below.pop(node):
            state = " open" if are_open or node == 0 else ""
            lists = "".join(reversed(inner))
            item = f"<li><details{state}><summary>{label}</summary><ul>{lists}</ul></details></li>"
        if node == 0:
            return item
        below[parent].append(item)
    raise AssertionError("a tree has a root")


def position_html(position: Position) -> str:
    """A position for a notebook: what is known, the turns in tiles, and the answers left."""
    words = position.game.words
    known = f"<p><code>{escape(position.known.said)}</code></p>" if position.known else ""
    board = ""
    for guess, pattern in position.turns:
        word = words.guesses.words[guess]
        before = "" if words.feedback.is_of_words else f"{escape(word)} "
        turn = notebook.tiles(words.feedback.tiles(word), words.feedback.format(pattern))
        board += f"<li>{before}{turn}</li>"
    if board:
        board = f"<ol class=gw-turns>{board}</ol>"
    return notebook.in_notebook(f"{known}{board}<p>{escape(left_line(position))}</p>")
