"""The search compiled for a rule: all templates of this room with the hooks of the rule."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gpu_wordle.solver.machine.templates import instantiate
from gpu_wordle.solver.search import entry, openers, refute, search, split, strategy


def compile_search(rule: str, supplied: Mapping[str, Any]) -> dict[str, Any]:
    """Compile the search for a rule, or load it from the cache; returns all instances by name.

    ``supplied`` holds every hook and slot of hooks.py, and any instances made before.
    """
    templates = [
        template
        for module in (split, refute, search, strategy, openers, entry)
        for template in module.TEMPLATES
        if template.function.__name__ not in supplied
    ]
    return {**supplied, **instantiate(rule, templates, supplied)}
