"""``gpu-wordle spectrum``: the pattern counts of one guess."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from rich.text import Text

from gpu_wordle.cli import console, options
from gpu_wordle.cli.blocks import with_blocks
from gpu_wordle.errors import counted
from gpu_wordle.report.spectrum import bar_chart, check_plot, plot_spectrum
from gpu_wordle.states.partition import entropy_of_counts


@with_blocks
def spectrum(
    word: Annotated[str, typer.Argument(help="The guess.")],
    game: options.ListOptions,
    output: options.OutputOptions,
    machine: options.MachineOptions,
    top: Annotated[
        int,
        typer.Option(
            parser=options.whole(0),
            metavar=options.INTEGER,
            help="Rows to print; 0: all.",
            rich_help_panel=options.OUTPUT,
        ),
    ] = 20,
    plot: Annotated[
        Path | None,
        typer.Option(
            help="Draw all patterns to this .svg, .png or .pdf file.",
            rich_help_panel=options.OUTPUT,
        ),
    ] = None,
) -> None:
    """Show how many answers stand behind each pattern that WORD may receive."""
    console.listen(quiet=output.quiet)
    if plot is not None:
        check_plot(plot)
    with console.Bar("counting", quiet=output.quiet):
        opened = game.open(machine)
        left, words = opened.position.state, opened.game.words
        guess = words.guesses.find(word)
        spelled = words.guesses.words[guess]
        counts = opened.evaluator.spectrum(left, guess)
    caption = (
        f"{counted(len(left), 'answer')}, "
        f"{np.count_nonzero(counts):,} of {counted(len(counts), 'pattern')} occur, "
        f"{entropy_of_counts(counts):.3f} bits, standard deviation {counts.std():.2f}"
    )
    if output.json_output:
        occurring = np.flatnonzero(counts)
        named = {words.feedback.format(int(p)): int(counts[p]) for p in occurring}
        print(json.dumps(named, indent=1))
    else:
        printed = console.output()
        printed.print(Text.assemble((spelled.upper(), "bold"), f": {caption}"), soft_wrap=True)
        chart = bar_chart(spelled, words.feedback, counts, top=top or None)
        printed.print(chart, end="", soft_wrap=True)
    if plot is not None:
        plot_spectrum(plot, spelled, words.feedback, counts, caption)
        console.note(f"drawn to {plot}", quiet=output.quiet)
