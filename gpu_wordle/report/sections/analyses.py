"""Analysed games: regret and luck of each player, turn by turn."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from statistics import fmean
from typing import Any

import numpy as np

from gpu_wordle.experiments.coach import Label
from gpu_wordle.experiments.transcripts import Fault
from gpu_wordle.game.spelling import capitals
from gpu_wordle.report.analysed import comment_line
from gpu_wordle.report.content import Block, Figures, Picture, Section, Table
from gpu_wordle.report.figures import number_column
from gpu_wordle.report.history import History, histories
from gpu_wordle.report.plots import draw_regret, draw_spread
from gpu_wordle.report.sections.source import Source
from gpu_wordle.report.table import Column, columns_of
from gpu_wordle.store.kinds import read_analysis

Rows = Sequence[Mapping[str, Any]]

MAX_PLAYERS = 8
"""Most players whose regret is drawn: those with the most turns."""
NOBODY = "(not named)"

MAX_COMMENTED = 20
"""Most games whose comments stand in the text; a table has those of all."""

FIGURES = Figures(
    {
        "regret": "Regret of a turn on average, by its number and player",
        "luck": "Luck of a game, over all games",
    }
)


def analysis_sections(source: Source) -> list[Section]:
    """The sections on analysed games."""
    rows = read_analysis(source.contents)
    by_player: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for row in rows:
        by_player[row["player"] or NOBODY].append(row)
    facts = {
        **source.asked,
        "games": f"{len({row['game_number'] for row in rows}):,}",
        "turns": f"{len(rows):,}",
        "players": f"{len(by_player):,}",
    }
    said = (
        "Regret is what a guess costs beside the best one, in guesses on average. Luck is what the "
        "feedback gave beyond what was to be expected."
    )
    players = columns_of([_player(name, mine) for name, mine in by_player.items()])
    overview: list[Block] = [facts, said, _table("players", "Players", players)]
    most = sorted(by_player, key=lambda name: -len(by_player[name]))[:MAX_PLAYERS]
    regret = {name: _by_turn(by_player[name]) for name in most}
    if any(regret.values()):
        overview.append(regret_picture(regret))
    luck: dict[int, float] = defaultdict(float)
    for row in rows:
        if row["luck"] is not None:
            luck[row["game_number"]] += row["luck"]
    if luck:
        values = np.array(list(luck.values()))
        labels = ("luck of a game, guesses saved", "games")
        data = [Column("game_number", list(luck)), Column("luck", values.tolist(), 4)]
        overview.append(
            FIGURES.picture(
                "luck", lambda: draw_spread(values, labels, "How lucky the games were"), data
            )
        )
    turns = [c for c in columns_of(rows) if not c.name.endswith("_fraction")]
    told = histories(rows, source.game)
    sections = [
        Section("Overview", overview),
        *(_history_section(told["" if name == NOBODY else name]) for name in most),
        Section("All turns", [_table("turns", "Every turn", turns)]),
    ]
    if "coach" in rows[0]:  # files of earlier builds have no comments
        sections.insert(1, Section("Coach", list(_comments(rows))))
    return sections


def _comments(rows: Rows) -> Iterator[Block]:
    """The comments on the turns of the first games."""
    games: dict[int, list[Mapping[str, Any]]] = defaultdict(list)
    for row in rows:
        games[row["game_number"]].append(row)
    for number, turns in islice(games.items(), MAX_COMMENTED):
        player = turns[0]["player"]
        yield f"Game {number:,}{f', {player}' if player else ''}:"
        yield {
            f"{row['turn'] or '-'}. {capitals(row['guess'])}": comment_line(row) for row in turns
        }
    if len(games) > MAX_COMMENTED:
        yield "The comments on the other games stand in the table of all turns."


def _history_section(history: History) -> Section:
    """The section on the history of a player."""
    facts = {name: str(value) for name, value in history.facts().items()}
    tables = {"habits": history.habit_table(), "games": history.games_table()}
    blocks: list[Block] = [facts]
    blocks += [
        Table.of(f"{name}-{history.player}", table.title or "", table.columns)
        for name, table in tables.items()
        if table is not None
    ]
    return Section(f"History of {history.player or NOBODY}", blocks)


def _table(name: str, title: str, columns: Sequence[Column]) -> Table:
    return Table.of(name, title, [number_column(c.name, c.values) for c in columns])


def _player(name: str, rows: Rows) -> dict[str, Any]:
    """The facts about the turns of a player."""
    games = {row["game_number"] for row in rows}
    regret, luck = (
        [row[key] for row in rows if row[key] is not None] for key in ("regret", "luck")
    )
    return {
        "player": name,
        "games": len(games),
        "turns": len(rows),
        "mean_regret": fmean(regret) if regret else None,
        "mean_luck": sum(luck) / len(games) if luck else None,
        **{label: sum(row.get("label") == label for row in rows) for label in Label},
        **{fault: sum(row["fault"] == fault for row in rows) for fault in Fault},
    }


def _by_turn(rows: Rows) -> dict[int, float]:
    """The mean regret of each turn for which it is known."""
    found: dict[int, list[float]] = defaultdict(list)
    for row in rows:
        if None not in (row["turn"], row["regret"]):
            found[row["turn"]].append(row["regret"])
    return {turn: fmean(found[turn]) for turn in sorted(found)}


def regret_picture(by_player: Mapping[str, Mapping[int, float]]) -> Picture:
    """A picture of the mean regret of each player by turn."""
    data = [(name, turn, mean) for name, means in by_player.items() for turn, mean in means.items()]
    players, turns, means = zip(*data, strict=True)
    columns = [Column("player", players), Column("turn", turns), Column("mean_regret", means, 4)]
    return FIGURES.picture("regret", lambda: draw_regret(by_player), columns)
