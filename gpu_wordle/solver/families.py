"""Families: answers that are alike, and lose every state in which they are together.

Words that share a letter in one place are hard to tell apart, those like _I__S, say. Whatever wins
a state wins each part of it: a family that cannot be won loses the state, however many other
answers there are. A search of the state would meet it again and again, each time in other company.
Asked about alone, it is settled once. A family that can be won is mostly seen to be so at once.
Which families are asked about is a guess, and costs no more than time.
"""

from __future__ import annotations

from collections import defaultdict

import numpy as np

from gpu_wordle.game.game import Game, State
from gpu_wordle.tunables import MAX_FAMILIES, MIN_FAMILIAL


def suspects(game: Game, state: State) -> list[State]:
    """What is asked about in the place of a state: its families if it is large, else itself."""
    return [state] if len(state) < MIN_FAMILIAL else families(game, state)


def families(game: Game, state: State) -> list[State]:
    """The largest sets of answers, but not the whole state, with the same letter in one place."""
    alike: dict[tuple[int, str], list[int]] = defaultdict(list)
    for answer in state.tolist():
        for place, letter in enumerate(game.words.answers.words[answer]):
            alike[place, letter].append(answer)
    fewer = [family for family in alike.values() if len(family) < len(state)]
    largest = sorted(fewer, key=len, reverse=True)[:MAX_FAMILIES]
    return [np.array(family, state.dtype) for family in largest]
