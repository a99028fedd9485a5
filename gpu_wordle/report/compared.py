"""Strategies side by side, and predictors of the exact value: plain values and tables."""

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
    other: Annotated[str, Key("the strategy that it is compared with")]
    same_games: Annotated[int, Key("games that both played alike", heading="same\ngames")]
    same_length: Annotated[int, Key("games that took both as many guesses", heading="same\nlength")]
    shorter: Annotated[int, Key("games that took the strategy fewer guesses than the other")]
    longer: Annotated[int, Key("games that took it more guesses")]


@schema
class ComparedFacts(TypedDict):
    """What all strategies played."""

    pairs: Annotated[int, Key("pairs of first guess and answer that each strategy played")]
    all_same: Annotated[int, Key("games that all strategies played alike, guess by guess")]
    all_different: Annotated[int, Key("games that no two strategies played alike")]
    agreements: Annotated[
        dict[str, Any],
        Key(
            "games by who played the same: `=` joins strategies that did, `/` parts those "
            "that did not"
        ),
    ]
    means: Annotated[dict[str, Any], Key("guesses of a game on average, by strategy")]
    lines: Annotated[
        dict[str, Any] | None,
        Key("the guesses of the only game, by strategy; null if there are more"),
    ]


@schema
class PredictionRow(TypedDict):
    """What openers are ranked by, beside their exact totals."""

    predictor: Annotated[str, Key("what openers are ranked by")]
    ranked_openers: Annotated[
        int, Key("openers of which both this and the exact total are known", heading="openers")
    ]
    kendall: Annotated[
        float | None, Key("tau-b of that ranking and the exact one; 1 where they agree", decimals=4)
    ]
    spearman: Annotated[float | None, Key("the same of the ranks", decimals=4)]
    favourite: Annotated[str, Key("the opener that is ranked first")]
    regret_of_1: Annotated[Number, Key("its exact total less the least one", heading="regret")]
    regret_of_10: Annotated[
        float, Key("the same on average over the first ten", decimals=1, heading="regret\nof 10")
    ]
    regret_of_100: Annotated[
        float, Key("the same over the first hundred", decimals=1, heading="regret\nof 100")
    ]


@schema
class PredictionFacts(TypedDict):
    """The exact totals."""

    exact_openers: keys.ExactOpeners
    best: keys.Best


def agreement(kind: Sequence[int], names: Sequence[str]) -> str:
    """Who plays the same game, as in ``entropy = parts / greens``."""
    groups: dict[int, list[str]] = {}
    for first, name in zip(kind, names, strict=True):
        groups.setdefault(first, []).append(name)
    return " / ".join(" = ".join(group) for group in groups.values())


def agreements(compared: Compared) -> dict[str, int]:
    """How many games fell out how, the most frequent first."""
    found = sorted(compared.agreements.items(), key=lambda item: -item[1])
    return {agreement(kind, compared.strategies): count for kind, count in found}


def describe_compared(
    compared: Compared, lines: dict[str, list[str]] | None = None
) -> dict[str, Any]:
    """What is said of all games; ``lines`` are the guesses of a single one, by strategy."""
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
    """A row for each two strategies."""
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
    """What is said of all games, for people."""
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
