"""Simulated games: rows, table, lines, and the sections of reports."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, TypedDict

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.errors import counted
from gpu_wordle.experiments.rank_correlation import kendall, spearman
from gpu_wordle.experiments.simulate import Simulated
from gpu_wordle.experiments.simulations import INFEASIBLE_TOTAL, HardGame, Simulations
from gpu_wordle.game.game import Game, Turn
from gpu_wordle.game.spelling import capitals
from gpu_wordle.ranking.openers import UNKNOWN
from gpu_wordle.report import keys
from gpu_wordle.report.content import DRAWN_ROWS, Block, Figures, Section, Table
from gpu_wordle.report.figures import first_words
from gpu_wordle.report.keys import Key, schema
from gpu_wordle.report.plots import draw_games, draw_spread, draw_two
from gpu_wordle.report.sections.source import Source
from gpu_wordle.report.table import Column, FittedTable, as_rows, columns_of
from gpu_wordle.store import read_simulations
from gpu_wordle.strategies.play import NEVER
from gpu_wordle.strategies.refine import FLAWED, expression, flawed_expression


@schema
class SimulatedRow(TypedDict):
    """The games of a strategy from an opener."""

    strategy: keys.Strategy
    opener: keys.Opener
    total: keys.Total
    mean: keys.Mean
    distribution: keys.Distribution
    lost: keys.Lost
    worst: keys.Worst
    exact_total: keys.ExactTotal
    gap: keys.Gap
    exact_status: Annotated[
        str,
        Key(
            "`exact`; `infeasible` if no strategy is a guaranteed win; or `unknown` if it was "
            "not computed"
        ),
    ]


@schema
class HardestRow(SimulatedRow):
    """The games of a strategy from an opener, with the longest ones."""

    hardest_games: Annotated[
        list[str] | None,
        Key(
            "the longest games, as in `fuzzy:salet+corny+fuzzy`: the answer and the guesses; null "
            "if not requested"
        ),
    ]


@schema
class SimulatedFacts(TypedDict, total=False):
    """How guesses are chosen, and the explained game."""

    choice: Annotated[
        str, Key("how greedy rules choose: guesses, survivors, and ties with the order of words")
    ]
    explained: Annotated[list[str], Key("the game of `--explain`, a line for each turn")]


GAMES_KEY = "hardest_games"
IMPORTANCE = (
    *("strategy", "opener", "mean", "total", "lost", "worst", "gap", "exact_total"),
    "distribution",
)
FEW_NAMED = 5
"""Most openers that a line names; the others are counted."""


_STATUS = {UNKNOWN: "unknown", INFEASIBLE_TOTAL: "infeasible"}


def describe_simulations(simulations: Simulations, rows: Sequence[int]) -> list[dict[str, Any]]:
    """The rows; the total is None if some answer is never found."""
    words, answers = simulations.game.words.guesses.words, simulations.game.answer_count
    some = simulations.take(rows).summed()
    total, exact, worst = _known(some.total), _known(some.exact_total), _known(some.worst)
    distribution, lost = some.distribution, some.lost.tolist()
    return [
        {
            "strategy": simulations.strategies[strategy],
            "opener": words[opener],
            "total": total[row],
            "mean": None if total[row] is None else total[row] / answers,
            "distribution": np.trim_zeros(distribution[row], "b").tolist(),
            "lost": lost[row],
            "worst": worst[row],
            "exact_total": exact[row],
            "gap": None if None in (total[row], exact[row]) else total[row] - exact[row],
            "exact_status": _STATUS.get(int(some.exact_total[row]), "exact"),
        }
        for row, (strategy, opener) in enumerate(some.pairs)
    ]


def _known(numbers: NDArray[Any]) -> list[Any]:
    """Numbers, with None for unknown ones."""
    return [None if number < 0 else number for number in numbers.tolist()]


def simulated_table(rows: Sequence[dict[str, Any]]) -> FittedTable:
    """The table of the rows; :func:`gap_lines` explains missing exact totals below it."""
    return FittedTable(columns_of(rows, SimulatedRow), IMPORTANCE)


def gap_lines(rows: Sequence[dict[str, Any]], most: int) -> list[str]:
    """Why rows have no gap, a line per reason; at most ``most`` openings are solved."""
    reasons = {
        "infeasible": "no exact total, since no strategy is a guaranteed win",
        "unknown": "no exact total, since none is published, and at most "
        f"{most} openings are solved, if the time allows",
    }
    lines = []
    for status, reason in reasons.items():
        openers = dict.fromkeys(
            capitals(row["opener"]) for row in rows if row["exact_status"] == status
        )
        if openers:
            lines.append(f"{first_words([*openers], most=FEW_NAMED)}: {reason}")
    return lines


def describe_games(game: Game, games: Sequence[HardGame]) -> list[str]:
    """Games as texts such as ``fuzzy:salet+corny+fuzzy``: the answer, then the guesses."""
    answers = game.words.answers.words
    return [f"{answers[each.answer]}:{'+'.join(game.spell(each.guesses))}" for each in games]


def game_lines(game: Game, games: Sequence[HardGame]) -> list[str]:
    """The longest games for people, one line each."""
    lines = []
    for each in games:
        answer = game.words.answers.shown(each.answer)
        end = "never found" if each.turn == NEVER else f"turn {each.turn}"
        lines.append(f"{answer} ({end}): {capitals(' '.join(game.spell(each.guesses)))}")
    return lines


def explained_game(simulated: Simulated, answer: int) -> list[str]:
    """A game turn by turn: guess, feedback, its regular expression, and the answers left.

    The name of the strategy selects the form of the expression, in which letters of several signs
    stand in braces. Raises UserError if the game has no words.
    """
    game, words = simulated.game, simulated.game.words
    spell = flawed_expression if simulated.strategy == FLAWED else expression
    turns: list[Turn] = []
    state = game.root()
    lines = []
    for guess in simulated.guesses(answer):
        turns.append((guess, int(game.patterns.values[answer, guess])))
        word = words.guesses.shown(guess)
        line = f"{word} {words.feedback.format(turns[-1][1])}"
        if turns[-1][1] != game.patterns.all_green:
            state = game.part(state, *turns[-1])
            expressed = "".join(
                name if len(name) == 1 else f"{{{name}}}"
                for name in map(words.guesses.alphabet.spelled, spell(words, turns))
            )
            line = f"{line}  {expressed}  {counted(len(state), 'answer')} left"
        lines.append(line)
    return lines


FIGURES = Figures(
    {
        "games": "Answers found on each turn by the best rows",
        "gaps": "Guesses that strategies take more than the optimum",
        "totals": "Totals of strategies against the exact totals of their openers",
    }
)
CSV_KEYS = ("strategy", "opener", "total", "exact_total")
"""The keys of rows of simulated games that are compared with the optimum."""
MAX_TOTAL = 1 << 53
"""Totals from there on are no totals of games, and pictures cannot show them."""
DECIMALS = {"mean gap": 2, "kendall": 4, "spearman": 4}


def simulation_sections(source: Source) -> list[Section]:
    """The sections on simulated games."""
    games = read_simulations(source.path, source.contents, source.game).summed()
    rows = games.best_first(range(len(games)))
    facts = {
        **source.asked,
        "strategies": ", ".join(games.strategies),
        "guesses are chosen": str(source.contents.attributes["choice"]),
        "rows": str(games),
    }
    if not rows:
        return [Section("Overview", [facts])]
    described = describe_simulations(games, rows)
    names = [f"{capitals(row['opener'])} {row['strategy']}" for row in described[:DRAWN_ROWS]]
    counts = [row["distribution"] for row in described[:DRAWN_ROWS]]
    best = FIGURES.picture(
        "games",
        lambda: draw_games(names, counts, "Games of the best rows"),
        [Column("row", names), Column("distribution", counts)],
    )
    every, title = simulated_table(described).columns, "Every row, the least total first"
    sections = [
        Section("Overview", [facts, best]),
        Section("Strategies and openers", [Table.of("simulations", title, every)]),
    ]
    return sections + beside_sections({each.name: each for each in columns_of(described)})


def facts_of(columns: Mapping[str, Column]) -> dict[str, str]:
    """The facts about simulated games in the columns of rows."""
    rows = as_rows([columns[key] for key in CSV_KEYS])
    facts = {
        "strategies": ", ".join(dict.fromkeys(str(row["strategy"]) for row in rows)),
        "openers": f"{len({row['opener'] for row in rows}):,}",
        "rows": f"{len(rows):,}",
        "rows that find every answer": f"{sum(row['total'] is not None for row in rows):,}",
    }
    if "lost" in columns:
        surely = sum(lost == 0 for lost in columns["lost"].values)
        facts["rows that lose no answer"] = f"{surely:,}"
    known = [row for row in rows if row["total"] is not None]
    if known:
        best = min(known, key=lambda row: row["total"])
        name = f"{best['strategy']} after {capitals(best['opener'] or '-')}"
        facts["least total"] = f"{best['total']:,} guesses, {name}"
    return facts


def beside_sections(columns: Mapping[str, Column]) -> list[Section]:
    """Gaps to the optimum and rank correlations of each strategy, and pictures of all rows.

    There are none if no exact total is known.
    """
    rows = [
        row
        for row in as_rows([columns[key] for key in CSV_KEYS])
        if all(row[k] is not None and 0 <= row[k] < MAX_TOTAL for k in ("total", "exact_total"))
    ]
    if not rows:
        return []
    strategies, openers = ([str(row[key]) for row in rows] for key in ("strategy", "opener"))
    total, exact = (np.array([row[key] for row in rows]) for key in ("total", "exact_total"))
    data = [
        Column("strategy", strategies),
        Column("opener", openers),
        Column("total", total.tolist()),
        Column("exact_total", exact.tolist()),
    ]
    told = []
    for name in dict.fromkeys(strategies):
        mine = np.array([each == name for each in strategies])
        gap = (total - exact)[mine]
        told.append(
            {
                "strategy": name,
                "openers": len(gap),
                "least gap": gap.min().item(),
                "mean gap": float(gap.mean()),
                "greatest gap": gap.max().item(),
                "kendall": kendall(total[mine], exact[mine]) if len(gap) > 1 else None,
                "spearman": spearman(total[mine], exact[mine]) if len(gap) > 1 else None,
            }
        )
    shown = [Column(c.name, c.values, DECIMALS.get(c.name, 0)) for c in columns_of(told)]
    title = "Guesses above the exact totals, and rank correlation with them"
    gaps = ("guesses more than the optimum, over all answers", "rows")
    totals = ("exact total, guesses", "total of the strategy, guesses")
    x, y = exact.astype(np.float64), total.astype(np.float64)
    line = "On the line, a strategy plays optimally"
    blocks: list[Block] = [
        Table.of("gaps-by-strategy", title, shown),
        FIGURES.picture(
            "gaps",
            lambda: draw_spread(y - x, gaps, "How far strategies are from the optimum"),
            data,
        ),
        FIGURES.picture("totals", lambda: draw_two(x, y, totals, line), data),
    ]
    return [Section("Beside the optimum", blocks)]
