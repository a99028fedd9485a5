"""Loading a game: its word lists, and the pattern matrix that a backend builds of them."""

from __future__ import annotations

from gpu_wordle.backends.choice import choose
from gpu_wordle.backends.protocol import Backend
from gpu_wordle.game import games
from gpu_wordle.game.game import Game, Rule
from gpu_wordle.game.objective import Objective
from gpu_wordle.game.patterns import PatternMatrix, cached_patterns
from gpu_wordle.game.words import DEFAULT_LIST, GameWords, load_words


def build_patterns(words: GameWords, backend: Backend, *, cache: bool = True) -> PatternMatrix:
    """The pattern matrix of ``words``, from the disk cache if it is there.

    The feedback of games other than Wordle is computed by its definition, and not kept.
    """
    if not words.feedback.is_by_letters:
        return PatternMatrix.by_definition(words)
    if cache:
        return cached_patterns(words, lambda: backend.build_patterns(words))
    return PatternMatrix(backend.build_patterns(words), words.feedback)


def load_game(
    guesses: str = DEFAULT_LIST,
    answers: str | None = None,
    *,
    rule: Rule = Rule.NORMAL,
    objective: Objective | None = None,
    backend: Backend | None = None,
    cache: bool = True,
) -> Game:
    """Load word lists or another game, build or map its matrix, and make a Game.

    ``guesses`` names a game of games.py, or lists as words.load_words reads them.
    """
    words = games.load(guesses, answers) or load_words(guesses, answers)
    patterns = build_patterns(words, backend or choose("cpu").backend, cache=cache)
    return Game(words, patterns, rule, objective or Objective())
