"""Noise experiments: rows, table, sentences, picture, and the sections of reports."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any, TypedDict

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.errors import counted
from gpu_wordle.experiments.noise.model import After, Per
from gpu_wordle.experiments.noise.table import NoiseTable, Optimum
from gpu_wordle.game.spelling import capitals
from gpu_wordle.report import keys
from gpu_wordle.report.content import Block, Figures, Section, Table
from gpu_wordle.report.keys import Key, schema
from gpu_wordle.report.pictures import COLOUR, MARK, open_corner, sheet
from gpu_wordle.report.sections.source import Source
from gpu_wordle.report.table import Column, FittedTable, columns_of
from gpu_wordle.store.kinds import read_experiment, told_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


@schema
class NoiseRow(TypedDict):
    """A run at a level of noise."""

    level_percent: Annotated[float, Key("level of noise, percent")]
    run: Annotated[int, Key("number of the run, from 0; each run has its own draws")]
    total: keys.Total
    mean: keys.Mean
    distribution: keys.Distribution
    worst: keys.Worst
    lost: keys.Lost
    exact_total: keys.ExactTotal
    gap: keys.Gap
    first_departure_percent: Annotated[
        float | None,
        Key("level at which the run first leaves the optimum; null if not found"),
    ]


@schema
class NoiseFacts(TypedDict):
    """The model, and the conclusion of the theorem."""

    opener: keys.Opener
    depth: Annotated[int, Key("number of guesses before the noisy values, including the opener")]
    seed: keys.Seed
    noise: Annotated[str, Key("distribution of the draws: `uniform`, `gaussian` or `one-sided`")]
    small: Annotated[str, Key("which small states are noisy: `noisy`, `exact` or `singles-exact`")]
    limit: Annotated[str, Key("whether values respect the guess limit: `kept` or `dropped`")]
    draws: Annotated[str, Key("the unit that has its own draw: `state` or `visit`")]
    per: Annotated[str, Key("the base of the percentage: `value`, `answer` or `state`")]
    after: Annotated[str, Key("play after the noisy values: `optimal` or `noisy`")]
    exact_total: keys.ExactTotal
    bound_percent: Annotated[
        float | None,
        Key("level below which noise provably costs nothing; null if no level costs anything"),
    ]


def percent(level: Fraction | None) -> float | None:
    """A level in percent."""
    return None if level is None else float(100 * level)


def describe_noise(table: NoiseTable, optimum: Optimum | None) -> list[dict[str, Any]]:
    """A row for each level and searched run, level by level."""
    answers = table.study.game.answer_count
    total, worst, lost = table.total, table.worst, table.lost
    exact = None if optimum is None else optimum.total
    return [
        {
            "level_percent": percent(level),
            "run": run,
            "total": int(total[run, place]),
            "mean": int(total[run, place]) / answers,
            "distribution": np.trim_zeros(table.distribution[run, place], "b").tolist(),
            "worst": int(worst[run, place]),
            "lost": int(lost[run, place]),
            "exact_total": exact,
            "gap": None if exact is None else int(total[run, place]) - exact,
            "first_departure_percent": percent(table.departure[run]),
        }
        for place, level in enumerate(table.study.levels)
        for run in np.flatnonzero(table.is_done).tolist()
    ]


def noise_answer(table: NoiseTable, optimum: Optimum | None) -> dict[str, Any]:
    """The facts about the whole experiment."""
    return {
        **told_of(table.study),
        "exact_total": None if optimum is None else optimum.total,
        "bound_percent": None if optimum is None else percent(optimum.safe_level(table.study)),
    }


def noise_table(table: NoiseTable, optimum: Optimum) -> FittedTable:
    """The table of the levels."""
    study, done = table.study, table.is_done
    total = table.total[done]
    mean = total / study.game.answer_count
    is_known = study.model.after is After.OPTIMAL
    losses = [optimum.greatest_loss(study, level) if is_known else None for level in study.levels]
    return FittedTable(
        [
            Column("level %", [f"{float(100 * level):g}" for level in study.levels], 0),
            Column("least\nmean", mean.min(axis=0).tolist(), 4),
            Column("median\nmean", np.median(mean, axis=0).tolist(), 4),
            Column("greatest\nmean", mean.max(axis=0).tolist(), 4),
            Column("optimal\nruns", (total == optimum.total).sum(axis=0).tolist(), 0),
            Column("worst\nturn", table.worst[done].max(axis=0).tolist(), 0),
            Column("runs that\nlose", (table.lost[done] > 0).sum(axis=0).tolist(), 0),
            Column("loss at\nmost", losses, 0),
        ]
    )


def plain_reading(table: NoiseTable, optimum: Optimum) -> list[str]:
    """Findings of the runs, as sentences without capital and full stop."""
    study, done = table.study, table.is_done
    loss = table.total[done] - optimum.total
    lost = table.lost[done] > 0
    levels = [f"{float(100 * level):g} %" for level in study.levels]
    costs = np.flatnonzero((loss > 0).any(axis=0))
    answers = study.game.answer_count
    said = [f"the optimum is {optimum.total:,} guesses, {optimum.total / answers:.4f} of an answer"]
    if not costs.size:
        said.append(f"no run loses anything at any level up to {levels[-1]}")
    else:
        if costs[0] > 0:
            said.append(f"no run loses anything up to {levels[costs[0] - 1]}")
        middle = float(np.median(loss[:, -1]))
        said.append(
            f"at {levels[-1]} a run loses {middle:g} guesses in the median, which is "
            f"{middle / answers:.4f} of an answer, and at most {int(loss[:, -1].max())}"
        )
    fails = np.flatnonzero(lost.any(axis=0))
    if study.game.objective.max_guesses is None:
        return said
    if fails.size:
        runs = counted(int(lost[:, fails[0]].sum()), "run")
        said.append(f"winning is no longer certain from {levels[fails[0]]} on: there in {runs}")
    else:
        said.append("every run is a guaranteed win at every level")
    return said


def theorem_sentence(table: NoiseTable, optimum: Optimum) -> str:
    """The conclusion of the theorem, as a sentence."""
    level = optimum.safe_level(table.study)
    if level is None:
        return "no noise can cost anything: nothing is left to choose"
    return f"no noise below {float(100 * level):.4g} % can cost anything (by the theorem)"


def departure_sentence(table: NoiseTable) -> str:
    """The levels at which runs first leave the optimum, as a sentence."""
    if table.study.model.after is not After.OPTIMAL:
        return "with noisy play to the end, it is not searched where runs leave the optimum"
    known = _departures(table)
    if not known:
        horizon = float(100 * table.study.model.horizon)
        return f"no run leaves the optimum below {horizon:.4g} %; above that is not looked for"
    runs = f"{counted(len(known), 'run')} of {int(table.is_done.sum())}"
    middle = known[len(known) // 2]
    return (
        f"{runs} leave the optimum, first at {known[0]:.4g} % to {known[-1]:.4g} %, "
        f"in the median {middle:.4g} %"
    )


def _departures(table: NoiseTable) -> list[float]:
    """The levels at which searched runs first leave the optimum, in percent and in order."""
    found = (percent(table.departure[run]) for run in np.flatnonzero(table.is_done).tolist())
    return sorted(level for level in found if level is not None)


PER = {
    Per.VALUE: "of the value",
    Per.ANSWER: "of a guess for each answer",
    Per.STATE: "of a guess for each state",
}


def draw_band(
    axes: Axes, levels: NDArray[np.float64], means: NDArray[np.float64], best: float
) -> None:
    """Median, least and greatest of the means of runs, [R, L], and the optimum as a line."""
    axes.fill_between(
        levels, means.min(axis=0), means.max(axis=0), color=COLOUR, alpha=0.25, linewidth=0,
        label="least to greatest",
    )  # fmt: skip
    axes.plot(levels, np.median(means, axis=0), "o-", ms=4, color=COLOUR, label="median")
    axes.axhline(best, color=MARK, linewidth=1, label=f"optimum {best:.4f}")


def draw_noise(table: NoiseTable, optimum: Optimum) -> Figure:
    """Median, least and greatest mean of the runs, and below the share that left the optimum."""
    study, done = table.study, table.is_done
    answers = study.game.answer_count
    levels = np.array([float(100 * level) for level in study.levels])
    means = table.total[done] / answers
    lost = (table.lost[done] > 0).any(axis=0)
    figure = sheet((7.5, 6.4))
    upper, lower = figure.subplots(2, 1, sharex=True, height_ratios=(3, 1.3))
    open_corner(upper, lower)
    draw_band(upper, levels, means, optimum.total / answers)
    if lost.any():
        upper.plot(
            levels[lost], means.max(axis=0)[lost], "x", color="black",
            label="some run loses an answer",
        )  # fmt: skip
    word = capitals(study.game.spell([study.opener])[0])
    after = f"{word}: values noisy after guess {study.model.depth}"
    upper.set_title(f"{after}, {int(done.sum()):,} runs", loc="left")
    upper.set_ylabel("guesses of an answer, mean")
    upper.legend(frameon=False, loc="upper left")
    left = _departures(table)
    share = np.arange(len(left) + 1) / max(int(done.sum()), 1)
    ends = [min([*left, levels.min()]), *left, max([*left, levels.max()])]
    lower.step(ends, [*share, share[-1]], where="post", color=COLOUR)
    safe = optimum.safe_level(study)
    if safe:
        lower.axvline(float(100 * safe), color=MARK, linewidth=1, linestyle="--")
        lower.annotate("theorem: no loss below", (float(100 * safe), 0.5), rotation=90,
                       ha="right", va="center", fontsize=8, color=MARK)  # fmt: skip
    lower.set_ylim(0, 1.02)
    lower.set_ylabel("runs that have\nleft the optimum")
    lower.set_xlabel(f"noise, percent {PER[study.model.per]}")
    if levels.min() > 0 and levels.max() / levels.min() > 20:
        lower.set_xscale("log")
        lower.xaxis.set_major_formatter("{x:g}")
    return figure


FIGURES = Figures({"noise": "What noise costs by its level, and where runs leave the optimum"})


def noise_sections(source: Source) -> list[Section]:
    """The sections on a noise experiment."""
    table, optimum = read_experiment(source.path, source.contents, source.game)
    model = {name: str(fact) for name, fact in told_of(table.study).items()}
    facts = {**source.asked, **model, "searched": str(table)}
    overview: list[Block] = [facts]
    done = np.flatnonzero(table.is_done)
    if not len(done):
        return [Section("Overview", overview)]
    sentences = (*plain_reading(table, optimum), departure_sentence(table))
    for said in (*sentences, theorem_sentence(table, optimum)):
        overview.append(f"{said[0].upper()}{said[1:]}.")
    means = table.total[done] / table.study.game.answer_count
    data = [
        Column("level_percent", [percent(level) for level in table.study.levels]),
        Column("least_mean", means.min(axis=0).tolist(), 4),
        Column("median_mean", np.median(means, axis=0).tolist(), 4),
        Column("greatest_mean", means.max(axis=0).tolist(), 4),
        Column("runs_that_lose", (table.lost[done] > 0).sum(axis=0).tolist()),
    ]
    overview.append(FIGURES.picture("noise", lambda: draw_noise(table, optimum), data))
    levels = noise_table(table, optimum).columns
    runs = columns_of(describe_noise(table, optimum))
    return [
        Section("Overview", overview),
        Section("Levels", [Table.of("levels", "The runs of each level, summed up", levels)]),
        Section("Runs", [Table.of("runs", "Every run at every level", runs)]),
    ]
