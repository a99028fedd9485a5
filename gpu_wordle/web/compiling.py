"""Compiling while the server is up: the first start on a machine serves the page at once."""

from __future__ import annotations

from gpu_wordle.jit import ahead, files
from gpu_wordle.jit.ahead import Show
from gpu_wordle.jit.functions import Need
from gpu_wordle.solver.ready import CONSTRAINED, UNCONSTRAINED, make_modules_ready

MODULES = (*UNCONSTRAINED, *CONSTRAINED)
NEEDS = (Need.SEARCH, Need.STATISTICS, Need.GREEDY)
"""What the questions of the page need."""


class Compiling:
    """The machine code that the page needs: how much of it is compiled, by length of code.

    Functions differ much in length, so that their number would tell little.
    """

    def __init__(self) -> None:
        missing = ahead.missing(MODULES, NEEDS)
        self._lengths = {each.file: len(each.function.__code__.co_code) for each in missing}
        self._is_over = not missing

    def share(self) -> float:
        """The compiled share; 1 as soon as everything can be asked."""
        if self._is_over:
            return 1.0
        present = files.present()
        done = sum(length for file, length in self._lengths.items() if file in present)
        return min(done / sum(self._lengths.values()), 0.99)

    def run(self, show: Show | None = None) -> int:
        """Compile what is missing; return how many functions. If it fails, questions will tell."""
        try:
            return make_modules_ready(MODULES, NEEDS, show)
        finally:
            self._is_over = True
