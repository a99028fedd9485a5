"""Rows and tables of compared strategies, and of predictors of the exact value."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, TypedDict

from gpu_wordle.experiments.compare import Compared
from gpu_wordle.experiments.predict import BEST_FEW, BEST_MANY, Prediction
from gpu_wordle.report import keys
from gpu_wordle.report.keys import Key, Number, schema
from gpu_wordle.report.table import FittedTable, columns_of


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
