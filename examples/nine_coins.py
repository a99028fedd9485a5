"""Another game, given by its feedback: which of nine coins is heavier than the others?

A guess is a weighing, with as many coins on one pan as on the other, or the name of a coin. The
scales answer that the left pan sinks, the right one, or neither. How many weighings does it take?
"""

from __future__ import annotations

from itertools import combinations

import numpy as np

import gpu_wordle as gw

COINS = "ABCDEFGHI"
LEVEL, LEFT, RIGHT, WRONG, FOUND = range(5)


def weighings() -> list[tuple[str, str]]:
    """Pairs of pans of equal size; the pan with the first coin of both is the left one."""
    return [
        ("".join(left), "".join(right))
        for size in range(1, len(COINS) // 2 + 1)
        for left in combinations(COINS, size)
        for right in combinations(sorted(set(COINS) - set(left)), size)
        if left < right
    ]


def coins_game() -> gw.Game:
    """The game of the coins, as a matrix of feedback: a row a guess, a column a coin."""
    pans = weighings()
    guesses = [f"{left}-{right}" for left, right in pans] + list(COINS)
    feedback = np.full((len(guesses), len(COINS)), WRONG)
    for row, (left, right) in enumerate(pans):
        for column, coin in enumerate(COINS):
            feedback[row, column] = LEFT if coin in left else RIGHT if coin in right else LEVEL
    feedback[len(pans) :][np.diag_indices(len(COINS))] = FOUND
    return gw.Game.from_feedback(guesses, list(COINS), feedback, solved=FOUND)


def main() -> None:
    """Print the best strategy of the game."""
    game = coins_game()
    result = gw.solve(game)
    print(f"{len(game.guesses):,} guesses, {len(game.answers)} coins")
    print(f"{result.worst - 1} weighings find the coin, {result.mean - 1:.4f} on average")
    print(f"weigh {result.best} first, then")
    for tree in result.tree.children.values():
        print(f"  if it is one of {' '.join(tree.answers)}: {tree.guess}")


if __name__ == "__main__":
    main()
