"""Lost states, which cannot be won in time, and a search for those inside a given state.

A state is lost if it has all answers of a lost state, and every guess that is legal in it is legal
in that one (lemma 2 of docs/theory/certificates.md). So a few small lost states refute many
guesses. A guess is legal if it agrees with all that was revealed: the less revealed, the more legal
guesses.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

import numpy as np

from gpu_wordle.certify.certified_state import CertifiedState, Key


class Losses:
    """Lost states of one game, in which guesses never become legal again.

    Args:
        answer_count: A, the number of answers of the game.
    """

    def __init__(self, answer_count: int) -> None:
        self._answer_count = answer_count
        self._by_first: dict[tuple[int, bytes], list[tuple[int, int, CertifiedState]]] = (
            defaultdict(list)
        )
        self._found: dict[Key, CertifiedState] = {}
        self._missed: set[Key] = set()

    def add(self, spot: CertifiedState) -> None:
        """Record that a state is lost."""
        self._by_first[int(spot.answers[0]), spot.key[-1:]].append((*self._sets(spot), spot))
        self._missed.clear()

    def inside(self, spot: CertifiedState) -> CertifiedState | None:
        """Return a lost state that proves this one lost, or None."""
        if spot.key in self._missed:
            return None
        found = self._found.get(spot.key) or next(self._all_inside(spot), None)
        if found is None:
            self._missed.add(spot.key)
        else:
            self._found[spot.key] = found
        return found

    def smallest_inside(self, spot: CertifiedState) -> CertifiedState:
        """Return the smallest lost state that proves this one lost.

        Returns the state itself if there is none.
        """
        return min(self._all_inside(spot), key=lambda each: len(each.answers), default=spot)

    def _all_inside(self, spot: CertifiedState) -> Iterator[CertifiedState]:
        """Yield all lost states that prove this one lost."""
        answers, revealed = self._sets(spot)
        for first in spot.answers.tolist():
            for its_answers, its_revealed, lost in self._by_first.get((first, spot.key[-1:]), ()):
                if not (its_answers & ~answers or its_revealed & ~revealed):
                    yield lost

    def _sets(self, spot: CertifiedState) -> tuple[int, int]:
        """Return the answers of a state and what was revealed, as bit sets."""
        is_here = np.zeros(self._answer_count, np.bool_)
        is_here[spot.answers] = True
        answers = int.from_bytes(np.packbits(is_here, bitorder="little").tobytes(), "little")
        return answers, int.from_bytes(spot.revealed.tobytes(), "little")
