"""Reports in Markdown: the same sections as text and tables, and how to draw each picture."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import replace

from gpu_wordle.errors import counted, one_line
from gpu_wordle.report.content import Block, Chapter, Facts, Picture, Prose, Report, Strategy, Table
from gpu_wordle.report.table import Column

MARK = "<!-- gpu-wordle report -->"
"""The first line."""
MAX_TABLE_ROWS = 200
"""Rows of a table in Markdown; who reads more wants the HTML, or the rows as CSV."""
MAX_LINES = 3_000
"""Lines of a strategy."""

_SPECIAL = str.maketrans({each: f"\\{each}" for each in "\\`*_[]<>#|~$&"})


def write(report: Report) -> bytes:
    """The report in UTF-8."""
    lines = [MARK, "", f"# {_text(report.title)}", ""]
    for chapter in report.chapters:
        lines += [f"## {_text(chapter.title)}", ""]
        for section in chapter.sections:
            lines += [f"### {_text(section.title)}", ""]
            for block in section.blocks:
                lines += [*_block(block, chapter), ""]
    lines += ["## Provenance", ""]
    for name, facts in {**report.provenance, "this report": report.made}.items():
        lines += [f"**{_text(name)}**", "", *_facts(facts), ""]
    return ("\n".join(lines).rstrip() + "\n").encode()


def _block(block: Block, chapter: Chapter) -> list[str]:
    """The lines of a block."""
    if isinstance(block, Prose):
        return [_text(block.text)]
    if isinstance(block, Facts):
        return _facts(block.facts)
    if isinstance(block, Table):
        return _table(block)
    if isinstance(block, Picture):
        files = " ".join(shlex.quote(str(path)) for path in chapter.paths)
        command = f"gpu-wordle plot {block.name} {files} --out {block.name}.svg"
        return [f"Figure: {_text(block.title)}. To draw it:", "", f"    {one_line(command)}"]
    return _strategy(block)


def _facts(facts: Mapping[str, str]) -> list[str]:
    return [f"- {_text(name)}: {_text(fact)}" for name, fact in facts.items()]


def _table(table: Table) -> list[str]:
    """The first rows, and how many there are."""
    columns = [
        replace(
            column, values=column.values[:MAX_TABLE_ROWS], heading=column.title.replace("\n", " ")
        )
        for column in table.columns
    ]
    shown = len(columns[0].values)
    rest = f"; the first {shown:,} of {counted(table.whole, 'row')}" if shown < table.whole else ""
    return [f"{_text(table.title)}{rest}.", "", *_rows(columns)]


def _rows(columns: Sequence[Column]) -> list[str]:
    """A table for people."""
    rules = ["---:" if column.is_number else "---" for column in columns]
    cells = (
        [_text(column.text(row)) for column in columns] for row in range(len(columns[0].values))
    )
    lines = [[_text(column.title) for column in columns], rules, *cells]
    return [f"| {' | '.join(line)} |" for line in lines]


def _strategy(block: Strategy) -> list[str]:
    """The strategy as text, a line an answer."""
    text = block.tree.to_text(block.position.game.words, block.position.state)
    lines = text.splitlines()
    left = len(lines) - MAX_LINES
    rest = [f"and {left:,} lines more; the file holds them"] if left > 0 else []
    return [f"    {line}" for line in [*lines[:MAX_LINES], *rest]]


def _text(text: str) -> str:
    """Text that is read as it is: nothing in it is markup."""
    return " ".join(text.translate(_SPECIAL).split())
