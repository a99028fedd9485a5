"""Files: rankings, simulations and strategies in HDF5, strategies in text and JSON too."""

from gpu_wordle.store.analysis_files import load_analysis, save_analysis
from gpu_wordle.store.contents import Contents, Dataset, digest
from gpu_wordle.store.hdf5 import is_hdf5, load, save
from gpu_wordle.store.job_files import check_suffix
from gpu_wordle.store.provenance import (
    check_same_words,
    describe,
    feedback_of,
    read_objective,
    read_position,
    read_words,
)
from gpu_wordle.store.ranking_files import (
    RankingFile,
    openers_datasets,
    read_openers,
    read_statistics,
    statistics_datasets,
)
from gpu_wordle.store.simulation_files import SimulationFile, games_datasets, read_simulations
from gpu_wordle.store.tree_files import StoredTree, check_writable, load_tree, save_tree

__all__ = [
    "Contents",
    "Dataset",
    "RankingFile",
    "SimulationFile",
    "StoredTree",
    "check_same_words",
    "check_suffix",
    "check_writable",
    "describe",
    "digest",
    "feedback_of",
    "games_datasets",
    "is_hdf5",
    "load",
    "load_analysis",
    "load_tree",
    "openers_datasets",
    "read_objective",
    "read_openers",
    "read_position",
    "read_simulations",
    "read_statistics",
    "read_words",
    "save",
    "save_analysis",
    "save_tree",
    "statistics_datasets",
]
