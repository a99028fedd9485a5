"""Seeds of random games: all of them are tried, the first one while working, too."""

import os

import pytest

MORE = int(os.environ.get("GPU_WORDLE_MORE", "1"))
"""Times as many tries of tests that draw theirs, and could go on with it."""


def seeds(count):
    """The seeds 0, 1, ...; those after the first are slow."""
    return [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, count))]
