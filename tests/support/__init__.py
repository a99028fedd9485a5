"""Support for tests: oracles, games, and stand-ins for what a machine may lack."""

import pkgutil
from pathlib import Path

import pytest

# This comes before their import, so that a failing assertion in them shows its values too.
pytest.register_assert_rewrite(*(f"{__name__}.{m.name}" for m in pkgutil.iter_modules(__path__)))

ROOT = Path(__file__).parents[2]
"""The checkout."""
