"""Exact, batched evaluation of guess-and-feedback games, on a GPU or on CPU cores.

::

    import gpu_wordle as gw

    game = gw.load_game("original", rule="hard")
    result = gw.solve(game.after("salet BYBBG"))
    print(result.best, result.mean, result.tree["BBBBB"].guess)

The names of ``__init__.pyi`` are the public API, and are loaded when they are first used. They take
words and give words, and say what is wrong in a :class:`UserError` of one line. Everything else in
the package, underscored or not, is internal and may change at any time.
"""

from __future__ import annotations

import importlib
from typing import Any

# As lazy_loader does it; that, or pathlib, would take longer to load than all of this.
_MODULES: dict[str, str] = {}
with open(f"{__file__}i", encoding="utf-8") as _stub:  # noqa: PTH123
    for _line in _stub:
        if _line.startswith("from ."):
            _, _module, _, *_, _name = _line.split()
            _MODULES[_name] = _module
__all__ = sorted(name for name in _MODULES if not name.startswith("_"))


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = getattr(importlib.import_module(_MODULES[name], __name__), name)
    return globals()[name]


def __dir__() -> list[str]:
    return __all__
