"""A small game for the tests of every verb: few guesses separate its words.

So limits and objectives matter, and some guesses are infeasible.
"""

ANSWERS = ["bat", "cat", "fat", "hat", "mat", "pat", "rat", "sat", "bit", "fit"]
GUESSES = [*ANSWERS, "chf", "mps", "bfc", "rib", "tab"]
WEIGHTS = [7, 1, 0, 12, 3, 1, 30, 2, 0.5, 4]
