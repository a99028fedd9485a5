"""``gpu-wordle noise``: what policies come to that trust slightly wrong values."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import numpy as np
import typer

from gpu_wordle.api import pools, session
from gpu_wordle.api.noise import (
    DEFAULT_LEVELS,
    DEFAULT_OPENER,
    DEFAULT_RUNS,
    NoiseWork,
    on_threads,
    read_levels,
)
from gpu_wordle.cli import console, options
from gpu_wordle.cli.blocks import with_blocks
from gpu_wordle.cli.cluster import ClusterOptions
from gpu_wordle.cli.printing import run_job, show
from gpu_wordle.errors import UserError
from gpu_wordle.experiments.noise.job import Progress
from gpu_wordle.experiments.noise.machine.draws import Kind
from gpu_wordle.experiments.noise.model import After, Draws, Limit, NoiseModel, Per, Small
from gpu_wordle.experiments.noise.ready import make_ready
from gpu_wordle.game.objective import Objective
from gpu_wordle.report.document import Document, envelope
from gpu_wordle.report.noise import (
    KEYS,
    departure_sentence,
    describe_noise,
    noise_answer,
    noise_table,
    theorem_sentence,
)
from gpu_wordle.report.table import columns_of
from gpu_wordle.store.form import NOISE

if TYPE_CHECKING:
    from matplotlib.figure import Figure

NOISE_PANEL = "Noise"


@dataclass(frozen=True)
class DrawOptions:
    """What is drawn, and what it does."""

    depth: Annotated[
        int,
        typer.Option(
            parser=options.whole(1),
            metavar=options.INTEGER,
            help="Guesses made, the opener among them, when values are noisy; 1 to 5.",
            rich_help_panel=NOISE_PANEL,
        ),
    ] = 3
    levels: Annotated[
        str,
        typer.Option(
            metavar="PERCENT,...",
            help="Levels of noise, of four decimals at most.",
            rich_help_panel=NOISE_PANEL,
        ),
    ] = ",".join(DEFAULT_LEVELS)
    runs: Annotated[
        int,
        typer.Option(
            parser=options.whole(1),
            metavar=options.INTEGER,
            help="How often everything is drawn anew.",
            rich_help_panel=NOISE_PANEL,
        ),
    ] = DEFAULT_RUNS
    seed: options.Seed = 0
    noise: Annotated[
        Kind,
        typer.Option(
            help="How draws are distributed: uniform, from -1 to 1; gaussian, of the same "
            "variance; one-sided, uniform from 0 to 1.",
            case_sensitive=False,
            rich_help_panel=NOISE_PANEL,
        ),
    ] = Kind.UNIFORM
    small: Annotated[
        Small,
        typer.Option(
            help="Which of the smallest states are noisy: noisy, all; exact, none of one or two "
            "answers; singles-exact, none of one.",
            case_sensitive=False,
            rich_help_panel=NOISE_PANEL,
        ),
    ] = Small.NOISY
    guess_limit: Annotated[
        Limit,
        typer.Option(
            "--limit",
            help="Whether values know the guess limit: kept or dropped.",
            case_sensitive=False,
            rich_help_panel=NOISE_PANEL,
        ),
    ] = Limit.KEPT
    draws: Annotated[
        Draws,
        typer.Option(
            help="What has a draw of its own: a state, or a visit, which is told by the states "
            "before it too.",
            case_sensitive=False,
            rich_help_panel=NOISE_PANEL,
        ),
    ] = Draws.STATE
    per: Annotated[
        Per,
        typer.Option(
            help="What levels are percentages of: value, that of the state; answer, one guess for "
            "each of its answers; state, one guess.",
            case_sensitive=False,
            rich_help_panel=NOISE_PANEL,
        ),
    ] = Per.VALUE
    after: Annotated[
        After,
        typer.Option(
            help="How play goes on after the noisy depth: optimal; or noisy, by the noisy values "
            "of what the next guess leads to.",
            case_sensitive=False,
            rich_help_panel=NOISE_PANEL,
        ),
    ] = After.OPTIMAL

    def __post_init__(self) -> None:
        for level in self.percentages:
            self.model.check(level)

    @property
    def model(self) -> NoiseModel:
        """The same for an experiment."""
        return NoiseModel(
            self.depth, self.seed, self.noise, self.small, self.guess_limit, self.draws, self.per,
            self.after,
        )  # fmt: skip

    @property
    def percentages(self) -> tuple[Fraction, ...]:
        """The levels; UserError for what is none."""
        return read_levels([text.strip() for text in self.levels.split(",")])


@dataclass(frozen=True)
class KeptOptions:
    """Which file is written; UserError for a name that cannot be that of such a file."""

    out: options.Out = None
    fresh: options.Fresh = False

    def __post_init__(self) -> None:
        options.check_file(self.out, NOISE, fresh=self.fresh)


@with_blocks
def noise(
    game: options.RuleOptions,
    drawn: DrawOptions,
    kept: KeptOptions,
    plot: options.PlotOptions,
    output: options.OutputOptions,
    machine: options.MachineOptions,
    cluster: ClusterOptions,
    start: Annotated[
        str, typer.Option("--opener", help="The first guess.", rich_help_panel=NOISE_PANEL)
    ] = DEFAULT_OPENER,
    time_limit: options.TimeLimit = None,
) -> None:
    """Perturb values of states, find the policies that are best for them, and play those.

    Each value is multiplied by 1 + x·u, where x is the level and u is drawn. A row of the table
    sums up the runs of a level; --json has a row for each run. With --out, every run is saved as
    the work goes on; the same command goes on from the file. The search runs on CPU threads, not
    on a device.
    """
    console.listen(quiet=output.quiet)
    game.refuse_turns("noise is drawn over whole games")
    asked = on_threads(machine.machine)
    console.compile_first(partial(make_ready, game.rule), quiet=output.quiet)
    ending = console.ending_of(time_limit)
    with (
        cluster.crew(quiet=output.quiet) as crew,
        ending.preparing(),
        console.Bar("searching", quiet=output.quiet) as bar,
    ):
        bar.workers = crew and crew.roster
        words = session.read_words(game.guesses, game.answers)
        objective = Objective(max_guesses=game.limit)
        played = session.open_game(words, game.rule, objective, machine=asked)
        opened = pools.with_crew(session.open_session(played.start(), asked), crew)
        first = words.guesses.find(start)
        work = NoiseWork(opened, drawn.model, first, drawn.percentages, drawn.runs)
        unsaved = run_job(partial(work.run, kept.out, ending, _shown(bar), fresh=kept.fresh))
    show(
        lambda: Document(
            envelope("noise", opened.position),
            noise_answer(work.table, work.optimum),
            columns_of(describe_noise(work.table, work.optimum), KEYS),
        ),
        output.format,
        lambda: _print(work),
        save=plot.drawing(lambda: _figure(work), quiet=output.quiet)
        if work.table.is_done.any()
        else None,
        unsaved=unsaved,
    )
    console.exit_early(ending, _told_early(work, kept.out))


def _told_early(work: NoiseWork, out: Path | None) -> str:
    """What there is after an early end."""
    if not np.any(work.table.is_done):
        return "no run was searched to its end"
    return "the same command goes on from the file" if out else "what is shown was searched"


def _shown(bar: console.Bar) -> Callable[[Progress], None]:
    """What shows how far the job has come."""
    return lambda event: bar.show(event.done, event.total, f"{event.runs:,} runs done")


def _print(work: NoiseWork) -> None:
    """Print the levels, where runs leave the optimum, and what the theorem says."""
    table, optimum = work.table, work.optimum
    if optimum is None or not np.any(table.is_done):
        return
    printed = console.output()
    printed.print(f"{table}; the optimum is {optimum.total:,}")
    printed.print(noise_table(table, optimum))
    printed.print(departure_sentence(table))
    printed.print(theorem_sentence(table, optimum))


def _figure(work: NoiseWork) -> Figure:
    from gpu_wordle.report.noise_plot import draw_noise

    if work.optimum is None:
        raise UserError("nothing is searched that could be drawn; give the job more time")
    return draw_noise(work.table, work.optimum)
