"""What a verb has found, for all who ask: people, programs and notebooks."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, wraps
from html import escape
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec, SupportsIndex, TypeVar

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.text import Text

from gpu_wordle.errors import JobError, UnsavedError, UserError, all_of
from gpu_wordle.files import PATIENCE_SECONDS, held
from gpu_wordle.game import game as inner
from gpu_wordle.options.declared import checked, present, read_all, respelled
from gpu_wordle.options.shared import Count, FilePath, Plot
from gpu_wordle.ranking.stop_token import Reason
from gpu_wordle.report.document import Document, envelope
from gpu_wordle.report.formats import as_csv
from gpu_wordle.report.pictures import check_matplotlib, save_picture
from gpu_wordle.report.table import NOTEBOOK_WIDTH, Column, FittedTable, as_rows, columns_of

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

HEAD_ROWS = 10
"""Rows of a whole ranking or simulation that a terminal or a notebook shows."""


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Outcome:
    """What a verb has found: facts, rows, and how people see them.

    Attributes:
        lines: what people read, on so many characters: lines of text, and tables. If not given,
            a table of all rows.
        facts: what is said of the whole, by the keys of machine output.
        columns: the rows, by their columns; none where facts are all.
        asked: the position in question, if any.
        unasked: keys of the envelope that do not matter to the verb.
        reason: why the work ended early; None if it did not.
        kept: what became of the work then.
        figure: what draws it, if it can be drawn.
        unsaved: why its file cannot be written, if it cannot.
        remark: what people are told beside it, if anything.
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
        """Why the work ended early: ``time limit`` or ``stopped``; None if it did not."""
        return self.reason and self.reason.value

    @checked
    def head(self, rows: Count = HEAD_ROWS) -> list[dict[str, Any]]:
        """The first rows."""
        return as_rows(self._first(rows))

    @checked
    def to_csv(self, path: FilePath) -> None:
        """Write all rows as CSV, whole or not at all; JobError if that cannot be done."""
        with held(Path(path), PATIENCE_SECONDS) as holding:
            holding.replace(as_csv(self._table).encode())

    def to_pandas(self) -> pd.DataFrame:
        """All rows as a table of pandas; UserError if that is not installed."""
        try:
            import pandas as pd
        except ImportError:
            raise UserError(
                "to_pandas needs pandas; pip install pandas, or use head() or to_csv()"
            ) from None
        return pd.DataFrame({column.name: list(column.values) for column in self._table})

    @checked
    def plot(self, path: Plot = None) -> Figure:
        """The figure of matplotlib that --plot draws; it is written, too, if a file is named.

        Raises UserError if there is nothing to draw, or matplotlib is missing.
        """
        if self.figure is None:
            raise UserError("there is nothing to draw here; write_report draws what files hold")
        check_matplotlib()
        figure = self.figure()
        if path is not None:
            save_picture(Path(path), figure)
        return figure

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield from self._brief(options.max_width)

    def _repr_html_(self) -> str:
        return "".join(map(_as_html, self._brief(NOTEBOOK_WIDTH)))

    def __getstate__(self) -> dict[str, Any]:
        """What is pickled: not how it is shown, which may hold anything."""
        return vars(self) | dict.fromkeys(("lines", "figure"))

    @cached_property
    def _table(self) -> Sequence[Column]:
        """All rows, by their columns."""
        return self.columns

    @property
    def _told(self) -> Sequence[Column]:
        """All rows as programs are told them."""
        return self._table

    def _first(self, rows: int) -> Sequence[Column]:
        """The first rows, by their columns."""
        return [each.first(rows) for each in self._table]

    def _lines(self, width: int) -> Iterable[RenderableType]:
        """What people read."""
        return (
            self.lines(width)
            if self.lines
            else [FittedTable(self._table or columns_of([self.facts]))]
        )

    def _brief(self, width: int) -> Iterable[RenderableType]:
        """What people read who have it as a value, such as in a notebook."""
        return self._lines(width)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Rows(Outcome, list[dict[str, Any]]):
    """What a verb has found, as a list of rows: plain values by the keys of machine output.

    Notebooks and rich show it as a table. Copied or pickled it is a list like any other.
    """

    def __post_init__(self) -> None:
        self.extend(as_rows(self._table))

    @checked
    def head(self, rows: Count = HEAD_ROWS) -> list[dict[str, Any]]:
        """The first rows."""
        return self[:rows]

    def __reduce_ex__(self, protocol: SupportsIndex) -> str | tuple[Any, ...]:
        return (list, ([*self],)) if type(self) is Rows else super().__reduce_ex__(protocol)


PLOT = "plot"
"""The option of verbs whose outcome can be drawn."""

Told = TypeVar("Told", bound=Outcome)
P = ParamSpec("P")
R = TypeVar("R")


def verb(function: Callable[P, Told]) -> Callable[P, Told]:
    """Make a public function of one that returns an outcome.

    What callers give is read as its signature declares. Ctrl-C raises KeyboardInterrupt once the
    work has ended, and a file that cannot be written the error that says so.
    """
    returns = inspect.signature(function).return_annotation
    return _door(function, lambda outcome: outcome, returns)


def verb_for(python: Callable[[Told], R]) -> Callable[[Callable[P, Told]], Callable[P, R]]:
    """Make a verb of whose outcome Python callers get only what ``python`` makes of it."""
    returns = inspect.signature(python).return_annotation
    return lambda function: _door(function, python, returns)


def _door(function: Callable[P, Told], python: Callable[[Told], R], returns: Any) -> Callable[P, R]:
    """The public function of a verb."""

    @wraps(function)
    def door(*args: P.args, **kwargs: P.kwargs) -> R:
        given, named = read_all(function, args, kwargs)
        with respelled(function, [*given, *named.values()]):
            outcome = function(*given, **named)
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

    present(door, function, returns)
    return door


def draw(outcome: Outcome, path: Path | None) -> None:
    """Draw an outcome to a file, if that is asked for and there is anything to draw."""
    if path is not None and outcome.figure is not None:
        save_picture(path, outcome.figure())


def document_of(outcome: Outcome, verb: str) -> Document:
    """What a verb tells programs."""
    said = envelope(verb, outcome.asked, unasked=outcome.unasked)
    return Document(said, outcome.facts, outcome._told or None)


def print_on(console: Console, outcome: Outcome) -> None:
    """Print an outcome for people; lines of text are broken by the terminal alone."""
    for line in outcome._lines(console.width):
        console.print(line, soft_wrap=isinstance(line, str | Text))


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
