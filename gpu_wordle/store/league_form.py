"""The form of files of leagues."""

from __future__ import annotations

import numpy as np

from gpu_wordle.experiments.splits import LEAGUE_SPLITS
from gpu_wordle.game.values import INFEASIBLE
from gpu_wordle.game.words import MAX_ANSWERS
from gpu_wordle.store.contents import Column

LEAGUE_ATTRIBUTES: dict[str, str | tuple[int, int]] = {
    "split": "|".join(LEAGUE_SPLITS),
    "seed": (0, 2**63 - 1),
    "games": (1, MAX_ANSWERS),
    "exact_total": (0, INFEASIBLE),
    "rules_version": (1, 2**31),
}

_SECRET, _GAME, _MOVE = ("secret",), ("player", "secret"), ("player", "secret", "move")

LEAGUE_COLUMNS = {
    "players": Column(np.str_, "name", "who plays", ("player",), least=1, most=2**17),
    "secrets": Column(
        np.int32, "index", "secrets in the order in which they are played", _SECRET, most="answer",
        take=lambda league: league.secrets.answer,
    ),
    "depth": Column(
        np.int16, "guesses", "turn on which the optimum finds the secret", _SECRET, least=1,
        most=np.iinfo(np.uint8).max, take=lambda league: league.secrets.depth,
    ),
    "population": Column(
        np.int32, "answers", "of the split in each stratum", ("stratum",), least=1, most="answer",
        take=lambda league: league.secrets.population,
    ),
    "strata": Column(
        np.int16, "index", "stratum of the secret, by its depth", _SECRET, most="stratum",
        take=lambda league: league.secrets.stratum,
    ),
    "status": Column(
        np.int8, "code", "0: waiting, 1: played, 2: scored", _GAME,
        codes={"waiting": 0, "played": 1, "scored": 2}, most=2,
    ),
    "guesses": Column(
        np.int32, "index", "guesses that took a turn; -1: none", _MOVE, -1, least=-1, most="guess"
    ),
    "refused": Column(
        np.int32, "guesses", "that took no turn", _GAME, most=np.iinfo(np.int32).max
    ),
    "contradictions": Column(
        np.int16, "guesses", "that disagree with the feedback before them", _GAME, most="move"
    ),
    "regret": Column(
        np.float64, "guesses", "value of the guess less that of the best; NaN: no turn, or waiting",
        _MOVE, most=INFEASIBLE, may_be_nan=True,
    ),
    "luck": Column(
        np.float64, "guesses", "values expected after guesses less real ones; NaN: waiting", _GAME,
        least=-INFEASIBLE, most=INFEASIBLE, may_be_nan=True,
    ),
}  # fmt: skip
