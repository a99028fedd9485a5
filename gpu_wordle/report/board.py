"""A board in tiles and the keyboard below it, in colours, in high contrast or as marks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypedDict

from rich.text import Text

from gpu_wordle.errors import counted
from gpu_wordle.experiments.play import Board, Explained
from gpu_wordle.game.feedback import GREY, digits
from gpu_wordle.game.game import Game, Position
from gpu_wordle.game.spelling import capitals
from gpu_wordle.report import keys
from gpu_wordle.report.keys import schema
from gpu_wordle.report.tiles import Look, tile, tiled


@schema
class BoardRow(TypedDict):
    """A turn at the board."""

    turn: keys.Turn
    guess: keys.Guess
    pattern: keys.Pattern
    answers_before: keys.AnswersBefore
    answers_after: keys.AnswersAfter


KEYBOARD = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
MAX_OTHERS = 20
"""Most letters of an alphabet in a row of their own below the keyboard; with more there is none."""


def board_lines(board: Board, look: Look) -> Iterator[Text]:
    """A line of tiles for each turn, with the number of answers it leaves."""
    for turn, (guess, pattern) in enumerate(board.turns):
        after = f"{_left_after(board, turn):,} left" if turn >= board.first else ""
        if board.is_solved and turn + 1 == len(board.turns):
            after = "found"
        yield Text.assemble(turn_tiles(board.game, guess, pattern, look), f" {after}")


def turn_tiles(game: Game, guess: int, pattern: int, look: Look) -> Text:
    """A guess in tiles; in games without colours, with its feedback as text."""
    word = game.words.guesses.words[guess]
    if not game.words.feedback.is_of_words:
        return Text(f"{word} {game.words.feedback.format(pattern)}")
    return tiled(game.words.feedback.tiles(word), pattern, look)


def keyboard_lines(board: Board, look: Look) -> Iterator[Text]:
    """The keyboard with the best colour of each letter; empty for games without letters."""
    words = board.game.words
    alphabet = words.answers.alphabet
    others = sorted({sign for word in words.answers.signs for sign in word} - {*"".join(KEYBOARD)})
    is_too_long = len(others) > (0 if alphabet.is_plain else MAX_OTHERS)
    if not words.feedback.is_of_words or is_too_long:
        return
    best = letter_digits(board)
    for indent, row in enumerate((*KEYBOARD, others) if others else KEYBOARD):
        text = Text(" " * indent)
        for letter in map(alphabet.spelled, row):
            shown = capitals(letter)
            if letter not in best:
                text.append(f" {shown} ")
            elif look is Look.MARKS and best[letter] == GREY:
                text.append(" . ")
            else:
                text.append(*tile(shown, best[letter], look))
        yield text


def letter_digits(board: Board) -> dict[str, int]:
    """The best colour of each letter so far; empty for games without words."""
    best: dict[str, int] = {}
    if board.game.words.feedback.is_of_words:
        for guess, pattern in board.turns:
            listed = board.game.words.guesses
            letters = map(listed.alphabet.spelled, listed.signs[guess])
            for letter, digit in zip(letters, digits(pattern, listed.length), strict=True):
                best[letter] = max(best.get(letter, GREY), digit)
    return best


def explanation_lines(position: Position, said: Explained) -> Iterator[str]:
    """Why a guess is good or bad, in a few lines of at most forty columns."""
    game = position.game
    word = game.words.guesses.shown(said.guess)
    can = "can be the answer" if said.is_candidate else "cannot be the answer"
    yield f"{word} {can}."
    yield f"It makes {counted(said.parts, 'group')}, the largest of {said.largest:,}."
    if said.mean is None or said.best_mean is None:
        yield "It is no guaranteed win."
    else:
        yield f"It takes {said.mean:.3f} guesses on average."
        more = said.mean - said.best_mean
        yield f"That is {more:.3f} more than the best." if more else "No guess takes fewer."
    if said.best:
        yield f"Best: {capitals(' '.join(game.spell(said.best)))}"
        if said.best_count > len(said.best):
            yield f"and {said.best_count - len(said.best):,} more that are as good"


def describe_board(board: Board) -> list[dict[str, object]]:
    """A row for each turn taken at the board."""
    words = board.game.words
    return [
        {
            "turn": turn + 1,
            "guess": words.guesses.words[guess],
            "pattern": words.feedback.format(pattern),
            "answers_before": len(board.before(turn).state),
            "answers_after": _left_after(board, turn),
        }
        for turn, (guess, pattern) in list(enumerate(board.turns))[board.first :]
    ]


def _left_after(board: Board, turn: int) -> int:
    """The number of answers after a turn taken at the board."""
    return len(board.game.part(board.before(turn).state, *board.turns[turn]))
