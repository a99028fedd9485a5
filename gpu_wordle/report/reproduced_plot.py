"""Pictures of reproduced figures: titles, axes, units, on a light background."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import ceil
from typing import Any

import numpy as np
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.ticker import PercentFormatter

from gpu_wordle.experiments.reproduce.item import Item, Reproduced
from gpu_wordle.game.feedback import LetterFeedback, digits
from gpu_wordle.game.spelling import capitals
from gpu_wordle.report.compared import agreement
from gpu_wordle.report.game_plot import draw_letters, draw_matrix, matrix_pixels
from gpu_wordle.report.noise_plot import draw_band
from gpu_wordle.report.tiles import TILE_COLOURS

COLOURS = ("#3a6ea5", "#b8520b", "#5b8c3a", "#8a5a9e")
QUIET = "#9a9a9a"
LATE = 7
"""Turns from which on games are lost; they share a bar."""
FIRST_LETTERS = 5
LOOKUP_COLUMNS = 6
MATRIX_BLOCK, WIDE_BLOCK = 5, 13
"""Rows and columns of a matrix that share a pixel."""

Drawing = Callable[[Reproduced], Mapping[str, Figure]]


def draw(item: Item, reproduced: Reproduced) -> Mapping[str, Figure]:
    """The pictures of an item, by what follows its name in that of the file; perhaps none."""
    drawing = _DRAWINGS.get(item.name)
    if drawing is None:
        return {}
    with rc_context({"font.size": 10, "axes.spines.top": False, "axes.spines.right": False}):
        return drawing(reproduced)


def _bars(axes: Axes, groups: Mapping[str, Sequence[float]], label: str) -> None:
    """Shares of games by their guesses, a bar of each group side by side."""
    width = 0.8 / len(groups)
    for i, (name, counts) in enumerate(groups.items()):
        shown = np.zeros(LATE)
        for turn, count in enumerate(counts):
            shown[min(turn, LATE - 1)] += count
        places = np.arange(1, LATE + 1) + (i - (len(groups) - 1) / 2) * width
        bars = axes.bar(places, shown / shown.sum(), width, color=COLOURS[i], label=name)
        if len(groups) <= 2:
            texts = [f"{share:.1%}" if share else "" for share in shown / shown.sum()]
            axes.bar_label(bars, texts, padding=1, fontsize=6.5)
    axes.set_xticks(range(1, LATE + 1), [*map(str, range(1, LATE)), f"{LATE}+"])
    axes.set_xlabel("guesses of a game")
    axes.yaxis.set_major_formatter(PercentFormatter(1.0, 0))
    axes.set_ylabel(label)
    if len(groups) > 1:
        axes.legend(frameon=False)


def _games(title: str, names: Mapping[str, str] | None = None) -> Drawing:
    """A drawing of how many guesses games take, by groups; ``names`` is what these are called."""

    def drawing(reproduced: Reproduced) -> Mapping[str, Figure]:
        figure = Figure(figsize=(7.5, 3.6), layout="constrained")
        axes = figure.subplots()
        groups = {(names or {}).get(k, k): v for k, v in reproduced.drawn.items() if v}
        _bars(axes, groups, "share of games")
        axes.set_title(title, loc="left")
        return {"": figure}

    return drawing


def _lookup(reproduced: Reproduced) -> Mapping[str, Figure]:
    """Each pattern in tiles, and the second guess behind it."""
    table, codes = reproduced.table or {}, reproduced.drawn["patterns"]
    rows = ceil(len(codes) / LOOKUP_COLUMNS)
    figure = Figure(figsize=(9.5, 0.245 * rows + 0.8), layout="constrained")
    axes = figure.subplots()
    for i, (code, guess, left) in enumerate(
        zip(codes, table["guess"], table["answers_left"], strict=True)
    ):
        column, row = divmod(i, rows)
        x = column * 12.0
        for place, digit in enumerate(digits(code, FIRST_LETTERS)):
            colour = TILE_COLOURS[digit]
            axes.add_patch(Rectangle((x + place * 0.92, row), 0.86, 0.8, color=colour, lw=0))
        axes.text(x + 5.0, row + 0.45, capitals(guess), va="center", fontsize=8, family="monospace")
        axes.text(x + 10.9, row + 0.45, str(left), va="center", ha="right", fontsize=7, color=QUIET)
    axes.set_xlim(-0.2, LOOKUP_COLUMNS * 12)
    axes.set_ylim(rows + 0.2, -0.2)
    axes.set_axis_off()
    axes.set_title(
        "A best second guess behind each feedback to SALET; grey: answers that are left", loc="left"
    )
    return {"": figure}


def _how_soon(reproduced: Reproduced) -> Mapping[str, Figure]:
    """Share of the answers found within so many guesses, by both rules."""
    figure = Figure(figsize=(7.5, 3.6), layout="constrained")
    axes = figure.subplots()
    for i, (rule, counts) in enumerate(reproduced.drawn.items()):
        shares = np.cumsum(counts) / np.sum(counts)
        places = np.arange(1, len(counts) + 1)
        bars = axes.bar(places + (i - 0.5) * 0.4, shares, 0.4, color=COLOURS[i], label=rule)
        axes.bar_label(bars, [f"{share:.1%}" for share in shares], fontsize=7, padding=1)
    axes.yaxis.set_major_formatter(PercentFormatter(1.0, 0))
    axes.set_xlabel("guesses, at most")
    axes.set_ylabel("answers found")
    axes.set_ylim(0, 1.12)
    axes.legend(frameon=False, loc="upper left", title="rule")
    axes.set_title("How soon the optimum after SALET finds the answers", loc="left")
    return {"": figure}


def _noisy_values(reproduced: Reproduced) -> Mapping[str, Figure]:
    """Means of noisy policies against the level of the noise, and the optimum."""
    drawn = reproduced.drawn
    figure = Figure(figsize=(7.5, 3.6), layout="constrained")
    axes = figure.subplots()
    draw_band(axes, drawn["levels"], drawn["means"], drawn["optimum"])
    axes.set_xlabel("noise on the values of states after three guesses, percent")
    axes.set_ylabel("mean guesses of a game")
    axes.legend(frameon=False, loc="upper left")
    axes.set_title("SALET, and policies that trust noisy values", loc="left")
    return {"": figure}


def _letters(reproduced: Reproduced) -> Mapping[str, Figure]:
    """How often each letter stands in each place."""
    letters = [chr(ord("A") + i) for i in range(26)]
    title = "Letters of the 2,315 answers"
    return {"": draw_letters(reproduced.drawn["counts"], letters, title)}


def _codes(reproduced: Reproduced) -> Mapping[str, Figure]:
    """All 243 codes in tiles; those that can never occur are framed."""
    across = 27
    figure = Figure(figsize=(9.5, 3.3), layout="constrained")
    axes = figure.subplots()
    order = sorted(range(3**FIRST_LETTERS), key=lambda code: digits(code, FIRST_LETTERS))
    for i, code in enumerate(order):
        row, column = divmod(i, across)
        for place, digit in enumerate(digits(code, FIRST_LETTERS)):
            axes.add_patch(
                Rectangle((column * 6 + place, row), 0.92, 0.62, color=TILE_COLOURS[digit], lw=0)
            )
        if reproduced.drawn["is_impossible"][code]:
            axes.add_patch(
                Rectangle(
                    (column * 6 - 0.4, row - 0.16), 5.75, 0.94, fill=False, ec="#d6246e", lw=1.6
                )
            )
    axes.set_xlim(-1, across * 6)
    axes.set_ylim(3**FIRST_LETTERS / across, -0.4)
    axes.set_axis_off()
    axes.set_title("The 243 codes of feedback; framed: those that can never occur", loc="left")
    return {"": figure}


def _matrix(block: int, size: tuple[float, float], title: str) -> Drawing:
    """A drawing of a pattern matrix in the colours of the tiles, ``block`` squared to a pixel."""

    def drawing(reproduced: Reproduced) -> Mapping[str, Figure]:
        patterns = reproduced.drawn["patterns"]
        pixels = matrix_pixels(patterns, block, LetterFeedback(FIRST_LETTERS))
        return {"": draw_matrix(pixels, patterns.shape, size, title)}

    return drawing


def _all_openers(reproduced: Reproduced) -> Mapping[str, Figure]:
    """Entropy of all openers by rank, and their exact totals below."""
    entropy, totals = reproduced.drawn["entropy"], reproduced.drawn["totals"]
    known = reproduced.drawn["is_known"]
    rank = np.arange(1, len(entropy) + 1)
    figure = Figure(figsize=(7.5, 5.4), layout="constrained")
    above, below = figure.subplots(2, 1, sharex=True)
    above.plot(rank, entropy, color=COLOURS[0], lw=1.6)
    above.set_ylabel("entropy, bits")
    above.set_title("Openers by their entropy, and what each is worth in the end", loc="left")
    below.scatter(rank[known], totals[known], s=1.5, color=COLOURS[1], alpha=0.3, linewidths=0)
    below.set_ylabel("exact total, guesses")
    below.set_xlabel("rank by entropy")
    return {"": figure}


def _same_games(reproduced: Reproduced) -> Mapping[str, Figure]:
    """Who plays the same game, by two ways to break ties."""
    shares = reproduced.drawn["shares"]
    kinds = sorted({kind for each in shares.values() for kind in each})
    names = [agreement(kind, ("H", "σ", "χ")) for kind in kinds]
    figure = Figure(figsize=(7, 3.4), layout="constrained")
    axes = figure.subplots()
    for i, (way, found) in enumerate(shares.items()):
        places = np.arange(len(kinds)) + (i - 0.5) * 0.4
        bars = axes.bar(places, [found.get(k, 0) for k in kinds], 0.4, color=COLOURS[i], label=way)
        axes.bar_label(bars, [f"{found.get(k, 0):.0%}" for k in kinds], fontsize=8)
    axes.set_xticks(range(len(kinds)), names)
    axes.yaxis.set_major_formatter(PercentFormatter(1.0, 0))
    axes.set_ylabel(f"share of {reproduced.drawn['games']:,} games")
    axes.set_xlabel("= joins rules that play the same game; H entropy, σ deviation, χ parts")
    axes.legend(frameon=False)
    axes.set_title("Random pairs of start and target", loc="left")
    return {"": figure}


def _ties(reproduced: Reproduced) -> Mapping[str, Figure]:
    """How many guesses share each partition of five answers."""
    table = reproduced.table or {}
    figure = Figure(figsize=(7, 3.4), layout="constrained")
    axes = figure.subplots()
    names = [f"{p}\n{bits:.2f} bits" for p, bits in zip(table["partition"], table["entropy"],
                                                        strict=True)]  # fmt: skip
    bars = axes.bar(names, table["guesses"], color=COLOURS[0])
    axes.bar_label(bars, [f"{count:,.0f}" for count in table["guesses"]], fontsize=8)
    axes.tick_params(axis="x", labelsize=8)
    axes.set_xlabel("sizes of the parts")
    axes.set_ylabel("guesses, on average")
    axes.set_title("Guesses that tie when five answers are left", loc="left")
    return {"": figure}


def _full_games(reproduced: Reproduced) -> Mapping[str, Figure]:
    """Means of whole games by three rules, and the optimum, of each start."""
    table = reproduced.table or {}
    openers = sorted(set(table["opener"]), key=lambda word: _first(table, "exact", word))
    figure = Figure(figsize=(7.5, 4), layout="constrained")
    axes = figure.subplots()
    for i, rule in enumerate(dict.fromkeys(table["strategy"])):
        rows = zip(table["strategy"], table["opener"], table["mean"], strict=True)
        mine = {word: value for name, word, value in rows if name == rule}
        places = [p for p, word in enumerate(openers) if word in mine]
        axes.plot(
            places, [mine[openers[p]] for p in places], "o", ms=5, color=COLOURS[i], label=rule
        )
    exact = [_first(table, "exact", word) for word in openers]
    axes.plot(range(len(openers)), exact, "_", ms=14, mew=2, color="#222222", label="optimum")
    axes.set_xticks(range(len(openers)), [capitals(w) for w in openers], rotation=60, fontsize=8)
    axes.set_ylabel("mean guesses of a game")
    axes.set_xlabel("first guess, the best in truth first")
    axes.legend(frameon=False, ncols=4, loc="upper left", fontsize=8)
    axes.set_ylim(3.40, 3.56)
    axes.set_title("Whole games by three rules beside the exact optimum", loc="left")
    return {"": figure}


def _first(table: Mapping[str, Sequence[Any]], column: str, opener: str) -> float:
    """The figure of an opener in the first row that has it."""
    return float(table[column][list(table["opener"]).index(opener)])


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
    "wordle-weary/figure-12": _same_games,
    "wordle-weary/figure-13": _ties,
    "wordle-weary/figure-14-15": _matrix(MATRIX_BLOCK, (5.4, 5.6), "Feedback among the answers"),
    "wordle-weary/figure-16": _matrix(WIDE_BLOCK, (9.0, 2.6), "Feedback to all guesses"),
    "wordle-weary/figure-17": _all_openers,
    "optimal-strategies/greedy": _games("Two greedy rules over all answers"),
    "wordle-ai/results": _games("Two rules over 2,309 answers"),
}
