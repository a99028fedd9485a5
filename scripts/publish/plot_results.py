"""Draw the pictures of the README and of docs/results.md from the published rankings.

``python scripts/publish/plot_results.py --out docs/images`` reads
results/openers-original-*.h5 and writes openers.png (the ranking under two rules) and entropy.png
(entropy against the exact value). It needs matplotlib: ``pip install '.[plot]'``.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from gpu_wordle import store
from gpu_wordle.game.words import load_words
from gpu_wordle.ranking.openers import Status

ROOT = Path(__file__).parents[2]
NORMAL, HARD, QUIET = "#2f7d4f", "#b8860b", "#7a7a7a"
SHOWN = ("salet", "adieu", "fuzzy", "qajaq")


@dataclass(frozen=True)
class Openers:
    """The data of the pictures on the openers under a rule.

    Attributes:
        words: all openers.
        mean: float64[G], exact means; NaN for openers that do not surely win in time.
        entropy: float64[G], bits of their feedback.
    """

    words: tuple[str, ...]
    mean: np.ndarray
    entropy: np.ndarray

    def of(self, word: str) -> tuple[float, float]:
        """Return mean and entropy of an opener."""
        place = self.words.index(word)
        return float(self.mean[place]), float(self.entropy[place])


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
    """Read the published openers under a rule."""
    words = load_words("original")
    file = store.load(ROOT / f"results/openers-original-{rule}.h5")
    openers = store.read_openers(file)
    is_exact = openers.status == Status.EXACT
    mean = np.where(is_exact, openers.upper / len(words.answers), np.nan)
    return Openers(words.guesses.words, mean, file.datasets["statistics/entropy"].values)


def draw_openers(normal: Openers, hard: Openers, path: Path) -> None:
    """Draw histograms of the exact means under both rules, with some openers named."""
    figure = Figure(figsize=(8, 3.4), layout="constrained")
    axes = figure.subplots()
    bins = np.arange(3.40, 4.25, 0.01)
    lost = int(np.isnan(hard.mean).sum())
    for openers, colour, label in (
        (normal, NORMAL, f"normal rule: {len(normal.words):,} openers, all exact"),
        (hard, HARD, f"hard mode: {len(hard.words) - lost:,} exact, {lost:,} cannot surely win"),
    ):
        axes.hist(openers.mean[~np.isnan(openers.mean)], bins, color=colour, alpha=0.6, label=label)
    for word in SHOWN:
        name_opener(axes, word, normal.of(word)[0])
    axes.set_xlabel("mean number of guesses of the best strategy, proven")
    axes.set_ylabel("openers")
    axes.legend(frameon=False)
    figure.savefig(path, dpi=120)


def name_opener(axes: Axes, word: str, mean: float) -> None:
    """Point at an opener under the normal rule."""
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
    """Draw entropy against exact mean, one dot for each opener."""
    figure = Figure(figsize=(8, 3.6), layout="constrained")
    axes = figure.subplots()
    axes.set_ylim(3.36, 4.14)
    axes.scatter(normal.entropy, normal.mean, s=2, color=NORMAL, alpha=0.25, linewidths=0)
    # the best opener, and the one with most entropy
    for word, offset in (("salet", (-60, 4)), ("soare", (0, 34))):
        mean, entropy = normal.of(word)
        axes.annotate(
            f"{word.upper()} {mean:.4f}",
            xy=(entropy, mean),
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
