"""README and the quick start are done as they say it, and what they print is what comes of it.

The Python of the guides runs, too, and their commands print what is shown below them.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import threading
from itertools import chain
from pathlib import Path

import pytest

from support import ROOT
from support.commands import COMMAND, child, ended

PAGES = ["README.md", "docs/quickstart.md"]
NEED_MORE = {"cluster", "league", "positions", "report"}
"""Guides whose Python needs a cluster, a player or files that other commands make."""

GUIDES = [
    f"docs/howto/{path.name}"
    for path in sorted((ROOT / "docs/howto").glob("*.md"))
    if path.stem not in NEED_MORE and "```python" in path.read_text("utf-8")
]


def blocks(page: str, language: str) -> list[str]:
    """The fenced blocks of a page."""
    text = (ROOT / page).read_text("utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```", text, flags=re.MULTILINE | re.DOTALL)


def commands(page: str) -> list[tuple[str, str | None]]:
    """What a page has its reader type, in order, and what comes of it, where it is shown."""
    text = (ROOT / page).read_text("utf-8")
    found: list[tuple[str, str | None]] = []
    for kind, block in re.findall(r"^```(sh|text)\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
        if kind == "sh":
            found += [(line, None) for line in block.splitlines()]
        elif block.startswith("$ "):
            command, _, shown = block.removeprefix("$ ").partition("\n")
            found.append((command, shown))
    return found


SHOWN = [
    pytest.param(command, shown, id=f"{path.stem}: {command}")
    for path in sorted((ROOT / "docs").rglob("*.md"))
    if str(path.relative_to(ROOT)) not in PAGES
    for command, shown in commands(str(path.relative_to(ROOT)))
    if shown is not None and command.startswith("gpu-wordle ")
]
"""The commands of all other pages whose output is shown below them."""

VARYING = {"expanded", "seconds"}
"""Columns that say how long a search was, at the end of a table."""

PYTHON3 = """#!/bin/sh
[ "$*" = "-m venv .venv" ] || exit 9
mkdir .venv .venv/bin
for name in gpu-wordle pip python sphinx-build
do ln -s "$STANDS_IN" .venv/bin/$name
done
echo 'PATH="$PWD/.venv/bin:$PATH"' > .venv/bin/activate
"""
"""What makes an environment, as far as the pages use one."""

STANDS_IN = """#!/bin/sh
case $(basename "$0") in
pip) [ "$1 $2" = "install -q" ] ;;
gpu-wordle)
    case "$*" in rank*|prove*) set -- "$@" --out openers.h5 ;; esac
    printf '%s\\n' "$PWD" "$@" > "$ASKED"
    read -r code < "$ENDED"
    cat "$ENDED.out"
    cat "$ENDED.err" >&2
    exit "$code" ;;
esac
"""
"""Its programs: installing, testing and building pages have tests of their own.

Rankings and proofs go on from the published one, of which other tests repeat the search. Commands
are handed to the test by one pipe, which forks them, and come back by another.
"""


def told(text: str) -> list[list[str]]:
    """The words of each line, without the columns that vary and however wide columns are."""
    lines = [line.split() for line in text.splitlines()]
    heads = next((i for i, line in enumerate(lines) if {*line} >= VARYING), len(lines))
    return [line[: -len(VARYING)] if i >= heads else line for i, line in enumerate(lines)]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="the pages speak of a shell of Unix")
def test_what_the_pages_say_is_done_as_they_say_it(tmp_path):
    """All commands of a page in one shell, in an empty folder; each ends well."""
    for name, text in (("python3", PYTHON3), ("stands-in", STANDS_IN)):
        (tmp_path / name).write_text(text)
        (tmp_path / name).chmod(0o755)
    for page in PAGES:
        typed = commands(page)
        assert len(typed) > 5
        folder = tmp_path / Path(page).stem
        folder.mkdir()
        shutil.copyfile(ROOT / "results/openers-original-normal.h5", folder / "openers.h5")
        printed = done(typed, folder)
        for (command, shown), output in zip(typed, printed, strict=True):
            assert shown is None or told(output) == told(shown), command


def done(typed: list[tuple[str, str | None]], folder: Path) -> list[str]:
    """What each command prints, all typed into one shell."""
    mark = "-- end of a command --\n"
    script = folder.with_suffix(".sh")
    script.write_text("".join(f"{command}\nprintf -- '{mark}'\n" for command, _ in typed))
    environment = {
        **os.environ,
        "PATH": f"{folder.parent}:/usr/bin:/bin",
        "STANDS_IN": str(folder.parent / "stands-in"),
        "ASKED": str(folder.with_suffix(".asked")),
        "ENDED": str(folder.with_suffix(".ended")),
    }
    for pipe in ("ASKED", "ENDED"):
        os.mkfifo(environment[pipe])
    thread = threading.Thread(target=answer, args=(environment["ASKED"], environment["ENDED"]))
    thread.start()
    try:
        run = subprocess.run(
            ["sh", "-e", script], cwd=folder, env=environment,
            capture_output=True, text=True, timeout=900, check=False,
        )  # fmt: skip
    finally:
        Path(environment["ASKED"]).write_text("")
        thread.join()
    assert run.returncode == 0, run.stderr
    *printed, last = run.stdout.split(mark)
    assert last == ""
    return printed


def answer(asked: str, told: str) -> None:
    """Run the commands that come by a pipe, and tell of their ends by another."""
    while text := Path(asked).read_text("utf-8"):
        folder, *arguments = text.splitlines()
        done = ended(
            [*COMMAND, *arguments], cwd=folder, env={**os.environ, "COLUMNS": "80"},
            stdin=subprocess.DEVNULL, capture_output=True, text=True,
        )  # fmt: skip
        Path(f"{told}.out").write_text(done.stdout, "utf-8")
        Path(f"{told}.err").write_text(done.stderr, "utf-8")
        Path(told).write_text(f"{done.returncode}\n")


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES)
def test_python_of_a_page_runs_and_prints_what_it_says(page, capsys):
    (block,) = blocks(page, "python")
    exec(block, {})
    printed = capsys.readouterr().out.split()
    assert len(printed) > 1
    for said in re.findall(r"print\(.*\)  # (.*)", block):
        assert printed == said.split()


@pytest.mark.slow
@pytest.mark.parametrize("page", GUIDES)
def test_python_of_a_guide_runs_from_top_to_bottom(page, tmp_path, monkeypatch):
    """Rankings go on from the published one."""
    code = "\n".join(blocks(page, "python"))
    rule = "hard" if 'rule="hard"' in code else "normal"
    shutil.copyfile(ROOT / f"results/openers-original-{rule}.h5", tmp_path / "openers.h5")
    monkeypatch.chdir(tmp_path)
    exec(code, {})


@pytest.mark.slow
@pytest.mark.parametrize(("command", "shown"), SHOWN)
def test_what_a_guide_shows_is_what_comes(command, shown, tmp_path):
    """At 100 columns; long lines are wrapped in the guides."""
    out, _ = child(*shlex.split(command)[1:], cwd=tmp_path)
    assert [*chain(*told(out))] == [*chain(*told(shown))]
