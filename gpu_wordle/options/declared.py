"""A verb is a typed function: its signature says everything about its options, once.

Each parameter is annotated with ``Annotated[type, Option(...)]``; those that several verbs have are
aliases in ``shared.py``. From signatures are made the check of what Python callers give, the
commands of the terminal and the pages of the documentation.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
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


@dataclass(frozen=True)
class Option:
    """What a signature says of a parameter beside its name, type and default.

    Attributes:
        help: what it means, in a sentence.
        allowed: what may be given, and how it is read; left out, the choices of its type.
        panel: where the help of a command shows it.
        metavar: what stands for its value there; with ``...`` at its end, for any number of them.
        flag: how a terminal spells it, if not as its name.
        hidden: flags that no help shows: each stands for a value, or takes one if that is None.
        default: its default in words, if the value does not say it.
        terminal: its default in a terminal, if that is another.
        complete: what it may go on as.
        only: who can give it, if not everybody.
    """

    help: str
    allowed: Allowed = NOTHING
    panel: str | None = None
    metavar: str | None = None
    flag: str = ""
    hidden: Mapping[str, str | None] = field(default_factory=dict)
    default: str = ""
    terminal: Any = None
    complete: Callable[[str], list[str]] | None = None
    only: Literal["python", "terminal"] | None = None


@dataclass(frozen=True)
class Subject(Option):
    """What a verb is asked about: a game, or a position of one.

    In a terminal it has options of its own, those of :func:`gpu_wordle.load_game` and ``--state``.

    Attributes:
        without: options among these that do not matter to the verb.
        turns: whether a terminal takes guesses and feedback as arguments, too, and as pasted.
    """

    without: tuple[str, ...] = ()
    turns: bool = False


@dataclass(frozen=True)
class Declared:
    """A parameter of a function, as its signature declares it.

    Attributes:
        name: of the parameter.
        default: its default; ``inspect.Parameter.empty`` if it has none.
        option: what else is said of it.
        is_argument: whether a terminal takes it by its place, not by a flag.
    """

    name: str
    default: Any
    option: Option
    is_argument: bool = False

    @property
    def is_required(self) -> bool:
        """Whether it has no default."""
        return self.default is inspect.Parameter.empty

    @property
    def is_repeated(self) -> bool:
        """Whether a terminal takes any number of them."""
        metavar = self.option.metavar or ""
        return metavar.endswith("...") and not metavar.endswith(",...")

    @property
    def is_flag(self) -> bool:
        """Whether it is on or off."""
        return self.option.allowed is TRUTH

    @property
    def stands_for(self) -> str:
        """What stands for its value in a help."""
        return self.option.metavar or (self.name.upper() if self.is_argument else "TEXT")

    @property
    def flags(self) -> str:
        """Its flags: that of on and that of off with / between, others with blanks."""
        flag = f"--{self.name.replace('_', '-')}"
        return self.option.flag or flag

    @property
    def meaning(self) -> str:
        """Its help, for callers that have no flags."""
        return for_python(self.option.help, {}, "``")

    @property
    def spelled(self) -> str:
        """How a terminal spells it."""
        if self.is_argument:
            return self.stands_for.removesuffix("...")
        return self.flags.replace("/", " ").split()[0]

    def read(self, given: Any) -> Any:
        """What a Python caller means; UserError if it is not allowed."""
        if given is self.default:
            return given
        return self._read(self.option.allowed.read, given, f"{self.name}={quoted(given)}")

    def read_text(self, given: Any) -> Any:
        """What a text means, or several of them; UserError if it is not allowed."""
        allowed = self.option.allowed
        if given is None or given == [] or given == self.default:
            return self.default
        if self.is_flag or self.is_repeated:
            return self._read(allowed.read, given, self.spelled)
        return self._read(self._of_text, given, f"{self.spelled} {quoted(given)}")

    def read_query(self, text: str) -> Any:
        """What a text in an address means; UserError if it is not allowed."""
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
    """The declared parameters of a function by name, in their order."""
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
    """What a function says of its parameters; what a method returns may not be made yet."""
    kinds = {name: kind for name, kind in function.__annotations__.items() if name != "return"}
    said = SimpleNamespace(__annotations__=kinds)
    return get_type_hints(said, function.__globals__, include_extras=True)


def _option_of(hint: Any) -> Option | None:
    """What an annotation says; of several, that which was added last."""
    kind, *said = get_args(hint) if get_origin(hint) is Annotated else (None,)
    option = next((each for each in reversed(said) if isinstance(each, Option)), None)
    if option is None or option.allowed is not NOTHING:
        return option
    choices = [name for part in (kind, *get_args(kind)) for name in _choices(part)]
    return replace(option, allowed=one_of(choices))


def _choices(kind: Any) -> tuple[str, ...]:
    return get_args(kind) if get_origin(kind) is Literal else ()


def described(function: Callable[..., Any]) -> str:
    """The docstring of a function, with what is said of its parameters and without flags.

    Examples that begin with ``$`` are for terminals.
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
    """The options that a terminal alone has."""
    return frozenset(n for n, d in declared(function).items() if d.option.only == "terminal")


def present(door: Callable[..., Any], function: Callable[..., Any], returns: Any) -> None:
    """Give a public function the docstring and the plain signature that people and tools see."""
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
"""Flags that stand for nothing in Python."""


def for_python(text: str, named: Mapping[str, str], mark: str = "") -> str:
    """A text that names flags, with options as callers from Python spell them.

    ``named`` says which parameter a flag gives, where its own name does not. Whatever is quoted, or
    part of a path, is no flag.
    """

    def name_of(flag: re.Match[str]) -> str:
        if flag[0] in OF_TERMINALS:
            return flag[0]
        name = named.get(flag[0], flag[0][2:].replace("-", "_"))
        return f"{mark}{name}{mark}"

    return re.sub(r"(?<![\w'\"./-])--[a-z][a-z-]*", name_of, text)


@cache
def _names_of_flags(function: Callable[..., Any]) -> dict[str, str]:
    """The parameter that each flag of a terminal gives; a state is part of the subject."""
    named: dict[str, str] = {}
    for name, each in declared(function).items():
        flags = "--state" if isinstance(each.option, Subject) else each.flags
        named |= dict.fromkeys(re.split("[/ ]", flags), name)
    return named


@contextmanager
def respelled(function: Callable[..., Any], given: Iterable[Any]) -> Iterator[None]:
    """Have errors name options as callers from Python spell them, and leave what was given."""
    try:
        yield
    except UserError as error:
        error.args = (_respelled(str(error), _names_of_flags(function), given),)
        raise


def _respelled(text: str, named: Mapping[str, str], given: Iterable[Any]) -> str:
    """The text of an error, in which what was given may look like flags."""
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
    """Have a public function or method read what it is given as its signature declares.

    Whatever is not allowed ends in a UserError of one line, which names the parameter.
    """

    @wraps(function)
    def door(*args: P.args, **kwargs: P.kwargs) -> R:
        given, named = read_all(function, args, kwargs)
        with respelled(function, [*given, *named.values()]):
            return function(*given, **named)

    present(door, function, inspect.signature(function).return_annotation)
    return door


def read_all(
    function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[list[Any], dict[str, Any]]:
    """What was given by place and by name, each read; what is not declared is left to Python."""
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
