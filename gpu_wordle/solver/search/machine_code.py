"""The search compiled for a rule: all templates of this room with the hooks of the rule."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from gpu_wordle.solver.machine.templates import instantiate
from gpu_wordle.solver.search import entry, openers, refute, search, split, strategy


@dataclass(frozen=True)
class MachineCode:
    """The compiled functions of a rule's search that Python calls; see entry.py.

    Attributes:
        save, search, value, bound_guess, extract_tree, openers, search_in_turn, measure: the
            functions of entry.py.
        linked: every instance by its name, for other machine code to call.
    """

    save: Callable[..., Any]
    search: Callable[..., Any]
    value: Callable[..., Any]
    bound_guess: Callable[..., Any]
    extract_tree: Callable[..., Any]
    openers: Callable[..., Any]
    search_in_turn: Callable[..., Any]
    measure: Callable[..., Any]
    linked: Mapping[str, Any]


def compile_search(rule: str, supplied: Mapping[str, Any]) -> MachineCode:
    """Compile the search for a rule, or load it from the cache.

    ``supplied`` holds every hook and slot of hooks.py, and any instances made before.
    """
    templates = [
        template
        for module in (split, refute, search, strategy, openers, entry)
        for template in module.TEMPLATES
        if template.function.__name__ not in supplied
    ]
    made = {**supplied, **instantiate(rule, templates, supplied)}
    return MachineCode(
        made["save"],
        made["call_search"],
        made["call_value"],
        made["call_bound_guess"],
        made["call_extract_tree"],
        made["call_openers"],
        made["call_search_in_turn"],
        made["call_measure"],
        made,
    )
