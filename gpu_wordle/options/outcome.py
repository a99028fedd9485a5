"""The result of a verb, for people, programs and notebooks."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from html import escape
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec, SupportsIndex, TypeVar

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.text import Text

from gpu_wordle.errors import JobError, UnsavedError, UserError, all_of
from gpu_wordle.files import PATIENCE_SECONDS, held
from gpu_wordle.game import game as inner
from gpu_wordle.options.declared import checked, door_of
from gpu_wordle.options.shared import Count, FilePath, Plot
from gpu_wordle.ranking.stop_token import Reason
from gpu_wordle.report.document import Document, as_csv, envelope
from gpu_wordle.report.notebook import in_notebook
from gpu_wordle.report.pictures import check_matplotlib, plain_text, save_picture
from gpu_wordle.report.table import NOTEBOOK_WIDTH, Column, FittedTable, as_rows, columns_of

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

HEAD_ROWS = 10
"""Rows of a complete ranking or simulation that a terminal or a notebook shows."""


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Outcome:
    """The result of a verb: facts, rows, and their form for people.

    Attributes:
        lines: makes the lines and tables for people, given the width in characters. By default,
            one table of all rows.
        facts: the results that concern the whole, by the keys of machine output.
        columns: the rows, stored by column; empty if the facts are everything.
        asked: the position that the verb was asked about, if any.
        unasked: keys of the envelope that do not matter to the verb.
        reason: why the work ended early; None if it did not.
        kept: what became of the work after an early end.
        figure: draws the result, if it can be drawn.
        unsaved: the error that kept its file from being written, if any.
        remark: a note for people beside the result, if any.
    """

    lines: Callable[[int], Iterable[RenderableType]] | None = None
    facts: Mapping[str, Any] = field(default_factory=dict)
    columns: Sequence[Column] = ()
    asked: inner.Position | None = None
    unasked: Sequence[str] = ()
    reason: Reason | None = None
    kept: str = "what is shown was proved by then"
    figure: Callable[[], Figure] | None = None
    unsaved: JobError | None = None
    remark: str = ""

    @property
    def ended(self) -> str | None:
        """Why the work ended early, ``time limit`` or ``stopped``; None if it did not."""
        return self.reason and self.reason.value

    @checked
    def head(self, rows: Count = HEAD_ROWS) -> list[dict[str, Any]]:
        """The first rows."""
        return as_rows(self._first(rows))

    @checked
    def to_csv(self, path: FilePath) -> None:
        """Write all rows as CSV; after a JobError the old file is unchanged."""
        with held(Path(path), PATIENCE_SECONDS) as holding:
            holding.replace(as_csv(self._table).encode())

    def to_pandas(self) -> pd.DataFrame:
        """All rows as a pandas DataFrame; UserError if pandas is not installed."""
        try:
            import pandas as pd
        except ImportError:
            raise UserError(
                "to_pandas needs pandas; pip install pandas, or use head() or to_csv()"
            ) from None
        return pd.DataFrame({column.name: list(column.values) for column in self._table})

    @checked
    def plot(self, path: Plot = None) -> Figure:
        """The matplotlib figure that --plot draws; also written to ``path`` if one is given.

        Raises UserError if there is nothing to draw, or if matplotlib is not installed.
        """
        if self.figure is None:
            raise UserError("this result has no figure; write_report draws the figures of files")
        check_matplotlib()
        with plain_text():
            figure = self.figure()
            if path is not None:
                save_picture(Path(path), figure)
        return figure

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield from self._brief(options.max_width)

    def _repr_html_(self) -> str:
        return in_notebook("".join(map(_as_html, self._brief(NOTEBOOK_WIDTH))))

    def __getstate__(self) -> dict[str, Any]:
        """The state to pickle, without ``lines`` and ``figure``, which may be closures."""
        return vars(self) | dict.fromkeys(("lines", "figure"))

    @cached_property
    def _table(self) -> Sequence[Column]:
        """All rows, stored by column."""
        return self.columns

    @property
    def _told(self) -> Sequence[Column]:
        """All rows of the machine output, stored by column."""
        return self._table

    def _first(self, rows: int) -> Sequence[Column]:
        """The first rows, stored by column."""
        return [each.first(rows) for each in self._table]

    def _lines(self, width: int) -> Iterable[RenderableType]:
        """The lines and tables for a terminal."""
        return (
            self.lines(width)
            if self.lines
            else [FittedTable(self._table or columns_of([self.facts]))]
        )

    def _brief(self, width: int) -> Iterable[RenderableType]:
        """The lines and tables for a notebook or an interactive session."""
        return self._lines(width)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Rows(Outcome, list[dict[str, Any]]):
    """The result of a verb as a list of rows, dictionaries by the keys of machine output.

    Notebooks and rich show it as a table. A copy or pickle of it is a plain list.
    """

    def __post_init__(self) -> None:
        self.extend(as_rows(self._table))

    @checked
    def head(self, rows: Count = HEAD_ROWS) -> list[dict[str, Any]]:
        """The first rows."""
        return self[:rows]

    def __reduce_ex__(self, protocol: SupportsIndex) -> str | tuple[Any, ...]:
        return (list, ([*self],)) if type(self) is Rows else super().__reduce_ex__(protocol)


GOES_ON = "the same command goes on from the file"
"""What became of the work of a job that saves it."""

PLOT = "plot"
"""The name of the option that draws the result."""

AnyOutcome = TypeVar("AnyOutcome", bound=Outcome)
P = ParamSpec("P")
R = TypeVar("R")


def verb(function: Callable[P, AnyOutcome]) -> Callable[P, AnyOutcome]:
    """Make a public verb of a function that returns an Outcome.

    Arguments are checked as the signature declares. Ctrl-C raises KeyboardInterrupt after the work
    has ended in order. A file that cannot be written raises its error.
    """
    returns = inspect.signature(function).return_annotation
    return _door(function, lambda outcome: outcome, returns)


def verb_for(
    python: Callable[[AnyOutcome], R],
) -> Callable[[Callable[P, AnyOutcome]], Callable[P, R]]:
    """Make a public verb that returns ``python(outcome)`` to Python callers."""
    returns = inspect.signature(python).return_annotation
    return lambda function: _door(function, python, returns)


def _door(
    function: Callable[P, AnyOutcome], python: Callable[[AnyOutcome], R], returns: Any
) -> Callable[P, R]:
    """The public function of a verb, which checks arguments and raises late errors."""

    def finish(outcome: AnyOutcome, named: dict[str, Any]) -> R:
        unsaved = outcome.unsaved
        try:
            draw(outcome, named.get(PLOT))
        except JobError as error:
            unsaved = all_of(unsaved, error)
        if outcome.reason is Reason.INTERRUPTED:
            raise KeyboardInterrupt
        if unsaved is not None:
            raise unsaved
        return python(outcome)

    return door_of(function, finish, returns)


def draw(outcome: Outcome, path: Path | None) -> None:
    """Draw an outcome to a file, if a path is given and there is a figure."""
    if path is not None and outcome.figure is not None:
        with plain_text():
            save_picture(path, outcome.figure())


def document_of(outcome: Outcome, verb: str) -> Document:
    """The machine output of a verb."""
    said = envelope(verb, outcome.asked, unasked=outcome.unasked)
    return Document(said, outcome.facts, outcome._told or None)


def print_on(console: Console, outcome: Outcome) -> None:
    """Print an outcome for people; the terminal alone wraps lines of text."""
    for line in outcome._lines(console.width):
        console.print(line, soft_wrap=isinstance(line, str | Text))


def _as_html(line: RenderableType) -> str:
    """A line of text, a table or a tree as HTML for a notebook."""
    if isinstance(line, FittedTable):
        return line.as_html()
    if hasattr(line, "_repr_html_"):
        return str(line._repr_html_())
    page = StringIO()
    Console(width=NOTEBOOK_WIDTH, file=page, highlight=False, markup=False).print(line)
    return f"<pre>{escape(page.getvalue())}</pre>"


def run_job(run: Callable[P, None], *given: P.args, **named: P.kwargs) -> UnsavedError | None:
    """Run a job; returns an UnsavedError, so that the result is shown before the error."""
    try:
        run(*given, **named)
    except UnsavedError as error:
        return error
    return None
