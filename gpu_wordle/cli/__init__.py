"""The command line ``gpu-wordle VERB``: one module a verb, over the public functions."""

from __future__ import annotations

import sys
import threading
import warnings
from _thread import interrupt_main

import typer

from gpu_wordle import streams
from gpu_wordle.cli import (
    analyse,
    compare,
    guarantee,
    info,
    learn,
    merge,
    noise,
    pairs,
    play,
    plot,
    prove,
    rank,
    report,
    reproduce,
    serve,
    simulate,
    solve,
    spectrum,
    strategies,
    suggest,
    verify,
    warm,
)  # fmt: skip
from gpu_wordle.cli.console import INTERRUPTED, complain
from gpu_wordle.errors import UserError
from gpu_wordle.version import __version__

UNREAD = 141
"""Exit code where the reader of a pipe has seen enough: that of SIGPIPE, as shells show it."""

INTERRUPTED_AGAIN_S = 0.01
"""After so long, Python has left the callback in which Ctrl-C came, as of a weak reference."""

app = typer.Typer(
    name="gpu-wordle",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
    help="Exact, batched evaluation of guess-and-feedback games such as Wordle.",
)
for verb in (
    rank.rank, merge.merge, solve.solve, prove.prove, guarantee.guarantee, verify.verify,
    spectrum.spectrum,
    suggest.suggest, play.play, analyse.analyse, simulate.simulate, compare.compare,
    report.report, plot.plot, reproduce.reproduce, pairs.pairs, noise.noise, strategies.strategies,
    learn.learn, info.info, warm.warm, serve.serve,
):  # fmt: skip
    app.command()(verb)


@app.callback(invoke_without_command=True)
def _version(
    context: typer.Context,
    version: bool = typer.Option(False, "--version", help="Print the version and exit."),
) -> None:
    if version:
        print(f"gpu-wordle {__version__}")
        raise typer.Exit


def main() -> None:
    """Run the command line; errors are one line on stderr, and exit codes as in the README."""
    warnings.showwarning = lambda message, *_: complain(f"warning: {message}")
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
        code = int(app(standalone_mode=False) or 0)
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
