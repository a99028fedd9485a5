"""The longest games of a simulation, played again: a table keeps turns, and no guesses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gpu_wordle.experiments.compare import NO_GUESS, Pairs, play_pairs
from gpu_wordle.experiments.simulate import longest
from gpu_wordle.experiments.simulations import Simulations
from gpu_wordle.strategies.positions import Positions
from gpu_wordle.strategies.strategy import Strategy
from gpu_wordle.tunables import OPENERS_AT_A_TIME


@dataclass(frozen=True)
class HardGame:
    """A game that takes long.

    Attributes:
        answer: index of the hidden answer.
        turn: the turn on which it is found; NEVER if it is not.
        guesses: indices, up to the one that finds it, or to the last.
    """

    answer: int
    turn: int
    guesses: tuple[int, ...]


def hardest_games(
    simulations: Simulations,
    rows: Sequence[int],
    strategies: Sequence[Strategy],
    start: Positions,
    count: int,
) -> dict[int, list[HardGame]]:
    """The longest games of each row, those never found first, then the longest.

    Only the states in which these answers are get guesses. So they cost far less than all games.

    Args:
        simulations: what was played.
        rows: of which games are wanted.
        strategies: what played, in the order of ``simulations.strategies``.
        start: a batch of one position, the start of the game.
        count: games of each row, or all answers if they are fewer.
    """
    found: dict[int, list[HardGame]] = {row: [] for row in rows}
    if count == 0:
        return found
    for number, strategy in enumerate(strategies):
        own = [row for row in rows if simulations.strategy[row] == number]
        own.sort(key=lambda row: int(simulations.opener[row]))
        for begin in range(0, len(own), OPENERS_AT_A_TIME):
            some = own[begin : begin + OPENERS_AT_A_TIME]
            chosen = [longest(simulations.turns[row], count) for row in some]
            openers = np.repeat(simulations.opener[some], [len(answers) for answers in chosen])
            pairs = Pairs(openers, np.concatenate(chosen))
            played = iter(play_pairs(strategy, start, pairs))
            for row, answers in zip(some, chosen, strict=True):
                for answer in answers.tolist():
                    made = next(played)
                    guesses = tuple(made[made != NO_GUESS].tolist())
                    turn = int(simulations.turns[row, answer])
                    found[row].append(HardGame(answer, turn, guesses))
    return found
