"""The verb ``pairs``: the best fixed openings, of two guesses or more."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from typing import Annotated, Any

import numpy as np
from rich.console import RenderableType

from gpu_wordle.api import pools
from gpu_wordle.api.games import Game, played, position_of
from gpu_wordle.api.pairs import PairsWork
from gpu_wordle.api.session import Machine, open_session
from gpu_wordle.errors import UserError
from gpu_wordle.experiments.pairs.longer import Goal
from gpu_wordle.experiments.pairs.survey import Measure, Survey
from gpu_wordle.experiments.pairs.totals import Totals
from gpu_wordle.game.spelling import capitals
from gpu_wordle.options.declared import Option
from gpu_wordle.options.outcome import GOES_ON, Rows, run_job, verb
from gpu_wordle.options.reading import TRUTH, WORD, one_of, whole
from gpu_wordle.options.shared import (
    AIM,
    BackendName,
    Fresh,
    OnProgress,
    Out,
    Stop,
    Threads,
    TimeLimit,
    Top,
    Workers,
    check_out,
)
from gpu_wordle.options.telling import compile_first
from gpu_wordle.ranking.job import ProgressCallback, ignore_progress
from gpu_wordle.ranking.stop_token import StopToken
from gpu_wordle.report.pairs import (
    OpeningRow,
    describe_opening,
    describe_pair,
    pairs_table,
    survey_sentence,
)
from gpu_wordle.report.table import FittedTable, columns_of
from gpu_wordle.solver.ready import make_ready
from gpu_wordle.store.form import PAIRS

MAX_FIXED = 6
"""Most fixed guesses: a game of Wordle has no more."""

FIGURES = {"parts": "parts", "entropy": "entropy_bits", "singles": "singles"}
"""The figure of a row that each goal maximises."""


class By(StrEnum):
    """Criteria that compare openings."""

    PARTS = "parts"
    ENTROPY = "entropy"
    SINGLES = "singles"
    TOTAL = "total"


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Openings(Rows):
    """The best openings found: rows of plain values, best first.

    A row is a dictionary: first to sixth, parts, entropy_bits, singles, total, mean, lower, upper
    and status. Its keys are those of machine output. Unknown values are None.
    """

    _survey: Survey
    _words: int
    _by: By
    is_proven: bool
    """Whether all other openings are proven to be no better."""

    @property
    def pair_count(self) -> int:
        """Number of counted pairs."""
        return self._survey.pair_count

    @property
    def histogram(self) -> list[int]:
        """Number of pairs with 0, 1, 2, ... parts, or tenths of bits."""
        return self._survey.histogram.tolist()

    @property
    def most(self) -> tuple[float, float] | None:
        """Bounds of the best opening by parts, bits or single answers; None if unknown.

        The lower bound is that of an opening found. If all pairs were counted, the upper bound is
        equal. For longer openings it assumes that all answers are separated.
        """
        goal, survey = goal_of(self._by).value, self._survey
        if not self or not survey.is_complete:
            return None
        found = max(row[FIGURES[goal]] for row in self)
        if self._words > 2:
            answers = survey.game.answer_count
            return found, float(np.log2(answers)) if goal == "entropy" else answers
        if self._by is By.ENTROPY:
            return found, found
        places = np.flatnonzero(survey.histogram)
        return int(places[-1]), int(places[-1])

    def __repr__(self) -> str:
        return f"Openings(words={self._words}, by={self._by.value!r}, {len(self)} rows)"

    def _brief(self, width: int) -> list[FittedTable]:
        return [pairs_table(self.head())]


@verb
def pairs(
    game: Annotated[Game, played("objective", "weights")],
    *,
    words: Annotated[
        int,
        Option(
            "Number of fixed guesses. 3 to 6 are found by extending the best pairs guess by "
            "guess, then by replacing guesses.",
            whole(2, MAX_FIXED),
            AIM,
            f"2-{MAX_FIXED}",
        ),
    ] = 2,
    first: Annotated[
        str | None, Option("The first of them. Default: any.", WORD, AIM, "WORD")
    ] = None,
    by: Annotated[
        str | None,
        Option(
            "Criterion: most parts; most entropy; with 3 words or more, most answers alone in "
            "their part (singles); or the least total, found by search for the printed pairs.",
            one_of(By),
            AIM,
            "|".join(By),
            default="parts; with --prove total",
        ),
    ] = None,
    prove: Annotated[
        bool,
        Option(
            "Prove that the printed pairs have the least totals, by refuting all others.",
            TRUTH,
            AIM,
        ),
    ] = False,
    top: Top = 20,
    out: Out = None,
    fresh: Fresh = False,
    progress: OnProgress = None,
    time_limit: TimeLimit = None,
    stop: Stop = None,
    backend: BackendName = "auto",
    threads: Threads = None,
    executor: Workers = None,
) -> Openings:
    """Find the best two or more guesses to fix in advance, after counting all pairs.

    A total counts the fixed guesses for every answer that is not among them, then optimal play.
    Without --prove it is computed for the most promising pairs. With --out, pairs are saved during
    the work, and the same command resumes from the file.

    Raises UserError for options that contradict each other, and for the file of another job.

    Examples:
        $ gpu-wordle pairs --by entropy --top 10
        >>> gw.pairs(gw.load_game(), by="entropy", top=10).head(3)
    """
    best_by = By(by or (By.TOTAL if prove else By.PARTS))
    _check(words, best_by, top, prove=prove)
    path = check_out(out, PAIRS, fresh=fresh)
    asked = position_of(game)
    if best_by is By.TOTAL:
        compile_first(partial(make_ready, asked.game.rule), progress, stop)
    machine = Machine(
        "cpu" if backend == "auto" else backend, threads, pools=pools.of_executor(executor)
    )
    session, stop_token = open_session(asked, machine), StopToken.of_call(time_limit, stop)
    begin = None if first is None else asked.game.words.guesses.find(first)
    tell = progress or ignore_progress
    measure = Measure.ENTROPY if best_by is By.ENTROPY else Measure.PARTS
    work = PairsWork(session, measure, begin, stop_token)
    exact = top if best_by is By.TOTAL and words == 2 else 0
    unsaved = run_job(work.run, path, fresh, exact, prove, tell)
    survey, totals = work.table.survey, work.table.totals
    if words == 2:
        rows = _pair_rows(totals, best_by, top)
    else:
        rows = _longer_rows(work, words, best_by, top, tell)
    is_proven = prove and survey.is_complete and totals.is_proven(top)
    found = Openings(
        columns=columns_of(rows, OpeningRow),
        asked=asked,
        reason=stop_token.reason,
        kept="not saved" if path is None else GOES_ON,
        unsaved=unsaved,
        _survey=survey,
        _words=words,
        _by=best_by,
        is_proven=is_proven,
    )
    most = found.most

    def lines(width: int) -> Iterator[RenderableType]:
        yield survey_sentence(survey)
        if rows:
            yield pairs_table(rows)
        if most is not None:
            yield _most_sentence(words, goal_of(best_by), most)
        if prove:
            yield _verdict(survey, totals, is_proven=is_proven)

    facts = {
        "pair_count": survey.pair_count,
        "proven": is_proven,
        "most_lower": None if most is None else float(most[0]),
        "most_upper": None if most is None else float(most[1]),
        "histogram": found.histogram,
    }
    return replace(found, lines=lines, facts=facts)


def goal_of(by: By) -> Goal:
    """Return the measure that openings are ranked by before totals are known."""
    return Goal.PARTS if by is By.TOTAL else Goal(by.value)


def _check(words: int, by: By, top: int, *, prove: bool) -> None:
    """Raise UserError for options that contradict each other."""
    if prove and by is not By.TOTAL:
        raise UserError(f"--prove is about totals, and --by {by} is not; leave one of them out")
    if words > 2 and prove:
        raise UserError(f"--prove is for pairs, not for {words} words; leave one out")
    if words == 2 and by is By.SINGLES:
        raise UserError("--by singles is for 3 words or more; give --words, or --by parts")
    if by is By.TOTAL and top == 0:
        raise UserError("--top 0 asks for the totals of all pairs; say how many you want")


def _pair_rows(totals: Totals, by: By, top: int) -> list[dict[str, Any]]:
    """Return the rows of the best pairs."""
    order = np.arange(len(totals.pairs))
    if by is By.TOTAL:
        order = totals.order()
    elif by is By.PARTS:
        order = np.argsort(-totals.parts, kind="stable")
    return [describe_pair(totals, place) for place in order[: top or None].tolist()]


def _longer_rows(
    work: PairsWork, words: int, by: By, top: int, tell: ProgressCallback
) -> list[dict[str, Any]]:
    """Return the rows of the best longer openings that were found."""
    openings = work.extended(words, tell, goal_of(by))[: top or None]
    solved = work.solved(openings, tell) if by is By.TOTAL else []
    known = [*solved, *[None] * (len(openings) - len(solved))]
    describe = partial(describe_opening, work.table.survey.game)
    rows = [describe(guesses, each) for guesses, each in zip(openings, known, strict=True)]
    if by is By.TOTAL:
        rows.sort(key=lambda row: (row["total"] is None, row["total"] or row["lower"] or 0))
    return rows


def _most_sentence(words: int, goal: Goal, most: tuple[float, float]) -> str:
    """Return bounds on the best opening of ``words`` guesses, as a sentence."""
    names = {"parts": "parts", "singles": "answers alone in their part", "entropy": "bits"}
    lower, upper = (f"{round(bound, 3):,}" for bound in most)
    told = f"the most that {words} words make is {lower} {names[goal.value]}"
    return told if lower == upper else f"{told} at least, and {upper} at most"


def _verdict(survey: Survey, totals: Totals, *, is_proven: bool) -> str:
    """Return whether the proof is complete, and how much is open, as a sentence."""
    best = totals.best
    if not is_proven:
        return "the proof is not complete: other pairs may be better"
    if not len(totals.pairs):
        return "proven: no pair is legal whatever the first guess shows"
    if best is None:
        return "proven: no pair is a guaranteed win"
    ties = int((totals.upper == best[2]).sum())
    alone = "alone" if ties == 1 else f"with {ties - 1} more"
    first, second = (capitals(word) for word in survey.game.spell(best[:2]))
    whose = "all pairs" if survey.first is None else "the pairs that begin so"
    return f"proven: {first} {second} {alone} has the least total of {whose}, {best[2]:,}"
