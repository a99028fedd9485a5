"""The content of a report, independent of its format: sections of blocks.

Blocks are prose, facts, tables, pictures and trees. They are built once and written as HTML,
Markdown or PDF. Pictures are drawn when they are written.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from gpu_wordle.errors import UserError, counted
from gpu_wordle.game.game import Position
from gpu_wordle.report.table import Column
from gpu_wordle.states.tree import DecisionTree

if TYPE_CHECKING:
    import numpy as np
    from matplotlib.figure import Figure
    from numpy.typing import NDArray

MAX_ROWS = 20_000
"""Most rows of a table in a report; the report says if it leaves out the others."""
DRAWN_ROWS = 12
"""Number of rows whose games are drawn."""


@dataclass(frozen=True)
class Table:
    """A table; rows are in order, best first if there is a best.

    Attributes:
        name: name of its download.
        title: its title.
        columns: its columns, all of one length.
        whole: number of rows in all, of which ``columns`` may hold only the first.
    """

    name: str
    title: str
    columns: Sequence[Column]
    whole: int

    @classmethod
    def of(
        cls, name: str, title: str, columns: Sequence[Column], whole: int | None = None
    ) -> Table:
        """A table of at most ``MAX_ROWS`` rows, without columns in which all values are unknown."""
        known = [c for c in columns if any(v is not None for v in c.values)] or columns
        shown = [column.first(MAX_ROWS) for column in known]
        return cls(name, title, shown, len(known[0].values) if whole is None else whole)

    @property
    def rows(self) -> int:
        """Number of rows that it holds."""
        return len(self.columns[0].values)

    def cut(self, shown: int) -> list[str]:
        """A note that only the first rows are shown; empty if all are."""
        if shown >= self.whole:
            return []
        return [f"the first {shown:,} of {counted(self.whole, 'row')}"]


@dataclass(frozen=True)
class Picture:
    """A figure and its data.

    Attributes:
        name: its name in ``plot`` and of its download; unique within a file.
        title: its text alternative.
        draw: draws it with matplotlib.
        columns: its data.
        words: the ``guesses`` and ``answers`` of a pattern matrix, in which readers can zoom.
        pixels: returns a pattern matrix at full size, if it is one: the number of the colour of
            each pixel, and the colours.
    """

    name: str
    title: str
    draw: Callable[[], Figure]
    columns: Sequence[Column]
    words: Mapping[str, Sequence[str]] = field(default_factory=dict)
    pixels: Callable[[], tuple[NDArray[np.uint8], Sequence[str]]] | None = None


class Figures(dict[str, str]):
    """Titles of the pictures of a kind of files, by name."""

    def picture(self, name: str, draw: Callable[[], Figure], columns: Sequence[Column]) -> Picture:
        """The picture of that name."""
        return Picture(name, self[name], draw, columns)


@dataclass(frozen=True)
class Strategy:
    """A decision tree that starts from a position."""

    tree: DecisionTree
    position: Position

    def lines(self, most: int) -> list[str]:
        """The strategy as text, one line per answer, at most ``most`` lines."""
        lines = self.tree.to_text(self.position.game.words, self.position.state).splitlines()
        left = len(lines) - most
        rest = [f"and {left:,} lines more; the file holds them"] if left > 0 else []
        return [*lines[:most], *rest]

    def answers(self) -> list[int]:
        """The number of answers that reach each node."""
        tree = self.tree
        counts = [0] * len(tree)
        for node, _ in tree.ends(self.position.game.words, self.position.state):
            counts[node] += 1
        for node in range(len(tree) - 1, 0, -1):
            counts[int(tree.parent[node])] += counts[node]
        return counts


Block = str | Mapping[str, str] | Table | Picture | Strategy


@dataclass(frozen=True)
class Section:
    """A heading with blocks."""

    title: str
    blocks: Sequence[Block]


@dataclass(frozen=True)
class Chapter:
    """The sections on one file, or on two files that are compared."""

    title: str
    paths: Sequence[Path]
    sections: Sequence[Section]

    @property
    def pictures(self) -> list[Picture]:
        """All pictures of its sections, in order."""
        blocks = (block for section in self.sections for block in section.blocks)
        return [block for block in blocks if isinstance(block, Picture)]


@dataclass(frozen=True)
class Report:
    """A whole report.

    Attributes:
        title: its heading.
        chapters: one per file, then comparisons.
        provenance: the provenance of each file, by its name.
        made: the provenance of the report itself.
    """

    title: str
    chapters: Sequence[Chapter]
    provenance: Mapping[str, Mapping[str, str]]
    made: Mapping[str, str]

    @property
    def sources(self) -> Mapping[str, Mapping[str, str]]:
        """The provenance of all files and of the report itself."""
        return {**self.provenance, "this report": self.made}


def shown_names(paths: Sequence[Path]) -> dict[Path, str]:
    """A distinct name for each file: its file name, or its path if file names repeat."""
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
