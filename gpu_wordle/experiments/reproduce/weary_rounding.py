"""Hayes, table 2 again: ties that rounding breaks.

The essay's program sums entropies in floating point; here entropy is a whole number, and ties are
ties.
"""

from __future__ import annotations

from gpu_wordle.experiments.reproduce.bench import AS_PRINTED, Bench, mean
from gpu_wordle.experiments.reproduce.item import (
    Item,
    Reproduced,
    Source,
    Verdict,
    figure,
    found,
)
from gpu_wordle.experiments.reproduce.rounding import rounded_entropy
from gpu_wordle.experiments.reproduce.weary_games import TABLE_2
from gpu_wordle.experiments.simulate import simulate


def full_games(bench: Bench) -> Reproduced:
    """Whole games by rounded entropy from the fifteen starts, and by exact entropy."""
    game = bench.ordered
    printed = TABLE_2["entropy"]
    words = [word.lower() for word, _ in printed]
    rounded = simulate(
        rounded_entropy(game), bench.start(game), list(map(game.words.guesses.find, words))
    )
    exact = bench.play("entropy", words, AS_PRINTED)
    lines = []
    as_exact = 0
    for (word, value), played, plain in zip(printed, rounded, exact, strict=True):
        comes_out = figure(word, value, mean(plain)).verdict is Verdict.SAME
        as_exact += comes_out
        why = "With exact entropies it comes out: here rounding goes another way."
        lines.append(figure(word, value, mean(played), explanation=why if comes_out else ""))
    same = sum(line.verdict is Verdict.SAME for line in lines)
    lines.append(
        found("means that come out", f"{same} of {len(lines)}",
              f"With exact entropies and the first of equal guesses: {as_exact}.")
    )  # fmt: skip
    return Reproduced(lines)


ITEMS = (
    Item(Source.WEARY, "table-2-rounded", "Whole games by entropy, ties broken by rounding",
         full_games, is_slow=True),
)  # fmt: skip
