"""The verb ``league``: players on the same secrets, by the exact regret of their guesses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Annotated, Literal

from rich.console import RenderableType

from gpu_wordle.api.games import Game, played
from gpu_wordle.api.league import LeagueWork, players_of
from gpu_wordle.api.session import Machine
from gpu_wordle.api.simulating import Umpire, whole_game
from gpu_wordle.errors import all_of
from gpu_wordle.options.declared import Option
from gpu_wordle.options.outcome import GOES_ON, Rows, run_job, verb
from gpu_wordle.options.reading import SECONDS, is_a, whole
from gpu_wordle.options.shared import (
    PLAY,
    BackendName,
    Fresh,
    OnProgress,
    Out,
    Plot,
    Seed,
    Stop,
    Threads,
    TimeLimit,
    check_out,
    names_of_strategies,
)
from gpu_wordle.options.telling import compile_first
from gpu_wordle.ranking.job import ignore_progress
from gpu_wordle.ranking.stop_token import StopToken
from gpu_wordle.report.league import (
    LeagueRow,
    describe_league,
    draw_league,
    league_facts,
    league_sentences,
    league_table,
)
from gpu_wordle.report.table import columns_of
from gpu_wordle.solver.ready import make_greedy_ready, make_ready
from gpu_wordle.store.form import LEAGUE
from gpu_wordle.strategies.strategy import Choice, Strategy

PLAYERS = is_a("players, or strategies of your own", lambda given: given is not None)


@verb
def league(
    game: Annotated[Game, played("objective", "weights")],
    players: Annotated[
        str | Strategy | Sequence[str | Strategy],
        Option(
            "Who plays: a built-in strategy; FILE.py:NAME, one of your own; a command in quotes, "
            "which reads and writes lines; or a .jsonl or .csv file of games. NAME= may stand "
            "before each.",
            PLAYERS,
            metavar="PLAYER...",
            names=names_of_strategies,
        ),
    ],
    *,
    split: Annotated[
        Literal["dev", "test", "all"],
        Option(
            "Part of the answers from which secrets are drawn: dev, four fifths, to improve a "
            "player with; test, the others, to report; or all.",
            panel=PLAY,
            metavar="SPLIT",
        ),
    ] = "dev",
    games: Annotated[int, Option("Number of games of each player.", whole(1), PLAY)] = 200,
    move_limit: Annotated[
        float,
        Option("Longest time that a program may take for a guess.", SECONDS, PLAY, default="1m"),
    ] = 60.0,
    seed: Seed = 0,
    out: Out = None,
    fresh: Fresh = False,
    plot: Plot = None,
    progress: OnProgress = None,
    time_limit: TimeLimit = None,
    stop: Stop = None,
    backend: BackendName = "auto",
    threads: Threads = None,
) -> Rows:
    """Play the same secrets by all players, and compare the exact regret of their games.

    Secrets are drawn by the seed, each depth of the optimum in its share. A row has the mean regret
    of a game with its interval of 95 %, and the mean number of guesses with and without luck. It
    counts lost games, guesses that took no turn, and contradictions. A program reads a line with
    the turns so far, as in 'salet BYBBG', and writes its guess on a line. With --out, games are
    saved as they finish, and the same command goes on from the file. Its other players stay.

    Raises UserError for an unknown player, and for the file of another job. Raises JobError for a
    player that fails, after all others have played, and if the file cannot be written.

    Examples:
        $ gpu-wordle league entropy parts --split test --out league.h5
        $ gpu-wordle league optimal mine="python3 bot.py" --games 50
    """
    file = check_out(out, LEAGUE, fresh=fresh)
    given = [players] if isinstance(players, str) or not isinstance(players, Sequence) else players
    compile_first(make_greedy_ready, progress, stop)
    session = whole_game(game, Umpire.TRUE, Machine(backend, threads))
    compile_first(partial(make_ready, session.game.rule), progress, stop)
    choice = Choice(seed=seed)
    found = players_of(given, session, choice, move_limit)
    work = LeagueWork(session, found, split, games, seed)
    stop_token = StopToken.of_call(time_limit, stop)
    tell = progress or ignore_progress
    unsaved = all_of(run_job(work.run, file, stop_token, tell, fresh=fresh), *work.failures)
    table = work.table
    rows = [] if table is None else describe_league(table)

    def lines(width: int) -> Iterator[RenderableType]:
        if table is not None:
            yield from league_sentences(table)
        if rows:
            yield league_table(rows)

    return Rows(
        lines=lines,
        facts={} if table is None else league_facts(table),
        columns=columns_of(rows, LeagueRow),
        asked=session.position,
        reason=stop_token.reason,
        kept=GOES_ON if file else "what is shown was played",
        figure=partial(draw_league, rows) if rows else None,
        unsaved=unsaved,
        remark=f"{table}, in {file}" if file and table is not None else "",
    )
