"""The two named numbers that values and guess limits are held against; what a guess leaves."""

INFEASIBLE = 1 << 40
"""The value of a state that cannot surely be won within the guess limit: above any total, and
small enough that sums of it stay within 64 bits."""

NO_LIMIT = 255
"""Guesses left when there is no limit; no strategy that makes progress is higher."""


def after(guesses_left: int) -> int:
    """Guesses left after one more."""
    return guesses_left if guesses_left >= NO_LIMIT else guesses_left - 1
