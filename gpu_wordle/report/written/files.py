"""Write reports to files: the format by suffix, checks of the target, atomic writing."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module, util
from pathlib import Path

from gpu_wordle.errors import UserError, installing
from gpu_wordle.files import PATIENCE_SECONDS, check_target, held, read
from gpu_wordle.report.cheat_sheet import CheatSheet
from gpu_wordle.report.content import Report

MAX_REPORT_BYTES = 1 << 28
"""Bytes of an existing file that are checked before it is replaced."""

Form = tuple[str, bytes, tuple[str, ...]]
"""The writing module of a format, a mark that only its files hold, and the libraries it needs."""

FORMS: Mapping[str, Form] = {
    ".html": ("html", b'<meta name="generator" content="gpu-wordle', ("jinja2", "matplotlib")),
    ".md": ("markdown", b"<!-- gpu-wordle report -->", ()),
    ".pdf": ("pdf", b"/Creator (gpu-wordle report", ("matplotlib",)),
}
"""The formats of reports, by suffix."""
SHEETS: Mapping[str, Form] = {
    ".html": ("sheet_html", FORMS[".html"][1], ()),
    ".pdf": ("sheet_pdf", FORMS[".pdf"][1], ("matplotlib",)),
}
"""The formats of cheat sheets, by suffix."""


def check_report(path: Path, forms: Mapping[str, Form] = FORMS) -> None:
    """Raise UserError if no report can be written to ``path`` in one of the formats.

    It needs a known suffix, an existing folder, and no existing file other than a report.
    """
    suffix = path.suffix.lower()
    if suffix not in forms:
        what = "report" if forms is FORMS else "cheat sheet"
        raise UserError(f"{path}: a {what}'s file ends in {', '.join(forms)}")
    _, mark, libraries = forms[suffix]
    check_target(path, "report", lambda path: mark in read(path, MAX_REPORT_BYTES))
    plain = next(each for each, (_, _, needed) in forms.items() if not needed)
    for library in libraries:
        if util.find_spec(library) is None:
            raise UserError(
                f"a report in {suffix[1:].upper()} needs {library}; "
                f"{installing('report')}, or write {plain}"
            )


def save_report(path: Path, made: Report | CheatSheet) -> int:
    """Write a report atomically and return its size in bytes; JobError if that fails."""
    forms = FORMS if isinstance(made, Report) else SHEETS
    writer = import_module(f"{__package__}.{forms[path.suffix.lower()][0]}")
    data: bytes = writer.write(made)
    check_report(path, forms)
    with held(path, PATIENCE_SECONDS) as holding:
        holding.replace(data)
    return len(data)
