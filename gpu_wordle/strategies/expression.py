"""Regular expressions for the answers that agree with the turns of a game.

Erkin, "Solving Wordle", 2022, filters the list of answers by such an expression. It has two flaws,
which :func:`flawed_expression` reproduces and :func:`expression` corrects.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from gpu_wordle.errors import UserError
from gpu_wordle.game.feedback import GREEN, GREY, YELLOW, digits
from gpu_wordle.game.game import Turn
from gpu_wordle.game.words import GameWords

Tile = tuple[int, str, int]
"""Place, letter and colour of a tile."""


def expression(words: GameWords, turns: Sequence[Turn]) -> str:
    """Return an expression that matches exactly the answers that agree with all turns.

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
        list(zip(range(words.length), words.guesses.words[guess],
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
