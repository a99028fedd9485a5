"""DecisionTree: a strategy as flat arrays, with its text and JSON forms; Forest: many of them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.errors import UserError
from gpu_wordle.game.values import NO_LIMIT
from gpu_wordle.game.words import GameWords

NO_PARENT = -1

End = tuple[int, int]
"""Where the path of an answer ends in a tree: its last node, and the pattern there."""


def turns_of(parent: NDArray[np.int32]) -> NDArray[np.int32]:
    """Turn of each node's guess, counted from 1, int32[N]; for one tree or several in one array."""
    turns = np.ones(len(parent), dtype=np.int32)
    nodes, above = np.arange(len(parent)), parent
    # All nodes step up a level at a time, so there are as many rounds as the tree is high.
    while True:
        inner = above >= 0
        if not inner.any():
            return turns
        nodes, above = nodes[inner], above[inner]
        turns[nodes] += 1
        above = parent[above]


@dataclass(frozen=True, eq=False)
class DecisionTree:
    """A strategy for a state: each node is a guess, reached by a pattern from its parent.

    Nodes are in depth-first preorder, and children in the order of their patterns, so that equal
    strategies are equal arrays. ALL_GREEN has no node: an answer is found at the node whose guess
    it is.

    Attributes:
        guess: int32[N], index of the guess.
        parent: int32[N], the parent node; NO_PARENT at the root.
        pattern: uint16[N], feedback to the parent's guess that leads here; 0 at the root.
    """

    guess: NDArray[np.int32]
    parent: NDArray[np.int32]
    pattern: NDArray[np.uint16]

    def __len__(self) -> int:
        return len(self.guess)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, DecisionTree)
            and np.array_equal(self.guess, other.guess)
            and np.array_equal(self.parent, other.parent)
            and np.array_equal(self.pattern, other.pattern)
        )

    def __repr__(self) -> str:
        return f"DecisionTree({len(self):,} guesses, {self.height} at worst)"

    @property
    def turns(self) -> NDArray[np.int32]:
        """Turn of each node's guess, counted from 1, int32[N]."""
        return turns_of(self.parent)

    @cached_property
    def height(self) -> int:
        """Number of guesses on the longest path: the worst case, unless a guess is useless."""
        return int(self.turns.max())

    def to_text(self, words: GameWords, answers: NDArray[np.uint16]) -> str:
        """The strategy as text: one line for each answer, with guesses, patterns and turns.

        The form is that of the literature: ``salet BYBBG1 crate BYBYY2 ... GGGGG4``. Lines are in
        the order of the tree. The line of an answer that is not found ends in another pattern.
        """
        spell = words.feedback.format
        paths: list[str] = []
        for node, turn in enumerate(self.turns):
            word = words.guesses.words[self.guess[node]]
            if node > 0:
                colours = spell(int(self.pattern[node]))
                word = f"{paths[self.parent[node]]} {colours}{turn - 1} {word}"
            paths.append(word)
        solved = words.feedback.solved
        ends = sorted(self.ends(words, answers), key=lambda end: (end[0], end[1] != solved, end))
        lines = (f"{paths[n]} {spell(p)}{self.turns[n]}" for n, p in ends)
        return "\n".join(lines) + "\n"

    def ends(self, words: GameWords, answers: NDArray[np.uint16]) -> Iterator[End]:
        """Yield the end of each answer's path."""
        children = {
            (int(parent), int(pattern)): node
            for node, (parent, pattern) in enumerate(zip(self.parent, self.pattern, strict=True))
        }
        nodes = np.zeros(len(answers), dtype=np.int64)
        while len(answers):
            patterns = words.feedback.patterns(words, self.guess[nodes], answers)
            at = list(zip(nodes.tolist(), patterns.tolist(), strict=True))
            next_nodes = np.array([children.get(place, NO_PARENT) for place in at], dtype=np.int64)
            is_end = (next_nodes == NO_PARENT) | (patterns == words.feedback.solved)
            yield from (at[i] for i in np.flatnonzero(is_end))
            answers, nodes = answers[~is_end], next_nodes[~is_end]

    def to_json(self, words: GameWords) -> str:
        """The strategy as nested JSON: ``{"guess": "salet", "next": {"BYBBG": {...}, ...}}``."""
        nodes: list[dict[str, Any]] = [
            {"guess": words.guesses.words[g], "next": {}} for g in self.guess
        ]
        for node in range(1, len(self)):
            colours = words.feedback.format(int(self.pattern[node]))
            nodes[self.parent[node]]["next"][colours] = nodes[node]
        return json.dumps(nodes[0], indent=1) + "\n"

    @classmethod
    def from_text(cls, text: str, words: GameWords, *, may_lose: bool = False) -> DecisionTree:
        """Read the lines of :meth:`to_text`, in any order.

        With ``may_lose``, lines may end in a pattern other than ALL_GREEN. Raises UserError, with
        the number of the line, for a wrong one.
        """
        return read_text(text, words, may_lose=may_lose)[0]


@dataclass(frozen=True, eq=False)
class Forest(Sequence[DecisionTree | None]):
    """K decision trees in joint arrays, some of them None; a tree is made when it is indexed.

    Attributes:
        guess: int32[N], the nodes of all trees, one tree after the other.
        parent: int32[N], the parent of each node, counted within its tree.
        pattern: uint16[N], as in the trees.
        ends: int64[K + 1]; the nodes of tree k are ``ends[k]:ends[k + 1]``.
    """

    guess: NDArray[np.int32]
    parent: NDArray[np.int32]
    pattern: NDArray[np.uint16]
    ends: NDArray[np.int64]

    @classmethod
    def of(cls, trees: Sequence[DecisionTree | None]) -> Forest:
        """Store trees in joint arrays."""
        if isinstance(trees, Forest):
            return trees
        sizes = [0 if tree is None else len(tree) for tree in trees]
        none = DecisionTree(np.empty(0, np.int32), np.empty(0, np.int32), np.empty(0, np.uint16))
        grown = [none, *(tree for tree in trees if tree is not None)]
        return cls(
            np.concatenate([tree.guess for tree in grown]),
            np.concatenate([tree.parent for tree in grown]),
            np.concatenate([tree.pattern for tree in grown]),
            np.cumsum([0, *sizes], dtype=np.int64),
        )

    @property
    def sizes(self) -> NDArray[np.int64]:
        """Number of nodes of each tree, int64[K]; 0 for None."""
        return np.diff(self.ends)

    def grown(self) -> Forest:
        """The forest without its missing trees."""
        return Forest(self.guess, self.parent, self.pattern, np.unique(self.ends))

    def tree(self, k: int) -> DecisionTree:
        """Tree k; a tree without nodes for None."""
        begin, end = self.ends[k : k + 2].tolist()
        return DecisionTree(self.guess[begin:end], self.parent[begin:end], self.pattern[begin:end])

    def __len__(self) -> int:
        return len(self.ends) - 1

    @overload
    def __getitem__(self, place: int) -> DecisionTree | None: ...
    @overload
    def __getitem__(self, place: slice) -> Forest: ...
    def __getitem__(self, place: int | slice) -> DecisionTree | Forest | None:
        if isinstance(place, int):
            tree = self.tree(range(len(self))[place])
            return tree if len(tree) else None
        if place.step is not None:
            raise ValueError("trees side by side are taken without leaving any out")
        start, stop, _ = place.indices(len(self))
        stop = max(start, stop)
        begin, end = self.ends[start], self.ends[stop]
        nodes = self.guess[begin:end], self.parent[begin:end], self.pattern[begin:end]
        return Forest(*nodes, self.ends[start : stop + 1] - begin)


def read_text(
    text: str, words: GameWords, *, may_lose: bool = False
) -> tuple[DecisionTree, list[End]]:
    """Read the lines of :meth:`DecisionTree.to_text`: the tree, and the end of each line.

    With ``may_lose``, lines may end in a pattern other than ALL_GREEN. Raises UserError, with the
    number of the line, for a wrong one.
    """
    nodes: dict[tuple[int, ...], int] = {}
    paths = []
    for number, line in enumerate(text.splitlines(), start=1):
        fields = line.split()
        if not fields:
            continue
        try:
            paths.append(_read_path(fields, words, nodes, may_lose=may_lose))
        except UserError as error:
            raise UserError(f"line {number}: {error}") from None
    node_of = {path: node for node, path in enumerate(sorted(nodes))}
    return tree_of(nodes), [(node_of[path[:-1]], path[-1]) for path in paths]


def _read_path(
    fields: list[str], words: GameWords, nodes: dict[tuple[int, ...], int], *, may_lose: bool
) -> tuple[int, ...]:
    """Add the nodes of one line to ``nodes``, keyed by the patterns that lead to them.

    Returns all patterns of the line.
    """
    if len(fields) > 2 * NO_LIMIT:
        raise UserError(f"{len(fields) // 2:,} guesses; a game has at most {NO_LIMIT}")
    if len(fields) % 2:
        raise UserError("expected a guess and its pattern in turn")
    path: tuple[int, ...] = ()
    for turn, (word, text) in enumerate(zip(fields[::2], fields[1::2], strict=True), start=1):
        guess = words.guesses.find(word)
        if nodes.setdefault(path, guess) != guess:
            known = words.guesses.words[nodes[path]]
            raise UserError(f"turn {turn} guesses {word!r} where another line guesses {known!r}")
        if not text.endswith(str(turn)):
            raise UserError(f"{text!r} should be a pattern followed by its turn, {turn}")
        path = (*path, words.feedback.parse(text.removesuffix(str(turn))))
    if path[-1] != words.feedback.solved and not may_lose:
        won = words.feedback.format(words.feedback.solved)
        raise UserError(f"the last pattern is not {won}: the answer is not found")
    return path


def tree_of(nodes: Mapping[tuple[int, ...], int]) -> DecisionTree:
    """Build a tree from guesses keyed by the patterns that lead to them.

    A guess comes with all guesses that lead to it. Raises UserError if there are none.
    """
    if not nodes:
        raise UserError("the tree is empty")
    order = sorted(nodes)
    number = {path: i for i, path in enumerate(order)}
    parents = [number[path[:-1]] if path else NO_PARENT for path in order]
    return DecisionTree(
        np.array([nodes[path] for path in order], dtype=np.int32),
        np.array(parents, dtype=np.int32),
        np.array([path[-1] if path else 0 for path in order], dtype=np.uint16),
    )


def show(tree: DecisionTree, words: GameWords, depth: int = 2) -> str:
    """The first ``depth`` turns of a tree as an indented outline."""
    lines = []
    for node, turn in enumerate(tree.turns):
        if turn > depth:
            continue
        word = words.guesses.shown(tree.guess[node])
        seen = f"{words.feedback.picture(int(tree.pattern[node]))} " if node else ""
        lines.append(f"{'  ' * (turn - 1)}{seen}{word}")
    return "\n".join(lines)
