"""The protocol of strategies, and greedy strategies: best score, from a pool, with a tie rule."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.game.rule import Rule
from gpu_wordle.game.words import GameWords
from gpu_wordle.states.partition import Criterion
from gpu_wordle.strategies.positions import Positions
from gpu_wordle.tunables import SCORED_PAIRS

Scores = NDArray[Any]
"""Score of each guess in each position, numbers [B, G]; higher is better."""


class Strategy(Protocol):
    """A strategy: chooses a guess for each position of a batch."""

    @property
    def name(self) -> str:
        """Its name in tables and files."""

    @property
    def recalls_turns(self) -> bool:
        """True if the guess depends on the turns made, and not only on what they leave.

        If not, a simulation asks once for all positions with equal answers left, legal guesses and
        number of turns.
        """

    def choose(self, positions: Positions) -> NDArray[np.int32]:
        """Return the index of a legal guess for each position, int32[B]."""


class Pool(StrEnum):
    """The legal guesses that a strategy chooses from: all, the answers, or the candidates."""

    ALL = "all"
    ANSWERS = "answers"
    CANDIDATES = "candidates"


class Ties(StrEnum):
    """Decides which of the guesses with the best score is played."""

    WORDS = "words"  # the first word
    LAST = "last"  # the last word
    CANDIDATES = "candidates"  # the first candidate if there is one, else the first word
    RANDOM = "random"  # a random one, by the seed and the answers left


class Order(StrEnum):
    """The order of the words, which decides what the first of equal guesses is."""

    LISTED = "listed"  # as in the list of guesses
    ANSWERS_FIRST = "answers-first"  # the answers, then the other guesses, each as listed
    ALPHABETICAL = "alphabetical"


@dataclass(frozen=True)
class Choice:
    """How a greedy strategy chooses a guess by scores.

    Attributes:
        pool: the guesses to choose from; the candidates if none of the pool is legal.
        survivors: if at most this many answers are left, the first of them is played.
        last_candidate: whether only candidates are played on the last turn.
        ties: the tie rule.
        seed: seed of random ties.
        order: the order of the words in which ties are broken.
    """

    pool: Pool = Pool.ALL
    survivors: int = 2
    last_candidate: bool = False
    ties: Ties = Ties.CANDIDATES
    seed: int = 0
    order: Order = Order.LISTED

    def __str__(self) -> str:
        """Return all options except the seed, in the form that files store."""
        last = ", candidates on the last turn" if self.last_candidate else ""
        order = f", order {self.order}" if self.order is not Order.LISTED else ""
        return f"pool {self.pool}, survivors {self.survivors}, ties {self.ties}{order}{last}"

    def first(self, words: GameWords, chosen: NDArray[np.bool_]) -> NDArray[np.int32]:
        """Return the first of the ``chosen`` guesses, bool[B, G], in the order of words, int32[B].

        It is the last one if ties go to that.
        """
        is_last = self.ties is Ties.LAST
        if self.order is Order.LISTED and not is_last:
            return chosen.argmax(axis=1).astype(np.int32)
        keys = {
            Order.LISTED: np.arange(len(words.guesses)),
            Order.ANSWERS_FIRST: words.answer_of_guess < 0,
            Order.ALPHABETICAL: np.array(words.guesses.words),
        }
        order = np.argsort(keys[self.order], kind="stable")
        order = order[::-1] if is_last else order
        return order[chosen[:, order].argmax(axis=1)].astype(np.int32)


@dataclass(frozen=True)
class Greedy:
    """Plays the guess of the best score.

    Attributes:
        name: its name in tables and files.
        scores: scores every guess in each position, [B, G].
        choice: pool, ties and exceptions.
        criterion: a partition statistic with the same ranking as the scores, if there is one. A
            backend finds the best guess by it without storing all scores.
        recalls_turns: whether the scores depend on the turns made.
    """

    name: str
    scores: Callable[[Positions], Scores]
    choice: Choice = Choice()
    criterion: Criterion | None = None
    recalls_turns: bool = False

    def choose(self, positions: Positions) -> NDArray[np.int32]:
        """Implements ``Strategy.choose``."""
        result = positions.first_guesses
        is_open = positions.states.sizes > self.choice.survivors
        if self.choice.order is not Order.LISTED and not is_open.all():
            left = positions.take(np.flatnonzero(~is_open))
            first = replace(self.choice, ties=Ties.WORDS).first
            result[~is_open] = first(positions.game.words, left.candidates())
        if is_open.any():
            result[is_open] = self._best(positions.take(np.flatnonzero(is_open)))
        return result

    def _best(self, positions: Positions) -> NDArray[np.int32]:
        if self.criterion is not None and self._is_plain(positions):
            return positions.evaluator.best(positions.states, self.criterion).guess
        step = max(1, SCORED_PAIRS // positions.game.guess_count)
        return np.concatenate([self._best_by_scores(some) for some in positions.chunks(step)])

    def _is_plain(self, positions: Positions) -> bool:
        """True if a backend can choose: all guesses are allowed, and ties favour candidates."""
        choice = self.choice
        return (
            positions.game.rule is Rule.NORMAL
            and (choice.pool, choice.ties) == (Pool.ALL, Ties.CANDIDATES)
            and choice.order is Order.LISTED
            and not (choice.last_candidate and positions.is_last_turn)
        )

    def _best_by_scores(self, positions: Positions) -> NDArray[np.int32]:
        positions.raise_if_stopped()
        candidates = positions.candidates()
        scores = self.allowed_scores(positions, candidates)
        is_best = scores == scores.max(axis=1, keepdims=True)
        if self.choice.ties is Ties.RANDOM:
            return _drawn(positions, is_best, self.choice.seed)
        if self.choice.ties is Ties.CANDIDATES:
            preferred = is_best & candidates
            is_best = np.where(preferred.any(axis=1, keepdims=True), preferred, is_best)
        return self.choice.first(positions.game.words, is_best)

    def ranked(self, positions: Positions, count: int) -> NDArray[np.int32]:
        """Return the ``count`` best guesses of each position, the best first, int32[B, count].

        Ties put candidates first, then follow the word list. Missing guesses are -1.
        """
        step = max(1, SCORED_PAIRS // positions.game.guess_count)
        result = np.full((len(positions), count), -1, np.int32)
        rows = iter(result)
        for some in positions.chunks(step):
            candidates = some.candidates()
            scores = self.allowed_scores(some, candidates)
            for worth, is_candidate, row in zip(scores, candidates, rows, strict=False):
                allowed_here = np.flatnonzero(worth > lowest(worth.dtype))
                order = np.lexsort([~is_candidate[allowed_here], -worth[allowed_here]])[:count]
                row[: len(order)] = allowed_here[order]
        return result

    def allowed_scores(self, positions: Positions, candidates: NDArray[np.bool_]) -> Scores:
        """Return the scores, [B, G], with the lowest number of the type for guesses not allowed."""
        scores = self.scores(positions)
        is_open = allowed(positions, candidates, self.choice)
        return scores if is_open is None else np.where(is_open, scores, lowest(scores.dtype))


def lowest(dtype: np.dtype[Any]) -> float:
    """Return the lowest number of a dtype: the minimum of integers, or -inf."""
    return int(np.iinfo(dtype).min) if dtype.kind in "iu" else -np.inf


def allowed(
    positions: Positions, candidates: NDArray[np.bool_], choice: Choice
) -> NDArray[np.bool_] | None:
    """Return the guesses that a strategy may choose, bool[B, G]; None for all.

    Candidates are legal under every rule, so at least one guess is allowed.
    """
    if choice.pool is Pool.CANDIDATES or (choice.last_candidate and positions.is_last_turn):
        return candidates
    legal = positions.legal()
    if choice.pool is Pool.ALL:
        return legal
    answers = np.zeros(positions.game.guess_count, np.bool_)
    answers[positions.game.words.guess_of_answer] = True
    return np.broadcast_to(answers, candidates.shape) if legal is None else legal & answers


def _drawn(positions: Positions, is_best: NDArray[np.bool_], seed: int) -> NDArray[np.int32]:
    """Draw one of the best guesses of each state, int32[B], by seed and state only."""
    result = np.empty(len(positions), np.int32)
    for b, key in enumerate(positions.states.keys.tolist()):
        best = np.flatnonzero(is_best[b])
        result[b] = best[generator(seed, key).integers(len(best))]
    return result


def generator(seed: int, key: list[int]) -> np.random.Generator:
    """Return a random generator that depends only on a seed and the key of a state."""
    return np.random.Generator(np.random.Philox(key=[key[0] ^ seed, key[1]]))
