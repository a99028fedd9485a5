"""Hayes, "Words for the Wordle-Weary", 2022: its notes, and a rule that it names and leaves.

The notes are on lists, heaps of cards and entropy. The rule counts pairs of letters.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import cache
from math import e, log2

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.backends.loading import build_patterns
from gpu_wordle.experiments.reproduce.bench import (
    TABLE_BYTES,
    WITHOUT_PAIRS,
    Bench,
    mean,
    start_of,
    yes_or_no,
)
from gpu_wordle.experiments.reproduce.item import Printed, Reproduced, Seen, beside, item
from gpu_wordle.experiments.simulate import Simulated, simulate
from gpu_wordle.game.game import Game
from gpu_wordle.game.words import load_words
from gpu_wordle.solver import SolverPool, TranspositionTable, prove
from gpu_wordle.strategies.strategy import Greedy, Pool

DECK = 64
"""Number of cards in the deck that is cut in two."""


@cache
def cuts(cards: int, heaps: int) -> Counter[int]:
    """Return how many of ``cards`` cards are found after each number of cuts.

    Each cut parts the cards into ``heaps`` heaps as evenly as possible, and one heap is kept.
    """
    if cards == 1:
        return Counter({0: 1})
    found: Counter[int] = Counter()
    for heap in range(heaps):
        size = (cards + heap) // heaps
        for count, some in cuts(size, heaps).items() if size else ():
            found[count + 1] += some
    return found


def information(part: float, whole: float) -> float:
    """Return the bits that a part adds to the entropy of a cut: p log2(1/p); 0 for no part."""
    return part / whole * log2(whole / part) if part else 0.0


@item("wordle-weary/note-1")
def lists_of_may(bench: Bench, printed: Printed) -> Reproduced:
    """Reproduce the changes of the word lists up to May 2022, and find the best opener then."""
    words, lists = bench.original.words, load_words("nyt-2022")
    known = {"answers": words.answers.index, "guesses": words.guesses.index}

    def all_in(role: str, named: str) -> str:
        return yes_or_no(all(word in known[role] for word in printed[named].lower().split()))

    game = Game(lists, build_patterns(lists, bench.backend))
    with SolverPool(game, 1, TranspositionTable(TABLE_BYTES)) as pool:
        proof = prove(pool, game.start())
    best = " ".join(game.spell(proof.best)).upper()
    lines = beside(
        printed,
        all_in("answers", "removed"),
        all_in("answers", "later"),
        all_in("answers", "sooner"),
        all_in("guesses", "not_replaced"),
        f"{game.answer_count:,} and {game.guess_count:,}",
        f"{best}, {proof.total:,}",
    )
    return Reproduced(lines)


@item("wordle-weary/figure-21")
def trees(bench: Bench, printed: Printed) -> Reproduced:
    """Reproduce trees of two and of four branches with the same leaves, and cuts of two decks."""
    two, four = cuts(16, 2), cuts(16, 4)
    whole = cuts(bench.original.answer_count, 2)
    (_, in_time), (late, in_the_end) = sorted(whole.items())
    needed = 2 * int(printed["early"]) + int(printed["late"])
    why = printed["too_many"].format(needed, 2**late)
    lines = beside(
        printed,
        *map(float, two),
        *map(float, four),
        max(two) * log2(2),
        max(four) * log2(4),
        *map(float, cuts(DECK, 2)),
        *map(float, cuts(DECK, 4)),
        log2(bench.original.answer_count),
        Seen(in_time, remark=why),
        Seen(in_the_end, remark=why),
    )
    return Reproduced(lines, None, {"leaves": 16, "branches": (2, 4)})


@item("wordle-weary/figure-22")
def uneven_cuts(bench: Bench, printed: Printed) -> Reproduced:
    """Reproduce the bits of each cut of a deck of cards in two."""
    left = np.array([information(n, DECK) for n in range(DECK + 1)])
    both = left + left[::-1]
    quarter = DECK // 4
    lines = beside(
        printed,
        int(both.argmax()),
        float(both.max()),
        log2(DECK / quarter),
        float(left[quarter]),
        f"{left[DECK - quarter]:.3f}",
        yes_or_no(bool(both[quarter] < both.max())),
    )
    return Reproduced(lines, None, {"left": left, "right": left[::-1], "both": both})


@item("wordle-weary/figure-23")
def curve(bench: Bench, printed: Printed) -> Reproduced:
    """Reproduce p log2(1/p), its peak, and what a first guess could tell at most."""
    probability = np.linspace(0, 1, 1001)
    bits = np.array([information(p, 1) for p in probability])
    patterns, answers = bench.original.patterns.pattern_count, bench.original.answer_count
    best = float(np.max(bench.statistics["entropy"]))
    lines = beside(
        printed,
        f"{probability[bits.argmax()]:.3f}, 1/e is {1 / e:.3f}",
        f"{information(1, e):.3f}",
        answers / patterns,
        log2(patterns),
        yes_or_no(best >= 6),
    )
    return Reproduced(lines, None, {"probability": probability, "bits": bits})


@item("wordle-weary/bigrams")
def bigrams(bench: Bench, printed: Printed) -> Reproduced:
    """Play the answer left whose pairs of neighbouring letters are the most frequent."""
    naive, true, anywhere = (
        games_by_pairs(bench.answers_only(is_naive=is_naive), bench, is_placed=is_placed)
        for is_naive, is_placed in ((True, True), (False, True), (False, False))
    )
    lines = beside(
        printed,
        start_of(true),
        f"{mean(naive):.3f}",
        f"{naive.lost.sum()}",
        f"{mean(true):.3f}",
        f"{true.lost.sum()}",
        f"{start_of(anywhere)}, {mean(anywhere):.3f}, {anywhere.lost.sum()}",
    )
    drawn = {"naive umpire": naive.distribution, "true umpire": true.distribution}
    return Reproduced(lines, None, drawn)


def games_by_pairs(game: Game, bench: Bench, *, is_placed: bool) -> Simulated:
    """Return all games by pairs of letters, counted in their places or in any."""
    scores = pair_frequency(game.words.answers.codes, is_placed=is_placed)
    choice = replace(WITHOUT_PAIRS, pool=Pool.CANDIDATES)
    rule = Greedy("bigrams", lambda some: np.broadcast_to(scores, (len(some), len(scores))), choice)
    (played,) = simulate(rule, bench.start(game), [None])
    return played


def pair_frequency(codes: NDArray[np.uint32], *, is_placed: bool) -> NDArray[np.int64]:
    """Return for each word the sum, over its neighbouring letters, of the words with that pair.

    ``codes`` is [N, L], the letters of the words. A word counts once for each place of the pair;
    with ``is_placed``, only for the same place.
    """
    pairs = codes[:, :-1].astype(np.int64) << 32 | codes[:, 1:]
    columns = pairs.T if is_placed else pairs.reshape(1, -1)
    counted = []
    for column in columns:
        _, kind, count = np.unique(column, return_inverse=True, return_counts=True)
        counted.append(count[kind])
    table = np.stack(counted)
    result: NDArray[np.int64] = np.sum(table.T.reshape(pairs.shape), axis=1)
    return result
