"""Two rankings compared, which may differ in lists, rules, objectives or weights."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.errors import counted
from gpu_wordle.experiments.rank_correlation import kendall, spearman
from gpu_wordle.game.spelling import capitals
from gpu_wordle.report.content import Block, Figures, Section, Table, shown_names
from gpu_wordle.report.figures import first_words
from gpu_wordle.report.plots import draw_spread, draw_two
from gpu_wordle.report.ranking import RankingTable
from gpu_wordle.report.sections.rankings import OpenerValues
from gpu_wordle.report.sections.source import Source
from gpu_wordle.report.table import Column

MOVED = 20
"""Openers in each table of the largest moves."""
NAMED = 6
"""Most openers named of those that are left out."""
_SHOWN = {"guesses": "{} guesses", "answers": "{} answers", "guess limit": "limit {}"}
"""How facts that tell rankings apart are written in names."""

FIGURES = Figures(
    {
        "two-ranks": "Ranks of the openers that are exact in both rankings",
        "two-means": "Mean guesses of each opener in both rankings",
        "two-differences": "Difference of the means of each opener",
    }
)


class Both:
    """The openers with a rank in both rankings; arrays are [2, N] in the order of the first.

    Only exact openers have a rank. Ranks are recomputed among the openers of both, and equal
    values share their mean rank.

    Attributes:
        names: what tells the rankings apart, as in ``hard``; their file names if nothing does.
        left_out: openers of both lists without a rank here, best in the first ranking first.
        unit: the distance of possible differences of means; None if the objectives or the numbers
            of answers allow any.
    """

    def __init__(self, first: Source, second: Source) -> None:
        self.names = names_of(first, second)
        one, other = OpenerValues(first), OpenerValues(second)
        place = {word: i for i, word in enumerate(other.words)}
        shared = np.array([(i, place[w]) for i, w in enumerate(one.words) if w in place], np.intp)
        self.shared = len(shared)
        mine, theirs = shared.reshape(-1, 2).T
        is_exact = one.is_exact[mine] & other.is_exact[theirs]
        self.words = [one.words[i] for i in mine[is_exact]]
        self.left_out = [one.words[i] for i in mine[~is_exact]]
        guesses = one.rows[mine[is_exact]], other.rows[theirs[is_exact]]
        tables = one.table, other.table
        self.values = [t.openers.upper[g] for t, g in zip(tables, guesses, strict=True)]
        self.ranks = np.array([mean_ranks(each) for each in self.values])
        self.means = np.array([_means(t, g) for t, g in zip(tables, guesses, strict=True)])
        self.climbs = self.ranks[0] - self.ranks[1]
        self.differences = (self.means[1] - self.means[0]).round(6)
        answers = {len(source.position.state) for source in (first, second)}
        is_whole = first.objective.is_mean and second.objective.is_mean and len(answers) == 1
        self.unit = 1 / answers.pop() if is_whole else None

    @property
    def said(self) -> str:
        """A remark on the openers that are left out; empty if none are."""
        if not self.left_out:
            return ""
        named = first_words([capitals(word) for word in self.left_out], ", ", most=NAMED)
        openers = counted(len(self.left_out), "opener")
        return f"Without {openers} that are not exact in both: {named}."

    @property
    def has_means(self) -> bool:
        """Whether all openers have a mean in both."""
        return not np.isnan(self.means).any()


def names_of(first: Source, second: Source) -> tuple[str, str]:
    """What tells two rankings apart, such as their rules; their file names if nothing does."""
    told: list[list[str]] = [[], []]
    for key, value in first.asked.items():
        if value != (other := second.asked.get(key, "")):
            for said, fact in zip(told, (value, other), strict=True):
                said.append(_SHOWN.get(key, "{}").format(fact))
    found = ", ".join(told[0]), ", ".join(told[1])
    if found[0] != found[1]:
        return found
    named = shown_names([first.path, second.path])
    return named[first.path], named[second.path]


def _means(table: RankingTable, guesses: NDArray[np.intp]) -> list[float]:
    """The mean guesses of each opener; nan if it has none."""
    known = table.openers
    named = (
        table.figures.named(int(known.upper[g]), known.weight_distribution[g]) for g in guesses
    )
    return [np.nan if each["mean"] is None else float(each["mean"]) for each in named]


def mean_ranks(values: NDArray[np.int64]) -> NDArray[np.float64]:
    """Ranks from 1, least value first; equal values share their mean rank."""
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = counts.cumsum()
    return np.asarray((last - (counts - 1) / 2)[place])


def compared_sections(first: Source, second: Source) -> list[Section]:
    """The sections that compare two rankings."""
    both = Both(first, second)
    other = both.names[1]
    facts = {
        key: f"{value} | {second.asked.get(key, '-')}"
        for key, value in first.asked.items()
        if value != second.asked.get(key)
    }
    facts = {"files": f"{first.path.name} | {second.path.name}", **facts}
    facts["openers in both"] = f"{both.shared:,}"
    if len(both.words) < 2:
        said = "Fewer than two openers are exact in both, so no ranks are compared."
        return [Section("Overview", [facts, said])]
    facts["exact in both"] = f"{len(both.words):,}"
    for name, found in (("Kendall's tau", kendall), ("Spearman's rho", spearman)):
        value = found(*both.values)
        facts[name] = "-" if value is None else f"{value:.4f}"
    up, down = (np.argsort(sign * both.climbs, kind="stable")[:MOVED] for sign in (-1, 1))
    moved: list[Block] = [
        (
            f"Ranks are those among the {counted(len(both.words), 'opener')} that are exact in "
            "both; equal values share a rank."
        ),
        *([both.said] if both.said else []),
        _table(both, "climbed", f"Openers that rank better: {other}", up[both.climbs[up] > 0]),
        _table(both, "fell", f"Openers that rank worse: {other}", down[both.climbs[down] < 0]),
        _table(both, "both", "All openers of both", np.arange(len(both.words))),
    ]
    return [
        Section("Overview", [facts, *_pictures(both)]),
        Section("What moved most", moved),
    ]


def _table(both: Both, name: str, title: str, index: NDArray[np.intp]) -> Table:
    """A table of some openers with their figures in both rankings."""
    one, other = both.names

    def column(key: str, of: NDArray[np.float64], decimals: int, heading: str) -> Column:
        return Column(key, of[index].tolist(), decimals, heading)

    columns = [
        Column("opener", [both.words[i] for i in index]),
        column("first_rank", both.ranks[0], 1, f"rank\n{one}"),
        column("second_rank", both.ranks[1], 1, f"rank\n{other}"),
        column("climbed", both.climbs, 1, "places\nhigher"),
    ]
    if both.has_means:
        columns += [
            column("first_mean", both.means[0], 4, f"mean\n{one}"),
            column("second_mean", both.means[1], 4, f"mean\n{other}"),
            column("difference", both.differences, 4, "difference"),
        ]
    return Table.of(f"two-{name}", title, columns)


def _pictures(both: Both) -> list[Block]:
    """Pictures of ranks, and of means and their differences if all are known."""
    one, other = both.names

    def data(name: str, of: NDArray[np.float64]) -> list[Column]:
        ends = zip(("first", "second"), of.tolist(), strict=True)
        return [Column("opener", both.words), *(Column(f"{e}_{name}", v, 4) for e, v in ends)]

    ranks = (f"rank: {one}", f"rank: {other}")
    means = (f"mean guesses: {one}", f"mean guesses: {other}")
    differences = (f"mean guesses: {other}, less {one}", "openers")
    title = "Ranks of openers; below the line, the second rank is better"
    x, y = both.ranks
    pictures: list[Block] = [
        FIGURES.picture(
            "two-ranks", lambda: draw_two(x, y, ranks, title, both.said), data("rank", both.ranks)
        )
    ]
    if both.has_means:
        mine, theirs = both.means
        pictures += [
            FIGURES.picture(
                "two-means",
                lambda: draw_two(mine, theirs, means, "Mean guesses of each opener", both.said),
                data("mean", both.means),
            ),
            FIGURES.picture(
                "two-differences",
                lambda: draw_spread(
                    both.differences,
                    differences,
                    "Difference of the means",
                    both.unit,
                    both.said,
                ),
                data("mean", both.means),
            ),
        ]
    return pictures
