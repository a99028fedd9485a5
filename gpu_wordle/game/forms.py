"""Forms: sets of codes that renamings of places and symbols map to each other, known by one text.

In games of pegs, places may change places and symbols may change names. A state that is renamed
costs what it did (lemma 8 of docs/theory/certificates.md). So one entry of a ledger, or of a
search's memory, serves for all states of its form. Forms are those of certificates/FORMAT.md, to
the letter: states of one form are renamed to each other. Seldom two states that are renamed to each
other differ in form.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.game.game import Game, State
from gpu_wordle.game.games import PegFeedback

MAX_ORDERED_PLACES = 6
"""Places of a word of which all orders are tried."""
SYMBOL_BITS = np.uint64(8)
"""Of a symbol in a word that is packed into 64 bits."""


@dataclass(frozen=True, eq=False)
class Forms:
    """Forms of the states of a game.

    Attributes:
        codes: uint8[A, L], the answers, their symbols numbered in ascending order.
        orders: int64[L!, L], the orders of the places.
        symbols: how many there are.
    """

    codes: NDArray[np.uint8]
    orders: NDArray[np.int64]
    symbols: int

    @classmethod
    def of(cls, game: Game) -> Forms | None:
        """Forms of the states of a game; None where places and symbols are not all alike."""
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
        """The form of a state.

        For each order of the places, symbols are numbered: first the one that is most often in the
        first place. Ties go by the second place and so on, then to the lesser symbol.
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
