"""HTML for notebooks: tiles, bars, and the style that both need.

Notebooks have themes of their own, light or dark, so the colours suit either. Where a style is left
out, tiles are still bold (green), underlined (yellow) or struck through (grey).
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from gpu_wordle.game.feedback import GREEN, GREY, YELLOW

_TAGS = {"B": "s", "Y": "u", "G": "strong"}
_SAID = {"B": "absent", "Y": "elsewhere", "G": "in place"}
_DIGITS = {"B": GREY, "Y": YELLOW, "G": GREEN}

BAR, LOSS = "#4a86c5", "#c96a1e"
"""Colours of bars: like those of pictures, and light enough for dark notebooks."""
LETTERS_ON_TILES = {
    GREY: ("#ffffff", "#6a7075"),
    YELLOW: ("#221b02", "#dcb53f"),
    GREEN: ("#ffffff", "#37813d"),
}
"""Colours of letters and of the tiles below them, as on the page; their contrast is over 4.5."""

TILE_STYLE = (
    ".gw-tiles{white-space:nowrap}"
    ".gw-tiles>*{display:inline-block;width:1.5em;margin-right:1px;border-radius:2px;"
    "font:700 .85em/1.5 ui-monospace,monospace;text-align:center;text-decoration:none;"
    "print-color-adjust:exact;-webkit-print-color-adjust:exact}"
) + "".join(
    ".gw-tiles>{}{{color:{};background:{}}}".format(tag, *LETTERS_ON_TILES[_DIGITS[colour]])
    for colour, tag in _TAGS.items()
)

TREE_STYLE = (
    ".gw-tree,.gw-tree ul{list-style:none;margin:0;padding:0}"
    ".gw-tree{overflow-x:auto}"
    ".gw-tree ul{padding-left:1rem;margin-left:.4rem;border-left:1px solid #8888}"
    ".gw-tree li{white-space:nowrap;margin:0}"
    ".gw-tree summary,.gw-tree .leaf{display:inline-block;padding:.12rem 0;cursor:default}"
    ".gw-tree summary{cursor:pointer}"
    ".gw-tree summary::before{content:'\\25B8';display:inline-block;width:1rem}"
    ".gw-tree details[open]>summary::before{content:'\\25BE'}"
    ".gw-tree .leaf{padding-left:1rem}"
    ".gw-tree small{opacity:.75}"
)

_STYLE = (
    f"{TILE_STYLE}{TREE_STYLE}"
    ".gw-turns{list-style:none;margin:0;padding:0}.gw-turns li{margin:0 0 2px}"
    ".gw-bar,.gw-counts{display:inline-block;margin:0 .5em;vertical-align:middle}"
    ".gpu-wordle td:has(>.gw-bar,>.gw-counts){white-space:nowrap}"
    ".gw-bar{width:4em;height:.6em;text-align:left}"
    f".gw-bar>*{{display:block;height:100%;background:{BAR}}}"
    f".gw-bar.loss>*{{background:{LOSS}}}"
    ".gw-counts{display:inline-flex;align-items:flex-end;gap:1px;height:1.3em}"
    f".gw-counts>*{{width:.35em;background:{BAR}}}"
)


def in_notebook(html: str) -> str:
    """The HTML with its style, as the output of a cell."""
    return f"<div class=gpu-wordle><style>{_STYLE}</style>{html}</div>"


def tiles(letters: Sequence[str], told: str) -> str:
    """A guess with its feedback: tiles, which are read out letter by letter; or text.

    ``letters`` are those of ``Feedback.tiles``, and ``told`` is the feedback as games write it.
    Tiles need a B, Y or G for each letter.
    """
    if len(told) != len(letters) or not set(told) <= set(_TAGS):
        return f"<code>{escape(told)}</code>"
    turn = list(zip(map(escape, letters), told, strict=True))
    said = ", ".join(f"{letter} {_SAID[colour]}" for letter, colour in turn)
    shown = "".join(f"<{_TAGS[colour]}>{letter}</{_TAGS[colour]}>" for letter, colour in turn)
    return f'<span class=gw-tiles role=img aria-label="{said}" title={told}>{shown}</span>'


def bar(share: float) -> str:
    """A bar of a share of its greatest length; the number beside it is what is read out."""
    return f"<span class=gw-bar aria-hidden=true>{_filled(share)}</span>"


def loss_bar(share: float, more: str) -> str:
    """A bar for a value that is by ``more`` above the least one of its column."""
    if not share:
        return bar(0)
    said = f"{more} more than the least here"
    return (
        f'<span class="gw-bar loss" role=img aria-label="{said}" title="{said}">'
        f"{_filled(share)}</span>"
    )


def count_bars(counts: Sequence[float]) -> str:
    """A small bar chart of counts, which stand beside it as text."""
    most = max(counts, default=0) or 1
    # a count that is not zero can be seen
    heights = (f"{max(100 * each / most, 6 * (each > 0)):.0f}" for each in counts)
    shown = "".join(f'<span style="height:{height}%"></span>' for height in heights)
    return f"<span class=gw-counts aria-hidden=true>{shown}</span>"


def _filled(share: float) -> str:
    return f'<span style="width:{100 * share:.0f}%"></span>'
