"""Compares strategies over pairs (start, target): which of them play identical games.

Two games are identical if all their guesses are. Only states that contain a target are played, so
a few thousand pairs cost far less than all games from their starts.
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
"""Fills the row of a game after its last guess."""


@dataclass(frozen=True, eq=False)
class Pairs:
    """Games to play, ordered by start.

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
    """Draw ``count`` pairs; start and target are uniform and independent, with replacement."""
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
    """Play each pair, and return the guesses of each game, int32[N, T], filled up with NO_GUESS.

    ``start`` is a batch of one position. Games are cut off after MAX_TURNS. Raises StoppedError
    once the stop of the positions is set.
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
    """Statistics of the games of S strategies over the same pairs.

    Attributes:
        strategies: names of the strategies.
        games: number of pairs played by each strategy.
        agreements: number of pairs with each pattern of agreement. A key holds, for each strategy,
            the first strategy that plays the identical game: in (0, 0, 2) the first two agree and
            the third differs.
        same_length: int64[S, S], number of pairs for which both strategies take as many guesses.
        shorter: int64[S, S], number of pairs for which the strategy of the row takes fewer guesses.
        total: int64[S], number of guesses over all pairs.
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
        """Add games: for each strategy the guesses from :func:`play_pairs`, int32[N, T]."""
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
        """Number of pairs for which all strategies play the identical game."""
        return self.agreements.get((0,) * len(self.strategies), 0)

    @property
    def all_different(self) -> int:
        """Number of pairs for which no two strategies play the identical game."""
        return self.agreements.get(tuple(range(len(self.strategies))), 0)

    def same(self, i: int, j: int) -> int:
        """Number of pairs for which strategies i and j play the identical game."""
        return sum(count for kind, count in self.agreements.items() if kind[i] == kind[j])


def are_same(mine: NDArray[np.int32], other: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Return which games are identical, bool[N]."""
    turns = min(mine.shape[1], other.shape[1])
    result = (mine[:, :turns] == other[:, :turns]).all(axis=1)
    longer = mine if mine.shape[1] > turns else other
    return result & (longer[:, turns:] == NO_GUESS).all(axis=1)


def compare(
    strategies: Sequence[Strategy],
    start: Positions,
    pairs: Pairs,
    on_progress: Callable[[int], None] = lambda played: None,
    stop: Stop | None = None,
) -> Compared:
    """Play all pairs by each strategy, and count identical games.

    Args:
        strategies: at least two.
        start: a batch of one position, the start of a game.
        pairs: ordered by start; OPENERS_AT_A_TIME starts are played together.
        on_progress: called with the number of pairs that all strategies have played.
        stop: ends the games early; only pairs that all strategies have played count.
    """
    start = replace(start, stop=stop)
    result = Compared(tuple(strategy.name for strategy in strategies))
    with suppress(StoppedError):
        for some in _chunks(pairs):
            result.add([play_pairs(strategy, start, some) for strategy in strategies])
            on_progress(result.games)
    return result


def _chunks(pairs: Pairs) -> Iterator[Pairs]:
    """Split pairs into chunks of OPENERS_AT_A_TIME starts."""
    begins = np.flatnonzero(np.diff(pairs.start, prepend=NO_GUESS))
    edges = [*begins[::OPENERS_AT_A_TIME].tolist(), len(pairs)]
    for begin, end in pairwise(edges):
        yield Pairs(pairs.start[begin:end], pairs.target[begin:end])


def line(strategy: Strategy, start: Positions, pair: Pairs) -> list[str]:
    """The words that a strategy guesses in the game of a single pair."""
    made = play_pairs(strategy, start, pair)[0]
    return start.game.spell(made[made != NO_GUESS])
