"""Edit and forge certificates of tiny games: checkers agree, and what they still accept is true.

    python scripts/fuzz/certificates.py [--seed S] [--edits N] [--forgeries N]

Every hundred edits take a fresh game: by turns one of any rule, prices, weights and feedback, and
one that the short checkers read. Forgeries are made by rules, of a certificate of each kind, and
drawn from some 20,000. The short checkers accept nothing that the others refuse. Those in C stop at
the first error of memory or arithmetic. Those that count in 8 and in 16 bits refuse, or say the
same. What is accepted is held against brute force: all claims, and every entry of the ledger. The
exit code is 1 if anything was found.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import itertools
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests"))

from support.certificate_edits import edited, falsehoods, some_game
from support.certificate_forgeries import certificates, forged
from support.checkers import NARROW, SANITIZERS, Checkers, compiled
from support.naive_certificates import Certified, random_game

EDITS_OF_A_GAME = 100


class Printed:
    """What is printed in the meantime, as pytest's ``capsys`` has it."""

    def readouterr(self) -> Printed:
        """What was printed since the last time, as ``out``."""
        self.out = sys.stdout.getvalue()
        sys.stdout.seek(0)
        sys.stdout.truncate()
        return self


def edits(rng: random.Random) -> Iterator[tuple[str, Certified, bytes]]:
    """Random edits: what the game is, the game, and the file."""
    for turn in itertools.count():
        is_read = turn % 2 == 1
        game = random_game(rng.randrange(1 << 30)) if is_read else some_game(rng)
        text = "".join(f"{line}\n" for line in game.certificate()).encode()
        for _ in range(EDITS_OF_A_GAME):
            yield "edit of the mean" if is_read else "edit of any kind", game, edited(text, rng)


def forgeries(rng: random.Random, count: int) -> list[tuple[str, Certified, bytes]]:
    """Forgeries by rules, drawn from all of them: the rule, the game, and the file."""
    every = [each for _, game, lines in certificates() for each in forged(lines, game)]
    return rng.sample(every, min(count, len(every)))


def main() -> None:
    """Read the options, try, and say what came of it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--edits", type=int, default=5000)
    parser.add_argument("--forgeries", type=int, default=2000)
    options = parser.parse_args()
    rng, outcomes = random.Random(options.seed), Counter()
    tried = [*itertools.islice(edits(rng), options.edits), *forgeries(rng, options.forgeries)]
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
        checkers = Checkers(compiled(Path(folder), *SANITIZERS, narrow=NARROW))
        for kind, game, text in tried:
            try:
                theorem = checkers.verdict(game, text, Printed())
                wrong = falsehoods(text, game) if theorem else []
            except Exception:
                sys.stderr.write(f"{kind}, {game.guesses}, {game.answers}: {text[:9999]!r}\n")
                raise
            if wrong:
                sys.stderr.write(text.decode())
                sys.exit(f"{kind}: accepted, but false: {wrong}")
            outcomes[kind if kind.startswith("edit") else "forgery", bool(theorem)] += 1
    for (kind, is_accepted), count in sorted(outcomes.items()):
        print(f"{kind}: {count} {'accepted' if is_accepted else 'refused'}")


if __name__ == "__main__":
    main()
