"""Tiles: feedback in the colours of the game."""

from __future__ import annotations

from rich.text import Text

from gpu_wordle.game.feedback import GREEN, GREY, YELLOW, Feedback, LetterFeedback, digits
from gpu_wordle.game.spelling import capitals

TILE_COLOURS = {GREY: "#787c7e", YELLOW: "#c9b458", GREEN: "#6aaa64"}


def pattern_colour(pattern: int, feedback: Feedback) -> str:
    """One colour for a whole pattern: the mean of its tiles' colours, if it has tiles."""
    if not isinstance(feedback, LetterFeedback):
        return TILE_COLOURS[GREEN if pattern == feedback.solved else GREY]
    tiles = [TILE_COLOURS[d] for d in digits(pattern, feedback.length)]
    channels = [[int(tile[i : i + 2], 16) for tile in tiles] for i in (1, 3, 5)]
    return "#" + "".join(f"{sum(channel) // feedback.length:02x}" for channel in channels)


def tiled(word: str, pattern: int) -> Text:
    """A word in tiles on a terminal."""
    text = Text()
    for letter, digit in zip(capitals(word), digits(pattern, len(word)), strict=True):
        text.append(f" {letter} ", f"bold white on {TILE_COLOURS[digit]}")
    return text
