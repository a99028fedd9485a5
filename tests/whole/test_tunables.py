"""The table of tunables, and the constants of the package beside it."""

import ast
from collections import defaultdict
from pathlib import Path

from gpu_wordle import tunables

PACKAGE = Path(tunables.__file__).parent


def test_each_row_is_the_constant_that_it_names():
    constants = {name: value for name, value in vars(tunables).items() if name.isupper()}
    constants.pop("TUNABLES")
    assert constants == {name: row.default for name, row in tunables.TUNABLES.items()}


def test_each_default_is_in_its_range():
    for row in tunables.TUNABLES.values():
        assert row.least <= row.default <= row.greatest, row.name
        assert row.meaning.endswith("."), row.name
        assert len(row.meaning.split()) <= 30, row.name
        assert row.chosen, row.name


def test_each_is_used():
    sources = [p.read_text("utf-8") for p in PACKAGE.rglob("*.py") if p.name != "tunables.py"]
    for name in tunables.TUNABLES:
        assert any(name in source for source in sources), name


def test_no_constant_has_different_values_in_different_files():
    """A public name in capitals means one thing; names of files' own columns and kinds aside."""
    values = defaultdict(set)
    for path in PACKAGE.rglob("*.py"):
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant):
                for target in node.targets:
                    if isinstance(target, ast.Name) and target.id.isupper():
                        values[target.id].add(node.value.value)
    assert {name: found for name, found in values.items() if len(found) > 1} == {}


def test_limits_are_called_max_and_min():
    for path in PACKAGE.rglob("*.py"):
        for node in ast.parse(path.read_text("utf-8")).body:
            targets = node.targets if isinstance(node, ast.Assign) else []
            for target in targets:
                name = target.id if isinstance(target, ast.Name) else ""
                assert not name.endswith(("_MOST", "_LEAST")), (path, name)
                assert not name.startswith(("MOST_", "LEAST_")), (path, name)
