"""Rows, table and sentences of fixed openings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, TypedDict

import numpy as np

from gpu_wordle.errors import counted
from gpu_wordle.experiments.pairs.openings import least_total
from gpu_wordle.experiments.pairs.survey import BINS_PER_BIT, Measure, Survey, joint_sizes
from gpu_wordle.experiments.pairs.totals import Totals
from gpu_wordle.game.game import Game
from gpu_wordle.game.values import INFEASIBLE
from gpu_wordle.ranking.openers import Status
from gpu_wordle.ranking.solving import SolveReport
from gpu_wordle.report import keys
from gpu_wordle.report.keys import Key, schema
from gpu_wordle.report.table import FittedTable, columns_of
from gpu_wordle.states.partition import entropy_of_counts


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
