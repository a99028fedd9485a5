"""The statistics of a first guess by which the literature ranks openers, as columns."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.errors import UserError
from gpu_wordle.game import Game, State
from gpu_wordle.letters import LetterStats, letter_stats
from gpu_wordle.partition import PartitionStats


@dataclass(frozen=True)
class Statistic:
    """One column of a ranking.

    ``heading`` is short, for tables; ``most_first`` tells whether more is better; ``decimals`` is
    how many a table shows; ``is_of_letters`` says that only games of words have it.
    """

    name: str
    heading: str
    units: str
    description: str
    most_first: bool
    decimals: int
    column: Callable[[Game, PartitionStats, LetterStats], NDArray[np.generic]]
    is_of_letters: bool = False


STATISTICS = {
    s.name: s
    for s in (
        Statistic(
            "entropy", "entropy\nbits", "bits",
            "Shannon entropy of the pattern = mutual information of pattern and answer",
            True, 3, lambda game, parts, letters: parts.entropy_bits[0],
        ),
        Statistic(
            "standard_deviation", "std\ndev", "answers",
            "population standard deviation of the part sizes over all patterns, empty ones too",
            False, 2,
            lambda game, parts, letters: parts.standard_deviation(game.patterns.pattern_count)[0],
        ),
        Statistic(
            "parts", "parts", "patterns", "patterns that occur (non-empty parts)",
            True, 0, lambda game, parts, letters: parts.parts[0],
        ),
        Statistic(
            "max_part", "max\npart", "answers", "answers in the largest part",
            False, 0, lambda game, parts, letters: parts.max_part[0],
        ),
        Statistic(
            "expected_part_size", "exp\nsize", "answers",
            "answers expected to remain, the answer included",
            False, 2, lambda game, parts, letters: parts.expected_part_size[0],
        ),
        Statistic(
            "lower_bound", "lower\nbound", "guesses",
            "no strategy with this first guess has a smaller total (3n - parts - [candidate])",
            False, 0, lambda game, parts, letters: parts.lower_bound[0],
        ),
        Statistic(
            "greens", "greens", "tiles",
            "green tiles over all answers = positional letter frequency of the guess",
            True, 0, lambda game, parts, letters: letters.greens, True,
        ),
        Statistic(
            "yellows", "yellows", "tiles", "yellow tiles over all answers",
            True, 0, lambda game, parts, letters: letters.yellows, True,
        ),
        Statistic(
            "common_characters", "common\nletters", "answers",
            "answers that hold a letter, summed over the distinct letters of the guess",
            True, 0, lambda game, parts, letters: letters.common_characters, True,
        ),
    )
}  # fmt: skip

ALIASES = {
    "mutual_information": "entropy",
    "std": "standard_deviation",
    "scatter": "parts",
    "positional_frequency": "greens",
}
"""Other names that the literature uses."""


def statistic(name: str) -> Statistic:
    """The statistic of that name or alias, dashes allowed; UserError if there is none."""
    key = name.lower().replace("-", "_")
    found = STATISTICS.get(ALIASES.get(key, key))
    if found is None:
        names = ", ".join([*STATISTICS, *ALIASES])
        raise UserError(f"no statistic {name!r}; choose one of {names}")
    return found


def columns_of(
    game: Game, partition: PartitionStats, state: State
) -> dict[str, NDArray[np.generic]]:
    """Every statistic of every guess, arrays [G] by name, from the partition stats of ``state``.

    Those of letters are left out where the game is not one of words.
    """
    has_letters = game.words.feedback.is_by_letters
    letters = letter_stats(game.words, state) if has_letters else LetterStats.none()
    return {
        s.name: s.column(game, partition, letters)
        for s in STATISTICS.values()
        if has_letters or not s.is_of_letters
    }


def order_by(
    by: Statistic, columns: dict[str, NDArray[np.generic]], candidates: NDArray[np.bool_]
) -> NDArray[np.intp]:
    """Guess indices, best first; ties go to candidates, then to the lowest index.

    Raises UserError for a statistic of letters where the game is not one of words.
    """
    if by.name not in columns:
        raise UserError(f"{by.name} looks at letters, which this game has none of; choose another")
    values = columns[by.name].astype(np.float64)
    return np.lexsort([~candidates, -values if by.most_first else values])
