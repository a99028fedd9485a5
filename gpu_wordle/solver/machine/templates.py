"""One source, several bodies of machine code: functions that a rule completes before compiling.

A *template* is a function that names hooks where rules differ, as it names any other function. An
*instance* is the same code with other globals, in which each hook is what a rule supplies and each
template is its instance. A hook is therefore inlined or linked like everything else, and costs
nothing. (numba never finds closures over intrinsics in its cache, and takes flags for constants
only where they are globals.)

The name of an instance begins with the name of its rule, for it names the symbol and the file in
the cache. Under one name numba would load the code of one instance for another of the same types.
Its last part stays that of the function, which numba goes by where a function calls itself.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from types import FunctionType
from typing import Any

from numba import types
from numba.core.typing.templates import Signature

from gpu_wordle.jit.functions import compiled
from gpu_wordle.solver.machine.linking import inlined, linked

Compile = Callable[[Signature], Callable[[Callable[..., Any]], Any]]


class Slot(types.Type):  # type: ignore[misc]
    """A type in the signature of a template that a rule supplies."""

    def __init__(self, name: str) -> None:
        super().__init__(name=f"Slot({name})")
        self.slot = name


@dataclass(frozen=True)
class Hook:
    """A function or number that a template names and a rule supplies; see search/hooks.py."""

    name: str
    __doc__: str


@dataclass(frozen=True)
class Template:
    """A function with hooks and slots; ``compile`` is linked, inlined or compiled."""

    function: FunctionType
    signature: Signature
    compile: Compile


def hook(function: Callable[..., Any]) -> Hook:
    """Declare a hook: the function has a docstring and no body."""
    return Hook(function.__name__, function.__doc__ or "")


def _template(compile_: Compile) -> Callable[[Signature], Callable[[Any], Template]]:
    return lambda signature: lambda function: Template(function, signature, compile_)


linked_template = _template(linked)
callable_template = _template(partial(linked, for_python=True))
inlined_template = _template(inlined)
compiled_template = _template(compiled)
"""Decorators as in linking.py and jit/functions.py, of templates.

Callable ones are linked, and Python calls them, too.
"""


def instantiate(
    rule: str, templates: Iterable[Template], supplied: Mapping[str, Any]
) -> dict[str, Any]:
    """Compile templates, each after those that it calls, with what a rule supplies.

    Args:
        rule: name of the instances, the first part of their qualified names.
        templates: what to compile.
        supplied: hooks, slots and instances made before, by their names.

    Returns the instances by their names. Raises TypeError where a hook, a slot or an instance that
    a template names is not supplied.
    """
    made: dict[str, Any] = {}
    for template in templates:
        function = template.function
        name = function.__name__
        scope = {**function.__globals__, **supplied, **made}
        scope.pop(name, None)  # it calls itself by way of numba
        missing = [
            other
            for other in function.__code__.co_names
            if isinstance(scope.get(other), (Hook, Template))
        ]
        if missing:
            raise TypeError(f"{rule}.{name} lacks {', '.join(missing)}")
        instance = FunctionType(function.__code__, scope, name, function.__defaults__)
        instance.__qualname__ = f"{rule}.{name}"
        instance.__doc__ = function.__doc__
        made[name] = template.compile(_filled(template.signature, supplied))(instance)
    return made


def _filled(signature: Signature, supplied: Mapping[str, Any]) -> Signature:
    """The signature with the types that a rule supplies in its slots."""

    def fill(kind: types.Type) -> types.Type:
        if isinstance(kind, Slot):
            return supplied[kind.slot]
        if isinstance(kind, types.Tuple):
            return types.Tuple([fill(item) for item in kind.types])
        return kind

    return fill(signature.return_type)(*map(fill, signature.args))
