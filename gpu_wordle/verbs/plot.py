"""The verb ``plot``: one figure of a file, as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, TypedDict

from gpu_wordle.api.games import Game, Position
from gpu_wordle.api.session import Machine
from gpu_wordle.errors import UserError
from gpu_wordle.options.declared import Option
from gpu_wordle.options.outcome import Outcome, verb
from gpu_wordle.options.reading import FILE, FILES, TEXT, TRUTH
from gpu_wordle.options.shared import OUTPUT, BackendName, ListOnly, Threads
from gpu_wordle.report import keys
from gpu_wordle.report.content import Chapter, Picture, picture_of
from gpu_wordle.report.document import PROGRAM
from gpu_wordle.report.keys import Key, schema
from gpu_wordle.report.pictures import check_plot, plain_text, save_picture, save_pixels
from gpu_wordle.report.sections.games import game_sections
from gpu_wordle.report.sections.registry import FIGURES
from gpu_wordle.report.sections.source import Source
from gpu_wordle.report.table import Column, FittedTable, columns_of
from gpu_wordle.store.form import RANKING
from gpu_wordle.verbs.report import (
    GAME_OF_FILES,
    Given,
    chapter_of,
    check_paths,
    compared,
    open_file,
    place_of_files,
    side_by_side,
)


@schema
class PictureRow(TypedDict):
    """A picture."""

    figure: Annotated[str, Key("a figure, by the name that plot takes")]
    of: Annotated[str, Key("the kind of file that has it, or the files it was drawn from")]
    shows: Annotated[str, Key("its content")]


@schema
class Drawn(TypedDict):
    """The file of the picture."""

    out: keys.Out


@verb
def plot(
    name: Annotated[
        str | None,
        Option(
            "The figure; without a name, all figures are listed.",
            TEXT,
            metavar="NAME",
            names=lambda: dict.fromkeys(name for figures in FIGURES.values() for name in figures),
        ),
    ] = None,
    files: Annotated[
        Sequence[str | Path],
        Option(
            "A file that report takes; for figures that compare, two rankings, or simulations and "
            "rankings.",
            FILES,
        ),
    ] = (),
    *,
    position: Annotated[Position | Game | None, GAME_OF_FILES] = None,
    out: Annotated[
        str | Path | None,
        Option("The .svg, .png or .pdf file to draw to.", FILE, OUTPUT),
    ] = None,
    full_size: Annotated[
        bool,
        Option("Draw a pattern matrix with one pixel for each pattern, as .png.", TRUTH, OUTPUT),
    ] = False,
    is_list: ListOnly = False,
    backend: BackendName = "auto",
    threads: Threads = None,
) -> Outcome:
    """Draw one figure of a file, as it appears in a report.

    The options of the game are for files that do not name their game: trees in text, and games
    from a file of feedback.

    Examples:
        $ gpu-wordle plot --list
    """
    if name is None or is_list:
        if name is not None or files or out is not None or full_size:
            raise UserError("--list goes alone; leave out --list, or name, file and --out")
        return _listed()
    if not any(name in figures for figures in FIGURES.values()):
        raise UserError(f"no figure is called {name!r}; gpu-wordle plot --list lists them")
    if not files or out is None:
        raise UserError(f"name the file and --out, as in plot {name} FILE --out x.svg")
    paths = [Path(each) for each in files]
    machine = Machine(backend, threads)
    if full_size and Path(out).suffix != ".png":
        raise UserError(f"{out}: --full-size draws pixels; name a file that ends in .png")
    picture = _picture(name, paths, Path(out), lambda: place_of_files(position, machine))
    _save(picture, Path(out), full_size=full_size)
    rows = [{"figure": name, "of": " ".join(map(str, paths)), "shows": picture.title}]
    return Outcome(
        lines=lambda width: [f"{picture.title}, in {out}"],
        facts={"out": str(out)},
        columns=columns_of(rows, PictureRow),
    )


def _listed() -> Outcome:
    """The list of all figures."""
    rows = [
        {"figure": name, "of": kind.removeprefix(PROGRAM).strip(), "shows": shows}
        for kind, figures in FIGURES.items()
        for name, shows in figures.items()
    ]
    columns = columns_of(rows, PictureRow)
    wrapping = [Column(c.name, c.values, wraps=c.name != "figure") for c in columns]
    return Outcome(
        lines=lambda width: [FittedTable(wrapping)],
        facts={"out": None},
        columns=columns,
    )


def _picture(name: str, paths: Sequence[Path], out: Path, given: Given) -> Picture:
    """One figure of files, to be drawn to ``out``; UserError if they do not have it."""
    check_plot(out)
    check_paths(paths)
    opened = [open_file(path, given) for path in paths]
    sources = [read for read in opened if isinstance(read, Source)]
    beside = [section for each in side_by_side(sources) for section in each.sections]
    if len(opened) == 1:
        chapter = chapter_of(paths[0], opened[0], paths[0].name)
        of_game = [section for source in sources for section in game_sections(source)]
        chapter = replace(chapter, sections=[*chapter.sections, *beside, *of_game])
    elif beside:
        chapter = Chapter("Strategies side by side", paths, beside)
    else:
        rankings = [source for source in sources if source.filetype == RANKING]
        if len(opened) > 2 or len(rankings) < 2:
            raise UserError(
                "a figure is of one file, of two rankings, or of simulations and rankings; name "
                "such files"
            )
        chapter = compared(*rankings)
    return picture_of(chapter, name)


def _save(picture: Picture, out: Path, *, full_size: bool) -> None:
    """Draw a picture to a file; UserError if it has no full size and that is wanted."""
    if full_size:
        if picture.pixels is None:
            raise UserError(
                f"{picture.name} has no full size; leave --full-size out, or draw matrix or "
                "matrix-answers"
            )
        save_pixels(out, *picture.pixels())
        return
    with plain_text():
        save_picture(out, picture.draw())
