"""Time two checkouts against each other, in turns.

    python scripts/bench/pairs.py OLD NEW [--turns 20]

OLD and NEW are folders of checkouts; both run in this environment. Each answers the same question
in turn, in a process of its own that has compiled everything before. Timings on a shared machine
vary by 20 % and more, so only the median of the ratios of neighbouring runs counts.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace

QUESTIONS = {  # questions, and the number of turns for each of the expensive ones
    "open salet": 4, "open docus": 3, "open brook": 1, "tree crane": 3, "tree trace": 3,
    "hard salet": 4, "hard crane": 4, "hard brook": 1, "guarantee dured": 1, "guarantee qajaq": 1,
}  # fmt: skip
TABLE_BYTES = 1 << 25


def answer() -> None:
    """Answer questions on stdin with the seconds that they take, in either version."""
    from gpu_wordle.backends import load_game
    from gpu_wordle.game.objective import Objective
    from gpu_wordle.game.rule import Rule
    from gpu_wordle.solver import TranspositionTable, open_solver

    game = load_game("original")
    hard = replace(game, rule=Rule.HARD)
    games = {"hard": hard, "guarantee": replace(hard, objective=Objective.to_win(6))}
    options = {"tree": {"tree": True}, "guarantee": {"tree": True, "least_worst": False}}
    solvers = {}
    for line in sys.stdin:
        kind, word = line.split()
        played = games.get(kind, game)
        solver = solvers.get(kind) or open_solver(played, TranspositionTable(TABLE_BYTES))
        solvers[kind] = solver
        solver.forget()
        guess = played.words.guesses.find(word)
        started = time.thread_time()
        solver.solve(played.start(), guess, **options.get(kind, {}))
        print(time.thread_time() - started, flush=True)


class Version:
    """A process that answers questions in one of the checkouts."""

    def __init__(self, folder: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, __file__, "--answer"],
            env={**os.environ, "PYTHONPATH": folder},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def ask(self, question: str) -> float:
        """Return the seconds that a question takes."""
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        print(question, file=stdin, flush=True)
        return float(stdout.readline())


def turns(old: Version, new: Version, question: str, number: int) -> Iterator[tuple[float, float]]:
    """Yield the seconds of both; they take turns at going first."""
    for turn in range(number):
        first, second = (new, old) if turn % 2 else (old, new)
        seconds = {first: first.ask(question), second: second.ask(question)}
        yield seconds[old], seconds[new]


def main() -> None:
    """Print a row for each question."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("--turns", type=int, default=16)
    arguments = parser.parse_args()
    old, new = Version(arguments.old), Version(arguments.new)
    print("| question | turns | older, s | newer, s | ratio | quartiles |")
    print("|---|---|---|---|---|---|")
    for question, times in QUESTIONS.items():
        list(turns(old, new, question, 1))
        pairs = list(turns(old, new, question, times * arguments.turns))
        ratios = [after / before for before, after in pairs]
        low, middle, high = statistics.quantiles(ratios, n=4)
        before, after = (statistics.median(column) for column in zip(*pairs, strict=True))
        print(
            f"| {question} | {len(pairs)} | {before:.4f} | {after:.4f} | {middle:.3f} "
            f"| {low:.3f} to {high:.3f} |",
            flush=True,
        )


if __name__ == "__main__":
    answer() if sys.argv[1:] == ["--answer"] else main()
