"""Options, timing, the machine's description, and reports in JSON and Markdown."""

from __future__ import annotations

import argparse
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


def options(doc: str | None, *positional: str, **defaults: Any) -> argparse.Namespace:
    """Read the command line; each option is declared by its default, and ``doc`` is the help.

    A type stands for an option without a default, False for a switch. A list takes any number of
    values, a dict any of its keys, and a tuple one of its members, by default the first. A
    positional argument is a path; with a final ``...`` it takes several. ``--out`` is always there.
    """
    parser = argparse.ArgumentParser(
        description=doc, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    for name in positional:
        is_one = not name.endswith("...")
        parser.add_argument(name.removesuffix("..."), type=Path, nargs=None if is_one else "+")
    for name, default in {**defaults, "out": Path}.items():
        given: dict[str, Any] = {"type": type(default), "default": default}
        if default is False:
            given = {"action": "store_true"}
        elif isinstance(default, type):
            given = {"type": default}
        elif isinstance(default, tuple):
            given = {"choices": default, "default": default[0]}
        elif isinstance(default, dict):
            given = {"choices": default, "nargs": "*", "default": list(default)}
        elif isinstance(default, list):
            given = {"type": type(default[0]), "nargs": "*", "action": "extend"}
        parser.add_argument(f"--{name.replace('_', '-')}", **given)
    found = parser.parse_args()
    for name, default in defaults.items():
        if isinstance(default, list) and getattr(found, name) is None:
            setattr(found, name, default)
    return found


def medians(rows: Sequence[Sequence[float]]) -> list[float]:
    """The median of each column of some timings; the first row only warms up."""
    return [statistics.median(column) for column in zip(*rows[1:], strict=True)]


def median_seconds(work: Callable[[], object], repeats: int, *, cpu: bool = False) -> float:
    """Return the median of ``repeats`` timings, after one that is not counted.

    ``cpu`` takes the processor time of this process instead of the wall clock. A busy machine
    disturbs it less; use it for work on one thread.
    """
    clock = time.process_time if cpu else time.perf_counter
    seconds = []
    for _ in range(repeats + 1):
        start = clock()
        work()
        seconds.append([clock() - start])
    return medians(seconds)[0]


def times_of(command: Sequence[str]) -> tuple[float, float, str]:
    """Run a command; return its CPU seconds with children, its wall seconds, and its output."""
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    after, wall = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter() - started
    cpu = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    return cpu, wall, done.stdout


def machine() -> dict[str, str]:
    """Processor, cores, system, commit and command of this run."""
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
