"""``gpu-wordle play``: a game at the terminal, or over a pipe."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from functools import partial
from typing import Annotated

import typer
from rich.console import Console

from gpu_wordle.api.playing import Lines, Talk, umpire_of
from gpu_wordle.cli import console, options
from gpu_wordle.cli.blocks import with_blocks
from gpu_wordle.cli.printing import show
from gpu_wordle.errors import UserError
from gpu_wordle.experiments.play import Role, Umpire
from gpu_wordle.game.game import Position
from gpu_wordle.report.board import Look, describe_board
from gpu_wordle.report.document import Document, envelope
from gpu_wordle.report.formats import Format
from gpu_wordle.report.table import columns_of
from gpu_wordle.solver.ready import make_ready

MAX_LINE = 10_000
"""Characters that are read of a line."""

PROMPT = "> "
PLAY = "Play"


@dataclass(frozen=True)
class TableOptions:
    """Who plays, and what it looks like."""

    role: Annotated[
        Role,
        typer.Option(
            help="What the machine does: umpire, it answers your guesses; player, it guesses; "
            "adviser, it names guesses for a game that you play elsewhere.",
            case_sensitive=False,
            rich_help_panel=PLAY,
        ),
    ] = Role.UMPIRE
    hidden: Annotated[
        str | None,
        typer.Option(
            "--answer",
            help="The word to be found; drawn, if not given, by the umpire.",
            rich_help_panel=PLAY,
        ),
    ] = None
    adversary: Annotated[
        bool,
        typer.Option(
            "--adversary",
            help="The umpire has no word in mind, and keeps as many as it can, as Absurdle does.",
            rich_help_panel=PLAY,
        ),
    ] = False
    look: Annotated[
        Look,
        typer.Option(
            "--colours",
            help="How colours are shown: auto, colours on a terminal and marks elsewhere; colours; "
            "high-contrast; none, [A] for green and (A) for yellow.",
            case_sensitive=False,
            rich_help_panel=PLAY,
        ),
    ] = Look.AUTO
    drawn_by: Annotated[
        int | None,
        typer.Option(
            "--seed",
            parser=options.whole(0),
            metavar=options.INTEGER,
            help="Seed by which the word is drawn; another one each time, if not given.",
            rich_help_panel=PLAY,
        ),
    ] = None

    def umpire(self, start: Position) -> Umpire | None:
        """Who answers guesses; None for whoever types."""
        is_told = self.hidden is not None or self.adversary
        if self.role is Role.ADVISER and is_told:
            raise UserError(
                "an adviser goes by a game that is played elsewhere; leave --answer and "
                "--adversary out, or take --role player"
            )
        if self.role is not Role.UMPIRE and not is_told:
            return None
        return umpire_of(start, self.hidden, self.drawn_by, adversary=self.adversary)


@with_blocks
def play(
    game: options.GameOptions,
    table: TableOptions,
    output: options.OutputOptions,
    machine: options.MachineOptions,
) -> None:
    """Play a game: the machine as umpire, as player or as adviser.

    Lines come from the terminal or a pipe. Guesses are words; /help lists what else may be said:
    the best guess, why, whether it surely wins, and to take a turn back. In a game that is played
    elsewhere, type a word and its colours, or the colours of the guess that was named.
    """
    console.listen(quiet=output.quiet)
    console.compile_first(partial(make_ready, game.rule), quiet=output.quiet)
    start = game.position(machine)
    said = _said(output)
    look, umpire = _look(table.look, said), table.umpire(start)
    with Talk(start, table.role, umpire, look, machine.machine) as talk:
        _converse(talk, said, quiet=output.quiet)
    rows = describe_board(talk.board)
    whole = {"solved": talk.board.is_solved, "length": len(talk.board.turns)}
    show(
        lambda: Document(envelope("play", start), whole, columns_of(rows)),
        output.format,
        lambda: None,
    )


def _converse(talk: Talk, said: Console, *, quiet: bool) -> None:
    """Answer lines until the game is over or there are no more."""
    _say(talk.begin(), said, quiet=quiet)
    while not talk.is_over:
        if sys.stdin.isatty():
            said.print(PROMPT, end="")
        line = sys.stdin.readline(MAX_LINE)
        if not line:
            return
        if line.strip():
            _say(talk.hear(line), said, quiet=quiet)


def _say(lines: Lines, said: Console, *, quiet: bool) -> None:
    """Print lines as they come, and tell people who wait that one is being thought about."""
    while True:
        with console.Bar("thinking", quiet=quiet, first="thinking"):
            line = next(lines, None)
        if line is None:
            return
        said.print(line)


def _said(output: options.OutputOptions) -> Console:
    """Where the machine talks: with results for programs on stdout, that is stderr."""
    if output.format is Format.TABLE:
        return console.output()
    return Console(stderr=True, highlight=False, markup=False, emoji=False)


def _look(chosen: Look, said: Console) -> Look:
    """How colours are shown there."""
    if chosen is not Look.AUTO:
        return chosen
    return Look.COLOURS if said.is_terminal and not said.no_color else Look.MARKS
