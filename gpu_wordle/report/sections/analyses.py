"""Analysed games: regret and luck of each player, turn by turn."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from gpu_wordle.report.content import Block, Facts, Picture, Prose, Section, Table
from gpu_wordle.report.sections.source import Kind, Source
from gpu_wordle.report.table import Column, columns_of
from gpu_wordle.store.analysis_files import read_analysis
from gpu_wordle.store.form import ANALYSIS

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Rows = Sequence[Mapping[str, Any]]

MAX_PLAYERS = 8
"""Players whose regret is drawn: those who made the most turns."""
NOBODY = "(not named)"
DECIMALS = dict.fromkeys(
    ("value_before", "value_guess", "value_after", "regret", "luck", "mean_regret", "mean_luck"), 4
)

FIGURES = {
    "regret": "Regret of a turn on average, by its number and player",
    "luck": "Luck of a game, over all games",
}


def analysis_sections(source: Source) -> list[Section]:
    """What a report says of the turns of games."""
    rows = read_analysis(source.contents)
    by_player: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for row in rows:
        by_player[row["player"] or NOBODY].append(row)
    games = len({row["game_number"] for row in rows})
    facts = {
        **source.asked,
        "games": f"{games:,}",
        "turns": f"{len(rows):,}",
        "players": f"{len(by_player):,}",
    }
    said = Prose(
        "Regret is what a guess costs beside the best one, in guesses on average. Luck is what the "
        "feedback gave beyond what was to be expected."
    )
    players = columns_of([_player(name, mine) for name, mine in by_player.items()])
    overview: list[Block] = [Facts(facts), said, Table.of("players", "Players", _rounded(players))]
    if any(row["regret"] is not None for row in rows):
        overview.append(_regret(by_player))
    if any(row["luck"] is not None for row in rows):
        overview.append(_luck(rows))
    turns = [c for c in columns_of(rows) if not c.name.endswith("_fraction")]
    return [
        Section("Overview", overview),
        Section("All turns", [Table.of("turns", "Every turn", _rounded(turns))]),
    ]


def _rounded(columns: Sequence[Column]) -> list[Column]:
    return [Column(c.name, c.values, DECIMALS.get(c.name, 0)) for c in columns]


def _player(name: str, rows: Rows) -> dict[str, Any]:
    """What the turns of a player come to."""
    games = {row["game_number"] for row in rows}
    luck = [row["luck"] for row in rows if row["luck"] is not None]
    return {
        "player": name,
        "games": len(games),
        "turns": len(rows),
        "mean_regret": _mean([row["regret"] for row in rows]),
        "mean_luck": sum(luck) / len(games) if luck else None,
        **{
            fault: sum(row["fault"] == fault for row in rows)
            for fault in ("unknown", "illegal", "contradictory")
        },
    }


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None


def _regret(by_player: Mapping[str, Rows]) -> Picture:
    """Mean regret by turn of those who played most."""
    most = sorted(by_player, key=lambda name: -len(by_player[name]))[:MAX_PLAYERS]
    turns: dict[str, dict[int, float]] = {}
    for name in most:
        numbers = sorted({row["turn"] for row in by_player[name] if row["turn"] is not None})
        means = {
            n: _mean([r["regret"] for r in by_player[name] if r["turn"] == n]) for n in numbers
        }
        turns[name] = {turn: mean for turn, mean in means.items() if mean is not None}

    def draw() -> Figure:
        from gpu_wordle.report.files_plot import draw_regret

        return draw_regret(turns)

    data = [(name, turn, mean) for name, means in turns.items() for turn, mean in means.items()]
    named = zip(("player", "turn", "mean_regret"), zip(*data, strict=True), strict=True)
    return ANALYSES.picture("regret", draw, [Column(key, list(values), 4) for key, values in named])


def _luck(rows: Rows) -> Picture:
    """The luck of each game."""
    luck: dict[int, float] = defaultdict(float)
    for row in rows:
        if row["luck"] is not None:
            luck[row["game_number"]] += row["luck"]

    def draw() -> Figure:
        from gpu_wordle.report.files_plot import draw_spread

        labels = ("luck of a game, guesses saved", "games")
        return draw_spread(np.array(list(luck.values())), labels, "How lucky the games were")

    columns = [Column("game_number", list(luck)), Column("luck", list(luck.values()), 4)]
    return ANALYSES.picture("luck", draw, columns)


ANALYSES = Kind(ANALYSIS, FIGURES, analysis_sections)
