"""Two rankings side by side: of other lists, rules, objectives or weights."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.errors import counted
from gpu_wordle.experiments.rank_correlation import kendall, spearman
from gpu_wordle.ranking.openers import Status
from gpu_wordle.report.content import Block, Facts, Picture, Prose, Section, Table, shown_names
from gpu_wordle.report.sections.rankings import OpenerValues
from gpu_wordle.report.sections.source import Source
from gpu_wordle.report.table import Column

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOVED = 20
"""Openers in each table of what moved most."""

FIGURES = {
    "two-ranks": "Ranks of the openers that both rankings have",
    "two-means": "Mean guesses of each opener in both rankings",
    "two-differences": "Difference of the means of each opener",
}


class Both:
    """The openers of which both rankings know a rank; arrays are [N] in the first one's order.

    An opener that is not exact has no rank. Ranks are counted anew among those of both, and equal
    values share their mean rank.
    """

    def __init__(self, first: Source, second: Source) -> None:
        self.one, self.other = OpenerValues(first), OpenerValues(second)
        place = {word: i for i, word in enumerate(self.other.words)}
        pairs = [(i, place[word]) for i, word in enumerate(self.one.words) if word in place]
        self.shared = len(pairs)
        exact = [
            pair
            for pair in pairs
            if self.one.status[pair[0]] == self.other.status[pair[1]] == Status.EXACT
        ]
        mine, theirs = np.array(exact, np.intp).reshape(-1, 2).T
        self.words = [self.one.words[i] for i in mine]
        self.values = self._of(self.one, mine), self._of(self.other, theirs)
        self.ranks = mean_ranks(self.values[0]), mean_ranks(self.values[1])
        self.means = self._means(self.one, mine), self._means(self.other, theirs)

    @property
    def has_means(self) -> bool:
        """Whether each opener has a mean in both."""
        return not np.isnan(np.concatenate(self.means)).any()

    @property
    def climbs(self) -> NDArray[np.float64]:
        """Places by which the second ranking puts each opener higher."""
        return self.ranks[0] - self.ranks[1]

    @property
    def differences(self) -> NDArray[np.float64]:
        """Mean guesses that the second ranking takes more, to six places."""
        return (self.means[1] - self.means[0]).round(6)

    @staticmethod
    def _of(openers: OpenerValues, places: NDArray[np.intp]) -> NDArray[np.int64]:
        """Values as the search knows them, which order openers."""
        return openers.table.openers.upper[openers.rows[places]]

    @staticmethod
    def _means(openers: OpenerValues, places: NDArray[np.intp]) -> NDArray[np.float64]:
        """Guesses of an answer on average."""
        known, figures = openers.table.openers, openers.table.figures
        found = []
        for guess in openers.rows[places]:
            named = figures.named(int(known.upper[guess]), known.weight_distribution[guess])
            found.append(np.nan if named["mean"] is None else float(named["mean"]))
        return np.array(found)


def mean_ranks(values: NDArray[np.int64]) -> NDArray[np.float64]:
    """Ranks from 1, the least first; equal values share the mean of their ranks."""
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = counts.cumsum()
    return np.asarray((last - (counts - 1) / 2)[place])


def compared_sections(first: Source, second: Source) -> list[Section]:
    """What a report says of two rankings."""
    both = Both(first, second)
    named = shown_names([first.path, second.path])
    names = named[first.path], named[second.path]
    differences = {
        key: f"{value} | {second.asked.get(key, '-')}"
        for key, value in first.asked.items()
        if value != second.asked.get(key)
    }
    facts = {**differences, "openers in both": f"{both.shared:,}"}
    if len(both.words) < 2:
        said = Prose("Fewer than two openers are exact in both, so that no ranks are compared.")
        return [Section("Overview", [Facts(facts), said])]
    facts["exact in both"] = f"{len(both.words):,}"
    for name, found in (("Kendall's tau", kendall), ("Spearman's rho", spearman)):
        value = found(*both.values)
        facts[name] = "-" if value is None else f"{value:.4f}"
    blocks: list[Block] = [Facts(facts), _ranks(both, names)]
    if both.has_means:
        blocks += [_means(both, names), _differences(both, names)]
    moved = [
        _moved(both, names, "climbed", f"Openers that {names[1]} ranks higher", -1),
        _moved(both, names, "fell", f"Openers that {names[1]} ranks lower", 1),
        _table(both, names, "both", "All openers of both", range(len(both.words))),
    ]
    said = Prose(
        f"Ranks are those among the {counted(len(both.words), 'opener')} that are exact in both; "
        "equal values share a rank."
    )
    return [Section("Overview", blocks), Section("What moved most", [said, *moved])]


def _table(both: Both, names: tuple[str, str], name: str, title: str, rows: Sequence[int]) -> Table:
    """Some openers with what both rankings say of them."""
    index = np.array(rows, np.intp)

    def column(key: str, values: NDArray[np.float64], decimals: int, heading: str) -> Column:
        return Column(key, values[index].tolist(), decimals, heading)

    columns = [
        Column("opener", [both.words[i] for i in index]),
        column("first_rank", both.ranks[0], 1, f"rank\n{names[0]}"),
        column("second_rank", both.ranks[1], 1, f"rank\n{names[1]}"),
        column("climbed", both.climbs, 1, "places\nhigher"),
    ]
    if both.has_means:
        columns += [
            column("first_mean", both.means[0], 4, f"mean\n{names[0]}"),
            column("second_mean", both.means[1], 4, f"mean\n{names[1]}"),
            column("difference", both.differences, 4, "difference"),
        ]
    return Table.of(f"two-{name}", title, columns)


def _moved(both: Both, names: tuple[str, str], name: str, title: str, sign: int) -> Table:
    """The openers that moved most in one direction."""
    order = np.argsort(sign * both.climbs, kind="stable")
    rows = [int(i) for i in order[:MOVED] if sign * both.climbs[i] < 0]
    return _table(both, names, name, title, rows)


def _data(both: Both, of: tuple[NDArray[np.float64], ...], name: str) -> list[Column]:
    return [
        Column("opener", both.words),
        Column(f"first_{name}", of[0].tolist(), 4),
        Column(f"second_{name}", of[1].tolist(), 4),
    ]


def _ranks(both: Both, names: tuple[str, str]) -> Picture:
    def draw() -> Figure:
        from gpu_wordle.report.files_plot import draw_two

        labels = (f"rank in {names[0]}", f"rank in {names[1]}")
        return draw_two(*both.ranks, labels, "Ranks; below the line, openers climb")

    return Picture("two-ranks", FIGURES["two-ranks"], draw, _data(both, both.ranks, "rank"))


def _means(both: Both, names: tuple[str, str]) -> Picture:
    def draw() -> Figure:
        from gpu_wordle.report.files_plot import draw_two

        labels = (f"mean guesses in {names[0]}", f"mean guesses in {names[1]}")
        return draw_two(*both.means, labels, "Means; on the line they are equal")

    return Picture("two-means", FIGURES["two-means"], draw, _data(both, both.means, "mean"))


def _differences(both: Both, names: tuple[str, str]) -> Picture:
    def draw() -> Figure:
        from gpu_wordle.report.files_plot import draw_spread

        labels = (f"mean guesses in {names[1]} less those in {names[0]}", "openers")
        return draw_spread(both.differences, labels, "What the difference costs")

    name = "two-differences"
    return Picture(name, FIGURES[name], draw, _data(both, both.means, "mean"))
