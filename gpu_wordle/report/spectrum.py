"""The spectrum of a guess: the number of answers behind each pattern, in tile colours."""

from __future__ import annotations

from typing import Annotated, Any, TypedDict

import numpy as np
from numpy.typing import NDArray
from rich.text import Text

from gpu_wordle.errors import counted
from gpu_wordle.game.feedback import Feedback, LetterFeedback
from gpu_wordle.game.game import Game, State
from gpu_wordle.report import keys
from gpu_wordle.report.keys import Key, schema
from gpu_wordle.report.table import Column
from gpu_wordle.report.tiles import pattern_colour, tiled
from gpu_wordle.states.partition import entropy_of_counts


@schema
class PartRow(TypedDict):
    """The answers behind a pattern."""

    pattern: keys.Pattern
    part_size: Annotated[int, Key("number of answers behind the pattern")]


@schema
class SpectrumFacts(TypedDict):
    """The facts about the parts of a guess."""

    opener: keys.Opener
    patterns: Annotated[int, Key("number of possible patterns")]
    parts: keys.Parts
    max_part: keys.MaxPart
    entropy_bits: keys.EntropyBits
    standard_deviation: keys.StandardDeviation


LEAST_BAR, LONGEST_BAR = 8, 96
"""Length of the bar of the largest part on a terminal, in characters."""


def largest_first(counts: NDArray[np.int64]) -> list[int]:
    """The patterns that occur, the largest part first."""
    return [int(p) for p in np.argsort(-counts, kind="stable") if counts[p]]


def describe_spectrum(word: str, counts: NDArray[np.int64]) -> dict[str, Any]:
    """The facts about the sizes of all parts."""
    return {
        "opener": word,
        "patterns": len(counts),
        "parts": int(np.count_nonzero(counts)),
        "max_part": int(counts.max()),
        "entropy_bits": entropy_of_counts(counts),
        "standard_deviation": float(counts.std()),
    }


def spectrum_columns(
    feedback: Feedback, counts: NDArray[np.int64], top: int | None
) -> list[Column]:
    """Columns of the ``top`` largest parts, or of all."""
    shown = largest_first(counts)[:top]
    return [
        Column("pattern", [feedback.format(p) for p in shown]),
        Column("part_size", [int(counts[p]) for p in shown]),
    ]


def words_of_parts(game: Game, state: State, guess: int) -> list[list[str]]:
    """The answers of each part of a state under a guess, largest part first."""
    patterns = game.patterns.values[state, guess]
    counts = np.bincount(patterns, minlength=game.patterns.pattern_count)
    words = game.words.answers.words
    return [[words[a] for a in state[patterns == p]] for p in largest_first(counts)]


def bar_chart(
    word: str, feedback: Feedback, counts: NDArray[np.int64], width: int, *, top: int | None
) -> Text:
    """Bars of the ``top`` largest parts, or all, in ``width`` characters; a line sums up the rest.

    Tiles precede each bar, unless they leave no room for it.
    """
    order = largest_first(counts)
    named = [feedback.format(p) for p in order[:top]]
    left = width - max(map(len, named)) - len(f"{counts.max():,}") - 3  # blanks between them
    letters = feedback.tiles(word)
    tiles = len(tiled(letters, 0)) if isinstance(feedback, LetterFeedback) else 0
    if left - tiles < LEAST_BAR:
        tiles = 0
    longest = min(max(left - tiles, LEAST_BAR), LONGEST_BAR)
    text = Text()
    for p, name in zip(order, named, strict=False):
        if tiles:
            text.append(tiled(letters, p))
        bar = "█" * max(1, round(longest * int(counts[p]) / int(counts.max())))
        text.append(f" {name} ")
        text.append(bar, pattern_colour(p, feedback))
        text.append(f" {counts[p]:,}\n")
    rest = order[len(order) if top is None else top :]
    if rest:
        sizes = [int(counts[p]) for p in rest]
        text.append(
            f"and {counted(len(rest), 'more pattern')}, {min(sizes)} to {max(sizes)} answers each, "
            f"{sum(sizes):,} in all\n"
        )
    return text
