"""What a terminal shows in 40, 80 and 160 columns, and in which colours."""

import os
import re
import sys

import pytest
from rich.color import Color, ColorSystem
from rich.console import Console

from gpu_wordle.cli.console import progress_bar
from gpu_wordle.cli.help import WIDEST
from gpu_wordle.report.tiles import Look, tile
from support.commands import COMMAND

WIDTHS = (40, 80, 160)


def shown(width, *arguments, **variables):
    """What a command prints on a pseudo-terminal of this width."""
    pexpect = pytest.importorskip("pexpect")
    env = {**os.environ, "TERM": "xterm-256color", **variables}
    env.pop("COLUMNS", None)
    child = pexpect.spawn(
        sys.executable, [*COMMAND[1:], *arguments],
        env=env, encoding="utf-8", dimensions=(50, width), timeout=60,
    )  # fmt: skip
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0
    return child.before.replace("\r\n", "\n")


def plain(text):
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


# Help


@pytest.mark.parametrize("verb", [("solve",), ()])
def test_a_help_breaks_no_word_and_no_line_twice(verb):
    words = {width: plain(shown(width, *verb, "--help")).split() for width in WIDTHS}
    assert words[40] == words[80] == words[160]
    assert "cost:PRICE,PRICE,..." in words[40] or not verb


@pytest.mark.parametrize("width", WIDTHS)
def test_a_help_fits_its_screen(width):
    lines = plain(shown(width, "solve", "--help")).splitlines()
    assert max(map(len, lines)) <= min(width, WIDEST)
    (objective,) = (i for i, line in enumerate(lines) if line.startswith("  --objective TEXT"))
    meaning = "Optimise for: mean;"
    assert (meaning in lines[objective]) == (width > 40)
    assert meaning in lines[objective] or lines[objective + 1].startswith(f"    {meaning}")


def test_a_help_names_defaults_and_what_is_required():
    text = " ".join(plain(shown(160, "report", "--help")).split())
    assert "Usage: " in text
    assert " report [OPTIONS] FILE..." in text
    assert "--out FILE The .html, .md or .pdf file to write. Required." in text
    assert "--backend BACKEND" in text
    assert re.search(r"--backend BACKEND [^-]*Default: auto\.", text)
    assert "$ gpu-wordle report openers.h5 --out openers.html" in text
    serve = " ".join(plain(shown(160, "serve", "--help")).split())
    assert "--open/--no-open Open the page in a browser. Default: --open." in serve


def test_a_help_has_colours_only_where_they_are_wanted():
    assert "\x1b[1" in shown(80, "solve", "--help")
    assert not re.search(r"\x1b\[[0-9;]*3\dm", shown(80, "solve", "--help", NO_COLOR="1"))


# Progress


@pytest.mark.parametrize("width", WIDTHS)
def test_a_bar_leaves_out_what_has_no_room(width):
    screen = Console(width=width, force_terminal=True, color_system=None)
    with progress_bar(quiet=False, console=screen) as bar:
        task = bar.add_task("suggesting", total=12972, note="")
        bar.advance(task, 11000)
        with screen.capture() as written:
            screen.print(bar.get_renderable())
    line = written.get()
    assert "suggesting" in line
    assert "11000/12972" in line
    assert "…" not in line
    assert ("0:00:0" in line) == (width >= 80)


# Colours


def luminance(colour):
    """The relative luminance of a colour, as the Web Content Accessibility Guidelines define it."""
    channels = [each / 255 for each in colour.get_truecolor()]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return sum(w * c for w, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


@pytest.mark.parametrize("system", [ColorSystem.TRUECOLOR, ColorSystem.EIGHT_BIT])
@pytest.mark.parametrize("look", [Look.COLOURS, Look.CONTRAST])
@pytest.mark.parametrize("digit", [0, 1, 2])
def test_letters_on_tiles_have_contrast(system, look, digit):
    ink, _, ground = tile("A", digit, look)[1].split()
    light, dark = sorted(
        (luminance(Color.parse(each).downgrade(system)) for each in (ink, ground)), reverse=True
    )
    assert (light + 0.05) / (dark + 0.05) >= 4.5
