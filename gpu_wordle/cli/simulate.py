"""``gpu-wordle simulate``: whole games of strategies over all answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import Annotated, Any

import numpy as np
import typer

from gpu_wordle.api import jobs, session
from gpu_wordle.api.files import published_totals
from gpu_wordle.cli import console, options
from gpu_wordle.cli.blocks import with_blocks
from gpu_wordle.cli.printing import show
from gpu_wordle.errors import UserError, counted
from gpu_wordle.experiments.simulate import Simulated
from gpu_wordle.experiments.simulate import simulate as play_all
from gpu_wordle.game.feedback import NaiveFeedback
from gpu_wordle.game.objective import Objective
from gpu_wordle.game.words import GameWords
from gpu_wordle.ranking.ending import Ending
from gpu_wordle.report.document import Document, envelope
from gpu_wordle.report.explained import explained_game
from gpu_wordle.report.formats import Format
from gpu_wordle.report.simulations import (
    KEYS,
    describe_simulated,
    hardest_games,
    simulated_table,
)
from gpu_wordle.report.table import columns_of
from gpu_wordle.strategies.named import STRATEGIES, fixed_openings, make_strategy
from gpu_wordle.strategies.positions import Positions
from gpu_wordle.strategies.strategy import Choice, Pool, Ties

PLAY = "Play"
MAX_SOLVED = 12
"""Openers up to which totals that are not published are worked out."""
HARDEST = 3
"""Games that are shown in full."""


class Umpire(StrEnum):
    """Who answers guesses."""

    TRUE = "true"
    NAIVE = "naive"


def complete_strategies(incomplete: str) -> list[str]:
    """Strategies that begin so."""
    return [name for name in STRATEGIES if name.startswith(incomplete)]


@dataclass(frozen=True)
class PlayOptions:
    """How strategies come to a guess."""

    pool: Annotated[
        Pool,
        typer.Option(
            help="Guesses that greedy rules choose from: all, answers, or candidates, the answers "
            "that are still possible.",
            case_sensitive=False,
            rich_help_panel=PLAY,
        ),
    ] = Pool.ALL
    two_survivors: Annotated[
        bool,
        typer.Option(
            "--two-survivors/--no-two-survivors",
            help="With two answers left, guess the first of them.",
            rich_help_panel=PLAY,
        ),
    ] = True
    three_survivors: Annotated[
        bool,
        typer.Option("--three-survivors", help="The same with three.", rich_help_panel=PLAY),
    ] = False
    last_candidate: Annotated[
        bool,
        typer.Option(
            "--last-candidate",
            help="On the last turn, guess an answer that is left.",
            rich_help_panel=PLAY,
        ),
    ] = False
    ties: Annotated[
        Ties,
        typer.Option(
            help="Of equal guesses: words, the first in the list; candidates, the first that can "
            "be the answer; random, by --seed.",
            case_sensitive=False,
            rich_help_panel=PLAY,
        ),
    ] = Ties.CANDIDATES
    umpire: Annotated[
        Umpire,
        typer.Option(
            help="true; or naive, who does not count copies of a letter.",
            case_sensitive=False,
            rich_help_panel=PLAY,
        ),
    ] = Umpire.TRUE
    seed: options.Seed = 0

    @property
    def choice(self) -> Choice:
        """The same for a strategy."""
        survivors = 3 if self.three_survivors else 2 if self.two_survivors else 1
        return Choice(self.pool, survivors, self.last_candidate, self.ties, self.seed)


@with_blocks
def simulate(
    played: Annotated[
        list[str],
        typer.Argument(
            metavar="STRATEGY...",
            help="What to play; gpu-wordle strategies lists them.",
            autocompletion=complete_strategies,
        ),
    ],
    game: options.RuleOptions,
    play: PlayOptions,
    output: options.OutputOptions,
    machine: options.MachineOptions,
    opener: Annotated[
        list[str] | None,
        typer.Option(
            help="First guess, or several in quotes that are fixed whatever they show; as often as "
            "you like, or all; if not given, the strategy's own.",
            rich_help_panel=PLAY,
        ),
    ] = None,
    top: options.Top = 20,
    explain: Annotated[
        str | None,
        typer.Option(
            metavar="ANSWER",
            help="Show the game against an answer, and what each turn says of it as a regular "
            "expression.",
            rich_help_panel=options.OUTPUT,
        ),
    ] = None,
) -> None:
    """Play every answer by strategies, and compare with the exact value of the opener.

    Late games are played to their end, and count as lost. Rows come by their totals, best first.
    """
    console.listen(quiet=output.quiet)
    if game.state:
        raise UserError("simulate plays whole games; leave --state out")
    if explain is not None and output.format is not Format.TABLE:
        raise UserError("--explain is for people; leave --format and --json out")
    specs, first_words = fixed_openings(played, opener)
    with console.Bar("playing", quiet=output.quiet) as bar:
        opened = open_to_play(game, play, machine)
        position, words = opened.position, opened.game.words
        strategies = [make_strategy(spec, opened.game, play.choice) for spec in specs]
        openers = _openers(first_words, opened)
        start = Positions.of(position, opened.evaluator)
        rows: list[dict[str, Any]] = []
        shown: Simulated | None = None
        totals = ExactTotals(opened, is_few=len(openers) <= MAX_SOLVED)
        whole = len(strategies) * len(openers)
        if explain is not None:
            explained = words.answers.find(explain)
            if whole > 1:
                raise UserError("--explain takes one strategy and one opener")
        for number, strategy in enumerate(strategies):
            heard = partial(_shown, bar, number * len(openers), whole)
            for simulated in play_all(strategy, start, openers, heard):
                rows.append(describe_simulated(simulated, totals.of(simulated.opener)))
                shown = simulated if whole == 1 else None  # for games take much memory
    rows.sort(key=lambda row: (row["total"] is None, row["total"]))
    chosen = rows[: top or None]

    def for_people() -> None:
        printed = console.output()
        printed.print(f"{counted(len(words.answers), 'game')} from each opener")
        printed.print(simulated_table(chosen))
        if shown is not None:
            lines = (
                hardest_games(shown, HARDEST)
                if explain is None
                else explained_game(shown, explained)
            )
            for line in lines:
                printed.print(line, soft_wrap=True)

    show(
        lambda: Document(envelope("simulate", position), columns=columns_of(chosen, KEYS)),
        output.format,
        for_people,
    )


def open_to_play(
    game: options.RuleOptions, play: PlayOptions, machine: options.MachineOptions
) -> session.Session:
    """The start of the game, with the umpire that is asked for."""
    words = session.read_words(game.guesses, game.answers)
    if play.umpire is Umpire.NAIVE:
        if not words.feedback.is_by_letters:
            raise UserError("the naive umpire answers words; leave --umpire out")
        words = GameWords(words.guesses, words.answers, NaiveFeedback(words.length))
    objective = Objective(max_guesses=game.limit)
    opened = session.open_game(words, game.rule, objective, machine=machine.machine)
    return session.open_session(opened.start(), machine.machine)


def _openers(named: Sequence[str] | None, opened: session.Session) -> Sequence[int | None]:
    """The first guesses; None for the strategy's own."""
    if not named:
        return [None]
    if (
        any(word.lower() == "all" for word in named)
        and "all" not in opened.game.words.guesses.index
    ):
        return np.flatnonzero(opened.position.choices).tolist()
    return jobs.find_guesses(opened.position, named)


def _shown(bar: console.Bar, before: int, whole: int, played: int) -> None:
    """Show how many openers are played."""
    bar.show(before + played, whole)


class ExactTotals:
    """The exact totals of openers: published ones, or worked out if that is asked for few."""

    def __init__(self, opened: session.Session, *, is_few: bool) -> None:
        self._opened = opened
        self._published = published_totals(opened.game)
        self._is_few = is_few
        self._solved: dict[int, int | None] = {}

    def of(self, opener: int) -> int | None:
        """The total of an opener; None if it is unknown, or the game cannot surely be won."""
        if self._published is not None:
            return self._published[opener]
        if self._is_few and opener not in self._solved:
            (solved,) = jobs.solve(self._opened, [opener], Ending())
            self._solved[opener] = None if solved.result.tree is None else solved.result.upper
        return self._solved.get(opener)
