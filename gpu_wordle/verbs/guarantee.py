"""Whether the game can still surely be won after a guess."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Annotated, Any, TypedDict

from rich.text import Text

from gpu_wordle.api import jobs
from gpu_wordle.api.games import Game, Position, about, position_of
from gpu_wordle.api.session import Machine, open_session
from gpu_wordle.errors import UserError, counted
from gpu_wordle.game.objective import Objective
from gpu_wordle.game.spelling import capitals
from gpu_wordle.options.declared import Option
from gpu_wordle.options.outcome import Rows, verb_for
from gpu_wordle.options.reading import ONE_OR_MORE
from gpu_wordle.options.shared import (
    BackendName,
    Batched,
    DeviceMemory,
    OnProgress,
    Stop,
    TableSize,
    Threads,
    TimeLimit,
)
from gpu_wordle.options.telling import compile_first, teller
from gpu_wordle.ranking.solving import SolveReport
from gpu_wordle.ranking.stop_token import StopToken
from gpu_wordle.report import keys
from gpu_wordle.report.keys import schema
from gpu_wordle.report.table import columns_of
from gpu_wordle.solver.ready import make_ready


@schema
class GuaranteeRow(TypedDict):
    """Whether a guess surely wins."""

    opener: keys.Opener
    guaranteed: keys.Guaranteed
    answers: keys.Answers
    max_guesses: keys.MaxGuesses
    seconds: keys.Seconds


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Guarantees(Rows):
    """A row for each guess that was decided."""

    is_complete: bool


def _of_all(found: Guarantees) -> bool | None:
    """Whether it holds after each guess; None if an early end left that open."""
    if not all(row["guaranteed"] for row in found):
        return False
    return True if found.is_complete else None


@verb_for(_of_all)
def guarantee(
    position: Annotated[Position | Game, about("objective", "weights")],
    guess: Annotated[str | Sequence[str], Option("Next guesses.", ONE_OR_MORE, metavar="GUESS...")],
    *,
    time_limit: TimeLimit = None,
    stop: Stop = None,
    backend: BackendName = "auto",
    threads: Threads = None,
    table_size: TableSize = None,
    batched: Batched = None,
    device_memory: DeviceMemory = None,
    progress: OnProgress = None,
) -> Guarantees:
    """Tell whether every answer that is left can surely be found in time after a guess.

    Yes is backed by a strategy that an independent checker has replayed against all of them; no is
    proven by search. How soon they can be found is another question: ask it with a lower
    --max-guesses, or with solve --objective worst. A guess that the rule forbids is bad input. What
    is to be least and how likely each answer is do not matter here.

    Examples:
        $ gpu-wordle guarantee salet --rule hard
        >>> gw.guarantee(gw.load_game(rule="hard"), "salet")
    """
    asked = position_of(position)
    game = replace(asked.game, objective=Objective.to_win(asked.game.objective.max_guesses))
    compile_first(partial(make_ready, game.rule), progress, stop)
    machine = Machine(backend, threads, table_size, batched, device_memory)
    session = open_session(game.position_after(asked.history), machine)
    stop_token = StopToken.of_call(time_limit, stop)
    guesses = jobs.find_guesses(session.position, [guess] if isinstance(guess, str) else guess)
    if not guesses:
        raise UserError("no guess is named; give one, as in 'salet'")
    solved = jobs.guarantee(session, guesses, stop_token, teller(progress, "deciding"))
    rows = [row_of(each) for each in solved]
    return Guarantees(
        lines=lambda width: map(_line, rows),
        columns=columns_of(rows, GuaranteeRow),
        asked=session.position,
        unasked=("objective",),
        reason=stop_token.reason,
        is_complete=len(rows) == len(guesses),
    )


def row_of(solved: SolveReport) -> dict[str, Any]:
    """What is said of a guess."""
    position, limit = solved.position, solved.position.game.objective.max_guesses
    return {
        "opener": position.game.words.guesses.words[solved.guess or 0],
        "guaranteed": not solved.result.is_infeasible,
        "answers": len(position.state),
        "max_guesses": limit,
        "seconds": round(solved.result.stats.seconds, 6),
    }


def _line(row: dict[str, Any]) -> Text:
    """The same in words."""
    answers, limit = row["answers"], row["max_guesses"]
    which = f"all {answers:,} answers" if answers != 1 else "the one answer"
    within = "any number of guesses" if limit is None else counted(limit, "guess", "guesses")
    yes_or_no = ("yes", "bold green") if row["guaranteed"] else ("no", "bold red")
    finds = "a strategy finds" if row["guaranteed"] else "no strategy finds"
    word = capitals(row["opener"])
    return Text.assemble(f"{word}: ", yes_or_no, f", {finds} {which} within {within}")
