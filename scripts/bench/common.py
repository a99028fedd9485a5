"""Shared code of the benchmarks: timing, the machine's description, JSON and Markdown."""

from __future__ import annotations

import json
import os
import platform
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from gpu_wordle.backends.cpu.backend import processor_name
from gpu_wordle.backends.cpu.threads import available_cores


def median_seconds(work: Callable[[], object], repeats: int, *, cpu: bool = False) -> float:
    """Return the median of ``repeats`` timings, after one that is not counted.

    ``cpu`` takes the processor time of this process instead of the wall clock. A busy machine
    disturbs it less; use it for work on one thread.
    """
    clock = time.process_time if cpu else time.perf_counter
    work()
    seconds = []
    for _ in range(repeats):
        start = clock()
        work()
        seconds.append(clock() - start)
    return statistics.median(seconds)


def times_of(command: Sequence[str]) -> tuple[float, float, str]:
    """Run a command; return its CPU seconds with children, its wall seconds, and its output."""
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    after, wall = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter() - started
    cpu = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    return cpu, wall, done.stdout


def machine() -> dict[str, str]:
    """Return processor, cores, system, commit and command of this run."""
    return {
        "cpu": processor_name(),
        "cores": str(available_cores()),
        "system": platform.platform(),
        "python": platform.python_version(),
        "commit": _commit(),
        "command": " ".join(["python", *sys.argv]),
        "date": time.strftime("%Y-%m-%d"),
    }


def report(
    title: str, rows: Sequence[dict[str, Any]], out: Path | None, *, as_json: bool = False
) -> None:
    """Print the rows as a Markdown table; with ``out``, also write it and the JSON there.

    ``as_json`` prints them as JSON and writes nothing.
    """
    facts = machine()
    if as_json:
        print(json.dumps({"machine": facts, "rows": rows}, indent=1))
        return
    text = f"# {title}\n\n{page(facts, rows)}"
    print(text)
    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
        script = Path(sys.argv[0]).resolve()
        folder = script.parent.name
        stem = f"{folder}_{script.stem}" if folder in ("bench", "gpu") else script.stem
        (out / f"{stem}.md").write_text(text)
        content = {"title": title, "machine": facts, "rows": rows}
        (out / f"{stem}.json").write_text(json.dumps(content, indent=1) + "\n")


def page(facts: dict[str, str], rows: Sequence[dict[str, Any]], *more: str) -> str:
    """Return facts, a table and further lines as Markdown."""
    lines = [*(f"- {key}: `{value}`" for key, value in facts.items()), "", *table_lines(rows)]
    return "\n".join([*lines, *more]) + "\n"


def tell(text: str, out: Path | None) -> None:
    """Print a page, and write it to a file if one is given."""
    print(text)
    if out is not None:
        out.write_text(text, encoding="utf-8")


def table_lines(rows: Sequence[dict[str, Any]]) -> list[str]:
    """Return a Markdown table of all columns that any row has."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    lines = ["| " + " | ".join(names) + " |", "|" + "---|" * len(names)]
    return lines + [
        "| " + " | ".join(str(row.get(name, "")) for name in names) + " |" for row in rows
    ]


def _commit() -> str:
    """Return the commit by git, or by the variable that names it where .git is missing."""
    if given := os.environ.get("GPU_WORDLE_COMMIT"):
        return given
    try:
        run = subprocess.run(
            ["git", "describe", "--always", "--abbrev=12", "--dirty"],
            cwd=Path(__file__).parent, capture_output=True, text=True, check=False,
        )  # fmt: skip
    except OSError:  # git is not installed
        return "unknown"
    return run.stdout.strip() or "unknown"
