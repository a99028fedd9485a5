"""The job of judging one guess: its value beside the best, its groups, and its equals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, TypedDict

import numpy as np

from gpu_wordle.api import pools
from gpu_wordle.api.files import published_openers
from gpu_wordle.api.session import Session
from gpu_wordle.experiments.suggest import RootBounds, search
from gpu_wordle.game.game import Position
from gpu_wordle.game.objective import Aim
from gpu_wordle.game.values import INFEASIBLE
from gpu_wordle.ranking.stop_token import StopToken
from gpu_wordle.report import keys
from gpu_wordle.report.figures import Figures
from gpu_wordle.report.keys import Key, schema
from gpu_wordle.tunables import SOLVE_TABLE_MIB

NEED_A_WIN = (Aim.MEAN, Aim.MEAN_WORST, Aim.WORST, Aim.COST)
"""Objectives under which a guess has a value if and only if it is a guaranteed win."""

DECIMALS = 12
"""Decimals of differences; further ones are errors of rounding."""


@schema
class JudgedRow(keys.Figures):
    """A guess that is judged."""

    guess: keys.Guess
    exact: keys.Exact
    optimal: keys.Optimal
    infeasible: keys.Infeasible
    lower: keys.Lower
    upper: keys.Upper
    guaranteed: keys.Guaranteed
    parts: keys.Parts
    max_part: keys.MaxPart
    loses: Annotated[
        dict[str, Any] | None,
        Key("the first figure in which it differs from the best guess, and by how much"),
    ]


@schema
class JudgedFacts(TypedDict):
    """The guesses that a judged guess is compared with."""

    best_guesses: Annotated[
        list[str] | None,
        Key("all best guesses, common words first; null if the time was too short to find all"),
    ]
    best_candidates: Annotated[
        int | None, Key("number of the best guesses, the first ones, that can be the answer")
    ]


@dataclass(frozen=True, eq=False)
class Judged:
    """A judged guess.

    Attributes:
        guess: the guess.
        found: bounds on the values of all guesses.
        sizes: int64[P], the sizes of its groups.
    """

    guess: int
    found: RootBounds
    sizes: np.ndarray[Any, np.dtype[np.int64]]

    @property
    def guaranteed(self) -> bool | None:
        """Whether it is a guaranteed win, as far as its value tells; None if that is unknown."""
        if self.found.position.game.objective.aim not in NEED_A_WIN:
            return None
        if self.found.upper[self.guess] < INFEASIBLE:
            return True
        return False if self._is_infeasible else None

    @property
    def best(self) -> list[int] | None:
        """All best guesses, common words first; None if they are not known."""
        found = self.found
        is_by_worst = found.position.game.objective.aim is Aim.MEAN_WORST
        if found.value is None or found.open_count or is_by_worst:
            return None
        return [] if found.value >= INFEASIBLE else common_first(found.position, found.reaching)

    def facts(self) -> dict[str, Any]:
        """The guesses that it is compared with; None for unknown ones."""
        game, best = self.found.position.game, self.best
        if best is None:
            return {"best_guesses": None, "best_candidates": None}
        answers = game.words.answer_of_guess[best]
        return {
            "best_guesses": game.spell(best),
            "best_candidates": int(np.isin(answers, self.found.position.state).sum()),
        }

    def describe(self) -> dict[str, Any]:
        """The row of the guess; None for unknown figures."""
        found, guess = self.found, self.guess
        figures = Figures.of(found.position.game, found.position)
        lower, upper = int(found.lower[guess]), int(found.upper[guess])
        named: dict[str, Any] = dict.fromkeys(figures.names)
        if found.is_exact[guess] and lower < INFEASIBLE:
            named |= figures.named(lower)
        return {
            "guess": found.position.game.spell([guess])[0],
            **named,
            "exact": bool(found.is_exact[guess]) or self._is_infeasible,
            "optimal": found.is_optimal(guess),
            "infeasible": self._is_infeasible,
            "lower": None if lower >= INFEASIBLE else lower,
            "upper": None if upper >= INFEASIBLE else upper,
            "guaranteed": self.guaranteed,
            "parts": len(self.sizes),
            "max_part": int(self.sizes.max()),
            "loses": self._loses(figures, named),
        }

    @property
    def _is_infeasible(self) -> bool:
        return int(self.found.lower[self.guess]) >= INFEASIBLE

    def _loses(self, figures: Figures, named: dict[str, Any]) -> dict[str, Any] | None:
        """The first figure in which it differs from the best guess; None if unknown."""
        best = self.found.value
        if best is None or best >= INFEASIBLE or named[figures.names[0]] is None:
            return None
        least = figures.named(best)
        for name in figures.names:
            shown = {"total": "mean", "cost": "mean_cost"}.get(name, name)
            if named[name] != least[name]:
                own, other = named[shown], least[shown]
                return {shown: None if None in (own, other) else round(abs(own - other), DECIMALS)}
        return {}


def common_first(position: Position, guesses: tuple[int, ...]) -> list[int]:
    """Guesses by how common their words are: possible answers, other answers, then the rest.

    Answers are ordered by their weights, and words that are alike in all this as in their list.
    """
    words, weigh = position.game.words, position.game.objective.weights_of
    left = set(position.state.tolist())

    def rank(guess: int) -> tuple[bool, bool, int, int]:
        answer = int(words.answer_of_guess[guess])
        weight = 0 if answer < 0 else int(weigh(np.array([answer], position.state.dtype))[0])
        return answer not in left, answer < 0, -weight, guess

    return sorted(guesses, key=rank)


def judge(session: Session, guess: int, stop_token: StopToken) -> Judged:
    """Find the exact value of a guess, and all best guesses; bounds where time is too short.

    Raises UserError for a guess that the rule forbids.
    """
    position = session.position
    position.check_legal(guess)
    known = published_openers(session.game) if position.is_start else None
    pool = pools.batched_pool(session, int(position.choices.sum()), SOLVE_TABLE_MIB)
    with pool:
        found = search(pool, position, 1, stop_token, [guess], known, with_ties=True)
    counts = session.evaluator.spectrum(position.state, guess)
    return Judged(guess, found, counts[counts > 0])
