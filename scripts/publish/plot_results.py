"""Draw the pictures of the README and of docs/results.md from the published rankings.

``python scripts/publish/plot_results.py --out docs/images`` reads
results/openers-original-*.h5 and writes openers.png (the ranking under two rules) and entropy.png
(entropy against the exact value). It needs matplotlib: ``pip install '.[plot]'``.
"""

from __future__ import annotations

from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from gpu_wordle import store
from gpu_wordle.ranking.openers import Status
from gpu_wordle.report.pictures import panel
from scripts import ROOT
from scripts.bench.common import options

NORMAL, HARD, QUIET = "#2f7d4f", "#b8860b", "#7a7a7a"
SHOWN = ("salet", "adieu", "fuzzy", "qajaq")


def main() -> None:
    """Draw both pictures."""
    folder = options(__doc__).out or ROOT / "docs" / "images"
    mpl.rcParams["font.size"] = 10
    files = [
        store.load(ROOT / f"results/openers-original-{rule}.h5") for rule in ("normal", "hard")
    ]
    words = files[0].values("words/guesses").tolist()
    entropy = files[0].values("statistics/entropy")
    normal, hard = map(exact_means, files)
    lost = int(np.isnan(hard).sum())
    histograms = {
        f"normal rule: {len(words):,} openers, all exact": (normal, NORMAL),
        f"hard mode: {len(words) - lost:,} exact, {lost:,} no guaranteed win": (hard, HARD),
    }

    label = "mean number of guesses of the best strategy, proven"
    figure, axes = panel("", label, "openers", (8, 3.4))
    answers = len(files[0].values("words/answers"))
    bins = np.arange(7870.5, 9850, 24) / answers  # as many possible totals in each
    for name, (means, colour) in histograms.items():
        axes.hist(means[~np.isnan(means)], bins, color=colour, alpha=0.6, label=name)
    for word in SHOWN:  # where they are under the normal rule
        mean = float(normal[words.index(word)])
        where = {"xytext": (mean, 190), "color": "#222222", "shrink": 0}
        point_at(axes, f"{word.upper()}\n{mean:.4f}", (mean, 0), **where)
    axes.legend(frameon=False)
    figure.savefig(folder / "openers.png", dpi=120)

    label = "entropy of the opener's feedback, bits"
    figure, axes = panel("", label, "exact mean", (8, 3.6))
    axes.set_ylim(3.36, 4.14)
    axes.scatter(entropy, normal, s=2, color=NORMAL, alpha=0.25, linewidths=0)
    for word, offset in (("salet", (-60, 4)), ("soare", (0, 34))):  # the best, and most bits
        place = words.index(word)
        told = f"{word.upper()} {normal[place]:.4f}"
        where = {"xytext": offset, "textcoords": "offset points"}
        point_at(axes, told, (entropy[place], normal[place]), **where)
    figure.savefig(folder / "entropy.png", dpi=120)


def exact_means(file: store.Contents) -> NDArray[np.float64]:
    """Exact means of all openers of a ranking; NaN of those that are no guaranteed win."""
    openers = store.read_openers(file)
    means = openers.upper / len(file.values("words/answers"))
    return np.where(openers.status == Status.EXACT, means, np.nan)


def point_at(
    axes: Axes, text: str, place: tuple[float, float], *, shrink: float = 2, **where: Any
) -> None:
    """Write a text with a line from it to its place."""
    line = {"arrowstyle": "-", "color": QUIET, "linewidth": 0.8, "shrinkB": shrink}
    axes.annotate(text, place, ha="center", fontsize=8, arrowprops=line, **where)


if __name__ == "__main__":
    main()
