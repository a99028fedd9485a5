"""Tabular Q-learning over the last turn: a table of what each guess was worth in games played.

Watkins' rule (1989), as "Solving Wordle" (Erkin, 2022) applies it: the actions are the answers, a
won game is worth 1, a lost one 0. That text leaves the constants open; :class:`Learning` has them.
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
from gpu_wordle.strategies.play import NEVER, play
from gpu_wordle.strategies.positions import Positions
from gpu_wordle.strategies.strategy import generator
from gpu_wordle.strategies.tables import play_episodes

MAX_EPISODES = 100_000_000
EPISODES_AT_A_TIME = 1000
"""So Ctrl-C is heard, and a table grows as it needs to."""


@dataclass(frozen=True)
class Learning:
    """The constants of Q-learning; UserError for one that is out of range.

    Attributes:
        episodes: games to play.
        rate: how far a value moves to what a turn has shown, above 0 and at most 1.
        discount: what a win is worth one turn later, 0 to 1.
        exploration: share of the first episode's turns that go to any answer. It falls evenly, to
            nothing at the last episode.
        initial: value of what was never tried.
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
        """Read what follows ``q-learning:``, as in ``50000:rate=0.2``; UserError if it is wrong."""
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
    """Values of actions in states, as far as they were tried.

    Attributes:
        states: what is told apart; see last_turns.py.
        learning: the constants.
        played: episodes so far.
        tried: pairs of a state and an action that were tried.
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
        """States in which something was tried."""
        return int((self._head >= 0).sum())

    def learn(
        self,
        episodes: int,
        on_progress: Callable[[int], None] = lambda played: None,
        stop: Stop | None = None,
    ) -> int:
        """Play so many more episodes, fewer if told to stop, and return how many were won.

        ``on_progress`` is told of all episodes so far.
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
        """The values of all actions in a state, [A]."""
        result = np.full(self.states.game.answer_count, self.learning.initial)
        entry = -1 if state == UNKNOWN else int(self._head[state])
        while entry >= 0:
            result[self._action[entry]] = self._value[entry]
            entry = int(self._following[entry])
        return result


class QLearning(ByLastTurn):
    """Guess what a table values most; of equal guesses any, drawn by seed, state and turn.

    The table is learned when the first guess is asked for, if it has not been.
    """

    def __init__(self, name: str, table: QTable) -> None:
        super().__init__(name, table.states)
        self.table = table

    def choose(self, positions: Positions) -> NDArray[np.int32]:
        """See Strategy."""
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
    """How far learning has come.

    Attributes:
        episodes: games played so far.
        won_learning: share of the games won since the point before, exploration included.
        found: answers that the best guesses of the table find within the turns of an episode.
        visited: states in which something was tried.
        tried: pairs of a state and an action that were tried.
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
    """Learn, and say after each of so many equal shares of the episodes how far it has come.

    Once ``stop`` is set, a last point says so.

    Args:
        start: a batch of one position, the start of the game.
        learning: the constants.
        points: how many shares, or as many as there are episodes.
        on_progress: told how many episodes were played, as they are.
        stop: what another thread or a signal sets to end it.
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
