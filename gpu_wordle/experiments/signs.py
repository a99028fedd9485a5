"""The signs of feedback in pasted text: squares, chat codes, letters, digits and marks.

To teach the reader another sign, add it to one of the tables.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from gpu_wordle.errors import AmbiguousError, UserError, counted, quoted

GREY, YELLOW, GREEN = "B", "Y", "G"

PICTURES = {
    "squares": ("⬛⬜◼◻◾◽▪▫", "🟨", "🟩"),
    "high-contrast squares": ("", "🟦", "🟧"),
    "circles": ("⚫⚪", "🟡", "🟢"),
    "high-contrast circles": ("", "🔵", "🟠"),
    "hearts": ("🖤🤍🩶", "💛", "💚"),
    "high-contrast hearts": ("", "💙", "🧡"),
}
"""Pictures of each kind for grey, yellow and green."""

UNKNOWN_PICTURES = "🟥🟪🟫🔴🟣🟤"
"""Pictures whose colour differs between games; a row with one is refused."""

CODES = {
    "⬛": "black_large_square black_medium_square black_medium_small_square black_small_square "
    "black_square grey_square gray_square grey_large_square gray_large_square",
    "⬜": "white_large_square white_medium_square white_medium_small_square white_small_square "
    "white_square",
    "🟨": "yellow_square large_yellow_square yellow_large_square",
    "🟩": "green_square large_green_square green_large_square",
    "🟦": "blue_square large_blue_square blue_large_square",
    "🟧": "orange_square large_orange_square orange_large_square",
    "⚫": "black_circle",
    "⚪": "white_circle",
    "🟡": "yellow_circle large_yellow_circle",
    "🟢": "green_circle large_green_circle",
    "🔵": "blue_circle large_blue_circle",
    "🟠": "orange_circle large_orange_circle",
    "🖤": "black_heart",
    "🤍": "white_heart",
    "🩶": "grey_heart",
    "💛": "yellow_heart",
    "💚": "green_heart",
    "💙": "blue_heart",
    "🧡": "orange_heart",
    "🟥": "red_square large_red_square red_large_square",
    "🟪": "purple_square large_purple_square purple_large_square",
    "🟫": "brown_square large_brown_square brown_large_square",
}
"""Names of pictures in chats, without their colons."""

SIGNS = {"bBxX0-._": GREY, "yY1?": YELLOW, "gG2+!": GREEN}
"""Letters, digits and marks that stand for one colour."""

DOUBTFUL = {
    "o": "yellow (in the word) or green (right)",
    "v": "green (right) or yellow (in the word)",
    "c": "green (correct) or yellow (close)",
    "p": "yellow (present) or green (in place)",
    "n": "grey (no) or yellow (near)",
    "w": "grey (wrong) or yellow (wrong place)",
    "m": "yellow (misplaced) or grey (missing)",
    "r": "green (right) or grey (red)",
}
"""Letters that programs use for different colours."""

_COLOUR = {sign: colour for signs, colour in SIGNS.items() for sign in signs}
_PICTURE = {
    sign: (colour, kind)
    for kind, three in PICTURES.items()
    for signs, colour in zip(three, (GREY, YELLOW, GREEN), strict=True)
    for sign in signs
}
_CODE = {name: sign for sign, names in CODES.items() for name in names.split()}
ALL_PICTURES = "".join(_PICTURE) + UNKNOWN_PICTURES
_CHAT = re.compile(r"<?a?:([A-Za-z0-9_+-]{1,64}):(?:[0-9]{1,24}>)?")
_SELECTORS = frozenset("\ufe0e\ufe0f\u20e3")  # of text and emoji, and of keys with digits


def clean(line: str) -> str:
    """The line with chat codes as pictures, and without invisible signs."""
    line = "".join(
        sign for sign in line if sign not in _SELECTORS and unicodedata.category(sign) != "Cf"
    )
    return _CHAT.sub(lambda found: _CODE.get(found[1].lower(), found[0]), line)


def is_row_like(text: str) -> bool:
    """Whether a text consists of signs of colours only; O counts as one."""
    return bool(text) and all(sign in _COLOUR or sign in _PICTURE or sign in "oO" for sign in text)


def is_damaged(text: str, length: int) -> bool:
    """Whether a text seems to be a row of colours with a sign too many, too few or wrong."""
    known = sum(sign in _COLOUR for sign in text)
    return len(text) > 1 and 2 * known > len(text) and abs(len(text) - length) <= 2


def is_decoration(row: str) -> bool:
    """Whether a row has circles or hearts, which people also use as decoration."""
    return any("square" not in _PICTURE.get(sign, ("", "square"))[1] for sign in row)


def doubts(text: str) -> str:
    """The readings of the letters of a row that programs use for different colours."""
    letters = dict.fromkeys(sign for sign in text.lower() if sign in DOUBTFUL)
    return ", ".join(f"{letter.upper()} as {DOUBTFUL[letter]}" for letter in letters)


def is_doubtful(text: str) -> bool:
    """Whether a text may be a row of letters of which some have several meanings."""
    return (
        len(text) > 1
        and all(sign in _COLOUR or sign in DOUBTFUL for sign in text.lower())
        and bool(doubts(text))
    )


def check_pictures(rows: Sequence[tuple[str, int]]) -> None:
    """Raise UserError for rows of one grid, with their lines, whose colours are not clear."""
    kinds: dict[str, int] = {}
    for row, line in rows:
        for sign in row:
            if sign in _PICTURE and _PICTURE[sign][0] != GREY:
                kinds.setdefault(_PICTURE[sign][1], line)
    if len(kinds) > 1:
        where = " and ".join(f"{kind} in line {line}" for kind, line in kinds.items())
        raise AmbiguousError(
            f"{where}: blue and orange are yellow and green in high contrast, but some games use "
            "them otherwise; use one kind, or write B, Y and G"
        )


def colours(rows: Sequence[str]) -> list[str]:
    """The rows in B, Y and G.

    O means yellow only if other signs of the rows mean grey and green, and none means yellow.
    Raises UserError if O is not clear.
    """
    certain = {_colour(sign) for row in rows for sign in row}
    middle = certain >= {GREY, GREEN} and YELLOW not in certain
    result = []
    for row in rows:
        if not middle and "o" in row.lower():
            raise AmbiguousError(
                f"{quoted(row)} can be read in two ways: {doubts(row)}; write B, Y and G for "
                "grey, yellow and green"
            )
        result.append("".join(_colour(sign) or YELLOW for sign in row))
    return result


def _colour(sign: str) -> str | None:
    """The colour of a sign; None for O."""
    return _PICTURE[sign][0] if sign in _PICTURE else _COLOUR.get(sign)


def check_row(row: str, length: int, where: str) -> None:
    """Raise UserError for a row of a wrong length or with a picture of unknown colour."""
    if len(row) != length or any(sign in UNKNOWN_PICTURES for sign in row):
        raise wrong_length(row, length, where)


def wrong_length(row: str, length: int, where: str) -> UserError:
    """An error for a row that has too few or too many colours."""
    unknown = next((sign for sign in row if sign in UNKNOWN_PICTURES), None)
    if unknown is not None:
        return AmbiguousError(
            f"{where}{quoted(row)}: the colour of {unknown} differs between games; write B, Y and G"
        )
    return UserError(
        f"{where}{quoted(row)} has {counted(len(row), 'colour')}; words here have {length} letters"
    )
