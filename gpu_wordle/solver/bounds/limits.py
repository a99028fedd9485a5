"""What a limit on the guesses left has to say of a state by its size."""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from gpu_wordle.solver.machine.linking import inlined
from gpu_wordle.solver.machine.signatures import INT


@inlined(INT(INT, INT))
def most_winnable(max_parts, guesses_left):
    """Answers that guesses of at most ``max_parts`` parts surely find in ``guesses_left`` turns."""
    result = 1
    for _ in range(guesses_left - 1):
        result *= max_parts
        if result > 1 << 20:
            break
    return result
