"""The verb ``rank``: all guesses with all statistics, and exact values of the best ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated

from gpu_wordle.api import pools
from gpu_wordle.api.games import Here, Position, position_of
from gpu_wordle.api.jobs import Exact, RankingWork, find_guesses
from gpu_wordle.api.rankings import Ranking
from gpu_wordle.api.session import Machine, open_session
from gpu_wordle.errors import UserError, counted
from gpu_wordle.game import game as inner
from gpu_wordle.game.spelling import capitals, normalise
from gpu_wordle.game.word_list import WordList
from gpu_wordle.options import reading
from gpu_wordle.options.declared import Option
from gpu_wordle.options.outcome import GOES_ON, run_job, verb
from gpu_wordle.options.shared import (
    AIM,
    OUTPUT,
    BackendName,
    Batched,
    DeviceMemory,
    Fresh,
    OnProgress,
    Out,
    Stop,
    TableSize,
    Threads,
    TimeLimit,
    TopOrAll,
    Workers,
    check_out,
)
from gpu_wordle.options.telling import compile_first, noted
from gpu_wordle.ranking.job import Progress
from gpu_wordle.ranking.ranking import INFEASIBLE_PHASE, Shard
from gpu_wordle.ranking.statistics import ALIASES, BY_KEY
from gpu_wordle.ranking.stop_token import StopToken
from gpu_wordle.report.figures import Figures
from gpu_wordle.report.players import Player
from gpu_wordle.report.ranking import ENTROPY, SORTABLE, TOTAL, VALUED, RankingTable, sort_key
from gpu_wordle.report.table import FittedTable
from gpu_wordle.solver.ready import make_ready
from gpu_wordle.store.form import RANKING


@verb
def rank(
    position: Here,
    *,
    exact: Annotated[
        int | str | Sequence[str],
        Option(
            "Number of most promising guesses to solve exactly, or all.",
            reading.EXACT,
            AIM,
        ),
    ] = 100,
    shard: Annotated[
        str | None,
        Option(
            "Solve only one part of these guesses, as in 3/12; gpu-wordle merge joins the parts.",
            reading.SHARD,
            AIM,
            "NUMBER/COUNT",
        ),
    ] = None,
    by: Annotated[
        str | None,
        Option(
            f"Sort by {TOTAL} (by --objective), a statistic ({', '.join(BY_KEY)}) or any other "
            f"column ({', '.join(('opener', 'is_candidate', *VALUED))}). Default: {TOTAL}, or "
            f"{ENTROPY} if nothing is solved.",
            reading.TEXT,
            OUTPUT,
            names=lambda: (*SORTABLE, *ALIASES),
        ),
    ] = None,
    with_simulations: Annotated[
        Sequence[str | Path],
        Option(
            "File of simulate or merge, whose totals stand beside the values; may be repeated. "
            "--by games-by-NAME sorts by those of a strategy.",
            reading.FILES,
            OUTPUT,
        ),
    ] = (),
    top: TopOrAll = 0,
    without: Annotated[
        str, Option("Leave out guesses with any of these letters.", reading.TEXT, OUTPUT)
    ] = "",
    answers_only: Annotated[
        bool,
        Option("Only guesses that can be the answer.", reading.TRUTH, OUTPUT),
    ] = False,
    out: Out = None,
    fresh: Fresh = False,
    progress: OnProgress = None,
    time_limit: TimeLimit = None,
    stop: Stop = None,
    backend: BackendName = "auto",
    threads: Threads = None,
    table_size: TableSize = None,
    batched: Batched = None,
    device_memory: DeviceMemory = None,
    executor: Workers = None,
) -> Ranking:
    """Rank all first guesses: exact values, proven and verified, and every statistic.

    The N most promising guesses are solved exactly; the others keep their bounds. For guesses that
    are no guaranteed win, the most answers that they can solve are also found. With --out, proven
    values are saved during the work, and the same command resumes from the file. After an early
    end, the values and bounds so far are shown.

    Raises UserError for the file of another job. Raises JobError if the file cannot be written, or
    if workers contradict each other, run another version, or are lost.

    Examples:
        $ gpu-wordle rank --exact 100 --out openers.h5
        $ gpu-wordle rank --exact 0 --by greens
        $ gpu-wordle rank --out openers.h5 --with-simulations strategies.h5
        >>> gw.rank(gw.load_game(), exact=5).best
    """
    file = check_out(out, RANKING, fresh=fresh)
    part = None if shard is None else Shard.parse(shard)
    if part is not None and file is None:
        raise UserError("a shard is kept to be merged with the others; name its file with --out")
    asked = position_of(position)
    players = _players(with_simulations, asked)
    key = None if by is None else sort_key(by, players)
    chosen = _to_solve(exact, asked)
    if exact != 0:
        compile_first(partial(make_ready, asked.game.rule, statistics=True), progress, stop)
    machine = Machine(
        backend, threads, table_size, batched, device_memory, pools.of_executor(executor)
    )
    work, stop_token = (
        RankingWork(open_session(asked, machine)),
        StopToken.of_call(time_limit, stop),
    )
    if key is not None:
        replace(work.table(), players=players).check(key)
    tell = noted(progress, partial(_note, Figures.of(asked.game, asked)))
    unsaved = run_job(work.run, chosen, file, stop_token, tell, fresh=fresh, shard=part)
    solved = int(work.ranking.openers.is_solved.sum())
    by = key or (TOTAL if solved else ENTROPY)
    ranked = replace(work.table(), players=players).sorted_by(by)
    table = _printed(ranked, asked.game.words.guesses, top, without, answers_only=answers_only)
    guesses = counted(asked.game.guess_count, "guess", "guesses")
    has_values = exact != 0 or key not in (None, *BY_KEY) or solved > 0
    return Ranking(
        lines=lambda width: [_for_people(table, by, asked, has_values)],
        facts={"simulated_strategies": [player.name for player in players]} if players else {},
        asked=asked,
        reason=stop_token.reason,
        kept="not saved" if file is None else GOES_ON,
        unsaved=unsaved,
        remark="" if file is None else f"{guesses} in {file}, {solved:,} solved",
        _ranked=table,
        _open=partial(Position, asked),
        _by=key,
    )


def _players(files: Sequence[str | Path], position: inner.Position) -> list[Player]:
    """The strategies in files of simulations; UserError if they are of another game."""
    if files and position.turns:
        raise UserError("simulations are of whole games; leave --with-simulations or --state out")
    if not files:
        return []
    from gpu_wordle.api.studies import read_players  # other rankings load no studies

    return read_players([Path(each) for each in files], position.game)


def _to_solve(exact: int | str | Sequence[str], position: inner.Position) -> Exact:
    """What to solve; UserError for words that cannot be."""
    if isinstance(exact, int):
        return exact
    if isinstance(exact, str):
        return None
    chosen = find_guesses(position, exact)
    for guess in chosen:
        position.check_legal(guess)
    return chosen


def _printed(
    table: RankingTable, listed: WordList, top: int, without: str, *, answers_only: bool
) -> RankingTable:
    """The rows that are asked for."""
    forbidden = set(listed.alphabet.signs(normalise(without)))
    rows = [
        guess
        for guess in table.rows
        if not forbidden & set(listed.signs[guess])
        and (table.candidates[guess] or not answers_only)
    ]
    return replace(table, rows=rows[: top or None])


def _note(figures: Figures, event: Progress) -> str:
    """The best guesses so far, or the infeasible one that solves most."""
    if event.phase == INFEASIBLE_PHASE:
        return "".join(f"most {capitals(w)} {figures.scaled(v):,}" for w, v in event.best)
    best = ", ".join(f"{capitals(word)} {figures.short(value)}" for word, value in event.best)
    return f"best {best}" if best else ""


def _for_people(
    table: RankingTable, key: str, position: inner.Position, has_values: bool
) -> FittedTable:
    """The rows under a title."""
    game = position.game
    by = table.figures.names[0] if key == TOTAL else key
    guesses = counted(game.guess_count, "guess", "guesses")
    title = f"{guesses} on {counted(len(position.state), 'answer')}, by {by}"
    if game.objective.title not in ("mean", by):
        title += f" ({game.objective.title})"
    return table.for_people(exact=has_values, by=by, title=title)
