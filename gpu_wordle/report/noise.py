"""Rows, table and sentences of noise experiments."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Any, TypedDict

import numpy as np

from gpu_wordle.errors import counted
from gpu_wordle.experiments.noise.model import After
from gpu_wordle.experiments.noise.table import NoiseTable, Optimum
from gpu_wordle.report import keys
from gpu_wordle.report.keys import Key, schema
from gpu_wordle.report.table import Column, FittedTable


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
    seed: Annotated[int, Key("seed of all draws")]
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


HEADINGS = (
    *("level %", "least\nmean", "median\nmean", "greatest\nmean", "optimal\nruns", "worst\nturn"),
    *("runs that\nlose", "loss at\nmost"),
)
DECIMALS = dict.fromkeys(("least\nmean", "median\nmean", "greatest\nmean"), 4)


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
    study = table.study
    model = study.model
    return {
        "opener": study.game.spell([study.opener])[0],
        "depth": model.depth,
        "seed": model.seed,
        "noise": model.noise.value,
        "small": model.small.value,
        "limit": model.limit.value,
        "draws": model.draws.value,
        "per": model.per.value,
        "after": model.after.value,
        "exact_total": None if optimum is None else optimum.total,
        "bound_percent": None if optimum is None else percent(optimum.safe_level(study)),
    }


def noise_table(table: NoiseTable, optimum: Optimum) -> FittedTable:
    """The table of the levels."""
    study, done = table.study, table.is_done
    total = table.total[done]
    mean = total / study.game.answer_count
    is_known = study.model.after is After.OPTIMAL
    columns = zip(
        HEADINGS,
        (
            [f"{float(100 * level):g}" for level in study.levels],
            mean.min(axis=0).tolist(),
            np.median(mean, axis=0).tolist(),
            mean.max(axis=0).tolist(),
            (total == optimum.total).sum(axis=0).tolist(),
            table.worst[done].max(axis=0).tolist(),
            (table.lost[done] > 0).sum(axis=0).tolist(),
            [optimum.greatest_loss(study, level) if is_known else None for level in study.levels],
        ),
        strict=True,
    )
    return FittedTable(
        [Column(name, values, DECIMALS.get(name, 0)) for name, values in columns], HEADINGS
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
        said.append("every run surely wins in time at every level")
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
    departure = [table.departure[run] for run in np.flatnonzero(table.is_done).tolist()]
    known = sorted(float(100 * level) for level in departure if level is not None)
    if not known:
        horizon = float(100 * table.study.model.horizon)
        return f"no run leaves the optimum below {horizon:.4g} %; above that is not looked for"
    runs = f"{counted(len(known), 'run')} of {len(departure)}"
    middle = known[len(known) // 2]
    return (
        f"{runs} leave the optimum, first at {known[0]:.4g} % to {known[-1]:.4g} %, "
        f"in the median {middle:.4g} %"
    )
