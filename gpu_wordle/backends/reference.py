"""The specification of every backend, in plain Python: slow, and as simple as possible."""

from __future__ import annotations

from collections import Counter

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.backends.reference_frontier import ReferenceFrontier
from gpu_wordle.backends.reference_joint import ReferenceJointCounter
from gpu_wordle.game.feedback import pattern
from gpu_wordle.game.game import Game
from gpu_wordle.game.patterns import Patterns, pattern_dtype
from gpu_wordle.game.words import GameWords
from gpu_wordle.states.batch import StateBatch
from gpu_wordle.states.partition import BestGuesses, Criterion, PartitionStats, entropy_table


class ReferenceBackend:
    """The specification as a backend; evaluates the definitions directly."""

    name = "reference"
    prefers_batches = False
    device = "plain Python"

    def build_patterns(self, words: GameWords) -> Patterns:
        """Evaluate feedback.pattern for every pair of answer and guess, [A, G]."""
        shape = len(words.answers), len(words.guesses)
        values = np.empty(shape, pattern_dtype(words.length))
        for a, answer in enumerate(words.answers.words):
            values[a] = [pattern(guess, answer) for guess in words.guesses.words]
        return values

    def open(self, game: Game) -> ReferenceEvaluator:
        """An evaluator over the game's patterns."""
        return ReferenceEvaluator(game)

    def open_joint(self, game: Game, guesses: NDArray[np.int32]) -> ReferenceJointCounter:
        """A joint counter over the game's patterns."""
        return ReferenceJointCounter(game, guesses)

    def open_frontier(self, game: Game, memory_bytes: int | None = None) -> ReferenceFrontier:
        """A frontier over the game's patterns."""
        return ReferenceFrontier(game)


class ReferenceEvaluator:
    """Evaluator that counts patterns with collections.Counter."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._nlog2n = entropy_table(game.answer_count)

    def partition(self, state: NDArray[np.uint16], guess: int) -> Counter[int]:
        """Size of each part of ``state`` under ``guess``, by pattern."""
        return Counter(int(p) for p in self._game.patterns.values[state, guess])

    def stats(self, batch: StateBatch) -> PartitionStats:
        """Partition statistics of every guess in every state, [B, G]."""
        result = PartitionStats.empty(len(batch), self._game.guess_count, batch.sizes)
        for b in range(len(batch)):
            for g in range(self._game.guess_count):
                parts = self.partition(batch.state(b), g)
                result.parts[b, g] = len(parts)
                result.is_candidate[b, g] = self._game.patterns.all_green in parts
                result.max_part[b, g] = max(parts.values())
                result.sum_squares[b, g] = sum(n * n for n in parts.values())
                result.sum_nlog2n[b, g] = sum(int(self._nlog2n[n]) for n in parts.values())
        return result

    def best(self, batch: StateBatch, by: Criterion) -> BestGuesses:
        """Best guess of each state by criterion ``by``, and its one-ply lower bound, [B]."""
        guesses, values, bounds = [], [], []
        for b in range(len(batch)):
            stats = self.stats(batch.chunk(b, b + 1))
            criterion, candidate = stats.criterion(by)[0], stats.is_candidate[0]
            pairs = zip(criterion, candidate, strict=True)
            # The tie rule: candidates first, then the lowest index.
            order = [(int(value), not is_in, g) for g, (value, is_in) in enumerate(pairs)]
            value, _, guess = min(order)
            guesses.append(guess)
            values.append(value)
            bounds.append(int(stats.lower_bound.min()))
        return BestGuesses(
            np.array(guesses, np.int32), np.array(values, np.int64), np.array(bounds, np.int64)
        )

    def spectrum(self, state: NDArray[np.uint16], guess: int) -> NDArray[np.int64]:
        """Number of answers of ``state`` behind each pattern of ``guess``, int64[pattern_count]."""
        parts = self.partition(state, guess)
        counts = [parts[p] for p in range(self._game.patterns.pattern_count)]
        return np.array(counts, dtype=np.int64)
