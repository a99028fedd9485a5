"""Forms: a key for states of peg games that is equal only for states equal up to renaming.

In games of pegs, places may be permuted and symbols renamed without changing the value of a state
(lemma 8 of docs/theory/certificates.md). So one entry of a ledger or of a search's memory serves
all states of one form. Forms are exactly those of certificates/FORMAT.md. Two states of equal form
are renamings of each other. The converse holds mostly: rarely, two renamings differ in form.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.game.game import Game, State
from gpu_wordle.game.games import PegFeedback

MAX_ORDERED_PLACES = 6
"""Longest words for which all orders of the places are tried."""
SYMBOL_BITS = np.uint64(8)
"""Bits of a symbol in a word that is packed into 64 bits."""


@dataclass(frozen=True, eq=False)
class Forms:
    """Forms of the states of a game.

    Attributes:
        codes: uint8[A, L], the answers, their symbols numbered in ascending order.
        orders: int64[L!, L], the orders of the places.
        symbols: number of symbols.
    """

    codes: NDArray[np.uint8]
    orders: NDArray[np.int64]
    symbols: int

    @classmethod
    def of(cls, game: Game) -> Forms | None:
        """Forms for a game; None unless all places and all symbols are interchangeable."""
        words = game.words
        if not isinstance(words.feedback, PegFeedback) or words.length > MAX_ORDERED_PLACES:
            return None
        symbols, places = np.unique(words.guesses.codes), words.length
        exchanges = len(symbols) - 1 + places - 1
        listed = list(words.guesses.words)
        if len(game.symmetry.generators) < exchanges or listed != sorted(listed):
            return None
        codes = np.searchsorted(symbols, words.answers.codes).astype(np.uint8)
        orders = np.array(list(permutations(range(places))), np.int64)
        return cls(codes, orders, len(symbols))

    def key(self, answers: State) -> bytes:
        """The form of a state: the least of its renamings, one for each order of the places.

        For each order symbols are renumbered by how often they occur in the first place, the most
        frequent first. Ties go by the second place and so on, then to the lesser symbol.
        """
        codes, symbols = self.codes[answers], self.symbols
        counts = np.array([np.bincount(column, minlength=symbols) for column in codes.T])
        by_order = np.moveaxis(counts[self.orders], 1, 0)  # [L, L!, symbols]
        ranked = np.lexsort(-by_order[::-1], axis=-1)
        number = np.empty(ranked.shape, np.uint64)
        np.put_along_axis(number, ranked, np.arange(symbols, dtype=np.uint64)[np.newaxis], axis=1)
        packed = np.zeros((len(self.orders), len(answers)), np.uint64)
        each = np.arange(len(self.orders))[:, np.newaxis]
        for place in self.orders.T:
            packed = (packed << SYMBOL_BITS) | number[each, codes.T[place]]
        packed.sort(axis=1)
        return min(renamed.tobytes() for renamed in packed.astype(">u8"))
