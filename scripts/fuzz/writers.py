"""Commands that write files, their game, and the marks of a whole file."""

from __future__ import annotations

import json
import random
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from scripts.fuzz.game import PLAIN

LISTS = ("--guesses", "guesses.txt", "--answers", "answers.txt")
OF_GAME = (*LISTS, *PLAIN)
"""Options of verbs that play the game. Verbs that only read files have fewer."""


@dataclass(frozen=True)
class Writer:
    """A command that writes a file, or files to a folder.

    Attributes:
        before: a command whose file may exist before, which this one resumes or replaces.
        verifies: whether ``verify`` reads the file; if not, only the same command shows that the
            file is whole, by resuming from it.
        inputs: commands that make the files that it reads.
        options: options of all these commands.
        checks: whether the checker of certificates reads the file.
    """

    name: str
    arguments: tuple[str, ...]
    file: str
    before: tuple[str, ...]
    verifies: bool = True
    inputs: tuple[tuple[str, ...], ...] = ()
    options: tuple[str, ...] = OF_GAME
    checks: bool = False

    @property
    def command(self) -> list[str]:
        """Return the command line."""
        return [*self.arguments, *self.options]


RANK = ("rank", "--out", "r.h5", "--top", "0", "--exact")
PLAYED = ("parts", "entropy")
PAIRS = ("pairs", "--out", "p.h5")
NOISY = ("noise", "--opener", "aback", "--depth", "2", "--levels", "5,50")
NOISE = (*NOISY, "--out", "n.h5")
LEARN = ("learn", "--plot", "l.svg", "--points", "5", "--episodes")
ANALYSE = ("analyse", "--games", "games.csv", "--out")
SITE = ("serve", "--export", "site", "--openers")
PAGES = ("reproduce", "--out", "pages", "optimal-strategies/greens")


def _shard(number: int) -> tuple[str, ...]:
    """Return the arguments of half a ranking, in a file of its own."""
    return ("rank", "--shard", f"{number}/2", "--exact", "all", "--out", f"part-{number}.h5")


SHARDS = (_shard(1), _shard(2))
TREES = tuple(("solve", word, "--tree", f"{word}.h5") for word in ("aback", "abase"))


def simulated(*openers: str) -> tuple[str, ...]:
    """Return the arguments of a simulation with so few openers that exact totals are found too."""
    return ("simulate", *PLAYED, "--out", "g.h5", *(f"--opener={opener}" for opener in openers))


def reported(name: str, *trees: str) -> tuple[str, ...]:
    """Return the arguments of a report on strategies."""
    return ("report", *trees, "--out", name)


WRITERS = [
    Writer("rank", (*RANK, "all"), "r.h5", (*RANK, "9")),
    Writer("rank, hard", (*RANK, "all", "--rule", "hard"), "r.h5", (*RANK, "9", "--rule", "hard")),
    Writer("rank --fresh", (*RANK, "40", "--fresh"), "r.h5", (*RANK, "9")),
    Writer("rank --shard", (*RANK, "all", "--shard", "1/2"), "r.h5",
           (*RANK, "all", "--shard", "1/4")),
    Writer("prove --out", ("prove", "--out", "r.h5"), "r.h5", (*RANK, "9")),
    Writer("merge", ("merge", "part-1.h5", "part-2.h5", "--out", "m.h5"), "m.h5",
           ("merge", "part-1.h5", "--out", "m.h5"), inputs=SHARDS, options=("--quiet", "--json")),
    *(
        Writer(f"solve --tree {file}", ("solve", "aback", "--tree", file), file,
               ("solve", "abase", "--tree", file))
        for file in ("t.txt", "t.json", "t.h5")
    ),
    Writer("solve --certificate", ("solve", "aback", "--certificate", "c.txt"), "c.txt",
           ("solve", "abase", "--certificate", "c.txt"), verifies=False, checks=True),
    Writer("prove --certificate", ("prove", "--certificate", "c.txt"), "c.txt",
           ("solve", "abase", "--certificate", "c.txt"), verifies=False, checks=True),
    Writer("spectrum --plot", ("spectrum", "aback", "--plot", "s.svg"), "s.svg",
           ("spectrum", "abase", "--plot", "s.svg")),
    Writer("compare --plot", ("compare", *PLAYED, "--pairs", "all", "--plot", "c.svg"), "c.svg",
           ("compare", *PLAYED, "--pairs", "9", "--plot", "c.svg")),
    Writer("learn --plot", (*LEARN, "3000"), "l.svg", (*LEARN, "100")),
    Writer("simulate --out", simulated("aback", "abase", "adobe", "chair", "grate", "stalk"),
           "g.h5", simulated("aback", "abase"), verifies=False),
    Writer("simulate --trees",
           ("simulate", "parts", "--opener", "aback", "--trees", "."), "parts-aback.h5",
           ("simulate", "parts", "--opener", "aback", "--ties", "words", "--trees", ".")),
    Writer("pairs --out", (*PAIRS, "--by", "total", "--prove"), "p.h5", PAIRS, verifies=False),
    Writer("noise --out", (*NOISE, "--runs", "80"), "n.h5", (*NOISE, "--runs", "4"),
           verifies=False),
    Writer("noise --plot", (*NOISY, "--runs", "20", "--plot", "n.svg"), "n.svg",
           (*NOISY, "--runs", "4", "--plot", "n.svg")),
    Writer("analyse --out a.csv", (*ANALYSE, "a.csv"), "a.csv", (*ANALYSE, "a.csv"),
           verifies=False),
    Writer("analyse --out a.h5", (*ANALYSE, "a.h5"), "a.h5", (*ANALYSE, "a.h5"), verifies=False),
    *(
        Writer(f"report --out {name}", reported(name, "aback.h5", "abase.h5"), name,
               reported(name, "abase.h5"), inputs=TREES, options=PLAIN)
        for name in ("w.html", "w.md", "w.pdf")
    ),
    Writer("plot --out", ("plot", "games", "aback.h5", "--out", "f.svg"), "f.svg",
           ("plot", "games", "abase.h5", "--out", "f.svg"), inputs=TREES, options=PLAIN),
    Writer("serve --export", (*SITE, "2"), "site", (*SITE, "1")),
    Writer("reproduce --out", (*PAGES, "wordle-weary/figure-5"), "pages", PAGES, options=PLAIN),
]  # fmt: skip

GAMES = 60
"""Number of games in the file of played games; some guesses are illegal or no words."""


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


Contents = dict[str, bytes]
"""Files by their names below a folder; a single file has the empty name."""


def contents(path: Path) -> Contents:
    """Return the content of a file or a folder; nothing if it does not exist."""
    if path.is_dir():
        below = (each for each in sorted(path.rglob("*")) if each.is_file())
        return {str(each.relative_to(path)): each.read_bytes() for each in below}
    return {"": path.read_bytes()} if path.exists() else {}


def write_contents(path: Path, held: Contents) -> None:
    """Write the content that :func:`contents` has read."""
    for name, content in held.items():
        file = path / name if name else path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)


def _is_svg(content: bytes) -> bool:
    return ElementTree.fromstring(content).tag.endswith("svg")


def _is_pdf(content: bytes) -> bool:
    """True if the file ends with the offset of its cross-reference table."""
    found = re.search(rb"startxref\s+(\d+)\s+%%EOF\s*\Z", content)
    return found is not None and content[int(found[1]) :].startswith(b"xref")


def _is_json(content: bytes) -> bool:
    return json.loads(content) is not None


def _is_markdown(content: bytes) -> bool:
    """True if the report ends with its time."""
    last = content.splitlines()[-1]
    return content.endswith(b"\n") and (b"report -->" not in content or b"- written: " in last)


IS_WHOLE: dict[str, Callable[[bytes], bool]] = {
    ".svg": _is_svg,
    ".html": lambda content: content.rstrip().endswith(b"</html>"),
    ".pdf": _is_pdf,
    ".md": _is_markdown,
    ".json": _is_json,
}
"""Tests of whole files whose content depends on the time, or on when Ctrl-C came."""

TEXTS = (".txt", ".json", ".csv")
"""Suffixes of files that are equal to the byte whenever they are complete."""
