"""What a limit on the guesses left has to say of a state by its size."""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from gpu_wordle.solver.machine.linking import inlined
from gpu_wordle.solver.machine.signatures import INT


@inlined(INT(INT, INT))
def most_winnable(most, left):
    """Answers that can surely be found in ``left`` guesses that make at most ``most`` parts."""
    result = 1
    for _ in range(left - 1):
        result *= most
        if result > 1 << 20:
            break
    return result
