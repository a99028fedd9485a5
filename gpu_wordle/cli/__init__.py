"""The command line ``gpu-wordle VERB``: one module a verb, over the public functions.

A verb is loaded when it is asked for.
"""

from __future__ import annotations

import sys
import threading
import warnings
from _thread import interrupt_main
from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module

import typer

from gpu_wordle import streams, verbs
from gpu_wordle.cli.console import INTERRUPTED, complain
from gpu_wordle.errors import UserError, why_not_loaded
from gpu_wordle.version import __version__

ORDER = (
    "rank", "merge", "solve", "prove", "guarantee", "verify", "spectrum",
    "suggest", "play", "analyse", "simulate", "compare",
    "report", "plot", "reproduce", "pairs", "noise", "strategies",
    "learn", "info", "warm", "serve",
)  # fmt: skip
"""In which the help lists verbs; others come last."""

DECLARED = frozenset(verbs.NAMES)
"""Those that are functions of ``verbs/``, of which commands are made."""

VERBS = (*ORDER, *sorted(DECLARED - set(ORDER)))
"""Each is a function of the module of its name."""

VERSION = "--version"

UNREAD = 141
"""Exit code where the reader of a pipe has seen enough: that of SIGPIPE, as shells show it."""

INTERRUPTED_AGAIN_S = 0.01
"""After so long, Python has left the callback in which Ctrl-C came, as of a weak reference."""


@cache
def program(names: tuple[str, ...] = VERBS) -> typer.Typer:
    """The command line with some verbs."""
    made = typer.Typer(
        name="gpu-wordle",
        no_args_is_help=True,
        context_settings={"help_option_names": ["-h", "--help"]},
        pretty_exceptions_enable=False,
        help="Exact, batched evaluation of guess-and-feedback games such as Wordle.",
    )
    for verb in names:
        command = _command(verb)
        examples = "\n\n".join(command.examples)  # type: ignore[attr-defined]
        made.command(epilog=examples)(command)
    made.callback(invoke_without_command=True)(_version)
    return made


def _command(verb: str) -> Callable[..., None]:
    """What is run for a verb."""
    if verb not in DECLARED:
        return getattr(import_module(f"{__name__}.{verb}"), verb)
    from gpu_wordle.cli.command import command

    return command(getattr(import_module(f"gpu_wordle.verbs.{verb}"), verb))


def program_for(arguments: Sequence[str]) -> typer.Typer:
    """The command line with the verb that comes first, or with all of them if none does.

    Who asks for the version alone needs none.
    """
    if list(arguments) == [VERSION]:
        return program(())
    asked = tuple(arguments[:1])
    return program(asked) if set(asked) & set(VERBS) else program()


def __getattr__(name: str) -> typer.Typer:
    if name == "app":
        return program()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def _version(
    context: typer.Context,
    version: bool = typer.Option(False, VERSION, help="Print the version and exit."),
) -> None:
    if version:
        print(f"gpu-wordle {__version__}")
        raise typer.Exit


def main() -> None:
    """Run the command line; errors are one line on stderr, and exit codes as in the README."""
    warnings.showwarning = lambda message, *_: streams.warn(message)
    sys.unraisablehook = _hear_lost
    code = run()
    if streams.has_escaped():
        lacking = f"{sys.stdout.encoding} lacks characters of the output, which are escaped"
        complain(f"warning: {lacking}; set PYTHONIOENCODING=utf-8")
    sys.exit(code)


def _hear_lost(lost: sys.UnraisableHookArgs) -> None:
    """Hear what was raised where nothing can be.

    A Ctrl-C comes again a moment later. Objects of the compiler's library that it left half made
    fail to clean up. What these raise is not told, for nothing can be done about it.
    """
    if lost.exc_type is KeyboardInterrupt:
        threading.Timer(INTERRUPTED_AGAIN_S, interrupt_main).start()
    elif not str(getattr(lost.object, "__module__", "")).startswith("llvmlite."):
        sys.__unraisablehook__(lost)


def run() -> int:
    """Exit code of the command given in sys.argv: 0, 1 for a failed job, 2 for bad input."""
    try:
        code = int(program_for(sys.argv[1:])(standalone_mode=False) or 0)
        sys.stdout.flush()
        return code
    except UserError as error:
        complain(f"error: {error}")
        return error.exit_code
    except KeyboardInterrupt:
        complain("interrupted")
        return INTERRUPTED
    except (BrokenPipeError, SystemExit) as error:
        met = (error, error.__context__)  # typer makes the one of the other
        if not any(isinstance(each, BrokenPipeError) for each in met):
            raise
        streams.abandon_stdout()
        return UNREAD
    except OSError as error:
        streams.abandon_stdout()
        of_library = error.errno is None
        what = "a library cannot be loaded" if of_library else "the output cannot be written"
        complain(f"error: {what} ({error.strerror or ' '.join(str(error).split())})")
        return 1
    except ImportError as error:
        complain(f"error: {why_not_loaded(error)}")
        return 1
    except (MemoryError, RuntimeError) as error:
        if isinstance(error, RuntimeError) and "start new thread" not in str(error):
            raise
        complain("error: not enough memory; choose a smaller game, --table-size or --threads")
        return 1
    except Exception as error:
        # Usage errors of typer, which come from click or from typer itself depending on version.
        describe = getattr(error, "format_message", None)
        if describe is None:
            raise
        if describe():  # empty where the help was asked for by giving no verb
            complain(f"error: {' '.join(describe().split())} (see --help)")
        return 2
