"""Support for tests: oracles, games, and stand-ins for what a machine may lack."""

import importlib.util
import pkgutil
from pathlib import Path
from types import ModuleType

import pytest

# This comes before their import, so that a failing assertion in them shows its values too.
pytest.register_assert_rewrite(*(f"{__name__}.{m.name}" for m in pkgutil.iter_modules(__path__)))

ROOT = Path(__file__).parents[2]
"""The checkout."""


def module_at(path: Path) -> ModuleType:
    """Load a module that is in no package."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
