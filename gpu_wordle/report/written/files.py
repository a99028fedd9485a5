"""Write reports to files: the format by suffix, checks of the target, atomic writing."""

from __future__ import annotations

from importlib import import_module, util
from pathlib import Path

from gpu_wordle.errors import UserError, installing
from gpu_wordle.files import PATIENCE_SECONDS, check_folder, held, read, refuse_link
from gpu_wordle.report.content import Report

MAX_REPORT_BYTES = 1 << 28
"""Bytes of an existing file that are checked before it is replaced."""

FORMS = {
    ".html": ("html", b'<meta name="generator" content="gpu-wordle', ("jinja2", "matplotlib")),
    ".md": ("markdown", b"<!-- gpu-wordle report -->", ()),
    ".pdf": ("pdf", b"/Creator (gpu-wordle report", ("matplotlib",)),
}
"""For each suffix the writing module, a mark that only reports hold, and needed libraries."""


def check_report(path: Path) -> None:
    """Raise UserError if no report can be written to ``path``.

    It needs a known suffix, an existing folder, and no existing file other than a report.
    """
    suffix = path.suffix.lower()
    if suffix not in FORMS:
        raise UserError(f"{path}: a report's file ends in {', '.join(FORMS)}")
    _, mark, libraries = FORMS[suffix]
    check_folder(path)
    refuse_link(path)
    held_there = read(path, MAX_REPORT_BYTES) if path.exists() else b""
    if held_there and mark not in held_there:
        raise UserError(f"{path}: holds no report, so it is not replaced; choose another file")
    for library in libraries:
        if util.find_spec(library) is None:
            raise UserError(
                f"a report in {suffix[1:].upper()} needs {library}; "
                f"{installing('report')}, or write .md"
            )


def save_report(path: Path, report: Report) -> int:
    """Write a report atomically and return its size in bytes; JobError if that fails."""
    writer = import_module(f"{__package__}.{FORMS[path.suffix.lower()][0]}")
    data: bytes = writer.write(report)
    check_report(path)
    with held(path, PATIENCE_SECONDS) as holding:
        holding.replace(data)
    return len(data)
