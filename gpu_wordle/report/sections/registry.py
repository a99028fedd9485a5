"""All kinds of files that reports are on. A new one is a module of this folder, and a line here."""

from __future__ import annotations

from collections.abc import Mapping

from gpu_wordle.report.sections import compared, documents, games
from gpu_wordle.report.sections.analyses import ANALYSES
from gpu_wordle.report.sections.noise import NOISE_FILES
from gpu_wordle.report.sections.pairs import PAIR_FILES
from gpu_wordle.report.sections.rankings import RANKINGS
from gpu_wordle.report.sections.simulations import SIMULATIONS
from gpu_wordle.report.sections.source import Kind
from gpu_wordle.report.sections.trees import TREES

KINDS: Mapping[str, Kind] = {
    kind.filetype: kind
    for kind in (RANKINGS, SIMULATIONS, PAIR_FILES, NOISE_FILES, TREES, ANALYSES)
}
"""What is said of HDF5 files, by what they say that they hold."""

DOCUMENT = "what a verb printed (JSON, CSV, Parquet)"
TWO_RANKINGS = "two rankings"
GAME = "any HDF5 file of a game of words"

FIGURES: Mapping[str, Mapping[str, str]] = {
    **{filetype: kind.figures for filetype, kind in KINDS.items()},
    GAME: games.FIGURES,
    TWO_RANKINGS: compared.FIGURES,
    DOCUMENT: documents.FIGURES,
}
"""The pictures that there are, with what they show, by the files that they are of."""
