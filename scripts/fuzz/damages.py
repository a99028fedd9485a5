"""Damage files of every kind that the program reads.

It must refuse or mend them, or tell the truth.
"""

from __future__ import annotations

import gzip
import json
import os
import random
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

from scripts.fuzz.child import COMPILING_LIMIT_S, LIMIT_S, Outcome, call
from scripts.fuzz.game import (
    Matrix,
    arguments_of,
    game_of_lists,
    game_of_matrix,
    played,
    same,
    table,
    untrue,
    write_game,
)

MOST_ORACLE_GUESSES = 40


def flip(chance: random.Random, data: bytes) -> bytes:
    """Flip up to three bits."""
    changed = bytearray(data)
    for _ in range(chance.randint(1, 3)):
        changed[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    return bytes(changed)


def cut(chance: random.Random, data: bytes) -> bytes:
    """Cut off the end, or a piece anywhere."""
    start = chance.randrange(len(data))
    end = len(data) if chance.random() < 0.5 else start + chance.choice([1, 2, 8, 64])
    return data[:start] + data[end:]


def blank(chance: random.Random, data: bytes) -> bytes:
    """Zero a range, like lost blocks of a disk."""
    start = chance.randrange(len(data))
    size = min(chance.choice([1, 8, 64, 512, 4096]), len(data) - start)
    return data[:start] + bytes(size) + data[start + size :]


def append(chance: random.Random, data: bytes) -> bytes:
    """Append random bytes, or a piece of the file itself."""
    start = chance.randrange(len(data))
    more = data[start:] if chance.random() < 0.3 else chance.randbytes(chance.randint(1, 600))
    return data + more


def scatter(chance: random.Random, data: bytes) -> bytes:
    """Move characters of the file to other places."""
    changed = bytearray(data)
    for _ in range(chance.randint(1, 3)):
        changed[chance.randrange(len(data))] = chance.choice(data)
    return bytes(changed)


def mix_lines(chance: random.Random, data: bytes) -> bytes:
    """Delete, duplicate or move a line."""
    lines = data.splitlines(keepends=True)
    line = lines.pop(chance.randrange(len(lines)))
    for _ in range(chance.randrange(3)):
        lines.insert(chance.randint(0, len(lines)), line)
    return b"".join(lines)


DAMAGES = [flip, cut, blank, append, scatter, mix_lines]


Truth = Callable[[Path, Outcome, object], str]
"""Returns what is wrong with a success: by the damaged file, and the output for the whole one."""


def equal(file: Path, outcome: Outcome, true: object) -> str:
    """Accept only the output for the undamaged file."""
    return "" if same(outcome.out) == true else "another result"


def replaced(file: Path, outcome: Outcome, true: object) -> str:
    """Accept only the right output, with the file replaced: the command does not read it."""
    return equal(file, outcome, true)


def refused(file: Path, outcome: Outcome, true: object) -> str:
    """Accept no success."""
    return "accepted"


def valid_strategy(file: Path, outcome: Outcome, true: object) -> str:
    """Accept a strategy that verifies only if it needs as many guesses as the output says."""
    told, needs = json.loads(outcome.out)["total"], played(file)
    return "" if told == needs else f"says {told} guesses, needs {needs}"


def solved(game: Callable[[Path], Matrix]) -> Truth:
    """Accept a solution only if it is right for the game that the files now state."""

    def check(file: Path, outcome: Outcome, true: object) -> str:
        meant = game(file.parent)
        if len(meant.guesses) > MOST_ORACLE_GUESSES:
            return f"{len(meant.guesses)} guesses"
        return untrue(json.loads(outcome.out), meant)

    return check


def counted(file: Path, outcome: Outcome, true: object) -> str:
    """Accept a summary of changed games only if it counts what its rows count, by player."""
    document = json.loads(outcome.out)
    games = sum(row["games"] for row in document["rows"])
    whole = len(file.read_bytes().splitlines()) - 1
    return "" if games <= whole else f"{games} games in {whole} lines"


def unpacked(folder: Path) -> Matrix:
    """Return the game with a packed list of guesses."""
    (folder / "guesses.txt").write_bytes(gzip.decompress((folder / "guesses.gz").read_bytes()))
    return game_of_lists(folder)


TRUTHS: dict[str, Truth] = {
    "equal": equal,
    "replaced": replaced,
    "refused": refused,
    "counted": counted,
    "strategy": valid_strategy,
    "solved": solved(game_of_lists),
    "solved, packed": solved(unpacked),
    "solved, weighed": solved(partial(game_of_lists, weights=True)),
    "solved, matrix": solved(lambda folder: game_of_matrix(folder / "game.csv")),
}


@dataclass(frozen=True)
class Kind:
    """A kind of file, and the command that reads it, as ``damages.toml`` lists them.

    Attributes:
        file: its name; of several, one is drawn.
        run: the command that reads it.
        share: its weight in the random choice.
        truth: a name in TRUTHS.
    """

    name: str
    file: str
    run: str
    share: int
    truth: str


TABLE = table("damages")
KINDS = [Kind(name, **row) for name, row in TABLE["kinds"].items()]


@cache
def intact(shelf: Path) -> Path:
    """Return a folder with every kind of file, undamaged."""
    from gpu_wordle.jit import files

    place = shelf / f"{os.getpid()}-intact"
    place.mkdir()
    write_game(place)
    (place / "guesses.gz").write_bytes(gzip.compress((place / "guesses.txt").read_bytes()))
    for line in TABLE["make"]:
        done = call(arguments_of(f"{line} LISTS PLAIN"), place, {"GPU_WORDLE_CACHE": "cache"})
        assert done.code == 0, done
    kept = files.parent_folder() / files.key()
    shutil.copytree(
        kept, place / "code" / files.key(), ignore=shutil.ignore_patterns("*.tmp", "lock")
    )
    return place


@cache
def truth(kind: Kind, shelf: Path) -> object:
    """Return the output for the undamaged file."""
    place = shelf / f"{os.getpid()}-{kind.name}"
    shutil.copytree(intact(shelf), place)
    done = call(arguments_of(kind.run), place, _environment(kind))
    assert done.code == 0, done
    return same(done.out)


def _environment(kind: Kind) -> dict[str, str]:
    """Return variables for machine code: the user's, unless it is to be damaged."""
    own = {"GPU_WORDLE_MACHINE_CODE": "code"} if kind.name == "machine code" else {}
    return {"GPU_WORDLE_CACHE": "cache", **own}


def damage(
    chance: random.Random, folder: Path, shelf: Path, kinds: list[str]
) -> tuple[str, str, str]:
    """Damage one file; return its kind, its fate, and what is wrong, if anything."""
    meant = [kind for kind in KINDS if any(part in kind.name for part in kinds)]
    kind = chance.choices(meant, [kind.share for kind in meant])[0]
    true = truth(kind, shelf)
    shutil.copytree(intact(shelf), folder, dirs_exist_ok=True, copy_function=os.link)
    file = chance.choice(sorted(folder.glob(kind.file)))
    content = file.read_bytes()
    harm, changed = flip, content
    while changed == content:
        harm = chance.choice(DAMAGES)
        changed = harm(chance, content)
    file.unlink()  # hard links of the file stay undamaged
    file.write_bytes(changed)
    mends = kind.name == "machine code"
    done = call(
        arguments_of(kind.run), folder, _environment(kind),
        limit_s=COMPILING_LIMIT_S if mends else LIMIT_S,
    )  # fmt: skip
    fault = done.fault()
    if not fault and done.code == 0 and (wrong := TRUTHS[kind.truth](file, done, true)):
        fault = f"WRONG VALUE: {wrong}"
    if not fault and done.code != 0 and kind.truth == "equal":
        fault = f"a damaged cache stops a command: {done.err!r}"
    if fault:
        fault = f"{file.name}, {harm.__name__}, {changed[:400]!r}: {fault}"
    return kind.name, _became(kind, done, file, changed), fault


def _became(kind: Kind, done: Outcome, file: Path, changed: bytes) -> str:
    if done.code != 0:
        return "refused"
    if kind.truth not in ("equal", "replaced"):
        return "still true"
    return "not read" if file.exists() and file.read_bytes() == changed else "mended"
