"""Seeds of random games. The fast tier tries the first; a full run tries all."""

import os

import pytest

MORE = int(os.environ.get("GPU_WORDLE_MORE", "1"))
"""Factor on the number of tries of tests that draw their own seeds."""


def seeds(count):
    """Return the seeds 0, 1, ...; those after the first are marked slow."""
    return [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, count))]
