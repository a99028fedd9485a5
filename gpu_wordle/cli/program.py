"""The command line as a program of typer, made from the functions of verbs."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module

import typer

from gpu_wordle import verbs
from gpu_wordle.cli.help import VerbCommand, VerbGroup
from gpu_wordle.version import ASKED, print_version

ORDER = (
    "rank", "merge", "solve", "prove", "guarantee", "verify", "spectrum",
    "suggest", "play", "analyse", "simulate", "league", "positions",
    "compare", "report", "plot", "reproduce", "pairs", "noise", "strategies",
    "learn", "prior", "info", "warm", "serve",
)  # fmt: skip
"""The order of verbs in the help; others come last."""

DECLARED = frozenset(verbs.NAMES)
"""The verbs in ``verbs/``, whose commands are made from their signatures."""

VERBS = (*ORDER, *sorted(DECLARED - set(ORDER)))
"""All verbs; each is the function of its module's name."""


@cache
def program(names: tuple[str, ...] = VERBS) -> typer.Typer:
    """The command line with the given verbs."""
    made = typer.Typer(
        name="gpu-wordle",
        cls=VerbGroup,
        no_args_is_help=True,
        context_settings={"help_option_names": ["-h", "--help"]},
        pretty_exceptions_enable=False,
        help="Exact, batched evaluation of guess-and-feedback games such as Wordle.",
    )
    for verb in names:
        command = _command(verb)
        examples = "\n\n".join(command.examples)  # type: ignore[attr-defined]
        made.command(cls=VerbCommand, epilog=examples)(command)
    made.callback(invoke_without_command=True)(_version)
    return made


def _command(verb: str) -> Callable[..., None]:
    """The function that typer runs for a verb."""
    if verb not in DECLARED:
        return getattr(import_module(f"gpu_wordle.cli.{verb}"), verb)
    from gpu_wordle.cli.command import command

    return command(getattr(import_module(f"gpu_wordle.verbs.{verb}"), verb))


def _version(
    context: typer.Context,
    version: bool = typer.Option(False, ASKED, help="Print the version and exit."),
) -> None:
    if version:
        print_version()
        raise typer.Exit


def __getattr__(name: str) -> typer.Typer:
    if name == "app":  # with all verbs; typer's own tools make pages of documentation from it
        return program()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
