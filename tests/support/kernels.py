"""Comparisons of kernels with their twins, and the architectures they are compiled for."""

import subprocess
from functools import cache

from gpu_wordle.backends.check import CheckBackend
from gpu_wordle.game.game import Game
from gpu_wordle.game.patterns import PatternMatrix
from gpu_wordle.states.partition import Criterion

ARCHITECTURES = ("80", "90", "100")


def check(words, batch, kernels, twin):
    """Everything an evaluator does, by the kernels and by their twin; raises at a difference."""
    backend = CheckBackend(kernels, twin)
    game = Game(words, PatternMatrix(backend.build_patterns(words), words.feedback))
    evaluator = backend.open(game)
    evaluator.stats(batch)
    for by in Criterion:
        evaluator.best(batch, by)
    evaluator.spectrum(batch.state(0), 0)


@cache
def known_architectures():
    command = ["nvcc", "--list-gpu-arch"]
    listed = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    known = [a for a in ARCHITECTURES if f"compute_{a}" in listed]
    assert known, f"nvcc knows none of {ARCHITECTURES}"
    return known
