"""The best openings that are fixed in advance: what is asked for, how it is found, the result."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gpu_wordle.api.given import takes
from gpu_wordle.api.pairs import PairsWork
from gpu_wordle.api.rows import SHOWN, as_pandas, write_csv
from gpu_wordle.api.session import Session
from gpu_wordle.errors import UserError
from gpu_wordle.experiments.pairs.job import Heard, Progress
from gpu_wordle.experiments.pairs.longer import Goal
from gpu_wordle.experiments.pairs.survey import Measure, Survey
from gpu_wordle.ranking.ending import Ending, Reason
from gpu_wordle.report.pairs import KEYS, describe_opening, describe_pair, pairs_table
from gpu_wordle.report.table import FittedTable, columns_of

if TYPE_CHECKING:
    import pandas as pd

MAX_FIXED = 6
"""Guesses that are fixed at most: there are no more in a game of Wordle."""

FIGURES = {"parts": "parts", "entropy": "entropy_bits", "singles": "singles"}
"""The figure of a row that there is to be most of."""


class By(StrEnum):
    """What openings are compared by."""

    PARTS = "parts"
    ENTROPY = "entropy"
    SINGLES = "singles"
    TOTAL = "total"


@dataclass(frozen=True)
class Asked:
    """Which openings are looked for; UserError for what contradicts itself.

    Attributes:
        words: guesses that are fixed, 2 to MAX_FIXED.
        by: what is best; if not given, parts, or with ``prove`` the total.
        top: openings that are told, 0 for all.
        prove: whether all that are not told are refuted.
    """

    words: int = 2
    measure: By | None = None
    top: int = 20
    prove: bool = False

    def __post_init__(self) -> None:
        if not 2 <= self.words <= MAX_FIXED:
            raise UserError(f"{self.words} words: fix 2 to {MAX_FIXED} of them")
        if self.prove and self.measure not in (None, By.TOTAL):
            raise UserError(
                f"--prove is about totals, and --by {self.measure} is not; leave one of them out"
            )
        if self.words > 2 and self.prove:
            raise UserError(f"--prove is for pairs, not for {self.words} words; leave one out")
        if self.words == 2 and self.by is By.SINGLES:
            raise UserError("--by singles is for 3 words or more; give --words, or --by parts")
        if self.by is By.TOTAL and self.top == 0:
            raise UserError("--top 0 asks for the totals of all pairs; say how many you want")

    @property
    def by(self) -> By:
        """What openings are compared by."""
        return self.measure or (By.TOTAL if self.prove else By.PARTS)

    @property
    def goal(self) -> Goal:
        """What there is to be most of, before totals are looked at."""
        return Goal.PARTS if self.by is By.TOTAL else Goal(self.by.value)


class Openings:
    """The best openings that were found: rows of plain values, best first.

    A row is a dictionary: first to sixth, parts, entropy_bits, singles, total, mean, lower, upper
    and status. Its keys are those of the command line's output. What is not known is None.
    """

    def __init__(
        self,
        _asked: Asked,
        _survey: Survey,
        _rows: list[dict[str, Any]],
        _is_proven: bool,
        _reason: Reason | None,
    ) -> None:
        self._asked = _asked
        self._survey = _survey
        self._rows = _rows
        self._is_proven = _is_proven
        self._reason = _reason

    @property
    def is_proven(self) -> bool:
        """Whether all openings that are not told are proven to be no better."""
        return self._is_proven

    @property
    def pair_count(self) -> int:
        """Pairs that were counted."""
        return self._survey.pair_count

    @property
    def histogram(self) -> list[int]:
        """How many pairs make 0, 1, 2, ... parts, or have so many tenths of bits."""
        return self._survey.histogram.tolist()

    @property
    def most(self) -> tuple[float, float] | None:
        """Between what the best opening lies, by parts, bits or answers alone; None if not known.

        The lower end was found. The upper end is the same where all pairs were counted; of longer
        openings it is what would tell all answers apart.
        """
        goal, survey = self._asked.goal.value, self._survey
        if not self._rows or not survey.is_complete:
            return None
        found = max(row[FIGURES[goal]] for row in self._rows)
        if self._asked.words > 2:
            answers = survey.game.answer_count
            return found, float(np.log2(answers)) if goal == "entropy" else answers
        if self._asked.by is By.ENTROPY:
            return found, found
        places = np.flatnonzero(survey.histogram)
        return int(places[-1]), int(places[-1])

    @property
    def ended(self) -> str | None:
        """Why the job ended early: ``time limit`` or ``stopped``; None if it did not."""
        return self._reason and self._reason.value

    @takes()
    def head(self, rows: int = SHOWN) -> list[dict[str, Any]]:
        """The first rows."""
        return self._rows[:rows]

    @takes()
    def to_csv(self, path: str | Path) -> None:
        """Write all rows as CSV, whole or not at all; JobError if that cannot be done."""
        write_csv(path, columns_of(self._rows, KEYS))

    def to_pandas(self) -> pd.DataFrame:
        """All rows as a table of pandas; UserError if that is not installed."""
        return as_pandas(columns_of(self._rows, KEYS))

    def __getitem__(self, place: int) -> dict[str, Any]:
        return self._rows[place]

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    def __repr__(self) -> str:
        return f"Openings(words={self._asked.words}, by={self._asked.by.value!r}, {len(self)} rows)"

    def __rich__(self) -> FittedTable:
        return pairs_table(self.head())

    def _repr_html_(self) -> str:
        return pairs_table(self.head()).as_html()


class OpeningsWork:
    """The job of finding openings.

    Args:
        session: the start of a game, on the CPU, which alone counts pairs.
        asked: which openings.
        first: the guess that all of them begin with; None for any.
        ending: what may end it early.
    """

    def __init__(self, session: Session, asked: Asked, first: int | None, ending: Ending) -> None:
        measure = Measure.ENTROPY if asked.by is By.ENTROPY else Measure.PARTS
        self.asked = asked
        self.pairs = PairsWork(session, measure, first, ending)

    def run(self, out: Path | None, heard: Heard, *, fresh: bool = False) -> None:
        """Do the job of pairs: go on from the file, count, solve, and save."""
        asked = self.asked
        is_solved = asked.by is By.TOTAL and asked.words == 2
        self.pairs.run(out, fresh, asked.top if is_solved else 0, asked.prove, heard)

    def found(self, heard: Heard) -> Openings:
        """The best pairs; or openings that extend them, found now."""
        asked, work = self.asked, self.pairs
        rows = self._pair_rows() if asked.words == 2 else self._longer_rows(heard)
        is_proven = asked.prove and work.survey.is_complete and work.totals.is_proven(asked.top)
        return Openings(asked, work.survey, rows, is_proven, work.ending.reason)

    def _pair_rows(self) -> list[dict[str, Any]]:
        """The best pairs."""
        totals, by = self.pairs.totals, self.asked.by
        order = np.arange(len(totals.pairs))
        if by is By.TOTAL:
            order = totals.order()
        elif by is By.PARTS:
            order = np.argsort(-totals.parts, kind="stable")
        chosen = order[: self.asked.top or None].tolist()
        return [describe_pair(totals, place) for place in chosen]

    def _longer_rows(self, heard: Callable[[Progress], None]) -> list[dict[str, Any]]:
        """The best longer openings that were found."""
        asked, work = self.asked, self.pairs
        openings = work.extended(asked.words, heard, asked.goal)[: asked.top or None]
        solved = work.solved(openings, heard) if asked.by is By.TOTAL else []
        known = [*solved, *[None] * (len(openings) - len(solved))]
        describe = partial(describe_opening, work.survey.game)
        rows = [describe(guesses, each) for guesses, each in zip(openings, known, strict=True)]
        if asked.by is By.TOTAL:
            rows.sort(key=lambda row: (row["total"] is None, row["total"] or row["lower"] or 0))
        return rows
