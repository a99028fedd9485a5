"""The report of the scripts for a GPU machine: a JSON file and Markdown tables, row by row.

    python scripts/gpu/report.py FOLDER SECTION CASE RESULT SECONDS

adds one row, as check.sh does for each step. Every row is written at once. So a job that is killed,
fails or runs out of time loses only its own row.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
import traceback
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from typing import Any

from scripts.bench.common import machine, table_lines

NAME = "gpu_check"
DRIVER_QUERY = "name,driver_version,memory.total,clocks.max.sm,clocks.max.memory,power.limit"
Row = dict[str, Any]


class Report:
    """The rows found so far, by section, in a folder that may hold those of an earlier call.

    A row replaces the row of the same section and case. A section from another machine or commit is
    replaced as a whole.
    """

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self.has_failed = False
        self._facts = facts()

    def _read(self, section: str) -> tuple[dict[str, Any], list[Row]]:
        """Return all sections in the folder, and the rows of one that were measured here."""
        path = self._folder and self._folder / f"{NAME}.json"
        sections = json.loads(path.read_text())["sections"] if path and path.exists() else {}
        found = sections.get(section, {})
        return sections, found["rows"] if found.get("facts") == self._facts else []

    def has(self, section: str, case: str) -> bool:
        """True if the folder has the seconds of a case."""
        return any(row["case"] == case and "seconds" in row for row in self._read(section)[1])

    def add(self, section: str, row: Row) -> None:
        """Print a row, and write the files with it."""
        print(f"{section}: {row}", flush=True)
        if self._folder is None:
            return
        self._folder.mkdir(parents=True, exist_ok=True)
        sections, rows = self._read(section)
        rows = [*(other for other in rows if other["case"] != row["case"]), row]
        today = time.strftime("%Y-%m-%d")
        sections[section] = {"facts": self._facts, "date": today, "rows": rows}
        path = self._folder / f"{NAME}.json"
        _replace(path, json.dumps({"sections": sections}, indent=1) + "\n")
        _replace(self._folder / f"{NAME}.md", as_markdown(sections))

    def attempt(self, section: str, case: str, work: Callable[[], Row | None]) -> None:
        """Add the row that ``work`` returns, or one with its error, and go on."""
        try:
            row = work()
        except Exception as error:
            traceback.print_exc()
            lines = str(error).strip().splitlines() or [""]
            row = {"result": f"error: {type(error).__name__}: {lines[0]}"}
            self.has_failed = True
        if row is not None:
            self.add(section, {"case": case} | row)


def facts() -> dict[str, str]:
    """Return machine, device, driver and versions on which a row was measured."""
    known = machine()
    del known["command"], known["date"]
    known["device"] = _device()
    for package in ("numpy", "numba", "cupy-cuda13x", "cupy-cuda12x"):
        try:
            known[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            continue
    return known


def _device() -> str:
    """Return name, driver, memory, greatest clocks and power limit, from nvidia-smi."""
    command = ["nvidia-smi", f"--query-gpu={DRIVER_QUERY}", "--format=csv,noheader"]
    try:
        run = subprocess.run(command, capture_output=True, text=True, check=False, timeout=30)
    except (OSError, subprocess.TimeoutExpired):
        return "nvidia-smi does not answer"
    lines = run.stdout.strip().splitlines()
    return lines[0] if run.returncode == 0 and lines else "nvidia-smi does not answer"


def as_markdown(sections: dict[str, Any]) -> str:
    """Return all sections for people. The machine is stated wherever it changes."""
    lines = ["# Checked and timed on a GPU", "", "Made by `scripts/gpu/check.sh`."]
    said = None
    for name, section in sections.items():
        lines += ["", f"## {name}, {section['date']}", ""]
        if section["facts"] != said:
            said = section["facts"]
            lines += [*(f"- {key}: `{value}`" for key, value in said.items()), ""]
        lines += table_lines(section["rows"])
    return "\n".join(lines) + "\n"


def _replace(path: Path, text: str) -> None:
    """Write a file so that the old one survives if the program is killed meanwhile."""
    new = path.with_name(path.name + ".tmp")
    new.write_text(text)
    new.replace(path)


def main() -> None:
    """Add the row of the command line."""
    folder, section, case, result, seconds = sys.argv[1:]
    Report(Path(folder)).add(section, {"case": case, "result": result, "seconds": int(seconds)})


if __name__ == "__main__":
    main()
