"""Openers one after another, a game, and a count of states. Erkin, "Solving Wordle", 2022."""

from __future__ import annotations

import numpy as np

from gpu_wordle.experiments.reproduce.bench import Bench
from gpu_wordle.experiments.reproduce.item import (
    Item,
    Line,
    Reproduced,
    Source,
    figure,
    found,
    words,
)
from gpu_wordle.strategies.strategy import Choice, Pool, Ties

ROUNDS = (
    ("common characters", "answers", ("ALERT ALTER LATER", "SCION SONIC", "PUDGY")),
    ("common characters", "all guesses", ("OATER ORATE ROATE", "LYSIN", "CHUMP")),
    ("right places", "answers", ("SLATE", "CRONY", "BUILD")),
    ("right places", "all guesses", ("SLATE", "CRONY", "BUILD")),
)


def rounds(bench: Bench) -> Reproduced:
    """The best openers of three rounds in which letters count once."""
    answers = bench.original.words.guess_of_answer
    everything = np.arange(bench.original.guess_count, dtype=np.int32)
    drawn = {"answers": answers, "all guesses": everything}
    score = {
        "common characters": bench.letters.by_place(bench.letters.common),
        "right places": bench.letters.by_place(bench.letters.greens),
    }
    lines: list[Line] = []
    for rule, pool, printed in ROUNDS:
        best = bench.letters.successive_best(score[rule], drawn[pool], len(printed))
        for number, (theirs, tied) in enumerate(zip(printed, best, strict=True), start=1):
            mine = " ".join(sorted(bench.original.spell(tied))).upper()
            why = ""
            if pool == "all guesses" and rule == "right places":
                why = (
                    "The source says that all guesses give what the answers give; "
                    "SAREE has 1,575 letters in place, SLATE 1,437."
                )
            lines.append(words(f"{rule}, {pool}, round {number}", theirs, mine, why))
    return Reproduced(lines)


def one_game(bench: Bench) -> Reproduced:
    """ALERT, FIERY, QUERY: common characters over the answers that are left."""
    choice = Choice(Pool.CANDIDATES, survivors=1, ties=Ties.WORDS)
    made = bench.line("refine", "alert", "query", choice)
    return Reproduced([words("the game for QUERY", "ALERT FIERY QUERY", made)])


def states(bench: Bench) -> Reproduced:
    """States of a guess and its colours, as learning tells them apart."""
    answers = bench.original.words.guess_of_answer
    patterns = np.asarray(bench.original.patterns.values[:, answers])
    occurring = sum(len(np.unique(patterns[:, g])) for g in range(len(answers)))
    lines = [
        figure(
            "states of a last guess and its colours", "2,048,000",
            len(answers) * bench.original.patterns.pattern_count,
            explanation="The source has 2,000 answers and four colours; there are 2,315 and three.",
        ),
        found("of which can occur", f"{occurring:,}"),
    ]  # fmt: skip
    return Reproduced(lines)


ITEMS = (
    Item(Source.SOLVING_WORDLE, "rounds", "Openers one after another", rounds),
    Item(Source.SOLVING_WORDLE, "game", "The game of January 10th, 2022", one_game),
    Item(Source.SOLVING_WORDLE, "states", "States of a table to learn", states),
)
