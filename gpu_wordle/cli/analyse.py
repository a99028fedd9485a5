"""``gpu-wordle analyse``: what the guesses of a played game were worth, and what was luck."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from gpu_wordle.api import analysing, session
from gpu_wordle.cli import console, options
from gpu_wordle.cli.blocks import with_blocks
from gpu_wordle.cli.pasting import Paste, pasted_text
from gpu_wordle.cli.printing import show
from gpu_wordle.errors import UserError, counted
from gpu_wordle.experiments.charts import consistent
from gpu_wordle.experiments.transcripts import Chart, Transcript, read_games, read_pasted
from gpu_wordle.ranking.ending import Ending, Reason
from gpu_wordle.report.analysed import (
    chart_answer,
    chart_rows,
    describe_whole,
    game_sentences,
    game_table,
    summary_table,
)
from gpu_wordle.report.document import Document, envelope
from gpu_wordle.report.table import FittedTable, columns_of
from gpu_wordle.solver.ready import make_ready

PLAYED = "Played"

SEARCH_SECONDS = 4
"""For which the values of a single game are searched, unless --time-limit says otherwise."""


@dataclass(frozen=True)
class PlayedOptions:
    """What was played, beside the turns themselves; UserError for what contradicts itself."""

    answer: Annotated[str | None, typer.Option(help="What was hidden.", rich_help_panel=PLAYED)] = (
        None
    )
    paste: Paste = None
    games: Annotated[
        Path | None,
        typer.Option(
            help="A .jsonl or .csv file of many games, one a line: guesses, answer or patterns, "
            "player.",
            rich_help_panel=PLAYED,
        ),
    ] = None
    turns_file: Annotated[
        Path | None,
        typer.Option(
            "--out",
            help="With --games, write all turns to this .jsonl, .csv, .parquet or .h5 file.",
            dir_okay=False,
            rich_help_panel=options.OUTPUT,
        ),
    ] = None

    def __post_init__(self) -> None:
        if self.turns_file is not None:
            if self.games is None:
                raise UserError("--out is for --games; send a single game to a file with > FILE")
            if self.turns_file.resolve() == self.games.resolve():
                raise UserError(f"{self.games}: holds the games, so it is not replaced")
            analysing.check_form(self.turns_file)

    def check(self, turns: list[str] | None, state: str) -> None:
        """UserError unless games are given, and once."""
        if state:
            raise UserError("analyse takes whole games; give turns as arguments, without --state")
        if sum(bool(given) for given in (turns, self.paste, self.games)) != 1:
            raise UserError(
                "give one of these: words and colours, as in 'analyse salet BYBBG', or --paste, "
                "or --games"
            )


@with_blocks
def analyse(
    game: options.GameOptions,
    played: PlayedOptions,
    output: options.OutputOptions,
    machine: options.MachineOptions,
    turns: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[WORD COLOURS]...",
            help="The game, as in salet BYBBG; or words alone with --answer; or colours alone; or "
            "- for standard input.",
        ),
    ] = None,
    top: options.Top = 20,
    time_limit: options.TimeLimit = None,
) -> None:
    """Analyse a played game: the exact value of each guess, its regret, and what was luck.

    Regret is what a guess costs more than the best one, in guesses on average. Luck is how much
    better the feedback came out than was to be expected. A single game is searched for 4 seconds,
    or as --time-limit says; a value that is open by then is shown as an interval that holds it.
    Without any words, the colours of a share grid say which openers and answers agree with it.
    With --games, many games are analysed and summed up by player.
    """
    console.listen(quiet=output.quiet)
    played.check(turns, game.state)
    if played.games is not None:
        ending = console.ending_of(time_limit)
        _many(read_games(played.games), game, machine, output, ending, played.turns_file)
        return
    pasted = pasted_text(turns, played.paste)
    opened = session.open_session(game.game(machine).start(), machine.machine)
    text = " ".join(turns or []) if pasted is None else pasted
    given = read_pasted(text, opened.game.words, played.answer)
    if isinstance(given, Chart):
        _chart(given, played.answer, opened, output, top)
    else:
        ready = partial(make_ready, game.rule, statistics=True)  # as rules play by them
        console.compile_first(ready, quiet=output.quiet)
        ending = console.ending_of(time_limit, search_limit=SEARCH_SECONDS)
        _one(given, opened, output, ending)


def _one(
    transcript: Transcript, opened: session.Session, output: options.OutputOptions, ending: Ending
) -> None:
    """Analyse one game, and print its turns."""
    with ending.preparing(), console.Bar("solving positions", quiet=output.quiet) as bar:
        analysed, rows = analysing.analyse_one(opened, transcript, ending, bar.show)

    def for_people() -> None:
        printed = console.output()
        printed.print(game_table(rows))
        for line in game_sentences(analysed):
            printed.print(line, soft_wrap=True)

    _show(opened, output, describe_whole(analysed), rows, for_people)
    kept = "values that are open have bounds"
    if ending.reason is Reason.TIME_LIMIT:
        kept += "; --time-limit none, or a longer one, makes them exact"
    console.exit_early(ending, kept)


def _chart(
    chart: Chart,
    answer: str | None,
    opened: session.Session,
    output: options.OutputOptions,
    top: int,
) -> None:
    """Print the openers that agree with a share grid."""
    words = opened.game.words
    hidden = None if answer is None else words.answers.find(answer)
    found = consistent(opened.game, chart.patterns, hidden)
    rows, whole = chart_rows(opened.game, found, top or None), chart_answer(opened.game, found)

    def for_people() -> None:
        printed = console.output()
        left = counted(len(found.answers), "answer")
        openers = counted(len(found.openers), "opener")
        printed.print(f"{left} and {openers} agree with these colours, in {found.games:,} games")
        columns = columns_of(rows)
        printed.print(FittedTable(columns, [column.name for column in columns]))

    _show(opened, output, whole, rows, for_people)


def _many(
    transcripts: list[Transcript],
    game: options.GameOptions,
    machine: options.MachineOptions,
    output: options.OutputOptions,
    ending: Ending,
    out: Path | None,
) -> None:
    """Analyse many games, write their turns and print what they come to."""
    console.compile_first(partial(make_ready, game.rule), quiet=output.quiet)
    with ending.preparing(), console.Bar("solving positions", quiet=output.quiet) as bar:
        opened = session.open_session(game.game(machine).start(), machine.machine)
        analysed = analysing.analyse_many(opened, transcripts, ending, bar.show)
    rows = analysed.summary()

    def save() -> None:
        if out is not None:
            analysing.save(out, opened, analysed)
            console.note(f"turns written to {out}", quiet=output.quiet)

    def for_people() -> None:
        if rows:
            console.output().print(summary_table(rows))

    _show(opened, output, {}, rows, for_people, save)
    done = f"{len(analysed.numbered):,} of {counted(analysed.given, 'game')} are analysed"
    console.exit_early(ending, done)


def _show(
    opened: session.Session,
    output: options.OutputOptions,
    whole: dict[str, Any],
    rows: list[dict[str, Any]],
    for_people: Callable[[], None],
    save: Callable[[], None] | None = None,
) -> None:
    """Print a whole and its rows."""
    show(
        lambda: Document(envelope("analyse", opened.position), whole, columns_of(rows)),
        output.format,
        for_people,
        save=save,
    )
