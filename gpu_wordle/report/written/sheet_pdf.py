"""Cheat sheets in PDF: the pages of A4 that the layout describes, drawn by matplotlib."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.backends.backend_pdf import PdfPages
from matplotlib.collections import PatchCollection
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from gpu_wordle.errors import one_line
from gpu_wordle.game.feedback import GREEN, GREY, LetterFeedback, digits
from gpu_wordle.report.cheat_sheet import (
    CHARACTER,
    LINE,
    MARGIN,
    NOTE,
    PAGE,
    TITLE,
    CheatSheet,
    Column,
    Entry,
    seen_tiles,
)
from gpu_wordle.report.pictures import plain_text

POINTS = 72.0
"""Points of an inch."""
INK, QUIET, HEAD, DARK, LIGHT = "#111111", "#666666", "#e4e7ea", "#2c6e35", "#f3d66b"


def write(sheet: CheatSheet) -> bytes:
    """The cheat sheet as a PDF document."""
    data = io.BytesIO()
    with rc_context({"pdf.fonttype": 42, "font.family": "monospace"}), plain_text():
        told = {"Creator": "gpu-wordle report", "Title": one_line(sheet.title)}
        with PdfPages(data, metadata=told) as pages:
            for columns in sheet.pages:
                pages.savefig(_page(sheet, columns))
    return data.getvalue()


def _page(sheet: CheatSheet, columns: Sequence[Column]) -> Figure:
    figure = Figure(figsize=(PAGE[0] / POINTS, PAGE[1] / POINTS))
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_axis_off()
    axes.set_xlim(0, PAGE[0])
    axes.set_ylim(PAGE[1], 0)
    plain: dict[str, Any] = {"va": "top", "family": "sans-serif"}
    axes.text(MARGIN, MARGIN, sheet.title, size=TITLE, weight="bold", **plain)
    for number, note in enumerate(sheet.notes):
        axes.text(MARGIN, MARGIN + (TITLE + number * NOTE) * LINE, note, size=NOTE, **plain)
    boxes: dict[str, list[Rectangle]] = {HEAD: [], DARK: [], LIGHT: []}
    for place, column in enumerate(columns):
        for row, entry in enumerate(column):
            middle = sheet.top + (row + 0.5) * sheet.size * LINE
            _draw(axes, sheet, entry, (MARGIN + place * sheet.pitch, middle), boxes)
    for layer, (colour, drawn) in enumerate(boxes.items()):
        shapes = PatchCollection(drawn, facecolor=colour, edgecolor="none", zorder=0.1 * layer)
        axes.add_collection(shapes)
    return figure


def _draw(
    axes: Axes,
    sheet: CheatSheet,
    entry: Entry,
    at: tuple[float, float],
    boxes: dict[str, list[Rectangle]],
) -> None:
    """Draw a line whose left end and middle are at ``at``, and add the boxes behind it."""
    step, height = CHARACTER * sheet.size, sheet.size * LINE
    (left, middle), seen = at, seen_tiles(entry, sheet.feedback)
    weight, ink = "bold" if entry.turn == 2 else "normal", QUIET if entry.again else INK
    if entry.turn == 2:
        width = (sheet.letters - 1.5) * step
        boxes[HEAD].append(Rectangle((left, middle - height / 2), width, height))
    left += (entry.turn - 2) * step
    style: dict[str, Any] = {"size": sheet.size, "va": "center_baseline"}
    guess = f"{entry.guess}{'+' * entry.leads_on}"
    text = "".join(seen)
    axes.text(left + (len(text) + 1) * step, middle, guess, color=ink, weight=weight, **style)
    if not isinstance(sheet.feedback, LetterFeedback):
        axes.text(left, middle, text, color=ink, weight=weight, **style)
        return
    for letter, digit in zip(seen, digits(entry.pattern, len(seen)), strict=True):
        colour, width = ink, len(letter) * step
        if digit != GREY:
            box = Rectangle((left, middle - height / 2), width, height)
            boxes[DARK if digit == GREEN else LIGHT].append(box)
            colour = "white" if digit == GREEN else INK
        bold = "normal" if digit == GREY else "bold"
        center = left + width / 2
        axes.text(center, middle, letter, color=colour, ha="center", weight=bold, **style)
        left += width
