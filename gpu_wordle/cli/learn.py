"""``gpu-wordle learn``: how far tabular Q-learning comes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import typer

from gpu_wordle.api import session
from gpu_wordle.api.simulating import Umpire, open_whole_game
from gpu_wordle.cli import console, options
from gpu_wordle.cli.blocks import with_blocks
from gpu_wordle.cli.printing import show
from gpu_wordle.errors import quoted
from gpu_wordle.game.numbers import decimal_number
from gpu_wordle.report.document import Document, envelope
from gpu_wordle.report.learned import curve_columns, curve_table, draw_curve
from gpu_wordle.solver import Stop
from gpu_wordle.strategies.positions import Positions
from gpu_wordle.strategies.q_learning import CurvePoint, Learning, learning_curve

LEARNING = "Learning"


def decimal(text: str | float) -> float:
    """What reads an option that takes a decimal."""
    number = decimal_number(text) if isinstance(text, str) else text
    if number is None:
        raise typer.BadParameter(f"{quoted(text)} is no number; give one as in 0.1")
    return float(number)


@dataclass(frozen=True)
class LearningOptions:
    """The constants of Q-learning."""

    episodes: Annotated[
        int,
        typer.Option(
            parser=options.whole(1), metavar=options.INTEGER, help="Games to learn from.",
            rich_help_panel=LEARNING,
        ),
    ] = Learning.episodes  # fmt: skip
    rate: Annotated[
        float,
        typer.Option(
            parser=decimal, metavar="DECIMAL", help="How far a value moves to what a turn shows.",
            rich_help_panel=LEARNING,
        ),
    ] = Learning.rate  # fmt: skip
    discount: Annotated[
        float,
        typer.Option(
            parser=decimal, metavar="DECIMAL", help="What a win is worth one turn later.",
            rich_help_panel=LEARNING,
        ),
    ] = Learning.discount  # fmt: skip
    exploration: Annotated[
        float,
        typer.Option(
            parser=decimal,
            metavar="DECIMAL",
            help="Share of turns that go to any answer, at first; it falls to nothing.",
            rich_help_panel=LEARNING,
        ),
    ] = Learning.exploration
    initial: Annotated[
        float,
        typer.Option(
            parser=decimal, metavar="DECIMAL", help="Value of what was never tried.",
            rich_help_panel=LEARNING,
        ),
    ] = Learning.initial  # fmt: skip
    seed: options.Seed = 0

    @property
    def constants(self) -> Learning:
        """The same for a table; UserError for what is out of range."""
        return Learning(
            self.episodes, self.rate, self.discount, self.exploration, self.initial, self.seed
        )


@with_blocks
def learn(
    game: options.RuleOptions,
    learning: LearningOptions,
    output: options.OutputOptions,
    machine: options.MachineOptions,
    picture: options.PlotOptions,
    points: Annotated[
        int,
        typer.Option(
            parser=options.whole(1), metavar=options.INTEGER,
            help="Rows: how often learning is looked at.", rich_help_panel=options.OUTPUT,
        ),
    ] = 20,
    time_limit: options.TimeLimit = None,
) -> None:  # fmt: skip
    """Learn to play by Q-learning over the last turn, and print the learning curve.

    It learns little: see the page on strategies. Ctrl-C and --time-limit end it early, and what
    there is of the curve is printed.
    """
    console.listen(quiet=output.quiet)
    game.refuse_turns("learn plays whole games")
    constants = learning.constants
    curve: list[CurvePoint] = []
    ending, stop = console.ending_of(time_limit), Stop()
    with ending.preparing(), console.Bar("learning", quiet=output.quiet) as bar:
        words = session.read_words(game.guesses, game.answers)
        opened = open_whole_game(words, game.rule, game.limit, Umpire.TRUE, machine.machine)
        start = Positions.of(opened.position, opened.evaluator)

        def heard(episodes: int) -> None:
            bar.show(episodes, constants.episodes)

        with ending.of(stop):
            curve.extend(learning_curve(start, constants, points, heard, stop))
    columns = curve_columns(curve)
    show(
        lambda: Document(envelope("learn", opened.position), columns=columns),
        output.format,
        lambda: console.output().print(curve_table(columns, opened.game.answer_count)),
        save=picture.drawing(
            lambda: draw_curve(curve, opened.game.answer_count), quiet=output.quiet
        ),
    )
    console.exit_early(ending, "the curve ends where learning did")
