"""How long suggest takes in positions after one guess.

``python scripts/bench/suggest.py --sample 60 --seed 1`` draws first guesses and feedback, and
``--after 'mamma BBBBB'`` names a position. For each it prints the seconds until all twelve guesses
that are shown have exact values, and until no other guess can be better, with strategies replayed.
Everything is compiled and loaded.
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
    """CPU seconds and seconds that passed: until what is shown is exact, and until all is done."""

    position: Position
    exact_cpu: float
    exact: float
    cpu: float
    wall: float


class Clock:
    """CPU time and time from its making on; notes when the guesses shown are exact."""

    def __init__(self) -> None:
        self._began = time.process_time(), time.perf_counter()
        self.exact: tuple[float, float] | None = None

    def now(self) -> tuple[float, float]:
        """Seconds so far."""
        return time.process_time() - self._began[0], time.perf_counter() - self._began[1]

    def hear(self, found: RootBounds) -> None:
        """Note the time if this is the first time that all is exact."""
        shown = found.best()
        if self.exact is None and len(shown) == DEFAULT_TOP and found.is_exact[shown].all():
            self.exact = self.now()


def measure(position: Position, threads: int) -> Took:
    """Suggest guesses, and say how long it took."""
    clock = Clock()
    opened = session.open_session(position, session.Machine("cpu", threads))
    find(opened, ["total"], DEFAULT_TOP, StopToken(), clock.hear)
    cpu, wall = clock.now()
    return Took(position, *(clock.exact or (cpu, wall)), cpu, wall)


def drawn(game: Game, sample: int, seed: int) -> list[Position]:
    """Positions after a first guess and feedback, both drawn evenly from all that there are."""
    rng = np.random.default_rng(seed)
    positions = []
    for _ in range(sample):
        guess = int(rng.integers(game.guess_count))
        pattern = int(rng.choice(np.unique(game.patterns.values[:, guess])))
        if pattern != game.patterns.all_green:
            positions.append(game.start().after(guess, pattern))
    return positions


def main() -> None:
    """Measure and sum up."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sample", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--after", action="append", help="a position, in the place of a sample")
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
