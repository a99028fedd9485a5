"""Pairs of guesses: the distribution of their parts, and the totals of the best."""

from __future__ import annotations

import numpy as np

from gpu_wordle.errors import UserError
from gpu_wordle.experiments.pairs.survey import BINS_PER_BIT, Measure, Survey
from gpu_wordle.experiments.pairs.totals import Totals
from gpu_wordle.game.values import INFEASIBLE
from gpu_wordle.ranking.openers import Status
from gpu_wordle.report.content import MAX_ROWS, Figures, Picture, Section, Table
from gpu_wordle.report.pairs import describe_pair, pairs_table, survey_sentence
from gpu_wordle.report.plots import draw_pairs, draw_survey
from gpu_wordle.report.sections.source import Source
from gpu_wordle.report.table import Column
from gpu_wordle.store.contents import MalformedError, malformed
from gpu_wordle.store.kinds import read_pairs
from gpu_wordle.verify import VerificationError

FIGURES = Figures(
    {
        "survey": "All pairs by what they tell together",
        "pairs": "Totals of the best pairs, or bounds on them",
    }
)


def pair_sections(source: Source) -> list[Section]:
    """The sections on pairs."""
    try:
        known = read_pairs(source.contents, source.game)
    except MalformedError as error:
        raise malformed(source.path, str(error)) from None
    except VerificationError as error:
        raise UserError(f"{source.path}: cannot be true, {error}; choose another file") from None
    survey, totals = known.survey, known.totals
    order = np.argsort(np.minimum(totals.lower, INFEASIBLE), kind="stable")
    exact = int((totals.status == Status.EXACT).sum())
    facts = {**source.asked, "kept": f"{len(order):,} pairs", "exact": f"{exact:,} of them"}
    rows = [describe_pair(totals, int(place)) for place in order[:MAX_ROWS]]
    shown, title = pairs_table(rows).columns, "The best pairs, by their totals or bounds"
    said = f"{survey_sentence(survey)}."
    table = Table.of("pairs", title, shown, len(order))
    return [
        Section("Overview", [facts, said, _survey(survey)]),
        Section("The best pairs", [_totals(totals, order[:MAX_ROWS]), table]),
    ]


def _survey(survey: Survey) -> Picture:
    """A histogram of the measure of all pairs."""
    places = np.flatnonzero(survey.histogram)
    counts = survey.histogram[places]
    if survey.measure is Measure.PARTS:
        column, label = Column("parts", places.tolist()), "groups that a pair makes"
    else:
        bits = (places / BINS_PER_BIT).tolist()
        column, label = Column("entropy_bits", bits, 1), "entropy of a pair, bits"
    return survey_picture(column, Column("pairs", counts.tolist()), label)


def survey_picture(measured: Column, pairs: Column, label: str) -> Picture:
    """A picture of the number of pairs by the measure that ``label`` names."""
    found = np.array(measured.values), np.array(pairs.values)
    return FIGURES.picture("survey", lambda: draw_survey(*found, label), [measured, pairs])


def _totals(totals: Totals, best: np.ndarray) -> Picture:
    """A picture of the totals of the best pairs by rank."""
    lower = totals.lower[best].astype(np.float64)
    upper = np.where(totals.upper[best] >= INFEASIBLE, np.inf, totals.upper[best])
    columns = [
        Column("rank", list(range(1, len(best) + 1))),
        Column("lower", lower.tolist()),
        Column("upper", [None if np.isinf(v) else v for v in upper.tolist()]),
    ]
    return FIGURES.picture("pairs", lambda: draw_pairs(lower, upper), columns)
