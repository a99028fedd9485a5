"""Replays a certificate of the mean. A backend does most of the work.

A guess on n answers costs at least 3n, less its number of parts, less 1 if it is a candidate. These
are lemmas 1 and 3 of docs/theory/certificates.md. So partition statistics of all guesses on all
states of the ledger refute most guesses. The others are split. Their parts are looked up in the
ledger (lemma 5), and only then bounded by one ply (lemma 4). The largest parts come first, those of
many guesses together.

Nothing here searches, and no result of a search is trusted. States of the ledger are identified by
their answers. But equal parts of guesses are merged by keys of 128 bits, as in backends, and the
matrix is the program's own. The checkers in certificates/ rely on neither.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.backends import Backend
from gpu_wordle.backends.protocol import Children
from gpu_wordle.certify.reading import Stated
from gpu_wordle.game.game import Game, State
from gpu_wordle.states.batch import StateBatch
from gpu_wordle.verify import VerificationError

STATES_TOGETHER = 64
"""Entries whose statistics are held in memory at once, about 17 bytes for each guess."""
PAIRS_TOGETHER = 2048
"""Guesses on states that are split together."""
MIN_OPEN = 3
"""Answers of the smallest state whose bound by size may be too low."""


def replay(
    game: Game,
    stated: Stated,
    backend: Backend,
    advance: Callable[[int, int], None] = lambda done, total: None,
) -> None:
    """Check a certificate; raises VerificationError if it does not hold.

    Calls ``advance`` with the number of proved entries and the number of all, counting the start.
    """
    cost = _cost_of(game, stated)
    if cost != stated.bound:
        raise VerificationError(f"the strategy takes {cost:,} guesses, not {stated.bound:,}")
    _Replay(game, stated, backend).run(advance)


def _cost_of(game: Game, stated: Stated) -> int:
    """Return what the strategy costs (lemma 6)."""
    spelled, answer_of = game.words.guesses.words, game.words.answer_of_guess
    following: dict[tuple[int, ...], int] = {}
    for path in stated.paths:
        history: tuple[int, ...] = ()
        for guess in path:
            if following.setdefault(history, guess) != guess:
                raise VerificationError(
                    f"the strategy makes two guesses after the same feedback: {spelled[path[-1]]}"
                )
            pattern = int(game.patterns.values[answer_of[path[-1]], guess])
            history = (*history, guess, pattern)
        if path.index(path[-1]) != len(path) - 1:
            raise VerificationError(f"the strategy goes on after {spelled[path[-1]]} is found")
    if len({path[-1] for path in stated.paths}) != game.answer_count:
        raise VerificationError("the strategy has no line for some answer, and two for another")
    if following[()] != stated.opener:
        raise VerificationError("the strategy begins with another opener")
    return sum(map(len, stated.paths))


@dataclass
class _Row:
    """A guess on a state whose bound is still too low.

    Attributes:
        entry: the number of the entry with that state; the number of entries for the start.
        guess: the guess.
        missing: how much the bounds of its parts still have to rise.
        parts: the indices of its children of MIN_OPEN answers or more, the largest first.
    """

    entry: int
    guess: int
    missing: int
    parts: list[int]


class _Replay:
    """The state of a replay: entries proved so far, and bounds."""

    def __init__(self, game: Game, stated: Stated, backend: Backend) -> None:
        self._game = game
        self._stated = stated
        self._evaluator = backend.open(game)
        self._frontier = backend.open_frontier(game)
        self._states = [self._state(path) for _, path in stated.ledger]
        self._entries: dict[bytes, list[tuple[int, int]]] = defaultdict(list)
        for number, (state, (bound, _)) in enumerate(zip(self._states, stated.ledger, strict=True)):
            told = self._entries[state.tobytes()]
            if bound <= max([2 * len(state) - 1, *(before for _, before in told)]):
                raise VerificationError(f"{self._spelled(number)}: that tells nothing new")
            told.append((number, bound))
        self._one_ply: dict[bytes, int] = {}

    def run(self, advance: Callable[[int, int], None]) -> None:
        """Prove all entries, then the claims."""
        total = len(self._states)
        bounds = np.array([bound for bound, _ in self._stated.ledger], np.int64)
        for first in range(0, total, STATES_TOGETHER):
            advance(first, total + 1)
            numbers = np.arange(first, min(first + STATES_TOGETHER, total))
            states = [self._states[number].tolist() for number in numbers.tolist()]
            batch = StateBatch.from_sets(states, self._game.answer_count)
            self._prove(batch, bounds[numbers, np.newaxis], numbers)
        advance(total, total + 1)
        goals = np.full((1, self._game.guess_count), self._stated.others or 0, np.int64)
        goals[0, self._stated.opener] = self._stated.bound
        self._prove(StateBatch.whole(self._game.answer_count), goals, np.array([total]))

    def _state(self, path: list[int]) -> State:
        """Return the answers left before the last guess of a path, which is the hidden answer."""
        *made, hidden = path
        patterns = self._game.patterns.values[:, made]
        answer = self._game.words.answer_of_guess[hidden]
        return np.flatnonzero((patterns == patterns[answer]).all(axis=1)).astype(np.uint16)

    def _prove(
        self, batch: StateBatch, goals: NDArray[np.int64], numbers: NDArray[np.int64]
    ) -> None:
        """Apply lemma 1 to some states: to all useful guesses, at the start to all guesses."""
        stats = self._evaluator.stats(batch)
        missing = goals - stats.lower_bound
        useful = (stats.parts > 1) | stats.is_candidate
        useful |= (numbers == len(self._states))[:, np.newaxis]
        state, guess = np.nonzero((missing > 0) & useful)
        for at in range(0, len(state), PAIRS_TOGETHER):
            mine = slice(at, at + PAIRS_TOGETHER)
            pairs = state[mine].astype(np.int32), guess[mine].astype(np.int32)
            children = self._frontier.split(batch, *pairs)
            rows = self._rows(children, numbers[pairs[0]], pairs[1], missing[pairs])
            self._close(children.states, rows)

    def _rows(
        self,
        children: Children,
        numbers: NDArray[np.int64],
        guesses: NDArray[np.int32],
        missing: NDArray[np.int64],
    ) -> list[_Row]:
        """Return rows for guesses on states that have been split. The ledger is not used yet."""
        sizes, rows = children.states.sizes, []
        for p, (number, guess) in enumerate(zip(numbers.tolist(), guesses.tolist(), strict=True)):
            parts = children.of_pair(p)
            parts = parts[sizes[parts] >= MIN_OPEN]
            parts = parts[np.argsort(-sizes[parts], kind="stable")]
            rows.append(_Row(number, guess, int(missing[p]), parts.tolist()))
        return rows

    def _close(self, states: StateBatch, rows: list[_Row]) -> None:
        """Prove that every row costs enough: by the ledger, then by one ply."""
        for row in rows:
            row.missing -= sum(self._raised(states, part, row.entry) for part in row.parts)
        depth = 0
        while rows := [row for row in rows if row.missing > 0]:
            for row in rows:
                if depth >= len(row.parts):
                    raise self._too_high(row)
            bounds = self._bounded(states, sorted({row.parts[depth] for row in rows}))
            for row in rows:
                part = row.parts[depth]
                by_size = 2 * int(states.sizes[part]) - 1
                by_ledger = by_size + self._raised(states, part, row.entry)
                row.missing -= max(0, bounds[part] - by_ledger)
            depth += 1

    def _raised(self, states: StateBatch, part: int, entry: int) -> int:
        """Return how much earlier entries raise a part above its bound by size (lemma 5)."""
        state = states.state(part)
        by_size = 2 * len(state) - 1
        known = self._entries.get(state.tobytes(), ())
        return max([0, *(bound - by_size for number, bound in known if number < entry)])

    def _bounded(self, states: StateBatch, parts: list[int]) -> dict[int, int]:
        """Return the one-ply bounds of some states by index (lemma 4)."""
        keys = {part: states.state(part).tobytes() for part in parts}
        new = np.array([part for part in parts if keys[part] not in self._one_ply], np.int64)
        if len(new):
            batch = states.take(new)
            found = self._frontier.bound_states(batch, 2 * batch.sizes - 1)
            self._one_ply |= zip((keys[part] for part in new.tolist()), found.tolist(), strict=True)
        return {part: self._one_ply[keys[part]] for part in parts}

    def _too_high(self, row: _Row) -> VerificationError:
        """Return the error about a guess that may cost too little."""
        word = self._game.words.guesses.shown(row.guess)
        if row.entry == len(self._states):
            return VerificationError(f"{word} as an opener may take fewer guesses than is claimed")
        spelled = self._spelled(row.entry)
        return VerificationError(f"{spelled}: {word} may take fewer guesses there")

    def _spelled(self, number: int) -> str:
        """Return the spelling of an entry of the ledger, for errors."""
        bound, path = self._stated.ledger[number]
        words = " ".join(self._game.words.guesses.words[guess] for guess in path)
        return f"entry {number + 1} of the ledger, {bound} path {words}"
