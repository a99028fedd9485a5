"""The verb ``warm``: compile all machine code ahead of time."""

from __future__ import annotations

from typing import Annotated, TypedDict

from gpu_wordle.experiments.noise import searcher as noise
from gpu_wordle.jit import files
from gpu_wordle.jit.functions import Need
from gpu_wordle.options.outcome import Outcome, verb
from gpu_wordle.options.shared import OnProgress
from gpu_wordle.options.telling import compile_first
from gpu_wordle.report import keys
from gpu_wordle.report.keys import Key, schema
from gpu_wordle.solver.ready import BATCHED, make_modules_ready


@schema
class Warmed(TypedDict):
    """The facts of a run of ``warm``."""

    compiled: Annotated[int, Key("functions of machine code that were compiled")]
    folder: keys.Folder


EVERYTHING = (
    *(*BATCHED, *noise.FREE, *noise.BOUND),
    "gpu_wordle.strategies.machine",
    *("gpu_wordle.certify.machine", "gpu_wordle.solver.memory.labels"),
)
"""Modules that, with their imports, declare all machine code."""


@verb
def warm(*, progress: OnProgress = None) -> Outcome:
    """Compile all machine code now, so that no later command has to.

    This suits container images: the compiled code lies in the cache folder and serves all its users
    on processors of the same kind.

    Examples:
        $ gpu-wordle warm
    """
    compiled = compile_first(
        lambda show: make_modules_ready(EVERYTHING, tuple(Need), show), progress
    )
    place = str(files.folder())
    told = f"{compiled} functions compiled, in {place}"
    if not compiled:
        told = f"nothing to do: all machine code is in {place}"
    return Outcome(lines=lambda width: [told], facts={"compiled": compiled, "folder": place})
