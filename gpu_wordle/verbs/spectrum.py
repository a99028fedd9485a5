"""The verb ``spectrum``: the number of answers behind each pattern of one guess."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

from rich.text import Text

from gpu_wordle.api.games import Game, Position, about, position_of
from gpu_wordle.api.session import Machine, open_session
from gpu_wordle.errors import counted
from gpu_wordle.game.spelling import capitals
from gpu_wordle.options.declared import Option
from gpu_wordle.options.outcome import Outcome, verb
from gpu_wordle.options.reading import WORD
from gpu_wordle.options.shared import BackendName, Plot, Threads, Top
from gpu_wordle.report.spectrum import (
    bar_chart,
    describe_spectrum,
    largest_first,
    spectrum_columns,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

UNASKED = ("rule", "objective", "max_guesses", "weights")
"""The options of a game that do not matter to the patterns of one guess."""


@verb
def spectrum(
    position: Annotated[Position | Game, about(*UNASKED)],
    word: Annotated[str, Option("The guess.", WORD)],
    *,
    top: Top = 20,
    plot: Plot = None,
    backend: BackendName = "auto",
    threads: Threads = None,
) -> Outcome:
    """Show the number of answers behind each pattern that WORD may receive.

    Examples:
        $ gpu-wordle spectrum salet --plot salet.svg
    """
    session = open_session(position_of(position), Machine(backend, threads))
    left, words = session.position.state, session.game.words
    guess = words.guesses.find(word)
    spelled, most = words.guesses.words[guess], top or None
    counts = session.evaluator.spectrum(left, guess)
    facts = describe_spectrum(spelled, counts)
    caption = (
        f"{counted(len(left), 'answer')}, "
        f"{facts['parts']:,} of {counted(facts['patterns'], 'pattern')} occur, "
        f"{facts['entropy_bits']:.3f} bits, standard deviation {facts['standard_deviation']:.2f}"
    )

    def lines(width: int) -> Iterator[Text]:
        yield Text.assemble((capitals(spelled), "bold"), f": {caption}")
        chart = bar_chart(spelled, words.feedback, counts, width, top=most)
        chart.rstrip()
        yield chart

    def figure() -> Figure:
        from gpu_wordle.report.plots import draw_spectrum

        patterns = largest_first(counts)
        return draw_spectrum(spelled, words.feedback, patterns, counts[patterns], caption)

    return Outcome(
        lines=lines,
        facts=facts,
        columns=spectrum_columns(words.feedback, counts, most),
        asked=session.position,
        unasked=UNASKED,
        figure=figure,
    )
