"""Rankings for users: rows of plain values, the best guess first."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from gpu_wordle.api.games import Position
from gpu_wordle.errors import UserError
from gpu_wordle.game.word_list import WordList
from gpu_wordle.options.outcome import HEAD_ROWS, Outcome
from gpu_wordle.ranking.openers import Status
from gpu_wordle.report.ranking import ENTROPY, TOTAL, RankingTable
from gpu_wordle.report.table import Column, FittedTable, as_rows


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Ranking(Outcome):
    """The guesses of a position with their statistics and values, best first.

    ``ranking["salet"]`` is the row of a guess; iteration goes through all rows. A row is a
    dictionary: opener, is_candidate, status (exact, bounded or infeasible), the figures of the
    objective (total and mean for the mean), worst, distribution, lower, upper and the statistics.
    Its keys are those of the command line's output. Unknown values are None.
    """

    _ranked: RankingTable
    _open: Callable[[], Position]
    _by: str | None = None

    @cached_property
    def position(self) -> Position:
        """The ranked position."""
        return self._open()

    @property
    def best(self) -> str:
        """The guess of the first row."""
        if not len(self):
            raise UserError("no guess is best of none; ask for a ranking of more guesses")
        return self._words[0]

    @property
    def solved(self) -> int:
        """Number of guesses with a known value, or known to be infeasible."""
        return int(self._ranked.openers.is_solved[self._ranked.rows].sum())

    def __getitem__(self, guess: str) -> dict[str, Any]:
        place = self._place(guess)
        if place is None:
            raise UserError(
                f"{guess!r} is not one of the {len(self):,} guesses of this ranking; "
                "give a word, as in ranking['salet'], or use head()"
            )
        return as_rows(self._columns([self._ranked.rows[place]]))[0]

    def __contains__(self, guess: object) -> bool:
        return self._place(guess) is not None

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(as_rows(self._table))

    def __len__(self) -> int:
        return len(self._ranked.rows)

    def __repr__(self) -> str:
        status = self._ranked.openers.status[self._ranked.rows]
        counts = (f"{int((status == s).sum()):,} {s.name.lower()}" for s in Status)
        best = f", best {self.best}" if len(self) else ""
        return f"Ranking({len(self):,} guesses{best}: {', '.join(counts)})"

    @cached_property
    def _words(self) -> tuple[str, ...]:
        return tuple(self._ranked.words[guess] for guess in self._ranked.rows)

    @cached_property
    def _list(self) -> WordList:
        return WordList(self._words, "this ranking", alphabet=self._ranked.alphabet)

    def _place(self, guess: object) -> int | None:
        return self._list.place(guess) if isinstance(guess, str) else None

    @cached_property
    def _table(self) -> list[Column]:
        return self._ranked.all_columns()

    def _columns(self, rows: list[int]) -> list[Column]:
        return replace(self._ranked, rows=rows).all_columns()

    def _first(self, rows: int) -> list[Column]:
        return self._columns(self._ranked.rows[:rows])

    def _brief(self, width: int) -> list[FittedTable]:
        table, figures = self._ranked, self._ranked.figures
        has_values = bool((table.openers.status[table.rows] == Status.EXACT).any())
        by = self._by or (TOTAL if has_values else ENTROPY)
        named = {TOTAL: figures.objective.title, ENTROPY: "entropy"}.get(by, by)
        shown = replace(table, rows=table.rows[:HEAD_ROWS]).for_people(
            exact=has_values,
            by=figures.names[0] if by == TOTAL else by,
            title=f"{len(self):,} guesses, by {named}",
        )
        return [shown]
