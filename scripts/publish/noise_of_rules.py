"""Compare the loss of greedy rules with the loss by noisy values at each level.

Reads the output of ``gpu-wordle noise --format csv``, and files of ``gpu-wordle simulate`` or
``merge``, for the same opener. For each rule it finds the levels between which the median run loses
as much:

    python scripts/publish/noise_of_rules.py results/noise/salet-depth-3.csv \
        results/simulations/original-strategies.h5 --opener salet --out results/noise/rules-salet
"""

from __future__ import annotations

import csv
from collections import defaultdict
from pathlib import Path
from statistics import median

from matplotlib.figure import Figure

import gpu_wordle as gw
from gpu_wordle.report.pictures import panel
from scripts.bench.common import options
from scripts.publish.noise_curves import write

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
    found = (gw.open_results(path) for path in paths)
    losses = {name: games[name, opener]["gap"] for games in found for name in games.strategies}
    return dict(sorted(losses.items(), key=lambda each: each[1]))


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
    """Median losses by level, and the losses of the rules as lines."""
    title = f"{opener.upper()}: greedy rules beside noisy values"
    labels = "noise, percent of the value", "guesses lost, over all answers"
    figure, axes = panel(title, *labels, (7.5, 4.6))
    axes.plot(*zip(*curve, strict=True), "o-", color="#3a6ea5", label="noisy values, median run")
    highest = 1.6 * max(known for _, known in curve)
    # names are drawn apart, even if losses are close
    for place, (rule, loss) in enumerate(rules.items()):
        if loss <= highest:
            axes.axhline(loss, color="#b8520b", linewidth=1)
            axes.annotate(
                rule, (0.01 + 0.14 * place, loss), xycoords=("axes fraction", "data"), va="bottom"
            )
    axes.set_ylim(0, highest)
    axes.legend(frameon=False, loc="upper left")
    return figure


def main() -> None:
    """Read the files, and write a table and a picture."""
    asked = options(__doc__, "files...", opener="salet")
    noise = [path for path in asked.files if path.suffix == ".csv"]
    curve = median_losses(noise)
    rules = losses_of_rules([path for path in asked.files if path not in noise], asked.opener)
    rows = [
        [rule, asked.opener, loss, *("" if x is None else f"{x:g}" for x in worth(loss, curve))]
        for rule, loss in rules.items()
    ]
    write(asked.out, COLUMNS, rows, draw(curve, rules, asked.opener))


if __name__ == "__main__":
    main()
