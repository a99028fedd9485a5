"""Compile what the tests run, once: as a program, before several processes start to test.

Machine code lies on disk beside its sources afterwards, from where every process takes it.
"""

import pkgutil
from importlib import import_module

import numpy as np

from gpu_wordle import solver
from gpu_wordle.backends.cpu.backend import CpuBackend
from gpu_wordle.game.game import Game
from gpu_wordle.game.patterns import PatternMatrix
from gpu_wordle.states.batch import StateBatch
from gpu_wordle.states.partition import Criterion
from support.frontiers import expand
from support.word_lists import make_words


def main() -> None:
    """Load the machine code of all searches, and have the CPU do all it can with both widths."""
    for module in pkgutil.walk_packages(solver.__path__, f"{solver.__name__}."):
        import_module(module.name)
    for length in (2, 6):  # patterns of 8 and 16 bits
        rng = np.random.default_rng(length)
        words = list({"".join(rng.choice(list("abc"), length)): None for _ in range(40)})
        lists = make_words(words, words[: len(words) // 2])
        backend = CpuBackend(1)
        game = Game(lists, PatternMatrix(backend.build_patterns(lists), lists.feedback))
        evaluator, batch = backend.open(game), StateBatch.whole(game.answer_count)
        evaluator.stats(batch)
        for by in Criterion:
            evaluator.best(batch, by)
        evaluator.spectrum(batch.state(0), 0)
        expand(backend.open_frontier(game), game, rng)


if __name__ == "__main__":
    main()
