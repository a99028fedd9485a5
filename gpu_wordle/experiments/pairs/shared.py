"""Counts pairs on workers. Each counts some columns, and the owner merges them in order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.cluster.dispatch import Dispatch
from gpu_wordle.cluster.slot import Slot
from gpu_wordle.cluster.unit import Terms, Work
from gpu_wordle.cluster.worker_pool import WorkerPool
from gpu_wordle.experiments.pairs.survey import Measure, Pairs, Survey, finest_first
from gpu_wordle.game.game import Position
from gpu_wordle.solver import Stop
from gpu_wordle.tunables import PARTITIONS_AT_ONCE, UNIT_SECONDS

Columns = tuple[int, int]
"""A range of columns: the first, and the one after the last."""


@dataclass(frozen=True, eq=False)
class Counted:
    """The counts of some columns of a Survey.

    Attributes:
        histogram: int64, number of pairs by joint parts or entropy.
        kept: the best pairs.
        others: the least key of the pairs that are not kept.
    """

    histogram: NDArray[np.int64]
    kept: Pairs
    others: int


def count_shared(
    survey: Survey, stop: Stop, *, worker_pool: WorkerPool, terms: Terms
) -> Iterator[int]:
    """Count the remaining columns on workers; yield the number of columns counted so far."""
    begins = range(survey.counted, survey.rows, PARTITIONS_AT_ONCE)
    tasks = [(begin, min(begin + PARTITIONS_AT_ONCE, survey.rows)) for begin in begins]
    weight = {(begin, end): float((end - begin) * (survey.rows - begin)) for begin, end in tasks}
    do = partial(_count, measure=survey.measure)
    work = Work(do, _fingerprint, UNIT_SECONDS, lambda: survey.others, weight.__getitem__)
    dispatch = Dispatch(worker_pool, work, survey.game.start(), terms, stop)
    early: dict[Columns, Counted] = {}
    waiting = iter(tasks)
    following = next(waiting, None)
    for group in dispatch.results(tasks, sum(weight.values())):
        early.update(group)
        while following in early:
            part = early.pop(following)
            survey.add(following[1], part.histogram, part.kept, part.others)
            following = next(waiting, None)
        yield survey.counted


def _count(
    slot: Slot, position: Position, tasks: Sequence[Columns], known: int, *, measure: Measure
) -> Iterator[tuple[Columns, Counted]]:
    """Count some columns on a worker. Pairs with keys above ``known`` need not be kept."""
    game = slot.game
    counter = slot.kept("joint counter", lambda: slot.backend.open_joint(game, finest_first(game)))
    for begin, end in tasks:
        part = Survey(game, measure, counted=begin, _others=known)
        for _ in part.run(counter, end):
            pass
        yield (begin, end), Counted(part.histogram, part.kept, part.others)


def _fingerprint(counted: Counted) -> object:
    """Return the histogram, on which all workers must agree."""
    return counted.histogram.tobytes()
