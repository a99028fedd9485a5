"""Entry point of ``python -m gpu_wordle`` and ``gpu-wordle``."""

import gc
import os
import sys
import warnings

from gpu_wordle import streams
from gpu_wordle.errors import INTERRUPTED, why_not_loaded


def main() -> None:
    """Load the command line and run it.

    Loading creates many objects and almost no garbage. Collecting them repeatedly would take a
    tenth of a second, so the collector is off meanwhile and then ignores them.
    """
    streams.prepare()
    warnings.showwarning = lambda message, *_: streams.warn(message)
    os.environ.pop("NUMBA_NUM_THREADS", None)  # applies to parallel loops, which are not used
    if any(option.startswith("error") for option in sys.warnoptions):
        warnings.simplefilter("default")  # print a line each: a warning must not end a job
    if sys.getfilesystemencoding() == "ascii" and not " ".join(sys.argv).isascii():
        streams.complain("error: ascii lacks characters of the command line; set PYTHONUTF8=1")
        sys.exit(2)
    gc.disable()
    try:
        from gpu_wordle import cli

        cli.program_for(sys.argv[1:])
    except KeyboardInterrupt:
        streams.complain("interrupted")
        sys.exit(INTERRUPTED)
    except (ImportError, OSError, MemoryError) as error:
        streams.complain(f"error: the program cannot be loaded ({why_not_loaded(error)})")
        sys.exit(1)
    gc.freeze()
    gc.enable()
    cli.main()


if __name__ == "__main__":
    main()
