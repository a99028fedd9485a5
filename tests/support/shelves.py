"""A file in memory, for the tests of jobs."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from copy import deepcopy
from typing import Any

from gpu_wordle.errors import JobError


class Shelf:
    """A file of a job, whose disk is full for the next ``failures`` times.

    Attributes:
        kept: a copy of what was saved last.
        saves: how often something was saved.
        checked: what a job has asked of the file before its first save.
    """

    def __init__(self, *, failures: int = 0) -> None:
        self.kept: Any = None
        self.saves = 0
        self.failures = failures
        self.checked: list[str] = []

    def held(self) -> AbstractContextManager[None]:
        """Hold the file; nobody else wants it."""
        return nullcontext()

    def load(self) -> Any:
        """Return what is kept."""
        self.checked.append("load")
        return self.kept

    def check_replaceable(self) -> None:
        """Accept that the file is replaced."""
        self.checked.append("replaceable")

    def save(self, contents: Any) -> None:
        """Keep a copy; JobError while the disk is full."""
        if self.failures:
            self.failures -= 1
            raise JobError("the disk is full")
        self.saves += 1
        self.kept = deepcopy(contents)
