"""Filter the answers by a regular expression, and guess the most common letters among them.

Erkin, "Solving Wordle", 2022, filters the list of answers so. His expression has two flaws, which
:func:`flawed_expression` reproduces and :func:`expression` corrects: it matches exactly the answers
left, where the flawed one matches others as well, or none.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.errors import UserError
from gpu_wordle.game.feedback import GREEN, GREY, YELLOW, digits
from gpu_wordle.game.game import Game, Rule, Turn
from gpu_wordle.game.words import GameWords
from gpu_wordle.strategies.positions import Positions

Tile = tuple[int, str, int]
"""Place, letter and colour of a tile."""


def expression(words: GameWords, turns: Sequence[Turn]) -> str:
    """Return an expression that matches exactly the signs of answers that agree with all turns.

    Each place is its green letter, or a class that excludes letters. Look-aheads give the least and
    greatest numbers of letters known. Raises UserError if it is no game of words.
    """
    length, green = words.length, dict[int, str]()
    excluded: list[set[str]] = [set() for _ in range(length)]
    least: Counter[str] = Counter()
    most: dict[str, int] = {}
    for tiles in _tiles(words, turns):
        coloured = Counter(letter for _, letter, colour in tiles if colour != GREY)
        for place, letter, colour in tiles:
            if colour == GREEN:
                green[place] = letter
            elif colour == YELLOW or coloured[letter]:
                excluded[place].add(letter)
            else:
                excluded = [letters | {letter} for letters in excluded]
            if colour == GREY and coloured[letter]:
                most[letter] = coloured[letter]
        # Simpler feedback does not count copies: if the answer has a letter, all its copies are
        # coloured.
        counts = words.feedback.is_by_letters
        least |= coloured if counts else Counter(dict.fromkeys(coloured, 1))
    shown = Counter(green.values())
    ahead = [f"(?={_copies(letter, n)})" for letter, n in least.items() if n > shown[letter]]
    ahead += [f"(?!{_copies(letter, n + 1)})" for letter, n in most.items()]
    return "".join([*ahead, *_places(length, green, excluded)])


def flawed_expression(words: GameWords, turns: Sequence[Turn]) -> str:
    """Return Erkin's expression, with its two flaws.

    It allows a yellow letter anywhere, even in the place where it was yellow. It excludes a grey
    letter from every place that is not green, even if another copy is yellow. Then no answer
    matches. Raises UserError if it is no game of words.
    """
    green: dict[int, str] = {}
    letters: dict[int, set[str]] = defaultdict(set)
    for tiles in _tiles(words, turns):
        for place, letter, colour in tiles:
            letters[colour].add(letter)
            if colour == GREEN:
                green[place] = letter
    ahead = [f"(?={_copies(letter, 1)})" for letter in sorted(letters[YELLOW])]
    return "".join([*ahead, *_places(words.length, green, [letters[GREY]] * words.length)])


def _tiles(words: GameWords, turns: Sequence[Turn]) -> list[list[Tile]]:
    """Return the tiles of each turn, in the order of the places."""
    if not words.feedback.is_of_words:
        raise UserError(
            f"{words.guesses.source} is a game without letters, and an expression needs them; "
            "give word lists"
        )
    return [
        list(zip(range(words.length), words.guesses.signs[guess],
                 digits(pattern, words.length), strict=True))
        for guess, pattern in turns
    ]  # fmt: skip


def _copies(letter: str, count: int) -> str:
    """Return a pattern for at least ``count`` copies of a letter, in any places."""
    return f".*{letter}" * count


def _places(length: int, green: dict[int, str], excluded: Sequence[set[str]]) -> list[str]:
    """Return the pattern of each place: its green letter, or all letters that are not excluded."""
    classes = [f"[^{''.join(sorted(letters))}]" if letters else "." for letters in excluded]
    return [green.get(place, classes[place]) for place in range(length)]


FLAWED = "refine:flawed"


class FlawedRefine:
    """The common-letters rule among untried answers that match the flawed expression.

    Ties go to the first answer. If no answer matches, the rule repeats its last guess, and never
    finds the answer.
    """

    name = FLAWED
    recalls_turns = True

    def __init__(self, game: Game) -> None:
        if game.rule is not Rule.NORMAL:
            raise UserError(
                f"{FLAWED} may guess what the {game.rule} rule forbids; choose refine, or leave "
                "--rule out"
            )
        self._game = game

    def choose(self, positions: Positions) -> NDArray[np.int32]:
        """Implements ``Strategy.choose``."""
        made = [[(int(g), int(p)) for g, p in turns] for turns in positions.turns]
        return np.array([self._best(turns) for turns in made], np.int32)

    def _best(self, turns: list[Turn]) -> int:
        words = self._game.words
        matches = re.compile(flawed_expression(words, turns)).fullmatch
        tried = {words.guesses.signs[guess] for guess, _ in turns}
        refined = [w for w in words.answers.signs if matches(w) and w not in tried]
        if not refined:
            return turns[-1][0]
        held = Counter(letter for word in refined for letter in set(word))
        best = max(refined, key=lambda word: sum(held[letter] for letter in set(word)))
        return words.guesses.by_letters[best]
