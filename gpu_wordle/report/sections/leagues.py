"""Leagues: the score of each player, the regret of each turn, and all games."""

from __future__ import annotations

import numpy as np

from gpu_wordle.experiments.compare import NO_GUESS
from gpu_wordle.experiments.league import SCORED
from gpu_wordle.report.content import Figures, Section, Table
from gpu_wordle.report.league import (
    describe_league,
    draw_league,
    league_sentences,
    league_table,
)
from gpu_wordle.report.sections import analyses
from gpu_wordle.report.sections.analyses import regret_picture
from gpu_wordle.report.sections.source import Source
from gpu_wordle.report.table import Column
from gpu_wordle.store import read_league

FIGURES = Figures(
    {
        "league": "Mean regret of a game of each player, with its interval",
        "regret": analyses.FIGURES["regret"],
    }
)


def league_sections(source: Source) -> list[Section]:
    """The sections on a league."""
    league = read_league(source.path, source.contents, source.game)
    secrets, words = league.secrets, league.game.words
    facts = {**source.asked, "split": secrets.split, "seed": str(secrets.seed)}
    facts |= {"secrets": f"{len(secrets):,}", "scored": str(league)}
    said = [f"{line[0].upper()}{line[1:]}." for line in league_sentences(league)]
    said.append(
        "Regret is what a guess costs beside the best one, in guesses on average. A guess that "
        "takes no turn costs one, as does each turn that is left when a player gives up."
    )
    rows = describe_league(league)
    sections = [Section("Overview", [facts, *said])]
    if rows:
        table = league_table(rows).columns
        by_turn = {
            row["player"]: {t: m for t, m in enumerate(row["regret_by_turn"], 1) if m is not None}
            for row in rows[: analyses.MAX_PLAYERS]
        }
        pictures = [
            FIGURES.picture("league", lambda: draw_league(rows), table),
            regret_picture(by_turn),
        ]
        title = "All players, the least mean regret first"
        sections.append(Section("Players", [Table.of("players", title, table), *pictures]))
    places = np.argwhere(league.status == SCORED).tolist()
    if places:
        regret = league.regret_of_game
        games = [
            Column("player", [league.players[p] for p, _ in places]),
            Column("secret", [words.answers.words[secrets.answer[n]] for _, n in places]),
            Column("depth", [int(secrets.depth[n]) for _, n in places]),
            Column(
                "guesses",
                [
                    " ".join(words.guesses.words[g] for g in league.guesses[p, n] if g != NO_GUESS)
                    for p, n in places
                ],
            ),
            Column("regret", [float(regret[p, n]) for p, n in places], 3),
            Column("luck", [float(league.luck[p, n]) for p, n in places], 3),
            Column("illegal", [int(league.refused[p, n]) for p, n in places]),
        ]
        sections.append(Section("Games", [Table.of("games", "Every game", games)]))
    return sections
