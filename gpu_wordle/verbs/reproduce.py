"""The verb ``reproduce``: published tables and figures beside the values computed here."""

from __future__ import annotations

import datetime
import logging
import time
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated

from rich.console import RenderableType

from gpu_wordle.api.session import Machine, open_game, read_words
from gpu_wordle.api.studies import published_ranking
from gpu_wordle.backends import choose
from gpu_wordle.errors import JobError, UnsavedError, UserError, counted
from gpu_wordle.experiments.priors import Past, read_past
from gpu_wordle.experiments.reproduce.bench import Bench
from gpu_wordle.experiments.reproduce.item import Item, Reproduced
from gpu_wordle.experiments.reproduce.registry import ITEMS, make_ready, select
from gpu_wordle.files import PATIENCE_SECONDS, begins, check_target, command_line, held
from gpu_wordle.game.game import Game
from gpu_wordle.options.declared import Option
from gpu_wordle.options.outcome import Outcome, verb
from gpu_wordle.options.reading import FILE, FOLDER, WORDS
from gpu_wordle.options.shared import OUTPUT, BackendName, ListOnly, OnProgress, Stop, Threads
from gpu_wordle.options.telling import compile_first
from gpu_wordle.ranking.job import Progress, ignore_progress
from gpu_wordle.ranking.stop_token import Reason, StopToken
from gpu_wordle.report import reproduced as report
from gpu_wordle.report.document import Document, as_json, envelope
from gpu_wordle.report.pictures import check_matplotlib, save_picture
from gpu_wordle.report.table import columns_of
from gpu_wordle.version import __version__

INDEX = "README.md"

_log = logging.getLogger("gpu_wordle")


@verb
def reproduce(
    names: Annotated[
        Sequence[str],
        Option(
            "Items or documents, or all. Default: the items that take a minute together.",
            WORDS,
            metavar="NAME...",
            names=lambda: ITEMS,
        ),
    ] = (),
    *,
    past: Annotated[
        str | Path | None,
        Option(
            "Past answers, one a line, with or without dates, for the picture of past days.",
            FILE,
        ),
    ] = None,
    out: Annotated[
        str | Path | None,
        Option(
            "Folder for pages, tables and pictures; it is created if it is missing.",
            FOLDER,
            OUTPUT,
        ),
    ] = None,
    is_list: ListOnly = False,
    stop: Stop = None,
    backend: BackendName = "auto",
    threads: Threads = None,
    progress: OnProgress = None,
) -> Outcome:
    """Print tables and figures of five documents on Wordle beside the values computed here.

    Examples:
        $ gpu-wordle reproduce --list
        $ gpu-wordle reproduce all --out pages
    """
    items = select(names)
    if is_list:
        return _listed(items if names else list(ITEMS.values()))
    folder = None if out is None else Path(out)
    if folder is not None:
        check_folder_of_pages(folder)
    stop_token, told = StopToken.of_call(None, stop), progress or ignore_progress
    compile_first(partial(make_ready, items), progress, stop)
    bench = open_bench(Machine(backend, threads), None if past is None else Path(past))
    made: list[tuple[Item, Reproduced]] = []
    try:
        for number, item in enumerate(items):
            if stop_token.is_due():
                break
            told(Progress("computing", number, len(items), note=item.name))
            began = time.monotonic()
            made.append((item, item.compute(bench)))
            took = time.monotonic() - began
            _log.info("%s of %s: %s, %.1f s", number + 1, len(items), item.name, took)
    except KeyboardInterrupt:
        if not made:
            raise
        stop_token.reason = Reason.INTERRUPTED
    return Outcome(
        lines=lambda width: _lines(made),
        facts={"verdicts": report.verdicts(made)},
        columns=columns_of(report.reproduced_rows(made), report.FigureRow),
        reason=stop_token.reason,
        kept=f"{len(made)} of {counted(len(items), 'item')} were computed by then",
        unsaved=None if folder is None else _unsaved(folder, made),
    )


def _listed(items: Sequence[Item]) -> Outcome:
    """The list of items."""
    return Outcome(
        lines=lambda width: [report.items_table(items)],
        columns=columns_of(report.describe_items(items), report.ItemRow),
    )


def _lines(made: report.Made) -> Iterator[RenderableType]:
    """A table with remarks for each item, and a summary."""
    for item, reproduced in made:
        yield report.item_table(item, reproduced)
        yield from (f"  {remark}" for remark in report.remarks(reproduced))
        yield ""
    yield f"{counted(len(made), 'item')}: {report.summary(made)}"


def _unsaved(folder: Path, made: report.Made) -> UnsavedError | None:
    """Write the pages; returns the error if they cannot be written."""
    try:
        files = write_pages(folder, made)
    except JobError as error:
        return UnsavedError(str(error))
    _log.info("%s written to %s", counted(len(files), "file"), folder)
    return None


def open_bench(machine: Machine, past: Path | None = None) -> Bench:
    """The resources of the items; UserError if the list of past answers cannot be read."""
    original = open_game(read_words("original"), machine=machine)
    days = None if past is None else read_days(past, original)
    backend = choose(machine.backend, machine.threads).backend
    return Bench(original, backend, published_ranking, days)


def read_days(path: Path, game: Game) -> Past:
    """The past answers in a file, one a line, with a date or without.

    Raises UserError if no line has an answer.
    """
    past = read_past(path, game.words.answers, datetime.date.today())
    if not past.last_used:
        raise UserError(
            f"{path}: has no answer of the original game; write one a line, as in 2022-01-10,query"
        )
    return past


def check_folder_of_pages(folder: Path) -> None:
    """Create the folder if it is missing; UserError if it cannot be, or without matplotlib.

    Also raises UserError if its index page would replace another README.
    """
    check_matplotlib()
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise JobError(f"{folder}: cannot be made ({error.strerror}); name another") from None
    check_target(
        folder / INDEX, "index of these pages", lambda path: begins(path, report.INDEX_HEAD)
    )


def write_pages(folder: Path, made: report.Made) -> list[Path]:
    """Write a page for each document, with tables, pictures and JSON; returns the files.

    Raises JobError if a file cannot be written; that file is then unchanged.
    """
    from gpu_wordle.report.reproduced_plot import draw

    files: list[Path] = []
    pictures: dict[str, str] = {}
    for item, reproduced in made:
        stem = report.file_stem(item)
        if reproduced.table is not None:
            _write(folder / f"{stem}.csv", report.table_file(reproduced), files)
            _write(folder / f"{stem}.txt", report.table_text(reproduced), files)
        if (figure := draw(item, reproduced)) is not None:
            path = folder / f"{stem}.png"
            save_picture(path, figure)
            pictures[item.name] = path.name
            files.append(path)
    for source in dict.fromkeys(item.source for item, _ in made):
        mine = [each for each in made if each[0].source is source]
        _write(folder / f"{source.value}.md", report.document_page(mine, pictures), files)
    made_by = f"Made by gpu-wordle {__version__}: `{command_line()}`."
    _write(folder / INDEX, report.index_page(made, [made_by]), files)
    columns = columns_of(report.reproduced_rows(made), report.FigureRow)
    document = Document(envelope("reproduce"), {"verdicts": report.verdicts(made)}, columns)
    _write(folder / "reproduced.json", as_json(document), files)
    return files


def _write(path: Path, text: str, files: list[Path]) -> None:
    with held(path, PATIENCE_SECONDS) as holding:
        holding.replace(text.encode())
    files.append(path)
