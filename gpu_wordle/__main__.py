"""``python -m gpu_wordle`` is ``gpu-wordle``."""

from gpu_wordle.cli import main

main()
