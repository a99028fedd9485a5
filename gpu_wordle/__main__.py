"""``python -m gpu_wordle`` is ``gpu-wordle``."""

import gc
import os
import sys
import warnings

from gpu_wordle import streams
from gpu_wordle.errors import why_not_loaded


def main() -> None:
    """Load the command line, and run it.

    Loading makes many objects and next to no garbage. To look through them again and again would
    take a tenth of a second, so they are set aside from later looks.
    """
    streams.prepare()
    warnings.showwarning = lambda message, *_: streams.warn(message)
    os.environ.pop("NUMBA_NUM_THREADS", None)  # for loops that this program has none of
    if any(option.startswith("error") for option in sys.warnoptions):
        warnings.simplefilter("default")  # a line each, for a job should not end by them
    if sys.getfilesystemencoding() == "ascii" and not " ".join(sys.argv).isascii():
        streams.complain("error: ascii lacks characters of the command line; set PYTHONUTF8=1")
        sys.exit(2)
    gc.disable()
    try:
        from gpu_wordle import cli

        cli.program_for(sys.argv[1:])
    except KeyboardInterrupt:
        streams.complain("interrupted")
        sys.exit(130)
    except (ImportError, OSError, MemoryError) as error:
        streams.complain(f"error: the program cannot be loaded ({why_not_loaded(error)})")
        sys.exit(1)
    gc.freeze()
    gc.enable()
    cli.main()


if __name__ == "__main__":
    main()
