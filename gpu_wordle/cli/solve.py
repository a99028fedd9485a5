"""``gpu-wordle solve``: exact totals of openers, or the best next guess of a state."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from gpu_wordle.backends.cpu.backend import available_cores
from gpu_wordle.cli import interrupt, options
from gpu_wordle.cli.console import complain, note, output, progress_bar
from gpu_wordle.errors import UserError
from gpu_wordle.game.game import Game, Position, Rule
from gpu_wordle.game.values import INFEASIBLE
from gpu_wordle.report.figures import Figures, figure_columns, number_column
from gpu_wordle.report.table import Column, as_rich
from gpu_wordle.solver import SolveResult, SolverPool
from gpu_wordle.states.tree import show
from gpu_wordle.store.tree_files import check_suffix, save_tree
from gpu_wordle.verify import Verdict, Verifier

TABLE_MIB = 32  # plenty for some openers; the first touch of 128 takes longer than to solve SALET


def solve(
    openers: Annotated[
        list[str] | None, typer.Argument(help="First guesses; with --state, next guesses.")
    ] = None,
    state: options.StateOption = "",
    tree: Annotated[
        Path | None, typer.Option(help="Write the strategy to this .txt, .json or .h5 file.")
    ] = None,
    budget: Annotated[
        int | None, typer.Option(min=1, help="Most states to expand for each guess.")
    ] = None,
    guesses: options.Guesses = options.DEFAULT_GUESSES,
    answers: options.Answers = None,
    rule: options.RuleOption = Rule.NORMAL,
    objective: options.ObjectiveOption = options.DEFAULT_OBJECTIVE,
    weights: options.WeightsOption = None,
    max_guesses: options.MaxGuesses = None,
    threads: options.Threads = None,
    table_size: options.TableSize = None,
    json_output: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Solve openers exactly; or, with --state and no opener, find the best next guess.

    Every value is proven by search, and every strategy is replayed against all answers by an
    independent checker before it is shown. Of an opener that cannot surely win in time, the most
    answers that it can solve are shown.
    """
    if not openers and not state:
        raise UserError("name an opener, or a --state; to find the best opener, use prove")
    if tree is not None:
        check_suffix(tree)
        if openers and len(openers) > 1:
            raise UserError("--tree writes one strategy; name one opener")
    session = options.open_session(
        guesses, answers, rule=rule, objective=objective, weights=weights,
        max_guesses=max_guesses, backend="cpu", threads=threads, state=state,
    )  # fmt: skip
    game, position = session.game, session.position
    left = position.state
    tasks: list[int | None] = [game.words.guesses.find(word) for word in openers or ()]
    for guess in tasks:
        if guess is not None:
            position.check_legal(guess)
    tasks = tasks or [None]
    table_mib = table_size or TABLE_MIB
    busy = min(threads or available_cores(), len(tasks))
    results, interrupted = _solve_all(
        options.solver_pool(game, busy, table_mib, quiet=quiet),
        position,
        tasks,
        budget,
        quiet=quiet,
    )
    infeasible = [guess for guess, result in results.items() if result.is_infeasible]
    lossy: dict[int | None, SolveResult] = {}
    if infeasible and not interrupted:
        busy = min(busy, len(infeasible))
        pool = options.failures_pool(game, busy, table_mib, len(infeasible), quiet=quiet)
        if pool is not None:
            failing = position.allowing_failures()
            lossy, interrupted = _solve_all(pool, failing, infeasible, budget, quiet=quiet)
    described = [
        describe(game, position, guess, results[guess], lossy.get(guess))
        for guess in tasks
        if guess in results
    ]
    if json_output:
        print(json.dumps(described, indent=1))
    else:
        _print(game, position, described, results.get(tasks[0]))
    first = results.get(tasks[0])
    if tree is not None and first is not None and first.tree is not None:
        save_tree(tree, first.tree, game, left, state)
        note(f"strategy written to {tree}", quiet=quiet)
    if interrupted:
        complain("interrupted; what is shown was proved by then")
        raise typer.Exit(interrupt.EXIT_CODE)


def _solve_all(
    pool: SolverPool,
    position: Position,
    tasks: list[int | None],
    budget: int | None,
    *,
    quiet: bool,
) -> tuple[dict[int | None, SolveResult], bool]:
    """Results of guesses, or of the best one for None; and whether Ctrl-C cut the work short.

    The pool is left.
    """
    results: dict[int | None, SolveResult] = {}
    with pool, interrupt.interruptible(pool.stop), progress_bar(quiet=quiet) as bar:
        shown = bar.add_task("solving", total=len(tasks), note="")
        solving = pool.map(
            lambda solver, guess: solver.solve(position, guess, budget=budget, tree=True),
            tasks,
        )
        for guess, result in solving:
            results[guess] = result
            bar.advance(shown)
        return results, pool.stop.is_set()


def describe(
    game: Game,
    position: Position,
    guess: int | None,
    result: SolveResult,
    lossy: SolveResult | None = None,
) -> dict[str, Any]:
    """One result as plain values; the strategy is verified on the way.

    ``lossy`` is that of an infeasible guess where answers may be lost, if it is known.
    """
    words = game.words.guesses.words
    verdict = best = replay(game, position, result)
    if lossy is not None:
        best = replay(game.allowing_failures(), position, lossy)
    work = [result.stats] if lossy is None else [result.stats, lossy.stats]
    if result.tree is not None:
        guess = int(result.tree.guess[0])
    figures = Figures.of(game, position)
    named: dict[str, Any] = dict.fromkeys(figures.names)
    value = result.upper if result.is_exact and not result.is_infeasible else None
    if value is not None:
        named |= figures.named(value, None if verdict is None else verdict.weight_distribution)
    worst = named.pop("worst", None)
    return {
        "opener": None if guess is None else words[guess],
        **figures.asked(value),
        **named,
        "lower": None if result.lower >= INFEASIBLE else result.lower,
        "upper": None if result.upper >= INFEASIBLE else result.upper,
        "exact": result.is_exact,
        "infeasible": result.is_infeasible,
        "solvable": best and figures.scaled(int(best.weight_distribution.sum())),
        "worst": verdict.worst if verdict else worst,
        "distribution": verdict and verdict.distribution.tolist(),
        "height": result.tree and result.tree.height,
        "expanded": sum(stats.expanded for stats in work),
        "seconds": round(sum(stats.seconds for stats in work), 6),
    }


def replay(game: Game, position: Position, result: SolveResult) -> Verdict | None:
    """What the strategy, if there is one, was seen to do."""
    if result.tree is None:
        return None
    return Verifier(game.words, game.objective).check(
        result.tree,
        position.state,
        rule=game.rule,
        turns=position.turns,
        claimed=result.upper,
    )


def _print(
    game: Game, position: Position, described: list[dict[str, Any]], first: SolveResult | None
) -> None:
    console = output()
    state = position.state
    figures = Figures.of(game, position)
    columns = figure_columns(figures, [_cells(figures, row) for row in described])
    if "worst" not in figures.names:
        columns.append(Column("worst", [d["worst"] for d in described]))
    if any(d["infeasible"] for d in described):
        columns.append(number_column("solvable", [d["solvable"] for d in described]))
    columns = [
        Column("guess", [d["opener"] for d in described]),
        *columns,
        Column(
            "distribution",
            [" ".join(map(str, d["distribution"] or ["-"])) for d in described],
            heading="found on\nturn 1 2 ...",
        ),
        Column("expanded", [d["expanded"] for d in described]),
        Column("seconds", [d["seconds"] for d in described], 3),
    ]
    title = f"{len(state):,} answer{'s' * (len(state) > 1)} possible"
    if not game.objective.is_default:
        title += f", {game.objective.title}"
    console.print(as_rich(columns, title=title))
    if len(described) == 1 and first is not None and first.tree is not None and len(state) <= 60:
        console.print(show(first.tree, game.words, depth=6), highlight=False)


def _cells(figures: Figures, described: dict[str, Any]) -> dict[str, Any]:
    """The figures of one row: known, or an interval of the first that is not."""
    first = figures.names[0]
    if described["infeasible"]:
        return {first: "infeasible"}
    if described["exact"]:
        return {name: described[name] for name in figures.names}
    upper = INFEASIBLE if described["upper"] is None else described["upper"]
    return dict(figures.interval(described["lower"], upper))
