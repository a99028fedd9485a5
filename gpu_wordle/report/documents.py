"""Documents that verbs have printed, read back from JSON, CSV or Parquet."""

from __future__ import annotations

import csv
import importlib.util
import io
import json
import math
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from gpu_wordle.errors import UserError, quoted
from gpu_wordle.files import read
from gpu_wordle.game.numbers import decimal_number, whole_number
from gpu_wordle.ranking.statistics import STATISTICS
from gpu_wordle.report.document import PROGRAM, Document
from gpu_wordle.report.formats import METADATA
from gpu_wordle.report.keys import ENVELOPE, KEYS, SCHEMA, Kind
from gpu_wordle.report.table import columns_of
from gpu_wordle.store.tree_files import begins_as_tree

SUFFIXES = (".json", ".csv", ".parquet")
MAX_DOCUMENT_BYTES = 1 << 28

_SNIFFED_BYTES = 4096

_REMEDY = "give what a verb printed with --format json, csv or parquet"
_OLDER = dict.fromkeys(STATISTICS, Kind.DECIMAL)
"""Names that columns of the published CSV files have: of statistics without their units."""


def read_document(path: Path) -> Document:
    """What a verb printed to a file; UserError if it is no such file, or damaged."""
    data = read(path, MAX_DOCUMENT_BYTES)
    suffix = path.suffix.lower()
    try:
        if suffix == ".parquet":
            return _of_parquet(path, data)
        text = data.decode("utf-8-sig")
        return _of_csv(path, text) if suffix == ".csv" else _of_json(path, text)
    except UnicodeDecodeError:
        raise UserError(f"{path}: not UTF-8 text; {_REMEDY}") from None
    except (ValueError, RecursionError):
        raise UserError(f"{path}: no {suffix[1:].upper()} that can be read; {_REMEDY}") from None


def is_document(path: Path) -> bool:
    """Whether a file in JSON begins otherwise than a tree does; UserError if it is unread."""
    head = read(path, MAX_DOCUMENT_BYTES)[:_SNIFFED_BYTES]
    return not begins_as_tree(head.decode("utf-8", "ignore"))


def _of_json(path: Path, text: str) -> Document:
    """A JSON document: envelope, answer and rows."""

    def refuse(constant: str) -> None:
        raise ValueError(constant)

    said = json.loads(text, parse_constant=refuse)
    if not isinstance(said, dict) or tuple(said)[: len(ENVELOPE)] != ENVELOPE:
        raise UserError(
            f"{path}: no document of {PROGRAM} of schema {SCHEMA}, and no tree; {_REMEDY}; "
            "print anew what an older version printed"
        )
    rows = said.pop("rows", None)
    _check_envelope(path, said)
    _check(path, said)
    answer = {key: value for key, value in said.items() if key not in ENVELOPE}
    envelope = {key: said[key] for key in ENVELOPE}
    if rows is None:
        return Document(envelope, answer)
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise UserError(f"{path}: its rows are no list of objects; {_REMEDY}")
    for row in rows:
        _check(path, row)
        if list(row) != list(rows[0]):
            raise UserError(f"{path}: its rows have different keys; {_REMEDY}")
    return Document(envelope, answer, columns_of(rows))


def _of_csv(path: Path, text: str) -> Document:
    """The rows alone, below a line of keys."""
    lines = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        keys = next(lines, [])
        _check_keys(path, keys)
        rows = []
        for line in lines:
            if len(line) != len(keys):
                raise UserError(
                    f"{path}, line {lines.line_num}: {len(line)} fields; its first line has "
                    f"{len(keys)}"
                )
            rows.append(
                {k: _read(path, lines.line_num, k, v) for k, v in zip(keys, line, strict=True)}
            )
    except csv.Error as error:
        raise UserError(f"{path}, line {lines.line_num}: no CSV ({error}); {_REMEDY}") from None
    return Document({}, {}, columns_of(rows, keys))


def _of_parquet(path: Path, data: bytes) -> Document:
    """Rows, and the rest in the metadata."""
    if importlib.util.find_spec("pyarrow") is None:
        raise UserError(f"{path}: Parquet needs pyarrow; pip install pyarrow, or give CSV")
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        table = pq.read_table(io.BytesIO(data))
        said = json.loads((table.schema.metadata or {})[METADATA.encode()])
    except (pa.ArrowException, KeyError):
        raise UserError(f"{path}: no Parquet file of {PROGRAM}; {_REMEDY}") from None
    text = json.dumps({**said, "rows": table.to_pylist()})
    return _of_json(path, text)


def _check_envelope(path: Path, said: Mapping[str, Any]) -> None:
    """UserError unless the document is of this program and schema."""
    program = said["program"]
    if not isinstance(program, dict) or program.get("name") != PROGRAM:
        raise UserError(f"{path}: no document of {PROGRAM}; {_REMEDY}")
    if said["schema"] != SCHEMA:
        raise UserError(
            f"{path}: schema {quoted(said['schema'])}, this program reads {SCHEMA}; print it anew"
        )


def _check_keys(path: Path, keys: list[str]) -> None:
    """UserError unless each name is a key, and stands once."""
    unknown = [key for key in keys if key not in KEYS and key not in _OLDER]
    if unknown or not keys:
        what = f"no column is called {quoted(unknown[0])}" if unknown else "it is empty"
        raise UserError(f"{path}: {what} in this program's tables; {_REMEDY}")
    if len(set(keys)) < len(keys):
        raise UserError(f"{path}: a column stands twice; {_REMEDY}")


def _check(path: Path, said: Mapping[str, Any]) -> None:
    """UserError unless every key is known, and its value of the kind of the key, or null."""
    _check_keys(path, list(said))
    for key, value in said.items():
        if value is not None and not _FITS[KEYS[key].kind](value):
            kind = KEYS[key].kind.value
            raise UserError(f"{path}: {key} is {quoted(value)}, and no {kind}; {_REMEDY}")


def _read(path: Path, line: int, key: str, text: str) -> Any:
    """A field of CSV as its key has it; an empty one is unknown."""
    kind = KEYS[key].kind if key in KEYS else _OLDER[key]
    if text == "":
        return None
    value = _READ[kind](text)
    if value is None or not _FITS[kind](value):
        raise UserError(f"{path}, line {line}: {key} {quoted(text)} is no {kind.value}; {_REMEDY}")
    return value


def _is_whole(value: Any) -> bool:
    return type(value) is int


def _is_number(value: Any) -> bool:
    return type(value) is int or (type(value) is float and math.isfinite(value))


def _is_list_of(fits: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, list) and all(map(fits, value))


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


_FITS: Mapping[Kind, Callable[[Any], bool]] = {
    Kind.TEXT: _is_text,
    Kind.WHOLE: _is_whole,
    Kind.NUMBER: _is_number,
    Kind.DECIMAL: _is_number,
    Kind.TRUTH: lambda value: isinstance(value, bool),
    Kind.COUNTS: _is_list_of(_is_whole),
    Kind.DECIMALS: _is_list_of(lambda value: value is None or _is_number(value)),
    Kind.TEXTS: _is_list_of(_is_text),
    Kind.OBJECT: lambda value: isinstance(value, dict),
}


def _number(text: str) -> int | float | None:
    """A number, whole if it is written so."""
    whole = whole_number(text)
    if whole is not None:
        return whole
    found = decimal_number(text)
    return None if found is None else float(found)


def _numbers(text: str) -> list[int | float | None] | None:
    """Numbers between blanks, ``None`` for one that is not known; None if one cannot be read."""
    fields = text.split(" ")
    found = [_number(field) for field in fields]
    is_read = all(n is not None or f == "None" for n, f in zip(found, fields, strict=True))
    return found if is_read else None


_READ: Mapping[Kind, Callable[[str], Any]] = {
    Kind.TEXT: str,
    Kind.WHOLE: whole_number,
    Kind.NUMBER: _number,
    Kind.DECIMAL: _number,
    Kind.TRUTH: {"True": True, "False": False}.get,
    Kind.COUNTS: _numbers,
    Kind.DECIMALS: _numbers,
    Kind.TEXTS: str.split,
    Kind.OBJECT: lambda text: None,  # no column holds objects
}
