"""What the package takes of other libraries' private parts, which any release may move."""

import ast
import importlib
from importlib import metadata
from pathlib import Path

import pytest

import gpu_wordle

PACKAGE = Path(gpu_wordle.__file__).parent
PRIVATE = ("numba.core", "numba.np", "numba.typed", "llvmlite.binding")


def private_imports():
    """Module and name of each import from private parts, wherever it stands."""
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(PRIVATE):
                yield from ((node.module, alias.name) for alias in node.names)


@pytest.mark.parametrize(("module", "name"), sorted(set(private_imports())), ids=str)
def test_a_private_part_of_numba_is_where_it_was(module, name):
    versions = ", ".join(f"{p} {metadata.version(p)}" for p in ("numba", "llvmlite"))
    try:
        found = importlib.import_module(module)
        if not hasattr(found, name):
            importlib.import_module(f"{module}.{name}")
    except ImportError:
        pytest.fail(f"{module}.{name} is gone in {versions}; find what took its place")
