"""A process that compiles its share of some functions, and runs nothing of them."""

from __future__ import annotations

import gc
import json
import sys
from importlib import import_module
from pathlib import Path

from gpu_wordle.jit import symbols
from gpu_wordle.jit.functions import REGISTERED


def main(place: str) -> None:
    """Compile what nobody else has begun, and print a line for each.

    Args:
        place: folder of ``work.json``, which lists modules to import and files of REGISTERED. What
            is begun is marked there by a file of that name.
    """
    work = json.loads((Path(place) / "work.json").read_text("utf-8"))
    for module in work["modules"]:
        import_module(module)
    gc.freeze()  # else all that is imported is looked through again and again
    symbols.pretend()
    for file in work["files"]:
        try:
            (Path(place) / file).touch(exist_ok=False)
        except FileExistsError:
            continue
        REGISTERED[file].load()
        print(file, flush=True, file=sys.stdout)
