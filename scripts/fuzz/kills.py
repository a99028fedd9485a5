"""Kill commands that write, at random moments, and check the files that are left."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from scripts.fuzz.child import INTERRUPTED, Blow, Outcome, call
from scripts.fuzz.game import arguments_of, same
from scripts.fuzz.writers import (
    IS_WHOLE,
    TEXTS,
    WRITERS,
    Contents,
    Writer,
    contents,
    write_contents,
    write_lists,
)

FRESH = 0.1
"""Share of kills that hit a freshly started process, and so perhaps its loading."""

LOADING_S = 1.0
"""Extra seconds that such a process takes."""

ENVIRONMENT = {"GPU_WORDLE_CACHE": "cache", "GPU_WORDLE_CHECKPOINT_S": "0.01"}
CHECKER = Path(__file__).resolve().parents[2] / "certificates" / "check.py"


@dataclass(frozen=True)
class Undisturbed:
    """The result of a writer that is left alone.

    Attributes:
        document: its output.
        written: its files.
        seconds: how long it takes.
        earlier: files that may exist before.
        exact_before: solved openers of a ranking in those.
        inputs: the files that it reads.
    """

    document: object
    written: Contents
    seconds: float
    earlier: Contents
    exact_before: int
    inputs: Contents


@cache
def undisturbed(number: int, shelf: Path) -> Undisturbed:
    """Run a writer and what may come before it, each in a folder of its own."""
    writer = WRITERS[number]
    place = shelf / f"{os.getpid()}-{number}"
    shutil.rmtree(place, ignore_errors=True)  # left by an earlier run that was killed
    place.mkdir()
    write_lists(place)
    for line in writer.inputs:
        _succeed(arguments_of(f"{line} LISTS PLAIN"), place)
    shutil.rmtree(place / "cache", ignore_errors=True)
    inputs = contents(place)
    _succeed(arguments_of(f"{writer.before} {writer.options}"), place)
    earlier = contents(place / writer.file)
    exact_before = _exact_in(writer, place)
    for made in (place / writer.file, place / "cache"):
        shutil.rmtree(made) if made.is_dir() else made.unlink()
    done = _succeed(writer.command, place)
    written = contents(place / writer.file)
    if writer.checks:
        command = [sys.executable, str(CHECKER), writer.file, "guesses.txt", "answers.txt"]
        subprocess.run(command, cwd=place, check=True, stdout=subprocess.DEVNULL)
    return Undisturbed(same(done.out), written, done.seconds, earlier, exact_before, inputs)


def _succeed(command: list[str], place: Path) -> Outcome:
    done = call(command, place, ENVIRONMENT)
    assert done.code == 0, (command, done)
    return done


def verifying(writer: Writer) -> list[str]:
    """Return the command that verifies the file of a writer."""
    return arguments_of(f"verify {writer.file} LISTS PLAIN")


def _exact_in(writer: Writer, folder: Path) -> int:
    """Return the number of solved openers in a ranking; 0 for any other file."""
    if writer.file != "r.h5":
        return 0
    checked = _succeed(verifying(writer), folder)
    return int(json.loads(checked.out)["exact_openers"])


def kill(
    chance: random.Random, folder: Path, shelf: Path, kinds: list[str]
) -> tuple[str, str, str]:
    """Kill one command; return its name, its fate, and what is wrong, if anything."""
    meant = [n for n, each in enumerate(WRITERS) if any(kind in each.name for kind in kinds)]
    number = chance.choice(meant)
    writer, true = WRITERS[number], undisturbed(number, shelf)
    write_contents(folder, true.inputs)
    file = folder / writer.file
    if has_earlier := chance.random() < 0.5:
        write_contents(file, true.earlier)
    fresh = chance.random() < FRESH
    sent = signal.SIGKILL if fresh else chance.choice([signal.SIGKILL, signal.SIGINT])
    latest = 1.1 * true.seconds + (LOADING_S if fresh else 0)
    blow = Blow(sent, chance.uniform(0.001, latest), fresh)
    hit = call(writer.command, folder, ENVIRONMENT, blow=blow)
    name = f"{writer.name}, {sent.name}"
    what = f"{' '.join(writer.command)}, {sent.name} after {blow.after_s:.3f} s"
    if sent is signal.SIGINT and (fault := hit.fault((0, INTERRUPTED))):
        return name, "", f"{what}: {fault}"
    if hit.code != -signal.SIGKILL and sent is signal.SIGKILL and (fault := hit.fault((0,))):
        return name, "", f"{what}: {fault}"
    if fault := _left(writer, true, has_earlier=has_earlier, folder=folder):
        return name, "", f"{what}: {fault}"
    was_there = file.exists()
    if fault := _gone_on(writer, true, folder):
        return name, "", f"{what}: {fault}"
    if hit.code == 0:
        return name, "had ended", ""
    return name, "file whole" if was_there else "no file yet", ""


def _left(writer: Writer, true: Undisturbed, *, has_earlier: bool, folder: Path) -> str:
    """Return what is wrong with the files that a killed command has left."""
    left = {name: content for name, content in contents(folder / writer.file).items()
            if not _is_temporary(name)}  # fmt: skip
    earlier = true.earlier if has_earlier else {}
    if lost := sorted(earlier.keys() - left):
        return f"LOSS: {' '.join([writer.file, *lost]).strip()} was there and is gone"
    for name, content in left.items():
        if content not in (true.written.get(name), earlier.get(name)):
            suffix = Path(name or writer.file).suffix
            begun = true.written.get(name, b"")
            if not is_fit(content, begun, suffix, is_one_of_many=bool(name)):
                return f"DAMAGED: what is left of {name or writer.file} is another file"
    if not writer.verifies or not writer.file.endswith(".h5") or left in ({}, earlier):
        return ""
    checked = call(verifying(writer), folder, ENVIRONMENT)
    if checked.code != 0:
        return f"DAMAGED: what is left is refused: {checked.err!r}"
    if has_earlier and "--fresh" not in writer.command:
        solved = json.loads(checked.out).get("exact_openers", 0)
        if solved < true.exact_before:
            return f"LOSS: {solved} openers of {true.exact_before} are left"
    return ""


def _is_temporary(name: str) -> bool:
    """True if the next run removes this file."""
    return Path(name).name.startswith(".")


def is_fit(content: bytes, true: bytes, suffix: str, *, is_one_of_many: bool) -> bool:
    """True if a file may differ from the undisturbed one as it does, and is whole."""
    if suffix == ".csv":  # Ctrl-C keeps the finished games
        return content.endswith(b"\n") and true.startswith(content)
    if suffix in TEXTS and not is_one_of_many:
        return False
    return suffix not in IS_WHOLE or IS_WHOLE[suffix](content)


def _gone_on(writer: Writer, true: Undisturbed, folder: Path) -> str:
    """Return what is wrong after the same command has run again."""
    again = call(writer.command, folder, ENVIRONMENT)
    if again.code != 0 or again.err:
        return f"the same command fails: {again.code} {again.err!r}"
    if same(again.out) != true.document:
        return "WRONG VALUE: the same command gives another result"
    written = contents(folder / writer.file)
    if written.keys() != true.written.keys():
        return f"LEFTOVERS: {', '.join(sorted(written.keys() ^ true.written.keys()))}"
    for name, content in written.items():
        suffix = Path(name or writer.file).suffix
        if suffix in TEXTS and content != true.written[name]:
            return f"WRONG VALUE: the same command writes another {name or writer.file}"
        if suffix in IS_WHOLE and not IS_WHOLE[suffix](content):
            return f"DAMAGED: {name or writer.file} is not whole"
    if writer.verifies and writer.file.endswith(".h5"):
        checked = call(verifying(writer), folder, ENVIRONMENT)
        if checked.code != 0:
            return f"DAMAGED: the file is refused: {checked.err!r}"
    known = {writer.file, "cache", *true.inputs}
    left = {path.name for path in folder.iterdir()} - known
    kept = folder / "cache"
    left |= {path.name for path in kept.glob("*") if path.suffix != ".npy"}
    return f"LEFTOVERS: {', '.join(sorted(left))}" if left else ""
