"""The verb ``positions``: a data set of positions with exact values and regrets."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated, TypedDict

from gpu_wordle.api.games import Game, played, position_of
from gpu_wordle.api.positions import PositionsWork
from gpu_wordle.api.session import Machine, open_session
from gpu_wordle.errors import UserError
from gpu_wordle.experiments.splits import POSITION_SPLITS
from gpu_wordle.options.declared import Option
from gpu_wordle.options.outcome import GOES_ON, Rows, run_job, verb
from gpu_wordle.options.reading import file_for, whole
from gpu_wordle.options.shared import (
    OUTPUT,
    Fresh,
    OnProgress,
    Seed,
    Stop,
    Threads,
    TimeLimit,
)
from gpu_wordle.options.telling import compile_first
from gpu_wordle.ranking.job import ignore_progress
from gpu_wordle.ranking.stop_token import StopToken
from gpu_wordle.report import keys
from gpu_wordle.report.keys import Key, schema
from gpu_wordle.report.positions import check_position_file
from gpu_wordle.report.table import columns_of
from gpu_wordle.solver.ready import make_ready

MAX_POSITIONS = 1_000_000


@schema
class SplitRow(TypedDict):
    """The positions of a split."""

    split: keys.Split
    positions: Annotated[int, Key("positions of a data set")]
    mean_answers: Annotated[float | None, Key("mean number of possible answers", decimals=1)]


@verb
def positions(
    game: Annotated[Game, played()],
    *,
    out: Annotated[
        str | Path | None,
        Option("Parquet file to write; needed.", file_for(check_position_file), OUTPUT),
    ] = None,
    count: Annotated[int, Option("Number of positions.", whole(1, MAX_POSITIONS))] = 1_000,
    seed: Seed = 0,
    fresh: Fresh = False,
    progress: OnProgress = None,
    time_limit: TimeLimit = None,
    stop: Stop = None,
    threads: Threads = None,
) -> Rows:
    """Write positions with exact values, regrets and features, for programs that learn.

    Players of several kinds reach them. Each has its value, all optimal guesses, and the regrets of
    the 50 best guesses and of 50 random ones. Positions of equal answers left are in one split:
    train, validation or test. The file depends on the seed alone, not on threads. It is saved
    during the work; the same command resumes from it, and a greater --count adds to it.

    Raises UserError for objectives without regrets and for the file of another job; JobError if
    the players reach fewer positions, and if the file cannot be written.

    Examples:
        $ gpu-wordle positions --count 1000 --seed 1 --out positions.parquet
    """
    if out is None:
        raise UserError("positions are written to a file; name it with --out, as in x.parquet")
    inner = position_of(game).game
    compile_first(partial(make_ready, inner.rule), progress, stop)
    session = open_session(inner.start(), Machine("cpu", threads))
    work = PositionsWork(session, count, seed)
    stop_token = StopToken.of_call(time_limit, stop)
    unsaved = run_job(work.run, Path(out), stop_token, progress or ignore_progress, fresh=fresh)
    rows = work.table.rows
    split, answers = (rows[name].to_numpy() for name in ("split", "answers_before"))
    summary = [
        {
            "split": name,
            "positions": int((split == name).sum()),
            "mean_answers": float(answers[split == name].mean()) if (split == name).any() else None,
        }
        for name in POSITION_SPLITS
    ]
    return Rows(
        facts={"seed": seed, "games_walked": work.table.walked},
        columns=columns_of(summary, SplitRow),
        asked=session.position,
        reason=stop_token.reason,
        kept=GOES_ON,
        unsaved=unsaved,
        remark=f"{work.table}, in {out}",
    )
