"""Noise experiments: what play by slightly wrong values costs, and from which level on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gpu_wordle.experiments.noise.table import NoiseTable, Optimum
from gpu_wordle.report.content import Block, Facts, Picture, Prose, Section, Table
from gpu_wordle.report.noise import (
    departure_sentence,
    describe_noise,
    noise_answer,
    noise_table,
    percent,
    plain_reading,
    theorem_sentence,
)
from gpu_wordle.report.sections.source import Kind, Source
from gpu_wordle.report.table import Column, columns_of
from gpu_wordle.store.form import NOISE
from gpu_wordle.store.noise_files import read_experiment

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FIGURES = {"noise": "What noise costs by its level, and where runs leave the optimum"}

MODEL = ("opener", "depth", "seed", "noise", "small", "limit", "draws", "per", "after")
"""What is said of the model, by the names of the options."""


def noise_sections(source: Source) -> list[Section]:
    """What a report says of a noise experiment."""
    table, optimum = read_experiment(source.path, source.contents, source.game)
    answer = noise_answer(table, optimum)
    facts = {**source.asked, **{name: str(answer[name]) for name in MODEL}, "searched": str(table)}
    overview: list[Block] = [Facts(facts)]
    if not table.is_done.any():
        return [Section("Overview", overview)]
    overview += [
        Prose(f"{sentence[0].upper()}{sentence[1:]}.")
        for sentence in (
            *plain_reading(table, optimum),
            departure_sentence(table),
            theorem_sentence(table, optimum),
        )
    ]
    levels = noise_table(table, optimum).columns
    runs = columns_of(describe_noise(table, optimum))
    return [
        Section("Overview", [*overview, _picture(table, optimum)]),
        Section("Levels", [Table.of("levels", "The runs of each level, summed up", levels)]),
        Section("Runs", [Table.of("runs", "Every run at every level", runs)]),
    ]


def _picture(table: NoiseTable, optimum: Optimum) -> Picture:
    """Means against levels, and the runs that have left the optimum."""
    done = np.flatnonzero(table.is_done).tolist()
    means = table.total[done] / table.study.game.answer_count
    lost = (table.lost[done] > 0).sum(axis=0)

    def draw() -> Figure:
        from gpu_wordle.report.noise_plot import draw_noise

        return draw_noise(table, optimum)

    columns = [
        Column("level_percent", [percent(level) for level in table.study.levels]),
        Column("least_mean", means.min(axis=0).tolist(), 4),
        Column("median_mean", np.median(means, axis=0).tolist(), 4),
        Column("greatest_mean", means.max(axis=0).tolist(), 4),
        Column("runs_that_lose", lost.tolist()),
    ]
    return NOISE_FILES.picture("noise", draw, columns)


NOISE_FILES = Kind(NOISE, FIGURES, noise_sections)
