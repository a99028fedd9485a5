"""What reproducing the literature needs beside its items: the game, a user's list, and a folder."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from gpu_wordle.api.session import Machine, open_game, read_words
from gpu_wordle.api.studies import exact_totals
from gpu_wordle.backends import choose
from gpu_wordle.errors import JobError, UserError
from gpu_wordle.experiments.reproduce.bench import Bench
from gpu_wordle.files import PATIENCE_SECONDS, command_line, held
from gpu_wordle.game.game import Game
from gpu_wordle.game.words import load_list
from gpu_wordle.report import reproduced as report
from gpu_wordle.report.document import Document, envelope
from gpu_wordle.report.formats import as_json
from gpu_wordle.report.pictures import check_matplotlib, save_picture
from gpu_wordle.report.table import columns_of
from gpu_wordle.version import __version__

INDEX = "README.md"


def open_bench(machine: Machine, past: Path | None = None) -> Bench:
    """What items compute with; UserError for a list of past answers that cannot be read."""
    original = open_game(read_words("original"), machine=machine)
    days = None if past is None else read_past(past, original)
    backend = choose(machine.backend, machine.threads).backend
    return Bench(original, backend, exact_totals, days)


def read_past(path: Path, game: Game) -> list[int]:
    """The answers of a file, one word a line, as indices; UserError for a word that is none."""
    listed = load_list(str(path), "answers")
    if listed.length != game.words.length:
        raise UserError(
            f"{path}: has words of {listed.length} letters; the original game has "
            f"{game.words.length}"
        )
    return [game.words.answers.find(word) for word in listed.words]


def check_folder_of_pages(folder: Path) -> None:
    """Make the folder if there is none; UserError if that cannot be, or there is no matplotlib."""
    check_matplotlib()
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise JobError(f"{folder}: cannot be made ({error.strerror}); name another") from None


def write_pages(folder: Path, made: report.Made) -> list[Path]:
    """Write a page a document, tables, pictures and JSON; gives the files.

    Raises JobError if one cannot be written. Each file is whole or as it was.
    """
    from gpu_wordle.report.reproduced_plot import draw

    files: list[Path] = []
    pictures: dict[str, list[str]] = {}
    for item, reproduced in made:
        stem = report.file_stem(item)
        pictures[item.name] = []
        if reproduced.table is not None:
            _write(folder / f"{stem}.csv", report.table_file(reproduced), files)
            _write(folder / f"{stem}.txt", report.table_text(reproduced), files)
        for suffix, figure in draw(item, reproduced).items():
            path = folder / f"{stem}{suffix}.png"
            save_picture(path, figure)
            pictures[item.name].append(path.name)
            files.append(path)
    for source in dict.fromkeys(item.source for item, _ in made):
        mine = [each for each in made if each[0].source is source]
        _write(folder / f"{source.value}.md", report.document_page(mine, pictures), files)
    _write(folder / INDEX, report.index_page(made, _how()), files)
    columns = columns_of(report.reproduced_rows(made), report.KEYS)
    document = Document(envelope("reproduce"), {"verdicts": report.verdicts(made)}, columns)
    _write(folder / "reproduced.json", as_json(document), files)
    return files


def _how() -> Sequence[str]:
    """How the folder was made."""
    return [f"Made by gpu-wordle {__version__}: `{command_line()}`."]


def _write(path: Path, text: str, files: list[Path]) -> None:
    with held(path, PATIENCE_SECONDS) as holding:
        holding.replace(text.encode())
    files.append(path)
