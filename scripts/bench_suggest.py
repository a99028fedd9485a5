"""How long suggest takes in positions after one guess, of first guesses and feedback at random.

``python scripts/bench_suggest.py --sample 60 --seed 1`` prints a line for each position: seconds to
the exact values of the twelve best guesses, everything compiled and loaded, on one thread.
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
        began, worked = time.perf_counter(), time.process_time()
        opened = session.open_session(position, session.Machine("cpu", 1))
        suggest(opened, ["total"], DEFAULT_TOP, Ending())
        took.append((time.process_time() - worked, time.perf_counter() - began, position))
        cpu, wall, _ = took[-1]
        left = f"{len(position.state):,} answers, {position.history}"
        print(f"{cpu:.3f} s of CPU time, {wall:.3f} s passed, {left}", flush=True)
    for name, place in (("CPU time", 0), ("time that passed", 1)):
        seconds = sorted(each[place] for each in took)
        worst = max(took, key=lambda each: each[place])
        over = sum(second > 1 for second in seconds)
        print(
            f"{name}: median {seconds[len(seconds) // 2]:.3f} s, over a second {over} of "
            f"{len(took)}, worst {worst[place]:.3f} s after {worst[2].history}, "
            f"{len(worst[2].state):,} answers"
        )


if __name__ == "__main__":
    main()
