"""Whole games of strategies, over all answers, from one opener or from every one."""

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

Listener = Callable[[int], None]
"""Told how many openers are played."""


@dataclass(frozen=True, eq=False)
class Simulated:
    """Games of one strategy from one opener, one for each answer.

    Attributes:
        game: what was played.
        strategy: its name.
        opener: index of the first guess.
        turns: uint8[A], the turn on which each answer is found, whatever the guess limit; NEVER for
            those that the strategy would go on missing.
        play_again: gives the strategy as a tree, for the games are not kept.
    """

    game: Game
    strategy: str
    opener: int
    turns: NDArray[np.uint8]
    play_again: Callable[[], DecisionTree] = field(repr=False)

    @cached_property
    def tree(self) -> DecisionTree:
        """The strategy."""
        return self.play_again()

    @property
    def start(self) -> Position:
        """Where the tree starts: in a game without a limit, if some answer is found late."""
        game = self.game
        if self.lost.any():
            game = replace(game, objective=replace(game.objective, max_guesses=None))
        return game.start()

    @property
    def lost(self) -> NDArray[np.bool_]:
        """Which answers are not found within the guess limit, [A]."""
        limit = self.game.objective.max_guesses
        late = self.turns > limit if limit is not None else np.zeros(len(self.turns), np.bool_)
        return late | (self.turns == NEVER)

    @property
    def total(self) -> int | None:
        """Guesses over all answers, late ones played to their end; None if one is never found."""
        return None if (self.turns == NEVER).any() else int(self.turns.sum(dtype=np.int64))

    @property
    def worst(self) -> int | None:
        """The turn on which the last answer is found; None if one is never found."""
        return None if (self.turns == NEVER).any() else int(self.turns.max())

    @property
    def distribution(self) -> list[int]:
        """Answers found on turn 1, 2, ..."""
        return np.bincount(self.turns)[1:].tolist()

    def hardest(self, count: int) -> list[int]:
        """Indices of the answers that take longest, those never found first."""
        return longest(self.turns, count).tolist()

    def guesses(self, answer: int) -> list[int]:
        """The game against an answer: the guesses up to the one that finds it, or to the last."""
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
    on_progress: Listener = lambda played: None,
) -> Iterator[Simulated]:
    """Play all answers of a position by a strategy, from each opener; None is its own choice.

    Args:
        strategy: how to play after the opener.
        start: a batch of one position, the start of a game.
        openers: indices of first guesses.
        on_progress: told how many openers are played, as they are.
    """
    for begin in range(0, len(openers), OPENERS_AT_A_TIME):
        some = openers[begin : begin + OPENERS_AT_A_TIME]
        first = [own_opener(strategy, start) if opener is None else opener for opener in some]
        for opener, turns in zip(first, turns_of(strategy, start, first), strict=True):
            again = partial(tree_of, strategy, start, opener)
            yield Simulated(start.game, strategy.name, opener, turns, again)
        on_progress(begin + len(some))


def longest(turns: NDArray[np.uint8], count: int) -> NDArray[np.int64]:
    """The answers that take longest, those never found first; of equal ones the first."""
    waited = np.where(turns == NEVER, np.iinfo(np.int64).max, turns.astype(np.int64))
    return np.argsort(-waited, kind="stable")[:count]


def own_opener(strategy: Strategy, start: Positions) -> int:
    """What a strategy guesses first; JobError if that is no guess."""
    return int(choose(strategy, start)[0])


def turns_of(strategy: Strategy, start: Positions, openers: Sequence[int]) -> NDArray[np.uint8]:
    """The turn on which each answer is found after each opener, uint8[O, A]; NEVER if it is not."""
    starts = start.take(np.zeros(len(openers), np.int64))
    played = play(strategy, starts, np.array(openers, np.int32))
    return played.turns.reshape(len(openers), -1)


def tree_of(strategy: Strategy, start: Positions, opener: int) -> DecisionTree:
    """What a strategy does after an opener."""
    return play(strategy, start, np.array([opener], np.int32)).tree()
