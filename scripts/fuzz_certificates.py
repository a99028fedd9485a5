"""Edit certificates of tiny games: checkers agree, and what they still accept is true.

    python scripts/fuzz_certificates.py [--seed S] [--edits N]

Every hundred edits take a fresh game: by turns one of any rule, prices, weights and feedback, and
one that the short checkers read. These accept nothing that the others refuse. Those in C stop at
the first error of memory or arithmetic. What is accepted is held against brute force: all claims,
and every entry of the ledger. The exit code is 1 if anything was found.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import random
import sys
import tempfile
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from support.certificate_edits import edited, falsehoods, some_game
from support.checkers import SANITIZERS, Checkers, compiled
from support.naive_certificates import random_game

EDITS_OF_A_GAME = 100


class Printed:
    """What is printed in the meantime, as pytest's ``capsys`` has it."""

    def readouterr(self) -> Printed:
        """What was printed since the last time, as ``out``."""
        self.out = sys.stdout.getvalue()
        sys.stdout.seek(0)
        sys.stdout.truncate()
        return self


def main() -> None:
    """Read the options, try, and say what came of it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--edits", type=int, default=5000)
    options = parser.parse_args()
    rng, outcomes = random.Random(options.seed), Counter()
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
        checkers = Checkers(compiled(Path(folder), *SANITIZERS))
        for number in range(options.edits):
            if number % EDITS_OF_A_GAME == 0:
                is_read = number // EDITS_OF_A_GAME % 2 == 1
                game = random_game(rng.randrange(1 << 30)) if is_read else some_game(rng)
                text = "".join(f"{line}\n" for line in game.certificate()).encode()
            changed = edited(text, rng)
            theorem = checkers.verdict(game, changed, Printed())
            if is_read and checkers.verdict_on_mean(game, changed, Printed()) is not None:
                outcomes["accepted by the short ones"] += 1
            if theorem is not None and falsehoods(changed, game):
                sys.stderr.write(changed.decode())
                sys.exit(f"edit {number}: accepted, but false: {falsehoods(changed, game)}")
            outcomes["accepted" if theorem else "refused"] += 1
    print(f"{options.edits} edits, seed {options.seed}: {dict(outcomes)}")


if __name__ == "__main__":
    main()
