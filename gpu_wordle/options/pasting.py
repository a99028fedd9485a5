"""Pasted games and share grids, read from a file or from standard input."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from gpu_wordle.errors import UserError
from gpu_wordle.game.reading import read_text

STANDARD_INPUT = "-"


def pasted_text(turns: Sequence[str], paste: Path | None) -> str | None:
    """The pasted text; None if none was asked for, UserError if it cannot be read."""
    if list(turns) == [STANDARD_INPUT]:
        paste = Path(STANDARD_INPUT)
    if paste is None:
        return None
    from gpu_wordle.experiments.transcripts import MAX_PASTED_BYTES

    if str(paste) != STANDARD_INPUT:
        return read_text(paste, MAX_PASTED_BYTES, "", "save it as UTF-8")
    try:
        return sys.stdin.read(MAX_PASTED_BYTES)
    except UnicodeDecodeError:
        raise UserError("standard input is not UTF-8 text; save it as UTF-8") from None
