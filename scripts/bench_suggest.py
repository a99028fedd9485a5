"""How long suggest takes in positions after one guess, of first guesses and feedback at random.

``python scripts/bench_suggest.py --sample 60 --seed 1`` prints a line for each position: seconds
to the exact values of the twelve best guesses, everything compiled and loaded, on one thread.
"""

from __future__ import annotations

import argparse
import time

import numpy as np

from gpu_wordle.api import session
from gpu_wordle.api.suggesting import DEFAULT_TOP, suggest
from gpu_wordle.game.rule import Rule
from gpu_wordle.ranking.ending import Ending


def main() -> None:
    """Sample, measure and sum up."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sample", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rule", default="normal")
    chosen = parser.parse_args()
    game = session.open_game(session.read_words(), Rule(chosen.rule))
    rng = np.random.default_rng(chosen.seed)
    took = []
    for _ in range(chosen.sample):
        guess = int(rng.integers(game.guess_count))
        pattern = int(rng.choice(np.unique(game.patterns.values[:, guess])))
        if pattern == game.patterns.all_green:
            continue
        position = game.start().after(guess, pattern)
        began = time.perf_counter()
        opened = session.open_session(position, session.Machine("cpu", 1))
        suggest(opened, ["total"], DEFAULT_TOP, Ending())
        took.append((time.perf_counter() - began, position))
        print(
            f"{took[-1][0]:.3f} s, {len(position.state):,} answers, {position.history}", flush=True
        )
    seconds = sorted(second for second, _ in took)
    worst, position = max(took, key=lambda each: each[0])
    print(f"{len(took)} positions: median {seconds[len(seconds) // 2]:.3f} s")
    print(f"over a second: {sum(second > 1 for second in seconds)}")
    print(f"worst {worst:.3f} s after {position.history}, {len(position.state):,} answers")


if __name__ == "__main__":
    main()
