"""Three and four guesses fixed in advance: the best pairs, extended guess by guess.

That is a greedy search with a beam: of the openings of each length the best few are extended by
every guess. What it finds is one thing, what would be best another. How many parts the best opening
makes is known to lie between what was found and the number of answers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from gpu_wordle.backends.protocol import JointCounter
from gpu_wordle.experiments.pairs.survey import Measure, in_order
from gpu_wordle.game.game import Game
from gpu_wordle.solver import Stop
from gpu_wordle.states.joint import joint_labels

Guesses = tuple[int, ...]


def extend(
    game: Game,
    openings: Sequence[Guesses],
    counter: JointCounter,
    measure: Measure,
    beam: int,
    first: int | None = None,
    heard: Callable[[int], None] = lambda done: None,
    stop: Stop | None = None,
) -> list[Guesses]:
    """The best ``beam`` openings that are one of ``openings`` and one guess more, best first.

    Each set of guesses comes once, in the order in which it costs least, ``first`` before all
    others if it is given. Of equal ones the lower guesses come first. ``heard`` is told how many
    openings are extended. After a ``stop`` there are none.
    """
    found: dict[Guesses, int] = {}
    for done, opening in enumerate(openings, start=1):
        if stop is not None and stop.is_set():
            return []
        labels = joint_labels(game.patterns, opening)
        values = counter.entropy(labels) if measure is Measure.ENTROPY else -counter.parts(labels)
        row = values[0]
        is_new = ~np.isin(counter.guesses, opening)
        order = np.flatnonzero(is_new)[np.argsort(row[is_new], kind="stable")][:beam]
        for column in order.tolist():
            longer = in_order(game, (*opening, int(counter.guesses[column])), first)
            found[longer] = int(row[column])
        heard(done)
    return sorted(found, key=lambda guesses: (found[guesses], guesses))[:beam]
