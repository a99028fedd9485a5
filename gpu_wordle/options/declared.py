"""Read the declaration of a verb, a typed function, from its signature.

Each parameter is annotated with ``Annotated[type, Option(...)]``. Parameters that several verbs
share are aliases in ``shared.py``. The signature yields the checks for Python callers, the
commands of the terminal and the pages of the documentation.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, wraps
from os import PathLike
from pathlib import Path
from types import SimpleNamespace
from typing import (
    Annotated,
    Any,
    Literal,
    ParamSpec,
    TypeVar,
    get_args,
    get_origin,
    get_type_hints,
)

from gpu_wordle.errors import UserError, quoted
from gpu_wordle.options.reading import NOTHING, TRUTH, Allowed, RefusedError, one_of

P = ParamSpec("P")
R = TypeVar("R")
S = TypeVar("S")


@dataclass(frozen=True)
class Option:
    """The declaration of a parameter beyond its name, type and default.

    Attributes:
        help: its meaning, in one sentence.
        allowed: the allowed values and their reader; by default, the choices of a Literal type.
        panel: the panel of the help that lists it.
        metavar: the placeholder of its value in the help, if that of ``allowed`` does not fit.
        flag: its flag in a terminal, if that differs from its name.
        hidden: flags that the help omits. Each stands for the given value, or takes one if None.
        default: its default in words, if the value itself is not clear.
        terminal: its default in a terminal, if that differs.
        names: makes the names that complete a value in the shell; by default, the choices.
        only: the only kind of caller that may give it; None allows all.
    """

    help: str
    allowed: Allowed = NOTHING
    panel: str | None = None
    metavar: str | None = None
    flag: str = ""
    hidden: Mapping[str, str | None] = field(default_factory=dict)
    default: str = ""
    terminal: Any = None
    names: Callable[[], Iterable[str]] | None = None
    only: Literal["python", "terminal"] | None = None


@dataclass(frozen=True)
class Subject(Option):
    """The game or position that a verb is about.

    In a terminal it becomes the options of :func:`gpu_wordle.load_game` and ``--state``.

    Attributes:
        without: those options that do not matter to the verb.
        turns: whether a terminal also takes guesses and feedback as arguments or pasted text.
    """

    without: tuple[str, ...] = ()
    turns: bool = False


@dataclass(frozen=True)
class Declared:
    """A declared parameter of a function.

    Attributes:
        name: its name.
        default: its default; ``inspect.Parameter.empty`` if it has none.
        option: its declaration.
        is_argument: whether a terminal takes it by position instead of by a flag.
    """

    name: str
    default: Any
    option: Option
    is_argument: bool = False

    @property
    def is_required(self) -> bool:
        """Whether a value must be given, because there is no default."""
        return self.default is inspect.Parameter.empty

    @property
    def is_repeated(self) -> bool:
        """Whether a terminal takes any number of values."""
        return self.stands_for.endswith("...") and not self.stands_for.endswith(",...")

    @property
    def is_flag(self) -> bool:
        """Whether it is a switch, on or off."""
        return self.option.allowed is TRUTH

    @property
    def stands_for(self) -> str:
        """The placeholder of its value in the help."""
        metavar = self.option.metavar or self.option.allowed.metavar
        return metavar or (self.name.upper() if self.is_argument else "TEXT")

    @property
    def flags(self) -> str:
        """Its flags: on and off separated by a slash, synonyms by blanks."""
        flag = f"--{self.name.replace('_', '-')}"
        return self.option.flag or flag

    @property
    def meaning(self) -> str:
        """Its help text, with Python names in place of flags."""
        return for_python(self.option.help, {}, "``")

    @property
    def spelled(self) -> str:
        """Its first flag, or the placeholder of an argument."""
        if self.is_argument:
            return self.stands_for.removesuffix("...")
        return self.flags.replace("/", " ").split()[0]

    def completed(self, incomplete: str) -> list[str]:
        """The names that begin with ``incomplete``, for the shell."""
        names = self.option.names() if self.option.names else self.option.allowed.choices
        return [name for name in names if name.startswith(incomplete)]

    def read(self, given: Any) -> Any:
        """The value of what a Python caller gave; UserError if it is not allowed."""
        if given is self.default:
            return given
        return self._read(self.option.allowed.read, given, f"{self.name}={quoted(given)}")

    def read_text(self, given: Any) -> Any:
        """The value of text from a terminal, or of several; UserError if it is not allowed."""
        allowed = self.option.allowed
        if given is None or given == [] or given == self.default:
            return self.default
        if self.is_flag or self.is_repeated:
            return self._read(allowed.read, given, self.spelled)
        return self._read(self._of_text, given, f"{self.spelled} {quoted(given)}")

    def read_query(self, text: str) -> Any:
        """The value of text from an address; UserError if it is not allowed."""
        return self._read(self._of_text, text, f"{self.name}={quoted(text)}")

    def _of_text(self, text: str) -> Any:
        return self.option.allowed.read(self.option.allowed.of_text(text))

    def _read(self, read: Callable[[Any], Any], given: Any, said: str) -> Any:
        try:
            return read(given)
        except RefusedError as error:
            why = f"{error}; " if str(error) else ""
            raise UserError(f"{said}: {why}give {self.option.allowed.said}") from None


@cache
def declared(function: Callable[..., Any]) -> dict[str, Declared]:
    """The declared parameters of a function by name, in the order of its signature."""
    inner = inspect.unwrap(function)
    hints = _hints(inner)
    found = {}
    for name, parameter in inspect.signature(inner).parameters.items():
        option = _option_of(hints.get(name))
        if option is not None:
            is_argument = parameter.kind is not parameter.KEYWORD_ONLY and not option.flag
            found[name] = Declared(name, parameter.default, option, is_argument)
    return found


@cache
def _hints(function: Callable[..., Any]) -> dict[str, Any]:
    """The types of a function's parameters, without its return type, which may be undefined."""
    kinds = {name: kind for name, kind in function.__annotations__.items() if name != "return"}
    said = SimpleNamespace(__annotations__=kinds)
    return get_type_hints(said, function.__globals__, include_extras=True)


def _option_of(hint: Any) -> Option | None:
    """The Option of an annotation, the last one if there are several."""
    kind, *said = get_args(hint) if get_origin(hint) is Annotated else (None,)
    option = next((each for each in reversed(said) if isinstance(each, Option)), None)
    if option is None or option.allowed is not NOTHING:
        return option
    choices = [name for part in (kind, *get_args(kind)) for name in _choices(part)]
    return replace(option, allowed=one_of(choices))


def _choices(kind: Any) -> tuple[str, ...]:
    return get_args(kind) if get_origin(kind) is Literal else ()


def described(function: Callable[..., Any]) -> str:
    """The docstring for Python callers: Python names for flags, and a list of the parameters.

    Examples that begin with ``$`` are for terminals and left out.
    """
    named, text = _names_of_flags(function), inspect.getdoc(function) or ""
    text = for_python(re.sub(r"\n *\$ .*", "", text), named, "``")
    text = re.sub(r"\n+Examples:$", "", text)
    said = {n: d.option for n, d in declared(function).items() if d.option.only != "terminal"}
    if not said:
        return text
    lines = (
        f"    {name}: {for_python(option.help, named, '``')} ({option.allowed.said})"
        for name, option in said.items()
    )
    before, *after = re.split(r"\n(?=Raises|Examples:)", text, maxsplit=1)
    return "\n".join([before.rstrip(), "", "Args:", *lines, "", *after]).rstrip()


@cache
def _of_terminals(function: Callable[..., Any]) -> frozenset[str]:
    """The names of the options that exist in terminals only."""
    return frozenset(n for n, d in declared(function).items() if d.option.only == "terminal")


def _present(door: Callable[..., Any], function: Callable[..., Any], returns: Any) -> None:
    """Give a public function its docstring and its signature without ``Annotated``."""
    signature, hints = inspect.signature(function), _hints(function)
    plain = [
        each.replace(annotation=get_args(hints[name])[0]) if name in declared(function) else each
        for name, each in signature.parameters.items()
        if name not in _of_terminals(function)
    ]
    door.__doc__ = described(function)
    kinds = {each.name: each.annotation for each in plain if each.annotation is not each.empty}
    door.__annotations__ = kinds | {"return": returns}
    door.__signature__ = inspect.Signature(plain, return_annotation=returns)  # type: ignore[attr-defined]


OF_TERMINALS = ("--format", "--json", "--quiet", "--cluster")
"""Flags that have no counterpart in Python."""


def for_python(text: str, named: Mapping[str, str], mark: str = "") -> str:
    """Replace the flags in a text by the names of Python parameters.

    ``named`` maps flags to parameters whose names differ. A flag with its value, as in
    ``--answers=guesses``, becomes an argument. Quoted text and parts of paths stay as they are.
    """

    def name_of(found: re.Match[str]) -> str:
        flag, value = found.groups()
        if flag in OF_TERMINALS:
            return found[0]
        name = named.get(flag, flag[2:].replace("-", "_"))
        return f"{mark}{name}{'' if value is None else f'={value!r}'}{mark}"

    return re.sub(r"(?<![\w'\"./-])(--[a-z][a-z-]*)(?:=(\w+))?", name_of, text)


@cache
def _names_of_flags(function: Callable[..., Any]) -> dict[str, str]:
    """The parameter that each flag sets; ``--state`` belongs to the subject."""
    named: dict[str, str] = {}
    for name, each in declared(function).items():
        flags = "--state" if isinstance(each.option, Subject) else each.flags
        named |= dict.fromkeys(re.split("[/ ]", flags), name)
    return named


def _respelled(text: str, named: Mapping[str, str], given: Iterable[Any]) -> str:
    """Replace flags in an error text, but not in the paths given by the caller."""
    paths = [
        Path(each)
        for value in given
        for each in (value if isinstance(value, list | tuple) else [value])
        if isinstance(each, str | PathLike) and "--" in str(each)
    ]
    kept = {str(part) for path in paths for part in (path, *path.parents, path.name)} - {"."}
    longest_first = sorted(map(re.escape, kept), key=len, reverse=True)
    pieces = re.split(f"({'|'.join(longest_first)})" if kept else "(?!)", text)
    return "".join(each if n % 2 else for_python(each, named) for n, each in enumerate(pieces))


def checked(function: Callable[P, R]) -> Callable[P, R]:
    """Make a public function or method check its arguments as its signature declares.

    An argument that is not allowed raises a one-line UserError that names the parameter.
    """
    returns = inspect.signature(function).return_annotation
    return door_of(function, lambda result, named: result, returns)


def door_of(
    function: Callable[P, R], finish: Callable[[R, dict[str, Any]], S], returns: Any
) -> Callable[P, S]:
    """The public form of a function: checks its arguments, and returns what ``finish`` makes.

    ``finish`` takes the result and the keyword arguments. Messages of a UserError name parameters
    where those of a terminal name flags.
    """

    @wraps(function)
    def door(*args: P.args, **kwargs: P.kwargs) -> S:
        given, named = _read_all(function, args, kwargs)
        try:
            return finish(function(*given, **named), named)
        except UserError as error:
            names, values = _names_of_flags(function), [*given, *named.values()]
            error.args = (_respelled(str(error), names, values),)
            raise

    _present(door, function, returns)
    return door


def _read_all(
    function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[list[Any], dict[str, Any]]:
    """Read positional and keyword arguments; undeclared ones are left to Python."""
    known = declared(function)
    for name in kwargs:
        if name in _of_terminals(function):
            raise TypeError(f"{function.__name__}() got an unexpected keyword argument {name!r}")
    names = [*_names(function), *("" for _ in args)]
    given = [known[n].read(a) if n in known else a for n, a in zip(names, args, strict=False)]
    return given, {n: known[n].read(a) if n in known else a for n, a in kwargs.items()}


@cache
def _names(function: Callable[..., Any]) -> tuple[str, ...]:
    return tuple(inspect.signature(function).parameters)
