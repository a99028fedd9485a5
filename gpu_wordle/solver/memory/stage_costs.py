"""The objective as the search sees it: what the next guesses cost, by the guesses that are left.

A strategy is charged guess by guess. Each guess costs every answer of a state its *marginal cost*,
whether it finds the answer or not: the price of the next turn less that of the turn before. Answers
that it does not find pay for the guess after it as well, and so on. The marginal cost with no guess
left is that of losing an answer. With the mean number of guesses every marginal cost is one.

So a state of weight W pays at least for three guesses:

- for the next guess, W times its marginal cost;
- for the second, W less the weight of the one answer that the next guess may find;
- for the third, the weight of the answers that are neither found next nor the heaviest of their
  part.

If the next guess makes m parts, at least n - m answers pay for the third one. They weigh no less
than the n - m lightest. (Answers of a state are held heaviest first.)

Where there is no third guess and no answer may be lost, a single such answer makes the guess
infeasible, whatever it weighs.
"""

from __future__ import annotations

from itertools import accumulate
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.game.game import Game
from gpu_wordle.game.values import INFEASIBLE, NO_LIMIT
from gpu_wordle.states.bounds import priced_guess_bound

LINEAR, WEIGHTED, MAY_LOSE, SHIFT = range(4)
"""Entries of StageCosts.terms: the guesses left from which on every further marginal cost is one,
NO_LIMIT if all are; whether answers have weights; whether they may be lost; by how many turns the
limit of the game is lowered."""

NO_THIRD = 2
"""Guesses left with which there is no third guess."""


class StageCosts(NamedTuple):
    """The costs of guesses, as arrays for the workspace of a search.

    Attributes:
        marginal_costs: int64[NO_LIMIT + 4], at ``guesses_left + 2`` what the next guess costs an
            answer of weight one.
        dearest: int64[NO_LIMIT + 4], at ``guesses_left`` what it costs to find such an answer with
            the last guess, or to lose it.
        weight: int64[A], weights of the answers; ones if they have none.
        terms: int64[4], see the names above.
    """

    marginal_costs: NDArray[np.int64]
    dearest: NDArray[np.int64]
    weight: NDArray[np.int64]
    terms: NDArray[np.int64]

    @classmethod
    def of(cls, game: Game) -> StageCosts:
        """The costs of the game's objective under its own guess limit."""
        weights = game.objective.weights
        weight = np.ones(game.answer_count, np.int64) if weights is None else weights.values
        costs = cls.empty(weight.astype(np.int64))
        costs.terms[WEIGHTED] = weights is not None
        costs.lower_limit(game, 0)
        return costs

    @classmethod
    def empty(cls, weight: NDArray[np.int64]) -> StageCosts:
        """The mean number of guesses, without a limit."""
        marginal_costs = np.ones(NO_LIMIT + 4, np.int64)
        return cls(
            marginal_costs,
            np.zeros_like(marginal_costs),
            weight,
            np.array([NO_LIMIT, 0, 0, 0], np.int64),
        )

    def lower_limit(self, game: Game, turns: int) -> None:
        """Set the marginal costs for ``turns`` turns fewer than the game has.

        Only after the last turn of the game may answers be lost, not after an earlier one.
        """
        self.terms[SHIFT] = turns
        self.terms[MAY_LOSE] = game.objective.allows_failure and turns == 0
        self.marginal_costs[:] = 1
        self.marginal_costs[:3] = 0  # a lost answer pays no more
        limit = game.objective.guesses_left
        self.terms[LINEAR] = NO_LIMIT
        if limit < NO_LIMIT:
            by_turn = np.array((0, *game.prices.by_turn[:limit]), np.int64)
            marginal_costs = np.diff(by_turn)[: limit - turns]
            self.marginal_costs[3 : 3 + len(marginal_costs)] = marginal_costs[::-1]
            if self.terms[MAY_LOSE]:
                self.marginal_costs[2] = game.prices.failure - by_turn[len(marginal_costs)]
            dear = np.flatnonzero(marginal_costs[::-1] != 1)
            if len(dear):
                self.terms[LINEAR] = dear[0]
        self.dearest[:-2] = np.cumsum(self.marginal_costs[2:])

    def is_linear(self, guesses_left: int) -> bool:
        """True if every guess costs one from here on, as without a limit."""
        return bool(guesses_left <= self.terms[LINEAR] or guesses_left >= NO_LIMIT)

    @property
    def is_plain(self) -> bool:
        """True if every guess costs one, whatever is left, and no answer may be lost."""
        return bool(self.terms[LINEAR] >= NO_LIMIT and not self.terms[MAY_LOSE])

    def is_lossy(self, state: NDArray[np.uint16], total: int, guesses_left: int) -> bool:
        """True if a value means that some answer is lost: it is above finding all of them late."""
        if not self.terms[MAY_LOSE]:
            return False
        latest = int(self.dearest[guesses_left] - self.marginal_costs[2])
        return total > int(self.weight[state].sum()) * latest

    def state_bound(self, state: NDArray[np.uint16], max_parts: int, guesses_left: int) -> int:
        """One-ply bound on a state of which no guess makes more than ``max_parts`` parts.

        Exact for two answers or less, and with one guess left.
        """
        n = len(state)
        late = max(n - max_parts, 0)
        if not self.terms[MAY_LOSE] and (
            guesses_left < min(n, 2) or (late > 0 and guesses_left <= NO_THIRD)
        ):
            return INFEASIBLE
        weight = np.sort(self.weight[state])
        total = int(weight.sum())
        soon = int(weight[late:].sum())
        return priced_guess_bound(total, int(weight[-1]), soon, self._next_prices(guesses_left))

    def guess_bounds(
        self,
        state: NDArray[np.uint16],
        parts: NDArray[np.int64],
        answer_of_guess: NDArray[np.int32],
        guesses_left: int,
    ) -> NDArray[np.int64]:
        """One-ply bounds on guesses that make ``parts`` parts of a state, int64[G]."""
        n = len(state)
        weight = np.sort(self.weight[state])
        of_answer = np.zeros(len(self.weight) + 1, np.int64)
        of_answer[state] = self.weight[state]
        own = of_answer[answer_of_guess]  # an answer of -1 is the last entry
        total = int(weight.sum())
        soon = total - np.concatenate(([0], np.cumsum(weight)))[n - parts]
        bound = priced_guess_bound(total, own, soon, self._next_prices(guesses_left))
        if guesses_left <= NO_THIRD and not self.terms[MAY_LOSE]:
            bound[parts < n] = INFEASIBLE
        return np.minimum(bound, INFEASIBLE)

    def _next_prices(self, guesses_left: int) -> list[int]:
        """What it costs to find an answer with the next guess, the one after, and the third."""
        return list(
            accumulate(int(self.marginal_costs[guesses_left + ahead]) for ahead in (2, 1, 0))
        )


def heaviest_first(
    state: NDArray[np.uint16], weight: NDArray[np.int64], terms: NDArray[np.int64]
) -> NDArray[np.uint16]:
    """The answers of a state in the order of the search: heaviest first."""
    return state[np.argsort(-weight[state], kind="stable")] if terms[WEIGHTED] else state
