"""A backend that runs two others on everything and stops at the first difference.

It compares every method of the protocol, so a new kernel is compared without a line here.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import fields, is_dataclass, replace
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.backends.protocol import Backend, GuessLists
from gpu_wordle.errors import JobError

COMBINED: dict[str, Callable[..., Any]] = {
    "name": lambda *_: "check",
    "device": "{}, checked by {}".format,
    "prefers_batches": operator.or_,  # where one does, so that its frontier is checked too
    "drivers": min,
    "memory_bytes": min,
    "list_bytes": np.maximum,
}
"""Attributes on which backends need not agree, and how the values of two are combined."""


def checked(worker: Backend, checker: Backend) -> Backend:
    """A backend that returns what ``worker`` computes once ``checker`` has computed the same."""
    return cast(Backend, _Both(worker, checker))


class _Both:
    """Two backends, or two objects that they have opened, as one."""

    def __init__(self, worker: Any, checker: Any) -> None:
        self._sides = worker, checker

    def __getattr__(self, name: str) -> Any:
        mine, others = (getattr(side, name) for side in self._sides)
        if not callable(mine):
            return _as_one(name, mine, others)

        def ask(*arguments: Any, **options: Any) -> Any:
            own = (  # lists that both have made hold those of each
                [each.held[side] if isinstance(each, GuessLists) else each for each in arguments]
                for side in range(2)
            )
            result = _as_one(name, mine(*next(own), **options), others(*next(own), **options))
            if isinstance(result, GuessLists):
                # The lists of a backend stay in its memory; only their entries can be compared.
                self.entries(result)  # which the lists alone do not show
            return result

        return ask


def _as_one(name: str, mine: Any, others: Any) -> Any:
    """Two results as one: compared arrays, two opened objects as one, or the entry of COMBINED."""
    if name in COMBINED:
        return COMBINED[name](mine, others)
    if isinstance(mine, np.ndarray):
        compare(name, mine, others)
        return mine
    if not is_dataclass(mine):
        return _Both(mine, others)
    for field in fields(mine):
        if field.name != "held":
            _as_one(field.name, getattr(mine, field.name), getattr(others, field.name))
    return replace(mine, held=(mine, others)) if isinstance(mine, GuessLists) else mine


def compare(name: str, worker: NDArray[np.generic], checker: NDArray[np.generic]) -> None:
    """Raise JobError that names array, index and both values if the arrays differ anywhere."""
    if worker.shape != checker.shape or worker.dtype != checker.dtype:
        raise JobError(
            f"backends disagree on {name}: {worker.dtype}{list(worker.shape)} against "
            f"{checker.dtype}{list(checker.shape)}"
        )
    different = np.argwhere(np.asarray(worker) != np.asarray(checker))
    if len(different):
        at = tuple(int(i) for i in different[0])
        raise JobError(
            f"backends disagree on {name}{list(at)}: {worker[at]} against {checker[at]} "
            f"({len(different):,} of {worker.size:,} entries differ); please report this"
        )
