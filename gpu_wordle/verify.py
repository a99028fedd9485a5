"""The independent checker: replays a strategy against every answer by the definition of feedback.

It imports the definitions (feedback, rule, words, objective) and the shape of a tree, and shares no
code with patterns, partitions or solvers: a mistake there cannot hide here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.errors import UserError
from gpu_wordle.feedback import all_green, format_pattern, pattern, pattern_row
from gpu_wordle.objective import Objective
from gpu_wordle.rule import Rule, breach
from gpu_wordle.tree import DecisionTree
from gpu_wordle.words import GameWords

KEEP_AFTER = 4  # times that a guess comes before its feedback for all answers is kept


class VerificationError(UserError):
    """A tree that does not do what a strategy must, or not what it is said to do."""

    exit_code = 1


@dataclass(frozen=True)
class Verdict:
    """What a tree was seen to do.

    Attributes:
        total: objective value, summed over the answers.
        worst: turn on which the last answer is found.
        distribution: int64[worst], answers found on turn 1, 2, ...
        answers: answers replayed.
    """

    total: int
    worst: int
    distribution: NDArray[np.int64]
    answers: int


class Verifier:
    """Checks trees of one pair of word lists.

    The feedback of guesses that come again and again, tree after tree, is worked out for all
    answers and kept; that of the others only where it is needed.
    """

    def __init__(self, words: GameWords, objective: Objective) -> None:
        self._words = words
        self._objective = objective
        self._rows: dict[int, NDArray[np.uint16]] = {}
        self._asked: Counter[int] = Counter()

    def check(
        self,
        tree: DecisionTree,
        answers: NDArray[np.uint16] | None = None,
        *,
        rule: Rule = Rule.NORMAL,
        turns: Sequence[tuple[int, int]] = (),
        expected_total: int | None = None,
    ) -> Verdict:
        """Play ``tree`` against each of ``answers`` (default: all).

        Every guess must be legal under ``rule``; the first one of a game is. ``turns`` are the
        guesses made before the tree starts, each with the pattern that it received.
        Raises VerificationError if an answer is not found, or not in time, if feedback leads
        nowhere, if a guess is illegal, if nodes are never reached, or if the total is not the
        expected one.
        """
        words = self._words
        limit = self._objective.after(len(turns))
        everything = np.arange(len(words.answers), dtype=np.uint16)
        remaining = everything if answers is None else answers
        children = self._shape(tree)
        won = all_green(words.length)
        found: list[int] = []  # answers found on each turn
        visited = 0
        level = [(0, remaining, tuple(turns))]
        while level:
            found.append(0)
            turn, deeper = len(found), []
            for node, state, before in level:
                visited += 1
                guess = int(tree.guess[node])
                self._check_legal(guess, turn, rule, state, before)
                patterns = self._patterns(guess, state)
                for seen in np.unique(patterns):
                    part = state[patterns == seen]
                    if seen == won:
                        found[-1] += len(part)
                        continue
                    child = children[node].get(int(seen))
                    if child is None:
                        raise VerificationError(
                            f"{self._spell(guess)} on turn {turn} may be answered "
                            f"{format_pattern(int(seen), words.length)}, "
                            f"for which the tree has no guess"
                        )
                    deeper.append((child, part, (*before, (guess, int(seen)))))
            if turn > limit or turn > len(tree):
                raise VerificationError(f"an answer is not found within {limit} guesses")
            level = deeper
        if visited != len(tree):
            raise VerificationError(f"{len(tree) - visited} guesses of the tree are never reached")
        if sum(found) != len(remaining):
            raise VerificationError(f"{len(remaining) - sum(found)} answers are never found")
        total = self._objective.total(found)
        if expected_total is not None and total != expected_total:
            raise VerificationError(
                f"the strategy that starts with {self._spell(int(tree.guess[0]))} takes {total} "
                f"guesses, not {expected_total}"
            )
        return Verdict(
            total,
            len(found),
            np.array(found, dtype=np.int64),
            len(remaining),
        )

    def _check_legal(
        self,
        guess: int,
        turn: int,
        rule: Rule,
        state: NDArray[np.uint16],
        turns: tuple[tuple[int, int], ...],
    ) -> None:
        """VerificationError unless ``guess`` may be made on ``state`` after ``turns``."""
        words = self._words
        if rule is Rule.CANDIDATES and turns and words.answer_of_guess[guess] not in state:
            raise VerificationError(
                f"{self._spell(guess)} on turn {turn} is no longer possible, "
                "and the rule allows only candidates"
            )
        spelled = words.guesses.words
        why = breach(rule, spelled[guess], ((spelled[g], pattern) for g, pattern in turns))
        if why is not None:
            raise VerificationError(
                f"{self._spell(guess)} on turn {turn} is illegal under the {rule} rule: {why}"
            )

    def _shape(self, tree: DecisionTree) -> list[dict[int, int]]:
        """Children of each node; VerificationError if the arrays are no tree."""
        n = len(tree)
        if n == 0 or tree.parent[0] != -1:
            raise VerificationError("the tree has no root")
        if not ((tree.parent[1:] >= 0) & (tree.parent[1:] < np.arange(1, n))).all():
            raise VerificationError("a guess stands before the one that leads to it")
        if not ((tree.guess >= 0) & (tree.guess < len(self._words.guesses))).all():
            raise VerificationError("the tree holds a guess that is not in the list")
        children: list[dict[int, int]] = [{} for _ in range(n)]
        for node in range(1, n):
            siblings = children[tree.parent[node]]
            if int(tree.pattern[node]) in siblings:
                raise VerificationError("the tree holds two guesses for the same feedback")
            siblings[int(tree.pattern[node])] = node
        return children

    def _patterns(self, guess: int, state: NDArray[np.uint16]) -> NDArray[np.uint16]:
        """Feedback to ``guess`` for each answer of ``state``."""
        words = self._words
        row = self._rows.get(guess)
        if row is not None:
            return row[state]
        self._asked[guess] += 1
        if self._asked[guess] > KEEP_AFTER:
            self._rows[guess] = pattern_row(words.guesses.codes[guess], words.answers.codes)
            return self._rows[guess][state]
        if len(state) == 1:
            answer = words.answers.words[state[0]]
            return np.array([pattern(words.guesses.words[guess], answer)], np.uint16)
        return pattern_row(words.guesses.codes[guess], words.answers.codes[state])

    def _spell(self, guess: int) -> str:
        return self._words.guesses.words[guess].upper()
