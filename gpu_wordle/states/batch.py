"""Batches of states: many sets of answers in one pair of arrays, each with a 128-bit key."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

_ZOBRIST_SEED = 0x9E3779B97F4A7C15


@lru_cache(maxsize=8)
def zobrist(answer_count: int) -> NDArray[np.uint64]:
    """Random 128-bit word of each answer, uint64[A, 2], equal on every machine.

    The key of a set is the exclusive or of its answers' words (Zobrist 1970), so that equal sets
    have equal keys in any order of building. Among the billions of sets of a run, two collide with
    a probability below 1e-18. Made by SplitMix64 (Steele et al. 2014).
    """
    with np.errstate(over="ignore"):
        z = np.arange(1, 2 * answer_count + 1, dtype=np.uint64) * np.uint64(_ZOBRIST_SEED)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        z = z ^ (z >> np.uint64(31))
    result = z.reshape(answer_count, 2)
    result.flags.writeable = False
    return result


def rows_of(
    indptr: NDArray[np.int64], rows: NDArray[np.integer]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Select rows of compressed sparse rows: their ``indptr``, and the indices of their entries."""
    # Arrays of the chosen rows only, since mostly a few of many rows are taken.
    sizes = indptr[rows + 1] - indptr[rows]
    own = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    return own, np.arange(own[-1]) + np.repeat(indptr[rows] - own[:-1], sizes)


@dataclass(frozen=True)
class StateBatch:
    """B states in compressed sparse rows.

    Attributes:
        indptr: int64[B + 1]; state b is ``answers[indptr[b]:indptr[b + 1]]``.
        answers: uint16[nnz], ascending within a state, no state empty.
        keys: uint64[B, 2], exclusive or of the answers' :func:`zobrist` words.
    """

    indptr: NDArray[np.int64]
    answers: NDArray[np.uint16]
    keys: NDArray[np.uint64]

    @classmethod
    def from_sets(cls, sets: Iterable[Sequence[int]], answer_count: int) -> StateBatch:
        """Batch of the given sets of answer indices, each put in ascending order.

        Raises ValueError for an empty set or an answer out of range; a repeated answer counts once.
        """
        rows = [np.unique(np.asarray(s, dtype=np.int64)) for s in (list(s) for s in sets)]
        return cls._from_rows(rows, answer_count)

    @classmethod
    def whole(cls, answer_count: int) -> StateBatch:
        """Batch of one state: all answers."""
        return cls._from_rows([np.arange(answer_count)], answer_count)

    @classmethod
    def _from_rows(cls, rows: list[NDArray[np.int64]], answer_count: int) -> StateBatch:
        sizes = np.array([len(row) for row in rows], dtype=np.int64)
        if (sizes == 0).any():
            raise ValueError("a state holds at least one answer")
        indptr = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        answers = np.concatenate(rows) if rows else np.empty(0, np.int64)
        if answers.size and not 0 <= answers.min() <= answers.max() < answer_count:
            raise ValueError(f"answers are numbered 0 to {answer_count - 1}")
        words = zobrist(answer_count)[answers]
        keys = (
            np.bitwise_xor.reduceat(words, indptr[:-1], axis=0)
            if rows
            else np.empty((0, 2), np.uint64)
        )
        return cls(indptr, answers.astype(np.uint16), keys)

    @classmethod
    def join(cls, batches: Sequence[StateBatch]) -> StateBatch:
        """The states of all batches, one after another."""
        sizes = np.concatenate([np.empty(0, np.int64), *(batch.sizes for batch in batches)])
        return cls(
            np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
            np.concatenate([np.empty(0, np.uint16), *(batch.answers for batch in batches)]),
            np.concatenate([np.empty((0, 2), np.uint64), *(batch.keys for batch in batches)]),
        )

    def __len__(self) -> int:
        return len(self.indptr) - 1

    @property
    def sizes(self) -> NDArray[np.int64]:
        """Number of answers of each state, int64[B]."""
        return np.diff(self.indptr)

    def state(self, b: int) -> NDArray[np.uint16]:
        """Answers of state ``b``, ascending."""
        return self.answers[self.indptr[b] : self.indptr[b + 1]]

    def take(self, indices: NDArray[np.integer]) -> StateBatch:
        """The states ``indices``, in that order."""
        indptr, places = rows_of(self.indptr, indices)
        return StateBatch(indptr, self.answers[places], self.keys[indices])

    def distinct(self) -> tuple[StateBatch, NDArray[np.int32]]:
        """The distinct states by ascending key, and the index of every state there, int32[B]."""
        order = np.lexsort((self.keys[:, 1], self.keys[:, 0]))
        keys = self.keys[order]
        is_new = np.ones(len(order), dtype=np.bool_)
        is_new[1:] = (keys[1:] != keys[:-1]).any(axis=1)
        place = np.empty(len(order), dtype=np.int32)
        place[order] = np.cumsum(is_new) - 1
        return self.take(order[is_new]), place

    def chunk(self, start: int, stop: int) -> StateBatch:
        """The states ``start`` to ``stop``, sharing memory with this batch where possible."""
        base = self.indptr[start]
        return StateBatch(
            self.indptr[start : stop + 1] - base,
            self.answers[base : self.indptr[stop]],
            self.keys[start:stop],
        )
