"""Filter the answers by a regular expression, and guess the most common letters among them.

Erkin, "Solving Wordle", 2022. The corrected expression matches exactly the answers left. The flawed
one matches others as well, or none.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.errors import UserError
from gpu_wordle.game.game import Game, Rule, Turn
from gpu_wordle.strategies.by_score import Letters
from gpu_wordle.strategies.expression import flawed_expression
from gpu_wordle.strategies.positions import Positions
from gpu_wordle.strategies.strategy import Choice, Greedy, Pool

FLAWED = "refine:flawed"


def refine(name: str, game: Game, choice: Choice) -> Greedy:
    """Make the rule that plays the answer left whose letters occur in most answers left.

    It does so even if only two are left.
    """
    letters = Letters(name, game)
    own = replace(choice, pool=Pool.CANDIDATES, survivors=1)
    return Greedy(name, letters.scores(lambda table: table.common), own)


class FlawedRefine:
    """The common-letters rule among untried answers that match the flawed expression.

    Ties go to the first answer. If no answer matches, the rule repeats its last guess, and never
    finds the answer.
    """

    name = FLAWED
    recalls_turns = True

    def __init__(self, game: Game) -> None:
        if game.rule is not Rule.NORMAL:
            raise UserError(
                f"{FLAWED} may guess what the {game.rule} rule forbids; choose refine, or leave "
                "--rule out"
            )
        self._game = game

    def choose(self, positions: Positions) -> NDArray[np.int32]:
        """Implements ``Strategy.choose``."""
        made = [[(int(g), int(p)) for g, p in turns] for turns in positions.turns]
        return np.array([self._best(turns) for turns in made], np.int32)

    def _best(self, turns: list[Turn]) -> int:
        words = self._game.words
        matches = re.compile(flawed_expression(words, turns)).fullmatch
        tried = {words.guesses.words[guess] for guess, _ in turns}
        refined = [w for w in words.answers.words if matches(w) and w not in tried]
        if not refined:
            return turns[-1][0]
        held = Counter(letter for word in refined for letter in set(word))
        best = max(refined, key=lambda word: sum(held[letter] for letter in set(word)))
        return words.guesses.index[best]
