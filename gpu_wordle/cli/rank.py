"""``gpu-wordle rank``: every guess with every statistic, and exact totals of those asked for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Annotated

import typer

from gpu_wordle.api import pools, session
from gpu_wordle.api.jobs import RankingWork
from gpu_wordle.cli import console, options
from gpu_wordle.cli.blocks import with_blocks
from gpu_wordle.cli.cluster import ClusterOptions
from gpu_wordle.cli.printing import show
from gpu_wordle.errors import UserError, counted, quoted
from gpu_wordle.game.numbers import natural_number
from gpu_wordle.game.spelling import capitals, normalise
from gpu_wordle.ranking.job import INFEASIBLE, Progress
from gpu_wordle.ranking.shards import Shard
from gpu_wordle.ranking.statistics import ALIASES, BY_KEY
from gpu_wordle.report.document import Document, envelope
from gpu_wordle.report.figures import Figures
from gpu_wordle.report.outcome import run_job
from gpu_wordle.report.ranking import SORTABLE, TOTAL, VALUED, RankingTable, sort_key
from gpu_wordle.report.table import FittedTable
from gpu_wordle.solver.ready import make_ready
from gpu_wordle.store.form import RANKING

DEFAULT_EXACT = "100"


def complete_columns(incomplete: str) -> list[str]:
    """What to sort by that begins so."""
    return [name for name in (*SORTABLE, *ALIASES) if name.startswith(incomplete)]


@dataclass(frozen=True)
class RowOptions:
    """Which rows are printed, and in which order."""

    by: Annotated[
        str,
        typer.Option(
            help=f"Sort by {TOTAL} (by --objective), a statistic ({', '.join(BY_KEY)}) or any "
            f"other column ({', '.join(('opener', 'is_candidate', *VALUED))}). "
            f"If not given: {TOTAL}, or entropy_bits with --exact 0.",
            autocompletion=complete_columns,
            rich_help_panel=options.OUTPUT,
        ),
    ] = ""
    top: options.Top = 20
    without: Annotated[
        str,
        typer.Option(
            help="Do not print guesses that use any of these letters.",
            rich_help_panel=options.OUTPUT,
        ),
    ] = ""
    answers_only: Annotated[
        bool,
        typer.Option(
            "--answers-only",
            help="Print only guesses that can be the answer.",
            rich_help_panel=options.OUTPUT,
        ),
    ] = False

    def chosen(self, table: RankingTable) -> RankingTable:
        """The rows to print."""
        forbidden = set(normalise(self.without))
        rows = [
            g
            for g in table.rows
            if not forbidden & set(table.words[g])
            and (table.candidates[g] or not self.answers_only)
        ]
        return replace(table, rows=rows[: self.top or None])


@with_blocks
def rank(
    game: options.GameOptions,
    rows: RowOptions,
    output: options.OutputOptions,
    machine: options.SearchOptions,
    cluster: ClusterOptions,
    exact: Annotated[
        str,
        typer.Option(
            help="Guesses to solve exactly: that many of the most promising, or all.",
            rich_help_panel=options.AIM,
        ),
    ] = DEFAULT_EXACT,
    shard: Annotated[
        str | None,
        typer.Option(
            metavar="NUMBER/COUNT",
            help="Solve one part of them, as in 3/12; gpu-wordle merge puts parts together.",
            rich_help_panel=options.AIM,
        ),
    ] = None,
    out: options.Out = None,
    fresh: options.Fresh = False,
    time_limit: options.TimeLimit = None,
) -> None:
    """Rank all first guesses: exact values, proven and verified, and every statistic.

    The N most promising are solved exactly, the others keep their bounds. Of those with which the
    game cannot surely be won in time, the most answers that they can solve are found as well. With
    --out, what is proved is saved as the work goes on; the same command goes on from the file.
    """
    console.listen(quiet=output.quiet)
    options.check_file(out, RANKING, fresh=fresh)
    count = _count(exact)
    part = None if shard is None else Shard.parse(shard)
    if part is not None and out is None:
        raise UserError("a shard is kept to be merged with the others; name its file with --out")
    by = sort_key(rows.by or (TOTAL if count != 0 else "entropy_bits"))
    if count != 0:
        console.compile_first(partial(make_ready, game.rule, statistics=True), quiet=output.quiet)
    ending = console.ending_of(time_limit)
    with (
        cluster.crew(quiet=output.quiet) as crew,
        ending.preparing(),
        console.Bar("solving", quiet=output.quiet) as bar,
    ):
        bar.workers = crew and crew.roster
        work = RankingWork(pools.with_crew(game.open(machine), crew))
        work.table().check(by)
        tell = _shown(bar, work.session)
        unsaved = run_job(partial(work.run, count, out, ending, tell, fresh=fresh, shard=part))
    openers = work.ranking.openers
    has_values = bool(count != 0 or by not in BY_KEY or openers.is_solved.any())
    table = rows.chosen(work.table().sorted_by(by))
    show(
        lambda: Document(envelope("rank", work.session.position), columns=table.all_columns()),
        output.format,
        lambda: console.output().print(_for_people(table, by, work.session, has_values)),
        unsaved=unsaved,
    )
    solved = int(openers.is_solved.sum())
    if out is not None:
        guesses = counted(work.session.game.guess_count, "guess", "guesses")
        told = f"{guesses} in {out}, {solved:,} solved"
        console.note(told, quiet=output.quiet)
    kept = "the same command goes on from the file" if out else "not saved"
    console.exit_early(ending, kept)


def _count(exact: str) -> int | None:
    """Number of guesses to solve; None for all."""
    if exact.lower() == "all":
        return None
    count = natural_number(exact)
    if count is None:
        raise UserError(f"--exact {quoted(exact)}: give a number of guesses, or all")
    return count


def _shown(bar: console.Bar, opened: session.Session) -> Callable[[Progress], None]:
    """What shows how far the job has come, with the best guesses so far."""
    words = opened.game.words.guesses.words
    figures = Figures.of(opened.game, opened.position)

    def show(event: Progress) -> None:
        if event.phase == INFEASIBLE:
            best = "".join(
                f"most {capitals(words[g])} {figures.scaled(v):,}" for g, v in event.best
            )
        else:
            named = (f"{capitals(words[g])} {figures.short(v)}" for g, v in event.best)
            best = "best " + ", ".join(named)
        bar.show(event.done, event.total, best, event.phase)

    return show


def _for_people(
    table: RankingTable, key: str, opened: session.Session, has_values: bool
) -> FittedTable:
    """The rows under a title."""
    game = opened.game
    by = table.figures.names[0] if key == TOTAL else key
    guesses = counted(game.guess_count, "guess", "guesses")
    title = f"{guesses} on {counted(len(opened.position.state), 'answer')}, by {by}"
    if game.objective.title not in (options.DEFAULT_OBJECTIVE, by):
        title += f" ({game.objective.title})"
    return table.for_people(exact=has_values, by=by, title=title)
