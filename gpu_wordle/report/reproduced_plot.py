"""Pictures of reproduced figures."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import ceil
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from gpu_wordle.experiments.reproduce.item import Item, Reproduced
from gpu_wordle.game.feedback import LetterFeedback, digits
from gpu_wordle.game.spelling import capitals
from gpu_wordle.report.compared import agreement
from gpu_wordle.report.noise import draw_band
from gpu_wordle.report.pictures import OPEN, SERIES, in_percent, open_corner, panel, sheet
from gpu_wordle.report.plots import draw_letters, draw_matrix, matrix_pixels
from gpu_wordle.report.tiles import TILE_COLOURS

SIZE = (7.5, 3.6)
LATE = 7
"""First turn on which a game is lost; later turns share its bar."""
FIRST_LETTERS = 5
LOOKUP_COLUMNS, CODE_COLUMNS = 6, 27
MATRIX_BLOCK, WIDE_BLOCK = 5, 13
"""Number of rows and columns of a matrix that share a pixel."""

Drawing = Callable[[Reproduced], Figure]


def draw(item: Item, reproduced: Reproduced) -> Figure | None:
    """The picture of an item; None if it has none."""
    drawing = _DRAWINGS.get(item.name)
    return None if drawing is None else drawing(reproduced)


def _games(title: str, names: Mapping[str, str] | None = None) -> Drawing:
    """A function that draws the lengths of games by group; ``names`` labels the groups."""

    def drawing(reproduced: Reproduced) -> Figure:
        figure, axes = panel(title, "guesses of a game", "share of games", SIZE)
        groups = {
            (names or {}).get(name, name): _shares(counts)
            for name, counts in reproduced.drawn.items()
            if counts
        }
        _bars_beside(axes, groups, _share if len(groups) <= 2 else "", 6.5)
        axes.set_xticks(range(LATE), [*map(str, range(1, LATE)), f"{LATE}+"])
        in_percent(axes.yaxis)
        if len(groups) > 1:
            axes.legend(frameon=False)
        return figure

    return drawing


def _bars_beside(
    axes: Axes,
    groups: Mapping[str, Sequence[float]],
    told: str | Callable[[float], str],
    size: float,
) -> None:
    """Bars of each group side by side at 0, 1, ..., each with the label that ``told`` makes."""
    width = 0.8 / len(groups)
    for i, (name, heights) in enumerate(groups.items()):
        places = np.arange(len(heights)) + (i - (len(groups) - 1) / 2) * width
        bars = axes.bar(places, heights, width, color=SERIES[i], label=name)
        if told:
            axes.bar_label(bars, fmt=told, fontsize=size, padding=1)


def _shares(counts: Sequence[int]) -> Sequence[float]:
    """Shares of games that end on turn 1, 2, ...; late games share the last one."""
    early = np.array([*counts, *[0] * LATE], float)
    early[LATE - 1] = early[LATE - 1 :].sum()
    shares: list[float] = (early[:LATE] / sum(counts)).tolist()
    return shares


def _share(value: float) -> str:
    """The label of a bar."""
    return f"{value:.1%}" if value else ""


def _tiles(
    axes: Axes, code: int, at: tuple[float, float], step: float, size: tuple[float, float]
) -> None:
    """Draw the tiles of a pattern at ``at``, ``step`` apart."""
    for place, digit in enumerate(digits(code, FIRST_LETTERS)):
        corner = (at[0] + place * step, at[1])
        axes.add_patch(Rectangle(corner, *size, color=TILE_COLOURS[digit], lw=0))


def _lookup(reproduced: Reproduced) -> Figure:
    """Each pattern in tiles with its best second guess."""
    table, codes = reproduced.table or {}, reproduced.drawn["patterns"]
    rows = ceil(len(codes) / LOOKUP_COLUMNS)
    title = "A best second guess behind each feedback to SALET; grey: answers that are left"
    figure, axes = panel(title, "", size=(9.5, 0.245 * rows + 0.8))
    lines = zip(codes, table["guess"], table["answers_left"], strict=True)
    for i, (code, guess, left) in enumerate(lines):
        column, row = divmod(i, rows)
        x = column * 12.0
        _tiles(axes, code, (x, row), 0.92, (0.86, 0.8))
        axes.text(x + 5.0, row + 0.45, capitals(guess), va="center", fontsize=8, family="monospace")
        axes.text(x + 10.9, row + 0.45, str(left), va="center", ha="right", fontsize=7, color=OPEN)
    axes.set(xlim=(-0.2, LOOKUP_COLUMNS * 12), ylim=(rows + 0.2, -0.2))
    axes.set_axis_off()
    return figure


def _how_soon(reproduced: Reproduced) -> Figure:
    """Cumulative share of the answers found by turn, under both rules."""
    title = "How soon the optimum after SALET finds the answers"
    figure, axes = panel(title, "guesses, at most", "answers found", SIZE)
    shares = {rule: np.cumsum(n) / np.sum(n) for rule, n in reproduced.drawn.items()}
    _bars_beside(axes, shares, "{:.1%}", 7)
    axes.set_xticks(range(max(map(len, shares.values()))))
    axes.xaxis.set_major_formatter(lambda place, _: f"{place + 1:.0f}")
    in_percent(axes.yaxis)
    axes.set_ylim(0, 1.12)
    axes.legend(frameon=False, loc="upper left", title="rule")
    return figure


def _noisy_values(reproduced: Reproduced) -> Figure:
    """Means of noisy policies by level of noise, and the optimum."""
    drawn = reproduced.drawn
    label = "noise on the values of states after three guesses, percent"
    title = "SALET, and policies that trust noisy values"
    figure, axes = panel(title, label, "mean guesses of a game", SIZE)
    draw_band(axes, drawn["levels"], drawn["means"], drawn["optimum"])
    axes.legend(frameon=False, loc="upper left")
    return figure


def _letters(reproduced: Reproduced) -> Figure:
    """How often each letter occurs in each place."""
    letters = [chr(ord("A") + i) for i in range(26)]
    return draw_letters(reproduced.drawn["counts"], letters, "Letters of the 2,315 answers")


def _codes(reproduced: Reproduced) -> Figure:
    """All 243 patterns in tiles; impossible ones are framed."""
    title = "The 243 codes of feedback; framed: those that can never occur"
    figure, axes = panel(title, "", size=(9.5, 3.3))
    order = sorted(range(3**FIRST_LETTERS), key=lambda code: digits(code, FIRST_LETTERS))
    for i, code in enumerate(order):
        row, column = divmod(i, CODE_COLUMNS)
        _tiles(axes, code, (column * 6, row), 1, (0.92, 0.62))
        if reproduced.drawn["is_impossible"][code]:
            corner = (column * 6 - 0.4, row - 0.16)
            axes.add_patch(Rectangle(corner, 5.75, 0.94, fill=False, ec="#d6246e", lw=1.6))
    axes.set(xlim=(-1, CODE_COLUMNS * 6), ylim=(3**FIRST_LETTERS / CODE_COLUMNS, -0.4))
    axes.set_axis_off()
    return figure


def _matrix(block: int, size: tuple[float, float], title: str) -> Drawing:
    """A function that draws a pattern matrix, ``block`` squared patterns to a pixel."""

    def drawing(reproduced: Reproduced) -> Figure:
        patterns = reproduced.drawn["patterns"]
        pixels = matrix_pixels(patterns, block, LetterFeedback(FIRST_LETTERS))
        return draw_matrix(pixels, patterns.shape, size, title)

    return drawing


def _all_openers(reproduced: Reproduced) -> Figure:
    """Entropy of all openers by rank, and their exact totals below."""
    entropy, totals = reproduced.drawn["entropy"], reproduced.drawn["totals"]
    known = reproduced.drawn["is_known"]
    rank = np.arange(1, len(entropy) + 1)
    figure = sheet((7.5, 5.4))
    above, below = figure.subplots(2, 1, sharex=True)
    open_corner(above, below)
    above.plot(rank, entropy, color=SERIES[0], lw=1.6)
    above.set_ylabel("entropy, bits")
    above.set_title("Openers by their entropy, and what each is worth in the end", loc="left")
    below.scatter(rank[known], totals[known], s=1.5, color=SERIES[1], alpha=0.3, linewidths=0)
    below.set_ylabel("exact total, guesses")
    below.set_xlabel("rank by entropy")
    return figure


def _trees(reproduced: Reproduced) -> Figure:
    """Trees of two and of four branches with the same leaves."""
    leaves = reproduced.drawn["leaves"]
    figure = sheet((7.5, 3.0))
    for axes, branches in zip(figure.subplots(1, 2), reproduced.drawn["branches"], strict=True):
        above, depth = [float(leaf) for leaf in range(leaves)], 0
        while len(above) > 1:
            below, depth = above, depth + 1
            above = np.reshape(below, (-1, branches)).mean(axis=1).tolist()
            for i, place in enumerate(below):
                axes.plot([place, above[i // branches]], [depth - 1, depth], color=SERIES[0], lw=1)
            axes.plot(below, [depth - 1] * len(below), "o", ms=4, color=SERIES[0])
        axes.plot(above, [depth], "o", ms=4, color=SERIES[0])
        axes.set_title(f"{branches} branches, {depth} decisions", loc="left")
        axes.set_axis_off()
    return figure


def _cuts(reproduced: Reproduced) -> Figure:
    """The bits of each cut of a deck of cards."""
    drawn = reproduced.drawn
    cards = np.arange(len(drawn["both"]))
    figure, axes = panel("What a cut of 64 cards tells", "cards on the left", "bits", SIZE)
    for (label, name), colour in zip(
        (("both heaps", "both"), ("left heap", "left"), ("right heap", "right")),
        SERIES,
        strict=False,
    ):
        axes.plot(cards, drawn[name], color=colour, label=label)
    axes.legend(frameon=False)
    return figure


def _surprise(reproduced: Reproduced) -> Figure:
    """The curve of p log2(1/p)."""
    drawn = reproduced.drawn
    figure, axes = panel("What a part of the answers adds to the entropy", "p", "p log2(1/p)", SIZE)
    axes.plot(drawn["probability"], drawn["bits"], color=SERIES[0])
    top = int(drawn["bits"].argmax())
    axes.plot(drawn["probability"][top], drawn["bits"][top], "o", color=SERIES[1])
    axes.annotate(
        f"p = {drawn['probability'][top]:.3f}",
        (drawn["probability"][top], drawn["bits"][top]),
        xytext=(0, -14), textcoords="offset points", ha="center",
    )  # fmt: skip
    return figure


def _same_games(reproduced: Reproduced) -> Figure:
    """Which strategies play the same game, under two ways to break ties."""
    ways, games = reproduced.drawn["shares"], reproduced.drawn["games"]
    kinds = sorted({kind for found in ways.values() for kind in found})
    figure, axes = panel(
        "Random pairs of start and target",
        "= joins rules that play the same game; H entropy, σ deviation, χ parts",
        f"share of {games:,} games",
        (7, 3.4),
    )
    groups = {way: [found.get(kind, 0) for kind in kinds] for way, found in ways.items()}
    _bars_beside(axes, groups, "{:.0%}", 8)
    axes.set_xticks(range(len(kinds)), [agreement(kind, ("H", "σ", "χ")) for kind in kinds])
    in_percent(axes.yaxis)
    axes.legend(frameon=False)
    return figure


def _ties(reproduced: Reproduced) -> Figure:
    """The number of guesses that share each partition of five answers."""
    table = reproduced.table or {}
    title = "Guesses that tie when five answers are left"
    figure, axes = panel(title, "sizes of the parts", "guesses, on average", (7, 3.4))
    told = zip(table["partition"], table["entropy"], strict=True)
    names = [f"{partition}\n{bits:.2f} bits" for partition, bits in told]
    bars = axes.bar(names, table["guesses"], color=SERIES[0])
    axes.bar_label(bars, fmt="{:,.0f}", fontsize=8)
    axes.tick_params(axis="x", labelsize=8)
    return figure


def _full_games(reproduced: Reproduced) -> Figure:
    """Means of whole games by three rules and the optimum, for each opener."""
    table = reproduced.table or {}
    exact = dict(zip(reversed(table["opener"]), reversed(table["best_mean"]), strict=True))
    openers = sorted(exact, key=lambda word: float(exact[word]))
    figure, axes = panel(
        "Whole games by three rules beside the exact optimum",
        "first guess, the best in truth first",
        "mean guesses of a game",
        (7.5, 4),
    )
    means: dict[str, dict[int, Any]] = {}
    for rule, word, mean in zip(table["strategy"], table["opener"], table["mean"], strict=True):
        means.setdefault(rule, {})[openers.index(word)] = mean
    for (rule, mine), colour in zip(means.items(), SERIES, strict=False):
        axes.plot(list(mine), list(mine.values()), "o", ms=5, color=colour, label=rule)
    best = [float(exact[word]) for word in openers]
    axes.plot(range(len(openers)), best, "_", ms=14, mew=2, color="#222222", label="optimum")
    axes.set_xticks(range(len(openers)), [capitals(w) for w in openers], rotation=60, fontsize=8)
    axes.legend(frameon=False, ncols=4, loc="upper left", fontsize=8)
    axes.set_ylim(3.40, 3.56)
    return figure


_DRAWINGS: Mapping[str, Drawing] = {
    "exact-solution/table-2": _lookup,
    "exact-solution/figure-2": _games(
        "The optimum after SALET", {"every": "all answers", "played": "days of your list"}
    ),
    "exact-solution/figure-3": _how_soon,
    "exact-solution/figure-5": _noisy_values,
    "wordle-weary/figure-2": _games("Any answer that is left, from random starts"),
    "wordle-weary/figure-3-4": _letters,
    "wordle-weary/figure-5": _games(
        "Letter frequency from SLATE, by two umpires",
        {"naive": "naive umpire, as printed", "true": "true umpire"},
    ),
    "wordle-weary/figure-6": _codes,
    "wordle-weary/figure-7-9": _games("Three rules, each from its favourite start"),
    "wordle-weary/table-2": _full_games,
    "wordle-weary/figure-18": _games("Each rule from its best start"),
    "wordle-weary/bigrams": _games("Pairs of neighbouring letters, by two umpires"),
    "wordle-weary/figure-21": _trees,
    "wordle-weary/figure-22": _cuts,
    "wordle-weary/figure-23": _surprise,
    "wordle-weary/figure-12": _same_games,
    "wordle-weary/figure-13": _ties,
    "wordle-weary/figure-14-15": _matrix(MATRIX_BLOCK, (5.4, 5.6), "Feedback among the answers"),
    "wordle-weary/figure-16": _matrix(WIDE_BLOCK, (9.0, 2.6), "Feedback to all guesses"),
    "wordle-weary/figure-17": _all_openers,
    "optimal-strategies/greedy": _games("Two greedy rules over all answers"),
    "wordle-ai/results": _games("Two rules over 2,309 answers"),
}
