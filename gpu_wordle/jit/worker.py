"""A process that compiles functions and runs none of them."""

from __future__ import annotations

import gc
import json
import os
import sys
import threading
from importlib import import_module
from pathlib import Path

from gpu_wordle.jit import symbols
from gpu_wordle.jit.functions import REGISTERED


def main(place: str, begin: int) -> None:
    """Compile functions that no other worker has begun, and print a line after each.

    Args:
        place: folder of ``work.json``, which lists modules to import and files of REGISTERED. A
            worker marks a function as begun by creating a file of that name there.
        begin: index of the function to begin with.
    """
    threading.Thread(target=_end_with_parent, daemon=True).start()
    work = json.loads((Path(place) / "work.json").read_text("utf-8"))
    for module in work["modules"]:
        import_module(module)
    gc.freeze()  # else each garbage collection walks through everything that was imported
    symbols.pretend()
    for file in work["files"][begin:] + work["files"][:begin]:
        try:
            (Path(place) / file).touch(exist_ok=False)
        except FileExistsError:
            continue
        REGISTERED[file].load()
        print(file, flush=True, file=sys.stdout)


def _end_with_parent() -> None:
    """End this process when its parent has ended, in the middle of a function if need be."""
    os.read(sys.stdin.fileno(), 1)  # nothing is ever written there
    os._exit(1)
