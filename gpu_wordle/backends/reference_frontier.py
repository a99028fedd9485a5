"""The specification of Frontier, in plain Python."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.backends.frontier import Children, Entries, GuessLists, Survivors, Window
from gpu_wordle.game.game import Game
from gpu_wordle.states.batch import StateBatch
from gpu_wordle.states.bounds import guess_lower_bound


class ReferenceFrontier:
    """Frontier over Python lists and dictionaries, without a memory budget."""

    drivers = 1
    memory_bytes = 1 << 40

    def __init__(self, game: Game) -> None:
        self._game = game

    def list_bytes(self, answers: NDArray[np.int64]) -> NDArray[np.int64]:
        """Zero: lists of this frontier have no budget."""
        return 0 * answers

    def split(
        self, batch: StateBatch, state: NDArray[np.int32], guess: NDArray[np.int32]
    ) -> Children:
        """Children of pairs of a state and a guess, by definition."""
        parts = [
            self._parts(batch.state(int(b)).tolist(), int(g))
            for b, g in zip(state, guess, strict=True)
        ]
        sets = [part for pair in parts for part in pair]
        states, child = StateBatch.from_sets(sets, self._game.answer_count).distinct()
        indptr = np.cumsum([0, *(len(pair) for pair in parts)]).astype(np.int64)
        return Children(indptr, child, states)

    def _parts(self, answers: list[int], guess: int) -> list[list[int]]:
        """Parts of a state under a guess, ordered by pattern, without ALL_GREEN."""
        parts: dict[int, list[int]] = {}
        for a in answers:
            parts.setdefault(int(self._game.patterns.values[a, guess]), []).append(a)
        parts.pop(self._game.patterns.all_green, None)
        return [parts[pattern] for pattern in sorted(parts)]

    def collapse(self, batch: StateBatch) -> GuessLists:
        """Guess lists of states of two answers or more, by definition."""
        lists = [self._list(batch.state(b)) for b in range(len(batch))]
        promising = []
        for n, listed in zip(batch.sizes.tolist(), lists, strict=True):
            order = [(n * bound + 2 * squares, *rest) for bound, *rest, _, squares in listed]
            promising.append(min(order)[-1])
        return GuessLists(
            batch,
            np.array([listed[0][0] for listed in lists], np.int64),
            np.array([max(parts for *_, parts, _ in listed) for listed in lists], np.int64),
            np.array(promising, np.int32),
            lists,
        )

    def entries(self, lists: GuessLists) -> Entries:
        """The guess lists as arrays."""
        listed = [entry for entries in lists.held for entry in entries]
        return Entries(
            np.cumsum([0, *(len(entries) for entries in lists.held)]).astype(np.int64),
            np.array([g for _, _, g, _, _ in listed], np.int32),
            np.array([parts for *_, parts, _ in listed], np.uint16),
            np.array([squares for *_, squares in listed], np.uint32),
            np.array([not is_other for _, is_other, *_ in listed], np.bool_),
        )

    def _list(self, state: NDArray[np.uint16]) -> list[tuple[int, bool, int, int, int]]:
        """The sorted guess list: (bound, is no candidate, guess, parts, sum of squares)."""
        rows = self._game.patterns.values[state]
        own = set(self._game.words.guess_of_answer[state].tolist())
        seen: set[tuple[int, ...]] = set()
        chosen = []
        for g in sorted(range(self._game.guess_count), key=lambda g: g not in own):
            patterns = rows[:, g].tolist()
            partition = tuple(patterns.index(pattern) for pattern in patterns)
            sizes = [partition.count(label) for label in set(partition)]
            if len(sizes) > 1 and (g in own or partition not in seen):
                seen.add(partition)
                squares = sum(size * size for size in sizes)
                bound = guess_lower_bound(len(state), len(sizes), g in own)
                chosen.append((bound, g not in own, g, len(sizes), squares))
        return sorted(chosen)

    def bound_states(self, batch: StateBatch, known: NDArray[np.int64]) -> NDArray[np.int64]:
        """LB1 of each state, or ``known[b]`` where that is more, int64[B]."""
        everything = list(range(self._game.guess_count))
        bounds = [self._one_ply(batch.state(b).tolist(), everything) for b in range(len(batch))]
        return np.maximum(known, np.array(bounds, np.int64))

    def _one_ply(self, answers: list[int], guesses: list[int]) -> int:
        """Least one-ply bound of the given guesses in a state."""
        bounds = []
        for g in guesses:
            parts = self._parts(answers, g)
            is_candidate = sum(len(part) for part in parts) < len(answers)
            bounds.append(guess_lower_bound(len(answers), len(parts) + is_candidate, is_candidate))
        return min(bounds)

    def refute(
        self, lists: GuessLists, cutoff: NDArray[np.int64], window: Window | None = None
    ) -> Survivors:
        """The guesses in the window whose bounds are below ``cutoff``, int64[B]."""
        survivors: list[list[tuple[int, int]]] = []
        for b, (listed, most) in enumerate(zip(lists.held, cutoff.tolist(), strict=True)):
            answers = lists.states.state(b).tolist()
            guesses = [g for _, _, g, _, _ in listed]
            least, below = (0, most) if window is None else (window.least[b], window.below[b])
            hopeful = [
                g for bound, _, g, _, _ in listed if least <= bound < min(below, most)
            ]  # a one-ply bound at the cutoff refutes already, since the full bound is no less
            bounds = [
                (len(answers) + sum(self._one_ply(p, guesses) for p in self._parts(answers, g)), g)
                for g in hopeful
            ]
            kept = [entry for entry in bounds if entry[0] < most]
            survivors.append(sorted(kept, key=lambda entry: entry[0]))
        return Survivors(
            np.cumsum([0, *(len(kept) for kept in survivors)]).astype(np.int64),
            np.array([g for kept in survivors for _, g in kept], np.int32),
            np.array([total for kept in survivors for total, _ in kept], np.int64),
        )
