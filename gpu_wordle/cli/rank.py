"""``gpu-wordle rank``: every guess with every statistic, to a file and a table."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
import typer
from numpy.typing import NDArray

from gpu_wordle import store
from gpu_wordle.cli import options
from gpu_wordle.cli.console import note, output
from gpu_wordle.report.table import Column, as_csv, as_json, as_rich
from gpu_wordle.statistics import STATISTICS, guess_statistics, order_by, statistic

FILETYPE = "gpu-wordle ranking"


def rank(
    by: Annotated[
        str, typer.Option(help=f"Statistic to sort by: {', '.join(STATISTICS)}.")
    ] = "entropy",
    top: Annotated[int, typer.Option(min=0, help="Rows to print; 0: all.")] = 20,
    out: options.Out = None,
    table_format: Annotated[
        options.Format, typer.Option("--format", help="How to print the rows.")
    ] = options.Format.TABLE,
    state: options.StateOption = "",
    without: Annotated[
        str, typer.Option(help="Pass over guesses that use any of these letters.")
    ] = "",
    answers_only: Annotated[
        bool, typer.Option("--answers-only", help="Pass over guesses that cannot be the answer.")
    ] = False,
    guesses: options.Guesses = options.DEFAULT_GUESSES,
    answers: options.Answers = None,
    backend: options.BackendOption = options.BackendName.AUTO,
    threads: options.Threads = None,
    json_output: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Rank all first guesses by a statistic of the partition or of the letters."""
    chosen = statistic(by)
    session = options.open_session(guesses, answers, backend=backend, threads=threads, quiet=quiet)
    game = session.game
    left, _ = game.state_after(state)
    columns = guess_statistics(game, session.evaluator, left)
    candidates = np.isin(game.words.answer_of_guess, left)
    order = order_by(chosen, columns, candidates)
    if out is not None:
        contents = store.describe(
            game, FILETYPE, session.choice.backend.name, session.choice.backend.device
        )
        contents.attributes["state"] = state
        contents.datasets |= store.statistics_datasets(columns)
        store.save(out, contents)
        note(f"{len(order):,} guesses ranked in {out}", quiet=quiet)
    forbidden = set(without.lower())
    rows = [
        int(g)
        for g in order
        if not forbidden & set(game.words.guesses.words[g]) and (candidates[g] or not answers_only)
    ]
    rows = rows[: top or None]
    shown = _table(rows, game.words.guesses.words, columns, candidates)
    if json_output or table_format is options.Format.JSON:
        print(as_json(shown), end="")
    elif table_format is options.Format.CSV:
        print(as_csv(shown), end="")
    else:
        title = f"{len(order):,} guesses on {len(left):,} answers, by {chosen.name}"
        output().print(as_rich(shown, title=title, by=chosen.name))


def _table(
    rows: list[int],
    words: tuple[str, ...],
    columns: dict[str, NDArray[Any]],
    candidates: NDArray[np.bool_],
) -> list[Column]:
    return [
        Column("guess", [words[g] for g in rows]),
        Column("is_candidate", [bool(candidates[g]) for g in rows], heading="can be answer"),
        *(
            Column(name, values[rows].tolist(), STATISTICS[name].decimals, STATISTICS[name].heading)
            for name, values in columns.items()
        ),
    ]
