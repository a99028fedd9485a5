"""Hayes, "Words for the Wordle-Weary", 2022: pairs of letters, a rule that it names and leaves."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.experiments.reproduce.bench import (
    WITHOUT_PAIRS,
    Bench,
    answers_only,
    mean,
    start_of,
)
from gpu_wordle.experiments.reproduce.item import Printed, Reproduced, beside, item
from gpu_wordle.experiments.simulate import Simulated, simulate
from gpu_wordle.game.game import Game
from gpu_wordle.strategies.strategy import Greedy, Pool


@item("wordle-weary/bigrams")
def bigrams(bench: Bench, printed: Printed) -> Reproduced:
    """Play the answer left whose pairs of neighbouring letters are the most frequent."""
    naive, true, anywhere = (
        games_by_pairs(answers_only(bench.original, is_naive=is_naive), bench, is_placed=is_placed)
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
