"""Reports in files: in which form, what they may replace, and writing them whole."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Mapping
from pathlib import Path

from gpu_wordle.errors import UserError
from gpu_wordle.files import PATIENCE_SECONDS, check_folder, held, read, refuse_link
from gpu_wordle.report.content import Report
from gpu_wordle.report.written import markdown

MAX_REPORT_BYTES = 1 << 28
"""Of a file that is looked at before it is replaced."""

MARKS = {
    ".html": b'<meta name="generator" content="gpu-wordle',
    ".md": markdown.MARK.encode(),
    ".pdf": b"/Creator (gpu-wordle report",
}
"""What a report of each form holds, and other files do not."""

NEEDS = {".html": ("jinja2", "matplotlib"), ".md": (), ".pdf": ("matplotlib",)}


def check_report(path: Path) -> None:
    """UserError if no report can be written to ``path``.

    Its name says in which form, its folder is there, and it is free or holds another report.
    """
    suffix = path.suffix.lower()
    if suffix not in MARKS:
        raise UserError(f"{path}: a report's file ends in {', '.join(MARKS)}")
    check_folder(path)
    refuse_link(path)
    held_there = read(path, MAX_REPORT_BYTES) if path.exists() else b""
    if held_there and MARKS[suffix] not in held_there:
        raise UserError(f"{path}: holds no report, so it is not replaced; choose another file")
    for library in NEEDS[suffix]:
        if importlib.util.find_spec(library) is None:
            raise UserError(
                f"a report in {suffix[1:].upper()} needs {library}; "
                "pip install 'gpu-wordle[report]', or write .md"
            )


def save_report(path: Path, report: Report) -> int:
    """Write a report, whole or not at all, and return its bytes; JobError if it is not written."""
    data = _writer(path.suffix.lower())(report)
    check_report(path)
    with held(path, PATIENCE_SECONDS) as holding:
        holding.replace(data)
    return len(data)


def _writer(suffix: str) -> Callable[[Report], bytes]:
    """What writes that form; its libraries are loaded when it is asked for."""
    if suffix == ".md":
        return markdown.write
    from gpu_wordle.report.written import html, pdf

    writers: Mapping[str, Callable[[Report], bytes]] = {".html": html.write, ".pdf": pdf.write}
    return writers[suffix]
