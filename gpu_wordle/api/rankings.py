"""Rankings as users hold them: rows of plain values, the best guess first."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gpu_wordle.api.games import Position
from gpu_wordle.api.given import takes
from gpu_wordle.api.rows import SHOWN, as_pandas, write_csv
from gpu_wordle.errors import UserError
from gpu_wordle.game.word_list import WordList
from gpu_wordle.ranking.ending import Reason
from gpu_wordle.ranking.openers import Status
from gpu_wordle.report.ranking import RankingTable
from gpu_wordle.report.table import Column, FittedTable, as_rows

if TYPE_CHECKING:
    import pandas as pd


class Ranking:
    """Every guess of a position with its statistics and what is known of its value, best first.

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
    ) -> None:
        self._table = _table
        self._open = _open
        self._reason = _reason

    @cached_property
    def position(self) -> Position:
        """What is ranked."""
        return self._open()

    @property
    def best(self) -> str:
        """The guess of the first row."""
        return self._table.words[self._table.rows[0]]

    @property
    def solved(self) -> int:
        """Guesses whose value is known, or of which it is known that they have none."""
        return int(self._table.openers.is_solved.sum())

    @property
    def ended(self) -> str | None:
        """Why the job ended early: ``time limit`` or ``stopped``; None if it did not."""
        return self._reason and self._reason.value

    @takes()
    def head(self, rows: int = SHOWN) -> list[dict[str, Any]]:
        """The first rows."""
        return as_rows(self._columns(self._table.rows[:rows]))

    @takes()
    def to_csv(self, path: str | Path) -> None:
        """Write all rows as CSV, whole or not at all; JobError if that cannot be done."""
        write_csv(path, self._columns(self._table.rows))

    def to_pandas(self) -> pd.DataFrame:
        """All rows as a table of pandas; UserError if that is not installed."""
        return as_pandas(self._columns(self._table.rows))

    def __getitem__(self, guess: str) -> dict[str, Any]:
        index = self._list.place(guess) if isinstance(guess, str) else None
        if index is None:
            raise UserError(
                f"{guess!r} is not one of the {len(self):,} guesses of this ranking; "
                "give a word, as in ranking['salet'], or use head()"
            )
        return as_rows(self._columns([index]))[0]

    def __contains__(self, guess: object) -> bool:
        return isinstance(guess, str) and self._list.place(guess) is not None

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(as_rows(self._columns(self._table.rows)))

    def __len__(self) -> int:
        return len(self._table.rows)

    def __repr__(self) -> str:
        status = self._table.openers.status
        counts = (f"{int((status == s).sum()):,} {s.name.lower()}" for s in Status)
        return f"Ranking({len(self):,} guesses, best {self.best}: {', '.join(counts)})"

    def __rich__(self) -> FittedTable:
        return self._for_people()

    def _repr_html_(self) -> str:
        return self._for_people().as_html()

    @cached_property
    def _list(self) -> WordList:
        return WordList(self._table.words, "this ranking")

    @property
    def _title(self) -> str:
        objective = self._table.figures.objective
        by = objective.title if self._has_values else "entropy"
        return f"{len(self):,} guesses, by {by}"

    @property
    def _has_values(self) -> bool:
        return bool((self._table.openers.status == Status.EXACT).any())

    def _columns(self, rows: list[int]) -> list[Column]:
        return replace(self._table, rows=rows).all_columns()

    def _for_people(self) -> FittedTable:
        shown = replace(self._table, rows=self._table.rows[:SHOWN])
        by = next(iter(shown.figures.names)) if self._has_values else "entropy_bits"
        return shown.for_people(exact=self._has_values, by=by, title=self._title)
