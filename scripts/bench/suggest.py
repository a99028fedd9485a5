"""Time suggest in positions after one guess.

``python scripts/bench/suggest.py --sample 60 --seed 1`` draws first guesses and feedback, and
``--after 'mamma BBBBB'`` names a position. For each it prints the seconds until the twelve shown
guesses have exact values, and until no other guess can be better, with replayed strategies.
Everything is compiled and loaded before.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass

import numpy as np

from gpu_wordle.api import session
from gpu_wordle.experiments.suggest import RootBounds
from gpu_wordle.game.game import Game, Position
from gpu_wordle.game.rule import Rule
from gpu_wordle.ranking.stop_token import StopToken
from gpu_wordle.verbs.suggest import DEFAULT_TOP, find


@dataclass(frozen=True)
class Took:
    """CPU and wall seconds: until the shown values are exact, and until everything is done."""

    position: Position
    exact_cpu: float
    exact: float
    cpu: float
    wall: float


class Clock:
    """CPU and wall time since its creation. It notes when the shown guesses are exact."""

    def __init__(self) -> None:
        self._began = time.process_time(), time.perf_counter()
        self.exact: tuple[float, float] | None = None

    def now(self) -> tuple[float, float]:
        """Return CPU and wall seconds so far."""
        return time.process_time() - self._began[0], time.perf_counter() - self._began[1]

    def hear(self, found: RootBounds) -> None:
        """Note the time at which everything is exact for the first time."""
        shown = found.best()
        if self.exact is None and len(shown) == DEFAULT_TOP and found.is_exact[shown].all():
            self.exact = self.now()


def measure(position: Position, threads: int) -> Took:
    """Suggest guesses, and return the times."""
    clock = Clock()
    opened = session.open_session(position, session.Machine("cpu", threads))
    find(opened, ["total"], DEFAULT_TOP, StopToken(), clock.hear)
    cpu, wall = clock.now()
    return Took(position, *(clock.exact or (cpu, wall)), cpu, wall)


def drawn(game: Game, sample: int, seed: int) -> list[Position]:
    """Draw positions after a first guess and feedback, uniformly from all possible ones."""
    rng = np.random.default_rng(seed)
    positions = []
    for _ in range(sample):
        guess = int(rng.integers(game.guess_count))
        pattern = int(rng.choice(np.unique(game.patterns.values[:, guess])))
        if pattern != game.patterns.all_green:
            positions.append(game.start().after(guess, pattern))
    return positions


def main() -> None:
    """Measure and summarise."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sample", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--after", action="append", help="a position, instead of a sample")
    parser.add_argument("--rule", default="normal")
    parser.add_argument("--threads", type=int, default=1)
    chosen = parser.parse_args()
    game = session.open_game(session.read_words(), Rule(chosen.rule))
    named = [game.position_after(history) for history in chosen.after or ()]
    took = []
    for position in named or drawn(game, chosen.sample, chosen.seed):
        took.append(one := measure(position, chosen.threads))
        print(
            f"exact after {one.exact_cpu:.3f} s of CPU time, {one.exact:.3f} s passed; done after "
            f"{one.cpu:.3f} s, {one.wall:.3f} s; {len(position.state):,} answers, "
            f"{position.history}",
            flush=True,
        )
    for name in ("exact_cpu", "exact", "cpu", "wall"):
        seconds = sorted(getattr(each, name) for each in took)
        worst = max(took, key=lambda each: getattr(each, name))
        print(
            f"{name}: median {seconds[len(seconds) // 2]:.3f} s, over a second "
            f"{sum(second > 1 for second in seconds)} of {len(took)}, worst {seconds[-1]:.3f} s "
            f"after {worst.position.history}, {len(worst.position.state):,} answers"
        )


if __name__ == "__main__":
    main()
