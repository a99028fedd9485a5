"""Weights: how likely each answer is, as integers."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True)
class Weights:
    """Integer weights of the answers of a game, in the order of their list.

    Attributes:
        of_answer: one for each answer, none negative, not all zero.
        unit: what a weight of one stands for; weights given as decimals are multiples of it.
        source: the file that they were read from, or what else they come from.
    """

    of_answer: tuple[int, ...]
    unit: Fraction = Fraction(1)
    source: str = "weights"

    @property
    def total(self) -> int:
        """The sum of the weights."""
        return sum(self.of_answer)

    @cached_property
    def values(self) -> NDArray[np.int64]:
        """The weights, int64[A]."""
        import numpy as np

        return np.array(self.of_answer, dtype=np.int64)

    @cached_property
    def sha256(self) -> str:
        """Identity of the weights: of the integers, one a line."""
        return hashlib.sha256("".join(f"{w}\n" for w in self.of_answer).encode()).hexdigest()
