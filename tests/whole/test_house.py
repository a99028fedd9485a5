"""Tests stand alone: they share what is in tests/support/, and hold the package by its face."""

import ast
import inspect
import re

import pytest

from gpu_wordle.solver.constrained import workspace as constrained_workspace
from gpu_wordle.solver.memory import arenas, ring, workspace
from gpu_wordle.solver.memory.stage_costs import StageCosts
from support import ROOT

TESTS = ROOT / "tests"


@pytest.fixture(scope="module")
def trees():
    """The syntax tree of each file of the tests."""
    return {path: ast.parse(path.read_text("utf-8")) for path in sorted(TESTS.rglob("*.py"))}


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
            if isinstance(owner, ast.Name) and owner.id in (
                "self",
                "cls",
                "os",
            ):  # os._exit is public
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


def test_no_test_module_is_imported(trees):
    modules = {path.stem for path in trees if path.stem.startswith("test_")}
    found = {path: modules & set(imported(tree)) for path, tree in trees.items()}
    assert {path: names for path, names in found.items() if names} == {}


def test_private_members_are_left_alone(trees):
    found = {path: list(private(tree)) for path, tree in trees.items()}
    assert {path: names for path, names in found.items() if names} == {}


@pytest.mark.parametrize("module", [workspace, constrained_workspace], ids=lambda m: m.__name__)
def test_every_array_of_a_workspace_is_described(module):
    source = "".join(map(inspect.getsource, (arenas, ring, module)))
    described = re.findall(r'^ +# .*\n +"(\w+)": ', source, flags=re.MULTILINE)
    assert set(module.ARRAYS.fields) - set(StageCosts.__annotations__) <= set(described)
