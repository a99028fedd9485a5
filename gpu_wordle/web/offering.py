"""What a server offers beside what comes with the package: lists, weights and rankings of files."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from gpu_wordle.api.files import describe_ranking
from gpu_wordle.api.session import open_game, read_objective, read_rule, read_words
from gpu_wordle.errors import UserError
from gpu_wordle.game.words import catalogue
from gpu_wordle.web.shelf import UNWEIGHED, GameName, Offer


def offer_of(given: GameName, weights: Path | None, rankings: Sequence[Path]) -> Offer:
    """The offer of a server, whose page begins with a game and weights as they were given.

    Raises UserError for a game that is none of words, or that cannot be played, and for files that
    are no rankings or bear one name.
    """
    words = read_words(given.guesses, given.answers)
    if not words.feedback.is_by_letters:
        raise UserError(f"{given.guesses}: the page plays with words; give lists of words")
    objective = read_objective(given.objective, given.max_guesses)
    open_game(words, read_rule(given.rule), objective, weights)
    name, lists = given.guesses, dict[str, tuple[str, str | None]]()
    if given.answers is not None or given.guesses not in catalogue():
        name = _name_of(given.answers or given.guesses)
        name = f"{name}-given" if name in catalogue() else name
        lists[name] = given.guesses, given.answers
    named = {} if weights is None else {_name_of(str(weights)): weights}
    default = replace(given, guesses=name, answers=None, weights=next(iter(named), UNWEIGHED))
    return Offer(lists, named, _named(rankings), default)


def _named(rankings: Sequence[Path]) -> dict[str, Path]:
    """Files of rankings by their names."""
    found: dict[str, Path] = {}
    for path in rankings:
        describe_ranking(path)
        name = _name_of(str(path))
        if name in found or name in Offer().named_rankings:
            raise UserError(f"{path}: there is a ranking called {name} already; rename the file")
        found[name] = path
    return found


def _name_of(path: str) -> str:
    """A name for a file in addresses: letters, digits, dots and dashes."""
    return re.sub(r"[^\w.-]+", "-", Path(path).stem)[:60].strip("-") or "given"
