"""Symmetries of a game: permutations of the guesses that keep all feedback.

In Mastermind, places may be permuted and colours renamed. A *symmetry* is a permutation p of the
guesses such that guess p(g) receives for answer p(a) the feedback of g for a. It maps an answer as
the guess that is it. Guesses that are mapped to each other have equal values. This holds later in
the game too, for symmetries that fix every guess made so far.

Groups are given by generators. Each generator is checked against the whole pattern matrix, so
nothing is trusted. The stabiliser of a guess is found by random elements
(:meth:`Symmetry.fixing`). If it were found too small, a search would take longer, with the same
result.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.errors import UserError, quoted

if TYPE_CHECKING:
    from gpu_wordle.game.patterns import Patterns
    from gpu_wordle.game.words import GameWords

Permutation = NDArray[np.int32]
"""int32[G]: the image of each guess."""

MIXED_ELEMENTS = 10
"""Size of the pool of product replacement: elements that are multiplied with each other."""
MIXING_STEPS = 60
MAX_KEPT_SUBGROUPS = 256
DRAWN_ELEMENTS = 14
"""Number of random elements from which a stabiliser is generated."""


@dataclass(frozen=True, eq=False)
class Symmetry:
    """A group of symmetries of one game.

    Attributes:
        generators: int32[k, G]; the trivial group has none.
    """

    generators: NDArray[np.int32]

    @classmethod
    def of(
        cls, words: GameWords, patterns: Patterns, weights: NDArray[np.int64] | None = None
    ) -> Symmetry:
        """Verify the symmetries that the feedback claims, and keep those that keep the weights.

        Args:
            words: the lists and the feedback.
            patterns: the matrix, [A, G].
            weights: int64[A], weights of the answers, if they have any.

        Raises:
            UserError: a claimed symmetry is none; names a guess and an answer whose feedback
                differs.
        """
        stated = words.feedback.symmetries(words)
        kept = []
        for permutation in stated:
            answers = verified(words, patterns, permutation)
            if weights is None or np.array_equal(weights[answers], weights):
                kept.append(permutation)
        return cls(_stacked(kept, len(words.guesses)))

    @property
    def is_trivial(self) -> bool:
        """Whether the group has only the identity."""
        return len(self.generators) == 0

    @cached_property
    def _subgroups(self) -> dict[int, Symmetry]:
        """Cache of :meth:`fixing`."""
        return {}

    @cached_property
    def orbits(self) -> NDArray[np.int64]:
        """The least guess of each guess's orbit, int64[G]."""
        least = np.arange(self.generators.shape[1])
        while True:
            before = least
            for permutation in self.generators:
                least = np.minimum(least, least[permutation])
                np.minimum.at(least, permutation, least.copy())
            # Each guess takes over the least guess of its least guess, so chains shorten fast.
            least = least[least]
            if np.array_equal(least, before):
                return least

    def first_of_orbits(self, guesses: NDArray[np.integer]) -> NDArray[np.bool_]:
        """Which of the given distinct guesses are the first of their orbit among them, bool[n]."""
        _, first = np.unique(self.orbits[guesses], return_index=True)
        is_first = np.zeros(len(guesses), np.bool_)
        is_first[first] = True
        return is_first

    def routes(self, guess: int) -> Routes:
        """Paths of generators from ``guess`` to each guess of its orbit."""
        return Routes.of(self.generators, guess)

    def fixing(self, guess: int) -> Symmetry:
        """The stabiliser of ``guess``, or a subgroup of it; in practice the whole.

        If r is a random element and u maps ``guess`` to the same image, then r followed by the
        inverse of u fixes it (Schreier's lemma). Random elements come from product replacement with
        a fixed seed. Source: Celler, Leedham-Green, Murray, Niemeyer and O'Brien, "Generating
        random elements of a finite group", Communications in Algebra 23, 1995.
        """
        if self.is_trivial:
            return self
        found = self._subgroups.get(guess)
        if found is None:  # another thread may find it at the same time, or clear the cache
            found = self._fixing(guess)
            if len(self._subgroups) >= MAX_KEPT_SUBGROUPS:
                self._subgroups.clear()
            self._subgroups[guess] = found
        return found

    @cached_property
    def _drawn(self) -> list[Permutation]:
        """Random elements of the group, used for the stabiliser of every guess."""
        return _random_elements(self.generators)

    def _fixing(self, guess: int) -> Symmetry:
        routes = self.routes(guess)
        kept = [_after(_inverse(routes.element(int(r[guess]))), r) for r in self._drawn]
        identity = np.arange(self.generators.shape[1], dtype=np.int32)
        moved = [p for p in kept if not np.array_equal(p, identity)]
        return Symmetry(_stacked(_distinct(moved), len(identity)))


@dataclass(frozen=True, eq=False)
class Routes:
    """A breadth-first tree of an orbit: paths of generators from one guess to all others.

    Attributes:
        generators: int32[k, G], generators of the group.
        start: the guess at the root.
        by: int64[G], the generator on the last step to each guess; -1 outside the orbit.
        origin: int64[G], the guess before that step.
    """

    generators: NDArray[np.int32]
    start: int
    by: NDArray[np.int64]
    origin: NDArray[np.int64]

    @classmethod
    def of(cls, generators: NDArray[np.int32], start: int) -> Routes:
        """Search the orbit breadth first."""
        size = generators.shape[1]
        by, origin = np.full(size, -1, np.int64), np.full(size, -1, np.int64)
        is_seen = np.zeros(size, np.bool_)
        is_seen[start] = True
        frontier = np.array([start])
        while len(frontier):
            reached = []
            for i, permutation in enumerate(generators):
                images = permutation[frontier]
                is_new = ~is_seen[images]
                fresh = images[is_new]
                by[fresh], origin[fresh] = i, frontier[is_new]
                is_seen[fresh] = True
                reached.append(fresh)
            frontier = np.concatenate(reached) if reached else frontier[:0]
        return cls(generators, start, by, origin)

    def element(self, image: int) -> Permutation:
        """A symmetry that maps the start to ``image``. Raises ValueError outside the orbit."""
        route = []
        while image != self.start:
            if self.by[image] < 0:
                raise ValueError("no symmetry maps one guess to the other")
            route.append(int(self.by[image]))
            image = int(self.origin[image])
        element = np.arange(self.generators.shape[1], dtype=np.int32)
        for generator in reversed(route):
            element = _after(self.generators[generator], element)
        return element


def verified(words: GameWords, patterns: Patterns, permutation: Permutation) -> NDArray[np.int64]:
    """The image of each answer under a symmetry, int64[A].

    Raises UserError if it is no permutation of the guesses, or changes some feedback.
    """
    count, spell = len(words.guesses), words.guesses.words
    if permutation.shape != (count,) or not np.array_equal(np.sort(permutation), np.arange(count)):
        raise UserError(
            f"a symmetry of {words.guesses.source} names each of its {count:,} guesses once"
        )
    answers = words.answer_of_guess[permutation[words.guess_of_answer]].astype(np.int64)
    for a in np.flatnonzero(answers < 0)[:1]:
        image = spell[permutation[words.guess_of_answer[a]]]
        raise UserError(
            f"no symmetry: {quoted(words.answers.words[a])} may be the answer, and "
            f"{quoted(image)}, to which it is mapped, may not"
        )
    mapped = patterns.take(answers, axis=0).take(permutation, axis=1)
    for a, g in np.argwhere(mapped != patterns)[:1]:
        raise UserError(
            f"no symmetry: guess {quoted(spell[g])} receives other feedback for answer "
            f"{quoted(words.answers.words[a])} than {quoted(spell[permutation[g]])} for "
            f"{quoted(words.answers.words[answers[a]])}, to which they are mapped"
        )
    return answers


def _random_elements(generators: NDArray[np.int32]) -> list[Permutation]:
    """Nearly independent and uniform random elements of a group, by product replacement."""
    rng = np.random.default_rng(0)
    mixed = [generators[i % len(generators)] for i in range(max(MIXED_ELEMENTS, len(generators)))]
    walk = mixed[0]
    drawn = []
    for step in range(MIXING_STEPS + DRAWN_ELEMENTS):
        i, j = rng.choice(len(mixed), 2, replace=False)
        factor = _inverse(mixed[j]) if rng.integers(2) else mixed[j]
        mixed[i] = _after(mixed[i], factor)
        walk = _after(walk, mixed[i])
        if step >= MIXING_STEPS:
            drawn.append(walk)
    return drawn


def _after(later: Permutation, earlier: Permutation) -> Permutation:
    """The product of two permutations: ``earlier``, then ``later``."""
    return later[earlier]


def _inverse(permutation: Permutation) -> Permutation:
    inverse = np.empty_like(permutation)
    inverse[permutation] = np.arange(len(permutation), dtype=np.int32)
    return inverse


def _distinct(permutations: Iterable[Permutation]) -> list[Permutation]:
    return list({permutation.tobytes(): permutation for permutation in permutations}.values())


def _stacked(permutations: list[Permutation], count: int) -> NDArray[np.int32]:
    return np.array(permutations, dtype=np.int32).reshape(len(permutations), count)
