"""``gpu-wordle compare``: strategies side by side, and what predicts the exact value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import numpy as np
import typer

from gpu_wordle.api import jobs, session, studies
from gpu_wordle.cli import console, options
from gpu_wordle.cli.blocks import with_blocks
from gpu_wordle.cli.printing import show
from gpu_wordle.cli.simulate import PLAY, PlayOptions, complete_strategies
from gpu_wordle.errors import JobError, UserError, counted, quoted
from gpu_wordle.experiments import compare as experiment
from gpu_wordle.experiments.compare import Compared, Pairs
from gpu_wordle.experiments.predict import predict
from gpu_wordle.game.numbers import natural_number
from gpu_wordle.game.spelling import capitals
from gpu_wordle.ranking.ending import Ending, Reason
from gpu_wordle.report import compared as report
from gpu_wordle.report.document import Document, envelope
from gpu_wordle.report.table import columns_of
from gpu_wordle.solver import Stop
from gpu_wordle.solver.ready import make_greedy_ready
from gpu_wordle.strategies.named import make_strategy
from gpu_wordle.strategies.positions import Positions

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ALL_PAIRS = 0
"""Stands for every start with every answer."""
DEFAULT_PAIRS = 5000
MAX_PAIRS = 10_000_000


def pairs_of(text: str | int) -> int:
    """The number of pairs that ``--pairs`` asks for, ALL_PAIRS for ``all``."""
    if isinstance(text, int):
        return text
    if text.strip().lower() == "all":
        return ALL_PAIRS
    number = natural_number(text)
    if number is None or not 1 <= number <= MAX_PAIRS:
        raise typer.BadParameter(
            f"{quoted(text)} is no number of pairs; give one from 1 to {MAX_PAIRS:,}, or all"
        )
    return number


@dataclass(frozen=True)
class PairOptions:
    """Which games are compared."""

    starts: Annotated[
        list[str] | None,
        typer.Option(
            "--opener",
            help="First guess of the games, as often as you like; if not given, any.",
            rich_help_panel=PLAY,
        ),
    ] = None
    target: Annotated[
        str | None,
        typer.Option(help="Hidden answer of the games; if not given, any.", rich_help_panel=PLAY),
    ] = None
    pairs: Annotated[
        int,
        typer.Option(
            parser=pairs_of,
            metavar="NUMBER|all",
            help="Pairs of first guess and answer to draw by --seed; all: every one.",
            rich_help_panel=PLAY,
        ),
    ] = DEFAULT_PAIRS

    def drawn(self, opened: session.Session, seed: int) -> Pairs:
        """The pairs that are asked for; with first guesses and an answer named, just those."""
        position = opened.position
        if self.starts:
            first = np.array(jobs.find_guesses(position, self.starts), np.int32)
        else:
            first = np.flatnonzero(position.choices).astype(np.int32)
        if self.target is None:
            if self.pairs == ALL_PAIRS:
                return experiment.all_pairs(opened.game, first)
            return experiment.random_pairs(opened.game, first, self.pairs, seed)
        answer = opened.game.words.answers.find(self.target)
        return Pairs(np.sort(first), np.full(len(first), answer))


@with_blocks
def compare(
    game: options.RuleOptions,
    play: PlayOptions,
    asked: PairOptions,
    output: options.OutputOptions,
    machine: options.MachineOptions,
    picture: options.PlotOptions,
    compared: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[STRATEGY...]",
            help="Two or more; if not given, statistics are compared with the exact totals.",
            autocompletion=complete_strategies,
        ),
    ] = None,
    simulations: Annotated[
        list[Path] | None,
        typer.Option(
            help="File of simulate, HDF5 or CSV, as often as you like; its totals are compared "
            "with the exact ones as statistics are.",
            rich_help_panel=options.OUTPUT,
        ),
    ] = None,
    time_limit: options.TimeLimit = None,
) -> None:
    """Compare the games of strategies; or, without any, what statistics say of the exact totals.

    Two games are the same if they have the same guesses all along. Ctrl-C and --time-limit end the
    games early, and what was played by then is compared.
    """
    console.listen(quiet=output.quiet)
    game.refuse_turns("compare plays whole games")
    if compared and simulations:
        raise UserError("--simulations goes with statistics; leave the strategies out")
    if not compared:
        if time_limit is not None:
            raise UserError("--time-limit goes with strategies; statistics take a moment")
        _compare_statistics(game, play, output, machine, simulations or [], picture)
        return
    if len(set(compared)) < 2 or len(set(compared)) < len(compared):
        named = " ".join(compared)
        raise UserError(f"{quoted(named)}: name two strategies or more, each once")
    console.compile_first(make_greedy_ready, quiet=output.quiet)
    ending = console.ending_of(time_limit)
    with ending.preparing(), console.Bar("opening the game", quiet=output.quiet):
        opened = play.open(game, machine)
    _compare_games(opened, play, output, compared, asked, ending, picture)


def _compare_games(
    opened: session.Session,
    play: PlayOptions,
    output: options.OutputOptions,
    names: Sequence[str],
    asked: PairOptions,
    ending: Ending,
    picture: options.PlotOptions,
) -> None:
    """Play the pairs by each strategy, and print how they fell out."""
    strategies = [make_strategy(name, opened.game, play.choice) for name in names]
    chosen = asked.drawn(opened, play.seed)
    start, whole, stop = Positions.of(opened.position, opened.evaluator), len(chosen), Stop()
    with console.Bar("playing", quiet=output.quiet) as bar, ending.of(stop):
        seen = experiment.compare(
            strategies, start, chosen, lambda played: bar.show(played, whole), stop
        )
    told = f"{seen.games:,} of {whole:,} pairs are played"
    if seen.games == 0:
        if ending.reason is Reason.TIME_LIMIT:
            raise JobError("out of time before pairs were played; give a longer --time-limit")
        console.exit_early(ending, told)
    lines = None
    if whole == 1:
        lines = {s.name: experiment.line(s, start, chosen) for s in strategies}
    columns = columns_of(report.compared_rows(seen), report.PAIR_KEYS)
    answer = report.describe_compared(seen, lines)

    def figure() -> Figure:
        from gpu_wordle.report.compared_plot import draw_compared

        return draw_compared(seen)

    show(
        lambda: Document(envelope("compare", opened.position), answer, columns),
        output.format,
        lambda: _print_games(seen, lines or {}),
        save=picture.drawing(figure, quiet=output.quiet),
    )
    console.exit_early(ending, told)


def _print_games(seen: Compared, lines: Mapping[str, Sequence[str]]) -> None:
    """Print how pairs fell out, and the games of a single one."""
    printed = console.output()
    printed.print(f"{counted(seen.games, 'pair')} of first guess and answer")
    for line in report.compared_lines(seen):
        printed.print(line, soft_wrap=True)
    for name, made in lines.items():
        printed.print(f"{name}: {capitals(' '.join(made))}", soft_wrap=True)
    printed.print(report.compared_table(seen))


def _compare_statistics(
    game: options.RuleOptions,
    play: PlayOptions,
    output: options.OutputOptions,
    machine: options.MachineOptions,
    simulations: Sequence[Path],
    picture: options.PlotOptions,
) -> None:
    """Rank all openers by each statistic, and print what that says of their exact totals."""
    with console.Bar("counting", quiet=output.quiet):
        opened = play.open(game, machine)
        words = opened.game.words
        totals, is_known = studies.exact_totals(opened.game)
        found = predict(
            studies.predictors(opened, simulations), totals, is_known, words.answer_of_guess >= 0
        )
    spelled = words.guesses.words
    least = totals[is_known].min()
    best = [spelled[g] for g in np.flatnonzero(is_known & (totals == least))]
    known = int(is_known.sum())

    def for_people() -> None:
        printed = console.output()
        printed.print(
            f"{counted(known, 'opener')} by their exact totals; "
            f"the least is {least:,}, of {capitals(' '.join(best))}"
        )
        printed.print(report.prediction_table(found, spelled))

    def figure() -> Figure:
        from gpu_wordle.report.compared_plot import draw_predictions

        return draw_predictions(found, totals, is_known)

    answer = {"exact_openers": known, "best": best}
    columns = columns_of(report.prediction_rows(found, spelled), report.PREDICTION_KEYS)
    show(
        lambda: Document(envelope("compare", opened.position), answer, columns),
        output.format,
        for_people,
        save=picture.drawing(figure, quiet=output.quiet),
    )
