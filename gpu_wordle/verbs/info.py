"""The verb ``info``: versions, devices, word lists and cache folders."""

from __future__ import annotations

import platform
from importlib import metadata
from typing import Annotated, Any, TypedDict

from rich.table import Table
from rich.text import Text

from gpu_wordle.backends import choose
from gpu_wordle.backends.cuda import device
from gpu_wordle.game.named_lists import catalogue
from gpu_wordle.game.patterns import cache_folder, kept_matrices
from gpu_wordle.game.reading import MIB
from gpu_wordle.jit import files
from gpu_wordle.options.outcome import Outcome, verb
from gpu_wordle.report import keys
from gpu_wordle.report.document import PROGRAM
from gpu_wordle.report.keys import Key, schema
from gpu_wordle.report.table import columns_of
from gpu_wordle.tunables import PATTERN_CACHE_MIB
from gpu_wordle.version import __version__


@schema
class ListRow(TypedDict):
    """A word list."""

    list: Annotated[str, Key("name of a word list")]
    guess_count: Annotated[int, Key("its guesses")]
    answer_count: Annotated[int, Key("its answers")]
    description: keys.Description
    licence: Annotated[str, Key("its licence")]
    guesses_sha256: Annotated[str, Key("identity of the guesses")]
    answers_sha256: Annotated[str, Key("identity of the answers")]


@schema
class Installation(TypedDict):
    """The installation."""

    versions: Annotated[dict[str, Any], Key("versions of Python and of the libraries")]
    system: Annotated[str, Key("operating system")]
    cpu: Annotated[str, Key("processor")]
    cuda: Annotated[str, Key("CUDA device, or why there is none")]
    cache: Annotated[str, Key("cache folder and its contents")]
    machine_code: Annotated[str, Key("folder of the machine code of this version and processor")]


LIBRARIES = ("numpy", "numba", "llvmlite", "h5py", "typer", "rich", "matplotlib", "pyarrow")


@verb
def info() -> Outcome:
    """Show versions, devices, word lists, and the folders of cached patterns and machine code.

    Examples:
        $ gpu-wordle info
    """
    versions = {
        "python": platform.python_version(),
        **{library: _version(library) for library in LIBRARIES},
    }
    facts = {
        "system": platform.platform(),
        "cpu": choose("cpu").backend.device,
        "cuda": device.unavailable() or choose("cuda").backend.device,
        "cache": _cache(),
        "machine_code": str(files.folder()),
    }
    lists = [
        {
            "list": name,
            "guess_count": entry["guesses_count"],
            "answer_count": entry["answers_count"],
            "description": entry["description"],
            "licence": entry["licence"],
            "guesses_sha256": entry["guesses_sha256"],
            "answers_sha256": entry["answers_sha256"],
        }
        for name, entry in catalogue().items()
    ]

    told = {PROGRAM: __version__, **versions, **facts}
    told |= {
        f"list {entry['list']}": f"{entry['guess_count']:,} guesses, {entry['answer_count']:,} "
        f"answers; {entry['description']} ({entry['licence']})"
        for entry in lists
    }
    table = Table(box=None, show_header=False, pad_edge=False)
    for key, value in told.items():
        table.add_row(Text(key, "bold"), Text(value))
    return Outcome(
        lines=lambda width: [table],
        facts={"versions": versions, **facts},
        columns=columns_of(lists),
    )


def _version(library: str) -> str:
    try:
        return metadata.version(library)
    except metadata.PackageNotFoundError:
        return "not installed"


def _cache() -> str:
    sizes = [found.st_size for found in kept_matrices().values()]
    held = f"{len(sizes)} pattern matrices, {sum(sizes) / 1e6:.0f} MB"
    return f"{cache_folder()} ({held}; at most {PATTERN_CACHE_MIB * MIB / 1e6:,.0f} MB are kept)"
