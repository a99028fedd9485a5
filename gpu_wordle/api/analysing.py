"""The job of analysing played games: one, or a file of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gpu_wordle.api import pools
from gpu_wordle.api.files import published_openers
from gpu_wordle.api.session import Session
from gpu_wordle.errors import UserError
from gpu_wordle.experiments.analyse import Analysed, analyse, popular_rules, rule_guesses
from gpu_wordle.experiments.intervals import intervals_of
from gpu_wordle.experiments.transcripts import Transcript
from gpu_wordle.experiments.values import Questions, Values
from gpu_wordle.files import PATIENCE_SECONDS, check_folder, held
from gpu_wordle.game.game import Game
from gpu_wordle.ranking.stop_token import StopToken
from gpu_wordle.report.analysed import Summary, describe_game, describe_intervals
from gpu_wordle.report.document import Document, envelope
from gpu_wordle.report.formats import Format, as_csv, as_json_lines, as_parquet, check_format
from gpu_wordle.report.table import columns_of
from gpu_wordle.solver import SolverPool
from gpu_wordle.store import is_hdf5, save_analysis
from gpu_wordle.tunables import SOLVE_TABLE_MIB

FORMS = (".jsonl", ".csv", ".parquet", ".h5", ".hdf5")
"""Suffixes of files for the turns of many games."""


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

    All threads search each position, small ones first. Values that an early end leaves open have
    bounds in the rows. Raises UserError, with the turn, for impossible turns.
    """
    stop_token = stop_token or StopToken()
    asked, rules = Questions(session.game), popular_rules(session.game)
    analyse(asked, transcript, strict=True)
    pool = pools.solver_pool(
        session.game, session.machine, session.game.guess_count, SOLVE_TABLE_MIB
    )
    with pool:
        values = values_of(session.game, pool)
        with stop_token.of(pool.stop):
            ascending = sorted(asked.positions.values(), key=lambda each: len(each[0].state))
            for done, (position, guesses) in enumerate(ascending):
                advance(done, len(ascending))
                for (
                    guess
                ) in guesses:  # one guess is cheaper than all guesses, and time may allow no more
                    values.total_of(position, guess)
                values.best(position)
            analysed = analyse(values, transcript, strict=True)
            rows = describe_game(analysed)
            for row, step in zip(rows, analysed.steps, strict=True):
                row["optimal_guesses"] = session.game.spell(values.best(step.position))
        intervals = intervals_of(analysed.steps, values, pool, session.evaluator)
        for row, step, bounds in zip(rows, analysed.steps, intervals, strict=True):
            row |= describe_intervals(bounds)
            chosen = rule_guesses(step.position, rules, session.evaluator)
            spelled = session.game.spell(list(chosen.values()))
            row["rule_guesses"] = [
                f"{name}:{word}" for name, word in zip(chosen, spelled, strict=True)
            ]
    return analysed, rows


@dataclass(frozen=True, eq=False)
class AnalysedGames:
    """Many analysed games: those whose values were all found before the job ended.

    Attributes:
        numbered: each game with its number among the given games, from 1.
        given: number of given games.
    """

    numbered: list[tuple[int, Transcript, Analysed]]
    given: int

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield the turns of all games."""
        for number, transcript, analysed in self.numbered:
            for row in describe_game(analysed):
                yield {"game_number": number, "player": transcript.player, **row}

    def summary(self) -> list[dict[str, Any]]:
        """Return a row for each player, by name."""
        players: dict[str, Summary] = {}
        for _, transcript, analysed in self.numbered:
            players.setdefault(transcript.player, Summary()).add(analysed)
        return [players[name].describe(name) for name in sorted(players)]


def analyse_many(
    session: Session,
    transcripts: Sequence[Transcript],
    stop_token: StopToken,
    advance: Callable[[int, int], None] = lambda done, total: None,
) -> AnalysedGames:
    """Analyse games. A position that occurs in several of them is solved once.

    Faulty turns are counted, and raise no error.
    """
    asked, values = Questions(session.game), values_of(session.game)
    for transcript in transcripts:
        analyse(asked, transcript)
    pool = pools.solver_pool(session.game, session.machine, len(asked.positions), SOLVE_TABLE_MIB)
    values.find(asked, pool, stop_token, advance)
    done = []
    for number, transcript in enumerate(transcripts, start=1):
        needed = Questions(session.game)
        if stop_token.reason is not None:
            analyse(needed, transcript)
            if not all(
                values.has(position, guess)
                for position, guesses in needed.positions.values()
                for guess in (None, *guesses)
            ):
                continue
        done.append((number, transcript, analyse(values, transcript)))
    return AnalysedGames(done, len(transcripts))


def check_form(path: Path) -> None:
    """Raise UserError unless the name of a file has a format for the turns of many games."""
    if path.suffix.lower() not in FORMS:
        raise UserError(f"{path}: the name of a file of turns ends in {', '.join(FORMS)}")
    if path.suffix.lower() == ".parquet":
        check_format(Format.PARQUET)
    check_folder(path)


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
