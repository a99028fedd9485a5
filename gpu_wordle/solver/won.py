"""Won: a state that a few good guesses find all answers of in time.

Any strategy will do that never takes too many guesses, be it dear. So it is looked for depth first
among the guesses that come first in the order of a search.
"""

from __future__ import annotations

from gpu_wordle.game.game import State
from gpu_wordle.solver.engine import Engine, line_up, parts_of
from gpu_wordle.tunables import WIN_STATES, WIN_WIDTH


def is_soon_won(engine: Engine, state: State, guesses_left: int) -> bool:
    """Whether few guesses on few states show that a state can be won. False says nothing.

    For the rule normal: any guess counts as legal.
    """
    return _Attempt(engine).wins(state, guesses_left)


class _Attempt:
    """The states that are still to be looked at."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._states_left = WIN_STATES

    def wins(self, state: State, guesses_left: int) -> bool:
        if len(state) <= min(guesses_left, 2):
            return True
        self._states_left -= 1
        if guesses_left < 2 or self._states_left < 0:
            return False
        lineup = line_up(self._engine, state)
        if guesses_left == 2:
            return int(lineup.parts.max()) == len(state)
        return any(
            self._wins_by(state, guess, guesses_left)
            for guess in lineup.order[:WIN_WIDTH].tolist()
            if lineup.parts[guess] > 1
        )

    def _wins_by(self, state: State, guess: int, guesses_left: int) -> bool:
        parts = sorted(parts_of(self._engine.game, state, guess), key=len, reverse=True)
        return all(self.wins(part, guesses_left - 1) for part in parts)
