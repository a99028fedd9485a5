"""Plays strategies on remote workers, some openers at a time."""

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
from gpu_wordle.experiments.simulate import turns_of
from gpu_wordle.game.game import Position
from gpu_wordle.solver import Stop
from gpu_wordle.strategies.named import make_strategy
from gpu_wordle.strategies.positions import Positions
from gpu_wordle.strategies.strategy import Choice, Strategy
from gpu_wordle.tunables import OPENERS_AT_A_TIME, UNIT_SECONDS

Turns = NDArray[np.uint8]
"""The turn on which each answer is found, [A]."""


@dataclass(frozen=True)
class Players:
    """Workers that play strategies.

    Attributes:
        worker_pool: the workers.
        terms: threads and memory of each worker.
        position: the start of the game.
        given: the strategies as they are sent: built-in ones by name.
        choice: pool and tie rule of greedy strategies.
    """

    worker_pool: WorkerPool
    terms: Terms
    position: Position
    given: Sequence[str | Strategy]
    choice: Choice

    def play(
        self, number: int, openers: Sequence[int], stop: Stop
    ) -> Iterator[list[tuple[int, Turns]]]:
        """Yield openers with the turns of their games under strategy ``number``, as units end."""
        do = partial(_play, given=self.given[number], choice=self.choice)
        work = Work(do, lambda turns: turns.tobytes(), UNIT_SECONDS)
        dispatch = Dispatch(self.worker_pool, work, self.position, self.terms, stop)
        return dispatch.results(openers, len(openers))


def _play(
    slot: Slot,
    position: Position,
    openers: Sequence[int],
    known: None,
    *,
    given: str | Strategy,
    choice: Choice,
) -> Iterator[tuple[int, Turns]]:
    """Play all answers from some openers on a worker; a slot makes a built-in strategy once."""
    strategy = given
    if isinstance(strategy, str):
        name = strategy
        strategy = slot.kept((name, choice), lambda: make_strategy(name, slot.game, choice))
    start = Positions.of(position, slot.evaluator)
    for begin in range(0, len(openers), OPENERS_AT_A_TIME):
        some = openers[begin : begin + OPENERS_AT_A_TIME]
        yield from zip(some, turns_of(strategy, start, some), strict=True)
