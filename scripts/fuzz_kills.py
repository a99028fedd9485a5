"""Kill what writes, at random moments, and look at what is left."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from fuzz_child import INTERRUPTED, Blow, call
from fuzz_game import PLAIN, same

FRESH = 0.1
"""Share of the kills that hit a process that is started anew, so also while it loads."""

LOADING_S = 1.0
"""How long such a process takes longer."""


@dataclass(frozen=True)
class Writer:
    """A command that writes a file.

    Attributes:
        before: a command whose file may be there already, which it goes on from or replaces.
        verifies: whether ``verify`` reads the file; if not, only the same command tells whether
            what is left is whole, by going on from it.
    """

    name: str
    arguments: tuple[str, ...]
    file: str
    before: tuple[str, ...]
    verifies: bool = True


RANK = ("rank", "--out", "r.h5", "--top", "0", "--exact")
PLAYED = ("parts", "entropy")
PAIRS = ("pairs", "--out", "p.h5")
NOISE = ("noise", "--opener", "aback", "--depth", "2", "--levels", "5,50", "--out", "n.h5")


def simulated(*openers: str) -> tuple[str, ...]:
    """Play games from so few openers that their exact totals are found, too."""
    return ("simulate", *PLAYED, "--out", "g.h5", *(f"--opener={opener}" for opener in openers))


WRITERS = [
    Writer("rank", (*RANK, "all"), "r.h5", (*RANK, "9")),
    Writer("rank, hard", (*RANK, "all", "--rule", "hard"), "r.h5", (*RANK, "9", "--rule", "hard")),
    Writer("rank --fresh", (*RANK, "40", "--fresh"), "r.h5", (*RANK, "9")),
    *(
        Writer(f"solve --tree {file}", ("solve", "aback", "--tree", file), file,
               ("solve", "abase", "--tree", file))
        for file in ("t.txt", "t.json", "t.h5")
    ),
    Writer("spectrum --plot", ("spectrum", "aback", "--plot", "s.svg"), "s.svg",
           ("spectrum", "abase", "--plot", "s.svg")),
    Writer("compare --plot", ("compare", *PLAYED, "--pairs", "all", "--plot", "c.svg"), "c.svg",
           ("compare", *PLAYED, "--pairs", "9", "--plot", "c.svg")),
    Writer("simulate --out", simulated("aback", "abase", "adobe", "chair", "grate", "stalk"),
           "g.h5", simulated("aback", "abase"), verifies=False),
    Writer("simulate --trees",
           ("simulate", "parts", "--opener", "aback", "--trees", "."), "parts-aback.h5",
           ("simulate", "parts", "--opener", "aback", "--ties", "words", "--trees", ".")),
    Writer("pairs --out", (*PAIRS, "--by", "total", "--prove"), "p.h5", PAIRS, verifies=False),
    Writer("noise --out", (*NOISE, "--runs", "80"), "n.h5", (*NOISE, "--runs", "4"),
           verifies=False),
    Writer("analyse --out a.csv", ("analyse", "--games", "games.csv", "--out", "a.csv"), "a.csv",
           ("analyse", "--games", "games.csv", "--out", "a.csv"), verifies=False),
    Writer("analyse --out a.h5", ("analyse", "--games", "games.csv", "--out", "a.h5"), "a.h5",
           ("analyse", "--games", "games.csv", "--out", "a.h5"), verifies=False),
]  # fmt: skip
ENVIRONMENT = {"GPU_WORDLE_CACHE": "cache", "GPU_WORDLE_CHECKPOINT_S": "0.01"}
LISTS = ["--guesses", "guesses.txt", "--answers", "answers.txt"]


GAMES = 60
"""Games in the file of games that were played; some guesses of them are illegal or no words."""
TEXTS = (".txt", ".json", ".csv")
"""Files that are the same, to the byte, whenever they are written."""


def write_lists(folder: Path) -> None:
    """Write lists of 40 answers and 100 guesses, and games of them, always the same."""
    from gpu_wordle.game.words import load_words

    words = load_words("original")
    drawn = random.Random(16)
    answers = drawn.sample(words.answers.words, 40)
    others = sorted(set(words.guesses.words) - set(answers) - {"aback", "abase"})
    guesses = sorted({*answers, *drawn.sample(others, 58), "aback", "abase"})
    for name, chosen in (("guesses", guesses), ("answers", sorted(answers))):
        (folder / f"{name}.txt").write_text("".join(f"{word}\n" for word in chosen))
    played = (f"{' '.join(drawn.sample(guesses, 4))},{drawn.choice(answers)}" for _ in range(GAMES))
    (folder / "games.csv").write_text("guesses,answer\n" + "".join(f"{line}\n" for line in played))


@dataclass(frozen=True)
class Undisturbed:
    """What a writer prints and writes when it is left alone, how long it takes, and before it."""

    document: object
    content: bytes
    seconds: float
    earlier: bytes


@cache
def undisturbed(number: int, shelf: Path) -> Undisturbed:
    """Run a writer and what may come before it, each in a folder of its own."""
    writer = WRITERS[number]
    place = shelf / f"{os.getpid()}-{number}"
    place.mkdir()
    write_lists(place)
    before = call([*writer.before, *LISTS, *PLAIN], place, ENVIRONMENT)
    assert before.code == 0, before
    earlier = (place / writer.file).read_bytes()
    (place / writer.file).unlink()
    shutil.rmtree(place / "cache")
    done = call([*writer.arguments, *LISTS, *PLAIN], place, ENVIRONMENT)
    assert done.code == 0, done
    content = (place / writer.file).read_bytes()
    return Undisturbed(same(done.out), content, done.seconds, earlier)


def kill(chance: random.Random, folder: Path, shelf: Path) -> tuple[str, str, str]:
    """Kill one command; its name, what became of it, and what is wrong, if anything is."""
    number = chance.randrange(len(WRITERS))
    writer, true = WRITERS[number], undisturbed(number, shelf)
    write_lists(folder)
    file = folder / writer.file
    if has_earlier := chance.random() < 0.5:
        file.write_bytes(true.earlier)
    fresh = chance.random() < FRESH
    sent = signal.SIGKILL if fresh else chance.choice([signal.SIGKILL, signal.SIGINT])
    latest = 1.1 * true.seconds + (LOADING_S if fresh else 0)
    blow = Blow(sent, chance.uniform(0.001, latest), fresh)
    command = [*writer.arguments, *LISTS, *PLAIN]
    hit = call(command, folder, ENVIRONMENT, blow=blow)
    name = f"{writer.name}, {sent.name}"
    what = f"{' '.join(command)}, {sent.name} after {blow.after_s:.3f} s"
    if sent is signal.SIGINT and (fault := hit.fault((0, INTERRUPTED))):
        return name, "", f"{what}: {fault}"
    if hit.code != -signal.SIGKILL and sent is signal.SIGKILL and (fault := hit.fault((0,))):
        return name, "", f"{what}: {fault}"
    if fault := _left(writer, file, true, has_earlier=has_earlier, folder=folder):
        return name, "", f"{what}: {fault}"
    was_there = file.exists()
    if fault := _gone_on(writer, command, true, folder):
        return name, "", f"{what}: {fault}"
    if hit.code == 0:
        return name, "had ended", ""
    return name, "file whole" if was_there else "no file yet", ""


def _left(writer: Writer, file: Path, true: Undisturbed, *, has_earlier: bool, folder: Path) -> str:
    """What is wrong with the file that a killed command has left."""
    if not file.exists():
        return "LOSS: the file that was there is gone" if has_earlier else ""
    content = file.read_bytes()
    if has_earlier and content == true.earlier:
        return ""
    if file.suffix == ".svg":
        ElementTree.fromstring(content)
        return ""
    if file.suffix == ".csv":  # Ctrl-C keeps the games that are done
        is_begun = content.endswith(b"\n") and true.content.startswith(content)
        return "" if is_begun else "DAMAGED: what is left is another file"
    if file.suffix in TEXTS and content != true.content:
        return "DAMAGED: what is left is another file"
    if not writer.verifies:
        return ""
    checked = call(["verify", writer.file, *LISTS, *PLAIN], folder, ENVIRONMENT)
    if checked.code != 0:
        return f"DAMAGED: what is left is refused: {checked.err!r}"
    if has_earlier and "--fresh" not in writer.arguments and writer.file == "r.h5":
        solved = json.loads(checked.out)["exact_openers"]
        if solved < 9:
            return f"LOSS: {solved} openers of 9 are left"
    return ""


def _gone_on(writer: Writer, command: list[str], true: Undisturbed, folder: Path) -> str:
    """What is wrong once the same command has been given again."""
    again = call(command, folder, ENVIRONMENT)
    if again.code != 0 or again.err:
        return f"the same command fails: {again.code} {again.err!r}"
    if same(again.out) != true.document:
        return "WRONG VALUE: the same command gives another result"
    if writer.file.endswith(TEXTS):
        if (folder / writer.file).read_bytes() != true.content:
            return "WRONG VALUE: the same command writes another file"
    elif writer.verifies and writer.file.endswith(".h5"):
        checked = call(["verify", writer.file, *LISTS, *PLAIN], folder, ENVIRONMENT)
        if checked.code != 0:
            return f"DAMAGED: the file is refused: {checked.err!r}"
    known = {writer.file, "guesses.txt", "answers.txt", "games.csv", "cache"}
    left = {path.name for path in folder.iterdir()} - known
    left |= {path.name for path in (folder / "cache").iterdir() if path.suffix != ".npy"}
    return f"LEFTOVERS: {', '.join(sorted(left))}" if left else ""
