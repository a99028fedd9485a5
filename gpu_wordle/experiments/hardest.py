"""Replays the longest games of a simulation, whose table keeps turns but no guesses."""

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
    """One of the longest games.

    Attributes:
        answer: index of the hidden answer.
        turn: turn on which it is found; NEVER if it is not.
        guesses: indices of the guesses, up to the one that finds it or the last.
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
    """The longest games of each row, those never solved first.

    Only states that contain their answers are played, which is far cheaper than all games.

    Args:
        simulations: the simulated games.
        rows: the rows whose games are wanted.
        strategies: the strategies, in the order of ``simulations.strategies``.
        start: a batch of one position, the start of the game.
        count: number of games of each row, at most one per answer.
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
