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
from scripts.fuzz.game import LISTS, PLAIN, same, write_game

SWITCHES = ["", "0", "1"]
NUMBERS = ["", " ", "0", "-1", "1", "3", "1.5", "abc", "٣", "9" * 30, "nan", "0x10"]
FOLDERS = ["", " ", ".", "no/such", "/dev/null", "/proc/1", "guesses.txt", "ü", "a\nb", "x" * 300]
LOCALES = ["", "C", "POSIX", "C.UTF-8", "xx_YY.UTF-8", "en_US.ISO-8859-1", "tr_TR.UTF-8", "9"]
KINDS = {
    "locale": {
        **dict.fromkeys(["LC_ALL", "LANG", "LC_CTYPE", "LC_NUMERIC", "LANGUAGE"], LOCALES),
        "PYTHONUTF8": ["0", "1"],
        "PYTHONCOERCECLOCALE": ["0", "warn"],
        "PYTHONIOENCODING": ["ascii", "latin-1", "utf-8:strict"],
    },
    "terminal": {
        **dict.fromkeys(["COLUMNS", "LINES"], NUMBERS),
        "TERM": ["", "dumb", "xterm-256color", "nonsense", "x" * 5000],
        **dict.fromkeys(["NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE"], SWITCHES),
    },
    "threads": {
        **dict.fromkeys(["NUMBA_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"], NUMBERS),
        "NUMBA_DISABLE_JIT": ["1"],
    },
    "folders": {
        **dict.fromkeys(["HOME", "XDG_CACHE_HOME", "TMPDIR", "GPU_WORDLE_CACHE"], FOLDERS),
        **dict.fromkeys(["NUMBA_CACHE_DIR", "MPLCONFIGDIR"], FOLDERS),
    },
    "this program": {
        "GPU_WORDLE_CHECKPOINT_S": NUMBERS,
        "GPU_WORDLE_COMMIT": ["", "x" * 5000, "a\nb", "\udcff"],
        "PYTHONWARNINGS": ["error", "always", "error::UserWarning"],
        **dict.fromkeys(["PYTHONDEVMODE", "PYTHONOPTIMIZE", "PYTHONNOUSERSITE"], SWITCHES),
    },
}
"""Variables by topic. Python itself starts with each value without a message.

Variables that change what numba compiles are left out: they would recompile everything.
"""

COMMANDS = [
    ["solve", "bat", *LISTS, *PLAIN],
    ["rank", "--exact", "3", *LISTS, *PLAIN, "--out", "r.h5", "--fresh"],
    ["spectrum", "chf", *LISTS, "--quiet", "--json"],
    ["suggest", "chf", "BBB", *LISTS, *PLAIN],
]


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
    if not fault and done.code == 0 and same(done.out) != _usual(tuple(line), shelf):
        fault = f"says {done.out[:300]!r}"
    became = "refused" if done.code else "as ever"
    return kind, became, f"{odd} {line[0]}: {fault}" if fault else ""


@cache
def _usual(line: tuple[str, ...], shelf: Path) -> object:
    """Return the output of a command in a plain environment."""
    folder = shelf / f"plain-{os.getpid()}"
    folder.mkdir(exist_ok=True)
    write_game(folder)
    done = _call(list(line), folder, {"GPU_WORDLE_CACHE": str(shelf / "variables")})
    shutil.rmtree(folder)
    return same(done.out)


def _call(line: list[str], folder: Path, variables: dict[str, str]) -> Outcome:
    """Run a fresh process, since much is read while it loads."""
    command = [sys.executable, "-m", "gpu_wordle", *line]
    try:
        ended = subprocess.run(
            command, cwd=folder, env={**os.environ, **variables}, stdin=subprocess.DEVNULL,
            capture_output=True, timeout=COMPILING_LIMIT_S, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return Outcome(None, "", "", COMPILING_LIMIT_S)
    out, err = (each.decode("utf-8", "backslashreplace") for each in (ended.stdout, ended.stderr))
    return Outcome(ended.returncode, out, err, 0.0)
