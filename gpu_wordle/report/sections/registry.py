"""All kinds of files that reports take. A new kind is a module and a line in each table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from gpu_wordle.report import league, noise, pairs, simulations
from gpu_wordle.report.content import Section
from gpu_wordle.report.sections import (
    analyses,
    certificates,
    compared,
    documents,
    games,
    rankings,
    strategies,
    trees,
)
from gpu_wordle.report.sections.source import Source
from gpu_wordle.store.form import ANALYSIS, LEAGUE, NOISE, PAIRS, RANKING, SIMULATION, TREE

KINDS: Mapping[str, Callable[[Source], Sequence[Section]]] = {
    RANKING: rankings.ranking_sections,
    SIMULATION: simulations.simulation_sections,
    PAIRS: pairs.pair_sections,
    NOISE: noise.noise_sections,
    LEAGUE: league.league_sections,
    TREE: trees.tree_sections,
    ANALYSIS: analyses.analysis_sections,
}
"""The function that makes the sections on an HDF5 file, by filetype."""

FIGURES: Mapping[str, Mapping[str, str]] = {
    RANKING: rankings.FIGURES,
    SIMULATION: simulations.FIGURES,
    PAIRS: pairs.FIGURES,
    NOISE: noise.FIGURES,
    LEAGUE: league.FIGURES,
    TREE: trees.FIGURES,
    ANALYSIS: analyses.FIGURES,
    "any HDF5 file of a game of words": games.FIGURES,
    "two rankings": compared.FIGURES,
    "simulations, alone or with rankings": strategies.FIGURES,
    "certificate": certificates.FIGURES,
    "what a verb printed (JSON, CSV, Parquet)": documents.FIGURES,
}
"""All pictures with their titles, by kind of file."""
