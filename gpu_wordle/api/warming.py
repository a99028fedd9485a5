"""All machine code made ready, so that nothing has to be compiled later."""

from __future__ import annotations

from gpu_wordle.experiments.noise import ready as noise
from gpu_wordle.jit.ahead import Show
from gpu_wordle.jit.functions import Need
from gpu_wordle.solver.ready import BATCHED, make_modules_ready

EVERYTHING = (
    *(*BATCHED, *noise.FREE, *noise.BOUND),
    *("gpu_wordle.strategies.letter_sums", "gpu_wordle.strategies.tables"),
    *("gpu_wordle.certify.machine", "gpu_wordle.solver.memory.labels"),
)
"""Modules that declare machine code, with all that they import."""


def make_everything_ready(show: Show | None = None) -> int:
    """Compile all machine code that the cache lacks; return how many functions."""
    return make_modules_ready(EVERYTHING, tuple(Need), show)
