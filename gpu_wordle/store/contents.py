"""What a file holds: root attributes, and arrays that say what they are."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.errors import UserError

SCHEMA_VERSION = 2
READABLE_SCHEMAS = (1, 2)

MAX_BYTES = 2**29
"""Of a file that is read, and of all its datasets together once they are unpacked."""

_TIMES = {"created", "updated"}


class MalformedError(Exception):
    """A file that is not as this program writes it; the text says what is amiss."""


def malformed(path: Path, reason: str) -> UserError:
    """The error that says that a file is signed, and yet not as this program writes it."""
    return UserError(f"{path}: malformed ({reason}), though its hash is right; choose another file")


@dataclass(frozen=True)
class Dimension:
    """What a dimension of arrays counts; files hold a dimension scale for it.

    Its places are named by the words in the dataset ``words``, or numbered from ``first`` on.
    """

    description: str
    words: str = ""
    first: int = 0


DIMENSIONS = {
    "guess": Dimension("guesses", words="words/guesses"),
    "answer": Dimension("answers", words="words/answers"),
    "turn": Dimension("turn on which an answer is found", first=1),
    "node": Dimension("node of the strategy, in preorder"),
    "played": Dimension("turn of a game that was played"),
    "strategy": Dimension("strategies", words="games/strategies"),
    "row": Dimension("row of games: a strategy and an opener"),
    "pair": Dimension("pair of guesses, best first by its key"),
    "measured": Dimension("joint parts, or tenths of bits of entropy"),
    "possible": Dimension("number of an answer that is possible at the start"),
    "run": Dimension("number of a run of a noise experiment"),
    "level": Dimension("place of a level of noise, the lowest first"),
    "state": Dimension("state that an opener leaves, the one of most answers first"),
    "optimal_turn": Dimension("turn on which optimal play finds an answer", first=1),
}


@dataclass(frozen=True)
class Dataset:
    """An array with its units and one line of description; words are arrays of str.

    Attributes:
        values: the array.
        units: what it is measured in.
        description: one line.
        dimensions: names of :data:`DIMENSIONS`, one for each axis, or none.
        unknown: the number that says that a value is unknown, if there is one.
        codes: names of the numbers, where they stand for something.
    """

    values: NDArray[Any]
    units: str
    description: str
    dimensions: tuple[str, ...] = ()
    unknown: int | None = None
    codes: Mapping[str, int] = field(default_factory=dict)


@dataclass
class Contents:
    """Everything in a file: root attributes, and datasets by path without the leading slash."""

    attributes: dict[str, str | int]
    datasets: dict[str, Dataset] = field(default_factory=dict)

    def values(self, path: str) -> NDArray[Any]:
        """The array at ``path``."""
        return self.datasets[path].values


def digest(contents: Contents) -> str:
    """SHA-256 over attributes (but timestamps) and datasets: equal for equal results."""
    result = hashlib.sha256()
    for name, value in sorted(contents.attributes.items()):
        if name not in _TIMES:
            result.update(f"{name}={value}\n".encode())
    for path, dataset in sorted(contents.datasets.items()):
        values = encoded(dataset.values)
        head = f"{path} {values.dtype.str} {values.shape} {dataset.units} {dataset.description}\n"
        result.update(head.encode())
        result.update(np.ascontiguousarray(values).tobytes())
    return result.hexdigest()


def encoded(values: NDArray[Any]) -> NDArray[Any]:
    """Words as fixed-width UTF-8, everything else as it is."""
    return np.char.encode(values, "utf-8") if values.dtype.kind == "U" else values
