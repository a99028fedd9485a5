"""Files: rankings, simulations and strategies in HDF5, strategies in text and JSON too.

The names are loaded when they are first used: who writes a ranking need not load what strategies
are.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
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
    from gpu_wordle.store.simulation_files import (
        SimulationFile,
        games_datasets,
        read_simulations,
    )
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

_MODULES = {
    **dict.fromkeys(("load_analysis", "save_analysis"), "analysis_files"),
    **dict.fromkeys(("Contents", "Dataset", "digest"), "contents"),
    **dict.fromkeys(("is_hdf5", "load", "save"), "hdf5"),
    "check_suffix": "job_files",
    **dict.fromkeys(("check_same_words", "describe", "feedback_of"), "provenance"),
    **dict.fromkeys(("read_objective", "read_position", "read_words"), "provenance"),
    **dict.fromkeys(("SimulationFile", "games_datasets", "read_simulations"), "simulation_files"),
    **dict.fromkeys(("StoredTree", "check_writable", "load_tree", "save_tree"), "tree_files"),
}
"""Where the names are that are not in ``ranking_files``."""


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = importlib.import_module(f"{__name__}.{_MODULES.get(name, 'ranking_files')}")
    globals()[name] = getattr(module, name)
    return globals()[name]


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
