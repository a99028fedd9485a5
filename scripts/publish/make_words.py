"""Write the word lists of a game in some language, for --guesses and --answers.

    python scripts/publish/make_words.py /usr/share/dict/french fr french --plain
    gpu-wordle prove --guesses french-guesses.txt --answers french-answers.txt

The guesses are all words of one length in a dictionary, one word a line. The answers are the most
common of them. wordfreq provides the frequencies: ``pip install '.[priors]'``.
Debian's packages wfrench, wspanish and wngerman contain such dictionaries, free to use. Many games
and all certificates lack accents: ``--plain`` leaves them out.
"""

from __future__ import annotations

import hashlib
import unicodedata
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from gpu_wordle.cli.console import complain
from gpu_wordle.errors import UserError
from gpu_wordle.experiments.priors import frequencies
from gpu_wordle.files import PATIENCE_SECONDS, held

app = typer.Typer(add_completion=False, help=__doc__, no_args_is_help=True)


@app.command()
def main(
    dictionary: Annotated[Path, typer.Argument(help="File of words, one a line.")],
    language: Annotated[str, typer.Argument(help="Language, as wordfreq names it.")],
    name: Annotated[str, typer.Argument(help="How the names of both files begin.")],
    length: Annotated[int, typer.Option(min=2, max=10, help="Letters of a word.")] = 5,
    answers: Annotated[int, typer.Option(min=1, help="How many may be the answer.")] = 2000,
    plain: Annotated[bool, typer.Option("--plain", help="Leave out accents.")] = False,
) -> None:
    """Write NAME-guesses.txt in alphabetical order, and NAME-answers.txt, the most common first."""
    frequency_of = frequencies(language)
    try:
        lines = dictionary.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"{dictionary}: cannot be read as words ({error})") from None
    spellings = words_of(lines, length, plain=plain)
    words = sorted(spellings)
    if len(words) < answers:
        raise UserError(
            f"{dictionary}: {len(words):,} words of {length} letters, {answers:,} answers asked "
            "for; choose fewer --answers or another dictionary"
        )

    def commonness(word: str) -> float:
        return sum(map(frequency_of, sorted(spellings[word])))

    by_frequency = sorted(words, key=commonness, reverse=True)
    for kind, chosen in (("guesses", words), ("answers", by_frequency[:answers])):
        path = Path(f"{name}-{kind}.txt")
        content = write(path, chosen)
        print(f"{path}: {len(chosen):,} words, SHA-256 {hashlib.sha256(content).hexdigest()}")


def words_of(lines: Iterable[str], length: int, *, plain: bool) -> dict[str, set[str]]:
    """Return words of that length in lower case, with their spellings in the dictionary."""
    spellings: dict[str, set[str]] = defaultdict(set)
    for line in lines:
        spelled = unicodedata.normalize("NFC", line.strip().lower())
        word = without_accents(spelled) if plain else spelled
        if len(word) == length and word.isalpha() and (word.isascii() or not plain):
            spellings[word].add(spelled)
    return spellings


def without_accents(word: str) -> str:
    """Return the letters without accents, as in "etude" for "étude"."""
    letters = unicodedata.normalize("NFD", word)
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def write(path: Path, lines: Iterable[str]) -> bytes:
    """Write lines to a file, whole or not at all; returns its content."""
    content = "".join(f"{line}\n" for line in lines).encode()
    with held(path, PATIENCE_SECONDS) as holding:
        holding.replace(content)
    return content


if __name__ == "__main__":
    try:
        app()
    except UserError as error:
        complain(f"error: {error}")
        raise SystemExit(error.exit_code) from None
