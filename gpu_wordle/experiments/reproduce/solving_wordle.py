"""Erkin, "Solving Wordle", 2022: openers one after another, a game, and a count of states."""

from __future__ import annotations

import numpy as np

from gpu_wordle.experiments.reproduce.bench import Bench
from gpu_wordle.experiments.reproduce.item import Line, Printed, Reproduced, beside, figure, item
from gpu_wordle.strategies.last_turns import LastTurns
from gpu_wordle.strategies.strategy import Choice, Pool, Ties


@item("solving-wordle/rounds")
def rounds(bench: Bench, printed: Printed) -> Reproduced:
    """Reproduce the best openers of three rounds in which letters count once."""
    letters = bench.letters
    drawn = {
        "answers": bench.original.words.guess_of_answer,
        "all guesses": np.arange(bench.original.guess_count, dtype=np.int32),
    }
    counted = {"common characters": letters.common, "right places": letters.greens}
    lines: list[Line] = []
    for rule, pool, *theirs in printed["rounds"]:
        best = letters.successive_best(letters.by_place(counted[rule]), drawn[pool], len(theirs))
        why = printed["saree"] if (rule, pool) == ("right places", "all guesses") else ""
        for number, (words_there, tied) in enumerate(zip(theirs, best, strict=True), start=1):
            mine = " ".join(sorted(bench.original.spell(tied))).upper()
            lines.append(figure(f"{rule}, {pool}, round {number}", words_there, mine, why))
    return Reproduced(lines)


@item("solving-wordle/game")
def one_game(bench: Bench, printed: Printed) -> Reproduced:
    """Reproduce ALERT, FIERY, QUERY: common characters over the answers left."""
    choice = Choice(Pool.CANDIDATES, survivors=1, ties=Ties.WORDS)
    return Reproduced(beside(printed, bench.line("refine", "alert", "query", choice)))


@item("solving-wordle/states")
def states_of_turns(bench: Bench, printed: Printed) -> Reproduced:
    """Reproduce the states of a guess and its colours, which learning distinguishes."""
    states = LastTurns("learning", bench.original)
    return Reproduced(beside(printed, states.count - 1, f"{states.occurring:,}"))
