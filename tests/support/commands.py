"""The real command line in a child process."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

COMMAND = [sys.executable, "-m", "gpu_wordle"]


def child(
    *arguments: object,
    cwd: Path,
    code: int = 0,
    env: dict[str, str] | None = None,
    begin: Callable[[], object] | None = None,
    program: Sequence[str] = COMMAND,
    **streams: object,
) -> tuple[str, str]:
    """What a command writes to stdout and stderr, both as UTF-8; ``begin`` runs in it at first.

    It has to end with ``code``, and without a traceback.
    """
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **streams}
    run = subprocess.run(
        [*program, *map(str, arguments)],
        cwd=cwd,
        env={**os.environ, "COLUMNS": "100", **(env or {})},
        encoding="utf-8",
        timeout=300,
        preexec_fn=begin,
        check=False,
        **streams,
    )
    assert run.returncode == code, run.stderr
    assert "Traceback" not in (run.stderr or "")
    return run.stdout or "", run.stderr or ""
