"""Machine output of a verb: an envelope with the question, an answer, and rows; and its formats."""

from __future__ import annotations

import csv
import importlib.util
import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gpu_wordle.errors import UserError
from gpu_wordle.game.game import Position
from gpu_wordle.report.figures import Figures
from gpu_wordle.report.keys import ENVELOPE, KEYS, SCHEMA, Kind
from gpu_wordle.report.table import Column, as_rows, columns_of
from gpu_wordle.version import __version__

if TYPE_CHECKING:
    import pyarrow as pa

PROGRAM = "gpu-wordle"
METADATA = "gpu_wordle"
"""The key of the Parquet metadata that holds envelope and answer as JSON."""


@dataclass(frozen=True)
class Document:
    """The machine output of one call; its keys are those of ``KEYS``.

    Attributes:
        envelope: the question and the program; see :func:`envelope`.
        answer: the facts about the whole.
        columns: the rows, stored by column; None if there are only facts.
        unknown: names of columns that are none of ``KEYS``, in a table of another origin.
    """

    envelope: Mapping[str, Any]
    answer: Mapping[str, Any] = field(default_factory=dict)
    columns: Sequence[Column] | None = None
    unknown: Sequence[str] = ()

    @property
    def table(self) -> Sequence[Column]:
        """The rows; if there are none, the answer as the only row."""
        return columns_of([self.answer]) if self.columns is None else self.columns


def envelope(
    verb: str, position: Position | None = None, *, unasked: Sequence[str] = ()
) -> dict[str, Any]:
    """The question of a verb; values are None without a position.

    ``unasked`` names keys that do not matter to the verb, and are None as well.
    """
    result: dict[str, Any] = dict.fromkeys(ENVELOPE)
    result |= {
        "schema": SCHEMA,
        "program": {"name": PROGRAM, "version": __version__},
        "verb": verb,
    }
    if position is not None:
        result |= _asked(position)
    return result | dict.fromkeys(unasked)


def _asked(position: Position) -> dict[str, Any]:
    """The position of a question: its game, objective and state."""
    game, objective = position.game, position.game.objective
    words, figures = game.words, Figures.of(game, position)
    return {
        "game": {
            "guess_list": words.guesses.source,
            "answer_list": words.answers.source,
            "guess_count": game.guess_count,
            "answer_count": game.answer_count,
            "feedback": words.feedback.name,
            "guesses_sha256": words.guesses.sha256,
            "answers_sha256": words.answers.sha256,
        },
        "rule": game.rule.value,
        "objective": objective.name,
        "max_guesses": objective.max_guesses,
        "weights": None if objective.weights is None else objective.weights.source,
        "state": position.history,
        "answers": len(position.state),
        "weight": figures.scaled(figures.weight),
    }


class Format(StrEnum):
    """Output formats."""

    TABLE = "table"
    CSV = "csv"
    JSON = "json"
    MARKDOWN = "markdown"
    PARQUET = "parquet"


def check_format(chosen: Format) -> None:
    """Raise UserError if the library of a format is not installed."""
    if chosen is Format.PARQUET and importlib.util.find_spec("pyarrow") is None:
        raise UserError("--format parquet needs pyarrow; pip install pyarrow, or use --format csv")


def encode(document: Document, chosen: Format) -> bytes:
    """Encode a document in a format that :func:`check_format` has accepted."""
    if chosen is Format.PARQUET:
        return as_parquet(document)
    text = {Format.CSV: as_csv, Format.MARKDOWN: as_markdown}
    return text[chosen](document.table).encode() if chosen in text else as_json(document).encode()


def as_object(document: Document) -> dict[str, Any]:
    """A document as one object: the keys of envelope and answer, and ``rows``."""
    rows = {} if document.columns is None else {"rows": as_rows(document.columns)}
    return {**document.envelope, **document.answer, **rows}


def as_json(document: Document) -> str:
    """A document as JSON text."""
    return json.dumps(as_object(document), indent=1) + "\n"


def as_json_lines(columns: Sequence[Column]) -> str:
    """The rows as JSON lines, without envelope and answer."""
    return "".join(f"{json.dumps(row)}\n" for row in as_rows(columns))


def as_csv(columns: Sequence[Column]) -> str:
    """CSV with a header line and full precision; lists are separated by blanks."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([column.name for column in columns])
    writer.writerows(zip(*(map(_joined, column.values) for column in columns), strict=True))
    return text.getvalue()


def as_markdown(columns: Sequence[Column]) -> str:
    """A table in Markdown; decimals have at most six places."""
    names = [column.name for column in columns]
    rules = ["---:" if column.is_number else "---" for column in columns]
    rows = zip(*(map(_cell, column.values) for column in columns), strict=True)
    lines = (f"| {' | '.join(row)} |" for row in (names, rules, *rows))
    return "\n".join(lines) + "\n"


def as_parquet(document: Document) -> bytes:
    """A Parquet file whose column types follow the keys, independent of the values."""
    return packed(as_arrow(document.table), {**document.envelope, **document.answer})


def as_arrow(columns: Sequence[Column]) -> pa.Table:
    """The rows as a table of Arrow, whose types follow the keys."""
    import pyarrow as pa

    return pa.table(
        {column.name: pa.array(column.values, _parquet_type(column)) for column in columns}
    )


def packed(table: pa.Table, said: Mapping[str, Any], compression: str = "snappy") -> bytes:
    """A Parquet file of a table of Arrow, with what is said of it as metadata."""
    import pyarrow.parquet as pq

    sink = io.BytesIO()
    table = table.replace_schema_metadata({METADATA: json.dumps(said)})
    pq.write_table(table, sink, compression=compression)
    return sink.getvalue()


def parquet_columns(path: Path) -> list[str]:
    """The names of the columns of a Parquet file; none if it is no such file."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        names: list[str] = pq.read_schema(path).names
    except (pa.ArrowException, OSError):
        return []
    return names


def _parquet_type(column: Column) -> pa.DataType:
    """The Parquet type of a column; numbers are integers unless one of them is not."""
    import pyarrow as pa

    kind = KEYS[column.name].kind
    if kind is Kind.NUMBER:
        kind = Kind.DECIMAL if any(isinstance(v, float) for v in column.values) else Kind.WHOLE
    return {
        Kind.TEXT: pa.string(),
        Kind.WHOLE: pa.int64(),
        Kind.DECIMAL: pa.float64(),
        Kind.TRUTH: pa.bool_(),
        Kind.COUNTS: pa.list_(pa.int64()),
        Kind.DECIMALS: pa.list_(pa.float64()),
        Kind.TEXTS: pa.list_(pa.string()),
    }[kind]


def _joined(value: Any) -> Any:
    """A list as text separated by blanks; other values unchanged."""
    return " ".join(map(str, value)) if isinstance(value, list) else value


def _cell(value: Any) -> str:
    """A cell of a table in Markdown."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    text = f"{value:.6f}".rstrip("0").rstrip(".") if isinstance(value, float) else _joined(value)
    return str(text).replace("|", "\\|")
