"""Which tests call which functions, so that a mutant is tried first by those that can notice it.

Tests run file by file, each in a process of its own, and every call of a Python function of the
package is noted. A test that starts other processes may call anything there.
"""

from __future__ import annotations

import ast
import difflib
import json
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, FrameType

import pytest

Place = tuple[str, int]
"""A function: its file in the checkout, and its first line, decorators included."""

_STARTS = frozenset({"subprocess.Popen", "os.fork", "os.posix_spawn", "os.exec"})
"""What Python calls it when a process is started."""


@dataclass(frozen=True)
class Reached:
    """What a test calls.

    Attributes:
        test: as pytest names it.
        places: the functions of the package, those that its fixtures call included.
        starts: whether it starts other processes.
        seconds: how long it takes.
    """

    test: str
    places: frozenset[Place]
    starts: bool
    seconds: float


class Survey:
    """A plugin for pytest that notes what each test calls, and writes that at the end."""

    def __init__(self, checkout: Path, out: Path) -> None:
        self._package = f"{checkout / 'gpu_wordle'}/"
        self._skipped = len(f"{checkout}/")
        self._out = out
        self._codes: set[CodeType] = set()
        self._starts = False
        self._shared: dict[str, set[CodeType]] = {}
        self._tests: list[tuple[str, set[CodeType], bool, float]] = []

    def begin(self) -> None:
        """Note from now on."""

        def called(frame: FrameType, event: str, arg: object) -> None:
            self._codes.add(frame.f_code)

        def heard(event: str, arguments: object) -> None:
            self._starts |= event in _STARTS

        sys.addaudithook(heard)
        threading.settrace(called)
        sys.settrace(called)

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: pytest.FixtureDef[object]) -> Iterator[None]:
        """What a fixture calls that several tests share counts for all of them."""
        before = self._codes
        self._codes = set()
        try:
            return (yield)
        finally:
            self._shared.setdefault(fixturedef.argname, set()).update(self._codes)
            self._codes |= before

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Function) -> Iterator[None]:
        """Note a test."""
        self._codes, self._starts, started = set(), False, time.monotonic()
        result = yield
        called = self._codes.union(*(self._shared.get(name, ()) for name in item.fixturenames))
        self._tests.append((item.nodeid, called, self._starts, time.monotonic() - started))
        return result

    def pytest_sessionfinish(self) -> None:
        """Write what was noted."""
        sys.settrace(None)
        rows = [
            (test, sorted(self._places(codes)), starts, seconds)
            for test, codes, starts, seconds in self._tests
        ]
        self._out.write_text(json.dumps(rows), "utf-8")

    def _places(self, codes: set[CodeType]) -> set[Place]:
        return {
            (code.co_filename[self._skipped :], code.co_firstlineno)
            for code in codes
            if code.co_filename.startswith(self._package)
        }


def read_survey(path: Path) -> list[Reached]:
    """What a survey has written."""
    return [
        Reached(test, frozenset((file, line) for file, line in places), starts, seconds)
        for test, places, starts, seconds in json.loads(path.read_text("utf-8"))
    ]


def place_of(file: str, before: str, after: str) -> Place | None:
    """The function that a change is in; None if it is in none, and runs when a module is loaded."""
    blocks = difflib.SequenceMatcher(None, before.splitlines(), after.splitlines(), autojunk=False)
    line = 1 + min(
        start for tag, start, *_ in blocks.get_opcodes() if tag != "equal"
    )  # fmt: skip
    inner = None
    for node in ast.walk(ast.parse(before)):  # outer ones come first
        if not isinstance(node, ast.FunctionDef):
            continue
        if node.body[0].lineno <= line <= (node.end_lineno or 0):
            inner = node
    if inner is None:
        return None
    return file, min([inner.lineno, *(each.lineno for each in inner.decorator_list)])


def those_that_reach(place: Place, tests: list[Reached]) -> list[str]:
    """The tests that call a function, the quickest first."""
    calling = [each for each in tests if place in each.places]
    return [each.test for each in sorted(calling, key=lambda each: each.seconds)]


def files_that_may(place: Place, tests: list[Reached]) -> list[str]:
    """Files of tests that call a function, or start processes that may."""
    found = (each for each in tests if place in each.places or each.starts)
    return list(dict.fromkeys(each.test.partition("::")[0] for each in found))
