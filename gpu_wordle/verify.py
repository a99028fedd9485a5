"""The independent checker: replays a strategy against every answer by the definition of feedback.

All answers are played at once, turn by turn: each stands at a node of the tree, and the feedback to
the guess there leads it on. The checker imports the definitions (feedback, rule, words,
objective) and the shape of a tree, and shares no code with patterns, partitions or solvers: a
mistake there cannot hide here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.errors import UserError
from gpu_wordle.game.objective import Objective
from gpu_wordle.game.rule import Rule, breach
from gpu_wordle.game.words import GameWords
from gpu_wordle.states.tree import DecisionTree, End

PATTERN_BITS = 16
"""Bits of a pattern in the key by which a node is found from its parent and pattern."""


class VerificationError(UserError):
    """A tree that does not do what a strategy must, or not what it is said to do."""

    exit_code = 1


@dataclass(frozen=True)
class Verdict:
    """What a tree was seen to do; turns are counted from its root.

    Attributes:
        value: what the objective charges.
        total: guesses, summed over the answers that are found.
        worst: turn on which the last answer is found.
        distribution: int64[worst], answers found on turn 1, 2, ...
        weight_distribution: int64[worst], their weights.
        answers: answers replayed.
        failures: answers that are not found.
    """

    value: int
    total: int
    worst: int
    distribution: NDArray[np.int64]
    weight_distribution: NDArray[np.int64]
    answers: int
    failures: int


class Verifier:
    """Checks trees of one pair of word lists."""

    def __init__(self, words: GameWords, objective: Objective) -> None:
        self._words = words
        self._objective = objective
        self._prices = objective.prices(len(words.answers))

    def check(
        self,
        tree: DecisionTree,
        answers: NDArray[np.uint16] | None = None,
        *,
        rule: Rule = Rule.NORMAL,
        turns: Sequence[tuple[int, int]] = (),
        claimed: int | None = None,
        lines: Sequence[End] | None = None,
    ) -> Verdict:
        """Play ``tree`` against each of ``answers`` (default: all).

        Every guess must be legal under ``rule``; the first one of a game is. ``turns`` are the
        guesses made before the tree starts, each with the pattern that it received. ``lines`` are
        where the lines of a text end, of which there must be one for each answer.
        Raises VerificationError if an answer is not found in time, if feedback leads nowhere, if a
        guess is illegal, or if nodes are never reached. So it does if the value is not the one
        claimed, or if a line is missing or doubled. Where the objective allows it, answers may be
        lost, but no strategy may give them up before the last guess.
        """
        words = self._words
        limit = self._objective.after(len(turns))
        everything = np.arange(len(words.answers), dtype=np.uint16)
        answers = everything if answers is None else answers
        remaining = answers
        keys, children = self._shape(tree, most=len(answers) * limit)
        if rule.is_constrained:
            self._check_constrained(tree, rule, turns)
        reached = np.zeros(len(tree), dtype=np.bool_)
        turn_of_answer = np.zeros(len(words.answers), dtype=np.int64)  # 0: not found
        end_of_answer = np.zeros((len(words.answers), 2), dtype=np.int64)
        turn = 0
        nodes = np.zeros(len(answers), dtype=np.int64)  # where each remaining answer is
        while len(remaining):
            turn += 1
            reached[nodes] = True
            guesses = tree.guess[nodes]
            if rule is Rule.CANDIDATES and turn + len(turns) > 1:
                self._check_possible(guesses, nodes, remaining, turn)
            patterns = words.feedback.patterns(words, guesses, remaining)
            if lines is not None:
                end_of_answer[remaining] = np.stack([nodes, patterns], axis=1)
            wrong = patterns != words.feedback.solved
            turn_of_answer[remaining[~wrong]] = turn
            remaining, nodes, guesses, patterns = (
                each[wrong] for each in (remaining, nodes, guesses, patterns)
            )
            wanted = (nodes << PATTERN_BITS) + patterns
            place = np.searchsorted(keys, wanted).clip(max=len(keys) - 1)
            leads_on = keys[place] == wanted
            if turn == limit and leads_on.any():
                raise VerificationError(f"an answer is not found within {limit} guesses")
            if not (turn == limit and self._objective.allows_failure):
                for astray in np.flatnonzero(~leads_on)[:1]:
                    raise VerificationError(
                        f"{self._spell(guesses[astray])} on turn {turn} may be answered "
                        f"{words.feedback.format(int(patterns[astray]))}, "
                        f"for which the tree has no guess"
                    )
            remaining, nodes = remaining[leads_on], children[place[leads_on]]
        if not reached.all():
            raise VerificationError(f"{(~reached).sum()} guesses of the tree are never reached")
        if lines is not None:
            self._check_lines(tree, lines, end_of_answer[answers])
        verdict = self._verdict(answers, turn_of_answer[answers], len(turns))
        if claimed is not None and verdict.value != claimed:
            raise VerificationError(
                f"the strategy that starts with {self._spell(tree.guess[0])} has a value of "
                f"{verdict.value} ({self._objective.name}), not {claimed}"
            )
        return verdict

    def _verdict(
        self, answers: NDArray[np.uint16], found_on: NDArray[np.int64], made: int
    ) -> Verdict:
        """What follows from the turns on which the answers are found; 0 where they are not."""
        weights = self._objective.weights_of(answers)
        counts = np.bincount(found_on)
        weighed = np.zeros(len(counts), dtype=np.int64)
        np.add.at(weighed, found_on, weights)
        return Verdict(
            value=self._prices.value_of_turns(found_on, weights, made),
            total=int(found_on.sum()),
            worst=len(counts) - 1,
            distribution=counts[1:],
            weight_distribution=weighed[1:],
            answers=len(answers),
            failures=int(counts[0]),
        )

    def _check_constrained(
        self, tree: DecisionTree, rule: Rule, turns: Sequence[tuple[int, int]]
    ) -> None:
        """VerificationError if the feedback that leads to a guess makes it illegal."""
        spelled, limit = self._words.guesses.words, self._objective.after(len(turns))
        before = [tuple((spelled[guess], pattern) for guess, pattern in turns)]
        for node, guess in enumerate(tree.guess):
            if node > 0:
                parent = tree.parent[node]
                turn = (spelled[tree.guess[parent]], int(tree.pattern[node]))
                before.append((*before[parent], turn))
            if len(before[node]) >= limit + len(turns):
                raise VerificationError(f"an answer is not found within {limit} guesses")
            why = breach(rule, spelled[guess], before[node])
            if why is not None:
                raise VerificationError(
                    f"{self._spell(guess)} on turn {len(before[node]) - len(turns) + 1} "
                    f"is illegal under the {rule} rule: {why}"
                )

    def _check_lines(
        self, tree: DecisionTree, lines: Sequence[End], ends: NDArray[np.int64]
    ) -> None:
        """VerificationError unless there is one line for each answer, whose ends are given."""
        written, meant = Counter(lines), Counter((int(n), int(p)) for n, p in ends)
        for node, pattern in sorted(written.keys() | meant.keys()):
            found, wanted = written[node, pattern], meant[node, pattern]
            if found != wanted:
                path = f"{self._spell(tree.guess[node])} {self._words.feedback.format(pattern)}"
                raise VerificationError(
                    f"the path that ends in {path} on turn {tree.turns[node]} is that of {wanted} "
                    f"answers, and stands on {found} lines"
                )

    def _shape(self, tree: DecisionTree, most: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Keys of the nodes, ascending, and their nodes; VerificationError if it is no tree.

        A key is made of the parent and the pattern that leads on from it. ``most`` are the nodes
        that can be reached.
        """
        n = len(tree)
        if n > most:
            raise VerificationError(f"the tree has {n:,} guesses; {most:,} can be reached at most")
        if n == 0 or tree.parent[0] != -1:
            raise VerificationError("the tree has no root")
        if not ((tree.parent[1:] >= 0) & (tree.parent[1:] < np.arange(1, n))).all():
            raise VerificationError("a guess stands before the one that leads to it")
        if not ((tree.guess >= 0) & (tree.guess < len(self._words.guesses))).all():
            raise VerificationError("the tree holds a guess that is not in the list")
        keys = (tree.parent.astype(np.int64) << PATTERN_BITS) + tree.pattern
        order = np.argsort(keys)
        keys = keys[order]
        if (keys[1:] == keys[:-1]).any():
            raise VerificationError("the tree holds two guesses for the same feedback")
        return keys, order

    def _check_possible(
        self,
        guesses: NDArray[np.int32],
        nodes: NDArray[np.int64],
        remaining: NDArray[np.uint16],
        turn: int,
    ) -> None:
        """VerificationError if a guess is none of the answers that remain at its node."""
        node_of_answer = np.full(len(self._words.answers), -1, dtype=np.int64)
        node_of_answer[remaining] = nodes
        answers = self._words.answer_of_guess[guesses]
        illegal = (answers < 0) | (node_of_answer[answers] != nodes)
        for first in np.flatnonzero(illegal)[:1]:
            raise VerificationError(
                f"{self._spell(guesses[first])} on turn {turn} is no longer possible, "
                "and the rule allows only candidates"
            )

    def _spell(self, guess: int) -> str:
        return self._words.guesses.words[guess].upper()
