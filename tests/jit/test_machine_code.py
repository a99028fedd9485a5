"""Machine code on disk: checked when it is loaded, keyed by what matters, compiled once by many."""

import hashlib
import os
import re
import shutil
import subprocess
import sys
import warnings
from contextlib import contextmanager

import numpy as np
import pytest
from numba import njit, types
from numba.core import event

from gpu_wordle.cli import console
from gpu_wordle.jit import ahead, files
from gpu_wordle.jit.cache import callee
from gpu_wordle.jit.functions import REGISTERED, Function, compiled_by_width
from gpu_wordle.solver.machine.linking import linked
from support.commands import invoke

ONE = types.int64(types.int64)


@pytest.fixture
def code(tmp_path, monkeypatch):
    """An empty folder in the place of that of all machine code."""
    folder = tmp_path / "code"
    monkeypatch.setattr(files, "folder", lambda: folder)
    monkeypatch.setattr(files, "parent_folder", lambda: tmp_path)
    known = dict(REGISTERED)
    yield folder
    REGISTERED.clear()
    REGISTERED.update(known)


@contextmanager
def compiling():
    """The names of the functions that are compiled meanwhile."""
    names = []
    with event.install_recorder("numba:compile") as seen:
        yield names
    names += {each.data["dispatcher"].py_func.__name__ for _, each in seen.buffer}


def triple(n):
    return 3 * n


def refuse_zero(n):
    if n == 0:
        raise ValueError("nothing to divide by")
    return 60 // n


def flip(content):
    middle = len(content) // 2
    return content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :]


DAMAGES = {
    "hash": lambda content: bytes([content[0] ^ 128]) + content[1:],
    "body": flip,
    "cut": lambda content: content[: len(content) // 2],
    "empty": lambda content: b"",
    "garbage": lambda content: os.urandom(len(content)),
}


def test_what_is_kept_is_loaded_and_not_compiled(code):
    with compiling() as names:
        assert Function(triple, ONE)(7) == 21
    assert names == ["triple"]
    with compiling() as names:
        assert Function(triple, ONE)(7) == 21
    assert names == []


def test_a_callee_is_part_of_its_callers_and_python_cannot_call_it(code):
    inner = callee(triple)

    def outer(n):
        return inner(n) + 1

    def refused():
        with pytest.raises(TypeError, match="triple can be called by machine code only"):
            inner(7)

    refused()
    made = Function(outer, ONE)
    assert made(7) == 22
    refused()
    assert [path.name for path in code.iterdir() if path.suffix != ".lock"] == [made.file]
    (compiled,) = inner.overloads.values()
    assert compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name) == 0
    with compiling() as names:
        assert Function(outer, ONE)(8) == 25
    assert names == []


def test_damaged_files_are_compiled_again(code):
    made = Function(triple, ONE)
    made.load()
    place = code / made.file
    intact = place.read_bytes()
    for name, damage in DAMAGES.items():
        place.write_bytes(damage(intact))
        with compiling() as names:
            assert Function(triple, ONE)(5) == 15, name
        assert names == ["triple"], name
        with compiling() as names:
            assert Function(triple, ONE)(6) == 18, name
        assert names == [], name


def test_what_is_linked_is_mended_too_and_passes_errors_when_it_is_loaded(code):
    def call(expected):
        divide = linked(ONE, for_python=True)(refuse_zero)

        @njit
        def twice(n):
            return divide(n) + divide(n)

        with compiling() as names:
            assert twice(12) == 10
        assert ("refuse_zero" in names) == expected
        with pytest.raises(ValueError, match="nothing to divide by"):
            twice(0)
        return code / divide.from_python.file

    place = call(expected=True)
    call(expected=False)
    place.write_bytes(flip(place.read_bytes()))
    call(expected=True)
    call(expected=False)


def test_patterns_of_both_widths_have_a_function_each(code):
    @compiled_by_width(lambda pattern: types.int64(types.Array(pattern, 1, "C", readonly=True)))
    def total(patterns):
        result = 0
        for pattern in patterns:
            result += pattern
        return result

    shut = np.array([1, 2], np.uint8)
    shut.flags.writeable = False
    assert total(shut) == 3
    assert total(np.array([300, 2], np.uint16)) == 302


def test_a_folder_that_is_shut_costs_a_warning(code):
    code.write_text("no folder")
    with pytest.warns(UserWarning, match=r"machine code not kept: .* cannot be written"):
        assert Function(triple, ONE)(2) == 6
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert Function(triple, ONE)(3) == 9  # said once


def key_of(package, monkeypatch):
    monkeypatch.setattr(files, "PACKAGE", package)
    files.key.cache_clear()
    return files.key()


@pytest.fixture
def copies(tmp_path):
    """Two copies of the sources of the package, in different places."""
    ignored = shutil.ignore_patterns("__pycache__", "*.txt")
    yield [
        shutil.copytree(files.PACKAGE, tmp_path / name / "gpu_wordle", ignore=ignored)
        for name in ("one", "two")
    ]
    files.key.cache_clear()


def test_the_key_is_of_all_files_that_are_compiled():
    hashed = {path for pattern in files.SOURCES for path in files.PACKAGE.glob(pattern)}
    compiled = {
        path
        for path in files.PACKAGE.rglob("*.py")
        if re.search(r"^@(njit|compiled)", path.read_text(), re.MULTILINE)
    }
    assert len(compiled) > 8
    assert compiled <= hashed


def test_the_key_is_of_contents_and_only_of_those_that_matter(copies, monkeypatch):
    here, there = copies
    key = key_of(here, monkeypatch)
    os.utime(there / "tunables.py", (1, 1))
    for idle in ("store/hdf5.py", "verbs/rank.py", "ranking/job.py", "solver/pool.py"):
        with (there / idle).open("a") as file:
            file.write("\n# another line\n")
    assert key_of(there, monkeypatch) == key
    for name in ("tunables.py", "solver/search/search.py", "backends/cpu/backend.py"):
        source = there / name
        before = source.read_bytes()
        source.write_bytes(before + b"\n")
        assert key_of(there, monkeypatch) != key, name
        source.write_bytes(before)
    assert key_of(there, monkeypatch) == key
    monkeypatch.setenv("NUMBA_OPT", "2")
    assert key_of(there, monkeypatch) != key
    monkeypatch.delenv("NUMBA_OPT")
    monkeypatch.setenv("NUMBA_NUM_THREADS", "1")
    assert key_of(there, monkeypatch) == key


def test_old_versions_make_room(code, tmp_path):
    for age in range(8):
        old = tmp_path / f"version-{age}"
        old.mkdir()
        (old / "function").write_bytes(b"code")
        os.utime(old, (1e9 - age, 1e9 - age))
    code.mkdir()
    (code / "left.tmp").touch()
    os.utime(code / "left.tmp", (1e9, 1e9))
    (code / "new.tmp").touch()
    files.prune()
    kept = {path.name for path in tmp_path.iterdir()}
    assert kept == {"code", "version-0", "version-1", "version-2"}
    assert [path.name for path in code.iterdir()] == ["new.tmp"]


TINY = {
    "tiny.py": "from numba import types\n"
    "from gpu_wordle.jit.functions import compiled\n"
    "ONE = types.int64(types.int64)\n"
    "@compiled(ONE)\n"
    "def above(n):\n"
    "    return n + 1\n"
    "@compiled(ONE)\n"
    "def below(n):\n"
    "    return n - 1\n"
    "@compiled(ONE)\n"
    "def twice(n):\n"
    "    return 2 * n\n",
    "cold.py": "from gpu_wordle.jit import ahead\n"
    "from numba.core import event\n"
    "shown = []\n"
    "with event.install_recorder('numba:compile') as seen:\n"
    "    count = ahead.compile_missing(['tiny'], lambda *far: shown.append(far), 2)\n"
    "    from tiny import above, below, twice\n"
    "    print(count, above(4), below(4), twice(4), len(seen.buffer), shown[-1:])\n",
}


@pytest.mark.slow
def test_cold_starts_at_once_compile_once(tmp_path):
    """Two processes want the same functions; each is compiled once, and by neither of the two."""
    for name, source in TINY.items():
        (tmp_path / name).write_text(source)
    command = [sys.executable, str(tmp_path / "cold.py")]
    environment = {**os.environ, "GPU_WORDLE_MACHINE_CODE": str(tmp_path / "code")}
    starts = [
        subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
        for _ in range(2)
    ]
    told = sorted(start.communicate()[0].strip() for start in starts)
    assert told == ["0 5 3 8 0 [(3, 3)]", "3 5 3 8 0 [(3, 3)]"]


@pytest.mark.parametrize("executable", [shutil.which("false"), ""], ids=["failing", "embedded"])
def test_what_no_other_process_compiles_is_compiled_here(code, monkeypatch, executable):
    functions = [Function(each, ONE) for each in (triple, refuse_zero)]
    REGISTERED.clear()
    REGISTERED.update({each.file: each for each in functions})
    monkeypatch.setattr(sys, "executable", executable)
    shown = []
    with compiling() as names:
        assert ahead.compile_missing([], lambda *far: shown.append(far), 2) == 2
    assert sorted(names) == ["refuse_zero", "triple"]
    assert shown == [(0, 2), (1, 2), (2, 2)]
    assert ahead.compile_missing([], lambda *far: shown.append(far), 2) == 0
    assert len(shown) == 3


def test_one_line_says_what_is_compiled_and_none_that_nothing_is(capsys):
    def some(show):
        show(0, 3)
        show(3, 3)
        return 3

    def one_that_waits(show):
        show(0, 1)
        show(0, 1)  # another process holds the lock, and has not compiled any yet
        return 0

    said = "compiling the search, once on this machine"
    console.compile_first(some, quiet=False)
    assert capsys.readouterr() == ("", f"{said} (3 functions)\n")
    console.compile_first(one_that_waits, quiet=False)
    assert capsys.readouterr() == ("", f"{said} (1 function)\n")
    console.compile_first(some, quiet=True)
    console.compile_first(lambda show: 0, quiet=False)
    assert capsys.readouterr() == ("", "")


def test_warm_compiles_all_and_has_nothing_to_do_then(capsys):
    invoke(["warm", "--quiet"])
    capsys.readouterr()
    with compiling() as names:
        invoke(["warm"])
    assert capsys.readouterr() == (f"nothing to do: all machine code is in {files.folder()}\n", "")
    assert names == []
    assert all(files.is_present(file) for file in REGISTERED if "wordle." in file)
    # numba's message about arrays of different shapes compiles for as long as a long function.
    code = {file: (files.folder() / file).read_bytes() for file in REGISTERED if ".solver." in file}
    assert len(code) > 50
    assert [file for file, content in code.items() if b"cannot assign slice" in content] == []


DECLARED = """
import sys
from importlib import import_module
from gpu_wordle.verbs.warm import EVERYTHING
from gpu_wordle.jit.functions import REGISTERED, Function, compiled_by_width

for module in EVERYTHING:
    import_module(module)
warmed = set(REGISTERED)
for module in sys.argv[1:]:
    import_module(module)
print(len(warmed), *set(REGISTERED) - warmed)
"""


def test_warm_compiles_all_that_any_module_declares():
    """In a process of its own, for here others have been imported before."""
    declare = re.compile(r"^@?(\w+ = )?(compiled|compiled_by_width|linked)\b", re.MULTILINE)
    modules = [
        ".".join(path.relative_to(files.PACKAGE.parent).with_suffix("").parts)
        for path in files.PACKAGE.rglob("*.py")
        if declare.search(path.read_text("utf-8"))
    ]
    assert "gpu_wordle.certify.machine" in modules
    command = [sys.executable, "-c", DECLARED, *modules]
    count, *missing = subprocess.run(
        command, capture_output=True, text=True, check=True
    ).stdout.split()
    assert int(count) > 100
    assert missing == []


def test_certificates_need_nothing_that_warm_does_not_compile(run):
    invoke(["warm", "--quiet"])
    with compiling() as names:
        run("prove", "--certificate", "c.txt")
        assert run("verify", "c.txt").startswith("verified")
    assert names == []


@pytest.mark.slow
def test_the_command_line_mends_what_it_finds_damaged(tmp_path):
    """Three functions of every search are damaged; what is shown is as it was, and so are they."""
    invoke(["warm", "--quiet"])
    code = tmp_path / "code" / files.folder().name
    shutil.copytree(files.folder(), code)

    def solve():
        run = subprocess.run(
            [sys.executable, "-m", "gpu_wordle", "solve", "1122", "--guesses", "mastermind:4x4"],
            capture_output=True,
            text=True,
            timeout=300,
            env={**os.environ, "GPU_WORDLE_MACHINE_CODE": str(code.parent)},
        )
        assert run.returncode == 0, run.stderr
        assert "compiling" not in run.stderr
        return run.stdout.rsplit(maxsplit=1)[0]  # without the seconds

    shown = solve()
    names = ("sliced.slice_columns", "unconstrained.call_value", "sliced.parts_of_columns")
    for name, damage in zip(names, ("body", "cut", "empty"), strict=True):
        (path,) = code.glob(f"*.{name}-*")
        path.write_bytes(DAMAGES[damage](path.read_bytes()))
    assert solve() == shown
    for path in code.glob("gpu_wordle*"):
        content = path.read_bytes()
        assert hashlib.sha256(content[32:]).digest() == content[:32], path.name
    kept = {name for name in REGISTERED if name.startswith("gpu_wordle")} & files.present()
    assert {path.name for path in code.glob("gpu_wordle*")} >= kept
