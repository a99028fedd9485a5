"""``gpu-wordle play``: a game at the terminal, or over a pipe."""

from __future__ import annotations

import sys
from functools import partial
from typing import Annotated, Literal

from rich.console import Console

from gpu_wordle.api.games import Here, position_of
from gpu_wordle.api.playing import Lines, Talk, umpire_of
from gpu_wordle.api.session import Machine
from gpu_wordle.cli import console
from gpu_wordle.cli.command import command
from gpu_wordle.cli.output import Output
from gpu_wordle.errors import UserError
from gpu_wordle.experiments.play import Role, Umpire
from gpu_wordle.game.game import Position
from gpu_wordle.options.declared import Option
from gpu_wordle.options.reading import TRUTH, WORD, whole
from gpu_wordle.options.shared import PLAY, BackendName, Threads
from gpu_wordle.report.board import describe_board
from gpu_wordle.report.document import Document, Format, envelope
from gpu_wordle.report.table import columns_of
from gpu_wordle.report.tiles import Look
from gpu_wordle.solver.ready import make_ready

MAX_LINE = 10_000
"""Most characters of a line that are read."""

PROMPT = "> "


@command
def play(
    position: Here,
    *,
    role: Annotated[
        Literal["umpire", "player", "adviser"],
        Option(
            "The role of the program: umpire, it gives feedback to your guesses; player, it "
            "guesses; adviser, it suggests guesses for a game that you play elsewhere.",
            panel=PLAY,
        ),
    ] = "umpire",
    answer: Annotated[
        str | None,
        Option("The answer. Default: the umpire draws one.", WORD, PLAY),
    ] = None,
    adversary: Annotated[
        bool,
        Option(
            "Play against an adversary that has no fixed answer and gives the least helpful "
            "feedback, as in Absurdle.",
            TRUTH,
            PLAY,
        ),
    ] = False,
    colours: Annotated[
        Literal["auto", "colours", "high-contrast", "none"],
        Option(
            "How to show feedback: auto, colours on a terminal and marks elsewhere; colours; "
            "high-contrast; none, [A] for green and (A) for yellow.",
            panel=PLAY,
        ),
    ] = "auto",
    seed: Annotated[
        int | None,
        Option("Seed to draw the answer. Default: a new one each time.", whole(0), PLAY),
    ] = None,
    backend: BackendName = "auto",
    threads: Threads = None,
    output: Output,
) -> None:
    """Play a game, with the program as umpire, player or adviser.

    Lines come from the terminal or a pipe. Type words as guesses. /help lists the other commands:
    the best guess, the reason, whether it is a guaranteed win, and undo. For a game played
    elsewhere, type a word and its colours, or the colours of the suggested guess.

    Examples:
        $ gpu-wordle play
        $ gpu-wordle play --role adviser
    """
    start, said, chosen = position_of(position), _said(output), Role(role)
    console.compile_first(partial(make_ready, start.game.rule), quiet=output.quiet)
    look, umpire = _look(Look(colours), said), _umpire(start, chosen, answer, seed, adversary)
    with Talk(start, chosen, umpire, look, Machine(backend, threads)) as talk:
        _converse(talk, said, quiet=output.quiet)
    rows = describe_board(talk.board)
    whole = {"solved": talk.board.is_solved, "length": len(talk.board.turns)}
    output.show(
        lambda: Document(envelope("play", start), whole, columns_of(rows)),
        lambda: None,
    )


def _umpire(
    start: Position, role: Role, answer: str | None, seed: int | None, adversary: bool
) -> Umpire | None:
    """The umpire that gives feedback; None if the person at the terminal does."""
    is_told = answer is not None or adversary
    if role is Role.ADVISER and is_told:
        raise UserError(
            "an adviser follows a game that is played elsewhere; leave out --answer and "
            "--adversary, or choose --role player"
        )
    if role is not Role.UMPIRE and not is_told:
        return None
    return umpire_of(start, answer, seed, adversary=adversary)


def _converse(talk: Talk, said: Console, *, quiet: bool) -> None:
    """Answer lines until the game is over or the input ends."""
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
    """Print lines as they come, with a progress bar while the next one is computed."""
    while True:
        with console.Bar("thinking", quiet=quiet, first="thinking"):
            line = next(lines, None)
        if line is None:
            return
        said.print(line)


def _said(output: Output) -> Console:
    """The console of the dialogue: stderr if stdout carries machine output, else stdout."""
    return console.output(stderr=output.format is not Format.TABLE)


def _look(chosen: Look, said: Console) -> Look:
    """The look of the board: the chosen one, or by what the console can show."""
    if chosen is not Look.AUTO:
        return chosen
    return Look.COLOURS if said.color_system and not said.no_color else Look.MARKS
