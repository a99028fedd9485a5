"""The specification of frontiers, in plain Python."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.frontier import Children, GuessList
from gpu_wordle.game import Game
from gpu_wordle.states import StateBatch


class ReferenceFrontier:
    """Lists and dictionaries; its guess lists hold nothing."""

    memory_bytes = 1 << 40

    def __init__(self, game: Game) -> None:
        self._game = game

    def whole(self) -> GuessList:
        """See Frontier."""
        return GuessList.whole(self._game)

    def list_bytes(self, answers: int, guesses: int) -> int:
        """See Frontier."""
        return 0

    def split(
        self, batch: StateBatch, state: NDArray[np.int32], guess: NDArray[np.int32]
    ) -> Children:
        """See Frontier."""
        parts = [
            self._parts(batch.state(int(b)), int(g)) for b, g in zip(state, guess, strict=True)
        ]
        sets = [part for pair in parts for part in pair]
        states, child = StateBatch.from_sets(sets, self._game.answer_count).distinct()
        indptr = np.cumsum([0, *(len(pair) for pair in parts)]).astype(np.int64)
        return Children(indptr, child, states)

    def _parts(self, state: NDArray[np.uint16], guess: int) -> list[list[int]]:
        parts: dict[int, list[int]] = {}
        for a in state.tolist():
            parts.setdefault(int(self._game.patterns.values[a, guess]), []).append(a)
        parts.pop(self._game.patterns.all_green, None)
        return [parts[pattern] for pattern in sorted(parts)]

    def collapse(
        self, batch: StateBatch, lists: Sequence[GuessList], list_of: NDArray[np.int32]
    ) -> list[GuessList]:
        """See Frontier."""
        return [
            self._collapse(batch.chunk(b, b + 1), lists[k]) for b, k in enumerate(list_of.tolist())
        ]

    def _collapse(self, state: StateBatch, guesses: GuessList) -> GuessList:
        rows = self._game.patterns.values[state.answers]
        seen: set[tuple[int, ...]] = set()
        chosen = []
        listed = list(enumerate(guesses.guess.tolist()))
        own = set(self._game.words.guess_of_answer[state.answers].tolist())
        for place, g in sorted(listed, key=lambda at: (at[1] not in own, at[0])):
            patterns = rows[:, g].tolist()
            partition = tuple(patterns.index(pattern) for pattern in patterns)
            sizes = [partition.count(label) for label in set(partition)]
            if len(sizes) > 1 and (g in own or partition not in seen):
                seen.add(partition)
                squares = sum(size * size for size in sizes)
                chosen.append((-len(sizes), g not in own, place, g, squares))
        chosen.sort()
        return GuessList(
            state,
            np.array([g for *_, g, _ in chosen], np.int32),
            np.array([-parts for parts, *_ in chosen], np.uint16),
            np.array([squares for *_, squares in chosen], np.uint32),
            np.array([not is_other for _, is_other, *_ in chosen], np.bool_),
        )

    def most_parts(
        self,
        batch: StateBatch,
        lists: Sequence[GuessList],
        list_of: NDArray[np.int32],
        enough: NDArray[np.int64],
    ) -> NDArray[np.int64]:
        """See Frontier."""
        most = []
        for b, k in enumerate(list_of.tolist()):
            columns = self._game.patterns.values[batch.state(b)][:, lists[k].guess].T
            counts = [len(set(column.tolist())) for column in columns]
            most.append(min(max(counts, default=0), int(enough[b])))
        return np.array(most, np.int64)
