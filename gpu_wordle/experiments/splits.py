"""Fixed splits of the answers: an answer is in the same one in all lists, and whatever the seed.

The test words of leagues are those of data sets, so that what learns from these can be compared.
"""

from __future__ import annotations

import hashlib

POSITION_SPLITS = {"train": range(3, 10), "validation": range(2, 3), "test": range(2)}
"""The tenths of the answers in each split of a data set of positions."""

LEAGUE_SPLITS = {"dev": range(2, 10), "test": range(2), "all": range(10)}
"""The tenths of the answers in each split of a league."""


def tenth_of(answer: str) -> int:
    """Return the tenth of all words that an answer is in, 0 to 9: its SHA-256, modulo 10."""
    return int.from_bytes(hashlib.sha256(answer.encode()).digest(), "big") % 10


def split_of(answer: str) -> str:
    """Return the split of an answer in data sets of positions."""
    tenth = tenth_of(answer)
    return next(name for name, tenths in POSITION_SPLITS.items() if tenth in tenths)
