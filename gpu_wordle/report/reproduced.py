"""Published figures beside computed ones: rows, tables, and pages in Markdown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, TypedDict

from gpu_wordle.experiments.reproduce.item import RANGE, TITLES, Item, Line, Reproduced, Verdict
from gpu_wordle.report import keys
from gpu_wordle.report.document import as_csv, as_markdown
from gpu_wordle.report.keys import Key, schema
from gpu_wordle.report.table import Column, FittedTable, columns_of


@schema
class FigureRow(TypedDict):
    """A published figure beside the computed one."""

    item: keys.Item
    what: Annotated[str, Key("name of the figure")]
    published: Annotated[str | None, Key("published value; null if it is not printed")]
    computed: Annotated[str, Key("computed value, to the same number of digits")]
    difference: Annotated[float | None, Key("computed minus published; null for words")]
    verdict: Annotated[str, Key("`same`, `within range`, `explained`, `differs` or `not printed`")]
    explanation: Annotated[str | None, Key("reason for a difference, or another remark")]


@schema
class ItemRow(TypedDict):
    """A table or figure of a document."""

    item: keys.Item
    title: Annotated[str, Key("its title")]
    document: Annotated[str, Key("its place in the document")]
    slow: Annotated[bool, Key("whether it is computed only if named")]


@schema
class ReproducedFacts(TypedDict):
    """The facts about all figures."""

    verdicts: Annotated[dict[str, Any], Key("number of figures with each verdict")]


INDEX_HEAD = "# Five documents, reproduced"
"""The first line of the index page."""
MAX_FIGURES_NAMED = 3
"""Most figures that are named before their remark; more stand behind it."""
_IMPORTANCE = ("what", "published", "computed", "verdict", "difference")

Made = Sequence[tuple[Item, Reproduced]]
"""Items with their computed results."""


def describe_items(items: Sequence[Item]) -> list[dict[str, Any]]:
    """A row for each item."""
    return [
        {
            "item": item.name,
            "title": item.title,
            "document": TITLES[item.source],
            "slow": item.is_slow,
        }
        for item in items
    ]


def items_table(items: Sequence[Item]) -> FittedTable:
    """The table of items."""
    rows = describe_items(items)
    return FittedTable(columns_of(rows), ("item", "title", "slow"))


def reproduced_rows(made: Made) -> list[dict[str, Any]]:
    """A row for each figure of each item."""
    return [
        {
            "item": item.name,
            **vars(line),
            "verdict": line.verdict.value,
            "explanation": line.explanation or None,
        }
        for item, reproduced in made
        for line in reproduced.lines
    ]


def verdicts(made: Made) -> dict[str, int]:
    """The number of figures with each verdict."""
    seen = Counter(line.verdict for _, reproduced in made for line in reproduced.lines)
    return {verdict.value: seen[verdict] for verdict in Verdict}


def summary(made: Made) -> str:
    """The verdicts in one line."""
    return ", ".join(f"{count:,} {verdict}" for verdict, count in verdicts(made).items() if count)


def item_table(item: Item, reproduced: Reproduced) -> FittedTable:
    """The table of all figures of an item."""
    names = ("what", "published", "computed", "difference", "verdict")
    title = f"{item.title} ({item.name})"
    return FittedTable(_columns(reproduced, names), _IMPORTANCE, title)


def _columns(reproduced: Reproduced, names: Sequence[str]) -> list[Column]:
    """The columns of the figures of an item; ``names`` are their five headings."""
    rows = [
        (line.what, line.published, line.computed, _signed(line), line.verdict.value)
        for line in reproduced.lines
    ]
    return [Column(name, [row[i] for row in rows], wraps=i < 3) for i, name in enumerate(names)]


def remarks(reproduced: Reproduced) -> list[str]:
    """The distinct remarks on the figures of an item."""
    said = (line.explanation for line in reproduced.lines if line.explanation)
    return list(dict.fromkeys(said))


def remarks_by_figure(reproduced: Reproduced) -> list[str]:
    """The remarks with the figures that they are about, each remark once."""
    about: dict[str, list[str]] = {}
    for line in reproduced.lines:
        note, _, bounds = line.explanation.partition(RANGE)
        if line.explanation:
            where = f" ({bounds.rstrip('.')})" if bounds else ""
            about.setdefault(note, []).append(f"*{line.what}*{where}")
    return [
        f"{', '.join(named)}: {note}"
        if len(named) <= MAX_FIGURES_NAMED
        else f"{note} So for {', '.join(named)}."
        for note, named in about.items()
    ]


def file_stem(item: Item) -> str:
    """The stem of an item's file names."""
    return item.name.replace("/", "-")


def item_page(item: Item, reproduced: Reproduced, picture: str | None) -> str:
    """The section of an item on the page of its document, in Markdown.

    ``picture`` is the file of its picture, if it has one.
    """
    names = ("", "published", "computed here", "difference", "verdict")
    table = as_markdown(_columns(reproduced, names))
    parts = [f"## {item.title}", f"`gpu-wordle reproduce {item.name}`", table.rstrip()]
    if told := remarks_by_figure(reproduced):
        parts.append("\n".join(f"- {remark}" for remark in told))
    if reproduced.table is not None:
        parts.append(f"All rows: [{file_stem(item)}.csv]({file_stem(item)}.csv).")
    if picture is not None:
        parts.append(f"![{item.title}]({picture})")
    return "\n\n".join(parts) + "\n"


def table_file(reproduced: Reproduced) -> str:
    """The longer table of an item as CSV."""
    table = reproduced.table or {}
    return as_csv([Column(name, values) for name, values in table.items()])


def table_text(reproduced: Reproduced) -> str:
    """The longer table of an item as aligned text."""
    table = reproduced.table or {}
    columns = [[name, *map(_plain, values)] for name, values in table.items()]
    widths = [max(map(len, column)) for column in columns]
    lines = (
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in zip(*columns, strict=True)
    )
    return "".join(f"{line}\n" for line in lines)


def document_page(made: Made, pictures: Mapping[str, str]) -> str:
    """The page of a document with all its computed items, and the files of their pictures."""
    (item, _), *_ = made
    head = f"# {TITLES[item.source]}\n\nFigures on this page: {_spoken(made)}.\n"
    sections = [item_page(item, reproduced, pictures.get(item.name)) for item, reproduced in made]
    return "\n".join([head, *sections])


def index_page(made: Made, how: Sequence[str]) -> str:
    """The index page: documents, verdicts, and how the folder was made."""
    sources = list(dict.fromkeys(item.source for item, _ in made))
    by_source = [[each for each in made if each[0].source is source] for source in sources]
    table = as_markdown(
        [
            Column("document", [f"[{TITLES[s]}]({s.value}.md)" for s in sources]),
            Column("items", [len(mine) for mine in by_source]),
            *(
                Column(verdict.value, [verdicts(mine)[verdict.value] for mine in by_source])
                for verdict in Verdict
            ),
        ]
    )
    said = (
        "Every table and figure of five documents on Wordle, beside what comes out here. Published "
        "figures are as they are printed. The others are computed by the commands that are shown, "
        "and none is taken from elsewhere."
    )
    return "\n\n".join([INDEX_HEAD, said, table.rstrip(), _MEANING, *how]) + "\n"


_MEANING = """- *same*: to the last digit that is printed.
- *within range*: the source leaves something open, and its figure lies in the range of that.
- *explained*: it differs, and the page says why.
- *differs*: it differs, and nobody knows why.
- *not printed*: the source shows a picture, or nothing."""


def _spoken(made: Made) -> str:
    """The verdicts as text, as in ``12 as printed, 2 different for a known reason``."""
    words = {
        Verdict.SAME: "as printed",
        Verdict.WITHIN: "within what the source leaves open",
        Verdict.EXPLAINED: "different for a known reason",
        Verdict.DIFFERS: "different for an unknown reason",
        Verdict.NEW: "not printed in the source",
    }
    seen = verdicts(made)
    return ", ".join(f"{seen[v.value]} {said}" for v, said in words.items() if seen[v.value])


def _signed(line: Line) -> str | None:
    """The difference with its sign; a dash if there is none."""
    if line.difference is None or line.difference == 0:
        return None
    decimals = len(line.computed.split()[0].partition(".")[2])
    return f"{line.difference:+,.{decimals}f}"


def _plain(value: Any) -> str:
    """A cell of a text file."""
    if isinstance(value, bool):
        return "yes" if value else ""
    return f"{value:.3f}" if isinstance(value, float) else str(value)
