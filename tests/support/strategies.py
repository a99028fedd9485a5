"""Positions to play from, and games with the word order that the literature's figures need."""

from __future__ import annotations

from gpu_wordle.backends import choose
from gpu_wordle.game.feedback import NaiveFeedback
from gpu_wordle.game.game import Game
from gpu_wordle.game.patterns import PatternMatrix
from gpu_wordle.game.words import GameWords
from gpu_wordle.strategies.positions import Positions
from support.word_lists import make_game, make_words


def start_of(game: Game) -> Positions:
    """Return the batch of the position before the first guess."""
    return Positions.of(game.start(), choose("cpu", threads=2).backend.open(game))


def answers_first(game: Game, *, without: tuple[str, ...] = ()) -> Game:
    """Return the game with its answers first, then the other guesses, both alphabetical."""
    answers = sorted(set(game.words.answers.words) - set(without))
    others = sorted(set(game.words.guesses.words) - set(answers))
    return make_game(make_words([*answers, *others], answers))


def with_naive_umpire(game: Game) -> Game:
    """Return a game with feedback that ignores numbers of copies."""
    words = GameWords(game.words.guesses, game.words.answers, NaiveFeedback(game.words.length))
    return Game(words, PatternMatrix.by_definition(words))
