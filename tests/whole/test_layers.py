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


@pytest.fixture(scope="module")
def graph():
    """The modules that each module imports."""
    return {module: imports(module) for module in MODULES}


def room(module):
    """The room at the top level that a module is in."""
    return module.split(".")[1]


def solver_room(module):
    """The room of ``solver/`` that a module is in."""
    parts = module.split(".")[2:]
    return parts[0] if len(parts) > 1 or parts[0] in SOLVER_ROOMS else "."


def test_every_module_is_in_a_room():
    assert {room(module) for module in MODULES if module != "gpu_wordle"} == set(ROOMS)


def test_a_room_imports_from_below(graph):
    level = {module: ROOMS.index(room(module)) for module in MODULES if module != "gpu_wordle"}
    from_above = [
        f"{module} imports {name}"
        for module in level
        for name in graph[module] - {"gpu_wordle"}
        if level[name] > level[module]
    ]
    assert from_above == []


def test_a_room_of_the_solver_imports_from_below(graph):
    modules = [module for module in MODULES if module.startswith("gpu_wordle.solver.")]
    level = {module: SOLVER_ROOMS.index(solver_room(module)) for module in modules}
    level["gpu_wordle.solver"] = len(SOLVER_ROOMS)  # the face of the room, above all that is in it
    from_above = [
        f"{module} imports {name}"
        for module in modules
        for name in graph[module]
        if name.startswith("gpu_wordle.solver") and level[name] > level[module]
    ]
    assert from_above == []


def test_no_modules_import_each_other(graph):
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" <- ".join(error.args[1]))


def test_the_checker_shares_nothing_with_the_search(graph):
    reached, waiting = set(), {"gpu_wordle.verify"}
    while waiting:
        module = waiting.pop()
        reached.add(module)
        waiting |= graph[module] - reached
    assert {room(module) for module in reached} <= {"errors", "files", "game", "states", "verify"}
    assert graph["gpu_wordle.verify"] == {
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


def test_no_blank_is_left_to_fill_in():
    for name in ("README.md", "results/README.md", "ARCHITECTURE.md"):
        text = (ROOT / name).read_text("utf-8")
        blanks = re.findall(r"\b[A-Z]{3,}_[A-Z_]{3,}\b", text)
        assert set(blanks) <= {"ALL_GREEN"}, name


def test_python_files_are_of_a_size_to_read():
    """But for the tunables, which are one table."""
    for path in set(MODULES.values()) - {PACKAGE / "tunables.py"}:
        assert len(path.read_text("utf-8").splitlines()) <= 450, path
