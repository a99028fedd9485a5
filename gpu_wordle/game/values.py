"""Special values: the total of an unwinnable state, and the number of guesses without a limit."""

INFEASIBLE = 1 << 40
"""Value of a state that is not winnable within the guess limit.

It is above any total, and small enough that sums of it fit 64 bits.
"""

NO_LIMIT = 255
"""Number of guesses left if there is no limit; every useful strategy takes fewer."""


def after(guesses_left: int) -> int:
    """Number of guesses left after one more guess; NO_LIMIT stays NO_LIMIT."""
    return guesses_left if guesses_left >= NO_LIMIT else guesses_left - 1
