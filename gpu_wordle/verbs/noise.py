"""The verb ``noise``: the cost of policies that trust slightly wrong values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, SupportsIndex

from rich.console import RenderableType

from gpu_wordle.api import pools
from gpu_wordle.api.games import Game, played, position_of
from gpu_wordle.api.session import Machine, Session, open_session
from gpu_wordle.errors import UserError, counted
from gpu_wordle.experiments.noise.machine.context import MAX_PARTS
from gpu_wordle.experiments.noise.machine.draws import Kind
from gpu_wordle.experiments.noise.model import (
    MAX_RUNS,
    After,
    Draws,
    Limit,
    NoiseModel,
    Per,
    Small,
    read_level,
)
from gpu_wordle.experiments.noise.plan import search
from gpu_wordle.experiments.noise.searcher import make_ready
from gpu_wordle.experiments.noise.study import NoiseStudy
from gpu_wordle.experiments.noise.table import NoiseTable
from gpu_wordle.options.declared import Option
from gpu_wordle.options.outcome import GOES_ON, Rows, run_job, verb
from gpu_wordle.options.reading import LEVELS, WORD, whole
from gpu_wordle.options.shared import (
    Fresh,
    HostBackendName,
    OnProgress,
    Out,
    Plot,
    Seed,
    Stop,
    Threads,
    TimeLimit,
    Workers,
    check_out,
)
from gpu_wordle.options.telling import compile_first
from gpu_wordle.ranking.job import Job, ProgressCallback, ignore_progress
from gpu_wordle.ranking.stop_token import StopToken
from gpu_wordle.report.noise import (
    NoiseRow,
    departure_sentence,
    describe_noise,
    noise_answer,
    noise_table,
    theorem_sentence,
)
from gpu_wordle.report.table import columns_of
from gpu_wordle.solver import SolverPool
from gpu_wordle.store.form import NOISE as NOISE_FILE
from gpu_wordle.store.kinds import NoiseFile
from gpu_wordle.tunables import PROVE_TABLE_MIB

if TYPE_CHECKING:
    from matplotlib.figure import Figure

NOISE_PANEL = "Noise"
"""The panel of the help for the noise model."""

LEVEL_DEFAULTS = ("0.05", "0.1", "0.2", "0.3", "0.5", "1", "2", "3", "5", "10", "20", "30")
"""Levels by default, in percent."""

MAX_LEVELS = 100
MAX_NOISY_ANSWERS = 5_000
"""Most answers: with more, perturbed totals might not fit in 64 bits."""


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class NoiseRuns(Rows):
    """The runs of a noise experiment: a list of rows, one for each level and run.

    Rows are sorted by level. A row is a dictionary: level_percent, run, total, mean, distribution,
    worst, lost, exact_total, gap and first_departure_percent.
    """

    _runs: NoiseTable

    def __reduce_ex__(self, protocol: SupportsIndex) -> tuple[type[list[Any]], tuple[list[Any]]]:
        return list, ([*self],)  # a study holds compiled functions, which cannot be pickled

    def __repr__(self) -> str:
        return f"NoiseRuns({self._runs}, {counted(len(self), 'row')})"

    @property
    def is_complete(self) -> bool:
        """Whether every run is searched, and the job did not end early."""
        return bool(self._runs.is_done.all())

    @property
    def bound_percent(self) -> float | None:
        """The level below which noise provably costs nothing; None if no level costs anything."""
        return self.facts["bound_percent"]


@verb
def noise(
    game: Annotated[Game, played("objective", "weights")],
    opener: Annotated[
        str, Option("The first guess.", WORD, NOISE_PANEL, flag="--opener")
    ] = "salet",
    *,
    depth: Annotated[
        int,
        Option(
            "Number of guesses before the noisy values, including the opener; 1 to 5.",
            whole(1),
            NOISE_PANEL,
        ),
    ] = 3,
    levels: Annotated[
        Sequence[str | float | Decimal | Fraction],
        Option("Levels of noise, of four decimals at most.", LEVELS, NOISE_PANEL, "PERCENT,..."),
    ] = LEVEL_DEFAULTS,
    runs: Annotated[
        int, Option("Number of runs, each with new draws.", whole(1), NOISE_PANEL)
    ] = 25,
    seed: Seed = 0,
    kind: Annotated[
        Literal["uniform", "gaussian", "one-sided"],
        Option(
            "Distribution of the draws: uniform, from -1 to 1; gaussian, with the same variance; "
            "one-sided, uniform from 0 to 1.",
            panel=NOISE_PANEL,
            hidden={"--noise": None},
        ),
    ] = "uniform",
    small: Annotated[
        Literal["noisy", "exact", "singles-exact"],
        Option(
            "Noise on the smallest states: noisy, on all; exact, not with one or two answers; "
            "singles-exact, not with one answer.",
            panel=NOISE_PANEL,
        ),
    ] = "noisy",
    limit: Annotated[
        Literal["kept", "dropped"],
        Option("Whether values respect the guess limit: kept or dropped.", panel=NOISE_PANEL),
    ] = "kept",
    draws: Annotated[
        Literal["state", "visit"],
        Option(
            "What has its own draw: a state, or a visit, which is a state with the path that led "
            "to it.",
            panel=NOISE_PANEL,
        ),
    ] = "state",
    per: Annotated[
        Literal["value", "answer", "state"],
        Option(
            "Base of the percentages: value, the value of the state; answer, one guess for each "
            "answer; state, one guess.",
            panel=NOISE_PANEL,
        ),
    ] = "value",
    after: Annotated[
        Literal["optimal", "noisy"],
        Option(
            "Play after the noisy depth: optimal; or noisy, by noisy values of the states after "
            "the next guess.",
            panel=NOISE_PANEL,
        ),
    ] = "optimal",
    out: Out = None,
    fresh: Fresh = False,
    plot: Plot = None,
    progress: OnProgress = None,
    time_limit: TimeLimit = None,
    stop: Stop = None,
    backend: HostBackendName = "auto",
    threads: Threads = None,
    executor: Workers = None,
) -> NoiseRuns:
    """Add noise to the values of states, find the best policies for them, and play these.

    Each value is multiplied by 1 + x·u, where x is the level and u is a random draw. A row of the
    table sums up the runs of a level; --json has a row for each run. With --out, runs are saved as
    they finish, and the same command resumes from the file. The search runs on CPU threads, not on
    a device. After an early end, the finished runs are shown.

    Raises UserError for an opener that is no guaranteed win within the kept guess limit, and for
    the file of another job; JobError if the file cannot be written.

    Examples:
        $ gpu-wordle noise --opener salet --levels 1,10 --out runs.h5
        >>> gw.noise(gw.load_game(), "salet", levels=[1, 10])
    """
    file, percentages = check_out(out, NOISE_FILE, fresh=fresh), read_levels(levels)
    model = NoiseModel(
        depth, seed, Kind(kind), Small(small), Limit(limit), Draws(draws), Per(per), After(after)
    )
    for level in percentages:
        model.check(level)
    inner = position_of(game).game
    compile_first(partial(make_ready, inner.rule), progress, stop)
    machine = Machine(
        "cpu" if backend == "auto" else backend, threads, pools=pools.of_executor(executor)
    )
    session = open_session(inner.start(), machine)
    work = NoiseWork(session, model, inner.words.guesses.find(opener), percentages, runs)
    stop_token = StopToken.of_call(time_limit, stop)
    unsaved = run_job(work.run, file, stop_token, progress or ignore_progress, fresh=fresh)
    is_any = bool(work.table.is_done.any())
    kept = GOES_ON if out else "what is shown was searched"
    return NoiseRuns(
        lines=lambda width: _lines(work),
        facts=noise_answer(work.table, work.table.optimum),
        columns=columns_of(describe_noise(work.table, work.table.optimum), NoiseRow),
        asked=session.position,
        reason=stop_token.reason,
        kept=kept if is_any else "no run was searched to its end",
        figure=partial(_figure, work) if is_any else None,
        unsaved=unsaved,
        _runs=work.table,
    )


def read_levels(given: Sequence[str | float | Decimal | Fraction]) -> tuple[Fraction, ...]:
    """Levels in ascending order; UserError for invalid or repeated ones."""
    levels = sorted(read_level(each) for each in given)
    if not levels or len(levels) > MAX_LEVELS:
        raise UserError(f"{counted(len(levels), 'level')}; give 1 to {MAX_LEVELS}")
    if len(set(levels)) < len(levels):
        raise UserError("a level is given twice; give each once")
    return tuple(levels)


def _lines(work: NoiseWork) -> Iterator[RenderableType]:
    """The levels, where runs leave the optimum, and what the theorem says."""
    table, optimum = work.table, work.table.optimum
    if optimum is not None and table.is_done.any():
        yield f"{table}; the optimum is {optimum.total:,}"
        yield noise_table(table, optimum)
        yield departure_sentence(table)
        yield theorem_sentence(table, optimum)


def _figure(work: NoiseWork) -> Figure:
    from gpu_wordle.report.noise import draw_noise

    if work.table.optimum is None:
        raise UserError("nothing is searched that could be drawn; give the job more time")
    return draw_noise(work.table, work.table.optimum)


class NoiseWork:
    """An experiment and its job.

    Args:
        session: the start of a game.
        model: the noise model.
        opener: the first guess.
        levels: the levels.
        runs: number of runs.

    Attributes:
        table: the runs; none is searched before :meth:`run`.

    Raises UserError for an experiment that cannot be searched.
    """

    def __init__(
        self,
        session: Session,
        model: NoiseModel,
        opener: int,
        levels: tuple[Fraction, ...],
        runs: int,
    ) -> None:
        game = session.game
        if not game.objective.is_default:
            raise UserError("noise is about the mean of equally likely answers; leave the rest out")
        if game.patterns.pattern_count > MAX_PARTS:
            raise UserError(
                f"{game.words.guesses.source} has {game.patterns.pattern_count} patterns; noise is "
                f"for games of at most {MAX_PARTS}"
            )
        if not 1 <= runs <= MAX_RUNS:
            raise UserError(f"{runs:,} runs; give 1 to {MAX_RUNS:,}")
        if game.answer_count > MAX_NOISY_ANSWERS:
            count, most = game.answer_count, f"{MAX_NOISY_ANSWERS:,}"
            raise UserError(f"{count:,} answers; noise is for games of at most {most}")
        session.position.check_legal(opener)
        self.session = session
        self.study = NoiseStudy(game, model, opener, levels)
        self.table = NoiseTable.begin(self.study, runs)

    def run(
        self,
        out: Path | None,
        stop_token: StopToken,
        on_progress: ProgressCallback = ignore_progress,
        *,
        fresh: bool = False,
    ) -> None:
        """Run the job: resume from the file, search, and save. Further runs of the file stay."""
        file, runs = self.session.file(NoiseFile, out, self.study), len(self.table)
        job = Job(self.table, file, stop_token, on_progress)
        with job.held(fresh=fresh):
            job.table = job.table.resized(max(len(job.table), runs))
            search(job, self._pool)
            self.table = job.table.resized(runs)

    def _pool(self) -> SolverPool:
        make_ready(self.study.game.rule)
        tasks = len(self.study.positions)
        return pools.solver_pool(self.study.valued, self.session.machine, tasks, PROVE_TABLE_MIB)
