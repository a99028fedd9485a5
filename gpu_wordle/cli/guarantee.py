"""``gpu-wordle guarantee``: whether the game can still surely be won after a guess."""

from __future__ import annotations

from functools import partial
from typing import Annotated

import typer

from gpu_wordle.api import jobs, session
from gpu_wordle.cli import console, options
from gpu_wordle.cli.blocks import with_blocks
from gpu_wordle.cli.printing import show
from gpu_wordle.report.document import Document, envelope
from gpu_wordle.report.proofs import GUARANTEE_KEYS, describe_guarantees, guarantee_line
from gpu_wordle.report.table import columns_of
from gpu_wordle.solver.ready import make_ready


@with_blocks
def guarantee(
    guesses_made: Annotated[list[str], typer.Argument(metavar="GUESS...", help="Next guesses.")],
    game: options.RuleOptions,
    output: options.OutputOptions,
    machine: options.SearchOptions,
    time_limit: options.TimeLimit = None,
) -> None:
    """Tell whether every answer that is left can surely be found in time after a guess.

    Yes is backed by a strategy that an independent checker has replayed against all of them; no is
    proven by search. How soon they can be found is another question: ask it with a lower
    --max-guesses, or with solve --objective worst. A guess that the rule forbids is bad input. What
    is to be least and how likely each answer is do not matter here, so there is no --objective and
    there are no --weights.
    """
    console.listen(quiet=output.quiet)
    console.compile_first(partial(make_ready, game.rule), quiet=output.quiet)
    ending = console.ending_of(time_limit)
    with ending.preparing(), console.Bar("deciding", quiet=output.quiet) as bar:
        position = game.game_to_win(machine).position_after(game.state)
        opened = session.open_session(position, machine.machine)
        asked = jobs.find_guesses(position, guesses_made)
        solved = jobs.guarantee(opened, asked, ending, bar.show)
    described = describe_guarantees(solved)

    def document() -> Document:
        asked = envelope("guarantee", position, unasked=("objective",))
        return Document(asked, columns=columns_of(described, GUARANTEE_KEYS))

    def for_people() -> None:
        for row in described:
            line = guarantee_line(
                row["opener"],
                guaranteed=row["guaranteed"],
                answers=row["answers"],
                limit=row["max_guesses"],
            )
            console.output().print(line)

    show(document, output.format, for_people)
    console.exit_early(ending, "what is shown was proved by then")
