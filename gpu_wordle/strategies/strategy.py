"""What a strategy is, and greedy ones: the guess of the best score, from a pool, by a tie rule."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.game.rule import Rule
from gpu_wordle.states.partition import Criterion
from gpu_wordle.strategies.positions import Positions
from gpu_wordle.tunables import SCORED_PAIRS

Scores = NDArray[Any]
"""What each guess is worth in each position, [B, G] of numbers, more is better."""


class Strategy(Protocol):
    """A way to play."""

    @property
    def name(self) -> str:
        """What tables call it."""
        ...

    @property
    def recalls_turns(self) -> bool:
        """Whether equal answers left may get different guesses after different turns.

        A simulation asks the others only once about equal answers left, if also the same guesses
        are legal and as many turns are made.
        """
        ...

    def choose(self, positions: Positions) -> NDArray[np.int32]:
        """The index of a legal guess for each position, [B]."""
        ...


@runtime_checkable
class Scoring(Protocol):
    """What a strategy may be besides: one that tells, on request, what it holds of every guess."""

    @property
    def scores(self) -> Callable[[Positions], Scores]:
        """What each guess is worth in each position; the strategy plays one of the best."""
        ...


class Pool(StrEnum):
    """Which of the legal guesses a strategy chooses from."""

    ALL = "all"
    ANSWERS = "answers"
    CANDIDATES = "candidates"


class Ties(StrEnum):
    """Which guess is played of those with the best score."""

    WORDS = "words"  # the first in the word list
    CANDIDATES = "candidates"  # the first that may be the answer, if there is one
    RANDOM = "random"  # any, drawn by the seed and the answers that are left


@dataclass(frozen=True)
class Choice:
    """How a greedy rule comes from scores to a guess.

    Attributes:
        pool: where guesses are drawn from. Where none of it is legal, candidates are.
        survivors: with as few answers left, or fewer, the first of them is played.
        last_candidate: on the last turn, a candidate is played.
        ties: which of equal guesses.
        seed: for ties at random.
    """

    pool: Pool = Pool.ALL
    survivors: int = 2
    last_candidate: bool = False
    ties: Ties = Ties.CANDIDATES
    seed: int = 0

    def __str__(self) -> str:
        """Everything but the seed, as files say it."""
        last = ", candidates on the last turn" if self.last_candidate else ""
        return f"pool {self.pool}, survivors {self.survivors}, ties {self.ties}{last}"


@dataclass(frozen=True)
class Greedy:
    """The guess of the best score.

    Attributes:
        name: what tables call it.
        scores: what each guess is worth, by one position alone.
        choice: how to come from scores to a guess.
        criterion: the statistic of the partition that ranks guesses as the scores do, if there is
            one: backends find the best guess by it without telling all scores.
        recalls_turns: see Strategy.
    """

    name: str
    scores: Callable[[Positions], Scores]
    choice: Choice = Choice()
    criterion: Criterion | None = None
    recalls_turns: bool = False

    def choose(self, positions: Positions) -> NDArray[np.int32]:
        """See Strategy."""
        result = positions.first_guesses
        is_open = positions.states.sizes > self.choice.survivors
        if is_open.any():
            result[is_open] = self._best(positions.take(np.flatnonzero(is_open)))
        return result

    def _best(self, positions: Positions) -> NDArray[np.int32]:
        if self.criterion is not None and self._is_plain(positions):
            return positions.evaluator.best(positions.states, self.criterion).guess
        step = max(1, SCORED_PAIRS // positions.game.guess_count)
        return np.concatenate([self._best_by_scores(some) for some in positions.chunks(step)])

    def _is_plain(self, positions: Positions) -> bool:
        """Whether any guess may be played, and ties go as a backend lets them go."""
        choice = self.choice
        return (
            positions.game.rule is Rule.NORMAL
            and (choice.pool, choice.ties) == (Pool.ALL, Ties.CANDIDATES)
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
        return is_best.argmax(axis=1).astype(np.int32)

    def ranked(self, positions: Positions, count: int) -> NDArray[np.int32]:
        """The best guesses of each position, the best first, [B, count]; -1 where there are fewer.

        Of equal ones candidates come first, then those that are first in the word list.
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
        """The scores, the lowest number there is for guesses that may not be played."""
        scores = self.scores(positions)
        is_open = allowed(positions, candidates, self.choice)
        return scores if is_open is None else np.where(is_open, scores, lowest(scores.dtype))


def lowest(dtype: np.dtype[Any]) -> float:
    """What is less than every score of a type."""
    return int(np.iinfo(dtype).min) if dtype.kind in "iu" else -np.inf


def allowed(
    positions: Positions, candidates: NDArray[np.bool_], choice: Choice
) -> NDArray[np.bool_] | None:
    """The guesses that a strategy chooses from, bool[B, G]; None for all.

    Candidates are legal under every rule, so there always is one.
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
    """One of the best guesses of each state, [B], by the seed and the state alone."""
    result = np.empty(len(positions), np.int32)
    for b, key in enumerate(positions.states.keys.tolist()):
        best = np.flatnonzero(is_best[b])
        result[b] = best[generator(seed, key).integers(len(best))]
    return result


def generator(seed: int, key: list[int]) -> np.random.Generator:
    """Random numbers that depend on a seed and the key of a state alone."""
    return np.random.Generator(np.random.Philox(key=[key[0] ^ seed, key[1]]))
