"""A rule of one's own, played over all answers beside built-in ones.

It takes the guess after which fewest answers are left at worst, and of such guesses the one with
the most parts. A strategy gets many positions at once, and names a guess for each by its index.
"""

from __future__ import annotations

import gpu_wordle as gw


class SmallestLargestPart:
    """The rule; to tell the scores of all guesses is no duty, and lets others look at them."""

    name = "smallest-largest-part"
    recalls_turns = False  # equal answers left get equal guesses

    def scores(self, positions):
        """What each guess is worth in each position, more is better."""
        stats = positions.statistics()
        return 2 * stats.parts + stats.is_candidate - 1000.0 * stats.max_part

    def choose(self, positions):
        """The best guess of each position; the first of equal ones."""
        return self.scores(positions).argmax(axis=1)


def main() -> None:
    """Print how the rules fare from one opener."""
    games = gw.simulate(gw.load_game(), [SmallestLargestPart(), "max-part", "parts"], "salet")
    for row in games:
        print(f"{row['strategy']:21}  {row['mean']:.4f} guesses, {row['gap']} more than the best")


if __name__ == "__main__":
    main()
