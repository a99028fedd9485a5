"""The job of a league: players as they are named, their games, and the regret of each turn."""

from __future__ import annotations

import importlib.util
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.api import analysing, games, pools
from gpu_wordle.api.dialogue import Dialogue
from gpu_wordle.api.session import Session
from gpu_wordle.api.simulating import strategies_of
from gpu_wordle.errors import JobError, UserError, counted
from gpu_wordle.experiments.compare import NO_GUESS, Pairs, play_pairs
from gpu_wordle.experiments.league import PLAYED, SCORED, WAITING, League, draw, max_turns
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
NO_FILE = "no such file; give FILE.py:NAME, or the name of a strategy"

Found = tuple[list[int], int]
"""A game: the guesses that took a turn, and the number of those that took none."""


@dataclass(frozen=True)
class Optimum:
    """The optimum of a game; without a guess limit if no strategy is a guaranteed win within it.

    Attributes:
        values: the values of the game with its limit.
        start: a batch of the start.
        opener: its first guess.
        depth: uint8[A], the turn on which it finds each answer.
    """

    values: Values
    start: Positions
    opener: int
    depth: NDArray[np.uint8]


def optimum_of(session: Session, stop_token: StopToken) -> Optimum:
    """Search the optimum of a game; StoppedError after an early end."""
    found = list[Values]()
    for game in (session.game, session.game.without_limit()):
        pool = pools.solver_pool(game, session.machine, game.guess_count, SOLVE_TABLE_MIB)
        with pool:
            with stop_token.of(pool.stop):
                found.append(analysing.values_of(game, pool))
                opener = hint(found[-1], game.start())
            if pool.stop.is_set():
                raise StoppedError
        if found[-1].total(game.start()) < INFEASIBLE:
            break
    found[0].without_limit = found[1] if len(found) > 1 else None
    stop = Stop()
    with stop_token.of(stop):
        start = replace(Positions.of(game.start(), session.evaluator), stop=stop)
        (depth,) = turns_of(Optimal(game), start, [opener])
    return Optimum(found[0], start, opener, depth)


@dataclass(frozen=True)
class Player:
    """A player: its name, and a function that yields its game against each secret.

    The function takes the indices of the secrets, the optimum and a stop. It raises UserError for a
    player that fails, and StoppedError once the stop is set.
    """

    name: str
    play: Callable[[Sequence[int], Optimum, Stop], Iterator[Found]]


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
    name, told, game = None, given, session.game
    if isinstance(given, str) and (match := _NAMED.fullmatch(given)):
        if _is_file(given):
            raise UserError(
                f"{given} is a file, and a player called {match[1]}; write ./{given} for the file"
            )
        name, told = match[1], match[2]
    has_blank = isinstance(told, str) and len(told.split()) > 1
    if isinstance(told, str) and (own := _OWN.fullmatch(told)):
        if _is_file(own[1]):
            told = _own_strategy(Path(own[1]), own[2])
        elif not has_blank:
            raise UserError(f"{own[1]}: {NO_FILE}")
    elif isinstance(told, str) and told.lower().endswith(".py") and not (has_blank or _runs(told)):
        if not _is_file(told):
            raise UserError(f"{told}: {NO_FILE}")
        raise UserError(
            f"{told}: say which player of the file; give {told}:NAME for a strategy in it, or, for "
            f"a program that reads and writes lines, 'python {told}' in quotes"
        )
    if isinstance(told, str):
        if told.lower().endswith((".jsonl", ".csv")) and (_is_file(told) or not has_blank):
            yield from _players_of_file(Path(told), name, game)
            return
        if has_blank or any(sign and sign in told for sign in (os.sep, os.altsep)):
            yield Player(name or told, partial(_by_program, command_of(told), seconds, game))
            return
    ((_, strategy),) = strategies_of([told], game, choice)
    start = Positions.of(session.position, session.evaluator)
    yield Player(name or strategy.name, partial(_by_strategy, strategy, start))


def _is_file(text: str) -> bool:
    """True if any text names a file."""
    try:
        return Path(text).is_file()
    except (OSError, ValueError):  # it cannot be the name of one
        return False


def _runs(text: str) -> bool:
    """True if a text is the path of a program, which is run by it."""
    return os.sep in text and _is_file(text) and os.access(text, os.X_OK)


def _own_strategy(path: Path, name: str) -> Strategy:
    """The strategy of that name in a file of Python; a class is made without arguments."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None, "the name of the file ends in .py"
    assert spec.loader is not None, "it is a file of Python"
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
        found = getattr(module, name)
        found = found() if isinstance(found, type) else found
    except (Exception, SystemExit) as error:  # whatever the file does
        raise UserError(f"{path}: {name} cannot be loaded ({_said(error)})") from error
    if not callable(getattr(found, "choose", None)):
        raise UserError(
            f"{path}: {name} is no strategy; give an object or a class with name, recalls_turns "
            "and choose(positions)"
        )
    strategy: Strategy = found
    return strategy


def _said(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"


def _by_strategy(
    strategy: Strategy, start: Positions, secrets: Sequence[int], optimum: Optimum, stop: Stop
) -> Iterator[Found]:
    """Play a strategy."""
    most, opener = max_turns(start.game), None
    if isinstance(strategy, Optimal):
        start, opener = optimum.start, optimum.opener
        strategy = Optimal(start.game)
    start = replace(start, stop=stop)
    try:
        first = own_opener(strategy, start) if opener is None else opener
        openers = np.full(len(secrets), first, np.int32)
        made = play_pairs(strategy, start, Pairs(openers, np.array(secrets, np.int64)))
    except (UserError, StoppedError):
        raise
    except (Exception, SystemExit) as error:  # whatever a strategy of the caller's own does
        raise JobError(f"choose() failed ({_said(error)}); correct it") from error
    yield from (([g for g in row if g != NO_GUESS][:most], 0) for row in made.tolist())


def _by_program(
    command: list[str],
    seconds: float,
    game: Game,
    secrets: Sequence[int],
    optimum: Optimum,
    stop: Stop,
) -> Iterator[Found]:
    """Play with a program that reads the turns so far and writes a guess, line by line."""
    with Program(command, seconds, stop) as program:
        for secret in secrets:
            talk, remark = _talk(game, secret), ""
            while not _is_over(talk):
                before = talk.refused
                said = talk.reply(program.ask(f"{talk._board.position.history}{remark}"))
                remark = f"\t{said.splitlines()[0]}" if talk.refused > before else ""
            yield _played(talk)
        program.end()


Numbered = tuple[int, Transcript]
"""A game of a file with its number there."""


def _players_of_file(path: Path, name: str | None, game: Game) -> Iterator[Player]:
    """The players of a file of games."""
    by_player: dict[str, dict[int, Numbered]] = {}
    for number, each in enumerate(read_games(path, game.words), start=1):
        where = f"{path}, game {number}"
        if not isinstance(each, Transcript):
            raise UserError(f"{where}: a share grid has no words; give its guesses")
        player = each.player or path.stem
        secret = _secret_of(where, each, game)
        first, found = by_player.setdefault(player, {}).setdefault(secret, (number, each))
        if found is not each:
            shown = game.words.answers.shown(secret)
            raise UserError(f"{where}: {player} has played {shown} in game {first}; leave one out")
    if name is not None and len(by_player) > 1:
        raise UserError(f"{path}: has {len(by_player)} players, so leave {name}= out")
    for player, transcripts in by_player.items():
        yield Player(name or player, partial(_by_file, path, transcripts, game))


def _secret_of(where: str, transcript: Transcript, game: Game) -> int:
    """The secret of a written game: its answer, or the guess that was all green."""
    answer = transcript.answer
    try:
        if answer is None and transcript.turns:
            word, seen = transcript.turns[-1]
            if isinstance(seen, str) and parse_row(seen, game.words) == game.words.feedback.solved:
                answer = word
        if answer is None:
            raise UserError("it has no answer and is not won; give 'answer'")
        return game.words.answers.find(answer)
    except UserError as error:
        raise UserError(f"{where}: {error}") from None


def _by_file(
    path: Path,
    transcripts: Mapping[int, Numbered],
    game: Game,
    secrets: Sequence[int],
    optimum: Optimum,
    stop: Stop,
) -> Iterator[Found]:
    """Take the games of a file; others that it has do not matter."""
    words = game.words
    missing = [words.answers.shown(secret) for secret in secrets if secret not in transcripts]
    if missing:
        raise UserError(
            f"{path} lacks the games of {counted(len(missing), 'secret')}, such as {missing[0]}; "
            "play them, or choose other --games, --split or --seed"
        )
    for secret in secrets:
        talk, (number, transcript) = _talk(game, secret), transcripts[secret]
        for word, seen in transcript.turns:
            guess = words.guesses.place(word)
            if (
                guess is not None
                and seen is not None
                and parse_row(seen, words) != game.patterns.values[secret, guess]
            ):
                raise UserError(
                    f"{path}, game {number}: {capitals(word)} {seen} is not the feedback of "
                    f"{words.answers.shown(secret)}; check the colours and the answer"
                )
            if not _is_over(talk):
                talk.reply(word)
        guesses, refused = _played(talk)
        yield guesses, refused + len(transcript.ignored)


def _talk(game: Game, secret: int) -> Dialogue:
    """A game against a secret."""
    return Dialogue(games.Game(game), game.words.answers.words[secret])


def _is_over(talk: Dialogue) -> bool:
    return talk.is_over or len(talk._board.turns) >= max_turns(talk._board.game)


def _played(talk: Dialogue) -> Found:
    return [guess for guess, _ in talk._board.turns], talk.refused


class LeagueWork:
    """Players, and the job of playing and scoring their games.

    Attributes:
        table: the league, with all players of its file; None before the secrets are drawn.
        failures: an error for each player that has failed; its games until then are kept.
    """

    def __init__(
        self, session: Session, players: Sequence[Player], split: str, count: int, seed: int
    ) -> None:
        self._session, self._players = session, players
        self._draw = partial(draw, session.game, split=split, count=count, seed=seed)
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
        """Run the job: draw the secrets, resume from the file, play, score, and save."""
        session = self._session
        on_progress(Progress("solving the start", 0, 1))
        try:
            optimum = optimum_of(session, stop_token)
        except StoppedError:
            return
        secrets, stop = self._draw(optimum.depth), Stop()
        file = session.file(LeagueFile, out, session.position, secrets)
        job = Job(League.begin(session.game, secrets, []), file, stop_token, on_progress)
        advance = teller(on_progress, "solving positions")
        with job.held(fresh=fresh):
            job.table = self.table = job.table.with_players([each.name for each in self._players])
            job.run(self._units(job.table, optimum, stop_token, stop, advance), stop)

    def _units(
        self,
        table: League,
        optimum: Optimum,
        stop_token: StopToken,
        stop: Stop,
        advance: Callable[[int, int], None],
    ) -> Iterator[Progress]:
        """Play and score player after player."""
        of_each = len(table.secrets)
        with suppress(StoppedError):
            for number, player in enumerate(self._players):
                row = table.players.index(player.name)
                for done in self._play(table, row, player, optimum, stop):
                    played, total = number * of_each + done, len(self._players) * of_each
                    yield Progress("playing", played, total, note=player.name)
                if stop_token.is_due():
                    return
                self._score(table, row, optimum.values, stop_token, advance)

    def _play(
        self, table: League, row: int, player: Player, optimum: Optimum, stop: Stop
    ) -> Iterator[int]:
        """Play the games of a player that wait; yield how many of its games are played."""
        waiting = np.flatnonzero(table.status[row] == WAITING).tolist()
        secrets = table.secrets.answer[waiting].tolist()
        done = len(table.secrets) - len(waiting)
        yield done  # so that progress names the player before its first game ends
        try:
            played = player.play(secrets, optimum, stop) if waiting else iter(())
            for (guesses, refused), place in zip(played, waiting, strict=True):
                table.guesses[row, place, : len(guesses)] = guesses
                table.refused[row, place] = refused
                table.status[row, place] = PLAYED
                done += 1
                yield done
        except UserError as error:
            if isinstance(error, SpokeUnaskedError):
                table.clear(row, waiting)
            kept = counted(int((table.status[row] != WAITING).sum()), "game")
            self.failures.append(JobError(f"{player.name}: {error} ({kept} kept)"))

    def _score(
        self,
        table: League,
        row: int,
        values: Values,
        stop_token: StopToken,
        advance: Callable[[int, int], None],
    ) -> None:
        """Find the regret and the luck of the played games of a player."""
        words = table.game.words
        played = np.flatnonzero(table.status[row] == PLAYED).tolist()
        transcripts = []
        for place in played:
            guesses = table.guesses[row, place]
            made = [words.guesses.words[g] for g in guesses[guesses != NO_GUESS].tolist()]
            secret = words.answers.words[table.secrets.answer[place]]
            transcripts.append(Transcript(tuple((word, None) for word in made), secret))
        if not transcripts:
            return
        analysed = analysing.analyse_many(self._session, transcripts, stop_token, advance, values)
        for number, _, found in analysed.numbered:
            place = played[number - 1]
            for turn, step in enumerate(found.steps):
                assert step.regret is not None, "a legal guess has a regret without a limit"
                table.regret[row, place, turn] = float(step.regret)
            table.luck[row, place] = float(found.luck)
            table.contradictions[row, place] = found.contradictions
            table.status[row, place] = SCORED
