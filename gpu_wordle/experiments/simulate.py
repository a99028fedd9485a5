"""Plays strategies over all answers, from one opener or from each of many."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.game.game import Game, Position
from gpu_wordle.states.tree import DecisionTree
from gpu_wordle.strategies.play import NEVER, choose, play
from gpu_wordle.strategies.positions import Positions
from gpu_wordle.strategies.strategy import Strategy
from gpu_wordle.tunables import OPENERS_AT_A_TIME


@dataclass(frozen=True, eq=False)
class Simulated:
    """Games of one strategy from one opener, one for each answer.

    Attributes:
        game: the game.
        strategy: name of the strategy.
        opener: index of the first guess.
        turns: uint8[A], the turn on which each answer is found, regardless of the guess limit;
            NEVER if the strategy never finds it.
        play_again: makes the decision tree by playing again, since games are not kept.
    """

    game: Game
    strategy: str
    opener: int
    turns: NDArray[np.uint8]
    play_again: Callable[[], DecisionTree] = field(repr=False)

    @cached_property
    def tree(self) -> DecisionTree:
        """The decision tree of the strategy after the opener."""
        return self.play_again()

    @property
    def start(self) -> Position:
        """The position at the tree's root; its game has no guess limit if the tree breaks it."""
        game = self.game
        if self.lost.any():
            game = replace(game, objective=replace(game.objective, max_guesses=None))
        return game.start()

    @property
    def lost(self) -> NDArray[np.bool_]:
        """Which answers are not found within the guess limit, bool[A]."""
        limit = self.game.objective.max_guesses
        late = self.turns > limit if limit is not None else np.zeros(len(self.turns), np.bool_)
        return late | (self.turns == NEVER)

    @property
    def total(self) -> int | None:
        """Number of guesses over all answers, ignoring the limit; None if one is never found."""
        return None if (self.turns == NEVER).any() else int(self.turns.sum(dtype=np.int64))

    @property
    def worst(self) -> int | None:
        """The turn on which the last answer is found; None if one is never found."""
        return None if (self.turns == NEVER).any() else int(self.turns.max())

    @property
    def distribution(self) -> list[int]:
        """Number of answers found on turn 1, 2, ..."""
        return np.bincount(self.turns)[1:].tolist()

    def hardest(self, count: int) -> list[int]:
        """Indices of the answers that take longest, those never found first."""
        return longest(self.turns, count).tolist()

    def guesses(self, answer: int) -> list[int]:
        """The guesses of the game against an answer, up to the one that finds it or the last."""
        patterns, node, made = self.game.patterns, 0, []
        while True:
            guess = int(self.tree.guess[node])
            made.append(guess)
            seen = patterns.values[answer, guess]
            following = (self.tree.parent == node) & (self.tree.pattern == seen)
            if seen == patterns.all_green or not following.any():
                return made
            node = int(following.argmax())


def simulate(
    strategy: Strategy,
    start: Positions,
    openers: Sequence[int | None],
) -> Iterator[Simulated]:
    """Play all answers of a position by a strategy, from each opener.

    Args:
        strategy: plays after the opener.
        start: a batch of one position, the start of a game.
        openers: indices of first guesses; None for the strategy's own.
    """
    for begin in range(0, len(openers), OPENERS_AT_A_TIME):
        some = openers[begin : begin + OPENERS_AT_A_TIME]
        first = [own_opener(strategy, start) if opener is None else opener for opener in some]
        for opener, turns in zip(first, turns_of(strategy, start, first), strict=True):
            again = partial(tree_of, strategy, start, opener)
            yield Simulated(start.game, strategy.name, opener, turns, again)


def longest(turns: NDArray[np.uint8], count: int) -> NDArray[np.int64]:
    """The ``count`` answers that take longest, those never found first; ties by index."""
    waited = np.where(turns == NEVER, np.iinfo(np.int64).max, turns.astype(np.int64))
    return np.argsort(-waited, kind="stable")[:count]


def own_opener(strategy: Strategy, start: Positions) -> int:
    """The first guess of a strategy; raises JobError if it is invalid or illegal."""
    return int(choose(strategy, start)[0])


def turns_of(strategy: Strategy, start: Positions, openers: Sequence[int]) -> NDArray[np.uint8]:
    """Turn on which each answer is found after each opener, uint8[O, A]; NEVER if it is not."""
    starts = start.take(np.zeros(len(openers), np.int64))
    played = play(strategy, starts, np.array(openers, np.int32))
    return played.turns.reshape(len(openers), -1)


def tree_of(strategy: Strategy, start: Positions, opener: int) -> DecisionTree:
    """The decision tree of a strategy after an opener."""
    return play(strategy, start, np.array([opener], np.int32)).tree()
