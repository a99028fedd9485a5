"""Comparisons of kernels with their twins."""

from gpu_wordle.backends.check import checked
from gpu_wordle.game.game import Game
from gpu_wordle.game.patterns import PatternMatrix
from gpu_wordle.states.partition import Criterion


def check(words, batch, kernels, twin):
    """Compare all results of an evaluator with those of its twin; raise on a difference."""
    backend = checked(kernels, twin)
    game = Game(words, PatternMatrix(backend.build_patterns(words), words.feedback))
    evaluator = backend.open(game)
    evaluator.stats(batch)
    for by in Criterion:
        evaluator.best(batch, by)
    evaluator.spectrum(batch.state(0), 0)
