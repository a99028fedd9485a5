"""Generate the pages about verbs, public names, tunables and keys of machine output.

Each build of the site writes them anew and none is committed, so no help text can go stale.
"""

from __future__ import annotations

import importlib
import inspect
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sphinx.application import Sphinx

PROGRAM = "gpu-wordle"
OTHERS = "Options"
"""Heading of the options without a panel."""
TUNABLES_MODULE = "gpu_wordle.tunables"


def setup(app: Sphinx) -> dict[str, bool]:
    """Write the pages before Sphinx reads the site."""
    app.connect("builder-inited", write_pages)
    return {"parallel_read_safe": True}


def write_pages(app: Sphinx) -> None:
    """Write every generated page below the source folder; leave unchanged files alone."""
    folder = Path(app.srcdir)
    for name, text in verb_pages().items():
        _write(folder / "verbs" / f"{name}.md", text)
    _write(folder / "reference" / "api.md", api_page())
    _write(folder / "reference" / "tunables.md", tunables_page())
    _write(folder / "reference" / "keys.md", keys_page())


def verb_pages() -> dict[str, str]:
    """The Markdown page of each verb, by name, with all its options."""
    command = [sys.executable, "-m", "typer", "--app", "app", "gpu_wordle.cli.program"]
    command += ["utils", "docs", "--name", PROGRAM]
    run = subprocess.run(command, capture_output=True, text=True, check=True, encoding="utf-8")
    _, *sections = re.split(rf"^## `{PROGRAM} (?=[a-z-]+`$)", run.stdout, flags=re.MULTILINE)
    pages = {}
    for section in sections:
        name, _, body = section.partition("`\n")
        pages[name] = f"# `{name}`\n{_in_panels(body, _panels(name))}"
    return pages


def _panels(verb: str) -> dict[str, str]:
    """The help panel of each option of a verb."""
    program = importlib.import_module("gpu_wordle.cli.program").program()
    command = importlib.import_module("typer.main").get_command(program).commands[verb]
    return {
        option: getattr(parameter, "rich_help_panel", None) or OTHERS
        for parameter in command.params
        for option in parameter.opts
    }


def _in_panels(body: str, panels: dict[str, str]) -> str:
    """Group the options of a verb's page by panel; typer lists them without panels."""
    before, _, listed = body.partition("**Options**:\n")
    found: dict[str, list[str]] = {}
    for line in listed.splitlines():
        if named := re.match(r"\* `(-[\w-]+)(?:, (-[\w-]+))?", line):
            panel = next((panels[o] for o in named.groups() if o in panels), OTHERS)
            found.setdefault(panel, []).append(line)
    order = [*dict.fromkeys(panel for panel in panels.values() if panel != OTHERS), OTHERS]
    lists = (f"## {panel}\n\n" + "\n".join(found[panel]) for panel in order if panel in found)
    examples = [line for line in listed.splitlines() if line.startswith(f"{PROGRAM} ")]
    shown = "\n".join(["```sh", *examples, "```"])
    return f"{before}{shown}\n\n" + "\n\n".join(lists) + "\n"


def api_page() -> str:
    """The page of all public names, with their docstrings."""
    package = importlib.import_module("gpu_wordle")
    lines = ["# Public names", "", "```{py:module} gpu_wordle", "```", ""]
    for name in getattr(package, "__all__", ()):
        if not name.startswith("_"):
            lines += _described(name, getattr(package, name))
    return "\n".join(lines)


def _described(name: str, value: object) -> list[str]:
    """A heading and the Sphinx directive that inserts the docstring of one public name."""
    if isinstance(value, type):
        # what classes inherit from ours is shown; nobody calls most classes
        options = [":members:", ":inherited-members: Exception, list, Env, VectorEnv"]
        is_called = inspect.unwrap(value.__init__) is not value.__init__
        options.append(":special-members: __init__" if is_called else ":exclude-members: __init__")
        directive = "autoclass"
    elif callable(value):
        directive, options = "autofunction", []
    else:
        directive, options = "automodule", [":members:"]
    head = [f"## `{name}`", "", "```{eval-rst}", f".. {directive}:: gpu_wordle.{name}"]
    return [*head, *(f"   {option}" for option in options), "```", ""]


def tunables_page() -> str:
    """The page of tunables, with a table for each group."""
    module = importlib.import_module(TUNABLES_MODULE)
    rows = module.TUNABLES.values()
    head = ["| name | default | range | meaning | chosen |", "|---|---|---|---|---|"]
    lines = ["# Tunables", "", *inspect.getdoc(module).splitlines(), ""]
    for group in dict.fromkeys(row.group for row in rows):
        lines += [f"## {group}", "", *head]
        for row in rows:
            if row.group == group:
                limits = f"{row.least:,} to {row.greatest:,}"
                cells = (f"`{row.name}`", f"{row.default:,}", limits, row.meaning, row.chosen)
                lines.append(f"| {' | '.join(cell.replace('|', '&#124;') for cell in cells)} |")
        lines.append("")
    return "\n".join(lines)


def keys_page() -> str:
    """The page of the keys of machine output, as a table."""
    importlib.import_module("gpu_wordle.verbs").declare_keys()
    known = importlib.import_module("gpu_wordle.report.keys").KEYS
    lines = ["# Keys of machine output", "", "| key | type | meaning |", "|---|---|---|"]
    lines += [f"| `{name}` | {key.kind} | {key.meaning} |" for name, key in known.items()]
    return "\n".join(lines) + "\n"


def _write(path: Path, text: str) -> None:
    if not path.is_file() or path.read_text("utf-8") != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
