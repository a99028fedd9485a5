"""``python -m gpu_wordle`` is ``gpu-wordle``."""

import gc


def main() -> None:
    """Load the command line, and run it.

    Loading makes many objects and next to no garbage. To look through them again and again would
    take a tenth of a second, so they are set aside from later looks.
    """
    gc.disable()
    from gpu_wordle import cli

    gc.freeze()
    gc.enable()
    cli.main()


if __name__ == "__main__":
    main()
