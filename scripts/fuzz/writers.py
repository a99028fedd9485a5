"""Commands that write files, their game, and the marks of a whole file."""

from __future__ import annotations

import json
import random
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from scripts.fuzz.game import arguments_of, table


@dataclass(frozen=True)
class Writer:
    """A command that writes a file, or files to a folder, as ``writers.toml`` lists them.

    Attributes:
        file: what it writes.
        run: its command line without its options.
        before: a command whose file may exist before, which this one resumes or replaces.
        verifies: whether ``verify`` reads the file; if not, only the same command shows that the
            file is whole, by resuming from it.
        inputs: commands that make the files that it reads.
        options: options of all these commands.
        checks: whether the checker of certificates reads the file.
    """

    name: str
    file: str
    run: str
    before: str
    verifies: bool = True
    inputs: tuple[str, ...] = ()
    options: str = "LISTS PLAIN"
    checks: bool = False

    @property
    def command(self) -> list[str]:
        """Return the command line."""
        return arguments_of(f"{self.run} {self.options}")


WRITERS = [Writer(name, **row) for name, row in table("writers").items()]

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
