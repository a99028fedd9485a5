"""Time complete exact rankings of small games, within one process and as whole commands.

    python scripts/bench/small.py [--answers 20 50 ...] [--guesses few all] [--sections process]
                                  [--public PROGRAM] [--repeats N] [--out FOLDER] [--json]

Games are random answers of the original lists, drawn with a fixed seed: ``few`` has three times as
many guesses as answers, the answers among them; ``all`` has every guess of the original lists.

``process`` calls ``gw.rank(game, exact="all")`` on a loaded game: median CPU and wall seconds after
a ranking that is not counted. The search is the CPU time of the machine code, strategies included;
``overhead`` is all the rest, divided by it. ``command`` times a fresh process of
``gpu-wordle rank --exact all`` with the loading of lists; its first game has four words.

``--public`` names a program that was built from ``wordle.cpp`` of ``alex1770/wordle``. Then the
sections are left out, and three runs take turns: a ranking within this process, with its game
loaded again; a command; and that program. It reports median CPU seconds, and the number of openers
with different totals.
"""

from __future__ import annotations

import argparse
import dataclasses
import re
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import gpu_wordle as gw
from gpu_wordle.game.words import load_words
from gpu_wordle.solver.unconstrained import machine_code
from scripts.bench.common import report, times_of

ANSWERS = (20, 50, 100, 200, 400)
FEW = 3
"""Guesses for each answer of a game with few guesses."""
UNWINNABLE = 10**9
"""The public program's total of an opener that does not surely win."""
TINY = ("crane", "salet", "slate", "trace")
Lists = tuple[list[str], list[str]]


class Stopwatch:
    """CPU seconds of the functions of the search, on all threads."""

    def __init__(self) -> None:
        self.seconds = 0.0
        code = machine_code.MACHINE_CODE
        timed = {
            field.name: self._timed(getattr(code, field.name))
            for field in dataclasses.fields(code)
            if field.name != "linked"
        }
        machine_code.MACHINE_CODE = dataclasses.replace(code, **timed)

    def _timed(self, function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any) -> Any:
            started = time.thread_time()
            try:
                return function(*arguments)
            finally:
                self.seconds += time.thread_time() - started

        return call


def lists_of(answers: int, guesses: str) -> Lists:
    """Return guesses and answers of a game."""
    words = load_words("original")
    rng = np.random.default_rng(answers)
    chosen = [words.answers.words[a] for a in rng.choice(len(words.answers), answers, False)]
    if guesses == "all":
        return list(words.guesses.words), sorted(chosen)
    others = sorted(set(words.guesses.words) - set(chosen))
    more = rng.choice(len(others), (FEW - 1) * answers, False)
    return sorted([*chosen, *(others[g] for g in more)]), sorted(chosen)


def write_lists(lists: Lists, folder: Path) -> list[str]:
    """Write files of guesses and answers, and return their paths."""
    paths = [folder / "guesses", folder / "answers"]
    for path, words in zip(paths, lists, strict=True):
        path.write_text("\n".join(words) + "\n")
    return [str(path) for path in paths]


def own_command(guesses: str, answers: str) -> list[str]:
    """Return the command of a ranking."""
    command = [sys.executable, "-m", "gpu_wordle", "rank", "--exact", "all", "--quiet"]
    return [*command, "--guesses", guesses, "--answers", answers]


def time_ranking(lists: Lists, repeats: int, stopwatch: Stopwatch) -> dict[str, Any]:
    """Return the median seconds of a ranking in this process."""
    game = gw.load_game(*lists)
    rows = []
    for _ in range(repeats + 1):
        stopwatch.seconds, cpu, wall = 0.0, time.process_time(), time.perf_counter()
        best = gw.rank(game, exact="all").best
        rows.append((time.process_time() - cpu, time.perf_counter() - wall, stopwatch.seconds))
    cpu, wall, search = (statistics.median(column) for column in zip(*rows[1:], strict=True))
    return {
        "best": best,
        "cpu_s": round(cpu, 4),
        "wall_s": round(wall, 4),
        "search_s": round(search, 4),
        "overhead": round((cpu - search) / search, 1),
        "cpu_us_per_guess": round(cpu / len(lists[0]) * 1e6),
    }


def time_command(lists: Lists, repeats: int, folder: Path) -> dict[str, Any]:
    """Return the median seconds of a ranking as a command."""
    command = own_command(*write_lists(lists, folder))
    rows = [times_of(command)[:2] for _ in range(repeats + 1)]
    cpu, wall = (statistics.median(column) for column in zip(*rows[1:], strict=True))
    return {"cpu_s": round(cpu, 3), "wall_s": round(wall, 3)}


def time_turns(lists: Lists, repeats: int, folder: Path, program: str) -> dict[str, Any]:
    """Return median CPU seconds: of a ranking here, of a command that saves it, of the program.

    The public program solves every opener exactly (``-s``), within six guesses.
    """
    guesses, answers = write_lists(lists, folder)
    saving = [*own_command(guesses, answers), "--out", str(folder / "ranking.h5"), "--fresh"]
    rows = []
    for _ in range(repeats + 1):
        started = time.process_time()
        ranking = gw.rank(gw.load_game(guesses, answers), exact="all")
        within = time.process_time() - started
        command, *_ = times_of(saving)
        public, _, printed = times_of([program, "-s", "-a", guesses, "-h", answers])
        rows.append((within, command, public))
    within, command, public = (statistics.median(column) for column in zip(*rows[1:], strict=True))
    theirs = {
        word: int(total) for word, total in re.findall(r"First guess (\w+) *= (\d+)", printed)
    }
    ours = {row["opener"]: row["total"] or UNWINNABLE for row in ranking}
    return {
        "within_s": round(within, 4),
        "command_s": round(command, 3),
        "public_s": round(public, 4),
        "within / public": round(within / public, 1),
        "command / public": round(command / public, 1),
        "different": len(ours.items() ^ theirs.items()),
    }


def main() -> None:
    """Parse arguments, time the games, and report."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--answers", nargs="+", type=int, default=ANSWERS)
    parser.add_argument("--guesses", nargs="+", choices=["few", "all"], default=["few", "all"])
    sections = ["process", "command"]
    parser.add_argument("--sections", nargs="+", choices=sections, default=sections)
    parser.add_argument("--public", metavar="PROGRAM", help="time that program, by turns")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--out", type=Path, help="folder for the Markdown and JSON")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    arguments = parser.parse_args()
    games = {
        f"{answers} answers, {kind} guesses": lists_of(answers, kind)
        for answers in arguments.answers
        for kind in arguments.guesses
    }
    rows: list[dict[str, Any]] = []
    if arguments.public:
        arguments.sections = []
        with tempfile.TemporaryDirectory() as folder:
            for case, lists in games.items():
                timed = time_turns(lists, arguments.repeats, Path(folder), arguments.public)
                rows.append({"case": case, "guesses": len(lists[0]), **timed})
    if "process" in arguments.sections:
        stopwatch = Stopwatch()
        for case, lists in games.items():
            timed = time_ranking(lists, arguments.repeats, stopwatch)
            rows.append({"section": "process", "case": case, "guesses": len(lists[0]), **timed})
    if "command" in arguments.sections:
        tiny = {"4 answers": (list(TINY), list(TINY))}
        with tempfile.TemporaryDirectory() as folder:
            for case, lists in (tiny | games).items():
                timed = time_command(lists, arguments.repeats, Path(folder))
                rows.append({"section": "command", "case": case, "guesses": len(lists[0]), **timed})
    report("Small games", rows, arguments.out, as_json=arguments.json)


if __name__ == "__main__":
    main()
