"""The job of analysing played games: one, or a file of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from gpu_wordle.api import pools
from gpu_wordle.api.files import published_openers
from gpu_wordle.api.session import Session
from gpu_wordle.errors import UserError
from gpu_wordle.experiments.analyse import Analysed, analyse, popular_rules, rule_guesses
from gpu_wordle.experiments.coach import comment_on
from gpu_wordle.experiments.intervals import intervals_of
from gpu_wordle.experiments.transcripts import Chart, Transcript
from gpu_wordle.experiments.values import Questions, Values
from gpu_wordle.files import PATIENCE_SECONDS, begins, check_folder, check_target, held
from gpu_wordle.game.game import Game
from gpu_wordle.ranking.stop_token import StopToken
from gpu_wordle.report.analysed import (
    describe_comment,
    describe_game,
    describe_intervals,
    describe_left,
    describe_player,
)
from gpu_wordle.report.document import (
    Document,
    Format,
    as_csv,
    as_json_lines,
    as_parquet,
    check_format,
    envelope,
    parquet_columns,
)
from gpu_wordle.report.history import History, histories_of
from gpu_wordle.report.table import columns_of
from gpu_wordle.solver import SolverPool
from gpu_wordle.store import is_hdf5, save_analysis
from gpu_wordle.store.form import ANALYSIS
from gpu_wordle.store.hdf5 import check_replaceable
from gpu_wordle.tunables import SOLVE_TABLE_MIB

FORMS = (".jsonl", ".csv", ".parquet", ".h5", ".hdf5")
"""Suffixes of files for the turns of many games."""

_BEGINS = {".jsonl": '{"game_number":', ".csv": "game_number,"}
"""The first bytes of text files of turns."""


def values_of(game: Game, pool: SolverPool | None = None) -> Values:
    """Return the values of a game, with its published ranking if there is one."""
    return Values(game, published_openers(game), pool)


def analyse_one(
    session: Session,
    transcript: Transcript,
    stop_token: StopToken | None = None,
    advance: Callable[[int, int], None] = lambda done, total: None,
) -> tuple[Analysed, list[dict[str, Any]]]:
    """Analyse a game; return it and its turns as rows, with best guesses and popular rules.

    All threads search each position, small ones first. Guesses that are no guaranteed win are
    valued without the guess limit. Values that an early end leaves open have bounds in the rows.
    Raises UserError, with the turn, for impossible turns.
    """
    stop_token = stop_token or StopToken()
    game, rules = session.game, popular_rules(session.game)
    asked = Questions(game)
    analyse(asked, transcript, strict=True)
    with ExitStack() as opened:
        pools_of: dict[Values, SolverPool] = {}

        def solve(asked: Questions) -> Values:
            pool = opened.enter_context(_pool(asked.game, session, asked.game.guess_count))
            values = values_of(asked.game, pool)
            pools_of[values] = pool
            with stop_token.of(pool.stop):
                _solve(values, asked, advance)
            return values

        values = solve(asked)
        analysed = analyse(values, transcript, strict=True)
        beyond = _beyond(values, [transcript], strict=True)
        if beyond.positions:
            values.without_limit = solve(beyond)
            analysed = analyse(values, transcript, strict=True)
        rows = describe_game(analysed)
        best: list[tuple[int, ...]] = [()] * len(rows)
        for each, pool in pools_of.items():
            chosen = [i for i, step in enumerate(analysed.steps) if step.position.game is each.game]
            steps = [analysed.steps[i] for i in chosen]
            intervals = intervals_of(steps, each, pool, session.evaluator)
            for i, step, bounds in zip(chosen, steps, intervals, strict=True):
                best[i] = each.best(step.position)
                rows[i]["optimal_guesses"] = game.spell(best[i])
                rows[i] |= describe_intervals(bounds)
        for row, step, found in zip(rows, analysed.steps, best, strict=True):
            within, limit = replace(step.position, game=game), game.objective.max_guesses
            sure = next(iter(values.best(within)), None) if step.is_winnable else None
            only = None if sure is None else values.only_win(within)
            row |= describe_left(step)
            row |= describe_comment(comment_on(step, limit, found, sure, only))
            named = rule_guesses(within, rules, session.evaluator)
            spelled = game.spell(list(named.values()))
            row["rule_guesses"] = [
                f"{name}:{word}" for name, word in zip(named, spelled, strict=True)
            ]
    return analysed, rows


def _solve(values: Values, asked: Questions, advance: Callable[[int, int], None]) -> None:
    """Search positions on all threads together, small ones first."""
    ascending = sorted(asked.positions.values(), key=lambda each: len(each[0].state))
    for done, (position, guesses) in enumerate(ascending):
        advance(done, len(ascending))
        for guess in guesses:  # one guess is cheaper than all guesses, and time may allow no more
            values.total_of(position, guess)
        values.best(position)
    for position, _ in ascending:
        values.only_win(position)


def _within(values: Values, transcripts: Iterable[Transcript]) -> Questions:
    """What is asked of the game itself."""
    asked = Questions(values.game)
    for transcript in transcripts:
        analyse(asked, transcript)
    return asked


def _beyond(
    values: Values, transcripts: Iterable[Transcript], *, strict: bool = False
) -> Questions:
    """What is asked of the game without a limit, where a guess is no guaranteed win within it."""
    asked = Questions(values.game.without_limit())
    if values.can_do_without_limit:
        values.without_limit = asked
        for transcript in transcripts:
            analyse(values, transcript, strict=strict)
        values.without_limit = None
    return asked


def _pool(game: Game, session: Session, tasks: int) -> SolverPool:
    """A pool for the positions of played games."""
    return pools.solver_pool(game, session.machine, tasks, SOLVE_TABLE_MIB)


@dataclass(frozen=True, eq=False)
class AnalysedGames:
    """Many analysed games: those whose values were all found before the job ended.

    Attributes:
        numbered: each game with its number among the given games, from 1.
        given: number of given games.
        grids: the share grids among them with their numbers; without words, they have no values.
    """

    numbered: list[tuple[int, Transcript, Analysed]]
    given: int
    grids: Sequence[tuple[int, Chart]] = ()

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield the turns of all games."""
        for number, transcript, analysed in self.numbered:
            limit = analysed.game.objective.max_guesses
            for row, step in zip(describe_game(analysed), analysed.steps, strict=True):
                said = describe_comment(comment_on(step, limit))
                yield {"game_number": number, "player": transcript.player, **row, **said}

    def summary(self) -> list[dict[str, Any]]:
        """Return a row for each player, by name."""
        players: dict[str, list[Analysed]] = {}
        for _, transcript, analysed in self.numbered:
            players.setdefault(transcript.player, []).append(analysed)
        return [describe_player(name, players[name]) for name in sorted(players)]

    def histories(self, game: Game) -> Mapping[str, History]:
        """Return the history of each player, by name."""
        told: list[tuple[int, str, Sequence[Mapping[str, Any]] | Chart]] = [
            (number, transcript.player, describe_game(analysed))
            for number, transcript, analysed in self.numbered
        ]
        told += [(number, grid.player, grid) for number, grid in self.grids]
        return histories_of(told, game)


def analyse_many(
    session: Session,
    games: Sequence[Transcript | Chart],
    stop_token: StopToken,
    advance: Callable[[int, int], None] = lambda done, total: None,
    values: Values | None = None,
) -> AnalysedGames:
    """Analyse games. A position that occurs in several of them is solved once.

    Faulty turns are counted, and raise no error. Given ``values`` are used, and keep what is found.
    """
    listed = list(enumerate(games, start=1))
    grids = [(number, game) for number, game in listed if isinstance(game, Chart)]
    numbered = [(number, game) for number, game in listed if isinstance(game, Transcript)]
    transcripts = [transcript for _, transcript in numbered]
    values = values or values_of(session.game)
    free, values.without_limit = values.without_limit, None
    asked = _within(values, transcripts)
    values.find(asked, _pool(asked.game, session, len(asked.positions)), stop_token, advance)
    # Games with open values are left out: nothing more is searched for them.
    whole = [
        (number, transcript)
        for number, transcript in numbered
        if stop_token.reason is None or _has(values, _within(values, [transcript]))
    ]
    beyond = _beyond(values, [transcript for _, transcript in whole])
    free = free or values_of(beyond.game)
    if beyond.positions:
        pool = _pool(beyond.game, session, len(beyond.positions))
        free.find(beyond, pool, stop_token, advance)
    done = []
    for number, transcript in whole:
        if stop_token.reason is not None and not _has(free, _beyond(values, [transcript])):
            continue
        values.without_limit = free if values.can_do_without_limit else None
        done.append((number, transcript, analyse(values, transcript)))
    return AnalysedGames(done, len(games), grids)


def _has(values: Values, needed: Questions) -> bool:
    """Whether all values that are needed have been found."""
    return all(
        values.has(position, guess)
        for position, guesses in needed.positions.values()
        for guess in (None, *guesses)
    )


def check_form(path: Path) -> None:
    """Raise UserError unless the name of a file has a format for the turns of many games."""
    if path.suffix.lower() not in FORMS:
        raise UserError(f"{path}: the name of a file of turns ends in {', '.join(FORMS)}")
    if path.suffix.lower() == ".parquet":
        check_format(Format.PARQUET)
    if is_hdf5(path):
        check_folder(path)
        check_replaceable(path, ANALYSIS)
    else:
        check_target(path, "turns of games", _holds_turns)


def _holds_turns(path: Path) -> bool:
    """True if a text or Parquet file has the columns of turns."""
    form = path.suffix.lower()
    if form == ".parquet":
        return "game_number" in parquet_columns(path)
    return begins(path, _BEGINS[form])


def save(path: Path, session: Session, games: AnalysedGames) -> None:
    """Write the turns of many games, whole or not at all, in the format of the file's name."""
    rows = list(games.rows())
    if is_hdf5(path):
        save_analysis(path, session.game, rows)
        return
    columns = columns_of(rows)
    form = path.suffix.lower()
    if form == ".parquet":
        data = as_parquet(Document(envelope("analyse", session.position), columns=columns))
    else:
        data = (as_csv(columns) if form == ".csv" else as_json_lines(columns)).encode()
    with held(path, PATIENCE_SECONDS) as holding:
        holding.replace(data)
