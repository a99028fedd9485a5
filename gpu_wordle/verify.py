"""The independent checker: replays a strategy against every answer by the definition of feedback.

All answers are played at once, turn by turn: each is at a node of the tree, and the feedback to the
guess there leads to the next node. Several trees of one position may be played together, which is
many times faster for small ones. The checker imports the definitions (feedback, rule, words,
objective) and the data structure of a tree. It shares no code with pattern matrices, partitions or
solvers, so that no mistake in them can hide here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import NamedTuple, overload

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.errors import UserError
from gpu_wordle.game.objective import Objective
from gpu_wordle.game.rule import KnownLetters, Rule, breach
from gpu_wordle.game.words import GameWords
from gpu_wordle.states.tree import DecisionTree, End, Forest

PATTERN_BITS = 16
"""Bits of the pattern in a key (parent node, pattern) that finds a child node."""


class VerificationError(UserError):
    """A tree is no strategy that finds every answer legally, or its claimed value is wrong."""

    exit_code = 1


class Verdict(NamedTuple):
    """Replay result of one tree; turns are counted from its root.

    Attributes:
        value: the value of the objective, an integer.
        total: number of guesses, summed over the answers that are found.
        worst: turn on which the last answer is found, answers of weight zero included.
        distribution: int64[worst], number of answers found on turn 1, 2, ...
        weight_distribution: int64[worst], sum of their weights.
        answers: number of answers replayed.
        failures: number of answers that are not found.
    """

    value: int
    total: int
    worst: int
    distribution: NDArray[np.int64]
    weight_distribution: NDArray[np.int64]
    answers: int
    failures: int


@dataclass(frozen=True, eq=False)
class Verdicts(Sequence[Verdict]):
    """Replay results of K trees, stored in columns; a Verdict is made when it is indexed.

    Attributes:
        value: int64[K], the value of the objective.
        total: int64[K], number of guesses, summed over the answers that are found.
        worst: int64[K], turn on which the last answer is found.
        distribution: int64[K, T], number of answers found on turn 1 to T.
        weight_distribution: int64[K, T], sum of their weights.
        answers: int64[K], number of answers replayed.
        failures: int64[K], number of answers that are not found.
    """

    value: NDArray[np.int64]
    total: NDArray[np.int64]
    worst: NDArray[np.int64]
    distribution: NDArray[np.int64]
    weight_distribution: NDArray[np.int64]
    answers: NDArray[np.int64]
    failures: NDArray[np.int64]

    @classmethod
    def joined(cls, parts: Sequence[Verdicts]) -> Verdicts:
        """Concatenate at least one Verdicts."""
        turns = max(part.distribution.shape[1] for part in parts)
        return cls(
            *(
                np.concatenate([_widened(getattr(part, field.name), turns) for part in parts])
                for field in fields(cls)
            )
        )

    @classmethod
    def of(cls, verdicts: Sequence[Verdict]) -> Verdicts:
        """Store at least one verdict in columns."""
        if isinstance(verdicts, Verdicts):
            return verdicts
        return cls.joined([cls(*(np.array([each]) for each in verdict)) for verdict in verdicts])

    def __len__(self) -> int:
        return len(self.value)

    @overload
    def __getitem__(self, place: int) -> Verdict: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Verdict]: ...
    def __getitem__(self, place: int | slice) -> Verdict | Sequence[Verdict]:
        if isinstance(place, slice):
            return [self[k] for k in range(*place.indices(len(self)))]
        last = int(self.worst[place])
        return Verdict(
            int(self.value[place]),
            int(self.total[place]),
            last,
            self.distribution[place, :last],
            self.weight_distribution[place, :last],
            int(self.answers[place]),
            int(self.failures[place]),
        )


def _widened(column: NDArray[np.int64], turns: int) -> NDArray[np.int64]:
    """Pad a column of distributions with zeros to ``turns`` turns; leave other columns alone."""
    missing = turns - column.shape[-1] if column.ndim == 2 else 0
    return np.pad(column, ((0, 0), (0, missing))) if missing else column


@dataclass(frozen=True)
class _NumberedTrees:
    """K trees with N nodes in all, numbered consecutively.

    Attributes:
        guess: int32[N], the guess of each node.
        roots: int64[K], the root of each tree.
        keys: int64[N], ascending keys (parent node, pattern).
        children: int64[N], the node that each key leads to.
    """

    guess: NDArray[np.int32]
    roots: NDArray[np.int64]
    keys: NDArray[np.int64]
    children: NDArray[np.int64]


class Verifier:
    """Checks decision trees for one pair of word lists and one objective."""

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
        known: KnownLetters | None = None,
        claimed: int | None = None,
        lines: Sequence[End] | None = None,
    ) -> Verdict:
        """Replay ``tree`` against each of ``answers``.

        Args:
            tree: the strategy.
            answers: uint16[N], indices of the answers that are possible; None for all.
            rule: every guess must be legal under it. The first guess of a game always is.
            turns: guesses made before the tree starts, each with its pattern.
            known: what is known before them without turns.
            claimed: the value that the tree should have.
            lines: ends of the lines of a written tree; each answer must have one line.

        Raises VerificationError if an answer is not found in time, if a feedback has no next guess,
        if a guess is illegal, or if a node is never reached. It also raises it if the value is not
        ``claimed``, or if a line is missing or doubled. If the objective allows failures, answers
        may be lost, but only after the last guess.
        """
        return self.check_all(
            [tree], answers, rule=rule, turns=turns, known=known, claimed=[claimed], lines=lines
        )[0]

    def check_all(
        self,
        trees: Sequence[DecisionTree | None],
        answers: NDArray[np.uint16] | None = None,
        *,
        rule: Rule = Rule.NORMAL,
        turns: Sequence[tuple[int, int]] = (),
        known: KnownLetters | None = None,
        claimed: Sequence[int | None] = (),
        lines: Sequence[End] | None = None,
    ) -> Verdicts:
        """Replay several trees of one position at once, as :meth:`check` does one.

        ``claimed`` has a value or None for each tree, or is empty. ``lines`` may be given for a
        single tree only. Raises VerificationError for a fault in any tree.
        """
        words = self._words
        limit = self._objective.after(len(turns))
        everything = np.arange(len(words.answers), dtype=np.uint16)
        answers = everything if answers is None else answers
        forest = Forest.of(trees)
        numbered = self._numbered(forest, most=len(answers) * limit)
        if rule.is_constrained:
            for k in range(len(forest)):
                self._check_constrained(forest.tree(k), rule, turns, known)
        reached = np.zeros(len(numbered.guess), dtype=np.bool_)
        found_on = np.zeros((len(forest), len(answers)), dtype=np.int64)  # 0: not found
        turn_of_game = found_on.reshape(-1)
        ends = np.zeros((0 if lines is None else found_on.size, 2), np.int64)  # node, pattern
        turn = 0
        games = np.arange(found_on.size)  # games not yet over, one for each tree and answer
        nodes = np.repeat(numbered.roots, len(answers))  # the node at which each game is
        remaining = np.tile(answers, len(forest))  # the answer of each game
        while len(games):
            turn += 1
            reached[nodes] = True
            guesses = numbered.guess[nodes]
            if rule is Rule.CANDIDATES and (turn + len(turns) > 1 or known is not None):
                self._check_possible(guesses, nodes, remaining, turn)
            patterns = words.feedback.patterns(words, guesses, remaining)
            if lines is not None:
                ends[games] = np.stack([nodes, patterns], axis=1)
            wrong = patterns != words.feedback.solved
            turn_of_game[games[~wrong]] = turn
            games, nodes, remaining, guesses, patterns = (
                each[wrong] for each in (games, nodes, remaining, guesses, patterns)
            )
            wanted = (nodes << PATTERN_BITS) + patterns
            place = np.searchsorted(numbered.keys, wanted).clip(max=len(numbered.keys) - 1)
            leads_on = numbered.keys[place] == wanted
            if turn == limit and leads_on.any():
                raise VerificationError(f"an answer is not found within {limit} guesses")
            if not (turn == limit and self._objective.allows_failure):
                for astray in np.flatnonzero(~leads_on)[:1]:
                    raise VerificationError(
                        f"{self._spell(guesses[astray])} on turn {turn} may be answered "
                        f"{words.feedback.format(int(patterns[astray]))}, "
                        f"for which the tree has no guess"
                    )
            games, remaining = games[leads_on], remaining[leads_on]
            nodes = numbered.children[place[leads_on]]
        unreached = np.add.reduceat(~reached, numbered.roots, dtype=np.int64)
        for missed in unreached[unreached > 0][:1]:
            raise VerificationError(f"{missed} guesses of the tree are never reached")
        if lines is not None:
            self._check_lines(forest.tree(0), lines, ends)
        verdicts = self._verdicts(answers, found_on, len(turns))
        values = verdicts.value.tolist()
        for root, value, claim in zip(numbered.roots, values, claimed, strict=False):
            if claim is not None and value != claim:
                raise VerificationError(
                    f"the strategy that starts with {self._spell(numbered.guess[root])} has a "
                    f"value of {value} ({self._objective.name}), not {claim}"
                )
        return verdicts

    def _verdicts(
        self, answers: NDArray[np.uint16], found_on: NDArray[np.int64], made: int
    ) -> Verdicts:
        """Verdicts from the turns on which each tree finds each answer, [K, N]; 0 for never."""
        weights = self._objective.weights_of(answers)
        trees, turns = len(found_on), int(found_on.max()) + 1
        entry = (turns * np.arange(trees)[:, np.newaxis] + found_on).ravel()
        counts = np.bincount(entry, minlength=trees * turns).reshape(trees, turns)
        weighed = np.zeros_like(counts)
        np.add.at(weighed.reshape(-1), entry, np.tile(weights, trees))
        worst = found_on.max(axis=1)
        values = self._prices.value(weighed[:, 1:], lost=weighed[:, 0], worst=worst, made=made)
        return Verdicts(
            value=values,
            total=found_on.sum(axis=1),
            worst=worst,
            distribution=counts[:, 1:],
            weight_distribution=weighed[:, 1:],
            answers=np.full(trees, len(answers)),
            failures=counts[:, 0],
        )

    def _check_constrained(
        self,
        tree: DecisionTree,
        rule: Rule,
        turns: Sequence[tuple[int, int]],
        known: KnownLetters | None,
    ) -> None:
        """Raise VerificationError if what is known before a guess makes it illegal."""
        listed, limit = self._words.guesses, self._objective.after(len(turns))
        spelled = listed.words
        before = [tuple((spelled[guess], pattern) for guess, pattern in turns)]
        for node, guess in enumerate(tree.guess):
            if node > 0:
                parent = tree.parent[node]
                turn = (spelled[tree.guess[parent]], int(tree.pattern[node]))
                before.append((*before[parent], turn))
            if len(before[node]) >= limit + len(turns):
                raise VerificationError(f"an answer is not found within {limit} guesses")
            why = breach(rule, spelled[guess], before[node], known, listed.alphabet)
            if why is not None:
                raise VerificationError(
                    f"{self._spell(guess)} on turn {len(before[node]) - len(turns) + 1} "
                    f"is illegal under the {rule} rule: {why}"
                )

    def _check_lines(
        self, tree: DecisionTree, lines: Sequence[End], ends: NDArray[np.int64]
    ) -> None:
        """Raise VerificationError unless each answer, by the end of its path, has one line."""
        written, meant = Counter(lines), Counter((int(n), int(p)) for n, p in ends)
        for node, pattern in sorted(written.keys() | meant.keys()):
            found, wanted = written[node, pattern], meant[node, pattern]
            if found != wanted:
                path = f"{self._spell(tree.guess[node])} {self._words.feedback.format(pattern)}"
                raise VerificationError(
                    f"the path that ends in {path} on turn {tree.turns[node]} is that of {wanted} "
                    f"answers, and stands on {found} lines"
                )

    def _numbered(self, forest: Forest, most: int) -> _NumberedTrees:
        """Number the nodes of all trees; raises VerificationError for a malformed tree.

        ``most`` is the largest number of nodes of a tree that can be reached.
        """
        sizes = forest.sizes
        if (sizes > most).any():
            raise VerificationError(
                f"the tree has {sizes.max():,} guesses; {most:,} can be reached at most"
            )
        if (sizes == 0).any():
            raise VerificationError("the tree has no root")
        roots = forest.ends[:-1]
        guess, pattern = forest.guess, forest.pattern
        parent = forest.parent.astype(np.int64)
        if (parent[roots] != -1).any():
            raise VerificationError("the tree has no root")
        own_root = np.repeat(roots, sizes)
        node = np.arange(len(guess)) - own_root
        if not (((parent >= 0) & (parent < node)) | (node == 0)).all():
            raise VerificationError("a guess stands before the one that leads to it")
        if not ((guess >= 0) & (guess < len(self._words.guesses))).all():
            raise VerificationError("the tree holds a guess that is not in the list")
        parent += own_root
        parent[roots] = -1 - np.arange(len(forest))  # unique keys, which no game can look up
        keys = (parent << PATTERN_BITS) + pattern
        order = np.argsort(keys)
        keys = keys[order]
        if (keys[1:] == keys[:-1]).any():
            raise VerificationError("the tree holds two guesses for the same feedback")
        return _NumberedTrees(guess, roots, keys, order)

    def _check_possible(
        self,
        guesses: NDArray[np.int32],
        nodes: NDArray[np.int64],
        remaining: NDArray[np.uint16],
        turn: int,
    ) -> None:
        """Raise VerificationError if a guess is no longer a possible answer at its node."""
        answers, own = len(self._words.answers), self._words.answer_of_guess[guesses]
        at_node = nodes * answers + remaining
        illegal = (own < 0) | ~np.isin(nodes * answers + own, at_node)
        for first in np.flatnonzero(illegal)[:1]:
            raise VerificationError(
                f"{self._spell(guesses[first])} on turn {turn} is no longer possible, "
                "and the rule allows only candidates"
            )

    def _spell(self, guess: int) -> str:
        return self._words.guesses.shown(guess)
