"""Tiles: feedback in the colours of the game."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from rich.text import Text

from gpu_wordle.game.feedback import GREEN, GREY, YELLOW, Feedback, LetterFeedback, digits

TILE_COLOURS = {GREY: "#6e7173", YELLOW: "#c9b458", GREEN: "#6aaa64"}
LIGHT, DARK = "#ffffff", "#000000"
TILE_INKS = {GREY: LIGHT, YELLOW: DARK, GREEN: DARK}
"""Colours of letters on tiles, with a contrast of at least 4.5 to 1.

They are given by their values and not bold, since terminals may show a named or bold black as grey.
"""
CONTRAST_COLOURS = {GREY: "#3a3a3c", YELLOW: "#85c0f9", GREEN: "#f5793a"}


class Look(StrEnum):
    """Styles of tiles."""

    AUTO = "auto"  # in colours on a terminal, in marks elsewhere
    COLOURS = "colours"
    CONTRAST = "high-contrast"  # orange and blue, as for the colour-blind
    MARKS = "none"  # [A] is green, (A) is yellow


_STYLES = {
    look: {digit: f"{TILE_INKS[digit]} on {colour}" for digit, colour in colours.items()}
    for look, colours in ((Look.COLOURS, TILE_COLOURS), (Look.CONTRAST, CONTRAST_COLOURS))
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
