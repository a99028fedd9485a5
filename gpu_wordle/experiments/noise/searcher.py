"""Searches on one thread: the best guess on a state, and its children, lane by lane.

The machine code of the searches is compiled before they begin, once on each machine.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.experiments.noise.machine.context import FIRST_RUN, NOISE, STOPPED, Context
from gpu_wordle.experiments.noise.machine.philox import draw_runs
from gpu_wordle.experiments.noise.model import MASK, Draws, NoiseModel, mixed
from gpu_wordle.game.game import Game, Position
from gpu_wordle.game.legality import Revealed
from gpu_wordle.game.rule import Rule
from gpu_wordle.jit.ahead import Show
from gpu_wordle.jit.functions import Need
from gpu_wordle.solver import Solver
from gpu_wordle.solver.ready import CONSTRAINED, UNCONSTRAINED, make_modules_ready
from gpu_wordle.states.batch import zobrist
from gpu_wordle.strategies.positions import StoppedError

_ROOM = "gpu_wordle.experiments.noise.machine"
FREE = (*UNCONSTRAINED, f"{_ROOM}.unconstrained")
BOUND = (*CONSTRAINED, f"{_ROOM}.constrained")
"""Modules with the machine code of the experiment, for each kind of rule; its own comes last."""

Chosen = NDArray[np.int32]
"""A guess in every lane, int32[L, R]; -1 for none."""


@dataclass(frozen=True, eq=False)
class Node:
    """A state of the experiment.

    Attributes:
        answers: int32[n], ascending.
        revealed: what feedback has revealed.
        path: key of the state, or of its path if visits have draws.
        made: guesses made.
    """

    answers: NDArray[np.int32]
    revealed: Revealed
    path: tuple[int, int]
    made: int

    @property
    def key(self) -> tuple[bytes, bytes, tuple[int, int], int]:
        """Its unique key."""
        return self.answers.tobytes(), self.revealed.tobytes(), self.path, self.made


@dataclass(eq=False)
class Searcher:
    """Finds the best guesses for one game, model and set of lanes, with the engine of a solver."""

    game: Game
    model: NoiseModel
    context: Context
    solver: Solver
    _chosen: dict[Any, Chosen] = field(default_factory=dict)

    def forget(self) -> None:
        """Forget the best guesses found so far."""
        self._chosen.clear()

    def root(self, position: Position) -> Node:
        """Return the node of a position at which paths begin, and draw for its answers."""
        state = position.state.astype(np.int32)
        if self.model.draws is Draws.STATE:
            self._draw_singles(state)
        revealed = position.revealed.astype(np.uint64)
        return Node(state, revealed, self._key_of(state), position.turns_made)

    def _draw_singles(self, answers: NDArray[np.int32]) -> None:
        """Draw for the states of one answer."""
        c, words = self.context, np.empty(4, np.uint64)
        for answer in answers.tolist():
            draw_runs.from_python(
                *c.zobrist[answer], self.model.seed, c.settings[FIRST_RUN], c.settings[NOISE],
                c.table, words, c.single[answer],
            )  # fmt: skip

    def best(self, node: Node, *, plays_on: bool = False) -> tuple[NDArray[np.int64], Chosen]:
        """Return perturbed values and best guesses of a node, in every lane.

        With ``plays_on`` the guess leads to leaves and must tell something, whatever was made
        before. Raises StoppedError if the search is stopped.
        """
        values = np.empty(self.context.alpha.shape, np.int64)
        chosen = np.empty(values.shape, np.int32)
        guesses = np.arange(self.game.guess_count, dtype=np.int32)
        table = guesses, self.context.patterns, node.answers
        path = tuple(map(np.uint64, node.path))
        head = self.context, node.answers, node.revealed, *path, node.made
        code = _machine_code(self.game)
        if plays_on or node.made + 1 >= self.model.depth:
            code.best_last(*head, plays_on, *table, values, chosen)
        else:
            code.best_inner(*head, *table, values, chosen)
        if self.context.settings[STOPPED]:
            raise StoppedError
        return values, chosen

    def chosen(self, node: Node, *, plays_on: bool = False) -> Chosen:
        """Return the best guesses of a node, which are remembered."""
        known = self._chosen.get(node.key)
        if known is None:
            known = self._chosen[node.key] = self.best(node, plays_on=plays_on)[1]
        return known

    def after(self, node: Node, guess: int) -> Iterator[Node]:
        """Yield the children of a node after a guess, by pattern, without ALL_GREEN."""
        game = self.game
        seen = game.patterns.values[node.answers, guess]
        for pattern in np.unique(seen).tolist():
            if pattern == game.patterns.all_green:
                continue
            answers = node.answers[seen == pattern]
            own = int(game.words.guess_of_answer[answers[0]])
            revealed = node.revealed | game.traits.revealed_by(game.rule, guess, own)
            path = self._key_of(answers)
            if self.model.draws is Draws.VISIT:
                path = path[0] ^ mixed(node.path[0]), path[1] ^ mixed(node.path[1])
            yield Node(answers, revealed, path, node.made + 1)

    def is_found_by(self, node: Node, guess: int) -> bool:
        """True if a guess is an answer of the state."""
        answer = self.game.words.answer_of_guess[guess]
        return bool((node.answers == answer).any())

    def _key_of(self, answers: NDArray[np.int32]) -> tuple[int, int]:
        word_0, word_1 = np.bitwise_xor.reduce(zobrist(self.game.answer_count)[answers], axis=0)
        return int(word_0) & MASK, int(word_1) & MASK


def make_ready(rule: Rule, show: Show | None = None) -> int:
    """Compile functions that the experiment needs and the cache lacks; return their number."""
    return make_modules_ready(_modules_for(rule), (Need.SEARCH,), show)


def _modules_for(rule: Rule) -> tuple[str, ...]:
    return BOUND if rule.is_constrained else FREE


def _machine_code(game: Game) -> Any:
    """Return the machine code for the rule of a game.

    It is compiled, or loaded, on the first call.
    """
    return import_module(_modules_for(game.rule)[-1]).NOISE_CODE
