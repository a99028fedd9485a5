"""``gpu-wordle guarantee``: whether the game can still surely be won after a guess."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from gpu_wordle.cli import interrupt, options
from gpu_wordle.cli.console import complain, output
from gpu_wordle.cli.solve import TABLE_MIB, describe
from gpu_wordle.game import Rule
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
    proven by search. A guess that the rule forbids is bad input. What is to be least and how likely
    each answer is do not matter here, so there is no --objective and there are no --weights.
    """
    game = options.open_session(
        guesses, answers, rule=rule, max_guesses=max_guesses, backend="cpu", threads=threads
    ).game
    position = game.position_after(state)
    left = game.objective.after(position.turns_made)
    chosen = [game.words.guesses.find(word) for word in guesses_made]
    for guess in chosen:
        game.check_legal(guess, position)
    pool = options.solver_pool(game, threads, table_size or TABLE_MIB, quiet=quiet)
    results: dict[int | None, SolveResult] = {}
    with pool, interrupt.interruptible(pool.stop):
        results |= pool.solve_guesses(
            chosen, position.state, guesses_left=left, tree=True, revealed=position.revealed
        )
        interrupted = pool.stop.is_set()
    described = []
    for guess in chosen:
        if guess not in results:
            continue
        row = describe(game, position, guess, results[guess])
        if not row["infeasible"] and row["worst"] is None:
            continue  # interrupted, and neither proven nor shown by a strategy
        described.append(
            {
                "guess": row["opener"],
                "guaranteed": not row["infeasible"],
                "answers": len(position.state),
                "worst_turn": row["worst"] and row["worst"] + position.turns_made,
                "seconds": row["seconds"],
            }
        )
    if json_output:
        print(json.dumps(described, indent=1))
    else:
        for row in described:
            output().print(_sentence(row, game.objective.max_guesses))
    if interrupted:
        complain("interrupted; what is shown was proved by then")
        raise typer.Exit(interrupt.EXIT_CODE)


def _sentence(row: dict[str, object], max_guesses: int | None) -> str:
    word, count = str(row["guess"]).upper(), row["answers"]
    which = f"all {count:,} answers" if count != 1 else "the one answer"
    if row["guaranteed"]:
        return f"{word}: [bold green]yes[/], {which} can be found by turn {row['worst_turn']}"
    limit = "any number of" if max_guesses is None else max_guesses
    return f"{word}: [bold red]no[/], no strategy finds {which} within {limit} guesses"
