"""The two named numbers that values and guess limits are held against."""

INFEASIBLE = 1 << 40
"""The value of a state that cannot surely be won within the guess limit: above any total, and
small enough that sums of it stay within 64 bits."""

NO_LIMIT = 255
"""Guesses left when there is no limit; no strategy that makes progress is higher."""
