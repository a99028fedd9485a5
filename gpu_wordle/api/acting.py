"""What environments are given: rewards, actions, seeds and modules of arrays."""

from __future__ import annotations

import inspect
import operator
from collections.abc import Mapping
from typing import Annotated, Any, Literal

import numpy as np

from gpu_wordle.options.declared import Option
from gpu_wordle.options.reading import MAX_COUNT, TRUTH, RefusedError, is_a, whole


def action(given: Any) -> str | int:
    """A word or a number."""
    if isinstance(given, str):
        return given
    if isinstance(given, bool):
        raise RefusedError
    try:
        return operator.index(given)
    except TypeError:
        raise RefusedError from None


def actions(given: Any) -> Any:
    """A list of words, or an array of whole numbers, maybe on a device."""
    if isinstance(given, list | tuple) and given and all(isinstance(each, str) for each in given):
        return list(given)
    try:
        kind = given.dtype.kind
    except AttributeError:
        if not isinstance(given, list | tuple | range):
            raise RefusedError from None
        try:
            given = np.asarray(given)
        except (ValueError, TypeError, OverflowError):
            raise RefusedError from None
        kind = given.dtype.kind
    if kind not in "iu" or len(given.shape) != 1:
        raise RefusedError
    return given


def is_module_of_arrays(given: Any) -> bool:
    """Whether a value is a module with the functions of numpy."""
    needed = ("asarray", "count_nonzero", "take", "where", "zeros")
    return inspect.ismodule(given) and all(hasattr(given, name) for name in needed)


_OPTIONS = is_a("a dictionary", lambda given: isinstance(given, Mapping))
_SEED = whole(0, MAX_COUNT)

RewardName = Annotated[
    Literal["solved", "turns", "regret", "information"],
    Option(
        "The reward of a turn: solved, 1 for the answer; turns, minus the price of the turn, and "
        "once more if the game is lost; regret, minus the exact regret; information, bits."
    ),
]
SeedOrNone = Annotated[int | None, Option("The seed of all later secrets.", _SEED)]
PROTOCOL = Option("Options of the protocol.", _OPTIONS)
WITH_VALUES = Option(
    "Whether infos hold the exact value, regret, luck and an optimal guess; always so if the "
    "reward is regret. Default of one game: if its objective has values.",
    TRUTH,
)
