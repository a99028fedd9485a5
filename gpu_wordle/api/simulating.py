"""The job of simulating, which the command line and the API share, with exact totals beside it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Annotated

from gpu_wordle.api import games, jobs, pools
from gpu_wordle.api.files import published_openers
from gpu_wordle.api.pairs import solve_fixed
from gpu_wordle.api.session import Machine, Session, open_game, open_session
from gpu_wordle.errors import UserError
from gpu_wordle.experiments.simulate import Simulated, tree_of
from gpu_wordle.experiments.simulation_job import Players, Playing
from gpu_wordle.experiments.simulations import (
    INFEASIBLE_TOTAL,
    Fixed,
    HardGame,
    Simulations,
    hardest_games,
)
from gpu_wordle.game.feedback import LetterFeedback, NaiveFeedback
from gpu_wordle.game.game import Game
from gpu_wordle.game.words import GameWords
from gpu_wordle.options.declared import Option
from gpu_wordle.options.reading import one_of
from gpu_wordle.options.shared import PLAY
from gpu_wordle.ranking.job import Job, ProgressCallback, ignore_progress
from gpu_wordle.ranking.openers import Status
from gpu_wordle.ranking.stop_token import StopToken
from gpu_wordle.solver import SolveResult
from gpu_wordle.states.tree import DecisionTree
from gpu_wordle.store import SimulationFile
from gpu_wordle.strategies.named import make_strategy
from gpu_wordle.strategies.positions import Positions
from gpu_wordle.strategies.strategy import Choice, Strategy

MAX_SOLVED = 12
"""Most openings whose unpublished totals are computed."""


Known = Callable[[Fixed], int | None]
"""Returns the exact total after fixed guesses; INFEASIBLE_TOTAL, or None if it is unknown."""


class Umpire(StrEnum):
    """The umpires, who give feedback."""

    TRUE = "true"
    NAIVE = "naive"


UmpireName = Annotated[
    str,
    Option(
        "true; or naive, who does not count copies of a letter.", one_of(Umpire), PLAY, "UMPIRE"
    ),
]


def whole_game(game: games.Game, umpire: Umpire, machine: Machine) -> Session:
    """Return the start of a game with its umpire.

    Raises UserError unless the objective counts guesses only.
    """
    played = games.position_of(game).game
    if not played.objective.is_default:
        raise UserError(
            "the guesses of whole games are counted; give a Game, loaded without weights and with "
            "the objective mean"
        )
    if umpire is Umpire.NAIVE:
        words = played.words
        if not isinstance(words.feedback, LetterFeedback):
            raise UserError("the naive umpire answers words; leave --umpire out")
        naive = NaiveFeedback(words.length, words.guesses.alphabet)
        words = GameWords(words.guesses, words.answers, naive)
        played = open_game(words, played.rule, played.objective, machine=machine)
    return open_session(played.start(), machine)


class SimulationWork:
    """Strategies, the openers after which they play, and the job.

    Args:
        session: the start of a game.
        strategies: names of built-in ones, or custom ones.
        openers: the first guesses; None for the strategy's own.
        choice: how greedy rules choose a guess.

    Attributes:
        session: the start of the game.
        strategies: the strategies, each with another name.
        openers: the first guesses.
        choice: how greedy rules choose a guess.
    """

    def __init__(
        self,
        session: Session,
        strategies: Sequence[str | Strategy],
        openers: Sequence[int | None],
        choice: Choice,
    ) -> None:
        self.session = session
        found = strategies_of(strategies, session.game, choice)
        self.strategies = [strategy for _, strategy in found]
        self._given = [given for given, _ in found]
        self.openers = openers
        self.choice = choice
        self._start = Positions.of(session.position, session.evaluator)
        self._playing = Playing(self.strategies, self._start, openers, self._players())

    def run(
        self,
        out: Path | None,
        stop_token: StopToken,
        on_progress: ProgressCallback = ignore_progress,
        *,
        fresh: bool = False,
    ) -> None:
        """Run the job: resume from the file, play, add exact totals, and save."""
        session, playing = self.session, self._playing
        names = playing.table.strategies
        file = session.file(SimulationFile, out, session.position, names, self.choice)
        job = Job(playing.table, file, stop_token, on_progress)
        with job.held(fresh=fresh):
            playing.begin(job)
            playing.note_exact_totals(published(session.game))
            playing.play(job)
            unknown = playing.unknown
            if 0 < len(unknown) <= MAX_SOLVED and not stop_token.is_due():
                job.attempt()
                playing.note_exact_totals(worked_out(session, unknown, stop_token))

    def _players(self) -> Players | None:
        """Return the workers that play, if there are any."""
        session, machine = self.session, self.session.machine
        if machine.worker_pool is None:
            return None
        terms = pools.terms_of(machine)
        return Players(machine.worker_pool, terms, session.position, self._given, self.choice)

    @property
    def simulations(self) -> Simulations:
        """The games played, including those of the file."""
        return self._playing.table

    @property
    def rows(self) -> list[int]:
        """Return the wanted rows that are played, the least total first."""
        return self.simulations.best_first(self._playing.asked.tolist())

    def tree(self, row: int) -> DecisionTree:
        """Return the decision tree of a row's strategy, by playing again."""
        strategy = self.strategies[int(self.simulations.strategy[row])]
        return tree_of(strategy, self._start, int(self.simulations.opener[row]))

    def hardest(self, rows: Sequence[int], count: int) -> dict[int, list[HardGame]]:
        """Return the longest games of rows."""
        return hardest_games(self.simulations, rows, self.strategies, self._start, count)

    def simulated(self, row: int) -> Simulated:
        """Return one row by itself."""
        return self.simulations.row(row, partial(self.tree, row))


def strategies_of(
    given: Sequence[str | Strategy], game: Game, choice: Choice
) -> list[tuple[str | Strategy, Strategy]]:
    """Return each strategy once, as it was given and as made; UserError if there is none."""
    found: dict[str, tuple[str | Strategy, Strategy]] = {}
    for each in given:
        if isinstance(each, str):
            built_in = make_strategy(each, game, choice)
            found.setdefault(built_in.name, (each, built_in))
            continue
        name = getattr(each, "name", None)
        if not (isinstance(name, str) and name.isprintable() and name.strip()):
            raise UserError(
                f"{each!r} is no strategy; give a name such as 'entropy', or an object with name, "
                "recalls_turns and choose(positions)"
            )
        if found.setdefault(name, (each, each))[1] is not each:
            raise UserError(f"two strategies are called {name!r}; give one of them another name")
    if not found:
        raise UserError("no strategy is named; gpu-wordle strategies lists them")
    return list(found.values())


def published(game: Game) -> Known:
    """Return the published totals of the first guesses of a game."""
    openers = published_openers(game)

    def known(fixed: Fixed) -> int | None:
        if openers is None or len(fixed) > 1:
            return None
        (guess,) = fixed
        is_exact = openers.status[guess] == Status.EXACT
        return int(openers.lower[guess]) if is_exact else INFEASIBLE_TOTAL

    return known


def worked_out(session: Session, openings: Sequence[Fixed], stop_token: StopToken) -> Known:
    """Search the totals of openings, as far as time allows.

    An opening with a repeated guess is skipped.
    """
    found: dict[Fixed, int | None] = {}
    singles = [fixed[0] for fixed in openings if len(fixed) == 1]
    if singles:
        solved = jobs.solve(session, singles, stop_token)
        found |= {(each.guess,): _total(each.result) for each in solved if each.guess is not None}
    for fixed in openings:
        if len(fixed) > 1 and not stop_token.is_due():
            try:
                found[fixed] = _total(solve_fixed(session, fixed, stop_token).result)
            except UserError:
                found[fixed] = None
    return found.get


def _total(result: SolveResult) -> int | None:
    """Return the total of a search, if it came to its end."""
    if result.is_infeasible:
        return INFEASIBLE_TOTAL
    return result.upper if result.is_exact else None
