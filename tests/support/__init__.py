"""What tests share: oracles, games, and stand-ins for what a machine may lack."""

import pkgutil

import pytest

# Before they are imported, so that a failing assertion in them shows its values too.
pytest.register_assert_rewrite(*(f"{__name__}.{m.name}" for m in pkgutil.iter_modules(__path__)))
