"""Rankings as users hold them: rows of plain values, the best guess first."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from gpu_wordle.api.games import Position
from gpu_wordle.errors import UserError
from gpu_wordle.game.word_list import WordList
from gpu_wordle.options.declared import checked
from gpu_wordle.options.rows import HEAD_ROWS, as_pandas, write_csv
from gpu_wordle.options.shared import Count, FilePath
from gpu_wordle.ranking.ending import Reason
from gpu_wordle.ranking.openers import Status
from gpu_wordle.report.ranking import ENTROPY, TOTAL, RankingTable
from gpu_wordle.report.table import Column, FittedTable, as_rows

if TYPE_CHECKING:
    import pandas as pd


class Ranking:
    """The guesses of a position with their statistics and what is known of their value, best first.

    ``ranking["salet"]`` is the row of a guess, and to iterate goes through all rows. A row is a
    dictionary: opener, is_candidate, status (exact, bounded or infeasible), the figures of the
    objective (total and mean for the mean), worst, distribution, lower, upper and the statistics.
    Its keys are those of the command line's output. What is not known is None.
    """

    def __init__(
        self,
        _table: RankingTable,
        _open: Callable[[], Position],
        _reason: Reason | None = None,
        _by: str | None = None,
    ) -> None:
        self._table = _table
        self._open = _open
        self._reason = _reason
        self._by = _by

    @cached_property
    def position(self) -> Position:
        """What is ranked."""
        return self._open()

    @property
    def best(self) -> str:
        """The guess of the first row."""
        if not len(self):
            raise UserError("no guess is best of none; ask for a ranking of more guesses")
        return self._words[0]

    @property
    def solved(self) -> int:
        """Guesses whose value is known, or of which it is known that they have none."""
        return int(self._table.openers.is_solved[self._table.rows].sum())

    @property
    def ended(self) -> str | None:
        """Why the job ended early: ``time limit`` or ``stopped``; None if it did not."""
        return self._reason and self._reason.value

    @checked
    def head(self, rows: Count = HEAD_ROWS) -> list[dict[str, Any]]:
        """The first rows."""
        return as_rows(self._columns(self._table.rows[:rows]))

    @checked
    def to_csv(self, path: FilePath) -> None:
        """Write all rows as CSV, whole or not at all; JobError if that cannot be done."""
        write_csv(path, self._columns(self._table.rows))

    def to_pandas(self) -> pd.DataFrame:
        """All rows as a table of pandas; UserError if that is not installed."""
        return as_pandas(self._columns(self._table.rows))

    def __getitem__(self, guess: str) -> dict[str, Any]:
        place = self._place(guess)
        if place is None:
            raise UserError(
                f"{guess!r} is not one of the {len(self):,} guesses of this ranking; "
                "give a word, as in ranking['salet'], or use head()"
            )
        return as_rows(self._columns([self._table.rows[place]]))[0]

    def __contains__(self, guess: object) -> bool:
        return self._place(guess) is not None

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(as_rows(self._columns(self._table.rows)))

    def __len__(self) -> int:
        return len(self._table.rows)

    def __repr__(self) -> str:
        status = self._table.openers.status[self._table.rows]
        counts = (f"{int((status == s).sum()):,} {s.name.lower()}" for s in Status)
        best = f", best {self.best}" if len(self) else ""
        return f"Ranking({len(self):,} guesses{best}: {', '.join(counts)})"

    def __rich__(self) -> FittedTable:
        return self._for_people()

    def _repr_html_(self) -> str:
        return self._for_people().as_html()

    @cached_property
    def _words(self) -> tuple[str, ...]:
        return tuple(self._table.words[guess] for guess in self._table.rows)

    @cached_property
    def _list(self) -> WordList:
        return WordList(self._words, "this ranking")

    def _place(self, guess: object) -> int | None:
        return self._list.place(guess) if isinstance(guess, str) else None

    def _columns(self, rows: list[int]) -> list[Column]:
        return replace(self._table, rows=rows).all_columns()

    def _for_people(self) -> FittedTable:
        table, figures = self._table, self._table.figures
        has_values = bool((table.openers.status[table.rows] == Status.EXACT).any())
        by = self._by or (TOTAL if has_values else ENTROPY)
        named = {TOTAL: figures.objective.title, ENTROPY: "entropy"}.get(by, by)
        return replace(table, rows=table.rows[:HEAD_ROWS]).for_people(
            exact=has_values,
            by=figures.names[0] if by == TOTAL else by,
            title=f"{len(self):,} guesses, by {named}",
        )
