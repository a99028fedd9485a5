"""The version of the package, which every file that it writes records."""

from typing import Any

__version__ = "0.1.0"

ASKED = "--version"
"""The option of the command line that asks for it."""


def print_version(**_: Any) -> None:
    """Print the version; may be called as a program of typer is."""
    print(f"gpu-wordle {__version__}")
