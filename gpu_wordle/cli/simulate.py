"""``gpu-wordle simulate``: whole games of strategies over all answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from gpu_wordle.api import pools, session
from gpu_wordle.api.exact_totals import MAX_SOLVED
from gpu_wordle.api.simulating import (
    SimulationWork,
    TreeFolder,
    Umpire,
    find_openers,
    open_whole_game,
)
from gpu_wordle.cli import console, options
from gpu_wordle.cli.blocks import with_blocks
from gpu_wordle.cli.cluster import ClusterOptions
from gpu_wordle.cli.printing import show
from gpu_wordle.errors import UserError, counted
from gpu_wordle.experiments.hardest import HardGame
from gpu_wordle.experiments.simulation_job import Played
from gpu_wordle.game.spelling import capitals
from gpu_wordle.game.words import GameWords
from gpu_wordle.options.shared import PLAY, complete_strategies
from gpu_wordle.report.document import Document, envelope
from gpu_wordle.report.explained import explained_game
from gpu_wordle.report.formats import Format
from gpu_wordle.report.outcome import run_job
from gpu_wordle.report.simulations import (
    GAMES_KEY,
    KEYS,
    describe_games,
    describe_simulations,
    game_lines,
    gap_lines,
    simulated_table,
)
from gpu_wordle.report.table import columns_of
from gpu_wordle.solver.ready import make_greedy_ready
from gpu_wordle.store.form import SIMULATION
from gpu_wordle.strategies.named import fixed_openings
from gpu_wordle.strategies.strategy import Choice, Pool, Ties

HARDEST = 3
"""Games of each row that are told in full, unless --hardest says otherwise."""
MAX_TOLD_ROWS = 100
"""Rows up to which they are told without being asked for."""
MAX_SHOWN = 6
"""Rows up to which people see them below the table."""


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

    def open(self, game: options.RuleOptions, machine: options.MachineOptions) -> session.Session:
        """The start of the game, with the umpire that is asked for."""
        words = session.read_words(game.guesses, game.answers)
        return open_whole_game(words, game.rule, game.limit, self.umpire, machine.machine)

    @property
    def choice(self) -> Choice:
        """The same for a strategy."""
        survivors = 3 if self.three_survivors else 2 if self.two_survivors else 1
        return Choice(self.pool, survivors, self.last_candidate, self.ties, self.seed)


@dataclass(frozen=True)
class ShownOptions:
    """Which rows and games are printed."""

    top: options.Top = 20
    hardest: Annotated[
        int | None,
        typer.Option(
            parser=options.whole(0),
            metavar=options.INTEGER,
            help="Longest games of each row that are told in full.",
            show_default=f"{HARDEST}; none beyond {MAX_TOLD_ROWS} rows",
            rich_help_panel=options.OUTPUT,
        ),
    ] = None
    explain: Annotated[
        str | None,
        typer.Option(
            metavar="ANSWER",
            help="Show the game against an answer, and what each turn says of it as a regular "
            "expression.",
            rich_help_panel=options.OUTPUT,
        ),
    ] = None

    def games(self, rows: int) -> int:
        """How many of the longest games of so many rows are told."""
        if self.hardest is None:
            return HARDEST if rows <= MAX_TOLD_ROWS else 0
        return self.hardest

    def explained(self, words: GameWords) -> int | None:
        """The answer whose game is to be explained; UserError if it is not in the list."""
        return None if self.explain is None else words.answers.find(self.explain)


@dataclass(frozen=True)
class KeptOptions:
    """Which files are written; UserError for names that cannot be those of such files."""

    out: options.Out = None
    fresh: options.Fresh = False
    trees: Annotated[
        Path | None,
        typer.Option(
            parser=options.folder,
            metavar=options.DIRECTORY,
            help="Folder for the strategies as trees, which verify replays.",
            rich_help_panel=options.OUTPUT,
        ),
    ] = None

    def __post_init__(self) -> None:
        options.check_file(self.out, SIMULATION, fresh=self.fresh)

    @property
    def after_the_end(self) -> str:
        """What becomes of a job that ended early."""
        if self.out is None:
            return "what is shown was played by then"
        return "the same command goes on from the file"


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
    shown: ShownOptions,
    kept: KeptOptions,
    output: options.OutputOptions,
    machine: options.MachineOptions,
    cluster: ClusterOptions,
    opener: Annotated[
        list[str] | None,
        typer.Option(
            help="First guess, or several in quotes that are fixed whatever they show; as often as "
            "you like, or all; if not given, the strategy's own.",
            rich_help_panel=PLAY,
        ),
    ] = None,
    time_limit: options.TimeLimit = None,
) -> None:
    """Play every answer by strategies, and compare with the exact value of the opener.

    Late games are played to their end, and count as lost. Rows come by their totals, best first.
    With --out, the turn on which each answer is found is saved as the work goes on; the same
    command goes on from the file. --trees keeps the guesses, too.
    """
    console.listen(quiet=output.quiet)
    game.refuse_turns("simulate plays whole games")
    if shown.explain is not None and output.format is not Format.TABLE:
        raise UserError("--explain is for people; leave --format and --json out")
    specs, first_words = fixed_openings(played, opener)
    console.compile_first(make_greedy_ready, quiet=output.quiet)
    ending = console.ending_of(time_limit)
    with (
        cluster.crew(quiet=output.quiet) as crew,
        ending.preparing(),
        console.Bar("playing", quiet=output.quiet) as bar,
    ):
        bar.workers = crew and crew.roster
        opened = pools.with_crew(play.open(game, machine), crew)
        openers = find_openers(opened.position, first_words)
        explained = shown.explained(opened.game.words)
        work = SimulationWork(opened, specs, openers, play.choice)
        if explained is not None and len(work.strategies) * len(openers) > 1:
            raise UserError("--explain takes one strategy and one opener")
        folder = None if kept.trees is None else TreeFolder(kept.trees, work)
        tell = _shown(bar, opened)
        unsaved = run_job(partial(work.run, kept.out, ending, tell, fresh=kept.fresh))
        rows = work.rows[: shown.top or None]
        games = work.hardest(rows, shown.games(len(rows))) if explained is None else {}

    def save() -> None:
        if folder is not None:
            _write_trees(folder, work, quiet=output.quiet)

    described = describe_simulations(work.simulations, rows)
    for row, values in zip(rows, described, strict=True):
        told = games.get(row)
        values[GAMES_KEY] = describe_games(opened.game, told) if told else None
    columns = columns_of(described, (*KEYS, GAMES_KEY))
    show(
        lambda: Document(envelope("simulate", opened.position), columns=columns),
        output.format,
        lambda: _print(work, described, games, explained),
        save=save,
        unsaved=unsaved,
    )
    if kept.out is not None:
        console.note(f"{work.simulations}, in {kept.out}", quiet=output.quiet)
    console.exit_early(ending, kept.after_the_end)


def _shown(bar: console.Bar, opened: session.Session) -> Callable[[Played], None]:
    """What shows how far the job has come, with the best row so far."""
    words = opened.game.words.guesses.words

    def show(event: Played) -> None:
        best = ""
        if event.best is not None:
            strategy, guess, total = event.best
            best = f"best {capitals(words[guess])} {total:,} by {strategy}"
        bar.show(event.done, event.total, best)

    return show


def _write_trees(folder: TreeFolder, work: SimulationWork, *, quiet: bool) -> None:
    """Write a tree for each row, and say how many."""
    written = [folder.write(work.simulated(row)) for row in work.rows]
    told = counted(sum(path is not None for path in written), "tree")
    console.note(f"{told} written to {folder.path}", quiet=quiet)
    if None in written:
        console.note("what goes on missing an answer has none", quiet=quiet)


def _print(
    work: SimulationWork,
    described: Sequence[dict[str, Any]],
    games: Mapping[int, Sequence[HardGame]],
    explained: int | None,
) -> None:
    """Print a table, and the longest games of few rows, or the one that is to be explained."""
    printed = console.output()
    game = work.session.game
    printed.print(f"{counted(game.answer_count, 'game')} from each opener")
    printed.print(simulated_table(described))
    lines = gap_lines(described, MAX_SOLVED)
    if explained is not None and work.rows:
        lines += explained_game(work.simulated(work.rows[0]), explained)
    if 0 < len(games) <= MAX_SHOWN:
        for values, told in zip(described, games.values(), strict=True):
            if told and len(games) > 1:
                lines.append(f"{values['strategy']} from {capitals(values['opener'])}:")
            lines += game_lines(game, told)
    for line in lines:
        printed.print(line, soft_wrap=True)
