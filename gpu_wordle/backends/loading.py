"""Loads a game: its word lists, and its pattern matrix from the cache or a backend."""

from __future__ import annotations

from gpu_wordle.backends.choice import choose
from gpu_wordle.backends.protocol import Backend
from gpu_wordle.game import games
from gpu_wordle.game.game import Game, Rule
from gpu_wordle.game.objective import Objective
from gpu_wordle.game.patterns import PatternMatrix, cached_patterns
from gpu_wordle.game.words import DEFAULT_LIST, GameWords, load_words


def build_patterns(words: GameWords, backend: Backend, *, cache: bool = True) -> PatternMatrix:
    """The pattern matrix of ``words``, from the disk cache if possible.

    The patterns of games other than Wordle are evaluated by definition, and not cached.
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
    """Load a game with its pattern matrix.

    Args:
        guesses: a game of games.py, or the guesses as :func:`load_words` reads them.
        answers: the answers; None for those that belong to ``guesses``.
        rule: which guesses are legal.
        objective: what to minimise; the mean number of guesses if None.
        backend: builds the matrix if it is not cached; the CPU if None.
        cache: whether to use the disk cache of matrices.

    Raises UserError for lists that cannot be read.
    """
    words = games.load(guesses, answers) or load_words(guesses, answers)
    patterns = build_patterns(words, backend or choose("cpu").backend, cache=cache)
    return Game(words, patterns, rule, objective or Objective())
