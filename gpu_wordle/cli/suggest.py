"""``gpu-wordle suggest``: the best next guesses, each with its exact value."""

from __future__ import annotations

import time
from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.live import Live

from gpu_wordle.api import session
from gpu_wordle.api.suggesting import DEFAULT_TOP, criteria_of
from gpu_wordle.api.suggesting import suggest as suggest_guesses
from gpu_wordle.cli import console, options
from gpu_wordle.cli.blocks import with_blocks
from gpu_wordle.cli.pasting import Paste, pasted_text
from gpu_wordle.cli.printing import show
from gpu_wordle.errors import UserError
from gpu_wordle.experiments.suggest import Shortlist
from gpu_wordle.experiments.transcripts import history_of
from gpu_wordle.ranking.statistics import BY_KEY
from gpu_wordle.report.document import Document, envelope
from gpu_wordle.report.ranking import TOTAL
from gpu_wordle.report.suggested import SuggestedRows, tightening
from gpu_wordle.report.table import columns_of
from gpu_wordle.solver.ready import make_ready

REDRAWN_AFTER_S = 0.25
"""Between two looks at intervals that tighten."""

Turns = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[WORD COLOURS]...",
        help="Guesses made and their feedback, as in salet BYBBG; or - for standard input.",
    ),
]


@with_blocks
def suggest(
    game: options.GameOptions,
    output: options.OutputOptions,
    machine: options.SearchOptions,
    turns: Turns = None,
    paste: Paste = None,
    criteria: Annotated[
        str,
        typer.Option(
            "--by",
            help=f"What guesses are listed by, {TOTAL} or any statistics, separated by commas: "
            f"{', '.join(BY_KEY)}.",
            rich_help_panel=options.OUTPUT,
        ),
    ] = TOTAL,
    listed: Annotated[
        int,
        typer.Option(
            "--top",
            parser=options.whole(1),
            metavar=options.INTEGER,
            help="Guesses to suggest, shared out evenly among what they are listed by.",
            rich_help_panel=options.OUTPUT,
        ),
    ] = DEFAULT_TOP,
    time_limit: options.TimeLimit = None,
) -> None:
    """Suggest next guesses: exact expected number of guesses, worst case, parts and information.

    Values count this guess and those after it. The best guesses are marked; all that are equal to
    them are best too. What a time limit or Ctrl-C leaves open is shown as an interval.
    """
    console.listen(quiet=output.quiet)
    check_once(turns, game.state, paste)
    by, pasted = criteria_of(criteria), pasted_text(turns, paste)
    console.compile_first(partial(make_ready, game.rule, statistics=True), quiet=output.quiet)
    ending = console.ending_of(time_limit)
    with ending.preparing(), Tightening(quiet=output.quiet) as live:
        played = game.game(machine)
        history = " ".join(turns or []) or game.state
        if pasted is not None:
            history = history_of(pasted, played.words)
        position = played.position_after(history)
        opened = session.open_session(position, machine.machine)
        suggestions, work = suggest_guesses(opened, by, listed, ending, live.show)
    rows = SuggestedRows(suggestions, work.statistics)
    described = rows.describe()

    def for_people() -> None:
        printed = console.output()
        printed.print(rows.table(described))
        for line in filter(None, (rows.remaining(), rows.warning())):
            printed.print(line, soft_wrap=True)

    show(
        lambda: Document(envelope("suggest", position), rows.answer(), columns_of(described)),
        output.format,
        for_people,
    )
    console.exit_early(ending, "what is shown was proved by then")


def check_once(turns: list[str] | None, state: str, paste: Path | None) -> None:
    """UserError if the guesses made are given in more than one way."""
    if sum(map(bool, (turns, state, paste))) > 1:
        raise UserError("guesses are given twice; give them as arguments, by --state or by --paste")


class Tightening:
    """Intervals on a terminal while they tighten, on stderr; a context manager."""

    def __init__(self, *, quiet: bool) -> None:
        self._console = Console(stderr=True, highlight=False, markup=False)
        self._is_shown = self._console.is_terminal and not quiet
        self._live = Live(console=self._console, transient=True, auto_refresh=False)
        self._due = time.monotonic() + console.SHOWN_AFTER_S

    def __enter__(self) -> Tightening:
        return self

    def __exit__(self, *error: object) -> None:
        self._live.stop()

    def show(self, found: Shortlist) -> None:
        """Show the intervals, from SHOWN_AFTER_S on and not too often."""
        if self._is_shown and time.monotonic() >= self._due:
            self._live.start()
            self._live.update(tightening(found), refresh=True)
            self._due = time.monotonic() + REDRAWN_AFTER_S
