"""Compare the loss of greedy rules with the loss by noisy values at each level.

Reads the output of ``gpu-wordle noise --format csv`` and ``gpu-wordle simulate --format csv`` for
the same opener. For each rule it finds the levels between which the median run loses as much:

    python scripts/publish/noise_of_rules.py results/noise/salet-depth-3.csv \
        results/simulations/original-*.csv --opener salet --out results/noise/rules-salet
"""

from __future__ import annotations

import argparse
import csv
from collections import defaultdict
from pathlib import Path
from statistics import median

from matplotlib.figure import Figure

COLUMNS = ("rule", "opener", "loss", "level_percent", "below_percent", "above_percent")


def rows_of(path: Path) -> list[dict[str, str]]:
    """Return the rows of a CSV file."""
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def median_losses(paths: list[Path]) -> list[tuple[float, float]]:
    """Return levels in percent with the median loss of their runs, the lowest level first."""
    gaps = defaultdict(list)
    for path in paths:
        for row in rows_of(path):
            gaps[float(row["level_percent"])].append(int(row["gap"]))
    return [(level, median(found)) for level, found in sorted(gaps.items())]


def losses_of_rules(paths: list[Path], opener: str) -> dict[str, int]:
    """Return the loss of each rule against the optimum after an opener, the least first."""
    rows = [row for path in paths for row in rows_of(path) if row["opener"] == opener]
    return dict(sorted(((r["strategy"], int(r["gap"])) for r in rows), key=lambda each: each[1]))


def worth(loss: int, curve: list[tuple[float, float]]) -> tuple[float | None, ...]:
    """Return the level with this median loss, by linear interpolation between two levels.

    Returns it with these two levels; None where they are unknown.
    """
    below = [(level, known) for level, known in curve if known <= loss]
    above = [(level, known) for level, known in curve if known > loss]
    if not below or not above:
        return None, below[-1][0] if below else None, above[0][0] if above else None
    (low, least), (high, most) = below[-1], above[0]
    return low + (high - low) * (loss - least) / (most - least), low, high


def draw(curve: list[tuple[float, float]], rules: dict[str, int], opener: str) -> Figure:
    """Draw median losses by level, and the losses of the rules as lines."""
    figure = Figure(figsize=(7.5, 4.6), layout="constrained")
    axes = figure.subplots()
    axes.plot(*zip(*curve, strict=True), "o-", color="#3a6ea5", label="noisy values, median run")
    highest = 1.6 * max(known for _, known in curve)
    # names are drawn apart, even if losses are close
    for place, (rule, loss) in enumerate(rules.items()):
        if loss <= highest:
            axes.axhline(loss, color="#b8520b", linewidth=1)
            axes.annotate(
                rule, (0.01 + 0.14 * place, loss), xycoords=("axes fraction", "data"), va="bottom"
            )
    axes.set_xlabel("noise, percent of the value")
    axes.set_ylabel("guesses lost, over all answers")
    axes.set_title(f"{opener.upper()}: greedy rules beside noisy values", loc="left")
    axes.set_ylim(0, highest)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False, loc="upper left")
    return figure


def main() -> None:
    """Read the files, and write a table and a picture."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="+", type=Path, help="CSV of noise, and of simulations")
    parser.add_argument("--opener", default="salet")
    parser.add_argument("--out", type=Path, required=True, help="name without a suffix")
    asked = parser.parse_args()
    is_noise = {path: "level_percent" in rows_of(path)[0] for path in asked.files}
    curve = median_losses([path for path in asked.files if is_noise[path]])
    rules = losses_of_rules([path for path in asked.files if not is_noise[path]], asked.opener)
    with asked.out.with_suffix(".csv").open("w", newline="", encoding="utf-8") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(COLUMNS)
        for rule, loss in rules.items():
            levels = ["" if level is None else f"{level:g}" for level in worth(loss, curve)]
            table.writerow([rule, asked.opener, loss, *levels])
    picture = draw(curve, rules, asked.opener)
    picture.savefig(asked.out.with_suffix(".png"), dpi=150)
    picture.savefig(asked.out.with_suffix(".svg"), metadata={"Date": None})


if __name__ == "__main__":
    main()
