"""Partitions by several guesses at once: a part is a set of answers with equal feedback to all.

A partition is a row of labels, which number the parts from 0 without gaps.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.game.patterns import PatternMatrix

Labels = NDArray[np.uint16]
"""W partitions, uint16[W, A]: the part of each answer, numbered from 0 without gaps."""


def labels_of(patterns: PatternMatrix, guesses: Sequence[int] | NDArray[np.integer]) -> Labels:
    """The partition of all answers by each guess alone, uint16[W, A]."""
    columns = patterns.values[:, guesses].T
    occurs = np.zeros((len(columns), patterns.pattern_count), np.bool_)
    occurs[np.arange(len(columns))[:, np.newaxis], columns] = True
    number = occurs.cumsum(axis=1, dtype=np.int32) - 1
    return np.take_along_axis(number, columns.astype(np.intp), axis=1).astype(np.uint16)


def joined(labels: Labels, others: Labels) -> Labels:
    """The common refinement of two partitions, row by row, uint16[W, A]."""
    both = labels.astype(np.int64) * (int(others.max(initial=0)) + 1) + others
    result = np.empty(labels.shape, np.uint16)
    for row, codes in zip(result, both, strict=True):
        row[:] = np.unique(codes, return_inverse=True)[1]
    return result


def joint_labels(patterns: PatternMatrix, guesses: Sequence[int]) -> Labels:
    """The partition of all answers by several guesses together, uint16[1, A]."""
    first, *others = (labels_of(patterns, [guess]) for guess in guesses)
    for labels in others:
        first = joined(first, labels)
    return first


def by_parts(labels: Labels) -> tuple[NDArray[np.uint16], NDArray[np.uint16]]:
    """The answers of each partition sorted by part, uint16[W, A], and the ends of the parts.

    Part p of row w ends before ``ends[w, p]``, uint16[W, P]; after the last part, ends are A.
    """
    answers = np.argsort(labels, axis=1, kind="stable").astype(np.uint16)
    width = int(labels.max(initial=0)) + 1
    codes = np.arange(len(labels))[:, np.newaxis] * width + labels
    sizes = np.bincount(codes.ravel(), minlength=len(labels) * width)
    ends = sizes.reshape(len(labels), width).cumsum(axis=1)
    return answers, ends.astype(np.uint16)
