"""The options that verbs share: the same flags with the same defaults in all of them."""

from __future__ import annotations

import stat
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gpu_wordle.api import session
from gpu_wordle.cli import console
from gpu_wordle.errors import UserError, quoted
from gpu_wordle.game.game import Game, Position
from gpu_wordle.game.numbers import whole_number
from gpu_wordle.game.objective import DEFAULT_MAX_GUESSES, Aim
from gpu_wordle.game.rule import Rule
from gpu_wordle.game.words import DEFAULT_LIST, catalogue
from gpu_wordle.options import reading
from gpu_wordle.report.formats import Format, check_format
from gpu_wordle.report.pictures import check_plot, save_picture
from gpu_wordle.store import check_suffix

if TYPE_CHECKING:
    from matplotlib.figure import Figure

GAME, AIM, OUTPUT, MACHINE = "Game", "Aim", "Output", "Machine"
"""Panels of the help."""

DEFAULT_OBJECTIVE = "mean"

INTEGER = "INTEGER"
"""How the help calls a whole number."""

DIRECTORY = "DIRECTORY"
"""How the help calls a folder."""


class BackendName(StrEnum):
    """The names of backends.BACKEND_NAMES, as typer wants them."""

    AUTO = "auto"
    CPU = "cpu"
    CUDA = "cuda"
    REFERENCE = "reference"
    CHECK = "check"


def complete_lists(incomplete: str) -> list[str]:
    """Names of games that begin so."""
    names = (*catalogue(), "mastermind:4x6", "bulls-and-cows:4x10", "random:5:12972:2315")
    return [name for name in names if name.startswith(incomplete)]


def complete_objectives(incomplete: str) -> list[str]:
    """Objectives that begin so."""
    names = (f"{aim}:" if aim in (Aim.WITHIN, Aim.COST) else aim.value for aim in Aim)
    return [name for name in names if name.startswith(incomplete)]


def whole(least: int) -> Callable[[str | int], int]:
    """What reads an option that takes a whole number from ``least`` on."""

    def parse(text: str | int) -> int:
        number = whole_number(text) if isinstance(text, str) else text
        if number is None or number < least:
            raise typer.BadParameter(f"{quoted(text)} is no whole number from {least} on")
        return number

    return parse


def folder(text: str) -> Path:
    """The folder that an option names.

    An empty name, as of a variable of the shell that is not set, is not the folder one is in.
    """
    if not text:
        raise typer.BadParameter("the name of the folder is empty; give one, or . for this one")
    path = Path(text)
    with suppress(OSError):  # there is none yet, or to make it will say what is wrong
        if not stat.S_ISDIR(path.stat().st_mode):
            raise typer.BadParameter(f"{quoted(text)} is a file; name a folder")
    return path


def seconds_of(text: str) -> float:
    """Seconds in a time such as ``90``, ``10m``, ``1h30m`` or ``45s``; infinite for ``none``."""
    seconds = reading.seconds_of(text)
    if seconds is None:
        raise typer.BadParameter(
            f"{quoted(text)} is no time; give seconds, or as in 90, 10m or 1h30m, or none"
        )
    return seconds


@dataclass(frozen=True)
class ListOptions:
    """What is played, and where it stands."""

    guesses: Annotated[
        str,
        typer.Option(
            help="Words that may be guessed: original, nyt-2023, wordle-ai-2022, a file, or random "
            "words as in random:5:12972:2315; or another game: mastermind:4x6, "
            "bulls-and-cows:4x10, or a file of feedback in CSV.",
            autocompletion=complete_lists,
            rich_help_panel=GAME,
        ),
    ] = DEFAULT_LIST
    answers: Annotated[
        str | None,
        typer.Option(
            help="Words that may be hidden: named or a file; if not given, as --guesses.",
            autocompletion=complete_lists,
            rich_help_panel=GAME,
        ),
    ] = None
    state: Annotated[
        str,
        typer.Option(
            help="Guesses made and their feedback, as in 'salet BYBBG crony BBGBB', or "
            "'salet=-y--g crony=--g--'.",
            rich_help_panel=GAME,
        ),
    ] = ""

    def refuse_turns(self, why: str) -> None:
        """UserError, with the reason, if guesses are made already."""
        if self.state:
            raise UserError(f"{why}; leave --state out")

    def open(self, machine: MachineOptions) -> session.Session:
        """The position, under the normal rule."""
        return session.open_session(self.position(machine), machine.machine)

    def position(self, machine: MachineOptions) -> Position:
        """Where the game stands."""
        return self.game(machine).position_after(self.state)

    def game(self, machine: MachineOptions) -> Game:
        """The game, under the normal rule."""
        words = session.read_words(self.guesses, self.answers)
        return session.open_game(words, machine=machine.machine)


@dataclass(frozen=True)
class RuleOptions(ListOptions):
    """The same, with what is legal and how many guesses there are."""

    rule: Annotated[
        Rule,
        typer.Option(
            help="Which guesses are legal: normal, any; hard, those that keep green letters and "
            "reuse coloured ones; ultra-hard, those that agree with all feedback; candidates, "
            "answers that are still possible.",
            case_sensitive=False,
            rich_help_panel=GAME,
        ),
    ] = Rule.NORMAL
    max_guesses: Annotated[
        int | None,
        typer.Option(
            parser=whole(0),
            metavar=INTEGER,
            help="Guesses within which every answer must be found, or with fewest-failures is lost "
            "if it is not; 0: no limit.",
            show_default=f"{DEFAULT_MAX_GUESSES}; with prices, as many as they are",
            rich_help_panel=AIM,
        ),
    ] = None

    @property
    def limit(self) -> int | None:
        """The guess limit; None for no limit."""
        return DEFAULT_MAX_GUESSES if self.max_guesses is None else self.max_guesses or None


@dataclass(frozen=True)
class GameOptions(RuleOptions):
    """The same, with what is to be least and how likely each answer is."""

    objective: Annotated[
        str,
        typer.Option(
            help="What is to be least: mean; mean,worst; worst; within:K (answers not found within "
            "K guesses); fewest-failures; cost:PRICE,PRICE,... of each turn, whole and never "
            "falling.",
            autocompletion=complete_objectives,
            rich_help_panel=AIM,
        ),
    ] = DEFAULT_OBJECTIVE
    weights: Annotated[
        Path | None,
        typer.Option(
            help="CSV file of word,weight: how likely each answer is; equally, if not given. With "
            "within:K and fewest-failures they add up, as whole numbers, to at most 428,000 at six "
            "guesses.",
            dir_okay=False,
            rich_help_panel=AIM,
        ),
    ] = None

    def game(self, machine: MachineOptions) -> Game:
        """The game."""
        objective = session.read_objective(self.objective, self.max_guesses)
        words = session.read_words(self.guesses, self.answers)
        return session.open_game(words, self.rule, objective, self.weights, machine.machine)


@dataclass(frozen=True)
class MachineOptions:
    """What computes."""

    backend: Annotated[
        BackendName,
        typer.Option(
            help="What computes. auto: CUDA for large jobs where a device answers; else the CPU.",
            case_sensitive=False,
            rich_help_panel=MACHINE,
        ),
    ] = BackendName.AUTO
    threads: Annotated[
        int | None,
        typer.Option(
            parser=whole(1),
            metavar=INTEGER,
            help="CPU threads, at most one for each guess to solve and a few a core; if not "
            "given, all cores.",
            rich_help_panel=MACHINE,
        ),
    ] = None

    @property
    def machine(self) -> session.Machine:
        """The same for a job."""
        return session.Machine(self.backend.value, self.threads)


@dataclass(frozen=True)
class OutputOptions:
    """What is printed, and how; UserError for formats that contradict each other."""

    asked_format: Annotated[
        Format | None,
        typer.Option(
            "--format",
            help="How to print results: a table for people, or for programs CSV, JSON, Markdown or "
            "Parquet, with all columns.",
            show_default=Format.TABLE.value,
            case_sensitive=False,
            rich_help_panel=OUTPUT,
        ),
    ] = None
    json_output: Annotated[
        bool, typer.Option("--json", help="The same as --format json.", rich_help_panel=OUTPUT)
    ] = False
    quiet: Annotated[
        bool,
        typer.Option(
            "--quiet", "-q", help="No remarks and no progress bar.", rich_help_panel=OUTPUT
        ),
    ] = False

    def __post_init__(self) -> None:
        if self.json_output and self.asked_format not in (None, Format.JSON):
            raise UserError(
                f"--json and --format {self.asked_format} contradict each other; leave one out"
            )
        check_format(self.format)
        if self.format is Format.PARQUET and sys.stdout is not None and sys.stdout.isatty():
            raise UserError(
                "--format parquet is not for terminals; send it to a file, as in > rows.parquet"
            )

    @property
    def format(self) -> Format:
        """How results are printed."""
        return Format.JSON if self.json_output else self.asked_format or Format.TABLE


Top = Annotated[
    int,
    typer.Option(
        parser=whole(0), metavar=INTEGER, help="Rows to print; 0: all.", rich_help_panel=OUTPUT
    ),
]


@dataclass(frozen=True)
class PlotOptions:
    """Where a picture goes; UserError for what no picture can be written to."""

    plot: Annotated[
        Path | None,
        typer.Option(
            help="Draw what is shown to this .svg, .png or .pdf file.", rich_help_panel=OUTPUT
        ),
    ] = None

    def __post_init__(self) -> None:
        if self.plot is not None:
            check_plot(self.plot)

    def drawing(self, figure: Callable[[], Figure], *, quiet: bool) -> Callable[[], None]:
        """What draws a figure, if that is asked for; JobError if the file cannot be written."""

        def draw() -> None:
            if self.plot is not None:
                save_picture(self.plot, figure())
                console.note(f"drawn to {self.plot}", quiet=quiet)

        return draw


TimeLimit = Annotated[
    Any,
    typer.Option(
        parser=seconds_of,
        metavar="TIME",
        help="End after so long, with what was proved by then: seconds, or as in 10m or 1h30m; "
        "none for no end.",
        rich_help_panel=MACHINE,
    ),
]


Out = Annotated[
    Path | None,
    typer.Option(help="HDF5 file to write.", dir_okay=False, rich_help_panel=OUTPUT),
]


Fresh = Annotated[
    bool,
    typer.Option(
        "--fresh/--resume", help="Replace the file, or go on from it.", rich_help_panel=OUTPUT
    ),
]


def check_file(out: Path | None, filetype: str, *, fresh: bool) -> None:
    """UserError unless a file is named as one of its kind, and there is one to replace."""
    if out is not None:
        check_suffix(out, filetype)
    elif fresh:
        raise UserError("--fresh replaces the file of --out, and there is none; name it, or go on")
