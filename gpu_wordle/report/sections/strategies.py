"""Strategies and rankings side by side: what each opener takes with each of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from gpu_wordle.experiments.rank_correlation import kendall
from gpu_wordle.game.rule import Rule
from gpu_wordle.ranking.openers import Status
from gpu_wordle.report.content import Block, Figures, Section, Table
from gpu_wordle.report.players import Numbers, Player, best_players, players_of, whole_numbers
from gpu_wordle.report.plots import draw_heat
from gpu_wordle.report.sections.source import Source
from gpu_wordle.report.table import Column, columns_of
from gpu_wordle.store import read_openers, read_simulations

DISPUTED = 30
"""Openers in the table of those that strategies rank most differently."""
MIN_OPENERS = 2
"""Least number of openers that two strategies must share to be compared."""

FIGURES = Figures({"rank-correlations": "How alike strategies rank the openers: Kendall's tau"})
DECIMALS = {"mean regret": 1, "median total": 0, "kendall": 4}


def _best_play(source: Source) -> Player:
    """Best play by a ranking."""
    openers = read_openers(source.contents)
    turns = np.arange(1, openers.distribution.shape[1] + 1)
    is_exact = openers.status == Status.EXACT
    total = np.where(is_exact, openers.distribution @ turns, np.nan)
    lost = np.where(is_exact, source.game.answer_count - openers.distribution.sum(axis=1), np.nan)
    kinds = [source.rule.value] if source.rule is not Rule.NORMAL else []
    kinds += [] if source.objective.is_mean else [source.objective.title]
    return Player(" ".join(["best play", *kinds]), total, lost, np.full(len(total), np.nan))


def side_by_side_sections(
    simulations: Sequence[Source], rankings: Sequence[Source]
) -> list[Section]:
    """The sections that set strategies and rankings side by side; none if too little is known."""
    read = (read_simulations(each.path, each.contents, each.game) for each in simulations)
    strategies = [player for games in read for player in players_of(games)]
    players = [*map(_best_play, rankings), *strategies]
    rows = np.flatnonzero(~np.isnan([player.total for player in players]).all(axis=0))
    if len(players) < 2 or len(rows) < MIN_OPENERS:
        return []
    words = simulations[0].game.words.guesses.words
    spelled = Column("opener", [words[g] for g in rows])
    best = best_players(strategies)
    said = (
        "A strategy's regret is what it takes beyond best play from the same opener, in guesses "
        "over all answers. Kendall's tau is 1 where two of them rank all openers alike."
    )
    openers: list[Block] = [
        Table.of(
            "totals", "Guesses over all answers, from every opener",
            [spelled, Column("best_strategy", [best[g] for g in rows]),
             *(_column(p.name, p.total[rows]) for p in players)],
        ),
    ]  # fmt: skip
    for name, title in (
        ("regret", "Regret, from every opener"),
        ("lost", "Answers not found in time, from every opener"),
    ):
        told = [(p.name, getattr(p, name)[rows]) for p in players]
        shown = [_column(each, values) for each, values in told if np.nansum(values) > 0]
        if shown:
            openers.append(Table.of(name, title, [spelled, *shown]))
    overview: list[Block] = [said, _by_player(players, best, words), _correlations(players)]
    return [
        Section("Strategies", overview),
        Section("Openers", openers),
        Section("Where strategies disagree", [_disputed(players, words)]),
    ]


def _column(name: str, values: Numbers) -> Column:
    """A column of whole numbers, with None for unknown ones."""
    return Column(name, whole_numbers(values), 0, name)


def _by_player(
    players: Sequence[Player], best: Sequence[str | None], words: Sequence[str]
) -> Table:
    """A row for each player: its best and worst openers, its regret and its losses."""
    told: list[dict[str, Any]] = []
    for player in players:
        known = np.flatnonzero(~np.isnan(player.total))
        total, regret, lost = player.total[known], player.regret[known], player.lost[known]
        is_told = ~np.isnan(regret)
        told.append(
            {
                "strategy": player.name,
                "openers": len(known),
                "best opener": words[known[total.argmin()]] if len(known) else None,
                "least total": int(total.min()) if len(known) else None,
                "median total": float(np.median(total)) if len(known) else None,
                "worst opener": words[known[total.argmax()]] if len(known) else None,
                "greatest total": int(total.max()) if len(known) else None,
                "mean regret": float(regret[is_told].mean()) if is_told.any() else None,
                "openers without a loss": int((lost == 0).sum()),
                "most lost": int(lost.max()) if len(known) else None,
                "openers of which it is best": sum(
                    each is not None and player.name in each.split(", ") for each in best
                ),
                "kendall": _tau(player.total, player.least),
            }
        )
    columns = [Column(c.name, c.values, DECIMALS.get(c.name, 0)) for c in columns_of(told)]
    return Table.of("by-strategy", "Best and worst openers of each strategy", columns)


def _tau(x: Numbers, y: Numbers) -> float | None:
    """Kendall's tau of the openers known to both; None if there are too few."""
    both = ~np.isnan(x) & ~np.isnan(y)
    return kendall(x[both], y[both]) if both.sum() >= MIN_OPENERS else None


def _correlations(players: Sequence[Player]) -> Block:
    """How alike players rank the openers, as a heat map."""
    names = [player.name for player in players]
    table = np.full((len(players), len(players)), np.nan)
    for i, one in enumerate(players):
        for j, other in enumerate(players[: i + 1]):
            found = _tau(one.total, other.total)
            table[i, j] = table[j, i] = np.nan if found is None else found
    columns = [
        Column("strategy", names),
        *(
            Column(n, [None if np.isnan(v) else v for v in c], 3, n)
            for n, c in zip(names, table, strict=True)
        ),
    ]
    title = "How alike openers are ranked: Kendall's tau of the totals"
    return FIGURES.picture("rank-correlations", lambda: draw_heat(names, table, title), columns)


def _disputed(players: Sequence[Player], words: Sequence[str]) -> Table:
    """The openers whose ranks by two players differ most, among the openers that all know."""
    shared = np.flatnonzero(~np.isnan([player.total for player in players]).any(axis=0))
    total = np.array([player.total[shared] for player in players])
    # The rank of an opener: one more than the openers of a lesser total.
    ranks = np.array([np.searchsorted(np.sort(each), each) + 1 for each in total])
    order = np.argsort(ranks.min(axis=0) - ranks.max(axis=0), kind="stable")[:DISPUTED]
    names = np.array([player.name for player in players])
    columns = [
        Column("opener", [words[shared[i]] for i in order]),
        Column("best rank", [int(ranks[:, i].min()) for i in order], 0),
        Column("by", [str(names[ranks[:, i].argmin()]) for i in order]),
        Column("last rank", [int(ranks[:, i].max()) for i in order], 0),
        Column("by the strategy", [str(names[ranks[:, i].argmax()]) for i in order]),
    ]
    title = "Openers that one ranks far better than another"
    return Table.of("disputed", title, columns)
