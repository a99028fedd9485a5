"""Pattern matrix and partition statistics on the CPU: pairs and look-ups per second.

python scripts/bench/foundation.py [--repeats N] [--out results/bench]
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from gpu_wordle.backends import load_game
from gpu_wordle.backends.cpu.backend import CpuBackend
from gpu_wordle.game.words import load_words
from gpu_wordle.states.batch import StateBatch
from gpu_wordle.states.partition import Criterion
from scripts.bench.common import median_seconds, options, report

SIZES = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2315)


def main() -> None:
    """Measure and report."""
    asked = options(__doc__, repeats=15)
    rows = [*pattern_rows(asked.repeats), *statistics_rows(asked.repeats)]
    report("Pattern matrix and partition statistics, CPU", rows, asked.out)


def pattern_rows(repeats: int) -> Iterator[dict[str, str]]:
    """Whole matrices of the named lists, on one thread and on all."""
    for name in ("original", "nyt-2023"):
        words = load_words(name)
        pairs = len(words.guesses) * len(words.answers)
        for threads in sorted({1, CpuBackend().threads}):
            backend = CpuBackend(threads)
            seconds = median_seconds(lambda b=backend, w=words: b.build_patterns(w), repeats)
            yield {
                "what": f"pattern matrix, {name}",
                "threads": str(threads),
                "seconds": f"{seconds:.3g}",
                "pairs or look-ups per s": f"{pairs / seconds:.2e}",
            }


def statistics_rows(repeats: int) -> Iterator[dict[str, str]]:
    """All statistics of all guesses on states of one size, one thread, and the best guess alone."""
    game = load_game("original")
    evaluator = CpuBackend(1).open(game)
    rng = np.random.default_rng(1)
    for size in SIZES:
        count = max(1, 8192 // size)
        sets = [rng.choice(game.answer_count, size, replace=False) for _ in range(min(count, 64))]
        batch = StateBatch.from_sets(sets, game.answer_count)
        for what, work in (
            ("statistics", lambda b=batch: evaluator.stats(b)),
            ("best by entropy", lambda b=batch: evaluator.best(b, Criterion.ENTROPY)),
        ):
            seconds = median_seconds(work, repeats, cpu=True)
            guesses = len(batch) * game.guess_count
            yield {
                "what": f"{what}, states of {size}",
                "threads": "1",
                "seconds": f"{seconds:.3g}",
                "pairs or look-ups per s": f"{guesses * size / seconds:.2e}",
                "ns per guess": f"{1e9 * seconds / guesses:.1f}",
            }


if __name__ == "__main__":
    main()
