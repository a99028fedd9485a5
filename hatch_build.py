"""Put the commit into wheels and source distributions: the files that they write name it."""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

KEPT = "gpu_wordle/commit.txt"


class CommitHook(BuildHookInterface[Any]):
    """Adds ``gpu_wordle/commit.txt``, unless a source distribution has brought it along."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """See BuildHookInterface."""
        root = Path(self.root)
        if version == "editable" or (root / KEPT).exists() or not (root / ".git").exists():
            return
        run = subprocess.run(
            ["git", "describe", "--always", "--abbrev=40", "--dirty"],
            cwd=root, capture_output=True, text=True, check=False,
        )  # fmt: skip
        if run.returncode == 0:
            self._folder = tempfile.TemporaryDirectory()
            written = Path(self._folder.name) / "commit.txt"
            written.write_text(run.stdout)
            build_data["force_include"][str(written)] = KEPT
