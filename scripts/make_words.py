"""Write the word lists of a game in some language, as --guesses and --answers read them.

    python scripts/make_words.py /usr/share/dict/ngerman de german
    gpu-wordle prove --guesses german-guesses.txt --answers german-answers.txt

The guesses are all words of that length in a dictionary, a word a line. The answers are those that
are most common. The frequencies are those of wordfreq: ``pip install 'gpu-wordle[priors]'``.
Debian's packages wngerman and wspanish hold such dictionaries, free to use.
"""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer
from make_prior import frequencies

from gpu_wordle.cli.console import complain
from gpu_wordle.errors import JobError, UserError

app = typer.Typer(add_completion=False, help=__doc__, no_args_is_help=True)


@app.command()
def main(
    dictionary: Annotated[Path, typer.Argument(help="File of words, one a line.")],
    language: Annotated[str, typer.Argument(help="Language, as wordfreq names it.")],
    name: Annotated[str, typer.Argument(help="How the names of both files begin.")],
    length: Annotated[int, typer.Option(min=2, max=10, help="Letters of a word.")] = 5,
    answers: Annotated[int, typer.Option(min=1, help="How many may be the answer.")] = 2000,
) -> None:
    """Write NAME-guesses.txt, by the alphabet, and NAME-answers.txt, the most common first."""
    frequency_of = frequencies(language)
    try:
        lines = dictionary.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"{dictionary}: cannot be read as words ({error})") from None
    words = sorted(words_of(lines, length))
    if len(words) < answers:
        raise UserError(
            f"{dictionary}: {len(words):,} words of {length} letters, {answers:,} answers asked "
            "for; choose fewer --answers or another dictionary"
        )
    by_frequency = sorted(words, key=frequency_of, reverse=True)
    for kind, chosen in (("guesses", words), ("answers", by_frequency[:answers])):
        path = Path(f"{name}-{kind}.txt")
        text = "".join(f"{word}\n" for word in chosen).encode()
        try:
            path.write_bytes(text)
        except OSError as error:
            raise JobError(f"{path}: cannot be written ({error.strerror})") from None
        print(f"{path}: {len(chosen):,} words, SHA-256 {hashlib.sha256(text).hexdigest()}")


def words_of(lines: Iterable[str], length: int) -> set[str]:
    """Words of that many letters in small letters, as word lists are read."""
    words = (unicodedata.normalize("NFC", line.strip().lower()) for line in lines)
    return {word for word in words if len(word) == length and word.isalpha()}


if __name__ == "__main__":
    try:
        app()
    except UserError as error:
        complain(f"error: {error}")
        raise SystemExit(error.exit_code) from None
