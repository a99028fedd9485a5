"""The machine code of the experiment, made of its templates and the search of a rule."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from gpu_wordle.experiments.noise.machine import bounds, inner, last, leaves, listed
from gpu_wordle.solver.machine.templates import instantiate


class NoiseCode(NamedTuple):
    """What Python calls.

    Attributes:
        best_last: see last.py.
        best_inner: see inner.py.
        order_guesses: see listed.py, as for the others.
        list_lines: likewise.
        list_open: likewise.
    """

    best_last: Any
    best_inner: Any
    order_guesses: Any
    list_lines: Any
    list_open: Any


def compile_noise(rule: str, search: Mapping[str, Any], enter_leaf: Any) -> NoiseCode:
    """Declare the machine code for a rule; it is compiled, or loaded, when it is first called.

    Args:
        rule: name of the instances.
        search: every instance of the search of the rule, by name.
        enter_leaf: see leaves.py.
    """
    rooms = (leaves, last, bounds, inner, listed)
    templates = [template for room in rooms for template in room.TEMPLATES]
    supplied = {name: search[name] for name in ("fetch", "value")}
    made = instantiate(rule, templates, {**supplied, "enter_leaf": enter_leaf})
    return NoiseCode(
        made["best_last"].from_python, made["best_inner"].from_python,
        made["order_guesses"], made["list_lines"], made["list_open"],
    )  # fmt: skip
