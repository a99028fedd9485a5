"""Compared strategies, and predictors of exact totals: rows, tables, lines and pictures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil
from typing import TYPE_CHECKING, Annotated, Any, TypedDict

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.experiments.compare import Compared
from gpu_wordle.experiments.predict import BEST_FEW, BEST_MANY, Prediction
from gpu_wordle.report import keys
from gpu_wordle.report.keys import Key, Number, schema
from gpu_wordle.report.pictures import COLOUR, MARK, OPEN, in_percent, open_corner, panel, sheet
from gpu_wordle.report.table import FittedTable, columns_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@schema
class ComparedRow(TypedDict):
    """Two strategies side by side."""

    strategy: keys.Strategy
    other: Annotated[str, Key("the strategy it is compared with")]
    same_games: Annotated[int, Key("games that both played the same", heading="same\ngames")]
    same_length: Annotated[int, Key("games of equal length in both", heading="same\nlength")]
    shorter: Annotated[int, Key("games in which the strategy took fewer guesses than the other")]
    longer: Annotated[int, Key("games in which it took more guesses")]


@schema
class ComparedFacts(TypedDict):
    """The facts about the games of all strategies."""

    pairs: Annotated[int, Key("pairs of first guess and answer that each strategy played")]
    all_same: Annotated[int, Key("games that all strategies played the same, guess by guess")]
    all_different: Annotated[int, Key("games that every strategy played differently")]
    agreements: Annotated[
        dict[str, Any],
        Key(
            "games by agreement: `=` joins strategies that played the same, `/` separates "
            "those that did not"
        ),
    ]
    means: Annotated[dict[str, Any], Key("mean guesses of a game, by strategy")]
    lines: Annotated[
        dict[str, Any] | None,
        Key("the guesses of the only game, by strategy; null if there are more"),
    ]


@schema
class PredictionRow(TypedDict):
    """A predictor of the exact totals of openers."""

    predictor: Annotated[str, Key("the statistic that ranks the openers")]
    ranked_openers: Annotated[
        int, Key("openers with known predictor and exact total", heading="openers")
    ]
    kendall: Annotated[
        float | None, Key("Kendall's tau-b with the exact order; 1 if equal", decimals=4)
    ]
    spearman: Annotated[
        float | None, Key("Spearman's rank correlation with the exact ranking", decimals=4)
    ]
    favourite: Annotated[str, Key("the opener ranked first")]
    regret_of_1: Annotated[
        Number, Key("exact total of the favourite minus the least", heading="regret")
    ]
    regret_of_10: Annotated[
        float, Key("mean regret of the first ten openers", decimals=1, heading="regret\nof 10")
    ]
    regret_of_100: Annotated[
        float, Key("mean regret of the first hundred", decimals=1, heading="regret\nof 100")
    ]


@schema
class PredictionFacts(TypedDict):
    """The facts about the exact totals."""

    exact_openers: keys.ExactOpeners
    best: keys.Best


def agreement(kind: Sequence[int], names: Sequence[str]) -> str:
    """Which strategies play the same game, as in ``entropy = parts / greens``."""
    groups: dict[int, list[str]] = {}
    for first, name in zip(kind, names, strict=True):
        groups.setdefault(first, []).append(name)
    return " / ".join(" = ".join(group) for group in groups.values())


def agreements(compared: Compared) -> dict[str, int]:
    """The number of games with each agreement, most frequent first."""
    found = sorted(compared.agreements.items(), key=lambda item: -item[1])
    return {agreement(kind, compared.strategies): count for kind, count in found}


def describe_compared(
    compared: Compared, lines: dict[str, list[str]] | None = None
) -> dict[str, Any]:
    """The facts about all games; ``lines`` are the guesses of a single game, by strategy."""
    means = (compared.total / compared.games).tolist() if compared.games else []
    return {
        "pairs": compared.games,
        "all_same": compared.all_same,
        "all_different": compared.all_different,
        "agreements": agreements(compared),
        "means": dict(zip(compared.strategies, means, strict=False)),
        "lines": lines,
    }


def compared_rows(compared: Compared) -> list[dict[str, Any]]:
    """A row for each pair of strategies."""
    names = compared.strategies
    return [
        {
            "strategy": names[i],
            "other": names[j],
            "same_games": compared.same(i, j),
            "same_length": int(compared.same_length[i, j]),
            "shorter": int(compared.shorter[i, j]),
            "longer": int(compared.shorter[j, i]),
        }
        for i in range(len(names))
        for j in range(i + 1, len(names))
    ]


def compared_table(compared: Compared) -> FittedTable:
    """The rows for people."""
    columns = columns_of(compared_rows(compared), ComparedRow)
    return FittedTable(columns)


def compared_lines(compared: Compared) -> list[str]:
    """Sentences about all games."""
    games = compared.games
    wide = len(f"{games:,}")
    lines = [
        f"{count:{wide},} {count / games:6.1%}  {kind}"
        for kind, count in agreements(compared).items()
    ]
    means = ", ".join(
        f"{name} {total / games:.3f}"
        for name, total in zip(compared.strategies, compared.total.tolist(), strict=True)
    )
    return [*lines, f"mean guesses: {means}"]


def prediction_rows(
    predictions: Sequence[Prediction], words: Sequence[str]
) -> list[dict[str, Any]]:
    """A row for each predictor, in their order."""
    return [
        {
            "predictor": each.predictor.name,
            "ranked_openers": each.openers,
            "kendall": each.kendall,
            "spearman": each.spearman,
            "favourite": words[each.favourite],
            "regret_of_1": each.regret,
            f"regret_of_{BEST_FEW}": each.regret_of_few,
            f"regret_of_{BEST_MANY}": each.regret_of_many,
        }
        for each in predictions
    ]


def prediction_table(predictions: Sequence[Prediction], words: Sequence[str]) -> FittedTable:
    """The rows for people."""
    first, second, *others = columns_of(prediction_rows(predictions, words), PredictionRow)
    importance = [each.name for each in (first, *others, second)]
    return FittedTable([first, second, *others], importance)


ACROSS = 4
"""Panels side by side."""
MAX_DOTS = 13_000
"""Most openers drawn as dots; of more, a random sample of this size is drawn."""


def draw_compared(compared: Compared) -> Figure:
    """A bar for each agreement between strategies, most frequent first."""
    return draw_agreements(agreements(compared), compared.games)


def draw_agreements(found: Mapping[str, int], games: int) -> Figure:
    """A bar for each agreement between strategies, as a share of all ``games``."""
    shares = np.array(list(found.values())) / games
    title = "Strategies that play the same game ( = ) or different ones ( / )"
    label = f"share of {games:,} pairs of start and target"
    figure, axes = panel(title, label, size=(8.5, 1.1 + 0.38 * len(found)))
    axes.bar_label(axes.barh(list(found), shares, color=COLOUR), fmt="{:.1%}", padding=3)
    axes.invert_yaxis()
    axes.set_xlim(0, shares.max() * 1.15)
    in_percent(axes.xaxis)
    return figure


def draw_correlations(
    names: Sequence[str], kendall: Sequence[float | None], spearman: Sequence[float | None]
) -> Figure:
    """Two bars for each predictor: how well it ranks the openers, by tau and by rho."""
    label = "rank correlation with the exact totals; 1: the same order"
    size = (7.5, 1.4 + 0.42 * len(names))
    figure, axes = panel("What predicts the exact total of an opener", label, size=size)
    bars = (("Kendall's τ", kendall, COLOUR, -0.2), ("Spearman's ρ", spearman, OPEN, 0.2))
    for name, values, colour, shift in bars:
        known = [value or 0.0 for value in values]
        axes.barh(np.arange(len(names)) + shift, known, 0.38, color=colour, label=name)
    axes.set_yticks(range(len(names)), [name.replace("_", " ") for name in names])
    axes.invert_yaxis()
    figure.legend(frameon=False, loc="outside right upper")
    return figure


def draw_predictions(
    predictions: Sequence[Prediction],
    exact_totals: NDArray[np.int64],
    is_known: NDArray[np.bool_],
    across: int = ACROSS,
) -> Figure:
    """A panel for each predictor: its value against the exact total, one dot per opener."""
    from matplotlib import rc_context

    rows = ceil(len(predictions) / across)
    known = np.flatnonzero(is_known)
    if len(known) > MAX_DOTS:
        known = np.random.default_rng(0).choice(known, MAX_DOTS, replace=False)
    with rc_context({"font.size": 9}):
        figure = sheet((2.7 * across, 2.6 * rows + 0.5))
        panels = figure.subplots(rows, across, sharey=True, squeeze=False).ravel()
        for axes, each in zip(panels, predictions, strict=False):
            values, best = each.predictor.values, each.favourite
            axes.scatter(
                values[known], exact_totals[known], s=1.5, color=COLOUR, alpha=0.25, linewidths=0
            )
            axes.plot(values[best], exact_totals[best], "o", color=MARK, ms=4)
            if not each.predictor.most_first:
                axes.invert_xaxis()
            tau = "-" if each.kendall is None else f"{each.kendall:.3f}"
            axes.set_title(f"{each.predictor.name.replace('_', ' ')}   τ {tau}", fontsize=9)
            axes.set_xlabel(each.predictor.units, fontsize=8)
        open_corner(*panels)
        for axes in panels[len(predictions) :]:
            axes.set_visible(False)
        for axes in panels[::across]:
            axes.set_ylabel("exact total, guesses")
        told = "What predicts the exact total of an opener; better to the right,"
        joined = " " if across == ACROSS else "\n"
        title = f"{told}{joined}the favourite of each marked"
        figure.suptitle(title, x=0.01, ha="left", fontsize=11)
    return figure
