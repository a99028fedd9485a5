r"""Noise experiments side by side: what noise costs by its level, a curve for each file.

Reads files of ``gpu-wordle noise --out`` and writes a table of their levels and a picture, as CSV,
PNG and SVG. Curves are named by what differs: opener, depth, rule.

    python scripts/publish/noise_curves.py results/noise/salet-depth-?.h5 \
        --out results/noise/by-depth
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter

from gpu_wordle import store
from gpu_wordle.game.spelling import capitals
from gpu_wordle.report.pictures import MARKERS, SERIES, open_corner, sheet
from scripts.bench.common import options

NAMED_BY = ("opener", "depth", "rule", "limit", "draws", "noise", "after")
"""Attributes of a file that a curve may be named by."""

COLUMNS = (
    *("curve", "exact_total", "runs", "level_percent", "least_loss", "median_loss"),
    *("greatest_loss", "optimal_runs", "worst_turn", "runs_that_lose"),
)
MAX_BANDS = 4
"""Most curves with bands from least to greatest; more bands would hide each other."""


class Curve:
    """The complete runs of a file: R of them, at L levels.

    Attributes:
        attributes: of the file.
        answers: of the game.
        exact_total: the optimum.
        levels: float64[L], in percent.
        totals: int64[R, L].
        worst: int64[R, L].
        lost: int64[R, L].
        departures: float64[R], in percent; NaN if unknown.
    """

    def __init__(self, path: Path) -> None:
        file = store.load(path)
        done = file.values("noise/status") == 1
        self.attributes = {name: str(file.attributes[name]) for name in NAMED_BY}
        self.answers = int(file.values("noise/optimal").sum())
        self.exact_total = int(file.attributes["exact_total"])
        self.levels = file.values("noise/level") / 1e4
        self.totals = file.values("noise/total")[done]
        self.worst = file.values("noise/worst")[done]
        self.lost = file.values("noise/lost")[done]
        self.departures = file.values("noise/first_departure")[done]

    def name(self, others: list[Curve]) -> str:
        """Its name among the others: whatever differs."""
        words = [
            f"depth {value}" if key == "depth" else value
            for key, value in self.attributes.items()
            if len({other.attributes[key] for other in others}) > 1
        ]
        return ", ".join(words) or self.attributes["opener"]

    def rows(self, name: str) -> Iterable[tuple[object, ...]]:
        """A row for each level."""
        for level, totals, worst, lost in zip(
            self.levels, self.totals.T, self.worst.T, self.lost.T, strict=True
        ):
            losses = totals - self.exact_total
            yield (
                *(name, self.exact_total, len(losses), f"{level:g}"),
                *(losses.min(), f"{np.median(losses):g}", losses.max(), (losses == 0).sum()),
                *(worst.max(), (lost > 0).sum()),
            )


def draw(curves: list[Curve]) -> Figure:
    """Means against levels, and below the share of the runs that have left the optimum."""
    figure = sheet((8.5, 6.6))
    upper, lower = figure.subplots(2, 1, sharex=True, height_ratios=(3, 1.3))
    has_bands = len(curves) <= MAX_BANDS
    for place, curve in enumerate(curves):
        colour, marker = SERIES[place % len(SERIES)], MARKERS[place % len(MARKERS)]
        style = ":" if place >= len(SERIES) else "-"
        levels, means = curve.levels, curve.totals / curve.answers
        least, most = means.min(axis=0), means.max(axis=0)
        if has_bands:
            upper.fill_between(levels, least, most, color=colour, alpha=0.2, linewidth=0)
        opener = curve.attributes["opener"]
        called = curve.name(curves).replace(opener, capitals(opener))
        name = f"{called}, {len(means):,} runs"
        medians = np.median(means, axis=0)
        upper.plot(levels, medians, marker=marker, ls=style, ms=4, color=colour, label=name)
        fails = (curve.lost > 0).any(axis=0)
        upper.plot(levels[fails], most[fails], "x", color="black")
        if len({other.exact_total for other in curves}) == 1 and place == 0:
            best = curve.exact_total / curve.answers
            upper.axhline(best, color="black", linewidth=1, label=f"optimum {best:.4f}")
        left = np.sort(curve.departures[~np.isnan(curve.departures)])
        if left.size:
            share = np.arange(1, left.size + 1) / len(means)
            ends = [min(left[0], levels[0]), *left, max(left[-1], levels[-1])]
            lower.step(ends, [0, *share, share[-1]], where="post", ls=style, color=colour)
    upper.set_ylabel("mean guesses per answer")
    upper.set_title("Median over runs" + "; band: least to greatest" * has_bands)
    beside = (
        {"loc": "upper left"} if has_bands else {"loc": "center left", "bbox_to_anchor": (1, 0.5)}
    )
    upper.legend(frameon=False, fontsize=8, **beside)
    lower.set_ylim(0, 1.02)
    lower.set_ylabel("runs that have\nleft the optimum")
    has_lost = any((curve.lost > 0).any() for curve in curves)
    lower.set_xlabel(
        "noise, percent of the value" + "; black x: some run loses an answer" * has_lost
    )
    lower.set_xscale("log")
    lower.xaxis.set_major_formatter(FuncFormatter(lambda level, _: f"{level:g}"))
    open_corner(upper, lower)
    return figure


def write(
    out: Path, columns: Sequence[str], rows: Iterable[Sequence[object]], picture: Figure
) -> None:
    """Write a table and a picture, with the suffixes .csv, .png and .svg."""
    with out.with_suffix(".csv").open("w", newline="", encoding="utf-8") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(columns)
        table.writerows(rows)
    picture.savefig(out.with_suffix(".png"), dpi=150)
    picture.savefig(out.with_suffix(".svg"), metadata={"Date": None})


def main() -> None:
    """Read the files, and write a table and a picture."""
    asked = options(__doc__, "files...")
    curves = sorted(map(Curve, asked.files), key=lambda curve: curve.exact_total)
    rows = [row for curve in curves for row in curve.rows(curve.name(curves))]
    write(asked.out, COLUMNS, rows, draw(curves))


if __name__ == "__main__":
    main()
