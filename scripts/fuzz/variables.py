"""Right commands in processes with odd environments."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

from scripts.fuzz.child import COMPILING_LIMIT_S, Outcome
from scripts.fuzz.game import arguments_of, same, table, values_of, write_game

TABLE = table("variables")
KINDS = {
    kind: {name: values_of(listed, TABLE["lists"]) for name, listed in variables.items()}
    for kind, variables in TABLE["kinds"].items()
}
"""Odd values of variables by topic."""

COMMANDS = (
    "solve bat LISTS PLAIN",
    "rank --exact 3 LISTS PLAIN --out r.h5 --fresh",
    "spectrum chf LISTS --quiet --json",
    "suggest chf BBB LISTS PLAIN",
)


def try_variables(
    chance: random.Random, folder: Path, shelf: Path, kinds: list[str]
) -> tuple[str, str, str]:
    """Run a command with one to three odd variables. It must give its usual output, or an error.

    Returns the topic of the first variable, the fate of the command, and what is wrong, if
    anything.
    """
    kind = chance.choice([name for name in KINDS if any(part in name for part in kinds)])
    drawn = [kind, *chance.choices(list(KINDS), k=chance.choice([0, 0, 1, 2]))]
    odd = {}
    for each in drawn:
        name = chance.choice(list(KINDS[each]))
        odd[name] = chance.choice(KINDS[each][name])
    line = chance.choice(COMMANDS)
    write_game(folder)
    done = _call(line, folder, {"GPU_WORDLE_CACHE": str(shelf / "variables"), **odd})
    fault = done.fault(allowed=(0, 1, 2))
    if not fault and done.code == 0 and same(done.out) != _usual(line, shelf):
        fault = f"says {done.out[:300]!r}"
    became = "refused" if done.code else "as ever"
    return kind, became, f"{odd} {line.split()[0]}: {fault}" if fault else ""


@cache
def _usual(line: str, shelf: Path) -> object:
    """Return the output of a command in a plain environment."""
    folder = shelf / f"plain-{os.getpid()}"
    folder.mkdir(exist_ok=True)
    write_game(folder)
    done = _call(line, folder, {"GPU_WORDLE_CACHE": str(shelf / "variables")})
    shutil.rmtree(folder)
    return same(done.out)


def _call(line: str, folder: Path, variables: dict[str, str]) -> Outcome:
    """Run a fresh process, since much is read while it loads."""
    command = [sys.executable, "-m", "gpu_wordle", *arguments_of(line)]
    try:
        ended = subprocess.run(
            command, cwd=folder, env={**os.environ, **variables}, stdin=subprocess.DEVNULL,
            capture_output=True, timeout=COMPILING_LIMIT_S, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return Outcome(None, "", "", COMPILING_LIMIT_S)
    out, err = (each.decode("utf-8", "backslashreplace") for each in (ended.stdout, ended.stderr))
    return Outcome(ended.returncode, out, err, 0.0)
