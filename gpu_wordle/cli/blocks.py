"""Blocks of options: a verb takes a dataclass, and typer sees an option for each of its fields."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from dataclasses import MISSING, fields, is_dataclass
from typing import Any, TypeVar, get_type_hints

import typer

from gpu_wordle.cli.console import INTERRUPTED, complain

Returned = TypeVar("Returned")


def with_blocks(verb: Callable[..., Returned]) -> Callable[..., Returned]:
    """A command of typer: parameters of ``verb`` that are dataclasses become their fields.

    Each field of such a dataclass is annotated as a parameter of typer is, and has a default. The
    options stand in the order of the parameters and fields. Ctrl-C ends the command with a line.
    """
    blocks: dict[str, type[Any]] = {}
    parameters: list[inspect.Parameter] = []
    hints = get_type_hints(verb, include_extras=True)
    for name, parameter in inspect.signature(verb).parameters.items():
        kind = hints[name]
        if inspect.isclass(kind) and is_dataclass(kind):
            blocks[name] = kind
            parameters += options_of(kind)
        else:
            keyword = parameter.replace(kind=parameter.KEYWORD_ONLY, annotation=kind)
            parameters.append(keyword)
    twice = {p.name for p in parameters if sum(p.name == q.name for q in parameters) > 1}
    if twice:
        raise TypeError(f"{verb.__name__}: {', '.join(sorted(twice))} in more than one block")

    @functools.wraps(verb)
    def command(**given: Any) -> Returned:
        made = {
            name: block(**{field.name: given.pop(field.name) for field in fields(block)})
            for name, block in blocks.items()
        }
        try:
            return verb(**made, **given)
        except KeyboardInterrupt:
            complain("interrupted")
            raise typer.Exit(INTERRUPTED) from None

    command.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    command.__annotations__ = {p.name: p.annotation for p in parameters}
    return command


def options_of(block: type[Any]) -> list[inspect.Parameter]:
    """A parameter for each field of a dataclass."""
    hints = get_type_hints(block, include_extras=True)
    result = []
    for field in fields(block):
        if field.default is MISSING:
            raise TypeError(f"{block.__name__}.{field.name} has no default")
        result.append(
            inspect.Parameter(
                field.name,
                inspect.Parameter.KEYWORD_ONLY,
                default=field.default,
                annotation=hints[field.name],
            )
        )
    return result
