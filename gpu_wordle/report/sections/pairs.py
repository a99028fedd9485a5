"""Pairs of guesses: how many parts all of them make, and the totals of the best."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gpu_wordle.errors import UserError
from gpu_wordle.experiments.pairs.survey import BINS_PER_BIT, Measure, Survey
from gpu_wordle.experiments.pairs.totals import Totals
from gpu_wordle.game.values import INFEASIBLE
from gpu_wordle.ranking.openers import Status
from gpu_wordle.report.content import MAX_ROWS, Block, Facts, Picture, Prose, Section, Table
from gpu_wordle.report.pairs import describe_pair, pairs_table, survey_sentence
from gpu_wordle.report.sections.source import Kind, Source
from gpu_wordle.report.table import Column
from gpu_wordle.store.contents import MalformedError, malformed
from gpu_wordle.store.form import PAIRS
from gpu_wordle.store.pair_files import contradiction, read_survey, read_totals

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FIGURES = {
    "survey": "All pairs by what they tell together",
    "pairs": "Totals of the best pairs, or bounds on them",
}


def pair_sections(source: Source) -> list[Section]:
    """What a report says of pairs."""
    try:
        survey = read_survey(source.contents, source.game)
        totals = read_totals(source.contents, survey)
    except MalformedError as error:
        raise malformed(source.path, str(error)) from None
    wrong = contradiction(survey, totals)
    if wrong is not None:
        raise UserError(f"{source.path}: cannot be true, {wrong}; choose another file")
    order = np.argsort(np.minimum(totals.lower, INFEASIBLE), kind="stable")
    exact = int((totals.status == Status.EXACT).sum())
    facts = {**source.asked, "kept": f"{len(order):,} pairs", "exact": f"{exact:,} of them"}
    rows = [describe_pair(totals, int(place)) for place in order[:MAX_ROWS]]
    shown = pairs_table(rows).columns
    table = Table.of("pairs", "The best pairs, by their totals or bounds", shown)
    whole = Table(table.name, table.title, table.columns, len(order))
    overview: list[Block] = [Facts(facts), Prose(f"{survey_sentence(survey)}."), _survey(survey)]
    return [
        Section("Overview", overview),
        Section("The best pairs", [_totals(totals, order), whole]),
    ]


def _survey(survey: Survey) -> Picture:
    """A histogram of all pairs."""
    places = np.flatnonzero(survey.histogram)
    counts = survey.histogram[places]
    is_parts = survey.measure is Measure.PARTS
    measured = places if is_parts else places / BINS_PER_BIT
    label = "parts that a pair makes" if is_parts else "entropy of a pair, bits"

    def draw() -> Figure:
        from gpu_wordle.report.files_plot import draw_survey

        return draw_survey(measured, counts, label)

    columns = [
        Column("parts" if is_parts else "entropy_bits", measured.tolist(), 0 if is_parts else 1),
        Column("pairs", counts.tolist()),
    ]
    return PAIR_FILES.picture("survey", draw, columns)


def _totals(totals: Totals, order: np.ndarray) -> Picture:
    """The totals of the best pairs by their ranks."""
    best = order[:MAX_ROWS]
    lower = totals.lower[best].astype(np.float64)
    upper = np.where(totals.upper[best] >= INFEASIBLE, np.inf, totals.upper[best])

    def draw() -> Figure:
        from gpu_wordle.report.files_plot import draw_pairs

        return draw_pairs(lower, upper)

    columns = [
        Column("rank", list(range(1, len(best) + 1))),
        Column("lower", lower.tolist()),
        Column("upper", [None if np.isinf(v) else v for v in upper.tolist()]),
    ]
    return PAIR_FILES.picture("pairs", draw, columns)


PAIR_FILES = Kind(PAIRS, FIGURES, pair_sections)
