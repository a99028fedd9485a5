"""Measure the page's speed: files, advice, many clients at once, and memory over random use.

    python scripts/bench/web.py --sample 100 --clients 50 --seconds 60 --requests 3000 --threads 2

A server runs in a process of its own, started like by a user. First guesses are drawn from the
whole list, and feedback from what they can receive. "Shown" is when all listed guesses have exact
values, "settled" when no other guess can be better. ``--paints`` measures in Chromium, by Selenium,
when the page first appears. A number of 0 skips its part.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPResponse, RemoteDisconnected
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

import gpu_wordle as gw
from scripts.bench.common import machine

PATIENCE_S = 180.0
WORST = (
    ("mamma", "BBBBB"), ("qajaq", "BBBBB"), ("immix", "BBBBB"), ("fuzzy", "BBBBB"),
)  # fmt: skip
"""First guesses that leave the most answers."""

OPENERS = ("salet", "crane", "raise", "slate", "soare", "trace", "adieu", "stare", "tares", "irate")
"""Popular first guesses."""


class Client:
    """One browser: a connection that stays open, and a name of its own."""

    def __init__(self, address: str, name: str) -> None:
        split = urlsplit(address)
        self._connection = HTTPConnection(split.hostname or "", split.port, timeout=PATIENCE_S)
        self._name = name

    def get(self, path: str, /, **parameters: Any) -> tuple[int, bytes]:
        """Return status and answer."""
        asked = urlencode({**parameters, "client": self._name} if parameters else {})
        response = self._ask(f"/{path}?{asked}", {"Accept-Encoding": "gzip"})
        return response.status, response.read()

    def _ask(self, address: str, headers: dict[str, str]) -> HTTPResponse:
        """Return the answer, over a new connection if the server has closed an idle one."""
        try:
            self._connection.request("GET", address, headers=headers)
            return self._connection.getresponse()
        except (RemoteDisconnected, BrokenPipeError, ConnectionResetError):
            self._connection.close()
            self._connection.request("GET", address, headers=headers)
            return self._connection.getresponse()

    def live(self, pid: int, **parameters: Any) -> tuple[float, float, float]:
        """Return seconds and CPU seconds until all shown values are exact, and all seconds."""
        asked, begun = urlencode({**parameters, "client": self._name}), time.perf_counter()
        spent, cpu = cpu_seconds(pid), 0.0
        response = self._ask(f"/api/suggest/live?{asked}", {})
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


def seconds(work: Callable[[], Any]) -> float:
    """Return the seconds of some work."""
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def resident_mib(pid: int) -> float:
    """Return the memory of a process; 0 if the system does not tell."""
    try:
        fields = Path(f"/proc/{pid}/statm").read_text().split()
    except OSError:
        return 0.0
    return int(fields[1]) * os.sysconf("SC_PAGE_SIZE") / (1 << 20)


def most_resident_mib(pid: int) -> float:
    """Return the peak memory of a process; 0 if the system does not tell."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0.0
    return int(status.partition("VmHWM:")[2].split()[0]) / 1024


def cpu_seconds(pid: int) -> float:
    """Return the CPU time of a process so far; 0 if the system does not tell."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


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
    for name in first:
        client.get(name)  # warms up the server
    times = [seconds(lambda: [client.get(name) for name in first]) for _ in range(repeats)]
    sent = {name: len(client.get(name)[1]) for name in first}
    return {
        "files": len(names),
        "page_bytes": sum(path.stat().st_size for path in page_files().values()),
        "page_bytes_sent": sum(sent[name] for name in names),
        "data_bytes_sent": sum(sent.values()) - sum(sent[name] for name in names),
        "all_files_seconds": statistics.median(times),
    }


def paint(address: str, repeats: int) -> dict[str, Any]:
    """Measure milliseconds from the request to the first paint, in Chromium with an empty cache."""
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    for flag in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
        options.add_argument(flag)
    shown = "return performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? null"
    times: list[float] = []
    with webdriver.Chrome(options=options) as driver:
        while len(times) < repeats:
            driver.get("about:blank")
            driver.execute_cdp_cmd("Network.clearBrowserCache", {})
            driver.get(address)
            while (found := driver.execute_script(shown)) is None:
                time.sleep(0.05)
            times.append(round(found))
    return {"milliseconds": times, "median": statistics.median(times), "worst": max(times)}


def advice(client: Client, game: gw.Game, pid: int, sample: int, seed: int) -> dict[str, Any]:
    """Measure advice after first guesses: a sample, and the worst ones."""
    rng = random.Random(seed)
    client.live(pid, turns="salet:BBBBB", top=12)  # opens the game and its solvers

    def measured(turns: list[tuple[str, str]]) -> dict[str, Any]:
        begun, shown, worked, settled = cpu_seconds(pid), [], [], []
        for guess, seen in turns:
            one, cpu, other = client.live(pid, turns=f"{guess}:{seen}", top=12)
            shown.append(one)
            worked.append(cpu)
            settled.append(other)
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

    return {
        "sample": measured([draw(rng, game) for _ in range(sample)]),
        "worst": measured(list(WORST)),
    }


def crowd(address: str, game: gw.Game, count: int, lasting: float, seed: int) -> dict[str, Any]:
    """Measure many clients that play at once: advice after an opener, then further on."""
    times: list[float] = []
    statuses: dict[int, int] = {}
    lock, until = threading.Lock(), time.monotonic() + lasting

    def play(number: int) -> None:
        rng, client = random.Random(f"{seed} {number}"), Client(address, f"client-{number}")
        while time.monotonic() < until:
            answer, turns, guess = rng.choice(game.answers), [], rng.choice(OPENERS)
            while guess != answer and len(turns) < 5 and time.monotonic() < until:
                turns.append(f"{guess}:{game.feedback(guess, answer)}")
                begun = time.perf_counter()
                status, content = client.get("api/suggest", turns=",".join(turns))
                with lock:
                    times.append(time.perf_counter() - begun)
                    statuses[status] = statuses.get(status, 0) + 1
                if status != 200:
                    break
                guess = json.loads(unpacked(content))["rows"][0]["guess"]

    threads = [threading.Thread(target=play, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    ordered = sorted(times)
    return {
        "clients": count,
        "seconds": lasting,
        "requests": len(times),
        "statuses": {str(status): each for status, each in sorted(statuses.items())},
        "median": statistics.median(times),
        "ninety_fifth": ordered[int(0.95 * len(ordered))],
        "worst": ordered[-1],
    }


def unpacked(content: bytes) -> bytes:
    """Return a gzip answer unpacked, and any other as it is."""
    import gzip

    return gzip.decompress(content) if content[:2] == b"\x1f\x8b" else content


def random_use(address: str, game: gw.Game, pid: int, requests: int, seed: int) -> dict[str, Any]:
    """Measure resident memory during random use of all that the page offers."""
    rng, client = random.Random(seed), Client(address, "random")
    curve: list[tuple[int, float]] = [(0, resident_mib(pid))]
    statuses: dict[int, int] = {}
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
        status, _ = client.get(path, **asked)
        statuses[status] = statuses.get(status, 0) + 1
        if number % max(1, requests // 20) == 0:
            curve.append((number, resident_mib(pid)))
    return {
        "requests": requests,
        "statuses": {str(status): each for status, each in sorted(statuses.items())},
        "resident_mib": curve,
        "most_mib": most_resident_mib(pid),
    }


def main() -> None:
    """Measure, and print one object."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    for name, default in (("sample", 100), ("clients", 50), ("requests", 3000), ("seed", 1),
                          ("threads", 2), ("paints", 0)):  # fmt: skip
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--out", type=Path, help="also write it to this file")
    given = parser.parse_args()
    game = gw.load_game()
    found: dict[str, Any] = {"machine": machine(), "load_before": os.getloadavg()}
    with served(given.threads) as (address, pid):
        client = Client(address, "bench")
        if given.sample:
            found["page"] = page(client)
            found["advice"] = advice(client, game, pid, given.sample, given.seed)
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
    text = json.dumps(found, indent=1) + "\n"
    print(text)
    if given.out is not None:
        given.out.write_text(text)


if __name__ == "__main__":
    main()
