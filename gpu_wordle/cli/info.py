"""``gpu-wordle info``: what is installed and what it would run on."""

from __future__ import annotations

import json
import platform
from importlib import metadata

from rich.table import Table
from rich.text import Text

from gpu_wordle.backends import choose
from gpu_wordle.backends.cuda import device
from gpu_wordle.cli import options
from gpu_wordle.cli.blocks import with_blocks
from gpu_wordle.cli.console import output as stdout
from gpu_wordle.game.patterns import cache_folder
from gpu_wordle.game.words import catalogue
from gpu_wordle.version import __version__

LIBRARIES = ("numpy", "numba", "llvmlite", "h5py", "typer", "rich", "matplotlib")


@with_blocks
def info(output: options.OutputOptions) -> None:
    """Show versions, devices, word lists and the cache."""
    facts = {
        "gpu-wordle": __version__,
        "python": platform.python_version(),
        **{library: _version(library) for library in LIBRARIES},
        "system": platform.platform(),
        "cpu": choose("cpu").backend.device,
        "cuda": device.unavailable() or choose("cuda").backend.device,
        "cache": _cache(),
    }
    lists = [
        {
            "list": name,
            "guesses": entry["guesses_count"],
            "answers": entry["answers_count"],
            "description": entry["description"],
            "licence": entry["licence"],
            "guesses_sha256": entry["guesses_sha256"],
            "answers_sha256": entry["answers_sha256"],
        }
        for name, entry in catalogue().items()
    ]
    if output.json_output:
        print(json.dumps({**facts, "lists": lists}, indent=1))
        return
    table = Table(box=None, show_header=False, pad_edge=False)
    for key, value in facts.items():
        table.add_row(Text(key, "bold"), value)
    for entry in lists:
        table.add_row(
            Text(f"list {entry['list']}", "bold"),
            f"{entry['guesses']:,} guesses, {entry['answers']:,} answers; "
            f"{entry['description']} ({entry['licence']})",
        )
    stdout().print(table)


def _version(library: str) -> str:
    try:
        return metadata.version(library)
    except metadata.PackageNotFoundError:
        return "not installed"


def _cache() -> str:
    folder = cache_folder()
    files = list(folder.glob("patterns-*.npy")) if folder.is_dir() else []
    size = sum(file.stat().st_size for file in files)
    return f"{folder} ({len(files)} pattern matrices, {size / 1e6:.0f} MB)"
