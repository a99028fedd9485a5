"""The verb ``guarantee``: whether a guess is a guaranteed win."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any, TypedDict

from rich.text import Text

from gpu_wordle.api import jobs
from gpu_wordle.api.games import Game, Position, about, position_of
from gpu_wordle.api.session import Machine, open_session
from gpu_wordle.errors import UserError, counted
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
    """Whether a guess is a guaranteed win."""

    opener: keys.Opener
    guaranteed: keys.Guaranteed
    answers: keys.Answers
    max_guesses: keys.MaxGuesses
    seconds: keys.Seconds


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Guarantees(Rows):
    """The result: a row for each guess that was decided.

    Attributes:
        is_complete: whether every guess was decided.
    """

    is_complete: bool


def _of_all(found: Guarantees) -> bool | None:
    """Whether every guess is a guaranteed win; None if the work ended before that was known."""
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
    """Tell whether a guess is a guaranteed win: all remaining answers can be found in time.

    Yes means that an independent checker has replayed a winning strategy against all of them. No
    is proven by search. To ask how soon they can be found, lower --max-guesses, or use solve
    --objective worst. Objective and weights do not matter here.

    Raises UserError for a guess that is unknown or that the rule forbids.

    Examples:
        $ gpu-wordle guarantee salet --rule hard
        >>> gw.guarantee(gw.load_game(rule="hard"), "salet")
    """
    asked = position_of(position)
    game = asked.game.to_win()
    compile_first(partial(make_ready, game.rule), progress, stop)
    machine = Machine(backend, threads, table_size, batched, device_memory)
    session = open_session(game.position_after(asked.history), machine)
    stop_token = StopToken.of_call(time_limit, stop)
    guesses = jobs.find_guesses(session.position, [guess] if isinstance(guess, str) else guess)
    if not guesses:
        raise UserError("no guess is given; name one, as in 'salet'")
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
    """The row of one guess."""
    position, limit = solved.position, solved.position.game.objective.max_guesses
    return {
        "opener": position.game.words.guesses.words[solved.guess or 0],
        "guaranteed": not solved.result.is_infeasible,
        "answers": len(position.state),
        "max_guesses": limit,
        "seconds": round(solved.result.stats.seconds, 6),
    }


def _line(row: dict[str, Any]) -> Text:
    """The verdict on one guess as a sentence."""
    answers, limit = row["answers"], row["max_guesses"]
    which = f"all {answers:,} answers" if answers != 1 else "the one answer"
    within = f"within {counted(limit, 'guess', 'guesses')}" if limit else "without a guess limit"
    yes_or_no = ("yes", "bold green") if row["guaranteed"] else ("no", "bold red")
    finds = "a strategy finds" if row["guaranteed"] else "no strategy finds"
    word = capitals(row["opener"])
    return Text.assemble(f"{word}: ", yes_or_no, f", {finds} {which} {within}")
