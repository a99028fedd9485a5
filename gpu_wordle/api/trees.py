"""Strategies for users: trees of words and feedback."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from numbers import Integral
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any

import numpy as np
from rich.tree import Tree as RichTree

from gpu_wordle.api.games import place_of
from gpu_wordle.errors import UserError
from gpu_wordle.game import game as inner
from gpu_wordle.game.spelling import capitals
from gpu_wordle.game.words import GameWords
from gpu_wordle.options.declared import Option, checked
from gpu_wordle.options.reading import FEEDBACK, whole
from gpu_wordle.options.shared import FilePath, Word
from gpu_wordle.report.trees import rich_tree, tree_html
from gpu_wordle.states.tree import NO_PARENT, DecisionTree
from gpu_wordle.store import save_tree

_NOTHING: dict[str, Any] = dict.fromkeys(("guess", "total", "worst"))
"""The entries of a next guess where there is none."""


@dataclass(frozen=True, eq=False)
class _Plan:
    """A strategy with its start."""

    tree: DecisionTree
    position: inner.Position

    @cached_property
    def children(self) -> list[dict[int, int]]:
        """For each node, the node that each pattern leads to."""
        result: list[dict[int, int]] = [{} for _ in range(len(self.tree))]
        for node in range(1, len(self.tree)):
            result[self.tree.parent[node]][int(self.tree.pattern[node])] = node
        return result

    @cached_property
    def turns(self) -> list[int]:
        """The turn of each node, from 1."""
        return self.tree.turns.tolist()

    @cached_property
    def totals(self) -> list[int]:
        """For each node, its guesses over all answers there, by weight, its own guess included."""
        weights_of = self.position.game.objective.weights_of
        result = [int(weights_of(state).sum()) for state in self.states]
        for node in range(len(self.tree) - 1, 0, -1):
            result[self.tree.parent[node]] += result[node]
        return result

    @cached_property
    def states(self) -> list[inner.State]:
        """The possible answers at each node."""
        result = [self.position.state]
        for node in range(1, len(self.tree)):
            parent = int(self.tree.parent[node])
            guess, pattern = int(self.tree.guess[parent]), int(self.tree.pattern[node])
            result.append(self.position.game.part(result[parent], guess, pattern))
        return result


class Tree:
    """A guess, and for each feedback to it the tree of the rest; it never changes.

    ``tree["BYBBG"]`` is the tree after that feedback. Iteration goes through all guesses of the
    tree, depth first, beginning with itself; ``len`` counts them. ``in`` finds these, and feedback
    that leads to a tree. Trees are equal if they play the same from the same position on.
    """

    __slots__ = ("_node", "_plan")

    def __init__(self, _plan: _Plan, _node: int = 0) -> None:
        self._plan = _plan
        self._node = _node

    @classmethod
    def _of(cls, tree: DecisionTree, position: inner.Position) -> Tree:
        return cls(_Plan(tree, position))

    @property
    def guess(self) -> str:
        """The guess to make here."""
        return self._words.guesses.words[self._plan.tree.guess[self._node]]

    @property
    def pattern(self) -> str:
        """The feedback to the previous guess that leads here; empty at the first guess."""
        return self._spelled(int(self._plan.tree.pattern[self._node])) if self._node else ""

    @property
    def depth(self) -> int:
        """Number of guesses of the strategy up to and including this one."""
        return self._plan.turns[self._node]

    @property
    def answers(self) -> tuple[str, ...]:
        """The answers that are possible here."""
        words = self._words.answers.words
        return tuple(words[a] for a in self._plan.states[self._node])

    @property
    def children(self) -> Mapping[str, Tree]:
        """The trees below, by the feedback that leads there; empty after the last guess."""
        below = self._plan.children[self._node].items()
        return MappingProxyType({self._spelled(p): Tree(self._plan, n) for p, n in below})

    @property
    def height(self) -> int:
        """Guesses on the longest path from here, which is the worst case."""
        return max(node.depth for node in self) - self.depth + 1

    @checked
    def __getitem__(
        self, feedback: Annotated[str | int, Option("The feedback to the guess.", FEEDBACK)]
    ) -> Tree:
        assert isinstance(feedback, str)  # ``checked`` turns numbers into text
        pattern = self._words.feedback.parse(feedback)
        node = self._plan.children[self._node].get(pattern)
        if node is None:
            why = "that finds the answer" if self._is_solved(pattern) else "no answer gives that"
            seen = f"{capitals(self.guess)} {self._spelled(pattern)}"
            raise UserError(f"{seen}: there is no next guess, since {why}")
        return Tree(self._plan, node)

    def __contains__(self, item: object) -> bool:
        if isinstance(item, Tree):
            return any(item == node for node in self)
        return isinstance(item, str | Integral) and str(item) in self.children

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Tree):
            return NotImplemented
        if self._plan is other._plan:
            return self._node == other._node
        if hash(self) != hash(other):
            return False
        (mine, here), (theirs, there) = self._alone(), other._alone()
        return place_of(here) == place_of(there) and all(
            np.array_equal(getattr(mine, name), getattr(theirs, name))
            for name in ("guess", "parent", "pattern")
        )

    def __hash__(self) -> int:
        return hash((self.guess, self.pattern, self.depth))

    def __iter__(self) -> Iterator[Tree]:
        tree, turns, last = self._plan.tree, self._plan.turns, len(self._plan.tree)
        yield self
        # in preorder, up to the first node that is no deeper than this one
        for node in range(self._node + 1, last):
            if turns[node] <= turns[self._node]:
                return
            assert tree.parent[node] != NO_PARENT
            yield Tree(self._plan, node)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    @checked
    def play(self, answer: Word) -> list[tuple[str, str]]:
        """Return the guesses from here and their feedback if ``answer`` is hidden.

        Raises UserError if that is none of the answers possible here.
        """
        a = self._words.answers.find(answer)
        if a not in self._plan.states[self._node]:
            raise UserError(f"{answer!r} is none of the {len(self.answers):,} answers left here")
        turns, node = [], self
        while True:
            guess = self._plan.tree.guess[node._node]
            pattern = int(self._plan.position.game.patterns.values[a, guess])
            turns.append((node.guess, self._spelled(pattern)))
            below = self._plan.children[node._node].get(pattern)
            if below is None:
                return turns
            node = Tree(self._plan, below)

    def to_text(self) -> str:
        """Return one line for each answer: guesses, with feedback and turn of each."""
        tree, position = self._alone()
        return tree.to_text(self._words, position.state)

    def to_json(self) -> str:
        """Return nested objects: ``{"guess": "salet", "next": {"BYBBG": {...}, ...}}``."""
        return self._alone()[0].to_json(self._words)

    @checked
    def describe(
        self,
        depth: Annotated[int, Option("Number of turns to describe.", whole(1))] = 1,
        most_named: Annotated[int, Option("Largest part whose answers are named.", whole(0))] = 0,
    ) -> dict[str, Any]:
        """Return the tree as plain values.

        A node has guess, answers (their number), total (by weight), worst, and parts. A part has
        pattern, part_size, remaining, and of the next guess: guess, total, worst and node. These
        are None if the answer is found. Below the given depth, node is None too.
        """
        game, plan = self._plan.position.game, self._plan
        state, children = plan.states[self._node], plan.children[self._node]
        patterns = game.patterns.values[state, plan.tree.guess[self._node]]
        numbers, counts = np.unique(patterns, return_counts=True)
        parts = []
        for place in np.argsort(-counts, kind="stable").tolist():
            pattern, size = int(numbers[place]), int(counts[place])
            named = state[patterns == pattern] if size <= most_named else ()
            child = children.get(pattern)
            below = None if child is None else Tree(plan, child)
            parts.append(
                {
                    "pattern": self._spelled(pattern),
                    "part_size": size,
                    "remaining": [self._words.answers.words[a] for a in named],
                    **_NOTHING,
                    **({} if below is None else below._figures()),
                    "node": below.describe(depth - 1, most_named) if below and depth > 1 else None,
                }
            )
        return {**self._figures(), "answers": len(state), "parts": parts}

    def _figures(self) -> dict[str, Any]:
        """Return guess, total and worst case; the total is None unless all answers are found."""
        is_lossy = self._plan.position.game.objective.allows_failure
        total = None if is_lossy else self._plan.totals[self._node]
        return {"guess": self.guess, "total": total, "worst": self.height}

    @checked
    def save(self, path: FilePath) -> None:
        """Write the tree to a file in the form of its suffix; UserError for an unknown one.

        Suffixes are .txt, .json, .h5, and for other programs .tree, .map.json, .js, .table.json,
        .csv and .paths.csv.
        """
        tree, position = self._alone()
        save_tree(Path(path), tree, position)

    def __repr__(self) -> str:
        here = f"{self.pattern} -> " if self.pattern else ""
        return f"Tree({here}{self.guess}, {len(self):,} guesses, {self.height} at worst)"

    def __rich__(self) -> RichTree:
        return rich_tree(*self._alone())

    def _repr_html_(self) -> str:
        return tree_html(*self._alone())

    def _alone(self) -> tuple[DecisionTree, inner.Position]:
        """Return this tree by itself, and the position at which it starts."""
        plan = self._plan
        if self._node == 0:
            return plan.tree, plan.position
        nodes = [node._node for node in self]
        number = {node: i for i, node in enumerate(nodes)}
        parents = [NO_PARENT, *(number[int(plan.tree.parent[node])] for node in nodes[1:])]
        patterns = plan.tree.pattern[nodes].copy()
        patterns[0] = 0
        tree = DecisionTree(
            plan.tree.guess[nodes].copy(), np.array(parents, dtype=np.int32), patterns
        )
        path, node = [], self._node
        while node:
            parent = int(plan.tree.parent[node])
            path.append((int(plan.tree.guess[parent]), int(plan.tree.pattern[node])))
            node = parent
        position = plan.position
        for guess, pattern in reversed(path):
            position = position.after(guess, pattern)
        return tree, position

    @property
    def _words(self) -> GameWords:
        return self._plan.position.game.words

    def _spelled(self, pattern: int) -> str:
        return self._words.feedback.format(pattern)

    def _is_solved(self, pattern: int) -> bool:
        return pattern == self._words.feedback.solved
