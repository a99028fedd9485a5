"""The specification of JointCounter, in plain Python."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.game.game import Game
from gpu_wordle.states.joint import Labels
from gpu_wordle.states.partition import entropy_table


class ReferenceJointCounter:
    """Joint counter: counts pairs (label, pattern) with collections.Counter."""

    def __init__(self, game: Game, guesses: NDArray[np.int32]) -> None:
        self.guesses = guesses
        self._columns = [game.patterns.values[:, guess].tolist() for guess in guesses]
        self._nlog2n = entropy_table(game.answer_count)

    def parts(self, partitions: Labels, first: int = 0) -> NDArray[np.int64]:
        """Number of joint parts for the guesses from column ``first`` on, int64[W, C - first]."""
        return self._each(partitions, first, len)

    def entropy(self, partitions: Labels, first: int = 0) -> NDArray[np.int64]:
        """Sum of n * log2(n) over the sizes n of the joint parts, int64[W, C - first]."""
        return self._each(
            partitions,
            first,
            lambda sizes: sum(int(self._nlog2n[size]) for size in sizes.values()),
        )

    def _each(
        self,
        partitions: Labels,
        first: int,
        measure: Callable[[Counter[tuple[int, int]]], int],
    ) -> NDArray[np.int64]:
        """Apply ``measure`` to the sizes of the joint parts, [W, C - first]."""
        result = np.empty((len(partitions), len(self.guesses) - first), np.int64)
        for w, labels in enumerate(partitions.tolist()):
            for c, patterns in enumerate(self._columns[first:]):
                result[w, c] = measure(Counter(zip(labels, patterns, strict=True)))
        return result
