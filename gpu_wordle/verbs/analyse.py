"""The verb ``analyse``: the exact value, regret and luck of each guess of a played game."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any

from rich.console import RenderableType

from gpu_wordle.api import analysing
from gpu_wordle.api.games import Game, played, position_of
from gpu_wordle.api.session import Machine, Session, open_session
from gpu_wordle.errors import JobError, UserError, counted
from gpu_wordle.experiments.charts import consistent, together
from gpu_wordle.experiments.pasted import ignored_lines, read_pasted
from gpu_wordle.experiments.records import read_games
from gpu_wordle.experiments.transcripts import Chart, Charts, Transcript, passed_over
from gpu_wordle.options.declared import Option
from gpu_wordle.options.outcome import Rows, verb
from gpu_wordle.options.reading import FEEDBACKS, FILE, TRUTH, WORD, WORDS, file_for, pasted_text
from gpu_wordle.options.shared import (
    OUTPUT,
    BackendName,
    OnProgress,
    Paste,
    Stop,
    Threads,
    TimeLimit,
    Top,
)
from gpu_wordle.options.telling import compile_first, teller
from gpu_wordle.ranking.job import ProgressCallback
from gpu_wordle.ranking.stop_token import Reason, StopToken
from gpu_wordle.report.analysed import (
    PlayerRow,
    coach_lines,
    describe_whole,
    game_sentences,
    game_table,
    summary_table,
)
from gpu_wordle.report.figures import first_words
from gpu_wordle.report.grids import (
    GridsRow,
    chart_answer,
    chart_rows,
    charts_answer,
    charts_rows,
    charts_sentences,
)
from gpu_wordle.report.table import FittedTable, columns_of
from gpu_wordle.solver.ready import make_ready

PLAYED = "Played"
"""The panel of the help for the played game."""

SEARCH_SECONDS = 4
"""The time limit of a terminal for a single game, unless --time-limit says otherwise."""

_log = logging.getLogger("gpu_wordle")


@verb
def analyse(
    game: Annotated[Game, played()],
    guesses: Annotated[
        Iterable[str], Option("The words that were guessed.", WORDS, only="python")
    ] = (),
    answer: Annotated[
        str | None,
        Option("The answer of the game.", WORD, PLAYED, flag="--answer"),
    ] = None,
    patterns: Annotated[
        Iterable[str],
        Option(
            "The feedback to each guess, not needed with the answer; or share grids, without "
            "guesses.",
            FEEDBACKS,
            only="python",
        ),
    ] = (),
    turns: Annotated[
        Sequence[str],
        Option(
            "The game, as in salet BYBBG; or only words with --answer; or only colours; or - for "
            "standard input.",
            WORDS,
            metavar="WORD COLOURS...",
            only="terminal",
        ),
    ] = (),
    *,
    paste: Paste = None,
    games: Annotated[
        str | Path | None,
        Option(
            "A .jsonl or .csv file of many games, one per line: guesses, answer or patterns, "
            "player.",
            FILE,
            PLAYED,
        ),
    ] = None,
    out: Annotated[
        str | Path | None,
        Option(
            "With --games, write all turns to this .jsonl, .csv, .parquet or .h5 file.",
            file_for(analysing.check_form),
            OUTPUT,
        ),
    ] = None,
    report: Annotated[
        bool,
        Option(
            "With --games, the history of each player: games by turn, streaks, mean skill and luck "
            "with their standard errors, habits that cost most, best and luckiest games.",
            TRUTH,
            OUTPUT,
        ),
    ] = False,
    top: Top = 20,
    time_limit: TimeLimit = None,
    stop: Stop = None,
    backend: BackendName = "auto",
    threads: Threads = None,
    progress: OnProgress = None,
) -> Rows:
    """Analyse a played game: the exact value of each guess, its regret, and luck.

    Regret is the extra cost of a guess over the best one, in guesses on average. Luck is how much
    better the feedback was than expected. A comment says in plain words what each guess cost. In a
    terminal, a single game is searched for 4 seconds, or as --time-limit says. Values that are
    still open are then shown as intervals. For the colours of a share grid without words, it lists
    the openers and answers that fit. For several grids of one day, it lists the answers that agree
    with all of them. With --games, many games are analysed and summed up by player; --report adds
    the history of each player.

    Raises UserError, naming the turn, for an impossible game.

    Examples:
        $ gpu-wordle analyse salet BYBBG crony BBGBB
        $ gpu-wordle analyse salet crony quote --answer quote
        >>> gw.analyse(gw.load_game(), ["salet", "crony", "quote"], "quote")
    """
    words, colours = list(guesses), list(patterns)
    _check(words or colours, turns, paste, games, out)
    if report and games is None:
        raise UserError("--report needs --games; leave it out, or give a file of games")
    asked, stop_token = position_of(game), StopToken.of_call(time_limit, stop)
    session = open_session(asked, Machine(backend, threads))
    if games is not None:
        found = read_games(Path(games), session.game.words)
        return of_many(session, found, out, stop_token, progress, with_history=report)
    if words:
        given: Transcript | Chart | Charts = _transcript(words, colours, answer)
    else:
        pasted = pasted_text(turns, paste)
        text = (" ".join(turns) or "\n".join(colours)) if pasted is None else pasted
        given = read_pasted(text, asked.game.words, answer)
    if not isinstance(given, Transcript):
        return of_grids(session, given, answer, top)
    if isinstance(stop, StopToken):  # a terminal; for programs, values must not depend on speed
        stop.limit_search(SEARCH_SECONDS)
    return of_one(session, given, stop_token, progress)


def _check(
    words: Sequence[str], turns: Sequence[str], paste: object, games: object, out: object
) -> None:
    """Raise UserError unless games are given in exactly one way."""
    given = sum(map(bool, (words, turns, paste, games)))
    if given != 1:
        what = "a game is given twice" if given else "no game is given"
        raise UserError(
            f"{what}; give one of these: words and colours, as in 'analyse salet BYBBG', or "
            "--paste, or --games"
        )
    if out is not None:
        if games is None:
            raise UserError("--out needs --games; write a single game to a file with > FILE")
        if Path(str(out)).resolve() == Path(str(games)).resolve():
            raise UserError(f"{games}: is the file of --games; give --out another file")


def _transcript(words: Sequence[str], patterns: Sequence[str], answer: str | None) -> Transcript:
    """The transcript of guesses, with their feedback if it is given."""
    if patterns and len(patterns) != len(words):
        raise UserError(f"{len(words)} guesses and {len(patterns)} patterns; give one for each")
    colours: Sequence[str | None] = patterns or [None] * len(words)
    return Transcript(tuple(zip(words, colours, strict=True)), answer)


def of_one(
    session: Session,
    transcript: Transcript,
    stop_token: StopToken,
    progress: ProgressCallback | None = None,
) -> Rows:
    """Analyse one game, turn by turn."""
    ready = partial(make_ready, session.game.rule, statistics=True)  # as rules play by them
    compile_first(ready, progress, stop_token)
    tell = teller(progress, "solving positions")
    analysed, rows = analysing.analyse_one(session, transcript, stop_token, tell)
    kept = "values not solved yet are shown as bounds"
    if stop_token.reason is Reason.TIME_LIMIT:
        kept += "; --time-limit none, or a longer one, makes them exact"
    return Rows(
        lines=lambda width: [
            game_table(rows),
            *coach_lines(rows),
            *game_sentences(analysed),
            *ignored_lines(transcript.ignored),
        ],
        facts=describe_whole(analysed) | {"ignored": list(transcript.ignored)},
        columns=columns_of(rows),
        asked=session.position,
        reason=stop_token.reason,
        kept=kept,
    )


def of_grids(session: Session, given: Chart | Charts, answer: str | None, top: int) -> Rows:
    """The openers and answers that agree with a share grid, or the answers that do with several."""
    game, most = session.game, top or None
    hidden = None if answer is None else game.words.answers.find(answer)
    below = list[str]()
    if isinstance(given, Chart):
        found = consistent(game, given.patterns, hidden)
        facts, columns = chart_answer(game, found), columns_of(chart_rows(game, found, most))
        answers, openers = facts["remaining"], counted(len(found.openers), "opener")
        left = f"{counted(len(answers), 'answer')} and {openers}"
        above = [f"{left} agree with these colours, in {found.games:,} games"]
        below = [f"answers: {first_words(answers, most=top or len(answers))}"]
    else:
        shared = together(game, [chart.patterns for chart in given.charts], hidden)
        facts = charts_answer(game, shared)
        columns = columns_of(charts_rows(game, shared, most), GridsRow)
        above = [*charts_sentences(game, shared)]
    return Rows(
        lines=lambda width: [
            *above,
            FittedTable(columns),
            *below,
            *ignored_lines(given.ignored),
        ],
        facts=facts | {"ignored": list(given.ignored)},
        columns=columns,
        asked=session.position,
    )


def of_many(
    session: Session,
    games: Sequence[Transcript | Chart],
    out: str | Path | None,
    stop_token: StopToken,
    progress: ProgressCallback | None = None,
    *,
    with_history: bool = False,
) -> Rows:
    """Analyse many games and sum them up by player; write their turns if a file is given."""
    compile_first(partial(make_ready, session.game.rule), progress, stop_token)
    tell = teller(progress, "solving positions")
    analysed = analysing.analyse_many(session, games, stop_token, tell)
    rows, unsaved = analysed.summary(), None
    without = passed_over(games, session.game.words)
    told = analysed.histories(session.game) if with_history else {}
    done = len(analysed.numbered) + len(analysed.grids)
    has_ended_before = stop_token.reason is not None and not analysed.numbered
    if out is not None and not has_ended_before:
        try:
            analysing.save(Path(out), session, analysed)
            _log.info("turns written to %s", out)
        except JobError as error:
            unsaved = error
    facts: dict[str, Any] = {}
    if with_history:
        facts = {"analysed_games": done, "given_games": analysed.given}
        summed = {row["player"]: row for row in rows}
        empty = dict.fromkeys(PlayerRow.__annotations__)
        rows = [{**empty, **summed.get(name, {}), **history.row} for name, history in told.items()]

    def lines(width: int) -> Iterator[RenderableType]:
        if with_history:
            for history in told.values():
                yield from history.lines()
        elif rows:
            yield summary_table(rows)

    return Rows(
        lines=lines,
        facts=facts,
        columns=columns_of(rows),
        asked=session.position,
        reason=stop_token.reason,
        kept=f"{done:,} of {counted(analysed.given, 'game')} are analysed",
        unsaved=unsaved,
        remark=f"without values: {without}" if without else "",
    )
