"""Exact, batched evaluation of guess-and-feedback games, on a GPU or on CPU cores.

::

    import gpu_wordle as gw

    game = gw.load_game("original", rule="hard")
    result = gw.solve(game.after("salet BYBBG"))
    print(result.best, result.mean, result.tree["BBBBB"].guess)

The names of ``__all__`` are the public API, and are loaded when they are first used. They take
words and give words, and say what is wrong in a :class:`UserError` of one line. Everything else in
the package, underscored or not, is internal and may change at any time.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from gpu_wordle.errors import JobError, UserError
from gpu_wordle.version import __version__

if TYPE_CHECKING:
    from gpu_wordle.api.files import open_results, published
    from gpu_wordle.api.games import Game, Position, load_game
    from gpu_wordle.api.rankings import Ranking
    from gpu_wordle.api.simulations import Simulation
    from gpu_wordle.api.trees import Tree
    from gpu_wordle.api.values import regret, value
    from gpu_wordle.options.telling import Progress
    from gpu_wordle.strategies.strategy import Strategy
    from gpu_wordle.verbs.analyse import analyse
    from gpu_wordle.verbs.guarantee import guarantee
    from gpu_wordle.verbs.merge import merge
    from gpu_wordle.verbs.noise import NoiseRuns, noise
    from gpu_wordle.verbs.pairs import Openings, pairs
    from gpu_wordle.verbs.prove import Proof, prove
    from gpu_wordle.verbs.rank import rank
    from gpu_wordle.verbs.report import write_report
    from gpu_wordle.verbs.simulate import simulate
    from gpu_wordle.verbs.solve import Result, solve
    from gpu_wordle.verbs.suggest import suggest
    from gpu_wordle.verbs.verify import verify_file

__all__ = [
    "Game",
    "JobError",
    "NoiseRuns",
    "Openings",
    "Position",
    "Progress",
    "Proof",
    "Ranking",
    "Result",
    "Simulation",
    "Strategy",
    "Tree",
    "UserError",
    "__version__",
    "analyse",
    "guarantee",
    "load_game",
    "merge",
    "noise",
    "open_results",
    "pairs",
    "prove",
    "published",
    "rank",
    "regret",
    "simulate",
    "solve",
    "suggest",
    "value",
    "verify_file",
    "write_report",
]

_MODULES = {
    **dict.fromkeys(("Game", "Position", "load_game"), "api.games"),
    **dict.fromkeys(("open_results", "published"), "api.files"),
    **dict.fromkeys(("Openings", "pairs"), "verbs.pairs"),
    "Strategy": "strategies.strategy",
    "simulate": "verbs.simulate",
    **dict.fromkeys(("NoiseRuns", "noise"), "verbs.noise"),
    "Progress": "options.telling",
    "Ranking": "api.rankings",
    "rank": "verbs.rank",
    "merge": "verbs.merge",
    "Simulation": "api.simulations",
    "Tree": "api.trees",
    **dict.fromkeys(("regret", "value"), "api.values"),
    "analyse": "verbs.analyse",
    "guarantee": "verbs.guarantee",
    "write_report": "verbs.report",
    "suggest": "verbs.suggest",
    **dict.fromkeys(("Proof", "prove"), "verbs.prove"),
    **dict.fromkeys(("Result", "solve"), "verbs.solve"),
    "verify_file": "verbs.verify",
}
"""Where the names are."""


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = importlib.import_module(f"{__name__}.{_MODULES[name]}")
    globals()[name] = getattr(module, name)
    return globals()[name]


def __dir__() -> list[str]:
    return sorted(__all__)
