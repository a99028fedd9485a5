"""Draw the pictures of the README and of docs/results.md from the published rankings.

``python scripts/plot_results.py --out docs/images`` reads results/openers-original-*.csv and writes
openers.png (the ranking in two rules) and entropy.png (what a statistic says of the value).
It needs matplotlib: ``pip install '.[plot]'``.
"""

from __future__ import annotations

import argparse
import csv
from pathlib import Path

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

ROOT = Path(__file__).parents[1]
NORMAL, HARD, QUIET = "#2f7d4f", "#b8860b", "#7a7a7a"
SHOWN = ("salet", "adieu", "fuzzy", "qajaq")
Openers = dict[str, dict[str, str]]


def main() -> None:
    """Draw both pictures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help="folder of the pictures")
    folder = parser.parse_args().out
    mpl.rcParams.update({"font.size": 10, "axes.spines.top": False, "axes.spines.right": False})
    normal, hard = (read_openers(rule) for rule in ("normal", "hard"))
    draw_openers(normal, hard, folder / "openers.png")
    draw_entropy(normal, folder / "entropy.png")


def read_openers(rule: str) -> Openers:
    """The published rows of a rule, by opener."""
    with (ROOT / f"results/openers-original-{rule}.csv").open(encoding="utf-8") as file:
        return {row["guess"]: row for row in csv.DictReader(file)}


def means(openers: Openers) -> np.ndarray:
    """Exact means of the openers that surely win in time."""
    return np.array([float(row["mean"]) for row in openers.values() if row["status"] == "exact"])


def draw_openers(normal: Openers, hard: Openers, path: Path) -> None:
    """Histograms of the exact means under both rules, with some openers named."""
    figure = Figure(figsize=(8, 3.4), layout="constrained")
    axes = figure.subplots()
    bins = np.arange(3.40, 4.25, 0.01)
    lost = sum(row["status"] == "infeasible" for row in hard.values())
    for openers, colour, label in (
        (normal, NORMAL, f"normal rule: {len(normal):,} openers, all exact"),
        (hard, HARD, f"hard mode: {len(hard) - lost:,} exact, {lost:,} cannot surely win"),
    ):
        axes.hist(means(openers), bins, color=colour, alpha=0.6, label=label)
    for word in SHOWN:
        name_opener(axes, word, float(normal[word]["mean"]))
    axes.set_xlabel("mean number of guesses of the best strategy, proven")
    axes.set_ylabel("openers")
    axes.legend(frameon=False)
    figure.savefig(path, dpi=120)


def name_opener(axes: Axes, word: str, mean: float) -> None:
    """Point at the place of an opener under the normal rule."""
    axes.annotate(
        f"{word.upper()}\n{mean:.4f}",
        xy=(mean, 0),
        xytext=(mean, 190),
        ha="center",
        fontsize=8,
        color="#222222",
        arrowprops={"arrowstyle": "-", "color": QUIET, "linewidth": 0.8, "shrinkB": 0},
    )


def draw_entropy(normal: Openers, path: Path) -> None:
    """Entropy against exact mean, an opener a dot."""
    figure = Figure(figsize=(8, 3.6), layout="constrained")
    axes = figure.subplots()
    axes.set_ylim(3.36, 4.14)
    rows = list(normal.values())
    entropy = np.array([float(row["entropy"]) for row in rows])
    mean = np.array([float(row["mean"]) for row in rows])
    axes.scatter(entropy, mean, s=2, color=NORMAL, alpha=0.25, linewidths=0)
    for word, offset in (("salet", (-60, 4)), ("soare", (0, 34))):  # the best, and most bits
        axes.annotate(
            f"{word.upper()} {float(normal[word]['mean']):.4f}",
            xy=(float(normal[word]["entropy"]), float(normal[word]["mean"])),
            xytext=offset,
            textcoords="offset points",
            ha="center",
            fontsize=8,
            arrowprops={"arrowstyle": "-", "color": QUIET, "linewidth": 0.8},
        )
    axes.set_xlabel("entropy of the opener's feedback, bits")
    axes.set_ylabel("exact mean")
    figure.savefig(path, dpi=120)


if __name__ == "__main__":
    main()
