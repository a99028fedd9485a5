"""Tabular Q-learning with the last turn as the state.

Watkins' rule (1989), as "Solving Wordle" (Erkin, 2022) applies it: the actions are the answers, the
reward of a game is 1 if won and 0 if lost. Erkin gives no constants; :class:`Learning` has ours.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.errors import UserError, quoted
from gpu_wordle.game.numbers import decimal_number
from gpu_wordle.solver import Stop
from gpu_wordle.strategies.last_turns import UNKNOWN, ByLastTurn, LastTurns
from gpu_wordle.strategies.machine import play_episodes
from gpu_wordle.strategies.play import NEVER, play
from gpu_wordle.strategies.positions import Positions
from gpu_wordle.strategies.strategy import generator

MAX_EPISODES = 100_000_000
EPISODES_AT_A_TIME = 1000
"""Episodes between checks for a stop and enlargements of the table."""


@dataclass(frozen=True)
class Learning:
    """The constants of Q-learning. Raises UserError for one that is out of range.

    Attributes:
        episodes: number of games to play, 1 to MAX_EPISODES.
        rate: learning rate, above 0 and at most 1.
        discount: discount factor per turn, 0 to 1.
        exploration: probability of a random action in the first episode, 0 to 1. It falls linearly
            to zero at the last episode.
        initial: value of an untried action, 0 to 1.
        seed: seed of hidden answers, exploration and ties.
    """

    episodes: int = 100_000
    rate: float = 0.1
    discount: float = 0.9
    exploration: float = 0.1
    initial: float = 0.0
    seed: int = 0

    def __post_init__(self) -> None:
        if not 1 <= self.episodes <= MAX_EPISODES:
            raise UserError(f"{self.episodes:,} episodes: give 1 to {MAX_EPISODES:,}")
        if not 0 < self.rate <= 1:
            raise UserError(f"rate {self.rate}: give a number above 0 and at most 1")
        for name in ("discount", "exploration", "initial"):
            if not 0 <= getattr(self, name) <= 1:
                raise UserError(f"{name} {getattr(self, name)}: give a number from 0 to 1")

    @classmethod
    def parse(cls, parts: list[str], seed: int) -> Learning:
        """Read the options after ``q-learning:``, as in ``50000:rate=0.2``.

        ``parts`` are the options split at colons. Raises UserError for a wrong one.
        """
        names = [field.name for field in fields(cls) if field.name not in ("episodes", "seed")]
        given: dict[str, float] = {}
        for place, part in enumerate(parts):
            name, _, text = part.rpartition("=")
            number = decimal_number(text)
            is_count = not name and place == 0 and text.isdigit()
            if number is None or not (is_count or (name in names and name not in given)):
                raise UserError(
                    f"{quoted(part)}: after q-learning come the episodes and {', '.join(names)}, "
                    "as in q-learning:50000:rate=0.2"
                )
            given[name or "episodes"] = int(number) if is_count else float(number)
        return cls(**given, seed=seed)  # type: ignore[arg-type]


class QTable:
    """The Q-table: values of the state-action pairs that were tried.

    Attributes:
        states: the state space.
        learning: the constants.
        played: number of episodes so far.
        tried: number of state-action pairs tried.
    """

    def __init__(self, states: LastTurns, learning: Learning) -> None:
        self.states = states
        self.learning = learning
        self.played = self.tried = 0
        self._random = np.array([learning.seed], np.uint64)
        self._head = np.full(states.count, -1, np.int64)
        self._following = np.empty(0, np.int64)
        self._action = np.empty(0, np.int64)
        self._value = np.empty(0, np.float64)

    @property
    def visited(self) -> int:
        """Number of states in which an action was tried."""
        return int((self._head >= 0).sum())

    def learn(
        self,
        episodes: int,
        on_progress: Callable[[int], None] = lambda played: None,
        stop: Stop | None = None,
    ) -> int:
        """Play ``episodes`` more episodes, or fewer after a stop; return how many were won.

        ``on_progress`` is called with the number of all episodes so far.
        """
        wins, end = 0, self.played + episodes
        while self.played < end and not (stop and stop.is_set()):
            wins += self._learn(min(EPISODES_AT_A_TIME, end - self.played))
            on_progress(self.played)
        return wins

    def _learn(self, episodes: int) -> int:
        constants, states = self.learning, self.states
        self._make_room(self.tried + episodes * states.max_turns)
        decay = constants.exploration / constants.episodes
        won = np.empty(episodes, np.uint8)
        self.tried = play_episodes(
            states.seen, states.game.patterns.pattern_count, states.max_turns,
            constants.rate, constants.discount,
            constants.exploration - decay * self.played, decay, constants.initial,
            self._random, self._head, self._following, self._action, self._value, self.tried, won,
        )  # fmt: skip
        self.played += episodes
        return int(won.sum())

    def _make_room(self, entries: int) -> None:
        if entries > len(self._value):
            size = max(entries, 2 * len(self._value))
            for name in ("_following", "_action", "_value"):
                old = getattr(self, name)
                setattr(self, name, np.concatenate([old, np.empty(size - len(old), old.dtype)]))

    def row(self, state: int) -> NDArray[np.float64]:
        """Return the values of all actions in a state, float64[A]."""
        result = np.full(self.states.game.answer_count, self.learning.initial)
        entry = -1 if state == UNKNOWN else int(self._head[state])
        while entry >= 0:
            result[self._action[entry]] = self._value[entry]
            entry = int(self._following[entry])
        return result


class QLearning(ByLastTurn):
    """Plays the action of the highest value. Ties are drawn at random by seed, state and turn.

    An empty table is trained before the first guess.
    """

    def __init__(self, name: str, table: QTable) -> None:
        super().__init__(name, table.states)
        self.table = table

    def choose(self, positions: Positions) -> NDArray[np.int32]:
        """Implements ``Strategy.choose``."""
        if self.table.played == 0:
            table = QTable(self.table.states, self.table.learning)
            table.learn(table.learning.episodes, stop=positions.stop)
            positions.raise_if_stopped()
            self.table = table
        return super().choose(positions)

    def _best(self, state: int, made: int) -> int:
        row = self.table.row(state)
        best = np.flatnonzero(row == row.max())
        drawn = generator(self.table.learning.seed, [state - UNKNOWN, made])
        return int(best[drawn.integers(len(best))])


@dataclass(frozen=True)
class CurvePoint:
    """A point of the learning curve.

    Attributes:
        episodes: number of games played so far.
        won_learning: fraction of games won since the previous point, with exploration.
        found: number of answers that the table, without exploration, finds within an episode.
        visited: number of states in which an action was tried.
        tried: number of state-action pairs tried.
    """

    episodes: int
    won_learning: float
    found: int
    visited: int
    tried: int


def learning_curve(
    start: Positions,
    learning: Learning,
    points: int = 50,
    on_progress: Callable[[int], None] = lambda played: None,
    stop: Stop | None = None,
) -> Iterator[CurvePoint]:
    """Train a table, and yield points of its learning curve at equal distances.

    After a stop, a last point is yielded for the episodes played since the previous one.

    Args:
        start: a batch of one position, the start of the game.
        learning: the constants.
        points: number of points; at most one per episode.
        on_progress: called with the number of episodes played.
        stop: ends training early when set.
    """
    table = QTable(LastTurns("q-learning", start.game), learning)
    ends = np.linspace(0, learning.episodes, min(points, learning.episodes) + 1).astype(int)
    for end in ends[1:].tolist():
        before = table.played
        wins = table.learn(end - before, on_progress, stop)
        if table.played == before:
            return
        turns = play(QLearning("q-learning", table), start).turns
        found = int(((turns != NEVER) & (turns <= table.states.max_turns)).sum())
        share = wins / (table.played - before)
        yield CurvePoint(table.played, share, found, table.visited, table.tried)
