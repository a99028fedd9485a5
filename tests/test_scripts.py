"""The script for a GPU machine can be tried out on any machine."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


def test_gpu_check_on_the_cpu(tmp_path):
    command = [sys.executable, "scripts/gpu_check.py", "--backend", "cpu", "--out", str(tmp_path)]
    command += ["--answers", "60", "--guesses", "120", "--seconds", "60"]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert run.returncode == 0, run.stderr
    rows = json.loads((tmp_path / "gpu_check.json").read_text())["rows"]
    results = {row["case"]: row["result"] for row in rows}
    for case in ("opener", "prove", "rank"):
        assert results[f"{case}, cpu, batched"] == results[f"{case}, cpu threads"]
    assert results["threads tuned"] == "=="
    assert "(tmp" not in (tmp_path / "gpu_check.md").read_text()


@pytest.mark.skipif(shutil.which("nvidia-smi") is not None, reason="for machines without a GPU")
def test_gpu_check_without_a_gpu_says_so(tmp_path):
    """It fails, ends at once, and its logs say what was missing."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    run = subprocess.run(
        ["bash", str(ROOT / "scripts" / "gpu_check.sh"), str(tmp_path)],
        env={**os.environ, "PATH": path}, capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert run.returncode == 1
    assert "jobs: failed" in run.stdout
    assert "cuda backend cannot be used" in (tmp_path / "jobs.log").read_text()
