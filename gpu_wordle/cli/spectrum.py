"""``gpu-wordle spectrum``: the pattern counts of one guess."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from gpu_wordle.cli import console, options
from gpu_wordle.cli.blocks import with_blocks
from gpu_wordle.cli.printing import show
from gpu_wordle.errors import counted
from gpu_wordle.game.spelling import capitals
from gpu_wordle.report.document import Document, envelope
from gpu_wordle.report.spectrum import (
    bar_chart,
    describe_spectrum,
    largest_first,
    spectrum_columns,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

UNASKED = ("rule", "objective", "max_guesses", "weights")
"""What does not matter to the patterns of one guess."""


@with_blocks
def spectrum(
    word: Annotated[str, typer.Argument(help="The guess.")],
    game: options.ListOptions,
    output: options.OutputOptions,
    machine: options.MachineOptions,
    picture: options.PlotOptions,
    top: options.Top = 20,
) -> None:
    """Show how many answers stand behind each pattern that WORD may receive."""
    console.listen(quiet=output.quiet)
    with console.Bar("counting", quiet=output.quiet):
        opened = game.open(machine)
        left, words = opened.position.state, opened.game.words
        guess = words.guesses.find(word)
        spelled = words.guesses.words[guess]
        counts = opened.evaluator.spectrum(left, guess)
    answer = describe_spectrum(spelled, counts)
    caption = (
        f"{counted(len(left), 'answer')}, "
        f"{answer['parts']:,} of {counted(answer['patterns'], 'pattern')} occur, "
        f"{answer['entropy_bits']:.3f} bits, standard deviation {answer['standard_deviation']:.2f}"
    )

    def document() -> Document:
        asked = envelope("spectrum", opened.position, unasked=UNASKED)
        return Document(asked, answer, spectrum_columns(words.feedback, counts, top or None))

    def for_people() -> None:
        printed = console.output()
        printed.print(Text.assemble((capitals(spelled), "bold"), f": {caption}"), soft_wrap=True)
        chart = bar_chart(spelled, words.feedback, counts, printed.width, top=top or None)
        printed.print(chart, end="", soft_wrap=True)

    def figure() -> Figure:
        from gpu_wordle.report.plot import draw_spectrum

        patterns = largest_first(counts)
        return draw_spectrum(spelled, words.feedback, patterns, counts[patterns], caption)

    show(document, output.format, for_people, save=picture.drawing(figure, quiet=output.quiet))
