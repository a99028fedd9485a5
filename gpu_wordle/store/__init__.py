"""Files: rankings and strategies in HDF5, strategies in text and JSON too."""

from gpu_wordle.store.hdf5 import Contents, Dataset, check_replaceable, digest, load, save
from gpu_wordle.store.provenance import (
    check_same_game,
    check_same_words,
    describe,
    feedback_of,
    read_objective,
    read_words,
)
from gpu_wordle.store.ranking_files import (
    RankingFile,
    openers_datasets,
    read_openers,
    statistics_datasets,
)
from gpu_wordle.store.tree_files import StoredTree, check_suffix, load_tree, save_tree

__all__ = [
    "Contents",
    "Dataset",
    "RankingFile",
    "StoredTree",
    "check_replaceable",
    "check_same_game",
    "check_same_words",
    "check_suffix",
    "describe",
    "digest",
    "feedback_of",
    "load",
    "load_tree",
    "openers_datasets",
    "read_objective",
    "read_openers",
    "read_words",
    "save",
    "save_tree",
    "statistics_datasets",
]
