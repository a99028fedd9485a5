"""Rankings: all openers with exact values or bounds, and how well statistics predict them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.errors import counted
from gpu_wordle.experiments.predict import Predictor, predict
from gpu_wordle.game.spelling import capitals
from gpu_wordle.game.values import INFEASIBLE
from gpu_wordle.ranking.openers import Status
from gpu_wordle.ranking.solving import SolveReport
from gpu_wordle.ranking.statistics import STATISTICS
from gpu_wordle.report.compared import draw_predictions, prediction_table
from gpu_wordle.report.content import (
    DRAWN_ROWS,
    Block,
    Figures,
    Picture,
    Section,
    Table,
)
from gpu_wordle.report.figures import first_words
from gpu_wordle.report.plots import draw_games, draw_ranks, draw_spectrum, draw_values, draw_worst
from gpu_wordle.report.ranking import read_table
from gpu_wordle.report.sections.source import Source
from gpu_wordle.report.spectrum import largest_first, spectrum_columns
from gpu_wordle.report.table import Column
from gpu_wordle.states.partition import entropy_of_counts

SECOND_GUESSES = 3
"""Best openers whose second guesses are listed."""
MAX_SOLVING_SECONDS = 60.0
"""CPU time that solving an opener may have taken, by its ranking, so that it is solved again."""
SCATTERS_ACROSS = 2
"""Pictures of statistics side by side, few enough for phones."""
MIN_PREDICTED = 3
"""Least number of exact openers for a rank correlation."""

FIGURES = Figures(
    {
        "openers": "Value of every opener by its rank",
        "values": "How the exact values of openers are spread",
        "worst": "The worst case of the best strategies, over the openers",
        "games": "Answers found on each turn by the best openers",
        "statistics": "Exact total of every opener against each statistic",
        "spectrum": "Answers behind each pattern of the best opener",
    }
)


class OpenerValues:
    """The openers of a ranking in order of rank; arrays are [N].

    Attributes:
        source: the file.
        table: all its rows.
        name: the figure that the objective minimises.
        rows: indices of the guesses.
        words: their words.
        status: their status.
        is_exact: whether the value is exact.
        is_candidate: whether the opener can be the answer.
        lower: lower bound of the figure; nan if there is no strategy.
        upper: upper bound of the figure; infinite if no strategy is known.
    """

    def __init__(self, source: Source) -> None:
        self.source = source
        self.table = read_table(source.contents, source.game.words, lambda: source.position)
        known = self.table.openers
        self.name = self.table.figures.names[0]
        self.rows = np.array(self.table.rows, np.intp)
        self.words = [self.table.words[g] for g in self.table.rows]
        self.status = known.status[self.rows]
        self.is_exact = self.status == Status.EXACT
        self.is_candidate = self.table.candidates[self.rows]
        self.lower = self._figures(known.lower[self.rows], np.nan)
        self.upper = self._figures(known.upper[self.rows], np.inf)

    @property
    def label(self) -> str:
        """The axis label of the figure."""
        exact = {"worst": "worst case, guesses", "failures": "failures, answers"}
        guesses = counted(self.source.objective.within or 0, "guess", "guesses")
        within = f"answers found within {guesses}"
        return {**exact, "within": within, "cost": "cost"}.get(self.name, f"{self.name}, guesses")

    def _figures(self, values: NDArray[np.int64], otherwise: float) -> NDArray[np.float64]:
        """The figure of each value, or ``otherwise`` if there is none."""
        distinct, place = np.unique(values, return_inverse=True)
        named = self.table.figures.named
        figures = [named(int(v))[self.name] if v < INFEASIBLE else None for v in distinct]
        return np.array([otherwise if f is None else f for f in figures], float)[place]


def ranking_sections(source: Source) -> list[Section]:
    """The sections on a ranking."""
    openers = OpenerValues(source)
    sections = [
        Section("Overview", [{**source.asked, **_counts(openers)}, _ranks(openers)]),
        Section("All openers", [_table(openers)]),
    ]
    if openers.is_exact.any():
        spread = [_values(openers), _worst(openers), _games(openers)]
        sections.append(Section("Distributions", spread))
    if openers.is_exact.sum() >= MIN_PREDICTED:
        said = _statistics(openers)
        sections.append(Section("What statistics say of the exact value", said))
    return [*sections, _best(openers)]


def best_openers(source: Source) -> dict[int, int]:
    """The values of the best openers, by guess; without those that take long to solve."""
    table = read_table(source.contents, source.game.words, lambda: source.position)
    known = table.openers
    best = [g for g in table.rows if known.status[g] == Status.EXACT][:SECOND_GUESSES]
    return {g: int(known.upper[g]) for g in best if known.seconds[g] <= MAX_SOLVING_SECONDS}


def second_guesses(solved: Sequence[SolveReport]) -> Section:
    """A table for each solved opener: the guess after each feedback, and what is left then."""
    said = "A best second guess for each feedback to the best openers. Others may be as good."
    return Section("Second guesses", [said, *map(_seconds_of, solved)])


def _seconds_of(solved: SolveReport) -> Table:
    """The second guesses of an opener's strategy, most answers first."""
    position, tree = solved.position, solved.result.tree
    assert tree is not None, "the opener has an exact value"
    game, opener = position.game, int(tree.guess[0])
    word = game.words.guesses.words[opener]
    seconds = {
        int(tree.pattern[node]): int(tree.guess[node]) for node in np.flatnonzero(tree.parent == 0)
    }
    rows: list[tuple[str, int, str, str]] = []
    for pattern, guess in seconds.items():
        left = game.part(position.state, opener, pattern)
        answers = first_words([game.words.answers.words[a] for a in left])
        rows.append(
            (game.words.feedback.format(pattern), len(left), game.spell([guess])[0], answers)
        )
    rows.sort(key=lambda row: -row[1])
    names = ("colours", "answers", "second guess", "which")
    columns = [Column(name, [row[i] for row in rows]) for i, name in enumerate(names)]
    title = f"What to guess after {capitals(word)}"
    return Table.of(f"second-guesses-{word}", title, columns)


def _counts(openers: OpenerValues) -> dict[str, str]:
    """The facts about the number of openers and the best ones."""
    found = Counter(openers.status.tolist())
    statuses = (Status.EXACT, Status.BOUNDED, Status.INFEASIBLE)
    facts = {s.name.lower(): f"{found[s]:,}" for s in statuses if found[s]}
    if openers.is_exact[0]:
        values = openers.table.openers.upper[openers.rows]
        places = np.flatnonzero((values == values[0]) & openers.is_exact)
        best = [capitals(openers.words[i]) for i in places]
        facts["best"] = first_words(best, most=DRAWN_ROWS)
        facts["value"] = openers.table.figures.sentence(int(values[0]))
    return facts


def _table(openers: OpenerValues) -> Table:
    """A table of all openers; with bounds only if some value is open."""
    hidden = {"value", "seconds", "expanded", "height"}
    if openers.is_exact.all():
        hidden |= {"status", "lower", "upper", "solvable"}
    columns = [each for each in openers.table.all_columns() if each.name not in hidden]
    ranks = Column("rank", list(range(1, len(openers.rows) + 1)))
    return Table.of("openers", "Every opener, the best first", [columns[0], ranks, *columns[1:]])


def _ranks(openers: OpenerValues) -> Picture:
    has_value = ~np.isnan(openers.lower)
    lower, upper = openers.lower[has_value], openers.upper[has_value]
    if openers.name == "within":
        lower, upper = np.where(np.isinf(upper), 0, upper), lower  # more is better
    is_candidate = openers.is_candidate[has_value]
    columns = [
        Column("opener", [openers.words[i] for i in np.flatnonzero(has_value)]),
        Column("lower", lower.tolist(), 3),
        Column("upper", [None if np.isinf(v) else v for v in upper.tolist()], 3),
    ]
    return FIGURES.picture(
        "openers", lambda: draw_ranks(lower, upper, is_candidate, openers.label), columns
    )


def _values(openers: OpenerValues) -> Picture:
    known, is_candidate = openers.upper[openers.is_exact], openers.is_candidate[openers.is_exact]
    values, counts = np.unique(known, return_counts=True)
    columns = [Column(openers.name, values.tolist(), 3), Column("openers", counts.tolist())]
    return FIGURES.picture(
        "values", lambda: draw_values(known, is_candidate, openers.label), columns
    )


def _worst(openers: OpenerValues) -> Picture:
    exact = openers.rows[openers.is_exact]
    found = Counter(openers.table.openers.worst[exact].tolist())
    counts = {turn: found[turn] for turn in range(min(found), max(found) + 1)}
    columns = [Column("worst", list(counts)), Column("openers", list(counts.values()))]
    return FIGURES.picture("worst", lambda: draw_worst(counts), columns)


def _games(openers: OpenerValues) -> Picture:
    exact = openers.rows[openers.is_exact][:DRAWN_ROWS]
    names = [capitals(openers.table.words[g]) for g in exact]
    found = openers.table.openers.distribution[exact]
    counts = [np.trim_zeros(each, "b").tolist() for each in found]
    title = "Games of the best openers, played as well as can be"
    columns = [Column("opener", names), Column("distribution", counts)]
    return FIGURES.picture("games", lambda: draw_games(names, counts, title), columns)


def _statistics(openers: OpenerValues) -> list[Block]:
    """A table of rank correlations, and pictures of each statistic against the exact value."""
    table = openers.table
    is_known, values = table.openers.status == Status.EXACT, table.openers.upper
    predictors = [
        Predictor(
            name, each.astype(np.float64), STATISTICS[name].most_first, STATISTICS[name].units
        )
        for name, each in table.statistics.items()
    ]
    found = predict(predictors, values, is_known, table.candidates)
    columns = list(prediction_table(found, table.words).columns)
    if not openers.source.objective.is_mean:  # a value is not a number of guesses
        columns = [column for column in columns if not column.name.startswith("regret")]
    exact = openers.rows[openers.is_exact]
    data = [
        Column("opener", [table.words[g] for g in exact]),
        Column("value", values[exact].tolist()),
        *(Column(each.predictor.name, each.predictor.values[exact].tolist(), 4) for each in found),
    ]
    return [
        (
            "Each statistic of the first guess ranks the openers. Kendall's tau and Spearman's rho "
            "compare that order with the exact one: 1 where both agree, 0 where they have nothing "
            "to do with each other. Regret is what trusting the favourite costs."
        ),
        Table.of("statistics-correlation", "Rank correlation with the exact value", columns),
        FIGURES.picture(
            "statistics", lambda: draw_predictions(found, values, is_known, SCATTERS_ACROSS), data
        ),
    ]


def _best(openers: OpenerValues) -> Section:
    """The partition of the answers by the best opener."""
    position = openers.source.position
    game, word = position.game, openers.words[0]
    patterns = game.patterns.values[position.state, openers.rows[0]]
    counts = np.bincount(patterns, minlength=game.patterns.pattern_count)
    feedback, order = game.words.feedback, largest_first(counts)
    caption = f"{counted(len(order), 'group')}, {entropy_of_counts(counts):.3f} bits"
    columns = spectrum_columns(feedback, counts, None)
    picture = FIGURES.picture(
        "spectrum", lambda: draw_spectrum(word, feedback, order, counts[order], caption), columns
    )
    return Section(f"The patterns of {capitals(word)}", [picture])
