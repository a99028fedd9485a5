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
sections are left out, and three take turns: a ranking within this process, its game loaded anew, a
command that saves its ranking, and that program, which solves every opener exactly (``-s``) within
six guesses. It gives median CPU seconds, and how many openers differ in their totals.
"""

from __future__ import annotations

import re
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
from scripts.bench.common import medians, options, report, times_of

FEW = 3
"""Guesses for each answer of a game with few guesses."""
UNWINNABLE = 10**9
"""The public program's total of an opener with which no strategy surely wins."""
TINY = ["crane", "salet", "slate", "trace"]
Lists = tuple[list[str], list[str]]


class Stopwatch:
    """CPU seconds of the functions of the search, on all threads."""

    def __init__(self) -> None:
        self.seconds = 0.0
        code = machine_code.MACHINE_CODE
        timed = {
            name: self._timed(function)
            for name, function in code.items()
            if name.startswith("call_")
        }
        machine_code.MACHINE_CODE = {**code, **timed}

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


def write_lists(lists: Lists, folder: Path) -> tuple[str, str]:
    """Paths of files of guesses and answers."""
    paths = folder / "guesses", folder / "answers"
    for path, words in zip(paths, lists, strict=True):
        path.write_text("\n".join(words) + "\n")
    return str(paths[0]), str(paths[1])


def command(guesses: str, answers: str) -> list[str]:
    """The command that ranks a game."""
    rank = [sys.executable, "-m", "gpu_wordle", "rank", "--exact", "all", "--quiet"]
    return [*rank, "--guesses", guesses, "--answers", answers]


def time_ranking(lists: Lists, repeats: int, stopwatch: Stopwatch) -> dict[str, Any]:
    """Return the median seconds of a ranking in this process."""
    game = gw.load_game(*lists)
    rows = []
    for _ in range(repeats + 1):
        stopwatch.seconds, cpu, wall = 0.0, time.process_time(), time.perf_counter()
        best = gw.rank(game, exact="all").best
        rows.append((time.process_time() - cpu, time.perf_counter() - wall, stopwatch.seconds))
    cpu, wall, search = medians(rows)
    return {
        "best": best,
        "cpu_s": round(cpu, 4),
        "wall_s": round(wall, 4),
        "search_s": round(search, 4),
        "overhead": round((cpu - search) / search, 1),
        "cpu_us_per_guess": round(cpu / len(lists[0]) * 1e6),
    }


def time_command(lists: Lists, repeats: int, folder: Path) -> dict[str, Any]:
    """Median seconds of a ranking as a command."""
    ranking = command(*write_lists(lists, folder))
    cpu, wall = medians([times_of(ranking)[:2] for _ in range(repeats + 1)])
    return {"cpu_s": round(cpu, 3), "wall_s": round(wall, 3)}


def time_turns(lists: Lists, repeats: int, folder: Path, program: str) -> dict[str, Any]:
    """Median CPU seconds of a ranking in this process, of a command, and of the public program."""
    files = guesses, answers = write_lists(lists, folder)
    saving = [*command(*files), "--out", str(folder / "ranking.h5"), "--fresh"]
    rows = []
    for _ in range(repeats + 1):
        started = time.process_time()
        ranking = gw.rank(gw.load_game(*files), exact="all")
        within = time.process_time() - started
        public, _, printed = times_of([program, "-s", "-a", guesses, "-h", answers])
        rows.append((within, times_of(saving)[0], public))
    within, commanded, public = medians(rows)
    totals = re.findall(r"First guess (\w+) *= (\d+)", printed)
    theirs = {word: int(total) for word, total in totals}
    ours = {row["opener"]: row["total"] or UNWINNABLE for row in ranking}
    return {
        "within_s": round(within, 4),
        "command_s": round(commanded, 3),
        "public_s": round(public, 4),
        "within / public": round(within / public, 1),
        "command / public": round(commanded / public, 1),
        "different": len(ours.items() ^ theirs.items()),
    }


def main() -> None:
    """Time the games asked for, and report."""
    asked = options(
        __doc__,
        answers=[20, 50, 100, 200, 400],
        guesses={"few": FEW, "all": None},
        sections={"process": time_ranking, "command": time_command},
        public=str,
        repeats=5,
        json=False,
    )
    games = {
        f"{answers} answers, {kind} guesses": lists_of(answers, kind)
        for answers in asked.answers
        for kind in asked.guesses
    }
    rows = []
    with tempfile.TemporaryDirectory() as name:
        folder, repeats = Path(name), asked.repeats

        def add(case: str, lists: Lists, timed: dict[str, Any], **section: str) -> None:
            rows.append({**section, "case": case, "guesses": len(lists[0]), **timed})

        if asked.public:
            asked.sections = []
            for case, lists in games.items():
                add(case, lists, time_turns(lists, repeats, folder, asked.public))
        if "process" in asked.sections:
            stopwatch = Stopwatch()
            for case, lists in games.items():
                add(case, lists, time_ranking(lists, repeats, stopwatch), section="process")
        if "command" in asked.sections:
            for case, lists in ({"4 answers": (TINY, TINY)} | games).items():
                add(case, lists, time_command(lists, repeats, folder), section="command")
    report("Small games", rows, asked.out, as_json=asked.json)


if __name__ == "__main__":
    main()
