"""Plays a strategy against every answer at once, level by level.

All answers with the same feedback so far share one state and one guess. Equal states that are
reached by different turns are played once, unless the strategy recalls turns.
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
"""Games are cut off after this many turns. The answer then counts as never found."""

NEVER = 0
"""The turn of an answer that is never found."""


@dataclass(frozen=True, eq=False)
class Split:
    """The K parts that the guesses of B positions make, without ALL_GREEN.

    Attributes:
        entry: int64[E], for each answer of each part, its index among the answers of the batch.
        indptr: int64[K + 1]; part k is ``entry[indptr[k]:indptr[k + 1]]``.
        parent: int32[K], the position of each part.
        pattern: uint16[K], the feedback that leads to each part.
    """

    entry: NDArray[np.int64]
    indptr: NDArray[np.int64]
    parent: NDArray[np.int32]
    pattern: NDArray[np.uint16]


@dataclass(frozen=True, eq=False)
class Level:
    """The positions after a number of turns, their guesses and their parts.

    Attributes:
        positions: the B distinct positions.
        guess: int32[B], the guess of each position.
        split: the K parts.
        child: int32[K], index of each part's position in the next level.
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
    """Play the games of all answers of the positions to the end.

    Args:
        strategy: chooses the guesses.
        start: B positions.
        first: the first guess of each, int32[B]; None to ask the strategy.

    Raises JobError if the strategy returns an invalid or illegal guess, and StoppedError once the
    stop of the positions is set.
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
    """Play one guess in each position.

    Returns the parts, the next positions, each part's index there.

    ``is_merged`` merges equal next positions.
    """
    split = _split(positions, guess)
    parts = _parts(positions, guess, split)
    if is_merged:
        return split, *_merged(parts)
    return split, parts, np.arange(len(parts), dtype=np.int32)


@dataclass(frozen=True, eq=False)
class Played:
    """The games of one strategy from B positions.

    Attributes:
        levels: the positions and guesses of each turn.
        turns: uint8[nnz], number of guesses after which each answer of the batch is found; NEVER
            if it is not.
    """

    levels: list[Level]
    turns: NDArray[np.uint8]

    def tree(self, b: int = 0) -> DecisionTree:
        """Return the decision tree of the strategy from position ``b``."""
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
    """Ask the strategy for the guess of each position, int32[B], in chunks.

    Chunks are small for strategies other than Greedy, which may need statistics of every guess.
    Raises JobError if the strategy returns an invalid or illegal guess.
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
    """Raise JobError unless there is a legal guess for each position."""
    game = positions.game
    if guess.shape != (len(positions),) or guess.dtype.kind not in "iu":
        raise JobError(
            f"the strategy {strategy.name} gave {guess.dtype}{list(guess.shape)} for "
            f"{len(positions)} positions; choose() returns the index of one guess for each"
        )
    if not ((guess >= 0) & (guess < game.guess_count)).all():
        raise JobError(
            f"the strategy {strategy.name} gave a guess out of range; guesses are numbered 0 to "
            f"{game.guess_count - 1}"
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
    """Return the next position of each part."""
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
    """Merge positions with equal states and revealed traits. Also returns each part's new index."""
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
    """Return the number of guesses that find each answer of the first level, uint8[nnz].

    It is computed from the last level up.
    """
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
