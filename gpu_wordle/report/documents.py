"""Read back the output of verbs from JSON, CSV or Parquet, and other tables from CSV."""

from __future__ import annotations

import csv
import importlib.util
import io
import json
import math
from collections import ChainMap
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NoReturn

from gpu_wordle.errors import UserError, quoted
from gpu_wordle.files import read
from gpu_wordle.game.numbers import decimal_number, whole_number
from gpu_wordle.ranking.statistics import STATISTICS
from gpu_wordle.report.document import METADATA, PROGRAM, Document
from gpu_wordle.report.keys import ENVELOPE, KEYS, SCHEMA, Key, Kind
from gpu_wordle.report.table import columns_of
from gpu_wordle.store.tree_json import begins_as_tree

SUFFIXES = (".json", ".csv", ".parquet")
MAX_DOCUMENT_BYTES = 1 << 28

_SNIFFED_BYTES = 4096

_ASK_FOR = "give what a verb printed with --format json, csv or parquet"
_OLDER = dict.fromkeys(STATISTICS, Key("a statistic without its unit", kind=Kind.DECIMAL))
"""Column names of the published CSV files, which lack the units of statistics."""
_KNOWN = ChainMap(KEYS, _OLDER)


class _WrongError(Exception):
    """A document is not valid; the text follows the name of its file."""


def read_document(path: Path) -> Document:
    """The output of a verb in a file, or another table in CSV.

    Raises UserError if the file is damaged or of another kind.
    """
    data = read(path, MAX_DOCUMENT_BYTES)
    suffix = path.suffix.lower()
    try:
        if suffix == ".parquet":
            return _of_parquet(data)
        text = data.decode("utf-8-sig")
        return _of_csv(text) if suffix == ".csv" else _of_object(_loaded(text))
    except UnicodeDecodeError:
        wrong = ": not UTF-8 text"
    except (ValueError, TypeError, RecursionError):
        wrong = f": no {suffix[1:].upper()} that can be read"
    except _WrongError as error:
        wrong = str(error)
    raise UserError(f"{path}{wrong}; {_ASK_FOR}")


def is_document(path: Path) -> bool:
    """Whether a JSON file is the output of a verb instead of a tree; UserError if unreadable."""
    head = read(path, MAX_DOCUMENT_BYTES)[:_SNIFFED_BYTES]
    return not begins_as_tree(head.decode("utf-8", "ignore"))


def _loaded(text: str) -> Any:
    """Parse JSON; nan and infinities are refused."""

    def refuse(constant: str) -> NoReturn:
        raise ValueError(constant)

    return json.loads(text, parse_constant=refuse)


def _of_object(said: Any) -> Document:
    """A JSON document: envelope, answer and rows."""
    if not isinstance(said, dict) or tuple(said)[: len(ENVELOPE)] != ENVELOPE:
        raise _WrongError(
            f": no document of {PROGRAM} of schema {SCHEMA}, and no tree; print anew what an older "
            "version printed"
        )
    if not isinstance(said["program"], dict) or said["program"].get("name") != PROGRAM:
        raise _WrongError(f": no document of {PROGRAM}")
    if said["schema"] != SCHEMA:
        raise _WrongError(f": schema {quoted(said['schema'])}, this program reads {SCHEMA}")
    rows = said.pop("rows", None)
    _check(said)
    envelope = {key: said.pop(key) for key in ENVELOPE}
    if rows is None:
        return Document(envelope, said)
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise _WrongError(": its rows are no list of objects")
    for row in rows:
        _check(row)
        if list(row) != list(rows[0]):
            raise _WrongError(": its rows have different keys")
    return Document(envelope, said, columns_of(rows))


def _of_csv(text: str) -> Document:
    """A CSV document: a line of keys, then the rows.

    If some keys are unknown, it is a table of another origin, and fields are read by their looks.
    """
    lines = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        keys = next(lines, [])
        if not all(keys) or not keys:
            raise _WrongError(": a column has no name" if keys else ": it is empty")
        if len(set(keys)) < len(keys):
            raise _WrongError(": a column stands twice")
        unknown = [key for key in keys if key not in _KNOWN]
        rows = []
        for line in lines:
            at = f", line {lines.line_num}: "
            if len(line) != len(keys):
                raise _WrongError(f"{at}{len(line)} fields; its first line has {len(keys)}")
            fields = zip(keys, line, strict=True)
            rows.append({k: _looks(f) if unknown else _field(at, k, f) for k, f in fields})
    except csv.Error as error:
        raise _WrongError(f", line {lines.line_num}: no CSV ({error})") from None
    return Document({}, {}, columns_of(rows, keys), unknown)


def _of_parquet(data: bytes) -> Document:
    """A Parquet document: rows, with envelope and answer in the metadata."""
    if importlib.util.find_spec("pyarrow") is None:
        raise _WrongError(": Parquet needs pyarrow; pip install pyarrow, or give CSV")
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        table = pq.read_table(io.BytesIO(data))
        said = (table.schema.metadata or {})[METADATA.encode()]
    except (pa.ArrowException, KeyError):
        raise _WrongError(f": no Parquet file of {PROGRAM}") from None
    return _of_object({**_loaded(said.decode()), "rows": table.to_pylist()})


def _looks(text: str) -> int | float | str | None:
    """The value of a field of any table: a number if it looks like one; None if it is empty."""
    return _number(text) if text else None


def _check(said: Mapping[str, Any]) -> None:
    """Raise an error unless every key is known and its value has the kind of the key or is null."""
    unknown = [key for key in said if key not in _KNOWN]
    if unknown or not said:
        what = f"no column is called {quoted(unknown[0])}" if unknown else "it is empty"
        raise _WrongError(f": {what} in this program's tables")
    for key, value in said.items():
        kind = _KNOWN[key].kind
        if value is not None and not _TYPES[kind][1](value):
            raise _WrongError(f": {key} is {quoted(value)}, and no {kind.value}")


def _field(at: str, key: str, text: str) -> Any:
    """The value of a CSV field, by the kind of its key; an empty field is None."""
    kind = _KNOWN[key].kind
    reads, fits = _TYPES[kind]
    value = reads(text) if text else None
    if text and not fits(value):
        raise _WrongError(f"{at}{key} {quoted(text)} is no {kind.value}")
    return value


def _number(text: str) -> int | float | str:
    """The number in a text, an int if written so; other text is returned unchanged."""
    whole = whole_number(text)
    if whole is not None:
        return whole
    found = decimal_number(text)
    return text if found is None else float(found)


def _numbers(text: str) -> list[int | float | str | None]:
    """The numbers in a text separated by blanks; ``None`` for unknown ones."""
    return [None if field == "None" else _number(field) for field in text.split(" ")]


def _is_whole(value: Any) -> bool:
    return type(value) is int


def _is_number(value: Any) -> bool:
    return type(value) is int or (type(value) is float and math.isfinite(value))


def _is(kind: type) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, kind)


def _all(fits: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, list) and all(map(fits, value))


_TYPES: Mapping[Kind, tuple[Callable[[str], Any], Callable[[Any], bool]]] = {
    Kind.TEXT: (str, _is(str)),
    Kind.WHOLE: (_number, _is_whole),
    Kind.NUMBER: (_number, _is_number),
    Kind.DECIMAL: (_number, _is_number),
    Kind.TRUTH: ({"True": True, "False": False}.get, _is(bool)),
    Kind.COUNTS: (_numbers, _all(lambda value: value is None or _is_whole(value))),
    Kind.DECIMALS: (_numbers, _all(lambda value: value is None or _is_number(value))),
    Kind.TEXTS: (str.split, _all(_is(str))),
    Kind.OBJECT: (str, _is(dict)),  # no column of CSV holds objects
}
"""The reader of CSV fields and the check of values, by kind."""
