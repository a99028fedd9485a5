"""Compiles the templates of the experiment with the search of a rule."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from gpu_wordle.experiments.noise.machine import bounds, inner, last, leaves
from gpu_wordle.solver.machine.templates import instantiate


class NoiseCode(NamedTuple):
    """The functions that Python calls.

    Attributes:
        best_last: see last.py.
        best_inner: see inner.py.
    """

    best_last: Any
    best_inner: Any


def compile_noise(rule: str, search: Mapping[str, Any], enter_leaf: Any) -> NoiseCode:
    """Declare the machine code for a rule. It is compiled, or loaded, on the first call.

    Args:
        rule: name of the instances.
        search: the instances of the search under the rule, by name.
        enter_leaf: see leaves.py.
    """
    templates = [*leaves.TEMPLATES, *last.TEMPLATES, *bounds.TEMPLATES, *inner.TEMPLATES]
    supplied = {name: search[name] for name in ("fetch", "value")}
    made = instantiate(rule, templates, {**supplied, "enter_leaf": enter_leaf})
    return NoiseCode(made["best_last"].from_python, made["best_inner"].from_python)
