"""Check that a file holds what form.py declares for its kind."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.errors import UserError, quoted
from gpu_wordle.game.word_list import WordList
from gpu_wordle.store.contents import MAX_BYTES, Column, Contents, MalformedError
from gpu_wordle.store.form import (
    ATTRIBUTES,
    ATTRIBUTES_OF,
    FORMS,
    MAX_TURNS,
    MORE_ATTRIBUTES,
    WORDS,
    Attribute,
)
from gpu_wordle.store.provenance import attribute, read_objective

_MAY_BE_EMPTY = {"state"}
"""Dimensions that may be empty: an opener that finds the only answer leaves no state."""

_MOST_PLACES = {"turn": MAX_TURNS, "optimal_turn": MAX_TURNS}
"""The largest size of some dimensions."""


def check_form(contents: Contents) -> None:
    """Raise MalformedError unless a file has what its kind requires, and its arrays fit."""
    filetype = str(contents.attributes["filetype"])
    needed = {**ATTRIBUTES, **ATTRIBUTES_OF.get(filetype, {})}
    for name, allowed in {**MORE_ATTRIBUTES, **needed}.items():
        if name in needed or name in contents.attributes:
            _check_attribute(contents, name, allowed)
    sizes: dict[str, int] = {}
    _check_columns(contents, "words", WORDS, sizes)
    weights = contents.datasets.get("words/weights")
    sizes["weight"] = sizes["answer"] if weights is None else sum(weights.values.tolist())
    for group, columns in FORMS.get(filetype, {}).items():
        _check_columns(contents, group, columns, sizes)
    if 0 in (size for name, size in sizes.items() if name not in _MAY_BE_EMPTY):
        raise MalformedError("some of its datasets are empty")
    for role in ("guesses", "answers"):
        listed = WordList(tuple(contents.values(f"words/{role}").tolist()), role)
        if listed.sha256 != contents.attributes[f"{role}_sha256"]:
            raise MalformedError(f"its {role} are not those of {role}_sha256")
    _check_objective(contents, sizes["answer"])


def _check_attribute(contents: Contents, name: str, allowed: Attribute) -> None:
    """Raise MalformedError unless a root attribute is present and allowed."""
    is_text = isinstance(allowed, str)
    value = attribute(contents, name, str if is_text else int)
    fits = (
        re.fullmatch(allowed, value) is not None
        if isinstance(allowed, str)
        else allowed[0] <= value <= allowed[1]
    )
    if not fits:
        raise MalformedError(f"its attribute {name} is {quoted(value)}")


def _check_columns(
    contents: Contents, group: str, columns: Mapping[str, Column], sizes: dict[str, int]
) -> None:
    """Raise MalformedError unless a group holds its columns. Fills in ``sizes`` of dimensions."""
    for name, each in columns.items():
        path = f"{group}/{name}"
        if path in contents.datasets:
            _check_column(path, contents.values(path), each, sizes)
        elif each.is_required:
            raise MalformedError(f"it lacks {path}")


def _check_column(path: str, values: NDArray[Any], of: Column, sizes: dict[str, int]) -> None:
    """Raise MalformedError unless an array has a type, a shape and a range that fit."""
    wanted = np.dtype(of.dtype)
    fits = {"U": "U", "f": "iuf"}.get(wanted.kind, "iu")
    if values.dtype.kind not in fits:
        raise MalformedError(f"{path} is of the type {values.dtype}")
    named = zip(of.dimensions, values.shape, strict=False)
    expected = tuple(min(sizes.setdefault(d, n), _MOST_PLACES.get(d, MAX_BYTES)) for d, n in named)
    if values.ndim != len(of.dimensions) or values.shape != expected:
        raise MalformedError(f"{path} has the shape {values.shape}")
    if values.size:
        _check_range(path, values, of, sizes)


def _check_range(path: str, values: NDArray[Any], of: Column, sizes: Mapping[str, int]) -> None:
    """Raise MalformedError unless all values of an array are allowed."""
    most = of.most if not isinstance(of.most, str) else sizes[of.most] - (of.units == "index")
    is_text = values.dtype.kind == "U"
    numbers = np.char.str_len(values) if is_text else values
    if of.may_be_nan:
        numbers = numbers[~np.isnan(numbers)]
    least, greatest = (numbers.min().item(), numbers.max().item()) if numbers.size else (0, 0)
    # NaN fails each comparison
    if not (numbers.size == 0 or of.least <= least <= greatest <= most):
        held = f"texts of {least} to {greatest} characters" if is_text else f"{least} to {greatest}"
        raise MalformedError(f"{path} holds {held}; allowed are {of.least} to {most}")
    for text in np.unique(values).tolist() if of.form else ():
        if not re.fullmatch(of.form, text):
            raise MalformedError(f"{path} holds {quoted(text)}, which stands for nothing")


def _check_objective(contents: Contents, answers: int) -> None:
    """Raise MalformedError unless objective, limit and weights can be those of a game."""
    try:
        objective = read_objective(contents)
        objective.prices(answers)
    except (UserError, ValueError, ArithmeticError) as error:
        raise MalformedError(str(error)) from None
    if objective.weights_sha256 != contents.attributes["weights_sha256"]:
        raise MalformedError("its weights are not those of weights_sha256")
    if objective.weights is not None and objective.weights.unit <= 0:
        raise MalformedError("its weights are of no unit")
