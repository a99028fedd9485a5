"""The house stands: imports go down, rooms and all, and importing is quick."""

import ast
import re
import subprocess
import sys
from graphlib import CycleError, TopologicalSorter

import pytest

from support import ROOT

PACKAGE = ROOT / "gpu_wordle"
ROOMS = [
    *(
        "version",
        "errors",
        "streams",
        "files",
        "tunables",
        "game",
        "states",
        "jit",
        "verify",
        "backends",
        "solver",
        "cluster",
        "ranking",
        "certify",
        "strategies",
        "experiments",
        "store",
        "report",
        "options",
    ),
    *("api", "verbs", "web", "cli", "__main__"),
]
SOLVER_ROOMS = [
    *(
        "machine",
        "counting",
        "memory",
        "bounds",
        "guesses",
        "search",
        "unconstrained",
        "constrained",
        "batched",
    ),
    ".",  # the modules of solver/ itself
]
"""From the bottom up. Whatever is imported, when and for whatever purpose, lies below or beside."""

MODULES = {
    ".".join(("gpu_wordle", *path.relative_to(PACKAGE).with_suffix("").parts)).removesuffix(
        ".__init__"
    ): path
    for path in sorted(PACKAGE.rglob("*.py"))
}


def imports(module):
    """The modules of the package that a module names in its imports, wherever they stand."""
    found = set()
    for node in ast.walk(ast.parse(MODULES[module].read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("gpu_wordle"):
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                found.add(inner if inner in MODULES else node.module)
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names if alias.name in MODULES}
    return found


GRAPH = {module: imports(module) for module in MODULES}


def room(module):
    """The room at the top level that a module is in."""
    return module.split(".")[1]


def solver_room(module):
    """The room of ``solver/`` that a module is in."""
    parts = module.split(".")[2:]
    return parts[0] if len(parts) > 1 or parts[0] in SOLVER_ROOMS else "."


def test_every_module_is_in_a_room():
    assert {room(module) for module in MODULES if module != "gpu_wordle"} == set(ROOMS)


@pytest.mark.parametrize("module", [m for m in MODULES if m != "gpu_wordle"])
def test_a_room_imports_from_below(module):
    level = ROOMS.index(room(module))
    for name in GRAPH[module] - {"gpu_wordle"}:
        assert ROOMS.index(room(name)) <= level, f"{module} imports {name} from above"


@pytest.mark.parametrize("module", [m for m in MODULES if m.startswith("gpu_wordle.solver.")])
def test_a_room_of_the_solver_imports_from_below(module):
    level = SOLVER_ROOMS.index(solver_room(module))
    for name in GRAPH[module]:
        if name.startswith("gpu_wordle.solver"):
            assert name != "gpu_wordle.solver", f"{module} imports the face of its own room"
            assert SOLVER_ROOMS.index(solver_room(name)) <= level, f"{module} imports {name}"


def test_no_modules_import_each_other():
    try:
        TopologicalSorter(GRAPH).prepare()
    except CycleError as error:
        pytest.fail(" <- ".join(error.args[1]))


def test_the_checker_shares_nothing_with_the_search():
    reached, waiting = set(), {"gpu_wordle.verify"}
    while waiting:
        module = waiting.pop()
        reached.add(module)
        waiting |= GRAPH[module] - reached
    assert {room(module) for module in reached} <= {"errors", "files", "game", "states", "verify"}
    assert GRAPH["gpu_wordle.verify"] == {
        *(f"gpu_wordle.game.{name}" for name in ("objective", "rule", "words")),
        *("gpu_wordle.errors", "gpu_wordle.states.tree"),
    }


def test_only_store_imports_h5py():
    users = {room(m) for m, path in MODULES.items() if "import h5py" in path.read_text("utf-8")}
    assert users == {"store"}


def test_importing_the_package_loads_no_compiler():
    code = (
        "import sys, numpy, time; t = time.process_time(); import gpu_wordle; "
        "print(time.process_time() - t, *({'numba', 'cupy', 'h5py'} & set(sys.modules)))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    seconds, *loaded = run.stdout.split()
    assert loaded == []
    assert float(seconds) < 0.3


def test_the_version_is_told_without_the_verbs():
    code = (
        "import atexit, sys; atexit.register(lambda: print(*({'numpy', 'numba'} & set(sys.modules)"
        "))); sys.argv[1:] = ['--version']; from gpu_wordle.__main__ import main; main()"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    version, loaded = run.stdout.splitlines()
    assert (version.startswith("gpu-wordle "), loaded) == (True, "")


@pytest.mark.parametrize("name", ["README.md", "results/README.md", "ARCHITECTURE.md"])
def test_no_blank_is_left_to_fill_in(name):
    text = (ROOT / name).read_text("utf-8")
    blanks = re.findall(r"\b[A-Z]{3,}_[A-Z_]{3,}\b", text)
    assert set(blanks) <= {"ALL_GREEN"}


def test_python_files_are_of_a_size_to_read():
    """But for the tunables, which are one table."""
    for path in set(MODULES.values()) - {PACKAGE / "tunables.py"}:
        assert len(path.read_text("utf-8").splitlines()) <= 450, path
