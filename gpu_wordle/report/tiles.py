"""Tiles: feedback in the colours of the game."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from rich.text import Text

from gpu_wordle.game.feedback import GREEN, GREY, YELLOW, Feedback, LetterFeedback, digits

TILE_COLOURS = {GREY: "#787c7e", YELLOW: "#c9b458", GREEN: "#6aaa64"}
"""Colours of pictures."""
LETTERS_ON_TILES = {
    GREY: ("#ffffff", "#6a7075"),
    YELLOW: ("#221b02", "#dcb53f"),
    GREEN: ("#ffffff", "#37813d"),
}
"""Colours of letters and of the tiles below them, as on the page; their contrast is over 4.5."""


class Look(StrEnum):
    """Styles of tiles."""

    AUTO = "auto"  # in colours on a terminal, in marks elsewhere
    COLOURS = "colours"
    CONTRAST = "high-contrast"  # orange and blue, as for the colour-blind
    MARKS = "none"  # [A] is green, (A) is yellow


_STYLES = {
    Look.COLOURS: {
        digit: f"bold {letter} on {tile}" for digit, (letter, tile) in LETTERS_ON_TILES.items()
    },
    Look.CONTRAST: {
        GREY: "bold white on #3a3a3c",
        YELLOW: "bold black on #85c0f9",
        GREEN: "bold black on #f5793a",
    },
}
_MARKS = {GREY: " {} ", YELLOW: "({})", GREEN: "[{}]"}


def pattern_colour(pattern: int, feedback: Feedback) -> str:
    """One colour for a whole pattern: the mean of its tiles' colours, if it has tiles."""
    if not isinstance(feedback, LetterFeedback):
        return TILE_COLOURS[GREEN if pattern == feedback.solved else GREY]
    tiles = [TILE_COLOURS[d] for d in digits(pattern, feedback.length)]
    channels = [[int(tile[i : i + 2], 16) for tile in tiles] for i in (1, 3, 5)]
    return "#" + "".join(f"{sum(channel) // feedback.length:02x}" for channel in channels)


def tile(letter: str, digit: int, look: Look) -> tuple[str, str]:
    """A letter as a tile, and its style."""
    if look is Look.MARKS:
        return _MARKS[digit].format(letter), ""
    return f" {letter} ", _STYLES[look][digit]


def tiled(letters: Sequence[str], pattern: int, look: Look = Look.COLOURS) -> Text:
    """A word in tiles on a terminal; ``letters`` are those of ``Feedback.tiles``."""
    text = Text()
    for letter, digit in zip(letters, digits(pattern, len(letters)), strict=True):
        text.append(*tile(letter, digit, look))
    return text
