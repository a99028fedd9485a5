"""Time two worker processes against two threads on one ranking, in pairs.

    python scripts/bench/cluster.py [--exact N] [--pairs N] [--out FOLDER]

Each run is a fresh command, ``gpu-wordle rank --threads 2`` or ``--cluster local:2``, on the
original lists. The two take turns at going first. ``search`` is the CPU seconds of the search from
the file; a busy machine changes them little. Processes need more of them than threads, since they
do not share the table. ``cpu`` is all CPU seconds of the command and its workers.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from typing import Any

from gpu_wordle.store import load
from scripts.bench.common import report, times_of

WAYS = {"two threads": ["--threads", "2"], "two processes": ["--cluster", "local:2"]}


def run(way: str, exact: int, out: Path) -> dict[str, Any]:
    """Rank once, and return the measurements."""
    command = [sys.executable, "-m", "gpu_wordle", "rank", "--exact", str(exact), "--quiet"]
    cpu, wall, _ = times_of([*command, *WAYS[way], "--out", str(out)])
    search = float(load(out).values("openers/seconds").sum())
    return {"way": way, "wall_s": round(wall, 1), "cpu_s": round(cpu, 1), "search_s": search}


def main() -> None:
    """Parse arguments, time, and report."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--exact", type=int, default=400)
    parser.add_argument("--pairs", type=int, default=3)
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for pair in range(options.pairs):
            ways = list(WAYS) if pair % 2 == 0 else list(reversed(WAYS))
            for way in ways:
                row = run(way, options.exact, Path(folder) / f"{pair}-{WAYS[way][0][2:]}.h5")
                rows.append({"pair": pair + 1, **row, "search_s": round(row["search_s"], 2)})
                print(rows[-1], file=sys.stderr, flush=True)
    report(f"Two processes and two threads, {options.exact} openers", rows, options.out)


if __name__ == "__main__":
    main()
