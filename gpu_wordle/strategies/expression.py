"""What the turns of a game say of the answer, as a regular expression over words.

Erkin, "Solving Wordle", 2022, refines the list of answers by such an expression. His has two flaws,
which :func:`flawed_expression` keeps and :func:`expression` mends.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from gpu_wordle.errors import UserError
from gpu_wordle.game.feedback import GREEN, GREY, YELLOW, digits
from gpu_wordle.game.game import Turn
from gpu_wordle.game.words import GameWords

Tile = tuple[int, str, int]
"""Place, letter and colour."""


def expression(words: GameWords, turns: Sequence[Turn]) -> str:
    """The expression that an answer matches just if it gives all feedback of the turns.

    Each place holds its green letter, or none of those that it cannot be. Ahead of them stand the
    letters that the answer holds besides, as often as is known, and those that it holds no oftener.
    Raises UserError if it is no game of words.
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
        # An umpire who does not count copies colours them all if there is one.
        counts = words.feedback.is_by_letters
        least |= coloured if counts else Counter(dict.fromkeys(coloured, 1))
    shown = Counter(green.values())
    ahead = [f"(?={_copies(letter, n)})" for letter, n in least.items() if n > shown[letter]]
    ahead += [f"(?!{_copies(letter, n + 1)})" for letter, n in most.items()]
    return "".join([*ahead, *_places(length, green, excluded)])


def flawed_expression(words: GameWords, turns: Sequence[Turn]) -> str:
    """The same as its author has it.

    A yellow letter may stand anywhere, also where it was seen to be wrong. A letter with a grey
    tile may stand nowhere but where it is green, also if a copy of it is yellow: then no answer
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
    """The tiles of each turn, from the first letter to the last."""
    if not words.feedback.is_of_words:
        raise UserError(
            f"{words.guesses.source} has no letters that an expression could speak of; give words"
        )
    return [
        list(zip(range(words.length), words.guesses.words[guess],
                 digits(pattern, words.length), strict=True))
        for guess, pattern in turns
    ]  # fmt: skip


def _copies(letter: str, count: int) -> str:
    """So many copies of a letter, wherever they stand."""
    return f".*{letter}" * count


def _places(length: int, green: dict[int, str], excluded: Sequence[set[str]]) -> list[str]:
    """What may stand in each place."""
    classes = [f"[^{''.join(sorted(letters))}]" if letters else "." for letters in excluded]
    return [green.get(place, classes[place]) for place in range(length)]
