"""Write weights of the answers for --weights: how likely each answer is.

    python scripts/publish/make_prior.py frequency prior.csv    # by the frequency of words
    python scripts/publish/make_prior.py used soft.csv --used past.txt    # past answers unlikely

wordfreq provides the frequencies: ``pip install 'gpu-wordle[priors]'``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Annotated

import typer

from gpu_wordle.cli.console import complain
from gpu_wordle.errors import UserError
from gpu_wordle.files import PATIENCE_SECONDS, held
from gpu_wordle.game.words import DEFAULT_LIST, load_list, load_words

Out = Annotated[Path, typer.Argument(help="CSV file to write.")]
Lists = Annotated[
    str, typer.Option(help="Guesses: a named list, which brings its answers, or a file.")
]
Answers = Annotated[str | None, typer.Option(help="Answers, if not those of --guesses.")]

app = typer.Typer(add_completion=False, help=__doc__, no_args_is_help=True)


@app.command()
def frequency(
    out: Out,
    guesses: Lists = DEFAULT_LIST,
    answers: Answers = None,
    language: Annotated[str, typer.Option(help="Language, as wordfreq names it.")] = "en",
    total: Annotated[int, typer.Option(min=1, help="What the weights add up to, about.")] = 100_000,
    least: Annotated[int, typer.Option(min=0, help="Least weight of an answer.")] = 1,
    power: Annotated[
        float, typer.Option(min=0, help="Power of the frequencies; below 1 evens them out.")
    ] = 1.0,
) -> None:
    """Weigh each answer by its frequency in the language, in whole numbers."""
    words = load_words(guesses, answers).answers.words
    frequency_of = frequencies(language)
    counted = [frequency_of(word) ** power for word in words]
    share = total / (sum(counted) or 1.0)
    weights = (max(least, round(share * count)) for count in counted)
    rows = zip(words, weights, strict=True)
    write(out, ["word,weight", *(f"{word},{number}" for word, number in rows)])


@app.command()
def used(
    out: Out,
    used: Annotated[str, typer.Option(help="File of the answers already used, one a line.")],
    guesses: Lists = DEFAULT_LIST,
    answers: Answers = None,
    weight: Annotated[
        str, typer.Option(help="Weight of those; others have 1. A decimal, 0 to rule them out.")
    ] = "0.1",
) -> None:
    """Weigh answers that were used before less than the others."""
    try:
        number = Decimal(weight)
    except InvalidOperation:
        number = Decimal(-1)
    if not (number.is_finite() and number >= 0):
        raise UserError(f"--weight {weight}: give 0 or a positive decimal")
    listed = load_words(guesses, answers).answers
    past = load_list(used, "answers")
    for word, line in zip(past.words, past.lines, strict=False):
        if word not in listed.index:
            raise UserError(
                f"{used}, line {line}: {word!r} is none of the answers of {listed.source}; "
                "remove it, or choose other --answers"
            )
    rows = (f"{word},{weight if word in past.index else 1}" for word in listed.words)
    write(out, ["word,weight", *rows])


def frequencies(language: str) -> Callable[[str], float]:
    """Return the function for the frequency of a word.

    Raises UserError without wordfreq or the language.
    """
    try:
        from wordfreq import available_languages, word_frequency
    except ImportError:
        raise UserError("word frequencies need wordfreq; pip install wordfreq") from None
    if language not in available_languages():
        names = ", ".join(sorted(available_languages()))
        raise UserError(f"wordfreq knows no language {language!r}; choose one of {names}")
    return lambda word: float(word_frequency(word, language))


def write(path: Path, lines: Iterable[str]) -> bytes:
    """Write lines to a file, whole or not at all; returns its content."""
    content = "".join(f"{line}\n" for line in lines).encode()
    with held(path, PATIENCE_SECONDS) as holding:
        holding.replace(content)
    return content


def run(app: typer.Typer) -> None:
    """Run a program; an error is one line on stderr."""
    try:
        app()
    except UserError as error:
        complain(f"error: {error}")
        raise SystemExit(error.exit_code) from None


if __name__ == "__main__":
    run(app)
