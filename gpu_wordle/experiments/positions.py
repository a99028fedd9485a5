"""Positions that a mixture of players reaches, split by answer for programs that learn.

Draws go by game and turn, so the positions depend on the seed alone: not on threads, and not on
where the work was interrupted.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.experiments.suggest import Guesses
from gpu_wordle.game.game import Game, Position
from gpu_wordle.solver import Solver
from gpu_wordle.strategies.positions import is_over

PLAYERS = {
    "optimal": 25, "parts": 10, "expected-part": 10, "noisy": 40, "candidate": 10, "random": 5,
}  # fmt: skip
"""The players, and the share of the games of each in percent.

optimal plays a best guess; parts and expected-part are greedy rules; noisy plays the one of
NOISY_DRAWS random legal guesses that makes most groups of answers; candidate plays any answer left,
and random any legal guess. All but these two open with the best of OPENER_DRAWS random guesses.
"""

OPENER_DRAWS, NOISY_DRAWS = 256, 4

MAX_WALKED_TURNS = 10
"""Guesses after which a game without a limit ends."""

ALL_KEPT = 64
"""Answers left up to which all positions are kept; of those with n, the share ALL_KEPT / n is."""

MIXTURE = {
    "players": PLAYERS, "opener_draws": OPENER_DRAWS, "noisy_draws": NOISY_DRAWS,
    "all_kept": ALL_KEPT,
}  # fmt: skip
"""All that decides which positions are reached and kept, as files record it."""


class Draws:
    """Random draws by a seed, a game and a turn, alike in all versions of numpy.

    Turn 0 is for the course of the game.
    """

    def __init__(self, seed: int, number: int, turn: int) -> None:
        self._bits = np.random.Philox(key=[seed, number], counter=[0, 0, 0, turn])

    def by(self, weights: NDArray[np.int64]) -> int:
        """An index, as likely as its weight."""
        ends = np.cumsum(weights)
        return int(np.searchsorted(ends, int(self._bits.random_raw()) % int(ends[-1]), "right"))

    def some(self, guesses: Guesses, count: int) -> Guesses:
        """Distinct guesses in random order, ``count`` of them or all."""
        keys = self._bits.random_raw(len(guesses))
        return guesses[np.argsort(keys, kind="stable")[:count]]


class Identity(NamedTuple):
    """What a position is known by, whatever list its answers are from and whoever reached it.

    Attributes:
        name: equal for equal answers left, turns made and legal guesses.
        secret: the answer that stands for the position: one of those left, by a hash of them all.
            So positions of equal answers left have one secret, and lie in the split of it.
        is_kept: False if the position is left out, as most of many answers are; see ALL_KEPT.
    """

    name: str
    secret: str
    is_kept: bool

    @classmethod
    def of(cls, position: Position) -> Identity:
        """Return the identity of a position."""
        words = position.game.words.answers.words
        left = sorted(words[answer] for answer in position.state.tolist())
        together = hashlib.sha256("\n".join(left).encode()).digest()
        rest = b"%d " % position.turns_made + position.revealed.tobytes()
        name = hashlib.sha256(together + rest).hexdigest()[:16]
        secret = left[int.from_bytes(together, "big") % len(left)]
        return cls(name, secret, int(name, 16) % len(left) < ALL_KEPT)


@dataclass(frozen=True, eq=False)
class Reached:
    """A position that a player reached in the game ``number``."""

    number: int
    player: str
    position: Position


@dataclass(frozen=True, eq=False)
class Walks:
    """The games of one seed.

    Attributes:
        game: what is played.
        seed: seed of all draws.
        groups: groups that each guess makes of all answers, int64[G].
    """

    game: Game
    seed: int
    groups: NDArray[np.int64]

    def walk(self, solver: Solver, number: int) -> list[Reached]:
        """Play a game; return its positions after a guess that leave two answers, and a guess.

        The secret is drawn by the weights of the answers, and the player by PLAYERS.
        """
        game, draws, reached = self.game, Draws(self.seed, number, 0), []
        secret = draws.by(game.objective.weights_of(game.root()))
        player = list(PLAYERS)[draws.by(np.array([*PLAYERS.values()]))]
        position = game.start()
        while position.turns_made < MAX_WALKED_TURNS:
            guess = self._chosen(solver, position, player, draws)
            pattern = int(game.patterns.values[secret, guess])
            if pattern == game.words.feedback.solved:
                break
            position = position.after(guess, pattern)
            if is_over(position):
                break
            if len(position.state) > 1:
                reached.append(Reached(number, player, position))
        return reached

    def _chosen(self, solver: Solver, position: Position, player: str, draws: Draws) -> int:
        """The guess of a player."""
        candidates = position.game.words.guess_of_answer[position.state].astype(np.intp)
        legal = np.flatnonzero(position.choices)
        if player in ("candidate", "random"):
            return int(draws.some(legal if player == "random" else candidates, 1)[0])
        if position.is_start:
            some = draws.some(legal, OPENER_DRAWS)
            return int(some[self.groups[some].argmax()])
        if player == "optimal":
            tree = solver.solve(position, tree=True, least_worst=False).tree
            return int(candidates[0] if tree is None else tree.guess[0])
        groups, squares = solver.engine.measure(position.state)
        if player == "noisy":
            some = draws.some(legal, NOISY_DRAWS)
            return int(some[groups[some].argmax()])
        if len(candidates) == 2:
            return int(candidates[0])
        return int(best_first(position, legal, -groups if player == "parts" else squares)[0])

    def drawn(self, reached: Reached, count: int) -> Guesses:
        """Random legal guesses of a position, ``count`` of them or all."""
        position = reached.position
        draws = Draws(self.seed, reached.number, position.turns_made)
        return draws.some(np.flatnonzero(position.choices), count)


def best_first(position: Position, guesses: Guesses, score: NDArray[np.int64]) -> Guesses:
    """Guesses by score, int64[G], the least first; then possible answers, then as listed."""
    candidates = position.game.words.guess_of_answer[position.state]
    return guesses[np.lexsort([~np.isin(guesses, candidates), score[guesses]])]
