"""Measure the page's speed: files, advice, many clients at once, and memory over random use.

    python scripts/bench/web.py --sample 100 --clients 50 --seconds 60 --requests 3000 --threads 2

A server runs in a process of its own, started as people start it. Advice is asked for after first
guesses drawn from the whole list, with feedback drawn from what they can receive; "shown" is when
all guesses of the list have exact values, "settled" when no other can be better. ``--paints`` asks
Chromium, by Selenium, when it first shows the page. A number of 0 leaves its part out. ``--out``
names a file.
"""

from __future__ import annotations

import gzip
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPResponse, RemoteDisconnected
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

import gpu_wordle as gw
from scripts.bench import common
from support.browser import browser

PATIENCE_S = 180.0
WORST = [("mamma", "BBBBB"), ("qajaq", "BBBBB"), ("immix", "BBBBB"), ("fuzzy", "BBBBB")]
"""First guesses after which most is left."""

OPENERS = ("salet", "crane", "raise", "slate", "soare", "trace", "adieu", "stare", "tares", "irate")
"""Popular first guesses."""


class Client:
    """One browser: a connection that stays open, and a name of its own."""

    def __init__(self, address: str, name: str) -> None:
        split = urlsplit(address)
        self._connection = HTTPConnection(split.hostname or "", split.port, timeout=PATIENCE_S)
        self._name = name

    def get(self, path: str, /, **parameters: Any) -> tuple[int, bytes]:
        """Status and answer."""
        response = self._ask(path, parameters, {"Accept-Encoding": "gzip"})
        return response.status, response.read()

    def _ask(self, path: str, parameters: dict[str, Any], headers: dict[str, str]) -> HTTPResponse:
        """The answer, over a new connection where the server has ended one that was idle."""
        asked = urlencode({**parameters, "client": self._name} if parameters else {})
        try:
            self._connection.request("GET", f"/{path}?{asked}", headers=headers)
            return self._connection.getresponse()
        except (RemoteDisconnected, BrokenPipeError, ConnectionResetError):
            self._connection.close()
            self._connection.request("GET", f"/{path}?{asked}", headers=headers)
            return self._connection.getresponse()

    def live(self, pid: int, **parameters: Any) -> tuple[float, float, float]:
        """Seconds until all that is shown is exact, with those of CPU, and until the last event."""
        begun, spent, cpu = time.perf_counter(), cpu_seconds(pid), 0.0
        response = self._ask("api/suggest/live", parameters, {})
        shown, event = None, ""
        while line := response.readline().decode():
            if line.startswith("event: "):
                event = line[7:].strip()
            elif line.startswith("data: "):
                is_exact = event == "bounds" and json.loads(line[6:])["exact"]
                if shown is None and (is_exact or event == "suggestions"):
                    shown, cpu = time.perf_counter() - begun, cpu_seconds(pid) - spent
                if event == "failed":
                    raise RuntimeError(line)
        return shown or PATIENCE_S, cpu, time.perf_counter() - begun


@contextmanager
def served(threads: int) -> Iterator[tuple[str, int]]:
    """Yield the address of a server, and its process."""
    command = [sys.executable, "-m", "gpu_wordle", "serve", "--port", "0", "--no-open", "--json"]
    process = subprocess.Popen(
        [*command, "--threads", str(threads)], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    said = ""
    while not said.rstrip().endswith('/"\n}'):
        said += process.stdout.readline()
    try:
        yield json.loads(said)["address"], process.pid
    finally:
        process.terminate()
        process.wait()


def cpu_seconds(pid: int) -> float:
    """CPU time of a process so far; 0 where the system does not say."""
    fields = _told(pid, "stat").rpartition(")")[2].split() or ["0"] * 13
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory_mib(pid: int, name: str) -> float:
    """Resident memory of a process, VmRSS, or the most so far, VmHWM; 0 if the system is silent."""
    return int((_told(pid, "status").partition(f"{name}:")[2].split() or ["0"])[0]) / 1024


def _told(pid: int, name: str) -> str:
    path = Path(f"/proc/{pid}/{name}")
    return path.read_text() if path.exists() else ""


def draw(rng: random.Random, game: gw.Game) -> tuple[str, str]:
    """Draw a first guess of all guesses, and feedback that it can receive."""
    guess = rng.choice(game.guesses)
    solved = game.feedback(guess, guess) if guess in game.answers else ""
    seen = sorted({game.feedback(guess, answer) for answer in game.answers} - {solved})
    return guess, rng.choice(seen)


def page(client: Client, repeats: int = 5) -> dict[str, Any]:
    """Measure the size of the page, and the time of all its files."""
    from gpu_wordle.web.page import page_files

    names = ["" if name == "index.html" else name for name in page_files()]
    first = [*names, "site.json", "api/choices", "api/words"]
    seconds = common.median_seconds(lambda: [client.get(name) for name in first], repeats)
    sent = {name: len(client.get(name)[1]) for name in first}
    page_bytes_sent = sum(sent[name] for name in names)
    return {
        "files": len(names),
        "page_bytes": sum(path.stat().st_size for path in page_files().values()),
        "page_bytes_sent": page_bytes_sent,
        "data_bytes_sent": sum(sent.values()) - page_bytes_sent,
        "all_files_seconds": seconds,
    }


def paint(address: str, repeats: int) -> dict[str, Any]:
    """Milliseconds from asking for the page to its first paint, in Chromium with an empty cache."""
    shown = "return performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? null"
    times: list[float] = []
    with tempfile.TemporaryDirectory() as folder, browser(Path(folder)) as opened:
        for _ in range(repeats):
            opened.driver.get("about:blank")
            opened.driver.execute_cdp_cmd("Network.clearBrowserCache", {})
            opened.driver.get(address)
            while (found := opened.run(shown)) is None:
                time.sleep(0.05)
            times.append(round(found))
    return {"milliseconds": times, "median": statistics.median(times), "worst": max(times)}


def advice(client: Client, pid: int, turns: list[tuple[str, str]]) -> dict[str, Any]:
    """Advice after first guesses."""
    begun = cpu_seconds(pid)
    times = [client.live(pid, turns=f"{guess}:{seen}", top=12) for guess, seen in turns]
    shown, worked, settled = zip(*times, strict=True)
    return {
        "positions": len(turns),
        "shown_median": statistics.median(shown),
        "shown_worst": max(shown),
        "shown_cpu_median": statistics.median(worked),
        "shown_cpu_worst": max(worked),
        "settled_median": statistics.median(settled),
        "settled_worst": max(settled),
        "worst_after": " ".join(turns[settled.index(max(settled))]),
        "over_a_second": sum(each > 1 for each in settled),
        "cpu_mean": (cpu_seconds(pid) - begun) / len(turns),
    }


def crowd(address: str, game: gw.Game, count: int, lasting: float, seed: int) -> dict[str, Any]:
    """Many clients at once, each of which plays: advice after an opener, then further on."""
    until = time.monotonic() + lasting

    def play(number: int) -> list[tuple[int, float]]:
        rng, client = random.Random(f"{seed} {number}"), Client(address, f"client-{number}")
        answered = []
        while time.monotonic() < until:
            answer, turns, guess = rng.choice(game.answers), [], rng.choice(OPENERS)
            while guess != answer and len(turns) < 5 and time.monotonic() < until:
                turns.append(f"{guess}:{game.feedback(guess, answer)}")
                begun = time.perf_counter()
                status, content = client.get("api/suggest", turns=",".join(turns))
                answered.append((status, time.perf_counter() - begun))
                if status != 200:
                    break
                text = gzip.decompress(content) if content[:2] == b"\x1f\x8b" else content
                guess = json.loads(text)["rows"][0]["guess"]
        return answered

    with ThreadPoolExecutor(count) as threads:
        answered = [each for player in threads.map(play, range(count)) for each in player]
    ordered = sorted(seconds for _, seconds in answered)
    return {
        "clients": count,
        "seconds": lasting,
        "requests": len(answered),
        "statuses": counted(status for status, _ in answered),
        "median": statistics.median(ordered),
        "ninety_fifth": ordered[int(0.95 * len(ordered))],
        "worst": ordered[-1],
    }


def counted(statuses: Iterator[int]) -> dict[str, int]:
    """How many answers had each status."""
    return {str(status): number for status, number in sorted(Counter(statuses).items())}


def random_use(address: str, game: gw.Game, pid: int, requests: int, seed: int) -> dict[str, Any]:
    """Measure resident memory during random use of all that the page offers."""
    rng, client = random.Random(seed), Client(address, "random")
    curve = [(0, memory_mib(pid, "VmRSS"))]
    statuses = []
    for number in range(1, requests + 1):
        guess, seen = draw(rng, game)
        turns = {"turns": f"{guess}:{seen}"}
        rule = {
            "rule": rng.choice(("normal", "normal", "hard", "candidates")),
            "objective": rng.choice(("mean", "mean", "worst", "within:4", "cost:1,2,3,4,5,20")),
        }
        answer, opener = rng.choice(game.answers), rng.choice(OPENERS)
        path, asked = rng.choice(
            [
                ("api/suggest", {**turns, **rule, "seconds": 1}),
                ("api/suggest", {"turns": f"{opener}:{game.feedback(opener, answer)}", **rule}
                 if opener != answer else turns | rule),
                ("api/spectrum", {**turns, "guess": rng.choice(game.guesses)}),
                ("api/position", turns),
                ("api/play", {"umpire": "random", "seed": rng.randrange(10**9), "words": guess}),
                ("api/watch", {"strategies": "entropy,parts", "target": answer,
                               "openers": opener, "seconds": 1}),
                ("api/tree", {"guess": opener, "path": "", **rule, "seconds": 1}),
                ("api/guarantee", {**turns, "guess": answer, "seconds": 1}),
                ("api/analyse", {"words": f"{opener},{answer}", "answer": answer, "seconds": 1}),
            ]
        )  # fmt: skip
        statuses.append(client.get(path, **asked)[0])
        if number % max(1, requests // 20) == 0:
            curve.append((number, memory_mib(pid, "VmRSS")))
    return {
        "requests": requests,
        "statuses": counted(iter(statuses)),
        "resident_mib": curve,
        "most_mib": memory_mib(pid, "VmHWM"),
    }


def main() -> None:
    """Measure, and print one object."""
    given = common.options(
        __doc__, sample=100, clients=50, requests=3000, seed=1, threads=2, paints=0, seconds=60.0
    )
    game = gw.load_game()
    found: dict[str, Any] = {"machine": common.machine(), "load_before": os.getloadavg()}
    with served(given.threads) as (address, pid):
        client = Client(address, "bench")
        if given.sample:
            found["page"] = page(client)
            rng = random.Random(given.seed)
            turns = [draw(rng, game) for _ in range(given.sample)]
            client.live(pid, turns="salet:BBBBB", top=12)  # opens the game and its solvers
            found["advice"] = {
                "sample": advice(client, pid, turns), "worst": advice(client, pid, WORST)
            }  # fmt: skip
        if given.paints:
            found["paint"] = paint(address, given.paints)
        if given.clients:
            begun = cpu_seconds(pid)
            found["crowd"] = crowd(address, game, given.clients, given.seconds, given.seed)
            found["crowd"]["cpu_seconds"] = cpu_seconds(pid) - begun
        if given.requests:
            begun = cpu_seconds(pid)
            found["memory"] = random_use(address, game, pid, given.requests, given.seed)
            found["memory"]["cpu_seconds"] = cpu_seconds(pid) - begun
    found["load_after"] = os.getloadavg()
    common.tell(json.dumps(found, indent=1) + "\n", given.out)


if __name__ == "__main__":
    main()
