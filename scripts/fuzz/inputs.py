"""Wrong command lines, drawn from the options that each verb has."""

from __future__ import annotations

import gzip
import os
import random
import shutil
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from scripts.fuzz.child import call
from scripts.fuzz.game import LISTS, arguments_of, table, values_of, write_game

TABLE = table("inputs")
CONTRADICTIONS = [arguments_of(line) for line in TABLE["contradictions"]]
GROUP_OF = {name: group for group, names in TABLE["groups"].items() for name in names}
"""The groups of options in the table; numbers are all others."""


def wrong(values: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """Return the wrong values of options, by their names."""
    return {name: values_of(listed, TABLE["lists"]) for name, listed in values.items()}


@cache
def verbs() -> dict[str, dict[str, list[str]]]:
    """Return the wrong values of every option of each verb and of its arguments."""
    from typer.main import get_command

    from gpu_wordle.cli.program import app

    found, of_any = {}, wrong(TABLE["wrong"])
    for verb, command in get_command(app).commands.items():
        has = {name for parameter in command.params for name in parameter.opts}
        tried = sorted(has & of_any.keys() - set(TABLE["untried"].get(verb, ())))
        own = wrong(TABLE["wrong-of"].get(verb, {}))
        found[verb] = {name: of_any[name] for name in tried} | own
    return found


@cache
def ground(shelf: Path) -> Path:
    """Return a folder with good files, and with files that are bad in every way."""
    place = shelf / f"{os.getpid()}-ground"
    (place / "folder").mkdir(parents=True)
    write_game(place)
    for name in ("folder.h5", "folder.json", "folder.svg"):
        (place / name).mkdir()
    environment = {"GPU_WORDLE_CACHE": "cache"}
    for command in ("rank --out r.h5", *(f"solve chf --tree t.{s}" for s in ("txt", "json", "h5"))):
        done = call(arguments_of(f"{command} LISTS"), place, environment)
        assert done.code == 0, done
    words = (place / "guesses.txt").read_text()
    noise = random.Random(16).randbytes(3000)
    weights = (place / "weights.csv").read_text()
    matrix = (place / "game.csv").read_text()
    texts = {
        "empty.txt": "", "empty.json": "", "empty.csv": "", "twice.txt": words + "bat\n",
        "long-words.txt": "abcdefghijkl\n", "control.txt": words + "a\x1bb\n",
        "secret.txt": words + "toolong\n", "deep.json": '{"next":' * 100_000,
        "bad.csv": matrix.replace("26", "x"), "uneven.csv": matrix + "x,1\n",
        "no-weights.csv": "word,weight\n", "zero.csv": "".join(f"{w},0\n" for w in words.split()),
        "negative.csv": weights.replace(",7", ",-7"), "nan.csv": weights.replace(",7", ",nan"),
        "few.csv": weights.replace("bat,7\n", ""), "double.csv": weights + "bat,7\n",
        "huge.csv": weights.replace(",7", "," + "9" * 5000),
    }  # fmt: skip
    for name, text in texts.items():
        (place / name).write_text(text)
    for name in ("binary.bin", "binary.h5", "binary.csv", "words.xlsx"):
        (place / name).write_bytes(noise)
    (place / "latin1.txt").write_bytes(words.encode() + b"b\xe4t\n")
    (place / "bomb.gz").write_bytes(gzip.compress(bytes(64 << 20)))
    with (place / "huge.txt").open("wb") as file:
        file.truncate(1 << 36)
    os.mkfifo(place / "fifo")
    for name, target in (
        ("loop", "loop"), ("loop.h5", "loop.h5"), ("dangling", "nowhere"),
        ("dangling.txt", "nowhere.txt"), ("link.h5", "/dev/zero"),
    ):  # fmt: skip
        (place / name).symlink_to(target)
    return place


def draw(chance: random.Random, kinds: list[str]) -> tuple[str, list[str]]:
    """Draw a command line with something wrong in it, and the kind of the fault.

    It is quiet, since remarks on stderr are no errors.
    """
    if chance.random() < 0.1:
        meant = [line for line in CONTRADICTIONS if any(part in line[0] for part in kinds)]
        verb, *rest = chance.choice(meant)
        return "contradictions", [verb, *(["--quiet"] if verb in verbs() else []), *rest]
    verb = chance.choice([verb for verb in verbs() if any(part in verb for part in kinds)])
    values = verbs()[verb]
    options = chance.sample(list(values), min(len(values), chance.choice([1, 1, 1, 2, 3])))
    line = [verb, "--quiet", *([] if verb in TABLE["without-game"] else LISTS)]
    if "" not in options:
        line += arguments_of(TABLE["right"].get(verb, ""))
    for option in options:
        value = chance.choice(values[option])
        line += [f"{option}={value}"] if option and chance.random() < 0.5 else []
        line += [] if line[-1] == f"{option}={value}" else [option, value] if option else [value]
    if chance.random() < 0.05:
        line += [
            chance.choice(["--nonsense", "--json=1", "-z", "--quiet=no", "extra", "--guesses"])
        ]
    kind = options[0] or "arguments"
    return GROUP_OF.get(kind, kind), [part.replace("\0", "?") for part in line]


def names_in(folder: Path) -> set[str]:
    """Return the names in a folder."""
    return {path.name for path in folder.iterdir()}


def try_input(
    chance: random.Random, folder: Path, shelf: Path, kinds: list[str]
) -> tuple[str, str, str]:
    """Try one command line; return its kind, its fate, and what is wrong, if anything."""
    kind, line = draw(chance, kinds)
    kind = "numbers" if kind.startswith("--") else kind
    place = ground(shelf)
    before = names_in(place)
    good = {name: (place / name).read_bytes() for name in ("r.h5", "t.txt", "t.h5", "answers.txt")}
    done = call(line, place, {"GPU_WORDLE_CACHE": "cache"})
    fault = done.fault()
    if not fault and done.code == 0:
        fault = f"ACCEPTED: {done.out[:200]!r}"
    if not fault and (after := names_in(place)) != before:
        fault = f"LEFTOVERS: {sorted(after ^ before)}"
    lost = [name for name, content in good.items() if (place / name).read_bytes() != content]
    if lost:
        fault = f"LOSS: {lost} are others now"
    if fault:
        ground.cache_clear()
        shutil.rmtree(place)
        fault = f"{[part[:80] for part in line]}: {fault}"
    return kind, "refused", fault
