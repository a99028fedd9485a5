"""``gpu-wordle guarantee``: whether the game can still surely be won after a guess."""

from __future__ import annotations

import json
from functools import partial
from typing import Annotated

import typer

from gpu_wordle.api import jobs, session
from gpu_wordle.cli import console, options
from gpu_wordle.cli.blocks import with_blocks
from gpu_wordle.report.proofs import guarantee_line
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
    ending = console.ending_of(time_limit)
    console.compile_first(partial(make_ready, game.rule), quiet=output.quiet)
    position = game.game_to_win(machine).position_after(game.state)
    opened = session.open_session(position, machine.machine)
    solved = jobs.guarantee(opened, jobs.find_guesses(position, guesses_made), ending)
    described = [
        {
            "guess": position.game.words.guesses.words[each.guess],
            "guaranteed": not each.result.is_infeasible,
            "answers": len(position.state),
            "max_guesses": game.limit,
            "seconds": round(each.result.stats.seconds, 6),
        }
        for each in solved
        if each.guess is not None
    ]
    if output.json_output:
        print(json.dumps(described, indent=1))
    else:
        for each in solved:
            assert each.guess is not None
            line = guarantee_line(
                position.game.words.guesses.words[each.guess],
                guaranteed=not each.result.is_infeasible,
                answers=len(position.state),
                limit=game.limit,
            )
            console.output().print(line)
    console.exit_early(ending, "what is shown was proved by then")
