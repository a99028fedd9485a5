"""Time two worker processes against two threads on one ranking, in pairs.

    python scripts/bench/cluster.py [--exact N] [--pairs N] [--out FOLDER]

Each run is a fresh command, ``gpu-wordle rank --threads 2`` or ``--cluster local:2``, on the
original lists. The two take turns at going first. ``search`` is the CPU seconds of the search from
the file; a busy machine changes them little. Processes need more of them than threads, since they
do not share the table. ``cpu`` is all CPU seconds of the command and its workers.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

from gpu_wordle.store import load
from scripts.bench.common import options, report, times_of

WAYS = {"two threads": ["--threads", "2"], "two processes": ["--cluster", "local:2"]}


def run(way: str, exact: int, out: Path) -> dict[str, Any]:
    """Rank once, and return the measurements."""
    command = [sys.executable, "-m", "gpu_wordle", "rank", "--exact", str(exact), "--quiet"]
    cpu, wall, _ = times_of([*command, *WAYS[way], "--out", str(out)])
    search = float(load(out).values("openers/seconds").sum())
    return {
        "way": way,
        "wall_s": round(wall, 1),
        "cpu_s": round(cpu, 1),
        "search_s": round(search, 2),
    }


def main() -> None:
    """Time the rankings, and report."""
    asked = options(__doc__, exact=400, pairs=3)
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for pair in range(asked.pairs):
            for way in reversed(WAYS) if pair % 2 else WAYS:
                out = Path(folder) / f"{pair}-{WAYS[way][0][2:]}.h5"
                rows.append({"pair": pair + 1, **run(way, asked.exact, out)})
                print(rows[-1], file=sys.stderr, flush=True)
    report(f"Two processes and two threads, {asked.exact} openers", rows, asked.out)


if __name__ == "__main__":
    main()
