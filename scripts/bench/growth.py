"""Time and memory of one opener as games grow: by answers, guesses, letters and languages.

    python scripts/bench/growth.py [--sweeps answers guesses letters files] [--files NAME...]
                                   [--seed N] [--limit SECONDS] [--out FOLDER] [--plot FILE]

In each game the guess of most entropy is solved without a guess limit, by a process of one thread.

- answers: of the 12,972 guesses of the original game, as many as the sweep says, drawn by the seed;
- guesses: random words, 1,000 of which may be the answer;
- letters: 12,972 random words, 2,315 of which may be the answer;
- files: lists NAME-guesses.txt and NAME-answers.txt, as ``make_words.py`` writes them.

Random words have the letter frequencies of the original game. The report has the CPU seconds of the
process and of its search, and its peak memory. A process that takes more seconds than the limit is
killed, and its row has no total.
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from matplotlib.ticker import FuncFormatter, LogLocator

from gpu_wordle.game.words import load_words
from gpu_wordle.report.pictures import COLOUR, MARK, sheet
from scripts.bench import common

ANSWERS = (250, 500, 1_000, 2_000, 4_000, 8_000, 12_972)
GUESSES = (1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000)
LETTERS = (4, 5, 6, 7, 8, 9, 10)
SWEEPS = {"answers": "answers", "guesses": "guesses", "letters": "letters", "files": ""}
"""The sweeps, each with the name of what it varies."""

MIB = 1 << 10
"""The system counts peak memory in KiB."""


def games(sweep: str, seed: int, files: list[str], folder: Path) -> Iterator[tuple[Any, list[str]]]:
    """For each game of a sweep what varies, and the options that name the game."""
    if sweep == "answers":
        words = load_words("original").guesses.words
        for count in ANSWERS:
            path = folder / f"{count}.txt"
            drawn = sorted(random.Random(seed).sample(words, count))
            path.write_text("\n".join(drawn) + "\n", "utf-8")
            yield count, ["--guesses", "original", "--answers", str(path)]
    for count in GUESSES if sweep == "guesses" else ():
        yield count, ["--guesses", f"random:5:{count}:1000:original:{seed}"]
    for count in LETTERS if sweep == "letters" else ():
        yield count, ["--guesses", f"random:{count}:12972:2315:original:{seed}"]
    for name in files if sweep == "files" else ():
        lists = ["--guesses", f"{name}-guesses.txt", "--answers", f"{name}-answers.txt"]
        yield Path(name).name, lists


def run(verb: str, *options: str, limit: float) -> tuple[dict[str, Any] | None, float, float]:
    """Run a verb with ``--json``; its answer, CPU seconds and peak MiB. No answer: out of time."""
    command = [sys.executable, "-m", "gpu_wordle", verb, *options, "--json", "--quiet"]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        alarm = threading.Timer(limit, process.kill)
        alarm.start()
        assert process.stdout is not None
        said = process.stdout.read()
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        alarm.cancel()
    if process.returncode not in (0, -signal.SIGKILL):
        raise SystemExit(f"{' '.join(command)} ended with {process.returncode}")
    answer = json.loads(said) if process.returncode == 0 else None
    return answer, used.ru_utime + used.ru_stime, used.ru_maxrss / MIB


def measure(options: list[str], limit: float) -> dict[str, Any]:
    """Solve the guess of most entropy of a game; the row of a report."""
    ranked, _, _ = run("rank", *options, "--exact", "0", "--top", "1", limit=limit)
    if ranked is None:
        raise SystemExit("a ranking by entropy took longer than the limit; raise --limit")
    opener = ranked["rows"][0]["opener"]
    asked = [opener, *options, "--max-guesses", "0", "--threads", "1"]
    solved, seconds, peak = run("solve", *asked, limit=limit)
    found = solved["rows"][0] if solved else {}
    return {
        "opener": opener.upper(),
        "parts": ranked["rows"][0]["parts"],
        "total": found.get("total"),
        "states": found.get("expanded"),
        "search s": round(found["seconds"], 2) if solved else None,
        "process CPU s": round(seconds, 1) if solved else f"over {limit:g}",
        "peak MiB": round(peak),
    }


def draw(rows: list[dict[str, Any]], path: Path) -> None:
    """Draw CPU seconds and memory of each sweep, side by side."""
    sweeps = [name for name in SWEEPS if any(row["sweep"] == name for row in rows)]
    figure = sheet((3.2 * len(sweeps), 5.2))
    panels = figure.subplots(2, len(sweeps), sharex="col", sharey="row", squeeze=False)
    for column, sweep in enumerate(sweeps):
        mine = [row for row in rows if row["sweep"] == sweep and row["total"] is not None]
        varied = [row["game"] for row in mine]
        style = "o" if sweep == "files" else "o-"
        for line, (name, colour) in enumerate((("search s", COLOUR), ("peak MiB", MARK))):
            axes = panels[line, column]
            # A search of less than that is not told from none.
            axes.plot(varied, [max(row[name], 0.01) for row in mine], style, color=colour)
            axes.set_yscale("log")
            axes.spines[["top", "right"]].set_visible(False)
            if column == 0:
                axes.set_ylabel({"search s": "CPU seconds of the search"}.get(name, name))
            axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
            axes.yaxis.set_minor_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
            axes.yaxis.set_minor_locator(LogLocator(subs=(2, 4) if line else ()))
        if sweep in ("answers", "guesses"):
            panels[1, column].set_xscale("log")
            panels[1, column].xaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
        panels[1, column].set_xlabel(SWEEPS[sweep])
        if sweep == "files":
            panels[1, column].tick_params(axis="x", labelsize=8)
            panels[1, column].set_xticks(varied, varied, rotation=60, ha="right")
    figure.savefig(path, dpi=120)


def main() -> None:
    """Measure the sweeps asked for, report and draw them."""
    asked = common.options(__doc__, sweeps=SWEEPS, files=[""], seed=1, limit=600.0, plot=Path)
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for sweep in asked.sweeps:
            named = [name for name in asked.files if name]
            for varied, options in games(sweep, asked.seed, named, Path(folder)):
                row = {"sweep": sweep, "game": varied, **measure(options, asked.limit)}
                print(row, file=sys.stderr, flush=True)
                rows.append(row)
    common.report("How the search grows", rows, asked.out)
    if asked.plot is not None:
        draw(rows, asked.plot)


if __name__ == "__main__":
    main()
