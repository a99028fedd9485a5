"""Pictures of analysed games: where players lose guesses."""

from __future__ import annotations

from collections.abc import Mapping

from matplotlib import rc_context
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from gpu_wordle.report.ranking_plot import LOOK, SERIES, SIZE


def draw_regret(by_player: Mapping[str, Mapping[int, float]]) -> Figure:
    """Mean regret of the turns of each player, by their numbers."""
    with rc_context(LOOK):
        figure = Figure(figsize=SIZE, layout="constrained")
        axes = figure.subplots()
        for i, (name, means) in enumerate(by_player.items()):
            colour = SERIES[i % len(SERIES)]
            axes.plot(list(means), list(means.values()), "o-", ms=4, color=colour, label=name)
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.set_ylim(bottom=0)
        axes.set_xlabel("turn")
        axes.set_ylabel("regret of a turn on average, guesses")
        axes.set_title("Where guesses are lost", loc="left")
        axes.legend(frameon=False)
    return figure
