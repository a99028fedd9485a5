"""Strategies side by side over pairs of a start and a target: which of them play the same game.

Two games are the same if they have the same guesses all along. Only the states that the targets
are in are played. So a few thousand pairs cost far less than all games from their starts.
Hayes, "Words for the Wordle-Weary", 2022, figures 11 and 12.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.game.game import Game
from gpu_wordle.solver import Stop
from gpu_wordle.strategies.play import MAX_TURNS, choose, expand
from gpu_wordle.strategies.positions import Positions, StoppedError
from gpu_wordle.strategies.strategy import Strategy
from gpu_wordle.tunables import OPENERS_AT_A_TIME

NO_GUESS = -1
"""Stands in a game behind its last guess."""

Listener = Callable[[int], None]
"""Told how many games are played."""


@dataclass(frozen=True, eq=False)
class Pairs:
    """Games to be played, in the order of their starts.

    Attributes:
        start: int32[N], index of the first guess.
        target: int64[N], index of the hidden answer.
    """

    start: NDArray[np.int32]
    target: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.start)


def random_pairs(
    game: Game, starts: Sequence[int] | NDArray[np.integer], count: int, seed: int
) -> Pairs:
    """So many pairs, start and target drawn uniformly and independently, with replacement."""
    rng = np.random.default_rng(seed)
    start = rng.choice(np.asarray(starts, np.int32), count)
    target = rng.integers(game.answer_count, size=count)
    order = np.lexsort([target, start])
    return Pairs(start[order], target[order])


def all_pairs(game: Game, starts: Sequence[int] | NDArray[np.integer]) -> Pairs:
    """Every start with every answer."""
    count = game.answer_count
    return Pairs(
        np.repeat(np.sort(np.asarray(starts, np.int32)), count),
        np.tile(np.arange(count), len(starts)),
    )


def play_pairs(strategy: Strategy, start: Positions, pairs: Pairs) -> NDArray[np.int32]:
    """The guesses of each game, int32[N, T], with NO_GUESS behind the last one.

    ``start`` is a batch of one position. A game that takes more than MAX_TURNS ends there. Raises
    StoppedError once the stop of the positions is set.
    """
    patterns = start.game.patterns
    guess, place = np.unique(pairs.start, return_inverse=True)
    positions = start.take(np.zeros(len(guess), np.int64))
    playing = np.arange(len(pairs))
    turns: list[NDArray[np.int32]] = []
    while len(playing) and len(turns) < MAX_TURNS:
        positions.raise_if_stopped()
        if turns:
            guess = choose(strategy, positions)
        made = np.full(len(pairs), NO_GUESS, np.int32)
        made[playing] = guess[place]
        turns.append(made)
        seen = patterns.values[pairs.target[playing], guess[place]]
        goes_on = seen != patterns.all_green
        playing, place, seen = playing[goes_on], place[goes_on], seen[goes_on]
        split, parts, child = expand(positions, guess, is_merged=not strategy.recalls_turns)
        label = split.parent.astype(np.int64) * patterns.pattern_count + split.pattern
        part = np.searchsorted(label, place * patterns.pattern_count + seen)
        needed, place = np.unique(child[part], return_inverse=True)
        positions = parts.take(needed)
    return np.stack(turns, axis=1)


@dataclass(eq=False)
class Compared:
    """What was seen of the games of S strategies.

    Attributes:
        strategies: their names.
        games: pairs that were played, by each of them.
        agreements: how many pairs fell out how. A key holds for each strategy the first one that
            plays the same game: (0, 0, 2) says that the first two agree and the third does not.
        same_length: int64[S, S], pairs that take both strategies as many guesses.
        shorter: int64[S, S], pairs that take the strategy of the row fewer guesses.
        total: int64[S], guesses in all.
    """

    strategies: tuple[str, ...]
    games: int = 0
    agreements: dict[tuple[int, ...], int] = field(default_factory=dict)
    same_length: NDArray[np.int64] = field(init=False)
    shorter: NDArray[np.int64] = field(init=False)
    total: NDArray[np.int64] = field(init=False)

    def __post_init__(self) -> None:
        count = len(self.strategies)
        self.same_length = np.zeros((count, count), np.int64)
        self.shorter = np.zeros((count, count), np.int64)
        self.total = np.zeros(count, np.int64)

    def add(self, played: Sequence[NDArray[np.int32]]) -> None:
        """Count further games: for each strategy those that :func:`play_pairs` gives."""
        lengths = np.stack([(games != NO_GUESS).sum(axis=1) for games in played])
        self.games += lengths.shape[1]
        self.total += lengths.sum(axis=1)
        first = np.tile(np.arange(len(played))[:, np.newaxis], lengths.shape[1])
        for i, mine in enumerate(played):
            for j, other in enumerate(played):
                self.same_length[i, j] += int((lengths[i] == lengths[j]).sum())
                self.shorter[i, j] += int((lengths[i] < lengths[j]).sum())
                if i < j:
                    is_new = first[j] == j
                    first[j] = np.where(is_new & are_same(mine, other), i, first[j])
        kinds, counts = np.unique(first, axis=1, return_counts=True)
        for kind, count in zip(kinds.T.tolist(), counts.tolist(), strict=True):
            self.agreements[tuple(kind)] = self.agreements.get(tuple(kind), 0) + count

    @property
    def all_same(self) -> int:
        """Pairs over which all strategies play the same game."""
        return self.agreements.get((0,) * len(self.strategies), 0)

    @property
    def all_different(self) -> int:
        """Pairs over which no two strategies play the same game."""
        return self.agreements.get(tuple(range(len(self.strategies))), 0)

    def same(self, i: int, j: int) -> int:
        """Pairs over which two strategies play the same game."""
        return sum(count for kind, count in self.agreements.items() if kind[i] == kind[j])


def are_same(mine: NDArray[np.int32], other: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Which games have the same guesses all along, [N]."""
    turns = min(mine.shape[1], other.shape[1])
    result = (mine[:, :turns] == other[:, :turns]).all(axis=1)
    longer = mine if mine.shape[1] > turns else other
    return result & (longer[:, turns:] == NO_GUESS).all(axis=1)


def compare(
    strategies: Sequence[Strategy],
    start: Positions,
    pairs: Pairs,
    on_progress: Listener = lambda played: None,
    stop: Stop | None = None,
) -> Compared:
    """Play all pairs by each strategy, and count which of them play the same games.

    Args:
        strategies: two or more.
        start: a batch of one position, the start of a game.
        pairs: in the order of their starts; OPENERS_AT_A_TIME of these are played together.
        on_progress: told how many pairs are played by all strategies, as they are.
        stop: ends the games early; pairs that some strategies have not played do not count.
    """
    start = replace(start, stop=stop)
    result = Compared(tuple(strategy.name for strategy in strategies))
    with suppress(StoppedError):
        for some in _chunks(pairs):
            result.add([play_pairs(strategy, start, some) for strategy in strategies])
            on_progress(result.games)
    return result


def _chunks(pairs: Pairs) -> Iterator[Pairs]:
    """The pairs of some starts after the other."""
    begins = np.flatnonzero(np.diff(pairs.start, prepend=NO_GUESS))
    edges = [*begins[::OPENERS_AT_A_TIME].tolist(), len(pairs)]
    for begin, end in pairwise(edges):
        yield Pairs(pairs.start[begin:end], pairs.target[begin:end])


def line(strategy: Strategy, start: Positions, pair: Pairs) -> list[str]:
    """The guesses of the game of a strategy over a single pair, as words."""
    made = play_pairs(strategy, start, pair)[0]
    return start.game.spell(made[made != NO_GUESS])
