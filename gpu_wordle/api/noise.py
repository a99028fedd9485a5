"""Noise experiments, wired to what they run on, and as users hold them."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import nullcontext
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gpu_wordle.api import pools
from gpu_wordle.api.functions import SIGNALS, pools_of, raise_if_interrupted
from gpu_wordle.api.games import Game, position_of
from gpu_wordle.api.given import takes
from gpu_wordle.api.rows import as_pandas, write_csv
from gpu_wordle.api.session import Machine, Session, open_session
from gpu_wordle.errors import UserError, counted
from gpu_wordle.experiments.noise.job import Heard, NoiseJob, Progress
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
from gpu_wordle.experiments.noise.ready import make_ready
from gpu_wordle.experiments.noise.study import NoiseStudy
from gpu_wordle.experiments.noise.table import NoiseTable, Optimum
from gpu_wordle.options.reading import one_of
from gpu_wordle.options.telling import Heard as HeardByUsers
from gpu_wordle.options.telling import Progress as ProgressOfUsers
from gpu_wordle.ranking.ending import Ending, Reason
from gpu_wordle.report.noise import KEYS, describe_noise
from gpu_wordle.report.table import columns_of
from gpu_wordle.solver import SolverPool
from gpu_wordle.store.noise_files import NoiseFile
from gpu_wordle.tunables import PROVE_TABLE_MIB

if TYPE_CHECKING:
    import pandas as pd

DEFAULT_LEVELS = ("0.05", "0.1", "0.2", "0.3", "0.5", "1", "2", "3", "5", "10", "20", "30")
"""Percentages."""

DEFAULT_OPENER = "salet"
DEFAULT_RUNS = 25
MAX_LEVELS = 100


def read_levels(given: Sequence[str | float]) -> tuple[Fraction, ...]:
    """Levels in ascending order; UserError for what is none, or named twice."""
    levels = sorted(read_level(each) for each in given)
    if not levels or len(levels) > MAX_LEVELS:
        raise UserError(f"{counted(len(levels), 'level')}; give 1 to {MAX_LEVELS}")
    if len(set(levels)) < len(levels):
        raise UserError("a level is given twice; give each once")
    return tuple(levels)


MAX_NOISY_ANSWERS = 5_000
"""With more, perturbed totals might not fit in 64 bits."""


def on_threads(machine: Machine) -> Machine:
    """The machine of an experiment: ``auto`` is the CPU; UserError for a device."""
    if machine.backend == "cuda":
        raise UserError("backend cuda: noise runs on CPU threads; leave it out, or name cpu")
    return replace(machine, backend="cpu") if machine.backend == "auto" else machine


class NoiseWork:
    """An experiment and its job.

    Args:
        session: the start of a game.
        model: what is drawn and perturbed.
        opener: the first guess.
        levels: the levels.
        runs: how many runs.

    Raises UserError for what cannot be searched.
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
        for level in levels:
            model.check(level)
        session.position.check_legal(opener)
        self.session = session
        self.runs = runs
        self.study = NoiseStudy(game, model, opener, levels)
        self._job: NoiseJob | None = None

    def run(
        self,
        out: Path | None,
        ending: Ending,
        heard: Heard = lambda progress: None,
        *,
        fresh: bool = False,
    ) -> None:
        """Do the job: go on from the file, search, and save."""
        file = None
        if out is not None:
            backend = self.session.choice.backend
            file = NoiseFile(out, self.study, backend.name, backend.device)
        with nullcontext() if file is None else file.held():
            self._job = NoiseJob(self.study, self.runs, file, ending, heard)
            self._job.begin(fresh=fresh)
            self._job.run(self._pool)

    @property
    def table(self) -> NoiseTable:
        """The runs, as many as were asked for."""
        assert self._job is not None, "the job runs before its runs are looked at"
        return self._job.table.resized(self.runs)

    @property
    def optimum(self) -> Optimum | None:
        """What they are compared with; None after an end before it was known."""
        assert self._job is not None, "the job runs before its runs are looked at"
        return self._job.optimum

    def _pool(self) -> SolverPool:
        make_ready(self.study.game.rule)
        tasks = len(self.study.positions)
        return pools.solver_pool(self.study.valued, self.session.machine, tasks, PROVE_TABLE_MIB)


class NoiseRuns:
    """What policies come to that trust noisy values: a row for each level and run.

    To iterate goes through the rows, level by level. A row is a dictionary: level_percent, run,
    total, mean, distribution, worst, lost, exact_total, gap and first_departure_percent.
    """

    def __init__(self, _work: NoiseWork, _reason: Reason | None = None) -> None:
        self._work = _work
        self._reason = _reason

    @cached_property
    def _rows(self) -> list[dict[str, Any]]:
        return describe_noise(self._work.table, self._work.optimum)

    def __len__(self) -> int:
        return len(self._rows)

    def __getitem__(self, row: int) -> dict[str, Any]:
        return self._rows[row]

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self._rows)

    def __repr__(self) -> str:
        return f"NoiseRuns({self._work.table}, {counted(len(self), 'row')})"

    @property
    def is_complete(self) -> bool:
        """Whether every run is searched, and the job did not end early."""
        return bool(self._work.table.is_done.all())

    @property
    def bound_percent(self) -> float | None:
        """The level below which the theorem rules out any loss; None if nothing is ever lost."""
        optimum = self._work.optimum
        level = None if optimum is None else optimum.safe_level(self._work.study)
        return None if level is None else float(100 * level)

    @takes()
    def to_csv(self, path: str | Path) -> None:
        """Write the rows as CSV; JobError if that cannot be done."""
        write_csv(path, columns_of(self._rows, KEYS))

    def to_pandas(self) -> pd.DataFrame:
        """The rows as a table of pandas; UserError if that is not installed."""
        return as_pandas(columns_of(self._rows, KEYS))


@takes(
    kind=one_of(Kind),
    small=one_of(Small),
    limit=one_of(Limit),
    draws=one_of(Draws),
    per=one_of(Per),
    after=one_of(After),
)
def noise(
    game: Game,
    opener: str = DEFAULT_OPENER,
    *,
    depth: int = 3,
    levels: Sequence[str | float] = DEFAULT_LEVELS,
    runs: int = DEFAULT_RUNS,
    seed: int = 0,
    kind: str = "uniform",
    small: str = "noisy",
    limit: str = "kept",
    draws: str = "state",
    per: str = "value",
    after: str = "optimal",
    out: str | Path | None = None,
    fresh: bool = False,
    progress: HeardByUsers | None = None,
    time_limit: float | None = None,
    stop: threading.Event | None = None,
    backend: str = "auto",
    threads: int | None = None,
    executor: Executor | None = None,
) -> NoiseRuns:
    """Perturb the values of states, find the policies that are best for them, and play those.

    Args:
        game: what is played, whose objective is the mean and whose answers are equally likely.
        opener: the first guess.
        depth: guesses made, the opener among them, when values are perturbed; 1 to 5.
        levels: percentages, of four decimals at most.
        runs: how often everything is drawn anew.
        seed: seed of all draws.
        kind: how they are distributed: ``uniform``, ``gaussian`` or ``one-sided``.
        small: which of the smallest states are noisy: ``noisy``, all; ``exact``, none of one or
            two answers; ``singles-exact``, none of one answer.
        limit: whether values know the guess limit: ``kept`` or ``dropped``.
        draws: one for each ``state``, or for each ``visit``, told by the states before it.
        per: what levels are percentages of: the ``value`` of a state, one guess for each
            ``answer`` of it, or one guess for the ``state``.
        after: how play goes on after the noisy depth: ``optimal``, or ``noisy``.
        out: HDF5 file for every run; the same call goes on from it.
        fresh: whether to replace the file instead.
        progress: called as states are searched.
        time_limit: seconds; no end if not given.
        stop: what another thread sets to end the job.
        backend: as for :func:`solve`, but not ``cuda``: the search runs on CPU threads.
        threads: as for :func:`solve`.
        executor: as for :func:`rank`.

    After an early end there are the runs that were done by then. Ctrl-C saves the file, if there is
    to be one, and raises KeyboardInterrupt.
    Raises UserError for options out of range, for an opener that cannot surely win within the guess
    limit that is kept, and if the file is of another job; JobError if it cannot be written.
    """
    inner = position_of(game).game
    machine = on_threads(Machine(backend, threads, pools=pools_of(executor)))
    session = open_session(inner.start(), machine)
    model = NoiseModel(
        depth, seed, Kind(kind), Small(small), Limit(limit), Draws(draws), Per(per), After(after)
    )
    first = inner.words.guesses.find(opener)
    work = NoiseWork(session, model, first, read_levels(levels), runs)
    ending = Ending(time_limit, stop, SIGNALS)
    work.run(None if out is None else Path(out), ending, _heard(progress), fresh=fresh)
    raise_if_interrupted(ending)
    return NoiseRuns(work, ending.reason)


def _heard(progress: HeardByUsers | None) -> Callable[[Progress], None]:
    """What tells a caller how far the search has come, if that was asked for."""
    if progress is None:
        return lambda event: None
    told = progress

    def tell(event: Progress) -> None:
        told(ProgressOfUsers("searching", event.done, event.total, ()))

    return tell
