"""Cores: few answers that cannot all be found with the guesses left.

Where a certificate says that some turns do not suffice, a state costs all or nothing. An opener is
refuted by one of its parts, and that part by few of its answers. They are the *core*. A core
refutes every opener that leaves its answers together (lemma 5 of docs/theory/certificates.md). So a
few hundred cores refute all openers.

With two guesses left, answers are a core if no guess separates all of them. With more guesses left,
each guess has to leave a core of one guess less together. So guess after guess is refuted by such a
smaller core. Of all smaller cores, those are joined that refute all guesses with the fewest
answers. Cores are like the nogoods of the search (solver/unconstrained/nogoods.py), but share no
code with them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.certify.bounds import StoppedError
from gpu_wordle.certify.raising import NotProvableError
from gpu_wordle.game.game import Game, State
from gpu_wordle.solver.memory.stop import Stop
from gpu_wordle.solver.query import parts_of

LEFT_COUNTED = 2
"""Guesses left with which one ply tells whether all answers can be found."""
FIRST_TRIED = 16
"""Answers that are first tested for a guess that separates them; then twice as many, and so on."""


@dataclass(frozen=True, eq=False)
class Core:
    """Answers that cannot all be found in time.

    Attributes:
        answers: the answers, ascending.
        left: the number of guesses left.
        keeping: bool[G], the guesses that leave these answers together.
    """

    answers: State
    left: int
    keeping: NDArray[np.bool_]


class Cores:
    """Finds cores of a game in which all guesses are always legal.

    Args:
        game: the game.
        stop: ends the work with StoppedError.
    """

    def __init__(self, game: Game, stop: Stop) -> None:
        self._game = game
        self._stop = stop
        self._patterns = game.patterns.values
        self._known: dict[int, list[Core]] = defaultdict(list)

    def refuting(
        self, openers: Sequence[int], left: int, advance: Callable[[int, int], None]
    ) -> list[Core]:
        """Return cores that refute all openers.

        Each opener leaves a core of ``left`` guesses together.

        The list also holds the smaller cores on which these rest, before them. Cores of two guesses
        need no proof beyond a count, but save a checker the search for them. Openers that make
        small parts come first, since their cores refute many others. Raises NotProvableError for an
        opener after which all answers can be found.
        """
        by_part = sorted(openers, key=lambda g: int(np.bincount(self._patterns[:, g]).max()))
        refuted = np.zeros(self._game.guess_count, np.bool_)
        found: list[Core] = []
        for done, opener in enumerate(by_part):
            advance(done, len(by_part))
            if refuted[opener]:
                continue
            core = self._kept_by(opener, self._game.root(), left)
            if core is None:
                raise NotProvableError
            found.append(core)
            refuted |= core.keeping
        levels = [_needed(found, np.array(openers))]
        for fewer in range(left - 1, LEFT_COUNTED - 1, -1):
            levels.append(self._inside(self._known[fewer], levels[-1]))
        return [core for level in reversed(levels) for core in level]

    def _inside(self, cores: Sequence[Core], others: Sequence[Core]) -> list[Core]:
        """Return the cores whose answers all lie in one of the others."""
        holds = _answers_of(others, self._game.answer_count)
        return [core for core in cores if holds[:, core.answers].all(axis=1).any()]

    def of(self, state: State, left: int) -> Core | None:
        """Return a core among some answers, or None if all can be found.

        ``left`` is two or more.
        """
        if self._stop.is_set():
            raise StoppedError
        return self._inseparable(state) if left == LEFT_COUNTED else self._joined(state, left)

    def _kept_by(self, guess: int, state: State, left: int) -> Core | None:
        """Return a core in a part that a guess leaves of a state, or None."""
        for part in sorted(parts_of(self._game, state, guess), key=len, reverse=True):
            core = self.of(part, left)
            if core is not None:
                return core
        return None

    def _joined(self, state: State, left: int) -> Core | None:
        """Return a core of a state or None, joined from smaller cores that refute all guesses."""
        is_here = np.zeros(self._game.answer_count, np.bool_)
        is_here[state] = True
        known = self._known[left - 1]
        mine = [core for core in known if is_here[core.answers].all()]
        refuted = np.zeros(self._game.guess_count, np.bool_)
        for core in mine:
            refuted |= core.keeping
        while not refuted.all():
            found = self._kept_by(int(refuted.argmin()), state, left - 1)
            if found is None:
                return None
            known.append(found)
            mine.append(found)
            refuted |= found.keeping
        return self._core(_few(mine, self._game.answer_count), left)

    def _inseparable(self, state: State) -> Core | None:
        """Return a core for two guesses left, or None. No answer can be left out of it."""
        tried, size = state[:FIRST_TRIED], FIRST_TRIED
        alike = self._alike(tried)
        while not alike.any(axis=0).all():
            if size >= len(state):
                return None
            size *= 2
            tried = state[:size]
            alike = self._alike(tried)
        kept = np.ones(len(tried), np.bool_)
        rows, pairs = self._patterns[tried], alike.sum(axis=0, dtype=np.int32)
        for i in np.argsort(alike.sum(axis=1, dtype=np.int64), kind="stable"):
            fewer = pairs - alike[i] - alike[i]
            if fewer.all():
                kept[i] = False
                pairs = fewer
                alike[kept] -= rows[kept] == rows[i]
        return self._core(tried[kept], LEFT_COUNTED)

    def _alike(self, answers: State) -> NDArray[np.uint16]:
        """Count for each answer and guess the other answers of the same pattern, uint16[n, G]."""
        rows = self._patterns[answers]
        alike = np.zeros(rows.shape, np.uint16)
        for i in range(1, len(answers)):
            same = rows[:i] == rows[i]
            alike[:i] += same
            alike[i] = same.sum(axis=0, dtype=np.uint16)
        return alike

    def _core(self, answers: State, left: int) -> Core:
        rows = self._patterns[answers]
        return Core(answers, left, (rows == rows[0]).all(axis=0))


def _answers_of(cores: Sequence[Core], answer_count: int) -> NDArray[np.bool_]:
    """Return which answers each core has, bool[n, A]."""
    holds = np.zeros((len(cores), answer_count), np.bool_)
    for row, core in zip(holds, cores, strict=True):
        row[core.answers] = True
    return holds


def _few(cores: Sequence[Core], answer_count: int) -> State:
    """Return the answers of few cores that refute all guesses. No core can be left out."""
    keeping = np.stack([core.keeping for core in cores])
    holds = _answers_of(cores, answer_count)
    chosen = np.zeros(answer_count, np.bool_)
    waiting = np.ones(keeping.shape[1], np.bool_)
    while waiting.any():
        refutes = keeping[:, waiting].sum(axis=1)
        best = int((refutes / (1 + (holds & ~chosen).sum(axis=1))).argmax())
        chosen |= holds[best]
        waiting &= ~keeping[best]
    is_inside = ~(holds & ~chosen).any(axis=1)
    times = keeping[is_inside].sum(axis=0)
    answers = np.flatnonzero(chosen)
    for a in answers[np.argsort(holds[:, answers].sum(axis=0), kind="stable")]:
        is_lost = is_inside & holds[:, a]
        without = times - keeping[is_lost].sum(axis=0)
        if without.all():
            chosen[a], times = False, without
            is_inside &= ~is_lost
    return np.flatnonzero(chosen).astype(np.uint16)


def _needed(cores: Sequence[Core], guesses: NDArray[np.integer]) -> list[Core]:
    """Return the cores that are needed to refute the guesses; the largest are dropped first."""
    times = np.sum([core.keeping[guesses] for core in cores], axis=0)
    kept = set(cores)
    for core in sorted(cores, key=lambda core: -len(core.answers)):
        without = times - core.keeping[guesses]
        if without.all():
            kept.remove(core)
            times = without
    return [core for core in cores if core in kept]
