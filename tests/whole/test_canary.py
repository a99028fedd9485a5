"""What the package takes of other libraries' private parts, which any release may move."""

import ast
import importlib
from importlib import metadata
from pathlib import Path

import gpu_wordle

PACKAGE = Path(gpu_wordle.__file__).parent
PRIVATE = ("numba.core", "numba.np", "numba.typed", "llvmlite.binding")


def private_imports():
    """Module and name of each import from private parts, wherever it stands."""
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(PRIVATE):
                yield from ((node.module, alias.name) for alias in node.names)


def is_there(module, name):
    """Whether a module has a name, or is a package with a module of that name."""
    try:
        found = importlib.import_module(module)
        return hasattr(found, name) or bool(importlib.import_module(f"{module}.{name}"))
    except ImportError:
        return False


def test_private_parts_of_numba_are_where_they_were():
    used = sorted(set(private_imports()))
    gone = [f"{module}.{name}" for module, name in used if not is_there(module, name)]
    versions = ", ".join(f"{p} {metadata.version(p)}" for p in ("numba", "llvmlite"))
    assert used
    assert gone == [], f"gone in {versions}; find what took their place"
