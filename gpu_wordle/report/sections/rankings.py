"""Rankings: every opener, its exact value or its bounds, and what statistics say of it."""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.experiments.predict import Prediction, Predictor, predict
from gpu_wordle.game.spelling import capitals
from gpu_wordle.game.values import INFEASIBLE
from gpu_wordle.ranking.openers import Status
from gpu_wordle.ranking.statistics import STATISTICS
from gpu_wordle.report.compared import prediction_table
from gpu_wordle.report.content import Block, Facts, Picture, Prose, Section, Table
from gpu_wordle.report.ranking import read_table
from gpu_wordle.report.sections.source import Kind, Source
from gpu_wordle.report.spectrum import largest_first, spectrum_columns
from gpu_wordle.report.table import Column
from gpu_wordle.states.partition import entropy_of_counts
from gpu_wordle.store.form import RANKING

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DRAWN_ROWS = 12
"""Openers whose games are drawn."""
SCATTERS_ACROSS = 2
"""Pictures of statistics side by side, so that telephones can show them."""
MIN_PREDICTED = 3
"""Exact openers from which on a rank correlation says something."""

FIGURES = {
    "openers": "Value of every opener by its rank",
    "values": "How the exact values of openers are spread",
    "worst": "The worst case of the best strategies, over the openers",
    "games": "Answers found on each turn by the best openers",
    "statistics": "Exact total of every opener against each statistic",
    "spectrum": "Answers behind each pattern of the best opener",
}


class OpenerValues:
    """The openers of a ranking in the order of their ranks; arrays are [N].

    Attributes:
        source: the file.
        table: all its rows.
        name: the figure that the objective makes least.
    """

    def __init__(self, source: Source) -> None:
        self.source = source
        self.table = read_table(source.contents, source.game.words, lambda: source.position)
        self.name = self.table.figures.names[0]

    @cached_property
    def rows(self) -> NDArray[np.intp]:
        """Indices of the guesses."""
        return np.array(self.table.rows, np.intp)

    @cached_property
    def status(self) -> NDArray[np.int8]:
        """What is known of each."""
        return self.table.openers.status[self.rows]

    @cached_property
    def is_candidate(self) -> NDArray[np.bool_]:
        """Whether it can be the answer."""
        return self.table.candidates[self.rows]

    @cached_property
    def words(self) -> list[str]:
        """How each is spelled."""
        return [self.table.words[g] for g in self.table.rows]

    @cached_property
    def values(self) -> NDArray[np.float64]:
        """The figure of the objective; nan where it is not exact."""
        return self._scaled(self.table.openers.upper, self.status == Status.EXACT)

    @cached_property
    def lower(self) -> NDArray[np.float64]:
        """The least that the figure may be; nan where there is no strategy."""
        lower = self.table.openers.lower
        return self._scaled(lower, lower[self.rows] < INFEASIBLE)

    @cached_property
    def upper(self) -> NDArray[np.float64]:
        """The most that it may be; infinite where no strategy is known."""
        upper = self.table.openers.upper
        known = self._scaled(upper, upper[self.rows] < INFEASIBLE)
        return np.where(np.isnan(known), np.inf, known)

    @property
    def label(self) -> str:
        """What an axis calls the figure."""
        exact = {"worst": "worst case, guesses", "failures": "failures, answers"}
        within = f"answers found within {self.source.objective.within} guesses"
        return {**exact, "within": within, "cost": "cost"}.get(self.name, f"{self.name}, guesses")

    def _scaled(
        self, values: NDArray[np.int64], is_known: NDArray[np.bool_]
    ) -> NDArray[np.float64]:
        """Values as figures, and nan where they are not known; each different one once."""
        result = np.full(len(self.rows), np.nan)
        distinct, place = np.unique(values[self.rows][is_known], return_inverse=True)
        named = [self.table.figures.named(int(value))[self.name] for value in distinct]
        result[is_known] = np.array([np.nan if v is None else v for v in named], float)[place]
        return result


def ranking_sections(source: Source) -> list[Section]:
    """What a report says of a ranking."""
    openers = OpenerValues(source)
    sections = [
        Section("Overview", [Facts({**source.asked, **_counts(openers)}), _ranks(openers)]),
        Section("All openers", [_table(openers)]),
    ]
    if not np.isnan(openers.values).all():
        spread: list[Block] = [_values(openers), _worst(openers), _games(openers)]
        sections.append(Section("Distributions", spread))
    statistics = _statistics(openers)
    if statistics:
        sections.append(Section("What statistics say of the exact value", statistics))
    return [*sections, _best(openers)]


def _counts(openers: OpenerValues) -> dict[str, str]:
    """How many openers there are, and the best of them."""
    facts = {
        status.name.lower(): f"{int((openers.status == status).sum()):,}"
        for status in (Status.EXACT, Status.BOUNDED, Status.INFEASIBLE)
        if (openers.status == status).any()
    }
    if openers.status[0] == Status.EXACT:
        first = openers.table.openers.upper[openers.rows[0]]
        is_best = (openers.table.openers.upper[openers.rows] == first) & (
            openers.status == Status.EXACT
        )
        best = [word for word, each in zip(openers.words, is_best, strict=True) if each]
        facts["best"] = capitals(" ".join(best[:DRAWN_ROWS]))
        if len(best) > DRAWN_ROWS:
            facts["best"] += f" and {len(best) - DRAWN_ROWS:,} more"
        facts["value"] = openers.table.figures.sentence(int(first))
    return facts


def _table(openers: OpenerValues) -> Table:
    """Every opener with all its figures; the bounds only where they say more than the value."""
    hidden = {"value", "seconds", "expanded", "height"}
    if (openers.status == Status.EXACT).all():
        hidden |= {"status", "lower", "upper", "solvable"}
    columns = [each for each in openers.table.all_columns() if each.name not in hidden]
    ranks = Column("rank", list(range(1, len(openers.rows) + 1)))
    return Table.of("openers", "Every opener, the best first", [columns[0], ranks, *columns[1:]])


def _ranks(openers: OpenerValues) -> Picture:
    lower, upper = openers.lower, openers.upper
    has_value = ~np.isnan(lower)
    order = np.flatnonzero(has_value)
    if openers.name == "within":
        lower, upper = np.where(np.isinf(upper), 0, upper), lower  # more is better

    def draw() -> Figure:
        from gpu_wordle.report.files_plot import draw_ranks

        return draw_ranks(lower[order], upper[order], openers.is_candidate[order], openers.label)

    columns = [
        Column("opener", [openers.words[i] for i in order]),
        Column("lower", lower[order].tolist(), 3),
        Column("upper", [None if np.isinf(v) else v for v in upper[order].tolist()], 3),
    ]
    return RANKINGS.picture("openers", draw, columns)


def _values(openers: OpenerValues) -> Picture:
    is_known = ~np.isnan(openers.values)

    def draw() -> Figure:
        from gpu_wordle.report.files_plot import draw_values

        return draw_values(openers.values[is_known], openers.is_candidate[is_known], openers.label)

    values, counts = np.unique(openers.values[is_known], return_counts=True)
    columns = [Column(openers.name, values.tolist(), 3), Column("openers", counts.tolist())]
    return RANKINGS.picture("values", draw, columns)


def _worst(openers: OpenerValues) -> Picture:
    exact = openers.rows[openers.status == Status.EXACT]
    found = Counter(openers.table.openers.worst[exact].tolist())
    counts = {turn: found[turn] for turn in range(min(found), max(found) + 1)}

    def draw() -> Figure:
        from gpu_wordle.report.files_plot import draw_worst

        return draw_worst(counts)

    columns = [Column("worst", list(counts)), Column("openers", list(counts.values()))]
    return RANKINGS.picture("worst", draw, columns)


def _games(openers: OpenerValues) -> Picture:
    exact = openers.rows[openers.status == Status.EXACT][:DRAWN_ROWS]
    names = [capitals(openers.table.words[g]) for g in exact]
    found = openers.table.openers.distribution[exact]
    counts = [np.trim_zeros(each, "b").tolist() for each in found]

    def draw() -> Figure:
        from gpu_wordle.report.files_plot import draw_games

        return draw_games(names, counts, "Games of the best openers, played as well as can be")

    columns = [Column("opener", names), Column("distribution", counts)]
    return RANKINGS.picture("games", draw, columns)


def predictions_of(openers: OpenerValues) -> list[Prediction]:
    """How well each statistic of the file ranks the exact openers; none where these are few."""
    known = openers.table.openers
    is_known = known.status == Status.EXACT
    if is_known.sum() < MIN_PREDICTED:
        return []
    predictors = [
        Predictor(name, values.astype(np.float64), each.most_first, each.units)
        for name, values in openers.table.statistics.items()
        for each in [STATISTICS[name]]
    ]
    return predict(predictors, known.upper, is_known, openers.table.candidates)


def _statistics(openers: OpenerValues) -> list[Block]:
    """A table of rank correlations, and each statistic against the exact value."""
    found = predictions_of(openers)
    if not found:
        return []
    known = openers.table.openers
    is_known = known.status == Status.EXACT
    columns = list(prediction_table(found, openers.table.words).columns)
    if not openers.source.objective.is_mean:  # a value is no number of guesses
        columns = [column for column in columns if not column.name.startswith("regret")]
    exact = openers.rows[openers.status == Status.EXACT]

    def draw() -> Figure:
        from gpu_wordle.report.compared_plot import draw_predictions

        return draw_predictions(found, known.upper, is_known, SCATTERS_ACROSS)

    data = [
        Column("opener", [openers.table.words[g] for g in exact]),
        Column("value", known.upper[exact].tolist()),
        *(Column(each.predictor.name, each.predictor.values[exact].tolist(), 4) for each in found),
    ]
    return [
        Prose(
            "Each statistic of the first guess ranks the openers. Kendall's tau and Spearman's rho "
            "compare that order with the exact one: 1 where both agree, 0 where they have nothing "
            "to do with each other. Regret is what trusting the favourite costs."
        ),
        Table.of("statistics-correlation", "Rank correlation with the exact value", columns),
        RANKINGS.picture("statistics", draw, data),
    ]


def _best(openers: OpenerValues) -> Section:
    """What the first guess of the ranking does to the answers."""
    position = openers.source.position
    game, guess = position.game, int(openers.rows[0])
    column = game.patterns.values[position.state, guess]
    counts = np.bincount(column, minlength=game.patterns.pattern_count)
    word, feedback = openers.table.words[guess], game.words.feedback
    patterns = largest_first(counts)
    caption = f"{len(patterns):,} parts, {entropy_of_counts(counts):.3f} bits"

    def draw() -> Figure:
        from gpu_wordle.report.plot import draw_spectrum

        return draw_spectrum(word, feedback, patterns, counts[patterns], caption)

    columns = spectrum_columns(feedback, counts, None)
    picture = RANKINGS.picture("spectrum", draw, columns)
    return Section(f"The patterns of {capitals(word)}", [picture])


RANKINGS = Kind(RANKING, FIGURES, ranking_sections)
