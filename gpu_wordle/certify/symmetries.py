"""Symmetries of a certificate: of openers that they map to each other, one is proved.

A checker verifies each symmetry that is written down, and uses only their orbits. So few symmetries
with the same orbits are enough. This is lemma 7 of docs/theory/certificates.md.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.game.game import Position
from gpu_wordle.game.symmetry import Symmetry


def few(symmetry: Symmetry) -> NDArray[np.int32]:
    """Return few symmetries of a group, int32[k, G], with the same orbits as the group.

    The product of all generators comes first, since it moves the most.
    """
    if symmetry.is_trivial:
        return symmetry.generators
    product = np.arange(symmetry.generators.shape[1], dtype=np.int32)
    for generator in symmetry.generators:
        product = generator[product]
    chosen = Symmetry(product[np.newaxis])
    for generator in symmetry.generators:
        more = Symmetry(np.vstack([chosen.generators, generator]))
        if not np.array_equal(more.orbits, chosen.orbits):
            chosen = more
    return chosen.generators


def stand_ins(start: Position, opener: int | None) -> NDArray[np.int64]:
    """Return the guesses to prove, so that all guesses but the opener have one bound, int64[K].

    The opener stands for its own orbit; the first guess of the list for each other orbit.
    """
    legal, orbits = start.choices.copy(), start.game.symmetry.orbits
    if opener is None:
        return np.unique(orbits[legal])
    legal[opener] = False
    firsts = orbits[legal]
    return np.unique(np.where(firsts == orbits[opener], opener, firsts))
