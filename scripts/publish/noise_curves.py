r"""Noise experiments side by side: what noise costs by its level, a curve for each file.

Reads files of ``gpu-wordle noise --out`` and writes a table of their levels and a picture, as CSV,
PNG and SVG. Curves are labelled by what differs: opener, depth, rule.

    python scripts/publish/noise_curves.py results/noise/salet-depth-?.h5 \
        --out results/noise/by-depth
"""

from __future__ import annotations

import argparse
import csv
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from matplotlib import colormaps
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter
from numpy.typing import NDArray

from gpu_wordle import store

TOLD = ("opener", "depth", "rule", "limit", "draws", "noise", "after")
"""Attributes of a file by which a curve may be named."""

COLUMNS = (
    *("curve", "exact_total", "runs", "level_percent", "least_loss", "median_loss"),
    *("greatest_loss", "optimal_runs", "worst_turn", "runs_that_lose"),
)
READ = ("level", "status", "total", "worst", "lost", "first_departure", "optimal")
"""Datasets that are read from a file."""

MAX_BANDS = 4
"""Most curves with bands from least to greatest; more bands would hide each other."""


@dataclass(frozen=True, eq=False)
class Curve:
    """The complete runs of a file: R of them, at L levels.

    Attributes:
        told: the attributes of the experiment.
        answers: number of answers of the game.
        exact_total: the optimum.
        levels: float64[L], in percent.
        totals: int64[R, L].
        worst: int64[R, L].
        lost: int64[R, L].
        departures: float64[R], in percent; NaN if unknown.
    """

    told: dict[str, str]
    answers: int
    exact_total: int
    levels: NDArray[np.float64]
    totals: NDArray[np.int64]
    worst: NDArray[np.int64]
    lost: NDArray[np.int64]
    departures: NDArray[np.float64]

    @classmethod
    def read(cls, path: Path) -> Curve:
        """Read the runs of a file."""
        file = store.load(path)
        columns = {name: file.datasets[f"noise/{name}"].values for name in READ}
        done = columns["status"] == 1
        return cls(
            {name: str(file.attributes[name]) for name in TOLD},
            int(columns["optimal"].sum()),
            int(file.attributes["exact_total"]),
            columns["level"] / 1e4,
            *(columns[name][done] for name in ("total", "worst", "lost", "first_departure")),
        )

    @property
    def losses(self) -> NDArray[np.int64]:
        """Guesses beyond the optimum, int64[R, L]."""
        return self.totals - self.exact_total

    def name(self, others: list[Curve]) -> str:
        """Return the attributes that tell this curve from the others."""
        words = [
            f"depth {value}" if key == "depth" else value
            for key, value in self.told.items()
            if len({other.told[key] for other in others}) > 1
        ]
        return ", ".join(words) or self.told["opener"]


def rows_of(curves: list[Curve]) -> list[tuple[object, ...]]:
    """Return a row for each curve and level."""
    return [
        (
            curve.name(curves), curve.exact_total, len(losses), f"{level:g}", losses.min(),
            f"{np.median(losses):g}", losses.max(), (losses == 0).sum(),
            curve.worst[:, place].max(), (curve.lost[:, place] > 0).sum(),
        )
        for curve in curves
        for place, level in enumerate(curve.levels)
        for losses in [curve.losses[:, place]]
    ]  # fmt: skip


def draw(curves: list[Curve]) -> Figure:
    """Draw means against levels, and below the share of the runs that have left the optimum."""
    figure = Figure(figsize=(8.5, 6.6), layout="constrained")
    upper, lower = figure.subplots(2, 1, sharex=True, height_ratios=(3, 1.3))
    for place, curve in enumerate(curves):
        colour = colormaps["tab10"](place % 10)
        means = curve.totals / curve.answers
        if len(curves) <= MAX_BANDS:
            upper.fill_between(
                curve.levels, means.min(axis=0), means.max(axis=0), color=colour, alpha=0.2,
                linewidth=0,
            )  # fmt: skip
        upper.plot(
            curve.levels, np.median(means, axis=0), "o-", ms=3, color=colour,
            label=f"{curve.name(curves)}, {len(means):,} runs",
        )  # fmt: skip
        fails = (curve.lost > 0).any(axis=0)
        upper.plot(curve.levels[fails], means.max(axis=0)[fails], "x", color="black")
        if len({other.exact_total for other in curves}) == 1 and place == 0:
            best = curve.exact_total / curve.answers
            upper.axhline(best, color="black", linewidth=1, label=f"optimum {best:.4f}")
        left = np.sort(curve.departures[~np.isnan(curve.departures)])
        if left.size:
            share = np.arange(1, left.size + 1) / len(means)
            ends = [min(left[0], curve.levels[0]), *left, max(left[-1], curve.levels[-1])]
            lower.step(ends, [0, *share, share[-1]], where="post", color=colour)
    upper.set_ylabel("guesses of an answer, mean")
    upper.set_title("Median over runs" + "; band: least to greatest" * (len(curves) <= MAX_BANDS))
    if len(curves) <= MAX_BANDS:
        upper.legend(frameon=False, loc="upper left", fontsize=8)
    else:
        upper.legend(frameon=False, loc="center left", bbox_to_anchor=(1, 0.5), fontsize=8)
    lower.set_ylim(0, 1.02)
    lower.set_ylabel("runs that have\nleft the optimum")
    lower.set_xlabel("noise, percent of the value; x: some run loses an answer")
    lower.set_xscale("log")
    lower.xaxis.set_major_formatter(FuncFormatter(lambda level, _: f"{level:g}"))
    for axes in (upper, lower):
        axes.spines[["top", "right"]].set_visible(False)
    return figure


def main() -> None:
    """Read the files, and write a table and a picture."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="+", type=Path, help="files of noise experiments")
    parser.add_argument("--out", type=Path, required=True, help="name without a suffix")
    asked = parser.parse_args()
    curves = sorted(map(Curve.read, asked.files), key=lambda curve: curve.exact_total)
    with asked.out.with_suffix(".csv").open("w", newline="", encoding="utf-8") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(COLUMNS)
        table.writerows(rows_of(curves))
    picture = draw(curves)
    picture.savefig(asked.out.with_suffix(".png"), dpi=150)
    picture.savefig(asked.out.with_suffix(".svg"), metadata={"Date": None})


if __name__ == "__main__":
    main()
