"""Greedy rules that score the partition that a guess makes of the answers left."""

from __future__ import annotations

from gpu_wordle.states.partition import Criterion
from gpu_wordle.strategies.positions import Positions
from gpu_wordle.strategies.strategy import Choice, Greedy, Scores


def by_criterion(name: str, criterion: Criterion, choice: Choice) -> Greedy:
    """Make the greedy rule that minimises a statistic of the partition."""

    def scores(positions: Positions) -> Scores:
        return -positions.statistics().criterion(criterion)

    return Greedy(name, scores, choice, criterion)
