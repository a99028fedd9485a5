"""Search openers of the original game with the emulated kernels, and check the published totals.

    python scripts/gpu/emulated.py [--openers 12] [--threads 32] [--seconds 3000]

The batched search runs on the shipped kernels, compiled as C++ for the emulator of the tests. So
each total comes from the code that a device would run, and is compared with the published one. The
openers are spread evenly over all ranks; one takes minutes of a core. ``--threads`` are those of a
block. Needs g++.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from gpu_wordle import store
from gpu_wordle.backends import load_game
from gpu_wordle.backends.cuda import backend, device, lists
from gpu_wordle.solver import BatchedPool, TranspositionTable
from scripts import ROOT
from scripts.bench import common
from support.host_cupy import HostCupy

TABLE_BYTES = 1 << 26


def main() -> int:
    """Search and compare; 1 if a total differs."""
    options = common.options(__doc__, openers=12, threads=32, seconds=3000.0)
    game = load_game()
    openers = store.read_openers(store.load(ROOT / "results" / "openers-original-normal.h5"))
    places = np.linspace(0, game.guess_count - 1, options.openers).astype(int)
    chosen = openers.order()[places].tolist()
    wrong = done = 0
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        host = HostCupy(Path(folder))
        device.probe = lambda: (host, None)  # type: ignore[assignment]
        lists.address_of = host.address_of
        frontier = backend.CudaBackend(options.threads).open_frontier(game)
        for place, guess in zip(places.tolist(), chosen, strict=True):
            if time.monotonic() - started > options.seconds:
                break
            worked = time.process_time()
            with BatchedPool(game, frontier, 1, TranspositionTable(TABLE_BYTES)) as pool:
                ((_, result),) = pool.solve_guesses(game.start(), [guess])
            published = int(openers.lower[guess])
            seconds = time.process_time() - worked
            word = game.words.guesses.words[guess]
            told = f"rank {place + 1:,}: {word} {result.lower}, published {published}"
            print(f"{told}, {seconds:.0f} s of processor time", flush=True)
            wrong += result.lower != published
            done += 1
    print(f"{done} openers, {wrong} differ")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
