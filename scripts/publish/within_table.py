"""Prove the most answers that can be found within k guesses, over all openers.

    python scripts/publish/within_table.py [--rule RULE] [--least K] [--most K] [--threads N]
                                           [--most-seconds S] [--out FILE.csv]

For each k: which openers find the most answers of the original game within k guesses, ties broken
by the total, under the limit of six guesses. Strategies are replayed by the independent checker. A
row is written as soon as it is known; rows that the file holds already are not made again. Where a
proof is cut short by Ctrl-C or --most-seconds, the row says between which figures the best lies.

If some strategy finds all answers within k guesses, the row is that of a game of k guesses, which
is much faster to prove.
"""

from __future__ import annotations

import csv
import json
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from gpu_wordle.backends.cpu.threads import available_cores
from gpu_wordle.game.rule import Rule
from scripts.bench.common import machine, options

COLUMNS = [
    *("rule", "k", "status", "within", "at_most", "total", "openers"),
    *("by_search", "open", "seconds", "threads", "commit"),
]


def main() -> None:
    """Prove the most answers found within k guesses, for each k."""
    asked = options(
        __doc__, rule=tuple(map(str, Rule)), least=1, most=6, threads=available_cores(),
        most_seconds=float,
    )  # fmt: skip
    out = asked.out or Path("within.csv")
    rows = list(csv.DictReader(out.open(encoding="utf-8"))) if out.exists() else []
    signal.signal(signal.SIGINT, lambda *_: None)  # the proof hears it, and says how far it came
    for k in range(asked.least, asked.most + 1):
        if any((row["rule"], int(row["k"])) == (asked.rule, k) for row in rows):
            continue
        rows.append(row_of(asked.rule, k, asked.threads, asked.most_seconds))
        rows.sort(key=lambda row: (Rule(row["rule"]).name, int(row["k"])))
        with out.open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, COLUMNS)
            writer.writeheader()
            writer.writerows(rows)
        print(next(row for row in rows if (row["rule"], int(row["k"])) == (asked.rule, k)))


def row_of(rule: str, k: int, threads: int, most_seconds: float | None) -> dict[str, Any]:
    """Row of the table for one k."""
    started = time.perf_counter()
    for aim in ("--max-guesses", k), ("--objective", f"within:{k}"):
        game = [*aim, "--rule", rule, "--threads", threads]
        left = most_seconds and max(1.0, most_seconds - (time.perf_counter() - started))
        proof = told("prove", *game, *(["--time-limit", f"{left:.0f}"] if left else []))
        if proof["best"]:
            break
    if not proof["best"]:
        raise SystemExit(f"within {k}: no strategy was found in time; give more --most-seconds")
    seconds = time.perf_counter() - started
    for opener in proof["best"]:
        check(opener, proof, game)
    answers = proof["answers"]
    at_most = late = answers - proof.get("within", answers)
    if not proof["complete"] and late > 0:
        scale = (proof["value"] - proof["total"]) // late  # the value is late * scale + total
        at_most = min(late, proof["lower"] // scale)
    return {
        "rule": rule,
        "k": k,
        "status": "proven" if proof["complete"] else "bounded",
        "within": answers - late,
        "at_most": answers - at_most,
        "total": proof["total"],
        "openers": " ".join(proof["best"]),
        "by_search": proof["fates"]["by_search"],
        "open": proof["fates"]["open"],
        "seconds": round(seconds, 1),
        "threads": threads,
        "commit": machine()["commit"],
    }


def check(opener: str, proof: dict[str, Any], game: list[Any]) -> None:
    """Replay a strategy of one of the best openers; SystemExit if it is not as good as proved."""
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder, "tree.h5")
        told("solve", opener, *game, "--tree", tree)
        seen = told("verify", tree)
    if any(seen[name] != proof[name] for name in ("total", "within") if name in proof):
        raise SystemExit(f"{opener} does not reach what was proved of it")


def told(*command: Any) -> dict[str, Any]:
    """The machine output of a command; its progress is shown."""
    line = [sys.executable, "-m", "gpu_wordle", *map(str, command), "--json"]
    return json.loads(subprocess.run(line, stdout=subprocess.PIPE, check=False).stdout)


if __name__ == "__main__":
    main()
