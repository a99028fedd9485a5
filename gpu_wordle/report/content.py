"""What a report says, before it has a form: sections of prose, facts, tables, pictures and trees.

They are built once, and written as HTML, Markdown or PDF. Pictures are drawn when they are written.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from gpu_wordle.errors import UserError, counted
from gpu_wordle.game.game import Position
from gpu_wordle.report.table import Column
from gpu_wordle.states.tree import DecisionTree

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MAX_ROWS = 20_000
"""Rows of a table in a report; of more, those that come first are shown, and the report says so."""
DRAWN_ROWS = 12
"""Rows of which the games are drawn."""


@dataclass(frozen=True)
class Prose:
    """A paragraph."""

    text: str


@dataclass(frozen=True)
class Facts:
    """Short facts by their names."""

    facts: Mapping[str, str]


@dataclass(frozen=True)
class Table:
    """Rows in their order, best first where there is one.

    Attributes:
        name: what its download is called.
        title: what it shows.
        columns: all of one length.
        whole: rows that there are, of which ``columns`` may hold only the first.
    """

    name: str
    title: str
    columns: Sequence[Column]
    whole: int

    @classmethod
    def of(
        cls, name: str, title: str, columns: Sequence[Column], whole: int | None = None
    ) -> Table:
        """A table of at most ``MAX_ROWS`` rows; columns in which nothing is known are left out."""
        known = [c for c in columns if any(v is not None for v in c.values)] or columns
        shown = [replace(column, values=column.values[:MAX_ROWS]) for column in known]
        return cls(name, title, shown, len(known[0].values) if whole is None else whole)

    @property
    def rows(self) -> int:
        """Rows that it holds."""
        return len(self.columns[0].values)

    def cut(self, shown: int) -> list[str]:
        """What is to be said where only so many rows are shown; nothing where these are all."""
        if shown >= self.whole:
            return []
        return [f"the first {shown:,} of {counted(self.whole, 'row')}"]


@dataclass(frozen=True)
class Picture:
    """A figure, and the data that it is drawn from.

    Attributes:
        name: what ``plot`` and its download call it; once in a file.
        title: what it shows, for people who do not see it.
        draw: what draws it, with matplotlib.
        columns: its data.
        words: the ``guesses`` and ``answers`` of a matrix of patterns, into which readers may zoom.
    """

    name: str
    title: str
    draw: Callable[[], Figure]
    columns: Sequence[Column]
    words: Mapping[str, Sequence[str]] = field(default_factory=dict)


class Figures(dict[str, str]):
    """What each picture of a kind of files shows, by its name."""

    def picture(self, name: str, draw: Callable[[], Figure], columns: Sequence[Column]) -> Picture:
        """The picture of that name."""
        return Picture(name, self[name], draw, columns)


@dataclass(frozen=True)
class Strategy:
    """A tree of guesses that starts from a position."""

    tree: DecisionTree
    position: Position

    def lines(self, most: int) -> list[str]:
        """The strategy as text, a line an answer; of more than ``most``, the first."""
        lines = self.tree.to_text(self.position.game.words, self.position.state).splitlines()
        left = len(lines) - most
        rest = [f"and {left:,} lines more; the file holds them"] if left > 0 else []
        return [*lines[:most], *rest]


Block = Prose | Facts | Table | Picture | Strategy


@dataclass(frozen=True)
class Section:
    """A heading, and what stands below it."""

    title: str
    blocks: Sequence[Block]


@dataclass(frozen=True)
class Chapter:
    """What is said of one file, or of two that are compared; provenance by the files' names."""

    title: str
    paths: Sequence[Path]
    sections: Sequence[Section]

    @property
    def pictures(self) -> list[Picture]:
        """All pictures, in their order."""
        blocks = (block for section in self.sections for block in section.blocks)
        return [block for block in blocks if isinstance(block, Picture)]


@dataclass(frozen=True)
class Report:
    """Everything.

    Attributes:
        title: its heading.
        chapters: one a file, then comparisons.
        provenance: for each file, by its name, where it comes from.
        made: the same of the report itself.
    """

    title: str
    chapters: Sequence[Chapter]
    provenance: Mapping[str, Mapping[str, str]]
    made: Mapping[str, str]

    @property
    def sources(self) -> Mapping[str, Mapping[str, str]]:
        """Where everything comes from, the report itself too."""
        return {**self.provenance, "this report": self.made}


def shown_names(paths: Sequence[Path]) -> dict[Path, str]:
    """What each file is called: by its name, or by its whole path where names are alike."""
    times = Counter(path.name for path in paths)
    return {path: path.name if times[path.name] == 1 else str(path) for path in paths}


def picture_of(chapter: Chapter, name: str) -> Picture:
    """The picture of that name; UserError if there is none."""
    found = {picture.name: picture for picture in chapter.pictures}
    if name not in found:
        paths = " ".join(map(str, chapter.paths))
        drawn = f"it has {', '.join(found)}" if found else "it has none; choose another file"
        raise UserError(f"{paths}: no figure {name!r}; {drawn}")
    return found[name]
