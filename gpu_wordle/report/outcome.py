"""What a verb has found, for all who ask: people, programs and notebooks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.text import Text

from gpu_wordle.errors import JobError, UnsavedError
from gpu_wordle.game.game import Position
from gpu_wordle.ranking.ending import Ending, Reason
from gpu_wordle.report.document import Document, envelope
from gpu_wordle.report.pictures import save_picture
from gpu_wordle.report.table import Column, FittedTable

if TYPE_CHECKING:
    from matplotlib.figure import Figure

NOTEBOOK_WIDTH = 120
"""Characters that a line in a notebook may be wide."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Outcome:
    """What a verb has found.

    Attributes:
        lines: what people read, on so many characters: lines of text, and tables.
        facts: what is said of the whole, by the keys of machine output.
        columns: the rows, by their columns; None where the facts are all that there is.
        position: what was asked about, if anything.
        unasked: keys of the envelope that do not matter to the verb.
        ending: what may have ended the work early, if anything may.
        kept: what became of the work then.
        figure: what draws it, if it can be drawn.
        unsaved: why its file cannot be written, if it cannot.
        remark: what people are told beside it, if anything.
    """

    lines: Callable[[int], Iterable[RenderableType]]
    facts: Mapping[str, Any] = field(default_factory=dict)
    columns: Sequence[Column] | None = None
    position: Position | None = None
    unasked: Sequence[str] = ()
    ending: Ending | None = None
    kept: str = "what is shown was proved by then"
    figure: Callable[[], Figure] | None = None
    unsaved: JobError | None = None
    remark: str = ""

    def itself(self) -> Self:
        """What Python callers get who are told nothing else."""
        return self

    @property
    def reason(self) -> Reason | None:
        """Why the work ended early; None if it did not."""
        return None if self.ending is None else self.ending.reason

    def draw(self, path: Path | None) -> None:
        """Draw it to a file, if that is asked for and there is anything to draw."""
        if path is not None and self.figure is not None:
            save_picture(path, self.figure())

    def document(self, verb: str) -> Document:
        """What programs read."""
        return Document(
            envelope(verb, self.position, unasked=self.unasked), self.facts, self.columns
        )

    def print_on(self, console: Console) -> None:
        """Print it for people; lines of text are broken by the terminal alone."""
        for line in self.lines(console.width):
            console.print(line, soft_wrap=isinstance(line, str | Text))

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield from self.lines(options.max_width)

    def _repr_html_(self) -> str:
        return "".join(map(_as_html, self.lines(NOTEBOOK_WIDTH)))


def _as_html(line: RenderableType) -> str:
    """A line of text or a table, for a notebook."""
    if isinstance(line, FittedTable):
        return line.as_html()
    page = StringIO()
    Console(width=NOTEBOOK_WIDTH, file=page, highlight=False, markup=False).print(line)
    return f"<pre>{escape(page.getvalue())}</pre>"


def run_job(run: Callable[[], None]) -> UnsavedError | None:
    """Run a job; why its file cannot be written, if it cannot, to be told after its result."""
    try:
        run()
    except UnsavedError as error:
        return error
    return None
