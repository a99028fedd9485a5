"""Learning curves as columns, as a table for people, and as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from gpu_wordle.report.table import Column, FittedTable
from gpu_wordle.strategies.q_learning import CurvePoint

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def curve_columns(curve: Sequence[CurvePoint]) -> list[Column]:
    """A row for each point; see keys.py for what the columns are."""
    return [
        Column("episodes", [point.episodes for point in curve]),
        Column("won_learning", [point.won_learning for point in curve], 4),
        Column("found_in_time", [point.found for point in curve]),
        Column("states_visited", [point.visited for point in curve]),
        Column("pairs_tried", [point.tried for point in curve]),
    ]


def curve_table(columns: Sequence[Column], answers: int) -> FittedTable:
    """The columns for people; ``answers`` is how many the game has."""
    title = f"answers found in time, of {answers:,}"
    return FittedTable(columns, [column.name for column in columns], title=title)


def draw_curve(curve: Sequence[CurvePoint], answers: int) -> Figure:
    """The shares of games won."""
    from matplotlib.figure import Figure
    from matplotlib.ticker import PercentFormatter, StrMethodFormatter

    episodes = [point.episodes for point in curve]
    figure = Figure(figsize=(7, 4), layout="constrained")
    axes = figure.subplots()
    played = [point.found / answers for point in curve]
    learning = [point.won_learning for point in curve]
    axes.plot(episodes, played, color="#3a6ea5", marker=".", label="by the best guesses")
    axes.plot(episodes, learning, color="#c9873d", marker=".", label="while learning")
    axes.set_xlabel("games learned from")
    axes.set_ylabel("games won in time")
    axes.set_title(f"Q-learning over the last turn, {answers:,} answers", loc="left")
    axes.set_ylim(bottom=0)
    axes.xaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
    axes.yaxis.set_major_formatter(PercentFormatter(1.0))
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False)
    return figure
