"""Tests stand alone: they share what is in tests/support/, and hold the package by its face."""

import ast
import re

import pytest

from gpu_wordle.solver.constrained import workspace as constrained_workspace
from gpu_wordle.solver.memory import workspace
from support import ROOT

TESTS = ROOT / "tests"
FILES = {str(path.relative_to(TESTS)): path for path in sorted(TESTS.rglob("*.py"))}
TREES = {name: ast.parse(path.read_text("utf-8")) for name, path in FILES.items()}
TEST_MODULES = {path.stem for path in TESTS.rglob("test_*.py")}


def imported(tree):
    """The first names of the modules that a file imports."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, "support is imported by its name"
            yield node.module.split(".")[0]
        elif isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)


def private(tree):
    """Private names that a file takes of other objects than its own ``self``, or patches there."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            owner, name = node.value, node.attr
            if isinstance(owner, ast.Name) and owner.id in ("self", "cls"):
                continue
        elif isinstance(node, ast.Call) and getattr(node.func, "attr", "") in ("setattr", "patch"):
            literals = [a.value for a in node.args if isinstance(a, ast.Constant)]
            name = next((v for v in literals if isinstance(v, str)), "").split(".")[-1]
        elif isinstance(node, ast.ImportFrom) and not (node.module or "").startswith("__"):
            names = [a.name for a in node.names] + (node.module or "").split(".")
            name = next((n for n in names if n.startswith("_")), "")
        else:
            continue
        if name.startswith("_") and not name.endswith("_"):
            yield f"line {node.lineno}: {name}"


@pytest.mark.parametrize("name", FILES)
def test_no_test_module_is_imported(name):
    assert not TEST_MODULES & set(imported(TREES[name]))


@pytest.mark.parametrize("name", FILES)
def test_private_members_are_left_alone(name):
    assert list(private(TREES[name])) == []


@pytest.mark.parametrize("module", [workspace, constrained_workspace], ids=lambda m: m.__name__)
def test_every_array_of_a_workspace_is_described(module):
    described = re.findall(r"^\s+(\w+): ", module.Workspace.__doc__, flags=re.MULTILINE)
    assert sorted(described) == sorted(module.Workspace.__annotations__)
