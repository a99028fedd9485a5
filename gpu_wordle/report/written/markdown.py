"""Reports in Markdown: sections as text and tables, and commands that draw the pictures."""

from __future__ import annotations

import shlex
from collections.abc import Mapping

from gpu_wordle.errors import one_line
from gpu_wordle.report.content import Block, Chapter, Picture, Report, Table

MAX_TABLE_ROWS = 200
"""Most rows of a table in Markdown; HTML and CSV have more."""
MAX_LINES = 3_000
"""Most lines of a strategy."""

_SPECIAL = str.maketrans({each: f"\\{each}" for each in "\\`*_[]<>#|~$&"})


def write(report: Report) -> bytes:
    """The report as Markdown, encoded as UTF-8."""
    lines = ["<!-- gpu-wordle report -->", "", f"# {_text(report.title)}", ""]
    for chapter in report.chapters:
        lines += [f"## {_text(chapter.title)}", ""]
        for section in chapter.sections:
            lines += [f"### {_text(section.title)}", ""]
            for block in section.blocks:
                lines += [*_block(block, chapter), ""]
    lines += ["## Provenance", ""]
    for name, facts in report.sources.items():
        lines += [f"**{_text(name)}**", "", *_facts(facts), ""]
    return ("\n".join(lines).rstrip() + "\n").encode()


def _block(block: Block, chapter: Chapter) -> list[str]:
    """The lines of a block."""
    if isinstance(block, str):
        return [_text(block)]
    if isinstance(block, Mapping):
        return _facts(block)
    if isinstance(block, Table):
        return _table(block)
    if isinstance(block, Picture):
        files = " ".join(shlex.quote(str(path)) for path in chapter.paths)
        command = f"gpu-wordle plot {block.name} {files} --out {block.name}.svg"
        return [f"Figure: {_text(block.title)}. To draw it:", "", f"    {one_line(command)}"]
    return [f"    {line}" for line in block.lines(MAX_LINES)]


def _facts(facts: Mapping[str, str]) -> list[str]:
    return [f"- {_text(name)}: {_text(fact)}" for name, fact in facts.items()]


def _table(table: Table) -> list[str]:
    """The lines of a table: its first rows, and the number of all rows."""
    columns, rows = table.columns, min(MAX_TABLE_ROWS, table.rows)
    lines = [
        [_text(column.title) for column in columns],
        ["---:" if column.is_number else "---" for column in columns],
        *([_text(column.text(row)) for column in columns] for row in range(rows)),
    ]
    title = "; ".join([_text(table.title), *table.cut(rows)])
    return [f"{title}.", "", *(f"| {' | '.join(line)} |" for line in lines)]


def _text(text: str) -> str:
    """Text with all markup escaped."""
    return " ".join(text.translate(_SPECIAL).split())
