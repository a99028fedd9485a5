"""Files: results of jobs and strategies in HDF5; strategies in text and JSON too.

The names of ``__init__.pyi`` are loaded on first use. So a program that only names a file does not
load the code of strategies.
"""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

_IMPORTS = [
    line.split()
    for line in Path(f"{__file__}i").read_text("utf-8").splitlines()
    if line.startswith("from .")
]
_MODULES = {name: module for _, module, *_, name in _IMPORTS}


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = getattr(importlib.import_module(_MODULES[name], __name__), name)
    return globals()[name]


def __dir__() -> list[str]:
    return sorted({*globals(), *_MODULES})
