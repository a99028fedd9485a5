"""``gpu-wordle info``: what is installed and what it would run on."""

from __future__ import annotations

import platform
from importlib import metadata

from rich.table import Table
from rich.text import Text

from gpu_wordle.backends import choose
from gpu_wordle.backends.cuda import device
from gpu_wordle.cli import options
from gpu_wordle.cli.blocks import with_blocks
from gpu_wordle.cli.console import output as stdout
from gpu_wordle.cli.printing import show
from gpu_wordle.game.patterns import cache_folder, kept_matrices
from gpu_wordle.game.reading import MIB
from gpu_wordle.game.words import catalogue
from gpu_wordle.jit import files
from gpu_wordle.report.document import PROGRAM, Document, envelope
from gpu_wordle.report.table import columns_of
from gpu_wordle.tunables import PATTERN_CACHE_MIB
from gpu_wordle.version import __version__

LIBRARIES = ("numpy", "numba", "llvmlite", "h5py", "typer", "rich", "matplotlib", "pyarrow")


@with_blocks
def info(output: options.OutputOptions) -> None:
    """Show versions, devices, word lists, and where patterns and machine code are kept."""
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

    def for_people() -> None:
        table = Table(box=None, show_header=False, pad_edge=False)
        for key, value in {PROGRAM: __version__, **versions, **facts}.items():
            table.add_row(Text(key, "bold"), Text(value))
        for entry in lists:
            text = (
                f"{entry['guess_count']:,} guesses, {entry['answer_count']:,} answers; "
                f"{entry['description']} ({entry['licence']})"
            )
            table.add_row(Text(f"list {entry['list']}", "bold"), Text(text))
        stdout().print(table)

    answer = {"versions": versions, **facts}
    show(lambda: Document(envelope("info"), answer, columns_of(lists)), output.format, for_people)


def _version(library: str) -> str:
    try:
        return metadata.version(library)
    except metadata.PackageNotFoundError:
        return "not installed"


def _cache() -> str:
    sizes = [found.st_size for found in kept_matrices().values()]
    held = f"{len(sizes)} pattern matrices, {sum(sizes) / 1e6:.0f} MB"
    return f"{cache_folder()} ({held}; at most {PATTERN_CACHE_MIB * MIB / 1e6:,.0f} MB are kept)"
