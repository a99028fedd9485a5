"""Rows and table of solved guesses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Any

from gpu_wordle.errors import counted
from gpu_wordle.game.game import Position
from gpu_wordle.game.values import INFEASIBLE
from gpu_wordle.ranking.openers import Status
from gpu_wordle.ranking.solving import SolveReport
from gpu_wordle.report import keys
from gpu_wordle.report.figures import Figures, figure_columns, number_column
from gpu_wordle.report.keys import Key, schema
from gpu_wordle.report.table import FittedTable, columns_of


@schema
class SolvedRow(keys.Valued, total=False):
    """A solved guess, or fixed guesses."""

    fixed: Annotated[list[str], Key("fixed guesses, in order")]
    exact: keys.Exact
    infeasible: keys.Infeasible


_IMPORTANCE = ("worst", "solvable", "distribution", "expanded", "seconds", "height")


def describe(solved: SolveReport) -> dict[str, Any]:
    """The row of one result; None for unknown figures."""
    position, result, verdict = solved.position, solved.result, solved.verdict
    words = position.game.words.guesses.words
    work = [result.stats] if solved.lossy is None else [result.stats, solved.lossy.stats]
    guess = solved.guess if result.tree is None else int(result.tree.guess[0])
    best = solved.lossy_verdict if solved.lossy is not None else verdict
    status = Status.EXACT if result.is_exact else Status.BOUNDED
    figures = Figures.of(position.game, position)
    named: dict[str, Any] = dict.fromkeys(figures.names)
    value = result.upper if result.is_exact and not result.is_infeasible else None
    if value is not None:
        named |= figures.named(value, None if verdict is None else verdict.weight_distribution)
    worst = named.pop("worst", None)
    return {
        "opener": None if guess is None else words[guess],
        "status": (Status.INFEASIBLE if result.is_infeasible else status).name.lower(),
        "exact": result.is_exact,
        "infeasible": result.is_infeasible,
        **named,
        "worst": verdict.worst if verdict else worst,
        "solvable": best and figures.scaled(int(best.weight_distribution.sum())),
        "distribution": verdict and verdict.distribution.tolist(),
        "value": value,
        "lower": None if result.lower >= INFEASIBLE else result.lower,
        "upper": None if result.upper >= INFEASIBLE else result.upper,
        "height": result.tree and result.tree.height,
        "expanded": sum(stats.expanded for stats in work),
        "seconds": round(sum(stats.seconds for stats in work), 6),
    }


def solved_table(position: Position, described: Sequence[dict[str, Any]]) -> FittedTable:
    """The table of results."""
    figures = Figures.of(position.game, position)

    column = {each.name: each for each in columns_of(described, SolvedRow)}
    columns = [
        replace(column["opener"], heading="guess"),
        *figure_columns(figures, [figures.cells(row) for row in described]),
    ]
    if "worst" not in figures.names:
        columns.append(column["worst"])
    if any(row["infeasible"] for row in described):
        columns.append(number_column("solvable", column["solvable"].values))
    columns += [column[name] for name in ("distribution", "height", "expanded", "seconds")]
    importance = ("opener", *figures.names, *_IMPORTANCE)
    return FittedTable(columns, importance, title_of(position))


def title_of(position: Position) -> str:
    """The title of a table: the number of answers and the objective."""
    title = f"{counted(len(position.state), 'answer')} possible"
    objective = position.game.objective
    return title if objective.is_default else f"{title}, {objective.title}"
