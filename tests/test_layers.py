"""The house stands: imports go down, the top level is what it says, and importing is quick."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "gpu_wordle"
LAYERS = [
    ["errors", "feedback", "rule", "words", "objective", "weights", "bounds"],
    [
        *("patterns", "states", "partition", "game", "tree", "verify", "letters"),
        *("frontier", "legality", "weighing", "games"),
    ],
    ["backends"],
    ["solver", "statistics"],
    ["ranking"],
    ["store"],
    ["report", "tree_files"],
    ["cli"],
    ["__main__"],
]
LEVEL = {name: level for level, names in enumerate(LAYERS) for name in names}
MODULES = sorted(PACKAGE.rglob("*.py"))


def imports(path):
    """Top-level names of the package that a module imports."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        names = []
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("gpu_wordle"):
            rest = node.module.split(".")[1:]
            names = rest[:1] or [alias.name for alias in node.names]
        elif isinstance(node, ast.Import):
            names = [a.name.split(".")[1] for a in node.names if a.name.startswith("gpu_wordle.")]
        yield from (name for name in names if name in LEVEL)


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_modules_import_only_from_below(path):
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    if parts == ("__init__",):
        return
    assert parts[0] in LEVEL, f"{parts[0]} has no layer"
    for name in imports(path):
        allowed = LEVEL[name] < LEVEL[parts[0]] or name == parts[0]
        # Within layers 0 and 1 definitions may build on each other; cycles cannot be imported.
        together = LEVEL[name] == LEVEL[parts[0]] <= 1
        assert allowed or together, f"{parts[0]} (layer {LEVEL[parts[0]]}) imports {name}"


def test_the_checker_shares_nothing_with_the_search():
    assert set(imports(PACKAGE / "verify.py")) <= {
        "errors",
        "feedback",
        "rule",
        "words",
        "objective",
        "weights",
        "tree",
    }


def test_only_store_imports_h5py():
    users = [p.name for p in MODULES if "import h5py" in p.read_text("utf-8")]
    assert users == ["store.py"]


def test_importing_the_package_loads_no_compiler():
    code = (
        "import sys, numpy, time; t = time.perf_counter(); import gpu_wordle; "
        "print(time.perf_counter() - t, 'numba' in sys.modules, 'cupy' in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    seconds, numba, cupy = run.stdout.split()
    assert (numba, cupy) == ("False", "False")
    assert float(seconds) < 0.3


@pytest.mark.parametrize("name", ["README.md", "results/README.md", "ARCHITECTURE.md"])
def test_no_blank_is_left_to_fill_in(name):
    text = (PACKAGE.parent / name).read_text("utf-8")
    blanks = re.findall(r"\b[A-Z]{3,}_[A-Z_]{3,}\b", text)
    assert set(blanks) <= {"ALL_GREEN"}


def test_python_files_are_of_a_size_to_read():
    for path in MODULES:
        assert len(path.read_text("utf-8").splitlines()) <= 450, path
