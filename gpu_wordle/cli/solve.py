"""``gpu-wordle solve``: exact totals of openers, or the best next guess of a state."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from gpu_wordle.api import jobs
from gpu_wordle.api.certifying import certify_opener
from gpu_wordle.api.pairs import solve_fixed
from gpu_wordle.cli import certifying, console, options
from gpu_wordle.cli.blocks import with_blocks
from gpu_wordle.cli.printing import show
from gpu_wordle.errors import UserError
from gpu_wordle.game.game import Position
from gpu_wordle.ranking.solving import Question, Solved
from gpu_wordle.report.document import Document, envelope
from gpu_wordle.report.pairs import describe_fixed, fixed_for_people
from gpu_wordle.report.solved import describe, solved_table
from gpu_wordle.report.table import columns_of
from gpu_wordle.solver.ready import make_ready
from gpu_wordle.states.tree import show as spelled
from gpu_wordle.store import check_writable, save_tree

MAX_LISTED = 60
"""Answers up to which the strategy is shown beside its value."""


@with_blocks
def solve(
    game: options.GameOptions,
    output: options.OutputOptions,
    machine: options.SearchOptions,
    openers: Annotated[
        list[str] | None, typer.Argument(help="First guesses; with --state, next guesses.")
    ] = None,
    fixed: Annotated[
        bool,
        typer.Option(
            "--fixed",
            help="Make all these guesses in their order, whatever the feedback; then play best.",
            rich_help_panel=options.AIM,
        ),
    ] = False,
    tree: Annotated[
        Path | None,
        typer.Option(
            help="Write the strategy to this .txt, .json or .h5 file.",
            rich_help_panel=options.OUTPUT,
        ),
    ] = None,
    certificate: certifying.CertificateFile = None,
    budget: Annotated[
        int | None,
        typer.Option(
            parser=options.whole(1),
            metavar=options.INTEGER,
            help="Most states to expand for each guess.",
            rich_help_panel=options.MACHINE,
        ),
    ] = None,
    time_limit: options.TimeLimit = None,
) -> None:
    """Solve openers exactly; or, with --state and no opener, find the best next guess.

    Every value is proven by search, and every strategy is replayed against all answers by an
    independent checker before it is shown. Of an opener that cannot surely win in time, the most
    answers that it can solve are shown.
    """
    console.listen(quiet=output.quiet)
    words = openers or []
    _check(words, game.state, tree, certificate, fixed=fixed)
    console.compile_first(partial(make_ready, game.rule), quiet=output.quiet)
    ending = console.ending_of(time_limit)
    with ending.preparing(), console.Bar("solving", quiet=output.quiet) as bar:
        opened = game.open(machine)
        position = opened.position
        certifying.check_position(certificate, position)
        if fixed:
            guesses = [position.game.words.guesses.find(word) for word in words]
            solved = [solve_fixed(opened, guesses, ending, budget, bar.show)]
            described = [describe_fixed(guesses, solved[0])]
        else:
            tasks: list[Question] = [*jobs.find_guesses(position, words)] or [None]
            solved = jobs.solve(opened, tasks, ending, budget, bar.show)
            described = [describe(each) for each in solved]

    def save() -> None:
        _save(tree, position, solved, quiet=output.quiet)
        if certificate is not None and solved:
            make = partial(certify_opener, opened, solved[0])
            certifying.write(make, certificate, ending, quiet=output.quiet)

    answer = described[0] if fixed else {}
    show(
        lambda: Document(envelope("solve", position), answer, columns_of(described)),
        output.format,
        lambda: _print(position, fixed_for_people(described) if fixed else described, solved),
        save=save,
    )
    console.exit_early(ending, "what is shown was proved by then")


def _check(
    openers: Sequence[str], state: str, tree: Path | None, certificate: Path | None, *, fixed: bool
) -> None:
    """UserError if nothing is asked, or one file is to hold several strategies."""
    if fixed and len(openers) < 2:
        raise UserError("--fixed makes guesses one after the other; name two of them or more")
    if not openers and not state:
        raise UserError("name an opener, or a --state; to find the best opener, use prove")
    if tree is not None:
        check_writable(tree)
        if len(openers) > 1 and not fixed:
            raise UserError("--tree writes one strategy; name one opener")
    if certificate is not None:
        certifying.check_file(certificate)
        if len(openers) != 1:
            raise UserError("--certificate is of one opener; name one, or use prove")


def _save(tree: Path | None, position: Position, solved: Sequence[Solved], *, quiet: bool) -> None:
    """Write the strategy of a single result, if it is asked for and there is one."""
    strategy = solved[0].result.tree if len(solved) == 1 else None
    if tree is not None and strategy is not None:
        save_tree(tree, strategy, position)
        console.note(f"strategy written to {tree}", quiet=quiet)


def _print(position: Position, described: list[dict[str, Any]], solved: Sequence[Solved]) -> None:
    """Print a table, and the strategy of a single result on few answers."""
    printed = console.output()
    printed.print(solved_table(position, described))
    if len(solved) != 1 or len(position.state) > MAX_LISTED:
        return
    tree = solved[0].result.tree
    if tree is not None:
        printed.print(spelled(tree, position.game.words, depth=6), highlight=False)
