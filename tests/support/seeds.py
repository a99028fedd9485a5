"""Seeds of random games: all of them are tried, the first one while working, too."""

import pytest


def seeds(count):
    """The seeds 0, 1, ...; those after the first are slow."""
    return [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, count))]
