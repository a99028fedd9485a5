"""Play a strategy against every answer at once: a tree of states, level by level.

All answers that gave the same feedback are in one state and get one guess. So a game costs no
more than its share in the states that it passes. States that several ways lead to are played once,
unless the strategy recalls the turns.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.errors import JobError
from gpu_wordle.states.batch import StateBatch, rows_of, zobrist
from gpu_wordle.states.tree import NO_PARENT, DecisionTree
from gpu_wordle.strategies.positions import Positions
from gpu_wordle.strategies.strategy import Greedy, Strategy
from gpu_wordle.tunables import PLAYED_STATES, SCORED_PAIRS

MAX_TURNS = 100
"""Turns after which a strategy is taken not to find an answer at all."""

NEVER = 0
"""The turn of an answer that is not found."""


@dataclass(frozen=True, eq=False)
class Split:
    """What the guesses of B positions make of them.

    Attributes:
        entry: int64[E], for each answer of each part, its place among the answers of the batch.
        indptr: int64[K + 1]; part k owns ``entry[indptr[k]:indptr[k + 1]]``.
        parent: int32[K], the position that each part is of; ALL_GREEN is no part.
        pattern: uint16[K], the feedback that leads to it.
    """

    entry: NDArray[np.int64]
    indptr: NDArray[np.int64]
    parent: NDArray[np.int32]
    pattern: NDArray[np.uint16]


@dataclass(frozen=True, eq=False)
class Level:
    """The positions after equally many turns, the guess of each, and what becomes of them.

    Attributes:
        positions: each once.
        guess: int32[B].
        split: their parts.
        child: int32[K], the position of the next level that each part is.
    """

    positions: Positions
    guess: NDArray[np.int32]
    split: Split
    child: NDArray[np.int32]


def play(
    strategy: Strategy,
    start: Positions,
    first: NDArray[np.int32] | None = None,
) -> Played:
    """Play every answer of the positions to its end; ``first`` are the guesses to begin with, [B].

    Raises JobError for a strategy that names no guess, or one that is illegal; StoppedError once
    the stop of the positions is set.
    """
    levels: list[Level] = []
    positions, guess = start, first
    while len(positions) and len(levels) < MAX_TURNS:
        positions.raise_if_stopped()
        if guess is None:
            guess = choose(strategy, positions)
        split, following, child = expand(positions, guess, is_merged=not strategy.recalls_turns)
        levels.append(Level(positions, guess, split, child))
        positions, guess = following, None
    return Played(levels, _turns(levels))


def expand(
    positions: Positions, guess: NDArray[np.int32], *, is_merged: bool
) -> tuple[Split, Positions, NDArray[np.int32]]:
    """What becomes of positions: their parts, the positions that follow, and which each part is.

    ``is_merged`` tells whether equal ones stand there once.
    """
    split = _split(positions, guess)
    parts = _parts(positions, guess, split)
    if is_merged:
        return split, *_merged(parts)
    return split, parts, np.arange(len(parts), dtype=np.int32)


@dataclass(frozen=True, eq=False)
class Played:
    """Games of one strategy from B positions.

    Attributes:
        levels: what was played, turn by turn.
        turns: uint8[nnz], on which further guess each answer of the batch was found; NEVER if not.
    """

    levels: list[Level]
    turns: NDArray[np.uint8]

    def tree(self, b: int = 0) -> DecisionTree:
        """The strategy from position ``b``, for as long as there are answers to find."""
        guess: list[int] = []
        parent: list[int] = []
        pattern: list[int] = []
        waiting = [(0, b, NO_PARENT, 0)]
        while waiting:
            depth, place, above, seen = waiting.pop()
            if depth == len(self.levels):
                continue
            level = self.levels[depth]
            node = len(guess)
            guess.append(int(level.guess[place]))
            parent.append(above)
            pattern.append(seen)
            parts = range(*np.searchsorted(level.split.parent, [place, place + 1]))
            waiting += [
                (depth + 1, int(level.child[k]), node, int(level.split.pattern[k]))
                for k in reversed(parts)
            ]
        return DecisionTree(
            np.array(guess, np.int32), np.array(parent, np.int32), np.array(pattern, np.uint16)
        )


def choose(strategy: Strategy, positions: Positions) -> NDArray[np.int32]:
    """The guess of each position, [B]; asks the strategy some states at a time.

    Greedy rules see to their memory themselves. Others may want statistics of every guess. Raises
    JobError for a strategy that names no guess, or one that is illegal.
    """
    few = max(1, SCORED_PAIRS // positions.game.guess_count)
    chosen = []
    for some in positions.chunks(PLAYED_STATES if isinstance(strategy, Greedy) else few):
        some.raise_if_stopped()
        guess = np.asarray(strategy.choose(some))
        _check(strategy, some, guess)
        chosen.append(guess.astype(np.int32))
    return np.concatenate(chosen)


def _check(strategy: Strategy, positions: Positions, guess: NDArray[np.integer]) -> None:
    """JobError unless there is a legal guess for each position."""
    game = positions.game
    if guess.shape != (len(positions),) or guess.dtype.kind not in "iu":
        raise JobError(
            f"the strategy {strategy.name} gave {guess.dtype}{list(guess.shape)} for "
            f"{len(positions)} positions; choose() returns the index of one guess for each"
        )
    if not ((guess >= 0) & (guess < game.guess_count)).all():
        raise JobError(
            f"the strategy {strategy.name} named a guess that there is not; guesses are numbered "
            f"0 to {game.guess_count - 1}"
        )
    for illegal in guess[~positions.allows(guess)][:1]:
        word = game.words.guesses.shown(illegal)
        raise JobError(
            f"the strategy {strategy.name} played {word}, which is illegal under the "
            f"{game.rule} rule; choose among Positions.legal()"
        )


def _split(positions: Positions, guess: NDArray[np.int32]) -> Split:
    """Group the answers of each position by the feedback to its guess."""
    patterns, states = positions.game.patterns, positions.states
    row = np.repeat(np.arange(len(states), dtype=np.int32), states.sizes)
    pattern = patterns.values[states.answers, guess[row]]
    entry = np.flatnonzero(pattern != patterns.all_green)
    label = row[entry].astype(np.int64) * patterns.pattern_count + pattern[entry]
    order = np.argsort(label, kind="stable")
    entry, label = entry[order], label[order]
    begins = np.flatnonzero(np.diff(label, prepend=-1))
    indptr = np.append(begins, len(label))
    first = entry[begins]
    return Split(entry, indptr, row[first], pattern[first].astype(np.uint16))


def _parts(positions: Positions, guess: NDArray[np.int32], split: Split) -> Positions:
    """A position for each part."""
    game, parent = positions.game, split.parent
    answers = positions.states.answers[split.entry]
    words = zobrist(game.answer_count)[answers]
    keys = words[:0] if len(parent) == 0 else np.bitwise_xor.reduceat(words, split.indptr[:-1])
    states = StateBatch(split.indptr, answers, keys)
    turn = np.stack([guess[parent], split.pattern.astype(np.int32)], axis=1)
    turns = np.concatenate([positions.turns[parent], turn[:, np.newaxis]], axis=1)
    some_answer = game.words.guess_of_answer[answers[split.indptr[:-1]]]
    revealed = positions.revealed[parent] | game.traits.revealed_by(
        game.rule, guess[parent], some_answer
    )
    return replace(positions, states=states, turns=turns, revealed=revealed)


def _merged(parts: Positions) -> tuple[Positions, NDArray[np.int32]]:
    """Each state once, with what is revealed of it, and which one each part is."""
    if len(parts) == 0:
        return parts, np.empty(0, np.int32)
    columns = [*parts.states.keys.T]
    if parts.game.rule.is_constrained:
        columns += [*parts.revealed.T]
    order = np.lexsort(columns)
    is_new = np.zeros(len(order), np.bool_)
    is_new[0] = True
    for column in columns:
        is_new[1:] |= column[order[1:]] != column[order[:-1]]
    child = np.empty(len(order), np.int32)
    child[order] = np.cumsum(is_new) - 1
    return parts.take(order[is_new]), child


def _turns(levels: list[Level]) -> NDArray[np.uint8]:
    """On which further guess each answer of the first level is found, from the last level up."""
    below = np.empty(0, np.uint8)
    for depth, level in reversed(list(enumerate(levels))):
        turns = np.ones(len(level.positions.states.answers), np.uint8)
        if depth + 1 < len(levels):
            _, places = rows_of(levels[depth + 1].positions.states.indptr, level.child)
            found = below[places]
            turns[level.split.entry] = np.where(found == NEVER, NEVER, found + 1)
        else:
            turns[level.split.entry] = NEVER
        below = turns
    return below
