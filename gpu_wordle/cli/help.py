"""The help of the command line, for screens of any width; no word is broken."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from typing import Any

from rich.text import Text
from typer.core import TyperCommand, TyperGroup

from gpu_wordle.cli import console

BESIDE = 72
"""Least width of a screen that shows what an option means beside it; else it stands below."""
WIDEST = 120
"""Most characters of a line, since longer ones are hard to read."""
INDENT, LABELS = 2, 26
"""Indent of options, and most characters of one that has text beside it."""
HEADING, LABEL = "bold", "bold cyan"

Entry = tuple[str, str]
"""An option or a command, and its meaning."""


class VerbCommand(TyperCommand):
    """A command whose help lists its arguments, then its options by panel, then examples."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Print the help."""
        arguments = [each for each in self.params if not each.opts[0].startswith("-")]
        usage = [ctx.command_path, "[OPTIONS]", *map(_argument, arguments)]
        panels: dict[str, list[Entry]] = {}
        for each in self.get_params(ctx):
            if not getattr(each, "hidden", False):
                panel = "Arguments" if each in arguments else _panel(each)
                panels.setdefault(panel, []).append(_entry(each))
        examples = [each for each in (self.epilog or "").split("\n\n") if each]
        _print(" ".join(usage), self.help or "", panels, examples)


class VerbGroup(TyperGroup):
    """The program, whose help lists its options and its commands."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Print the help."""
        commands = ((name, self.get_command(ctx, name)) for name in self.list_commands(ctx))
        listed = [(name, (each.help or "").split("\n\n")[0]) for name, each in commands if each]
        options = [_entry(each) for each in self.get_params(ctx)]
        panels = {"Options": options, "Commands": listed}
        usage = f"{ctx.command_path} [OPTIONS] COMMAND ..."
        _print(usage, self.help or "", panels, [])


def _argument(each: Any) -> str:
    """An argument in the line of usage."""
    name = each.metavar or each.name.upper()
    name = f"{name}..." if each.nargs != 1 else name
    return name if each.required else f"[{name}]"


def _panel(each: Any) -> str:
    return getattr(each, "rich_help_panel", None) or "Options"


def _entry(each: Any) -> Entry:
    """An option or an argument with its placeholder, and its meaning with its default."""
    if not each.opts[0].startswith("-"):
        label = _argument(each).strip("[]")
    else:
        flags = " ".join(sorted(each.opts, key=len, reverse=True))
        flags += "".join(f"/{flag}" for flag in each.secondary_opts)
        label = flags if each.is_flag else f"{flags} {each.metavar or 'TEXT'}"
    said = [each.help or ""]
    if each.required:
        said.append("Required.")
    elif isinstance(each.show_default, str):
        said.append(f"Default: {each.show_default}.")
    elif each.secondary_opts and each.default is True:
        said.append(f"Default: {each.opts[0]}.")
    elif isinstance(each.default, str) and each.default and each.show_default:
        said.append(f"Default: {each.default}.")
    return label, " ".join(said)


def _print(usage: str, about: str, panels: dict[str, list[Entry]], examples: list[str]) -> None:
    """Print the whole help in lines that fit the screen."""
    screen = console.output()
    width = min(screen.width, WIDEST)
    lines = [Text.assemble(("Usage: ", HEADING), _wrapped(usage, width, 7, 7).lstrip())]
    lines += [Text(f"\n{_wrapped(paragraph, width)}") for paragraph in about.split("\n\n")]
    for panel, entries in panels.items():
        lines += [Text(f"\n{panel}", HEADING), *_listed(entries, width)]
    if examples:
        lines.append(Text("\nExamples", HEADING))
        lines += [Text(_wrapped(f"$ {each}", width, INDENT, INDENT + 4)) for each in examples]
    for line in lines:
        screen.print(line, soft_wrap=True)


def _listed(entries: Sequence[Entry], width: int) -> Iterator[Text]:
    """Options with their meaning beside them, or below them on a narrow screen."""
    longest = max(len(label) for label, _ in entries)
    place = INDENT + min(longest, LABELS) + 2 if width >= BESIDE else 2 * INDENT
    for label, meaning in entries:
        text = _wrapped(meaning, width, place, place)
        line = Text(f"{' ' * INDENT}{label}", LABEL)
        if width >= BESIDE and len(label) <= LABELS:
            yield Text.assemble(line, " " * (place - len(line)), text.lstrip())
        else:
            yield Text.assemble(line, f"\n{text}" if text else "")


def _wrapped(text: str, width: int, first: int = 0, later: int = 0) -> str:
    """Text in lines of at most ``width``, broken at blanks only, with indents."""
    lines = textwrap.wrap(
        text, width, initial_indent=" " * first, subsequent_indent=" " * later,
        break_long_words=False, break_on_hyphens=False,
    )  # fmt: skip
    return "\n".join(lines)
