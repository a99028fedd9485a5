"""``gpu-wordle rank``: every guess with every statistic, and exact totals of those asked for."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from numpy.typing import NDArray

from gpu_wordle.cli import interrupt, options
from gpu_wordle.cli.console import complain, note, output, progress_bar
from gpu_wordle.errors import JobError, UserError
from gpu_wordle.game.game import Rule
from gpu_wordle.game.word_list import normalise
from gpu_wordle.ranking.ranking import UNKNOWN, Ranking, Status
from gpu_wordle.ranking.statistics import STATISTICS, columns_of, order_by, statistic
from gpu_wordle.report.figures import Figures
from gpu_wordle.report.ranking import RankingTable
from gpu_wordle.report.table import as_csv, as_json, as_rich
from gpu_wordle.solver import SolverPool, by_letters
from gpu_wordle.states.batch import StateBatch
from gpu_wordle.states.partition import PartitionStats
from gpu_wordle.store import files as store

FILETYPE = "gpu-wordle ranking"
CHECKPOINT_VARIABLE = "GPU_WORDLE_CHECKPOINT_S"  # seconds between checkpoints, default:
CHECKPOINT_SECONDS = 20.0
NOTE_SECONDS = 0.5  # between two looks for the best five
TOTAL = "total"
CHUNK = 500  # guesses of about the same promise


def rank(
    by: Annotated[
        str,
        typer.Option(
            help=f"Sort by {TOTAL} (by --objective) or by a statistic: {', '.join(STATISTICS)}. "
            f"If not given: {TOTAL}, or entropy with --exact 0."
        ),
    ] = "",
    exact: Annotated[
        str, typer.Option(help="Guesses to solve exactly: that many of the most promising, or all.")
    ] = "100",
    top: Annotated[int, typer.Option(min=0, help="Rows to print; 0: all.")] = 20,
    out: options.Out = None,
    fresh: options.Fresh = False,
    table_format: options.TableFormat = options.Format.TABLE,
    state: options.StateOption = "",
    without: Annotated[
        str, typer.Option(help="Do not print guesses that use any of these letters.")
    ] = "",
    answers_only: Annotated[
        bool, typer.Option("--answers-only", help="Print only guesses that can be the answer.")
    ] = False,
    guesses: options.Guesses = options.DEFAULT_GUESSES,
    answers: options.Answers = None,
    rule: options.RuleOption = Rule.NORMAL,
    objective: options.ObjectiveOption = options.DEFAULT_OBJECTIVE,
    weights: options.WeightsOption = None,
    max_guesses: options.MaxGuesses = None,
    backend: options.BackendOption = options.BackendName.AUTO,
    threads: options.Threads = None,
    table_size: options.TableSize = None,
    batched: options.Batched = None,
    device_memory: options.DeviceMemory = None,
    json_output: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Rank all first guesses: exact values, proven and verified, and every statistic.

    The N most promising are solved exactly, the others keep their bounds. Of those with which the
    game cannot surely be won in time, the most answers that they can solve are found as well. With
    --out, what is proved is saved as the work goes on; the same command goes on from the file.
    """
    count = _count(exact)
    sort_by = by or (TOTAL if count != 0 else "entropy")
    key = None if sort_by == TOTAL else statistic(sort_by)
    session = options.open_session(
        guesses, answers, rule=rule, objective=objective, weights=weights,
        max_guesses=max_guesses, backend=backend, threads=threads, state=state,
        quiet=quiet,
    )  # fmt: skip
    game, backend_used = session.game, session.choice.backend
    position = session.position
    left = position.state
    partition = session.evaluator.stats(StateBatch.from_sets([left.tolist()], game.answer_count))
    ranking = Ranking.begin(game, position, partition)
    columns = columns_of(game, partition, left, ranking.weighed)
    if key is not None and key.name not in columns:
        raise UserError(f"--by {key.name} needs {key.needs}")
    contents = store.describe(game, FILETYPE, backend_used.name, backend_used.device)
    contents.attributes["state"] = state
    contents.datasets |= store.statistics_datasets(columns)
    job = Job(ranking, contents, out, quiet=quiet)
    job.begin(fresh=fresh)
    todo = _todo(ranking, partition, count)
    job.solve(
        todo,
        lambda: options.batched_pool(
            session, threads, table_size,
            batched=batched, device_memory_mib=device_memory, quiet=quiet,
        ),
    )  # fmt: skip
    job.solve_infeasible(
        todo, lambda lacking: options.failures_pool(game, threads, table_size, lacking, quiet=quiet)
    )

    candidates = np.isin(game.words.answer_of_guess, left)
    order = ranking.openers.order() if key is None else order_by(key, columns, candidates)
    spelled = game.words.guesses.words
    forbidden = set(normalise(without))
    rows = [
        int(g)
        for g in order
        if not forbidden & set(spelled[g]) and (candidates[g] or not answers_only)
    ]
    exact_shown = bool(count != 0 or key is None or ranking.openers.is_solved.any())
    figures = Figures.of(game, position)
    table = RankingTable(
        rows[: top or None], spelled, candidates, columns, ranking.openers, figures
    )
    if json_output or table_format is options.Format.JSON:
        print(as_json(table.all_columns(exact=exact_shown)), end="")
    elif table_format is options.Format.CSV:
        print(as_csv(table.all_columns(exact=exact_shown)), end="")
    else:
        sorted_by = figures.names[0] if key is None else key.name
        title = f"{game.guess_count:,} guesses on {len(left):,} answers, by {sorted_by}"
        if game.objective.title not in (options.DEFAULT_OBJECTIVE, sorted_by):
            title += f" ({game.objective.title})"
        shown = table.columns_for_people(exact=exact_shown, by=sorted_by)
        output().print(as_rich(shown, title=title, by=sorted_by))
    job.save()
    solved = int(ranking.openers.is_solved.sum())
    if out is not None:
        note(f"{game.guess_count:,} guesses in {out}, {solved:,} solved", quiet=quiet)
    if job.is_interrupted:
        complain(f"interrupted; {'the same command goes on from the file' if out else 'not saved'}")
        raise typer.Exit(interrupt.EXIT_CODE)


def _count(exact: str) -> int | None:
    """Number of guesses to solve; None for all."""
    if exact.lower() == "all":
        return None
    if not exact.isdecimal():
        raise UserError(f"--exact {exact!r}: give a number of guesses, or all")
    return int(exact)


def _checkpoint_seconds() -> float:
    text = os.environ.get(CHECKPOINT_VARIABLE, str(CHECKPOINT_SECONDS))
    try:
        return float(text)
    except ValueError:
        raise UserError(f"{CHECKPOINT_VARIABLE}={text}: give a number of seconds") from None


def _todo(ranking: Ranking, partition: PartitionStats, count: int | None) -> NDArray[np.intp]:
    """Guesses in the order in which to solve them: the promising ones first.

    Of guesses that promise about the same, those with the same letters go one after another.
    """
    wanted = ranking.game.guess_count if count is None else count
    chosen = ranking.most_promising(partition, wanted)
    chunks = [chosen[start : start + CHUNK] for start in range(0, len(chosen), CHUNK)]
    ordered = [by_letters(ranking.game, chunk.tolist()) for chunk in chunks]
    return np.array([guess for chunk in ordered for guess in chunk], np.intp)


class Job:
    """A ranking with its file: resume, solve with checkpoints and a live bar, save."""

    def __init__(
        self, ranking: Ranking, contents: store.Contents, out: Path | None, *, quiet: bool
    ) -> None:
        self._ranking = ranking
        self._contents = contents
        self._out = out
        self._quiet = quiet
        self._saved = time.monotonic()
        self._pause = _checkpoint_seconds()
        self.is_interrupted = False

    def begin(self, *, fresh: bool) -> None:
        """Take over what the file has proved, unless ``fresh``, and see that it can be written.

        Raises UserError if the file is of another job, or not one of ours; JobError if it cannot
        be written.
        """
        if self._out is None:
            return
        if fresh:
            store.check_replaceable(self._out)
        elif self._out.exists():
            self._resume(self._out)
        self.save()

    def _resume(self, path: Path) -> None:
        old = store.load(path, FILETYPE)
        store.check_same_game(path, old, self._contents, also=("state",))
        self._ranking.openers = store.read_openers(old)
        self._contents.attributes["created"] = old.attributes["created"]
        solved = int(self._ranking.openers.is_solved.sum())
        note(f"going on from {path}, {solved:,} guesses solved", quiet=self._quiet)

    def solve(self, todo: NDArray[np.intp], make_pool: Callable[[], SolverPool]) -> None:
        """Solve ``todo``, or as many of it as can be until Ctrl-C."""
        done = int(self._ranking.openers.is_solved[todo].sum())
        if done < len(todo):
            pool = make_pool()
            work = self._ranking.solve(todo, pool)
            self._work(work, pool, "solving", len(todo), done, self._best_five)

    def solve_infeasible(
        self, todo: NDArray[np.intp], make_pool: Callable[[int], SolverPool | None]
    ) -> None:
        """Find what the infeasible ones of ``todo`` can solve, unless Ctrl-C has ended the job.

        ``make_pool`` is told of how many that is to be found.
        """
        lacking = int(self._ranking.lacks_solvable[todo].sum())
        if lacking == 0 or self.is_interrupted:
            return
        self._checkpoint()  # nobody listens for Ctrl-C while another pool is made
        pool = make_pool(lacking)
        if pool is not None:
            work = self._ranking.solve_infeasible(todo, pool)
            self._work(work, pool, "infeasible", lacking, 0, self._most_solvable)

    def _work(
        self,
        work: Iterator[int],
        pool: SolverPool,
        name: str,
        total: int,
        done: int,
        best: Callable[[], str],
    ) -> None:
        """Do what the pool was made for, with checkpoints and a live bar, and leave the pool."""
        with (
            pool,
            interrupt.interruptible(pool.stop),
            progress_bar(quiet=self._quiet) as bar,
        ):
            task = bar.add_task(name, total=total, completed=done, note="")
            noted = 0.0
            try:
                for _ in work:
                    if not pool.stop.is_set():  # else the search of this one was cut short
                        bar.advance(task)
                    if time.monotonic() - noted > NOTE_SECONDS:
                        noted = time.monotonic()
                        bar.update(task, note=best())
                    if time.monotonic() - self._saved > self._pause:
                        self._checkpoint()
            except JobError:  # of a device: what was proved by then is kept
                self._checkpoint()
                raise
            self.is_interrupted = pool.stop.is_set()

    def _checkpoint(self) -> None:
        """Save, and if that fails say so and work on: there may be room again at the end."""
        try:
            self.save()
        except JobError as error:
            complain(f"warning: {error}")
            self._saved = time.monotonic()

    def save(self) -> None:
        """Write the file, if there is to be one."""
        if self._out is None:
            return
        openers = self._ranking.openers
        self._contents.datasets |= store.openers_datasets(openers, self._ranking.game)
        store.save(self._out, self._contents)
        self._saved = time.monotonic()

    def _best_five(self) -> str:
        openers, words = self._ranking.openers, self._ranking.game.words.guesses.words
        best = [g for g in openers.order()[:5] if openers.status[g] == Status.EXACT]
        figures = Figures.of(self._ranking.game, self._ranking.position)
        values = ((words[g].upper(), int(openers.upper[g])) for g in best)
        return "best " + ", ".join(f"{word} {figures.short(value)}" for word, value in values)

    def _most_solvable(self) -> str:
        openers, words = self._ranking.openers, self._ranking.game.words.guesses.words
        figures = Figures.of(self._ranking.game, self._ranking.position)
        solvable = np.where(openers.status == Status.INFEASIBLE, openers.solvable, UNKNOWN)
        guess = int(solvable.argmax())
        return f"most {words[guess].upper()} {figures.scaled(int(solvable[guess])):,}"
