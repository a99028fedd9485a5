"""The mutants that mutants.toml lists, each one change of the source."""

from __future__ import annotations

import difflib
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

LISTED: dict[str, Any] = tomllib.loads(Path(__file__).with_name("mutants.toml").read_text("utf-8"))


@dataclass(frozen=True)
class Mutant:
    """One change of one file.

    Attributes:
        file: the path in the checkout.
        before: a text that occurs in it once.
        after: the text in its place.
        why: what is wrong with it, or the name of the operator.
        tests: names of the test files that should notice it.
    """

    file: str
    before: str
    after: str
    why: str
    tests: tuple[str, ...]

    def apply(self, whole: str) -> str:
        """Return the file with the change; ValueError unless the text occurs once."""
        if (times := whole.count(self.before)) != 1:
            raise ValueError(f"{self.file}: {self.before!r} stands there {times}x")
        return whole.replace(self.before, self.after)

    def difference(self) -> list[str]:
        """Return the changed lines as a diff, without a head."""
        lines = difflib.unified_diff(
            self.before.splitlines(), self.after.splitlines(), n=1, lineterm=""
        )
        return list(lines)[2:]


BY_HAND = tuple(
    Mutant(file, before, after, why, (*further, *group["tests"]))
    for group in LISTED["by-hand"].values()
    for file, mutants in group["files"].items()
    for why, before, after, *further in mutants
)
