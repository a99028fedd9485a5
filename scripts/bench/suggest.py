"""Time suggest in positions after one guess.

``python scripts/bench/suggest.py --sample 60 --seed 1`` draws first guesses and feedback, and
``--after 'mamma BBBBB'`` names a position. ``--rule`` and ``--threads`` are those of ``suggest``.
For each position it prints the seconds until all twelve guesses that are shown have exact values,
and until no other guess can be better, with strategies replayed: CPU seconds, and those that
passed. Everything is compiled and loaded.
"""

from __future__ import annotations

import time

import numpy as np

from gpu_wordle.api import session
from gpu_wordle.experiments.suggest import RootBounds
from gpu_wordle.game.game import Game, Position
from gpu_wordle.game.rule import Rule
from gpu_wordle.ranking.stop_token import StopToken
from gpu_wordle.verbs.suggest import DEFAULT_TOP, find
from scripts.bench.common import options


def measure(position: Position, threads: int) -> dict[str, float]:
    """Suggest guesses; CPU seconds and seconds until what is shown is exact, and in all."""
    began = time.process_time(), time.perf_counter()
    exact: list[float] = []

    def now() -> list[float]:
        return [time.process_time() - began[0], time.perf_counter() - began[1]]

    def hear(found: RootBounds) -> None:
        shown = found.best()
        if not exact and len(shown) == DEFAULT_TOP and found.is_exact[shown].all():
            exact.extend(now())

    opened = session.open_session(position, session.Machine("cpu", threads))
    find(opened, ["total"], DEFAULT_TOP, StopToken(), hear)
    done = now()
    return dict(zip(("exact_cpu", "exact", "cpu", "wall"), [*(exact or done), *done], strict=True))


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
    """Measure and sum up."""
    chosen = options(__doc__, sample=60, seed=1, after=[""], rule="normal", threads=1)
    game = session.open_game(session.read_words(), Rule(chosen.rule))
    named = [game.position_after(history) for history in chosen.after if history]
    took = []
    for position in named or drawn(game, chosen.sample, chosen.seed):
        seconds = measure(position, chosen.threads)
        after = f"{position.history}, {len(position.state):,} answers"
        took.append((seconds, after))
        print(
            f"exact after {seconds['exact_cpu']:.3f} s of CPU time, {seconds['exact']:.3f} s "
            f"passed; done after {seconds['cpu']:.3f} s, {seconds['wall']:.3f} s; {after}",
            flush=True,
        )
    for name in took[0][0]:
        ordered = sorted((seconds[name], after) for seconds, after in took)
        worst, after = ordered[-1]
        print(
            f"{name}: median {ordered[len(ordered) // 2][0]:.3f} s, over a second "
            f"{sum(each > 1 for each, _ in ordered)} of {len(took)}, worst {worst:.3f} s "
            f"after {after}"
        )


if __name__ == "__main__":
    main()
