"""The job of a league: players as they are named, their games, and the regret of each turn."""

from __future__ import annotations

import importlib.util
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from gpu_wordle.api import analysing, games, pools
from gpu_wordle.api.dialogue import Dialogue
from gpu_wordle.api.session import Session
from gpu_wordle.api.simulating import strategies_of
from gpu_wordle.errors import JobError, UserError, counted
from gpu_wordle.experiments.compare import NO_GUESS, Pairs, play_pairs
from gpu_wordle.experiments.league import PLAYED, SCORED, WAITING, League, Secrets, draw, max_turns
from gpu_wordle.experiments.pasted import parse_row
from gpu_wordle.experiments.play import hint
from gpu_wordle.experiments.programs import Program, SpokeUnaskedError, command_of
from gpu_wordle.experiments.records import read_games
from gpu_wordle.experiments.simulate import own_opener, turns_of
from gpu_wordle.experiments.transcripts import Transcript
from gpu_wordle.experiments.values import Values
from gpu_wordle.game.game import Game
from gpu_wordle.game.spelling import capitals
from gpu_wordle.game.values import INFEASIBLE
from gpu_wordle.options.telling import teller
from gpu_wordle.ranking.job import Job, Progress, ProgressCallback, ignore_progress
from gpu_wordle.ranking.stop_token import StopToken
from gpu_wordle.solver import Stop
from gpu_wordle.store import LeagueFile
from gpu_wordle.strategies.by_search import Optimal
from gpu_wordle.strategies.positions import Positions, StoppedError
from gpu_wordle.strategies.strategy import Choice, Strategy
from gpu_wordle.tunables import SOLVE_TABLE_MIB

_NAMED = re.compile(r"([\w.-]+)=(.+)", re.DOTALL)
_OWN = re.compile(r"(.+\.py):(\w+)", re.DOTALL)

Found = tuple[list[int], int]
"""A game: the guesses that took a turn, and the number of those that took none."""


@dataclass(frozen=True)
class Optimum:
    """The optimum of a game; without a guess limit if no strategy is a guaranteed win within it.

    Attributes:
        values: the values of the game with its limit.
        start: a batch of the start.
        opener: its first guess.
        depth: the turn on which it finds each answer, [A].
    """

    values: Values
    start: Positions
    opener: int
    depth: np.ndarray[Any, np.dtype[np.uint8]]


def optimum_of(session: Session, stop_token: StopToken) -> Optimum:
    """Search the optimum of a game; StoppedError after an early end."""
    found = [_start_solved(session, session.game, stop_token)]
    if found[0].total(session.position) >= INFEASIBLE:
        found.append(_start_solved(session, session.game.without_limit(), stop_token))
        found[0].without_limit = found[1]
    game, stop = found[-1].game, Stop()
    opener = hint(found[-1], game.start())
    with stop_token.of(stop):
        start = replace(Positions.of(game.start(), session.evaluator), stop=stop)
        (depth,) = turns_of(Optimal(game), start, [opener])
    return Optimum(found[0], start, opener, depth)


def _start_solved(session: Session, game: Game, stop_token: StopToken) -> Values:
    """The values of a game of which the start is solved."""
    with pools.solver_pool(game, session.machine, game.guess_count, SOLVE_TABLE_MIB) as pool:
        with stop_token.of(pool.stop):
            values = analysing.values_of(game, pool)
            hint(values, game.start())
        if pool.stop.is_set():
            raise StoppedError
    return values


class Player(Protocol):
    """A player of a league."""

    name: str

    def check(self, secrets: Sequence[int]) -> None:
        """Raise UserError if it cannot play against secrets, the indices of answers."""

    def play(self, secrets: Sequence[int], optimum: Optimum, stop: Stop) -> Iterator[Found]:
        """Yield the game against each secret.

        Raises JobError for a player that fails, and StoppedError once the stop is set.
        """


@dataclass
class StrategyPlayer:
    """A strategy."""

    name: str
    strategy: Strategy
    start: Positions

    def check(self, secrets: Sequence[int]) -> None:
        """Do nothing: it plays against any secret."""

    def play(self, secrets: Sequence[int], optimum: Optimum, stop: Stop) -> Iterator[Found]:
        """Implements ``Player.play``."""
        strategy, start, opener = self.strategy, self.start, None
        if isinstance(strategy, Optimal):
            start, opener = optimum.start, optimum.opener
            strategy = Optimal(start.game)
        start = replace(start, stop=stop)
        try:
            first = own_opener(strategy, start) if opener is None else opener
            openers = np.full(len(secrets), first, np.int32)
            made = play_pairs(strategy, start, Pairs(openers, np.array(secrets, np.int64)))
        except (JobError, StoppedError):
            raise
        except Exception as error:  # whatever a strategy of the caller's own does
            said = f"{type(error).__name__}: {error}"
            raise JobError(f"choose() failed ({said}); correct it") from error
        for row in made.tolist():
            yield [g for g in row if g != NO_GUESS][: max_turns(self.start.game)], 0


@dataclass
class ProgramPlayer:
    """A program that reads the turns so far and writes a guess, line by line."""

    name: str
    command: list[str]
    seconds: float
    game: Game

    def check(self, secrets: Sequence[int]) -> None:
        """Do nothing: it plays against any secret."""

    def play(self, secrets: Sequence[int], optimum: Optimum, stop: Stop) -> Iterator[Found]:
        """Implements ``Player.play``."""
        with Program(self.command, self.seconds, stop) as program:
            for secret in secrets:
                talk, remark = _talk(self.game, secret), ""
                while not _is_over(talk):
                    before = talk.refused
                    told = talk.reply(program.ask(f"{talk.position._inner.history}{remark}"))
                    is_refused = talk.refused > before
                    remark = f"\t{told.splitlines()[0]}" if is_refused else ""
                yield _played(talk)
            program.end()


@dataclass
class FilePlayer:
    """The games of a player in a file; ``transcripts`` has one for each secret, with its number."""

    name: str
    path: Path
    game: Game
    transcripts: Mapping[int, tuple[int, Transcript]]

    def check(self, secrets: Sequence[int]) -> None:
        """Raise UserError if a secret is missing, or if colours are not those of the secret."""
        answers = self.game.words.answers
        missing = [answers.shown(secret) for secret in secrets if secret not in self.transcripts]
        if missing:
            raise UserError(
                f"{self.path}: {self.name} lacks the games of {counted(len(missing), 'secret')} of "
                f"{len(secrets):,}, such as {missing[0]}; play them, or choose other --games, "
                "--split or --seed"
            )
        for secret in secrets:
            number, transcript = self.transcripts[secret]
            for word, seen in transcript.turns:
                guess = self.game.words.guesses.place(word)
                if guess is None or not isinstance(seen, str):
                    continue
                if _read(self.path, number, seen, self.game) != self._true(secret, guess):
                    raise UserError(
                        f"{self.path}, game {number}: {capitals(word)} {seen} is not the feedback "
                        f"of {answers.shown(secret)}; check the colours and the answer"
                    )

    def play(self, secrets: Sequence[int], optimum: Optimum, stop: Stop) -> Iterator[Found]:
        """Implements ``Player.play``."""
        for secret in secrets:
            talk, (_, transcript) = _talk(self.game, secret), self.transcripts[secret]
            for word, _ in transcript.turns:
                if not _is_over(talk):
                    talk.reply(word)
            guesses, refused = _played(talk)
            yield guesses, refused + len(transcript.ignored)

    def _true(self, secret: int, guess: int) -> int:
        return int(self.game.patterns.values[secret, guess])


def _talk(game: Game, secret: int) -> Dialogue:
    """A game against a secret."""
    return Dialogue(games.Game(game), game.words.answers.words[secret])


def _is_over(talk: Dialogue) -> bool:
    board = talk._board
    return talk.is_over or len(board.turns) >= max_turns(board.game)


def _played(talk: Dialogue) -> Found:
    return [guess for guess, _ in talk._board.turns], talk.refused


def _read(path: Path, number: int, seen: str, game: Game) -> int:
    """The feedback that is written in a game of a file."""
    try:
        return parse_row(seen, game.words)
    except UserError as error:
        raise UserError(f"{path}, game {number}: {error}") from None


def players_of(
    given: Sequence[str | Strategy], session: Session, choice: Choice, seconds: float
) -> list[Player]:
    """The players that are named, each once.

    ``NAME=`` may stand before a player. A file of games ends in .jsonl or .csv, and its players are
    those that it names. ``FILE.py:NAME`` is a strategy of the caller's own. A text with a blank or
    a path is a command that runs a program; any other is the name of a built-in strategy.

    Raises UserError if there is none, for two of one name, and for what cannot be read.
    """
    found: dict[str, Player] = {}
    for each in given:
        for player in _players(each, session, choice, seconds):
            if found.setdefault(player.name, player) is not player:
                raise UserError(
                    f"two players are called {player.name!r}; leave one out, or give it another "
                    "name, as in other=entropy"
                )
    if not found:
        raise UserError("no player is named; gpu-wordle strategies lists the built-in ones")
    return list(found.values())


def _players(
    given: str | Strategy, session: Session, choice: Choice, seconds: float
) -> Iterator[Player]:
    """The players of one argument."""
    name, told = None, given
    if isinstance(given, str) and (match := _NAMED.fullmatch(given)):
        if Path(given).is_file():
            raise UserError(
                f"{given} is a file, and a player called {match[1]}; write ./{given} for the file"
            )
        name, told = match[1], match[2]
    if isinstance(told, str) and (own := _OWN.fullmatch(told)) and Path(own[1]).is_file():
        told = _own_strategy(Path(own[1]), own[2])
    if isinstance(told, str):
        has_blank = len(told.split()) > 1
        is_path = any(sign and sign in told for sign in ("/", os.sep, os.altsep))
        if Path(told).suffix.lower() in (".jsonl", ".csv") and not (
            has_blank and not Path(told).is_file()
        ):
            yield from _file_players(Path(told), name, session.game)
            return
        if has_blank or is_path:
            yield ProgramPlayer(name or told, command_of(told), seconds, session.game)
            return
    ((_, strategy),) = strategies_of([told], session.game, choice)
    start = Positions.of(session.position, session.evaluator)
    yield StrategyPlayer(name or strategy.name, strategy, start)


def _own_strategy(path: Path, name: str) -> Strategy:
    """The strategy of that name in a file of Python; a class is made without arguments."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None, "the name of the file ends in .py"
    assert spec.loader is not None, "it is a file of Python"
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
        found = getattr(module, name)
        return found() if isinstance(found, type) else found
    except Exception as error:  # whatever the file does
        said = f"{type(error).__name__}: {error}"
        raise UserError(f"{path}: {name} cannot be loaded ({said})") from error


def _file_players(path: Path, name: str | None, game: Game) -> Iterator[Player]:
    """The players of a file of games."""
    by_player: dict[str, dict[int, tuple[int, Transcript]]] = {}
    for number, each in enumerate(read_games(path, game.words), start=1):
        if not isinstance(each, Transcript):
            raise UserError(f"{path}, game {number}: a share grid has no words; give its guesses")
        secret = _secret_of(path, number, each, game)
        mine = by_player.setdefault(each.player or path.stem, {})
        if mine.setdefault(secret, (number, each))[1] is not each:
            raise UserError(
                f"{path}, game {number}: {each.player or path.stem} has played "
                f"{game.words.answers.shown(secret)} in game {mine[secret][0]}; leave one out"
            )
    if name is not None and len(by_player) > 1:
        raise UserError(f"{path}: has {len(by_player)} players, so leave {name}= out")
    for player, transcripts in by_player.items():
        yield FilePlayer(name or player, path, game, transcripts)


def _secret_of(path: Path, number: int, transcript: Transcript, game: Game) -> int:
    """The secret of a written game: its answer, or the guess that was all green."""
    answer = transcript.answer
    if answer is None and transcript.turns:
        word, seen = transcript.turns[-1]
        is_solved = isinstance(seen, str) and (
            _read(path, number, seen, game) == game.words.feedback.solved
        )
        answer = word if is_solved else None
    if answer is None:
        raise UserError(f"{path}, game {number}: it has no answer and is not won; give 'answer'")
    try:
        return game.words.answers.find(answer)
    except UserError as error:
        raise UserError(f"{path}, game {number}: {error}") from None


class LeagueWork:
    """Players, and the job of playing and scoring their games.

    Args:
        session: the start of a game.
        players: the players.
        draw: draws the secrets, given the optimum's turn for each answer.

    Attributes:
        table: the league, with all players of its file; None before the secrets are drawn.
        failures: an error for each player that has failed; its games until then are kept.
    """

    def __init__(
        self, session: Session, players: Sequence[Player], split: str, count: int, choice: Choice
    ) -> None:
        self.session, self._players = session, players
        self._draw = partial(draw, session.game, split=split, count=count, seed=choice.seed)
        self.table: League | None = None
        self.failures: list[JobError] = []

    def run(
        self,
        out: Path | None,
        stop_token: StopToken,
        on_progress: ProgressCallback = ignore_progress,
        *,
        fresh: bool = False,
    ) -> None:
        """Run the job: draw the secrets, resume from the file, play, score, and save.

        Raises UserError for a file of games that are not of these secrets.
        """
        on_progress(Progress("solving the start", 0, 1))
        try:
            optimum = optimum_of(self.session, stop_token)
        except StoppedError:
            return
        secrets: Secrets = self._draw(optimum.depth)
        for player in self._players:
            player.check(secrets.answer.tolist())
        begun = League.begin(self.session.game, secrets, [])
        file = self.session.file(LeagueFile, out, self.session.position, secrets)
        job = Job(begun, file, stop_token, on_progress)
        with job.held(fresh=fresh):
            job.table = self.table = job.table.with_players([each.name for each in self._players])
            stop = Stop()
            advance = teller(on_progress, "solving positions")
            job.run(self._units(job.table, optimum, stop, stop_token, advance), stop)

    def _units(
        self, table: League, optimum: Optimum, stop: Stop, stop_token: StopToken, advance: Any
    ) -> Iterator[Progress]:
        """Play and score player after player."""
        with suppress(StoppedError):
            for number, player in enumerate(self._players):
                row = table.players.index(player.name)
                for done in self._play(table, row, player, optimum, stop):
                    games_before = number * len(table.secrets)
                    total = len(self._players) * len(table.secrets)
                    yield Progress("playing", games_before + done, total, note=player.name)
                if stop_token.is_due():
                    return
                self._score(table, row, optimum.values, stop_token, advance)

    def _play(
        self, table: League, row: int, player: Player, optimum: Optimum, stop: Stop
    ) -> Iterator[int]:
        """Play the games of a player that wait; yield how many of its games are played."""
        waiting = np.flatnonzero(table.status[row] == WAITING).tolist()
        if not waiting:
            return
        try:
            games = player.play(table.secrets.answer[waiting].tolist(), optimum, stop)
            for (guesses, refused), place in zip(games, waiting, strict=True):
                table.guesses[row, place, : len(guesses)] = guesses
                table.refused[row, place] = refused
                table.status[row, place] = PLAYED
                yield int((table.status[row] != WAITING).sum())
        except JobError as error:
            if isinstance(error, SpokeUnaskedError):
                table.clear(row, waiting)
            kept = counted(int((table.status[row] != WAITING).sum()), "game")
            self.failures.append(JobError(f"{player.name}: {error} ({kept} kept)"))

    def _score(
        self, table: League, row: int, values: Values, stop_token: StopToken, advance: Any
    ) -> None:
        """Find the regret and the luck of the played games of a player."""
        words = table.game.words
        played = np.flatnonzero(table.status[row] == PLAYED).tolist()
        transcripts = [
            Transcript(
                tuple((words.guesses.words[g], None) for g in guesses if g != NO_GUESS),
                words.answers.words[secret],
            )
            for guesses, secret in zip(
                table.guesses[row, played].tolist(),
                table.secrets.answer[played].tolist(),
                strict=True,
            )
        ]
        if not transcripts:
            return
        analysed = analysing.analyse_many(self.session, transcripts, stop_token, advance, values)
        for number, _, found in analysed.numbered:
            place = played[number - 1]
            for turn, step in enumerate(found.steps):
                assert step.regret is not None, "a legal guess has a regret without a limit"
                table.regret[row, place, turn] = float(step.regret)
            table.luck[row, place] = float(found.luck)
            table.contradictions[row, place] = found.contradictions
            table.status[row, place] = SCORED
