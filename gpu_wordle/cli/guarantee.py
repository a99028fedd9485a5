"""``gpu-wordle guarantee``: whether the game can still surely be won after a guess."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from gpu_wordle.cli import interrupt, options
from gpu_wordle.cli.console import complain, output
from gpu_wordle.cli.solve import TABLE_MIB, replay
from gpu_wordle.game.game import Rule
from gpu_wordle.game.objective import DEFAULT_MAX_GUESSES, Objective
from gpu_wordle.solver import SolveResult


def guarantee(
    guesses_made: Annotated[list[str], typer.Argument(metavar="GUESS...", help="Next guesses.")],
    state: options.StateOption = "",
    guesses: options.Guesses = options.DEFAULT_GUESSES,
    answers: options.Answers = None,
    rule: options.RuleOption = Rule.NORMAL,
    max_guesses: options.MaxGuesses = None,
    threads: options.Threads = None,
    table_size: options.TableSize = None,
    json_output: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Tell whether every answer that is left can surely be found in time after a guess.

    Yes is backed by a strategy that an independent checker has replayed against all of them; no is
    proven by search. How soon they can be found is another question: ask it with a lower
    --max-guesses, or with solve --objective worst. A guess that the rule forbids is bad input. What
    is to be least and how likely each answer is do not matter here, so there is no --objective and
    there are no --weights.
    """
    limit = DEFAULT_MAX_GUESSES if max_guesses is None else max_guesses or None
    session = options.open_session(
        guesses, answers, rule=rule, objective=Objective.to_win(limit), backend="cpu",
        threads=threads, state=state,
    )  # fmt: skip
    game, position = session.game, session.position
    chosen = [game.words.guesses.find(word) for word in guesses_made]
    for guess in chosen:
        position.check_legal(guess)
    pool = options.solver_pool(game, threads, table_size or TABLE_MIB, quiet=quiet)
    results: dict[int, SolveResult] = {}
    with pool, interrupt.interruptible(pool.stop):
        results |= pool.solve_guesses(position, chosen, tree=True, least_worst=False)
        interrupted = pool.stop.is_set()
    described = []
    for guess in chosen:
        result = results.get(guess)
        if result is None or not (result.is_infeasible or result.tree):
            continue  # interrupted, and neither proven nor shown by a strategy
        replay(game, position, result)
        described.append(
            {
                "guess": game.words.guesses.words[guess],
                "guaranteed": not result.is_infeasible,
                "answers": len(position.state),
                "max_guesses": limit,
                "seconds": round(result.stats.seconds, 6),
            }
        )
    if json_output:
        print(json.dumps(described, indent=1))
    else:
        for row in described:
            output().print(_sentence(row))
    if interrupted:
        complain("interrupted; what is shown was proved by then")
        raise typer.Exit(interrupt.EXIT_CODE)


def _sentence(row: dict[str, object]) -> str:
    word, count, limit = str(row["guess"]).upper(), row["answers"], row["max_guesses"]
    which = f"all {count:,} answers" if count != 1 else "the one answer"
    within = "any number of" if limit is None else limit
    if row["guaranteed"]:
        return f"{word}: [bold green]yes[/], a strategy finds {which} within {within} guesses"
    return f"{word}: [bold red]no[/], no strategy finds {which} within {within} guesses"
