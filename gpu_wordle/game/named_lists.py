"""The named lists of ``data/``: their descriptions, and their words as the files hold them."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources

from gpu_wordle.game.spelling import normalise


@cache
def catalogue() -> dict[str, dict[str, str]]:
    """The named lists of ``data/lists.toml``, with source, licence and hashes.

    A list may use the file of another one and leave words out: ``guesses_without``,
    ``answers_without``.
    """
    return tomllib.loads(
        (resources.files("gpu_wordle.game") / "data/lists.toml").read_text("utf-8")
    )


def named_words(name: str, role: str) -> tuple[str, ...]:
    """The words of a named list, unchecked; ``role`` is "guesses" or "answers"."""
    named = catalogue()[name]
    data = (resources.files("gpu_wordle.game") / "data" / named[role]).read_bytes()
    left_out = set(named.get(f"{role}_without", "").split())
    return tuple(word for word in data.decode(errors="replace").split() if word not in left_out)


def lists_with(word: str) -> str:
    """The named lists that have a word, as in ``an answer of nyt-2023``; empty if none has it."""
    spelled = normalise(word)
    answer_of = [name for name in catalogue() if spelled in named_words(name, "answers")]
    others = [name for name in catalogue() if name not in answer_of]
    guess_of = [name for name in others if spelled in named_words(name, "guesses")]
    places = (("an answer", answer_of), ("a guess", guess_of))
    return " and ".join(f"{what} of {', '.join(names)}" for what, names in places if names)
