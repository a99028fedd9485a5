"""The specification of every backend, in plain Python: slow, and as simple as possible."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.backends.protocol import Children, Entries, GuessLists, Survivors, Window
from gpu_wordle.game.feedback import pattern
from gpu_wordle.game.game import Game
from gpu_wordle.game.patterns import Patterns, pattern_dtype
from gpu_wordle.game.words import GameWords
from gpu_wordle.states.batch import StateBatch
from gpu_wordle.states.bounds import guess_lower_bound
from gpu_wordle.states.joint import Labels
from gpu_wordle.states.partition import BestGuesses, Criterion, PartitionStats, entropy_table


class ReferenceJointCounter:
    """Joint counter: counts pairs (label, pattern) with collections.Counter."""

    def __init__(self, game: Game, guesses: NDArray[np.int32]) -> None:
        self.guesses = guesses
        self._columns = [game.patterns.values[:, guess].tolist() for guess in guesses]
        self._nlog2n = entropy_table(game.answer_count)

    def parts(self, partitions: Labels, first: int = 0) -> NDArray[np.int64]:
        """Number of joint parts for the guesses from column ``first`` on, int64[W, C - first]."""
        return self._each(partitions, first, len)

    def entropy(self, partitions: Labels, first: int = 0) -> NDArray[np.int64]:
        """Sum of n * log2(n) over the sizes n of the joint parts, int64[W, C - first]."""
        return self._each(
            partitions,
            first,
            lambda sizes: sum(int(self._nlog2n[size]) for size in sizes.values()),
        )

    def _each(
        self,
        partitions: Labels,
        first: int,
        measure: Callable[[Counter[tuple[int, int]]], int],
    ) -> NDArray[np.int64]:
        """Apply ``measure`` to the sizes of the joint parts, [W, C - first]."""
        result = np.empty((len(partitions), len(self.guesses) - first), np.int64)
        for w, labels in enumerate(partitions.tolist()):
            for c, patterns in enumerate(self._columns[first:]):
                result[w, c] = measure(Counter(zip(labels, patterns, strict=True)))
        return result


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


class ReferenceBackend:
    """The specification as a backend; evaluates the definitions directly."""

    name = "reference"
    prefers_batches = False
    device = "plain Python"

    def build_patterns(self, words: GameWords) -> Patterns:
        """Evaluate feedback.pattern for every pair of answer and guess, [A, G]."""
        shape = len(words.answers), len(words.guesses)
        values = np.empty(shape, pattern_dtype(words.length))
        for a, answer in enumerate(words.answers.signs):
            values[a] = [pattern(guess, answer) for guess in words.guesses.signs]
        return values

    def open(self, game: Game) -> ReferenceEvaluator:
        """An evaluator over the game's patterns."""
        return ReferenceEvaluator(game)

    def open_joint(self, game: Game, guesses: NDArray[np.int32]) -> ReferenceJointCounter:
        """A joint counter over the game's patterns."""
        return ReferenceJointCounter(game, guesses)

    def open_frontier(self, game: Game, memory_bytes: int | None = None) -> ReferenceFrontier:
        """A frontier over the game's patterns."""
        return ReferenceFrontier(game)


class ReferenceEvaluator:
    """Evaluator that counts patterns with collections.Counter."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._nlog2n = entropy_table(game.answer_count)

    def partition(self, state: NDArray[np.uint16], guess: int) -> Counter[int]:
        """Size of each part of ``state`` under ``guess``, by pattern."""
        return Counter(int(p) for p in self._game.patterns.values[state, guess])

    def stats(self, batch: StateBatch) -> PartitionStats:
        """Partition statistics of every guess in every state, [B, G]."""
        result = PartitionStats.empty(len(batch), self._game.guess_count, batch.sizes)
        for b in range(len(batch)):
            for g in range(self._game.guess_count):
                parts = self.partition(batch.state(b), g)
                result.parts[b, g] = len(parts)
                result.is_candidate[b, g] = self._game.patterns.all_green in parts
                result.max_part[b, g] = max(parts.values())
                result.sum_squares[b, g] = sum(n * n for n in parts.values())
                result.sum_nlog2n[b, g] = sum(int(self._nlog2n[n]) for n in parts.values())
        return result

    def best(self, batch: StateBatch, by: Criterion) -> BestGuesses:
        """Best guess of each state by criterion ``by``, and its one-ply lower bound, [B]."""
        guesses, values, bounds = [], [], []
        for b in range(len(batch)):
            stats = self.stats(batch.chunk(b, b + 1))
            criterion, candidate = stats.criterion(by)[0], stats.is_candidate[0]
            pairs = zip(criterion, candidate, strict=True)
            # The tie rule: candidates first, then the lowest index.
            order = [(int(value), not is_in, g) for g, (value, is_in) in enumerate(pairs)]
            value, _, guess = min(order)
            guesses.append(guess)
            values.append(value)
            bounds.append(int(stats.lower_bound.min()))
        return BestGuesses(
            np.array(guesses, np.int32), np.array(values, np.int64), np.array(bounds, np.int64)
        )

    def spectrum(self, state: NDArray[np.uint16], guess: int) -> NDArray[np.int64]:
        """Number of answers of ``state`` behind each pattern of ``guess``, int64[pattern_count]."""
        parts = self.partition(state, guess)
        counts = [parts[p] for p in range(self._game.patterns.pattern_count)]
        return np.array(counts, dtype=np.int64)
