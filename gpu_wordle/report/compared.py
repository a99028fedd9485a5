"""Strategies side by side, and predictors of the exact value: plain values and tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gpu_wordle.experiments.compare import Compared
from gpu_wordle.experiments.predict import BEST_FEW, BEST_MANY, Prediction
from gpu_wordle.report.table import Column, FittedTable

PAIR_KEYS = ("strategy", "other", "same_games", "same_length", "shorter", "longer")
PREDICTION_KEYS = (
    *("predictor", "ranked_openers", "kendall", "spearman", "favourite", "regret_of_1"),
    *(f"regret_of_{BEST_FEW}", f"regret_of_{BEST_MANY}"),
)
_DECIMALS = dict.fromkeys(("kendall", "spearman"), 4) | dict.fromkeys(PREDICTION_KEYS[-2:], 1)
_HEADINGS = {
    "ranked_openers": "openers",
    "regret_of_1": "regret",
    "same_games": "same\ngames",
    "same_length": "same\nlength",
    f"regret_of_{BEST_FEW}": f"regret\nof {BEST_FEW}",
    f"regret_of_{BEST_MANY}": f"regret\nof {BEST_MANY}",
}


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
    return _table(compared_rows(compared), PAIR_KEYS)


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
    importance = (*PREDICTION_KEYS[:1], *PREDICTION_KEYS[2:], "ranked_openers")
    return _table(prediction_rows(predictions, words), PREDICTION_KEYS, importance)


def _table(
    rows: Sequence[dict[str, Any]], keys: Sequence[str], importance: Sequence[str] = ()
) -> FittedTable:
    columns = [
        Column(key, [row[key] for row in rows], _DECIMALS.get(key, 0), _HEADINGS.get(key))
        for key in keys
    ]
    return FittedTable(columns, importance or keys)
