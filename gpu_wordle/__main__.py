"""``python -m gpu_wordle`` is ``gpu-wordle``."""

import gc
import sys

from gpu_wordle import streams


def main() -> None:
    """Load the command line, and run it.

    Loading makes many objects and next to no garbage. To look through them again and again would
    take a tenth of a second, so they are set aside from later looks.
    """
    streams.prepare()
    gc.disable()
    try:
        from gpu_wordle import cli

        cli.program_for(sys.argv[1:])
    except KeyboardInterrupt:
        print("gpu-wordle: interrupted", file=sys.stderr)
        sys.exit(130)
    except (ImportError, OSError, MemoryError) as error:
        why = " ".join(str(error).split()) or "not enough memory"
        print(f"gpu-wordle: error: the program cannot be loaded ({why})", file=sys.stderr)
        sys.exit(1)
    gc.freeze()
    gc.enable()
    cli.main()


if __name__ == "__main__":
    main()
