"""A small game for the tests of every verb: few guesses separate its words.

So limits and objectives matter, and some guesses are infeasible.
"""

from pathlib import Path

ANSWERS = ["bat", "cat", "fat", "hat", "mat", "pat", "rat", "sat", "bit", "fit"]
GUESSES = [*ANSWERS, "chf", "mps", "bfc", "rib", "tab"]
WEIGHTS = [7, 1, 0, 12, 3, 1, 30, 2, 0.5, 4]
LISTS = ["--guesses", "guesses.txt", "--answers", "answers.txt"]


def write(folder: Path) -> tuple[str, str]:
    """Write the lists of guesses and answers, which LISTS names; return their paths."""
    guesses, answers = folder / "guesses.txt", folder / "answers.txt"
    guesses.write_text("".join(f"{word}\n" for word in sorted(GUESSES)))
    answers.write_text("".join(f"{word}\n" for word in ANSWERS))
    return str(guesses), str(answers)
