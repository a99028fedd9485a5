"""What is each next guess truly worth in the middle of a game?

A position knows its rule, and what the turns before have revealed. So in hard mode, guesses that no
longer agree with them are refused, and the others cost what they cost there.
"""

from __future__ import annotations

import gpu_wordle as gw

HISTORY = "salet BYBBG"
GUESSES = ("craft", "habit", "crony")


def main() -> None:
    """Compare some next guesses with the best one, under two rules."""
    for rule in ("normal", "hard"):
        position = gw.load_game("original", rule=rule).after(HISTORY)
        best = gw.solve(position)
        print(f"{rule}: {len(position.answers)} answers left after {HISTORY}")
        print(f"  {best.best} is best: {best.mean:.4f} guesses more, at most {best.worst}")
        for guess in GUESSES:
            print(f"  {guess} {price(position, guess, best)}")


def price(position: gw.Position, guess: str, best: gw.Result) -> str:
    """What a guess costs more than the best one, in words."""
    try:
        result = gw.solve(position, guess=guess)
    except gw.UserError as error:
        return f"is refused: {error}"
    if result.is_infeasible:
        return "no guaranteed win"
    return f"costs {result.total - best.total} more over all answers"


if __name__ == "__main__":
    main()
