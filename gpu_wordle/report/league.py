"""Leagues: rows, table, picture, and the sections of reports."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any, TypedDict

import numpy as np

from gpu_wordle.errors import counted
from gpu_wordle.experiments.compare import NO_GUESS
from gpu_wordle.experiments.league import CONFIDENCE, SCORED, League
from gpu_wordle.report import keys
from gpu_wordle.report.content import Figures, Section, Table
from gpu_wordle.report.figures import short_means
from gpu_wordle.report.keys import Key, schema
from gpu_wordle.report.pictures import COLOUR, MARK, panel
from gpu_wordle.report.sections import analyses
from gpu_wordle.report.sections.analyses import regret_picture
from gpu_wordle.report.sections.source import Source
from gpu_wordle.report.table import Column, FittedTable, columns_of
from gpu_wordle.store import read_league

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@schema
class LeagueRow(TypedDict):
    """The score of a player."""

    player: keys.Player
    games: keys.Games
    mean_regret: keys.MeanRegret
    mean_regret_error: Annotated[
        float | None, Key("standard error of `mean_regret`", decimals=4, heading="standard\nerror")
    ]
    mean_regret_lower: Annotated[
        float | None,
        Key(f"lower end of its interval of {CONFIDENCE:.0%}", decimals=4, heading="at\nleast"),
    ]
    mean_regret_upper: Annotated[
        float | None, Key("upper end of that interval", decimals=4, heading="at\nmost")
    ]
    mean: keys.Mean
    luckless_mean: Annotated[
        float,
        Key(
            "mean number of guesses without luck: value of the start plus `mean_regret`",
            decimals=4,
            heading="mean\nwithout luck",
        ),
    ]
    variance_ratio: Annotated[
        float | None,
        Key(
            "variance of the lengths of games by that of their regrets: so many times the games "
            "would tell as much by their lengths; null if all regrets are equal",
            decimals=1,
            heading="variance\nratio",
        ),
    ]
    lost: keys.Lost
    illegal: keys.Illegal
    contradictions: Annotated[int, Key("guesses that disagree with the feedback before them")]
    mean_luck: keys.MeanLuck
    regret_by_turn: keys.RegretByTurn


@schema
class LeagueFacts(TypedDict):
    """The secrets of a league."""

    split: keys.Split
    seed: keys.Seed
    start_value: keys.StartValue
    secrets: Annotated[list[str], Key("the secrets, in the order in which they are played")]


IMPORTANCE = (
    *("player", "mean_regret", "mean_regret_lower", "mean_regret_upper", "mean", "lost", "illegal"),
    *("contradictions", "luckless_mean", "games", "variance_ratio", "mean_regret_error"),
    *("mean_luck", "regret_by_turn"),
)


def describe_league(league: League) -> list[dict[str, Any]]:
    """The row of each player of which all games are scored, the least mean regret first."""
    rows = [_describe(league, player) for player in league.whole]
    return sorted(rows, key=lambda row: (row["mean_regret"], row["player"]))


def _describe(league: League, player: int) -> dict[str, Any]:
    """The row of a player. A lost game counts one turn more than it may have."""
    secrets, is_won = league.secrets, league.is_won[player]
    regrets, most = league.regret_of_game[player], league.regret.shape[2]
    lengths = np.where(is_won, league.length[player], most + 1).astype(np.float64)
    mean, error = secrets.estimate(regrets)
    reach = None if error is None else secrets.margin * error
    turns = league.regret[player][:, : max(1, int(league.length[player].max()))].T
    known = [turn[~np.isnan(turn)] for turn in turns]
    return {
        "player": league.players[player],
        "games": len(secrets),
        "mean_regret": mean,
        "mean_regret_error": error,
        "mean_regret_lower": None if reach is None else max(0.0, mean - reach),
        "mean_regret_upper": None if reach is None else mean + reach,
        "mean": secrets.estimate(lengths)[0],
        "luckless_mean": secrets.exact_total / league.game.answer_count + mean,
        "variance_ratio": float(lengths.var() / regrets.var()) if regrets.var() > 0 else None,
        "lost": int((~is_won).sum()),
        "illegal": int(league.refused[player].sum()),
        "contradictions": int(league.contradictions[player].sum()),
        "mean_luck": secrets.estimate(league.luck[player])[0],
        "regret_by_turn": [float(turn.mean()) if len(turn) else None for turn in known],
    }


def league_facts(league: League) -> dict[str, Any]:
    """What all players have in common."""
    secrets, words = league.secrets, league.game.words.answers.words
    return {
        "split": secrets.split,
        "seed": secrets.seed,
        "start_value": secrets.exact_total / league.game.answer_count,
        "secrets": [words[answer] for answer in secrets.answer.tolist()],
    }


def league_table(rows: Sequence[dict[str, Any]]) -> FittedTable:
    """The table of the rows."""
    shown = [{**row, "regret_by_turn": short_means(row["regret_by_turn"])} for row in rows]
    return FittedTable(columns_of(shown, LeagueRow), IMPORTANCE)


def league_sentences(league: League) -> list[str]:
    """How the secrets are drawn, and which players have not played all of them."""
    secrets = league.secrets
    whole = counted(int(secrets.population.sum()), "answer")
    lines = [
        f"{counted(len(secrets), 'secret')} of {whole} of the split {secrets.split}, by seed "
        f"{secrets.seed}; best play takes {league_facts(league)['start_value']:.4f} guesses"
    ]
    for player in sorted(set(range(len(league.players))) - set(league.whole)):
        played = int((league.status[player] > 0).sum())
        lines.append(
            f"{league.players[player]} has played {played:,} of {counted(len(secrets), 'game')}"
        )
    return lines


def draw_league(rows: Sequence[dict[str, Any]]) -> Figure:
    """The mean regret of each player with its interval, the least first."""
    label = f"regret of a game on average, guesses, and its interval of {CONFIDENCE:.0%}"
    figure, axes = panel("The league", label, size=(7.5, 1.2 + 0.32 * len(rows)))
    places = range(len(rows))
    for place, row in enumerate(rows):
        if row["mean_regret_lower"] is not None:
            ends = row["mean_regret_lower"], row["mean_regret_upper"]
            axes.plot(ends, (place, place), color=COLOUR, lw=2)
    axes.plot([row["mean_regret"] for row in rows], places, "o", color=MARK, ms=5)
    axes.set_yticks(places, [row["player"] for row in rows])
    axes.invert_yaxis()
    axes.set_xlim(left=0)
    axes.grid(axis="x", alpha=0.3)
    return figure


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
