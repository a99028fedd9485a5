"""Noise experiments: the cost of play by slightly wrong values, by level."""

from __future__ import annotations

import numpy as np

from gpu_wordle.report.content import Block, Figures, Section, Table
from gpu_wordle.report.noise import (
    departure_sentence,
    describe_noise,
    draw_noise,
    noise_table,
    percent,
    plain_reading,
    theorem_sentence,
)
from gpu_wordle.report.sections.source import Source
from gpu_wordle.report.table import Column, columns_of
from gpu_wordle.store.kinds import read_experiment, told_of

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
