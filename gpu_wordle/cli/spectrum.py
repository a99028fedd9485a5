"""``gpu-wordle spectrum``: the pattern counts of one guess."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from gpu_wordle.cli import options
from gpu_wordle.cli.console import note, output
from gpu_wordle.report.spectrum import bar_chart, check_plot, plot_spectrum
from gpu_wordle.states.partition import entropy_of_counts


def spectrum(
    word: Annotated[str, typer.Argument(help="The guess.")],
    state: options.StateOption = "",
    top: Annotated[int, typer.Option(min=1, help="Patterns to show.")] = 25,
    plot: Annotated[
        Path | None, typer.Option(help="Draw all patterns to this .svg, .png or .pdf file.")
    ] = None,
    guesses: options.Guesses = options.DEFAULT_GUESSES,
    answers: options.Answers = None,
    backend: options.BackendOption = options.BackendName.CPU,
    json_output: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Show how many answers stand behind each pattern that WORD may receive."""
    if plot is not None:
        check_plot(plot)
    session = options.open_session(guesses, answers, backend=backend, state=state, quiet=quiet)
    game = session.game
    left = session.position.state
    guess = game.words.guesses.find(word)
    spelled = game.words.guesses.words[guess]
    counts = session.evaluator.spectrum(left, guess)
    caption = (
        f"{len(left):,} answers, {np.count_nonzero(counts)} of {len(counts):,} patterns occur, "
        f"{entropy_of_counts(counts):.3f} bits, standard deviation {counts.std():.2f}"
    )
    if json_output:
        occurring = np.flatnonzero(counts)
        named = {game.words.feedback.format(int(p)): int(counts[p]) for p in occurring}
        print(json.dumps(named, indent=1))
    else:
        console = output()
        console.print(f"[bold]{spelled.upper()}[/]: {caption}", soft_wrap=True)
        console.print(
            bar_chart(spelled, game.words.feedback, counts, top=top), end="", soft_wrap=True
        )
    if plot is not None:
        plot_spectrum(plot, spelled, game.words.feedback, counts, caption)
        note(f"drawn to {plot}", quiet=quiet)
