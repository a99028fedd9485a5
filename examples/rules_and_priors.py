"""One opener under several rules, and under a prior by which some answers are unlikely.

The weights of a prior are a mapping from words to numbers, one for every answer.
"""

from __future__ import annotations

import gpu_wordle as gw

OPENERS = ("salet", "crane", "slate")
USED = ("cigar", "rebut", "sissy", "humph", "awake", "blush", "focal", "evade", "naval", "serve")
"""Answers of the first ten days of the game, which are unlikely to come back."""


def main() -> None:
    """Print the means of the openers under each rule, and under the prior."""
    show("normal rule", gw.load_game("original"))
    show("hard mode", gw.load_game("original", rule="hard"))
    answers = gw.load_game("original").answers
    weights = {word: 0.1 if word in USED else 1 for word in answers}
    show("used answers unlikely", gw.load_game("original", weights=weights))

    hard = gw.published("original", "hard")
    print(f"published, hard mode: {hard.best} of {len(hard):,} is best")


def show(title: str, game: gw.Game) -> None:
    """Print what each opener comes to."""
    print(f"{title}:")
    for opener in OPENERS:
        result = gw.solve(game, guess=opener)
        if result.is_infeasible:
            print(f"  {opener} is no guaranteed win; at most {result.solvable:,} answers are found")
        else:
            print(f"  {opener} {result.mean:.4f}, at most {result.worst}")


if __name__ == "__main__":
    main()
