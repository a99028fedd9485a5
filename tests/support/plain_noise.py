"""The whole experiment in plain Python, one run and one level at a time.

The package computes the same for all runs and levels at once. It also skips guesses that split
a state like another guess, and guesses that a bound refutes. That changes no result.
"""

from __future__ import annotations

from dataclasses import dataclass

from gpu_wordle.experiments.noise.machine.draws import draw
from gpu_wordle.experiments.noise.model import NoiseModel, Per, Small
from gpu_wordle.experiments.noise.searcher import Node, Searcher
from gpu_wordle.game.game import Position
from gpu_wordle.game.values import INFEASIBLE

Value = tuple[int, int]
"""The true total A of a policy, and the sum B of its draws, each times its weight."""


@dataclass(frozen=True, eq=False)
class PlainNoise:
    """One run at one level, ``alpha`` and ``beta``; see Lanes.

    ``searcher`` gives the children of a guess, and values leaves by the exact search.
    """

    searcher: Searcher
    model: NoiseModel
    run: int
    alpha: int
    beta: int

    def best(self, node: Node) -> tuple[int, Value, int] | None:
        """Return perturbed value, its two sums, and the guess; None if the node is not winnable.

        Of equal guesses the candidates come first, then the first of the list.
        """
        game = self.searcher.game
        position = Position.of_answers(game, node.answers, node.made, revealed=node.revealed)
        found = []
        for guess in range(game.guess_count):
            if position.choices[guess]:
                sums = self._of_guess(node, guess)
                if sums is not None:
                    perturbed = self.alpha * sums[0] + self.beta * sums[1]
                    is_candidate = self.searcher.is_found_by(node, guess)
                    found.append((perturbed, not is_candidate, guess, sums))
        if not found:
            return None
        perturbed, _, guess, sums = min(found)
        return perturbed, sums, guess

    def _of_guess(self, node: Node, guess: int) -> Value | None:
        """Return the two sums of the best policy that begins with a guess."""
        total, drawn = len(node.answers), 0
        for after in self.searcher.after(node, guess):
            if after.made < self.model.depth:
                best = self.best(after)
                below = None if best is None else best[1]
            else:
                below = self._leaf(after)
            if below is None:
                return None
            total, drawn = total + below[0], drawn + below[1]
        return total, drawn

    def _leaf(self, node: Node) -> Value | None:
        """Return the value of a leaf, and its perturbation at a level of 100 %."""
        solver, model = self.searcher.solver, self.model
        if model.guesses_left(solver.game.objective.max_guesses, node.made) < 1:
            return None
        position = Position.of_answers(solver.game, node.answers, node.made, revealed=node.revealed)
        value = solver.solve(position).lower
        if value >= INFEASIBLE:
            return None
        weight = self._weight(len(node.answers), value)
        return value, weight * draw(node.path, model.seed, self.run, model.noise)

    def _weight(self, size: int, value: int) -> int:
        """Return the perturbation of a state by a draw of 1 at a level of 100 %, in guesses."""
        if size <= {Small.NOISY: 0, Small.SINGLES_EXACT: 1, Small.EXACT: 2}[self.model.small]:
            return 0
        return {Per.VALUE: value, Per.ANSWER: size, Per.STATE: 1}[self.model.per]
