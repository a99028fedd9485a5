"""The command line ``gpu-wordle VERB``, made from the public functions.

Only the module of the requested verb is loaded.
"""

from __future__ import annotations

import re
import sys
import threading
from _thread import interrupt_main
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

from gpu_wordle import streams, version
from gpu_wordle.errors import INTERRUPTED, UserError, why_not_loaded
from gpu_wordle.streams import complain

UNREAD = 141
"""Exit code when the reader of a pipe has closed it: that of SIGPIPE, as shells show it."""

INTERRUPTED_AGAIN_S = 0.01
"""Delay before a Ctrl-C lost in a callback is raised again, in seconds; the callback is over."""


def program_for(arguments: Sequence[str]) -> Callable[..., Any]:
    """The command line with only the verb named first; with all verbs if none is.

    ``--version`` alone needs no command line, which would take a tenth of a second to load.
    """
    if list(arguments) == [version.ASKED]:
        return version.print_version
    from gpu_wordle.cli.program import VERBS, program

    asked = tuple(arguments[:1])
    return program(asked) if set(asked) & set(VERBS) else program()


def main() -> None:
    """Run the command line and exit: one line on stderr per error, exit codes as in the README."""
    sys.unraisablehook = _hear_lost
    code = run()
    if streams.has_escaped():
        lacking = f"{sys.stdout.encoding} lacks characters of the output, which are escaped"
        complain(f"warning: {lacking}; set PYTHONIOENCODING=utf-8")
    sys.exit(code)


def _remedy(arguments: Sequence[str]) -> str:
    """What to do about a usage error, such as colours that look like an option."""
    for word, seen in pairwise(arguments):
        if re.fullmatch(r"-[-._0-2xygb]*[-._][-._0-2xygb]*", seen, re.IGNORECASE) and seen != "--":
            return f"colours that begin with - need their word, as in {word}={seen}"
    return "see --help"


def _hear_lost(lost: sys.UnraisableHookArgs) -> None:
    """Handle exceptions raised in finalizers and callbacks, which Python would only print.

    A Ctrl-C is raised again a moment later. It can leave objects of llvmlite half made, which then
    fail to clean up; their errors are dropped, since nothing can be done about them.
    """
    if lost.exc_type is KeyboardInterrupt:
        threading.Timer(INTERRUPTED_AGAIN_S, interrupt_main).start()
    elif not str(getattr(lost.object, "__module__", "")).startswith("llvmlite."):
        sys.__unraisablehook__(lost)


def run() -> int:
    """Run the command in sys.argv; returns 0, 1 for a failed job, or 2 for bad input."""
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
            complain(f"error: {' '.join(describe().split())} ({_remedy(sys.argv[1:])})")
        return 2
