"""Finds which tests call which functions, so that the likely ones try a mutant first.

Tests run file by file, each in a process of its own. Every call of a Python function of the package
is recorded. A test that starts other processes may call anything there.
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
"""Python's audit events of starting a process."""


@dataclass(frozen=True)
class Reached:
    """The calls of a test.

    Attributes:
        test: its name in pytest.
        places: the functions of the package that it calls, also by its fixtures.
        starts: whether it starts other processes.
        seconds: how long it takes.
    """

    test: str
    places: frozenset[Place]
    starts: bool
    seconds: float


class Survey:
    """A plugin for pytest that records the calls of each test, and writes them at the end."""

    def __init__(self, checkout: Path, out: Path) -> None:
        self._package = f"{checkout / 'gpu_wordle'}/"
        self._skipped = len(f"{checkout}/")
        self._out = out
        self._codes: set[CodeType] = set()
        self._starts = False
        self._shared: dict[str, set[CodeType]] = {}
        self._tests: list[tuple[str, set[CodeType], bool, float]] = []

    def begin(self) -> None:
        """Start recording."""

        def called(frame: FrameType, event: str, arg: object) -> None:
            self._codes.add(frame.f_code)

        def heard(event: str, arguments: object) -> None:
            self._starts |= event in _STARTS

        sys.addaudithook(heard)
        threading.settrace(called)
        sys.settrace(called)

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: pytest.FixtureDef[object]) -> Iterator[None]:
        """Record the calls of a shared fixture for all tests that use it."""
        before = self._codes
        self._codes = set()
        try:
            return (yield)
        finally:
            self._shared.setdefault(fixturedef.argname, set()).update(self._codes)
            self._codes |= before

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Function) -> Iterator[None]:
        """Record a test."""
        self._codes, self._starts, started = set(), False, time.monotonic()
        result = yield
        called = self._codes.union(*(self._shared.get(name, ()) for name in item.fixturenames))
        self._tests.append((item.nodeid, called, self._starts, time.monotonic() - started))
        return result

    def pytest_sessionfinish(self) -> None:
        """Write the records."""
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
    """Read the records of a survey."""
    return [
        Reached(test, frozenset((file, line) for file, line in places), starts, seconds)
        for test, places, starts, seconds in json.loads(path.read_text("utf-8"))
    ]


def place_of(file: str, before: str, after: str) -> Place | None:
    """Return the function of a change; None for code that runs when a module is loaded."""
    blocks = difflib.SequenceMatcher(None, before.splitlines(), after.splitlines(), autojunk=False)
    line = 1 + min(
        start for tag, start, *_ in blocks.get_opcodes() if tag != "equal"
    )  # fmt: skip
    inner = None
    for node in ast.walk(ast.parse(before)):  # outer functions come first
        if not isinstance(node, ast.FunctionDef):
            continue
        if node.body[0].lineno <= line <= (node.end_lineno or 0):
            inner = node
    if inner is None:
        return None
    return file, min([inner.lineno, *(each.lineno for each in inner.decorator_list)])


def those_that_reach(place: Place, tests: list[Reached]) -> list[str]:
    """Return the tests that call a function, the quickest first."""
    calling = [each for each in tests if place in each.places]
    return [each.test for each in sorted(calling, key=lambda each: each.seconds)]


def files_that_may(place: Place, tests: list[Reached]) -> list[str]:
    """Return the files of tests that call a function, or start processes that may."""
    found = (each for each in tests if place in each.places or each.starts)
    return list(dict.fromkeys(each.test.partition("::")[0] for each in found))
