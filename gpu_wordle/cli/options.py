"""The options that verbs share, and what they open: one game on one backend."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from gpu_wordle.backends import BackendChoice, Evaluator, choose, load_game
from gpu_wordle.cli.console import complain, note
from gpu_wordle.errors import UserError
from gpu_wordle.game.game import Game, Position, Rule
from gpu_wordle.game.objective import DEFAULT_MAX_GUESSES, Objective
from gpu_wordle.game.weights import load_weights
from gpu_wordle.game.words import DEFAULT_LIST
from gpu_wordle.solver import BatchedPool, SolverPool, TranspositionTable


class BackendName(StrEnum):
    """The names of backends.BACKEND_NAMES, as typer wants them."""

    AUTO = "auto"
    CPU = "cpu"
    CUDA = "cuda"
    REFERENCE = "reference"
    CHECK = "check"


class Format(StrEnum):
    """How a table is printed."""

    TABLE = "table"
    CSV = "csv"
    JSON = "json"


Guesses = Annotated[
    str,
    typer.Option(
        help="Words that may be guessed: original, nyt-2023, or a file; or another game: "
        "mastermind:4x6, bulls-and-cows:4x10, or a file of feedback in CSV."
    ),
]
Answers = Annotated[
    str | None,
    typer.Option(help="Words that may be hidden: named or a file; if not given, as --guesses."),
]
RuleOption = Annotated[
    Rule,
    typer.Option(
        help="Which guesses are legal: normal, any; hard, those that keep green letters and reuse "
        "coloured ones; ultra-hard, those that agree with all feedback; candidates, answers that "
        "are still possible."
    ),
]
ObjectiveOption = Annotated[
    str,
    typer.Option(
        help="What is to be least: mean; mean,worst; worst; within:K (answers not found within K "
        "guesses); fewest-failures; cost:PRICE,PRICE,... of each turn, whole and never falling."
    ),
]
WeightsOption = Annotated[
    Path | None,
    typer.Option(
        help="CSV file of word,weight: how likely each answer is; equally, if not given. With "
        "within:K and fewest-failures they add up, as whole numbers, to at most 428,000 at six "
        "guesses.",
        dir_okay=False,
    ),
]
MaxGuesses = Annotated[
    int | None,
    typer.Option(
        min=0,
        help="Guesses within which every answer must be found, or with fewest-failures is lost "
        "if it is not; 0: no limit.",
        show_default=f"{DEFAULT_MAX_GUESSES}; with prices, as many as they are",
    ),
]
BackendOption = Annotated[
    BackendName,
    typer.Option(
        help="What computes. auto: CUDA where a device answers and the statistics are a large job; "
        "else the CPU."
    ),
]
Threads = Annotated[
    int | None,
    typer.Option(
        min=1, help="CPU threads, at most one for each guess to solve; if not given, all cores."
    ),
]
StateOption = Annotated[
    str, typer.Option(help="Guesses made and their feedback, as in 'salet BYBBG crony BBGBB'.")
]
Out = Annotated[Path | None, typer.Option(help="HDF5 file to write.", dir_okay=False)]
Fresh = Annotated[
    bool, typer.Option("--fresh/--resume", help="Replace the file, or go on from it.")
]
TableFormat = Annotated[Format, typer.Option("--format", help="How to print the rows.")]
TableSize = Annotated[
    int | None,
    typer.Option(min=1, help="Transposition table, MiB; if not given, what suits the job."),
]
Batched = Annotated[
    bool | None,
    typer.Option(
        "--batched/--no-batched",
        help="Search in batches on the backend; if not given, with --backend cuda.",
    ),
]
DeviceMemory = Annotated[
    int | None,
    typer.Option(
        min=1,
        help="MiB that batches may hold on the device beside the pattern matrix, half of it for "
        "lists of guesses and half for the work at hand; if not given, what is free suits.",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No remarks and no progress bar.")]

DEFAULT_GUESSES = DEFAULT_LIST
DEFAULT_OBJECTIVE = "mean"


@dataclass(frozen=True)
class Session:
    """A game opened on a backend, and the position that is asked about."""

    game: Game
    position: Position
    choice: BackendChoice
    evaluator: Evaluator


def open_session(
    guesses: str,
    answers: str | None,
    *,
    rule: Rule = Rule.NORMAL,
    objective: str | Objective = DEFAULT_OBJECTIVE,
    weights: Path | None = None,
    max_guesses: int | None = None,
    backend: str = "auto",
    threads: int | None = None,
    state: str = "",
    quiet: bool = False,
) -> Session:
    """Load the lists and put their pattern matrix on the chosen backend.

    ``auto`` asks how much there is to measure in the position that ``state`` leads to.
    An objective that is not given by its name brings its own limit and weights.
    """
    if isinstance(objective, str):
        limit = ... if max_guesses is None else max_guesses or None
        objective = Objective.parse(objective, limit)
    choice = choose("cpu" if backend == "auto" else backend, threads)
    game = load_game(
        guesses,
        answers,
        rule=rule,
        objective=objective,
        backend=choice.backend,
        cache=backend != "check",
    )
    if weights is not None:
        given = load_weights(weights, game.words.answers)
        game = replace(game, objective=replace(objective, weights=given))
    game.objective.prices(game.answer_count)  # UserError if values could come to too much
    position = game.position_after(state)
    if backend == "auto":
        choice = choose(backend, threads, lookups_of(game, position))
        note(f"backend {choice.backend.name} ({choice.reason})", quiet=quiet)
    return Session(game, position, choice, choice.backend.open(game))


def lookups_of(game: Game, position: Position) -> int:
    """Look-ups of a job that a device could do: of every guess on every answer that is left."""
    return len(position.state) * game.guess_count


def solver_pool(
    game: Game, threads: int | None, table_mib: int | None, *, quiet: bool = False
) -> SolverPool:
    """Solvers on all cores, or ``threads``, around one table of ``table_mib`` MiB."""
    note("loading the solver (a machine's first use compiles it: half a minute)", quiet=quiet)
    return SolverPool(game, threads, _table(table_mib))


def failures_pool(
    game: Game, threads: int | None, table_mib: int | None, infeasible: int, *, quiet: bool = False
) -> SolverPool | None:
    """The same where answers may be lost, to tell how many so many infeasible guesses can solve.

    None, with a warning, where weights are too large to tell.
    """
    try:
        lossy = game.allowing_failures()
    except UserError as error:
        complain(f"warning: how many answers infeasible guesses can solve stays unknown ({error})")
        return None
    guesses = f"{infeasible:,} infeasible guess{'es' * (infeasible > 1)}"
    note(f"finding the most answers that {guesses} can solve", quiet=quiet)
    return SolverPool(lossy, threads, _table(table_mib))


def batched_pool(
    session: Session,
    threads: int | None,
    table_mib: int | None,
    *,
    batched: bool | None,
    device_memory_mib: int | None,
    quiet: bool = False,
) -> SolverPool:
    """The same, with a frontier of the backend that evaluates the guesses in batches beside them.

    That is so if it is asked for, by ``batched`` or by naming a backend that prefers it. A backend
    that was chosen automatically leaves the search to the threads: no device has run the kernels
    yet (see results/gpu), and refuting too much would make values wrong that count as proven.
    Raises UserError where batches are asked for and rule or objective do not allow them.
    """
    game, backend = session.game, session.choice.backend
    if batched and game.rule is not Rule.NORMAL:
        raise UserError(
            f"--batched searches under the normal rule only, not {game.rule.value}; leave it out"
        )
    if batched and not game.objective.is_mean:
        raise UserError(
            "--batched searches for the least mean of equally likely answers only, not "
            f"{game.objective.title}; leave it out"
        )
    if batched is None:
        is_named = not session.choice.is_automatic
        is_able = game.rule is Rule.NORMAL and game.objective.is_mean
        batched = is_named and backend.prefers_batches and is_able
    if not batched:
        return solver_pool(game, threads, table_mib, quiet=quiet)
    note(f"searching in batches on {backend.name}: {backend.device}", quiet=quiet)
    memory_bytes = None if device_memory_mib is None else device_memory_mib << 20
    frontier = backend.open_frontier(game, memory_bytes)
    pool = BatchedPool(game, frontier, threads, _table(table_mib))
    if pool.is_wide:
        note("guesses make too many parts for batches: searching on CPU threads alone", quiet=quiet)
    return pool


def _table(table_mib: int | None) -> TranspositionTable:
    try:
        return TranspositionTable(None if table_mib is None else table_mib << 20)
    except (MemoryError, ValueError):
        raise UserError("no memory for the table; choose a smaller --table-size") from None
