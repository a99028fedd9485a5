"""The job of suggesting next guesses: by their exact values, or by any statistic."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.api import pools
from gpu_wordle.api.files import published_openers
from gpu_wordle.api.jobs import RankingWork
from gpu_wordle.api.session import Session
from gpu_wordle.errors import UserError
from gpu_wordle.experiments.suggest import Heard, Suggestions, bound_above, search
from gpu_wordle.game.objective import Aim
from gpu_wordle.ranking.ending import Ending
from gpu_wordle.ranking.solving import replayed
from gpu_wordle.ranking.statistics import ALIASES, BY_KEY, order_by
from gpu_wordle.report.ranking import TOTAL
from gpu_wordle.tunables import SOLVE_TABLE_MIB

DEFAULT_TOP = 12
"""Guesses that are suggested."""


def criteria_of(text: str) -> list[str]:
    """The keys named in ``total,entropy,greens``; UserError for one that guesses do not have."""
    names = [name.strip().lower().replace("-", "_") for name in text.split(",")]
    keys = list(dict.fromkeys(ALIASES.get(name, name) for name in names))
    for name, key in zip(names, keys, strict=False):
        if key != TOTAL and key not in BY_KEY:
            raise UserError(
                f"nothing to suggest guesses by is called {name!r}; choose among "
                f"{', '.join((TOTAL, *BY_KEY))}"
            )
    return keys


def suggest(
    session: Session,
    criteria: Sequence[str],
    top: int,
    ending: Ending,
    heard: Heard = lambda found: None,
) -> tuple[Suggestions, RankingWork]:
    """The ``top`` best guesses, shared out evenly among the criteria; at least one by each.

    Values come from search, or at the start of a published game from its ranking. Under the mean
    equal guesses go by their worst case. What an early end leaves open is bounded from both sides.
    Also returns the statistics of all guesses.
    """
    work = RankingWork(session)
    position, share = session.position, max(1, top // len(criteria))
    legal = position.choices
    lists = {by: _by_statistic(work, by, legal, share) for by in criteria if by != TOTAL}
    wanted = list(dict.fromkeys(guess for guesses in lists.values() for guess in guesses))
    pool = pools.batched_pool(session, int(legal.sum()), SOLVE_TABLE_MIB)
    with pool:
        count = share if TOTAL in criteria else 1
        known = published_openers(session.game) if position.turns_made == 0 else None
        worst = None
        if session.game.objective.aim in (Aim.MEAN, Aim.MEAN_WORST):
            # a guess that leaves two answers together needs two more, of which one may fail
            worst = 1 + np.minimum(work.statistics["max_part"], 2)
            if len(position.state) == 1:
                worst[session.game.words.guess_of_answer[position.state]] = 1
        found = search(pool, position, count, ending, wanted, known, heard, worst)
        shown = list(dict.fromkeys([*wanted, *(found.best() if TOTAL in criteria else [])]))
        bound_above(found, session.evaluator, shown)
        lists = {by: lists.get(by) or found.best() for by in criteria}
        asked = [g for g in shown if found.is_exact[g] and g not in found.strategies]
        with ending.of(pool.stop):
            for guess, result in pool.solve_guesses(position, asked, tree=True):
                found.settle_strategy(guess, result)
    known_ones = [(g, found.strategies[g]) for g in shown if g in found.strategies]
    return Suggestions(found, lists, replayed(position, known_ones)), work


def _by_statistic(work: RankingWork, by: str, legal: NDArray[np.bool_], count: int) -> list[int]:
    """The first legal guesses by a statistic."""
    statistic = BY_KEY[by]
    if statistic.name not in work.statistics:
        raise UserError(f"--by {by} needs {statistic.needs}")
    order = order_by(statistic, work.statistics, work.candidates)
    return order[legal[order]][:count].tolist()
