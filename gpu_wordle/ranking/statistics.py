"""The statistics by which the literature ranks first guesses, as columns."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.game.game import Game, State
from gpu_wordle.game.letters import LetterStats, LetterTable, Spelling
from gpu_wordle.game.words import GameWords
from gpu_wordle.states.partition import PartitionStats, WeighedParts


@dataclass(frozen=True, eq=False)
class Seen:
    """The measures of all guesses on a state, from which statistics are computed.

    ``weighed`` is None if all answers weigh the same; ``letters`` is None if guesses are no words.
    """

    game: Game
    parts: PartitionStats
    letters: LetterStats | None
    weighed: WeighedParts | None

    @property
    def answers(self) -> int:
        """Number of answers of the state."""
        return int(self.parts.sizes[0])


@dataclass(frozen=True)
class Statistic:
    """One column of a ranking.

    ``name`` is that of the dataset in files; ``heading`` is short, for tables; ``most_first`` tells
    whether more is better; ``decimals`` is how many a table shows. ``column`` returns None where
    the column does not exist; ``needs`` says what it lacks there.
    """

    name: str
    heading: str
    units: str
    description: str
    most_first: bool
    decimals: int
    column: Callable[[Seen], NDArray[np.generic] | None]
    needs: str = ""

    @property
    def key(self) -> str:
        """The key in machine output: the name, and the unit if that is bits."""
        return f"{self.name}_bits" if self.units == "bits" else self.name


_LETTERS = "a game of words; choose another statistic"

STATISTICS = {
    s.name: s
    for s in (
        Statistic(
            "entropy", "entropy\nbits", "bits",
            "Shannon entropy of the pattern = mutual information of pattern and answer",
            True, 3, lambda seen: seen.parts.entropy_bits[0],
        ),
        Statistic(
            "weighted_entropy", "weighted\nentropy", "bits",
            "Shannon entropy of the pattern when answers are drawn by weight",
            True, 3, lambda seen: None if seen.weighed is None else seen.weighed.entropy_bits,
            "weights of the answers; give --weights",
        ),
        Statistic(
            "standard_deviation", "std\ndev", "answers",
            "population standard deviation of the part sizes over all patterns, empty ones too",
            False, 2,
            lambda seen: seen.parts.standard_deviation(seen.game.patterns.pattern_count)[0],
        ),
        Statistic(
            "parts", "parts", "patterns", "patterns that occur (non-empty parts)",
            True, 0, lambda seen: seen.parts.parts[0],
        ),
        Statistic(
            "max_part", "max\npart", "answers", "answers in the largest part",
            False, 0, lambda seen: seen.parts.max_part[0],
        ),
        Statistic(
            "expected_part_size", "exp\nsize", "answers",
            "answers expected to remain, the answer included",
            False, 2, lambda seen: seen.parts.expected_part_size[0],
        ),
        Statistic(
            "lower_bound", "lower\nbound", "guesses",
            "no strategy with this first guess has a smaller total (3n - parts - [candidate])",
            False, 0, lambda seen: seen.parts.lower_bound[0],
        ),
        Statistic(
            "greens", "greens", "tiles",
            "green tiles over all answers = positional letter frequency of the guess",
            True, 0, lambda seen: seen.letters.greens if seen.letters else None,
            _LETTERS,
        ),
        Statistic(
            "yellows", "yellows", "tiles", "yellow tiles over all answers",
            True, 0, lambda seen: seen.letters.yellows if seen.letters else None,
            _LETTERS,
        ),
        Statistic(
            "coloured_tiles", "tiles", "tiles", "green and yellow tiles, averaged over the answers",
            True, 3, lambda seen: seen.letters.coloured / seen.answers if seen.letters else None,
            _LETTERS,
        ),
        Statistic(
            "common_characters", "common\nletters", "answers",
            "answers that hold a letter, summed over the distinct letters of the guess",
            True, 0, lambda seen: seen.letters.common_characters if seen.letters else None,
            _LETTERS,
        ),
    )
}  # fmt: skip

BY_KEY = {s.key: s for s in STATISTICS.values()}
"""The statistics by their keys in machine output."""

ALIASES = {
    "entropy": "entropy_bits",
    "weighted_entropy": "weighted_entropy_bits",
    "mutual_information": "entropy_bits",
    "std": "standard_deviation",
    "scatter": "parts",
    "positional_frequency": "greens",
}
"""Other names of keys: of datasets, and in the literature."""


@lru_cache(maxsize=2)
def _spelling(words: GameWords) -> Spelling:
    """Return how the guesses are spelled. Cached for the next state of the same words."""
    return Spelling(words)


def columns_of(
    game: Game, partition: PartitionStats, state: State, weighed: WeighedParts | None = None
) -> dict[str, NDArray[np.generic]]:
    """Return all statistics of all guesses, arrays [G] by name, on ``state``.

    ``weighed`` holds the weighted ones, if answers have weights. Statistics that the game does not
    have are left out, such as those of letters if guesses are no words.
    """
    letters = None
    if game.words.feedback.is_by_letters:
        letters = LetterTable(game.words, state, _spelling(game.words)).stats
    seen = Seen(game, partition, letters, weighed)
    columns = ((s.name, s.column(seen)) for s in STATISTICS.values())
    return {name: column for name, column in columns if column is not None}


def order_by(
    by: Statistic, columns: dict[str, NDArray[np.generic]], candidates: NDArray[np.bool_]
) -> NDArray[np.intp]:
    """Return guess indices, best first. Ties go to candidates, then to the lowest index."""
    values = columns[by.name].astype(np.float64)
    return np.lexsort([~candidates, -values if by.most_first else values])
