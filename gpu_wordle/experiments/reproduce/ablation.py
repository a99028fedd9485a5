"""The effect of each optimisation of Bertsimas and Paskov, section 2.2, in guesses searched.

The search of this package does not work without its bounds and closed forms. So their Algorithm 2
is written here as printed, with a switch for each optimisation, and counts its work on small
positions. Values are sums of guesses rather than means, so that they are whole numbers.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from math import exp, log

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.experiments.reproduce.bench import Bench
from gpu_wordle.experiments.reproduce.item import Printed, Reproduced, Seen, beside, item

LAST_TURN = 5
"""Turns made when one of six guesses is left."""
LOST = 1 << 40
"""A value above any total: the state is not winnable."""
POSITIONS, ANSWERS, GUESSES = 12, 12, 40
"""Number of positions, answers of each, and guesses that are no answers."""
TURNS_MADE = (2, 3)

State = tuple[int, ...]


@dataclass(frozen=True)
class Switches:
    """The optimisations that are on, numbered as in the source."""

    last_turn: bool = True  # 1: a state with one guess left is valued by its size
    pairs: bool = True  # 2: and so is a state of two answers
    pruning: bool = True  # 4: a guess is skipped if a bound on it exceeds the best one
    candidates_first: bool = True  # 5: candidates are searched first


@dataclass(eq=False)
class PrintedAlgorithm:
    """Algorithm 2 over a table of patterns.

    Attributes:
        patterns: [A, G], the pattern of guess g when answer a is hidden; the first A guesses are
            the answers.
        switches: the optimisations that are on.
        guesses: the number of guesses searched so far.
        colourings: the number of entries of the table read for them.
    """

    patterns: NDArray[np.integer]
    switches: Switches = Switches()
    guesses: int = 0
    colourings: int = 0
    _memory: dict[tuple[int, State], int] = field(default_factory=dict)

    def value(self, turns: int, state: State) -> int:
        """Return the least total of a state after some turns; LOST if it is not winnable."""
        size = len(state)
        if turns == LAST_TURN + 1:
            return LOST
        if size == 1:
            return 1
        if self.switches.last_turn and turns == LAST_TURN:
            return LOST
        if self.switches.pairs and size == 2 and turns < LAST_TURN:
            return 3
        key = turns, state
        if key not in self._memory:
            self._memory[key] = self._least(turns, state)
        return self._memory[key]

    def _least(self, turns: int, state: State) -> int:
        """Return the least total over all guesses."""
        best = LOST
        for guess in self._order(state):
            parts = self._parts(state, guess)
            if len(parts) == 1 and len(parts[0]) == len(state):
                continue  # the guess tells nothing
            # One guess for each answer, and at least 2n - 1 more for a part of n answers.
            total = len(state) + sum(2 * len(part) - 1 for part in parts)
            for part in parts:
                if self.switches.pruning and total >= best:
                    break
                total += self.value(turns + 1, part) - (2 * len(part) - 1)
            best = min(best, total)
        return best

    def _order(self, state: State) -> Iterable[int]:
        if not self.switches.candidates_first:
            return reversed(range(self.patterns.shape[1]))
        others = (guess for guess in range(self.patterns.shape[1]) if guess not in state)
        return [*state, *others]

    def _parts(self, state: State, guess: int) -> list[State]:
        """Return the parts of a guess without the found answer, the largest first."""
        self.guesses += 1
        self.colourings += len(state)
        found: dict[int, list[int]] = defaultdict(list)
        for answer in state:
            if answer != guess:
                found[int(self.patterns[answer, guess])].append(answer)
        return sorted(map(tuple, found.values()), key=len, reverse=True)


def positions(bench: Bench) -> list[NDArray[np.integer]]:
    """Return pattern tables of small positions, each a part cut to ANSWERS answers.

    The parts are those of SALET and other openers. Guesses are drawn evenly from the list.
    """
    game, opener = bench.original, bench.guess("salet")
    result: list[NDArray[np.integer]] = []
    while len(result) < POSITIONS:
        column = np.asarray(game.patterns.values[:, opener])
        sizes = np.bincount(column, minlength=game.patterns.pattern_count)
        for pattern in np.flatnonzero((sizes >= ANSWERS) & (sizes < ANSWERS + 3))[:2].tolist():
            state = np.flatnonzero(column == pattern)[:ANSWERS]
            others = np.linspace(0, game.guess_count - 1, GUESSES).astype(int)
            guesses = [*game.words.guess_of_answer[state].tolist(), *others.tolist()]
            result.append(game.patterns.values[state][:, guesses])
        opener = (opener + 997) % game.guess_count
    return result[:POSITIONS]


def worth(tables: Sequence[NDArray[np.integer]], made: int, switches: Switches) -> float:
    """Return the geometric mean of searched guesses with switches, over those with all switches on.

    ``made`` is the number of turns made. Raises AssertionError if an optimisation changes a value.
    """
    ratios = []
    for table in tables:
        ours, theirs = PrintedAlgorithm(table), PrintedAlgorithm(table, switches)
        state = tuple(range(len(table)))
        if ours.value(made, state) != theirs.value(made, state):
            raise AssertionError("an optimisation changed a value")
        ratios.append(theirs.guesses / ours.guesses)
    return exp(sum(map(log, ratios)) / len(ratios))


@item("exact-solution/section-2-2")
def ablation(bench: Bench, printed: Printed) -> Reproduced:
    """Reproduce the factor of each optimisation, in searched guesses."""
    tables, on, scale = positions(bench), Switches(), printed["scale"]

    def factors(switches: Switches) -> str:
        return ", ".join(f"{worth(tables, made, switches):.1f}" for made in TURNS_MADE)

    alone = (Seen(factors(replace(on, **{name: False})), remark=scale) for name in vars(on))
    searched = [PrintedAlgorithm(table) for table in tables]
    for each in searched:
        each.value(TURNS_MADE[0], tuple(range(ANSWERS)))
    used = sum(each.colourings for each in searched) / sum(table.size for table in tables)
    none = factors(Switches(False, False, False, False))
    return Reproduced(beside(printed, *alone, none, Seen(f"{used:.1f}", remark=scale)))
