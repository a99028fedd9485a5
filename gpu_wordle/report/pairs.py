"""Fixed openings, mostly pairs: rows, table, sentence, and the sections of reports."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, TypedDict

import numpy as np

from gpu_wordle.errors import UserError, counted
from gpu_wordle.experiments.pairs.openings import least_total
from gpu_wordle.experiments.pairs.survey import BINS_PER_BIT, Measure, Survey, joint_sizes
from gpu_wordle.experiments.pairs.totals import Totals
from gpu_wordle.game.game import Game
from gpu_wordle.game.values import INFEASIBLE
from gpu_wordle.ranking.openers import Status
from gpu_wordle.ranking.solving import SolveReport
from gpu_wordle.report import keys
from gpu_wordle.report.content import MAX_ROWS, Figures, Picture, Section, Table
from gpu_wordle.report.keys import Key, schema
from gpu_wordle.report.plots import draw_pairs, draw_survey
from gpu_wordle.report.sections.source import Source
from gpu_wordle.report.table import Column, FittedTable, columns_of
from gpu_wordle.states.partition import entropy_of_counts
from gpu_wordle.store.contents import MalformedError, malformed
from gpu_wordle.store.kinds import read_pairs
from gpu_wordle.verify import VerificationError


@schema
class OpeningRow(TypedDict):
    """A fixed opening."""

    first: Annotated[str, Key("the first word")]
    second: Annotated[str, Key("the second")]
    third: Annotated[str | None, Key("the third word; null if there are fewer")]
    fourth: Annotated[str | None, Key("the fourth word; null if there are fewer")]
    fifth: Annotated[str | None, Key("the fifth word; null if there are fewer")]
    sixth: Annotated[str | None, Key("the sixth word; null if there are fewer")]
    parts: keys.Parts
    entropy_bits: keys.EntropyBits
    total: keys.Total
    mean: keys.Mean
    lower: keys.Lower
    upper: keys.Upper
    status: keys.Status
    singles: Annotated[int, Key("answers alone in their joint part")]


@schema
class OpeningFacts(TypedDict):
    """The facts about all counted pairs."""

    pair_count: Annotated[int, Key("number of counted pairs")]
    proven: Annotated[bool, Key("whether all other openings are proven to be no better")]
    most_lower: Annotated[
        float | None,
        Key("parts, bits or single answers of the best opening found with that many guesses"),
    ]
    most_upper: Annotated[float | None, Key("proven upper bound of that measure")]
    histogram: Annotated[
        list[int], Key("number of pairs with 0, 1, 2, ... parts, or tenths of bits")
    ]


PLACES = ("first", "second", "third", "fourth", "fifth", "sixth")
IMPORTANCE = (*PLACES, "parts", "total", "lower", "mean", "entropy_bits", "singles", "status")


def describe_pair(totals: Totals, place: int) -> dict[str, Any]:
    """The row of a pair, with its total or the bounds."""
    guesses = int(totals.pairs.first[place]), int(totals.pairs.second[place])
    lower, upper = int(totals.lower[place]), int(totals.upper[place])
    return _row(totals.game, guesses, lower, upper, Status(totals.status[place]))


def describe_opening(
    game: Game, guesses: Sequence[int], solved: SolveReport | None
) -> dict[str, Any]:
    """The row of a longer opening; without a solution it has only a bound."""
    lower = least_total(game, guesses, len(joint_sizes(game, guesses)))
    if solved is None:
        return _row(game, guesses, lower, INFEASIBLE, Status.BOUNDED)
    result = solved.result
    status = Status.EXACT if result.is_exact else Status.BOUNDED
    status = Status.INFEASIBLE if result.is_infeasible else status
    return _row(game, guesses, max(lower, result.lower), result.upper, status)


def _row(
    game: Game, guesses: Sequence[int], lower: int, upper: int, status: Status
) -> dict[str, Any]:
    sizes = joint_sizes(game, guesses)
    named: dict[str, Any] = dict.fromkeys(PLACES)
    total = upper if status is Status.EXACT else None
    return {
        **named,
        **dict(zip(PLACES, game.spell(guesses), strict=False)),
        "parts": len(sizes),
        "entropy_bits": entropy_of_counts(sizes),
        "total": total,
        "mean": None if total is None else total / game.answer_count,
        "lower": None if lower >= INFEASIBLE else lower,
        "upper": None if upper >= INFEASIBLE else upper,
        "status": status.name.lower(),
        "singles": int((sizes == 1).sum()),
    }


def pairs_table(rows: Sequence[dict[str, Any]]) -> FittedTable:
    """The table of the rows, without columns in which all values are unknown."""
    known = [each for each in columns_of(rows) if any(v is not None for v in each.values)]
    return FittedTable(known, IMPORTANCE)


def survey_sentence(survey: Survey) -> str:
    """The number of pairs and the range of their measure, as a sentence."""
    pairs = counted(survey.pair_count, "pair")
    places = np.flatnonzero(survey.histogram)
    if not len(places) and survey.is_complete and survey.game.rule.is_constrained:
        return f"{pairs}: whatever the first word, some feedback makes every other one illegal"
    if not len(places):
        return pairs
    middle = int(np.searchsorted(survey.histogram.cumsum(), (survey.pair_count + 1) // 2))
    least, most = int(places[0]), int(places[-1])
    if survey.measure is Measure.PARTS:
        return f"{pairs}, which make {least:,} to {most:,} parts, in the median {middle:,}"
    low, high, median = (place / BINS_PER_BIT for place in (least, most, middle))
    return f"{pairs}, of {low:.1f} to {high:.1f} bits, in the median {median:.1f}"


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
