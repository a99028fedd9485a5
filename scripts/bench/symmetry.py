"""Prove the best first guesses of games with symmetries, by orbits and without.

    python scripts/bench/symmetry.py [--games mastermind:4x6 ...] [--plain mastermind:4x6 ...]
                                     [--out FOLDER]

By ``from_feedback`` a matrix becomes a game without its symmetries. Times are CPU seconds of one
thread, without game and matrix, but with the layout of the matrix for the search.
"""

from __future__ import annotations

import time
from typing import Any

from gpu_wordle.game import games
from gpu_wordle.game.game import Game
from gpu_wordle.solver import Proof, SolverPool, prove
from scripts.bench.common import options, report

GAMES = [
    "mastermind:4x6", "mastermind:4x7", "mastermind:4x8",
    "bulls-and-cows:3x10", "bulls-and-cows:4x8", "bulls-and-cows:4x9",
]  # fmt: skip
PLAIN = ["mastermind:4x6", "bulls-and-cows:3x10"]


def loaded(name: str) -> Game:
    """Return the game of that name."""
    places, symbols = map(int, name.rpartition(":")[2].split("x"))
    build = games.mastermind if name.startswith("mastermind") else games.bulls_and_cows
    return build(places, symbols)


def without_symmetries(game: Game) -> Game:
    """Return a game with the same feedback and without symmetries."""
    names, feedback = game.words.guesses.words, game.patterns.values.T
    return games.from_feedback(names, names, feedback, game.patterns.all_green)


def proved(game: Game) -> tuple[Proof, float]:
    """Return the proof on one thread, and its CPU seconds."""
    start = time.process_time()
    with SolverPool(game, 1) as pool:
        proof = prove(pool, game.start())
    return proof, time.process_time() - start


def row(name: str, *, plain: bool) -> dict[str, Any]:
    """Return a row with the time of a game; ``plain`` adds the time without symmetries."""
    game = loaded(name)
    proof, seconds = proved(game)
    assert proof.is_complete
    found: dict[str, Any] = {
        "game": name,
        "codes": f"{game.guess_count:,}",
        "least total": f"{proof.total:,}",
        "best": f"{len(proof.best):,} as {game.words.guesses.words[proof.best[0]]}",
        "CPU s": f"{seconds:.1f}",
    }
    if plain:
        other, without = proved(without_symmetries(game))
        assert other.total == proof.total
        assert other.best == proof.best
        found |= {"without": f"{without:.1f}", "ratio": f"{without / seconds:.0f}"}
    return found


def main() -> None:
    """Prove the games, and report."""
    asked = options(__doc__, games=GAMES, plain=PLAIN)
    proved(games.mastermind(2, 3))  # loads machine code
    rows = [row(name, plain=name in asked.plain) for name in asked.games]
    report("Games with symmetries", rows, asked.out)


if __name__ == "__main__":
    main()
