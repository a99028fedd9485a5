"""The search once more, in plain Python: the readable twin of search/, to be read first.

It is for reading and for tests. On small games both give the same values and heights, and expand,
generate and prune the same states and guesses. A change to one that is not made to the other shows
at once. What the machine code does for speed alone is left out: compact matrices, vectors, bit
slices, hashing, and replacement in the table. On large states, so are superfluous guesses, nogoods,
and lists and measures from memory.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from gpu_wordle.game.game import Game, Rule
from gpu_wordle.game.values import INFEASIBLE, NO_LIMIT, after
from gpu_wordle.states.bounds import (
    guess_lower_bound,
    least_excess,
    part_lower_bound,
    state_lower_bound,
)
from gpu_wordle.tunables import MAX_STEPPED, MIN_OVERLAPPED, RATION

Answers = tuple[int, ...]
ANY_PARTS = 256


@dataclass
class Part:
    """A part of a partition: answers, lower bound, and the guesses ``left`` it is searched with.

    ``counted`` tells that the bound is at least the one-ply bound, ``mine`` is the most parts that
    one of its answers makes as a guess. While it ``is_open``, its value is not known.
    """

    answers: Answers
    lower: int
    left: int
    height: int = 0
    counted: bool = False
    is_open: bool = True
    mine: int = 0


@dataclass(frozen=True)
class Entry:
    """The interval of a state's value in the table, with height and mark; see table.py."""

    lower: int
    upper: int
    height: int
    counted: bool


NOTHING = Entry(0, INFEASIBLE, 0, False)
"""The entry of a state that is not in the table."""


class RationEatenError(Exception):
    """A part has expanded as many states as its ration allows; see search.py."""


class PlainSolver:
    """Solves small games, slowly.

    Attributes:
        expanded, generated, pruned, table_hits: see SearchStats.
        table: by answers and guesses left.
        overlaps: counted states, each with a bound on the parts that any guess makes of it.
    """

    def __init__(self, game: Game) -> None:
        self.patterns = game.patterns.values.tolist()
        self.guess_of_answer = game.words.guess_of_answer.tolist()
        self.guess_count = game.guess_count
        self.candidates_only = game.rule is Rule.CANDIDATES
        self.table: dict[tuple[Answers, int], Entry] = {}
        self.overlaps: list[tuple[frozenset[int], int]] = []
        self.expanded = self.generated = self.pruned = self.table_hits = 0
        self.budget = INFEASIBLE

    def value(self, answers: Answers, cutoff: int, guesses_left: int) -> tuple[int, int]:
        """``(value, height)`` of a state of any size; fail-soft as search."""
        n = len(answers)
        if n <= 2:
            return (state_lower_bound(n), n) if guesses_left >= n else (INFEASIBLE, 0)
        guesses_left = part_limit(guesses_left, n)
        if guesses_left < 2:
            return INFEASIBLE, 0
        part = Part(answers, state_lower_bound(n), first_limit(guesses_left, n))
        self.raise_bounds([part], guesses_left, cutoff, part.lower)
        # At most two turns: without a limit, and under the limit if that tree is too high.
        while part.is_open and part.lower < cutoff:
            found, height = self.search(answers, cutoff, part.left, known_lower=part.lower)
            self.settle(part, guesses_left, cutoff, found, height)
        return part.lower, part.height

    def best_guess(self, answers: Answers, guesses_left: int) -> int:
        """The first optimal guess of a state that can be won, as strategy.py takes it."""
        n = len(answers)
        if n <= 2 or guesses_left == 1:
            return self.guess_of_answer[answers[0]]
        guesses_left = part_limit(guesses_left, n)
        total, _ = self.value(answers, INFEASIBLE, guesses_left)
        # These candidates have the value without search: n parts cost 2n - 1, one pair left costs
        # 2n.
        wanted = {2 * n - 1: n, 2 * n: n - 1 if guesses_left > 2 else 0}.get(total, 0)
        for a in answers:
            if len(self.sizes(answers, self.guess_of_answer[a])) == wanted:
                return self.guess_of_answer[a]
        return next(
            guess
            for _, guess in self.tries(answers, total + 1, guesses_left)[0]
            if self.search(answers, total + 1, guesses_left, guess, known_lower=total)[0] == total
        )

    def search(
        self,
        answers: Answers,
        cutoff: int,
        guesses_left: int,
        guess: int | None = None,
        known_lower: int = 0,
    ) -> tuple[int, int]:
        """``(value, height)`` of a state of three answers or more, or of one guess on it.

        Raises RationEatenError if that takes more states than the budget has.
        """
        self.expanded += 1
        if self.expanded > self.budget:
            raise RationEatenError
        n = len(answers)
        if guesses_left < NO_LIMIT:
            # r guesses cost n * r at most: a lower bound above that proves the state infeasible.
            cutoff = min(cutoff, n * guesses_left + 1)
        if guess is None:
            tries, max_parts = self.tries(answers, cutoff, guesses_left)
            bound = max(known_lower, min((one_ply for one_ply, _ in tries), default=INFEASIBLE))
            # Guesses that were left out cost the cutoff or more, so it bounds them all.
            floor = cutoff
        else:
            tries, max_parts, bound, floor = [(0, guess)], ANY_PARTS, 0, INFEASIBLE
        best, best_height = cutoff, 0
        guesses_after = after(guesses_left)
        for one_ply, g in tries:
            # Guesses come by promise, not by bound: those behind this one may still cost less.
            if one_ply >= best:
                floor = min(floor, one_ply)
                continue
            self.generated += 1
            total, height, parts = self.split(answers, g, max_parts, guesses_after, best)
            if total < best and parts:
                total = self.raise_bounds(parts, guesses_after, best, total)
            # If less than a guess for each answer is missing, most guesses fall before all their
            # parts are solved. So the parts share the work in small steps.
            is_close = best - total < n
            total = self.search_parts(parts, guesses_after, best, total, is_close=is_close)
            if total >= best:
                self.pruned += 1
                floor = min(floor, total)
                continue
            best = total
            best_height = 1 + max([height, *(part.height for part in parts)])
            # No other guess costs less than the least one-ply bound.
            if best <= bound:
                break
        if best < cutoff:
            return best, best_height
        # All guesses are refuted, each by a bound of the floor or more.
        if guesses_left < NO_LIMIT and floor > n * guesses_left:
            floor = INFEASIBLE
        return min(floor, INFEASIBLE), 0

    def search_parts(
        self, parts: list[Part], guesses_left: int, cutoff: int, total: int, *, is_close: bool
    ) -> int:
        """Search the open parts in turn, each a little further every round; the new total."""
        step, ration = 1, RATION
        waiting = True
        while waiting and total < cutoff:
            waiting = False
            # Smallest first: they refute a guess soonest.
            for part in parts:
                if total >= cutoff:
                    break
                if not part.is_open:
                    continue
                known_lower = part.lower
                k = len(part.answers)
                limit = part_limit(guesses_left, k)
                # The other parts pay total - known_lower by now, so reaching this goal refutes.
                goal = known_lower + cutoff - total
                is_restricted = part.left < first_limit(limit, k)
                # Large parts and parts under their limit do not repay steps: each step looks at
                # most of their guesses anew.
                if is_close or (k < MAX_STEPPED and not is_restricted):
                    goal = min(goal, known_lower + step)
                budget = self.budget
                # Without a ration, words that are hard to tell apart would hold up the other parts.
                if is_close:
                    self.budget = min(budget, self.expanded + ration)
                try:
                    found, height = self.search(
                        part.answers, goal, part.left, known_lower=known_lower
                    )
                except RationEatenError:
                    if self.expanded > budget:
                        raise
                    waiting = True
                    continue
                finally:
                    self.budget = budget
                self.settle(part, limit, goal, found, height)
                waiting = waiting or part.is_open
                total += part.lower - known_lower
            step *= 2
            ration *= 2
        return total

    def settle(self, part: Part, limit: int, goal: int, found: int, height: int) -> None:
        """Record what a search of a part has found: below the goal its value, else a lower bound.

        The value without a limit holds if the tree has no more turns than the limit of the part.
        Otherwise the part is searched further with the limit.
        """
        left = part.left
        self.keep(part, left, found, found if found < goal else INFEASIBLE, height, True)
        if found < goal and height > limit < left:
            part.is_open, part.height, part.left = True, 0, limit
            self.learn(part, self.table.get((part.answers, limit), NOTHING), True)

    def tries(
        self, answers: Answers, cutoff: int, guesses_left: int
    ) -> tuple[list[tuple[int, int]], int]:
        """One-ply bound and index of the guesses to try, in order; the most parts of any."""
        n = len(answers)
        # A candidate of m parts costs 3n - m - 1 at least: with fewer parts than this no guess is
        # below the cutoff. A guess of one part tells nothing.
        least = max(2, 3 * n - cutoff)
        own = {self.guess_of_answer[a] for a in answers}
        max_parts = 0
        chosen: dict[tuple[int, ...], tuple[bool, int]] = {}
        for g in sorted(own) if self.candidates_only else range(self.guess_count):
            sizes = self.sizes(answers, g)
            if len(sizes) < least:
                continue
            max_parts = max(max_parts, len(sizes))
            if guess_lower_bound(n, len(sizes), int(g in own)) < cutoff:
                # Guesses that split the state alike split all its parts alike: one of them will do.
                # A candidate is preferred, since it may be right.
                rank = (g not in own, g)
                partition = self.partition(answers, g)
                chosen[partition] = min(chosen.get(partition, rank), rank)
        ranked = []
        for is_other, g in chosen.values():
            sizes = self.sizes(answers, g)
            one_ply = guess_lower_bound(n, len(sizes), int(not is_other))
            squares = sum(k * k for k in sizes.values())
            order = n * one_ply + 2 * squares
            excess = least_excess(n, len(sizes), squares, max_parts)
            # In a part of more than max_parts answers some need a third guess. With two left it is
            # lost.
            one_ply = one_ply + excess if excess == 0 or guesses_left > 3 else INFEASIBLE
            ranked.append((order, is_other, g, one_ply))
        return [(one_ply, g) for _, _, g, one_ply in sorted(ranked)], max_parts

    def sizes(self, answers: Answers, guess: int) -> Counter[int]:
        """Sizes of the parts by pattern, ALL_GREEN included."""
        return Counter(self.patterns[a][guess] for a in answers)

    def partition(self, answers: Answers, guess: int) -> tuple[int, ...]:
        """The partition without its patterns: for each answer the first one of its part."""
        row = [self.patterns[a][guess] for a in answers]
        return tuple(row.index(pattern) for pattern in row)

    def split(
        self, answers: Answers, guess: int, max_parts: int, guesses_left: int, cutoff: int
    ) -> tuple[int, int, list[Part]]:
        """Bound by sizes, height of the small parts, and the other parts, smallest first."""
        parts: dict[int, list[int]] = {}
        for a in answers:
            parts.setdefault(self.patterns[a][guess], []).append(a)
        winnable = (
            INFEASIBLE
            if guesses_left >= NO_LIMIT
            else max_parts ** (guesses_left - 1)
            if guesses_left
            else 1
        )
        total, height = len(answers), 0
        large = []
        for members in parts.values():
            k = len(members)
            if k == 1 and self.guess_of_answer[members[0]] == guess:
                continue
            if k <= 2:
                total += state_lower_bound(k)
                height = max(height, k)
            else:
                lower = part_lower_bound(k, max_parts)
                total += lower
                large.append(Part(tuple(members), lower, first_limit(guesses_left, k)))
            if k > winnable or (k == 2 and guesses_left < 2) or guesses_left < 1:
                total = INFEASIBLE
        if total >= cutoff:
            return min(total, INFEASIBLE), height, []
        return total, height, sorted(large, key=lambda part: len(part.answers))

    def raise_bounds(self, parts: list[Part], guesses_left: int, cutoff: int, total: int) -> int:
        """Raise the bounds of parts without search until the guess is refuted; the new total."""
        for part in parts:
            before = part.lower
            self.recall(part, part_limit(guesses_left, len(part.answers)))
            total += part.lower - before
        total = self.look_at_overlaps(parts, cutoff, total)
        for stage, ordered in ((self.try_candidates, parts), (self.count_part, parts[::-1])):
            for part in ordered:
                if total >= cutoff:
                    break
                if not part.is_open or part.counted:
                    continue
                before = part.lower
                stage(part, part.left, before + cutoff - total)
                total += part.lower - before
        return min(total, INFEASIBLE)

    def look_at_overlaps(self, parts: list[Part], cutoff: int, total: int) -> int:
        """Raise the bounds of parts, from the largest down, by the overlaps; the new total."""
        for part in reversed(parts):
            k = len(part.answers)
            if total >= cutoff or k < MIN_OVERLAPPED:
                break
            if part.is_open and not part.counted:
                answers = set(part.answers)
                # An answer more makes one part more at most, and one less never makes more parts.
                bounds = [max_parts + len(answers - other) for other, max_parts in self.overlaps]
                lower = guess_lower_bound(k, min([k, *bounds]), 1)
                total += max(0, lower - part.lower)
                part.lower = max(part.lower, lower)
        return total

    def recall(self, part: Part, guesses_left: int) -> None:
        """Raise the bound of a part by its entry in the table."""
        entry = self.table.get((part.answers, NO_LIMIT), NOTHING)
        is_value = entry.lower == entry.upper
        if guesses_left >= NO_LIMIT or (is_value and entry.height <= guesses_left):
            self.learn(part, entry, entry.counted)
            return
        # A lower bound without a limit holds under one, too: a limit makes no guess cheaper.
        limited = self.table.get((part.answers, guesses_left), NOTHING)
        if is_value or limited.lower > 0:
            part.left = guesses_left
        known = Entry(max(limited.lower, entry.lower), limited.upper, limited.height, False)
        self.learn(part, known, limited.counted or (entry.counted and guesses_left > 2))

    def learn(self, part: Part, entry: Entry, counted: bool) -> None:
        """Raise the bound of a part by an entry of the table."""
        if entry.lower > 0:
            self.table_hits += 1
            part.counted = counted
            if entry.lower == entry.upper:
                part.is_open = False
                part.height = entry.height
            part.lower = max(part.lower, entry.lower)

    def keep(
        self, part: Part, guesses_left: int, lower: int, upper: int, height: int, counted: bool
    ) -> None:
        """Set the bound of a part and enter it in the table."""
        if guesses_left < NO_LIMIT and lower > len(part.answers) * guesses_left:
            lower = INFEASIBLE
        if lower >= INFEASIBLE:
            upper = INFEASIBLE
        part.lower = max(part.lower, lower)
        part.counted = counted
        if lower == upper:
            part.is_open = False
            part.height = height
        self.table[part.answers, guesses_left] = Entry(part.lower, upper, height, counted)

    def try_candidates(self, part: Part, guesses_left: int, _need: int) -> None:
        """Raise the bound of a part by its own answers as guesses."""
        k = len(part.answers)
        mine = max(len(self.sizes(part.answers, self.guess_of_answer[a])) for a in part.answers)
        part.mine = mine
        # 2k - 1 is the least value: one answer costs one guess, each other two. Only candidates
        # reach it.
        if mine == k:
            self.keep(part, guesses_left, 2 * k - 1, 2 * k - 1, 2, True)
        elif mine == k - 1 and guesses_left > 2:
            self.keep(part, guesses_left, 2 * k, 2 * k, 3, True)
        elif self.candidates_only:
            lower = guess_lower_bound(k, mine, 1) if guesses_left > 2 else INFEASIBLE
            self.keep(part, guesses_left, lower, INFEASIBLE, 0, True)
        # No candidate tells all apart, and any other guess costs 2k at least.
        elif part.lower < 2 * k:
            self.keep(part, guesses_left, 2 * k, INFEASIBLE, 0, False)

    def count_part(self, part: Part, guesses_left: int, need: int) -> None:
        """Raise the bound of a part by counting parts, to ``need`` or as far as counting can."""
        k = len(part.answers)
        # A guess of no more parts than the floor costs need or more, or no less than the best
        # candidate. So how many fewer it makes is of no matter.
        floor = k - 1 if guesses_left == 2 else min(max(3 * k - need, part.mine), k - 1)
        max_parts = max(len(self.sizes(part.answers, g)) for g in range(self.guess_count))
        max_parts = max(floor, max_parts)
        if max_parts < k - 1:
            self.overlaps.append((frozenset(part.answers), max_parts))
        if max_parts == k:
            self.keep(part, guesses_left, 2 * k, 2 * k, 2, True)
        elif guesses_left == 2:
            self.keep(part, guesses_left, INFEASIBLE, INFEASIBLE, 0, True)
        elif max_parts == k - 1 and max_parts > floor:
            self.keep(part, guesses_left, 2 * k + 1, 2 * k + 1, 3, True)
        else:
            lower = min(guess_lower_bound(k, max_parts, 0), guess_lower_bound(k, part.mine, 1))
            self.keep(
                part, guesses_left, lower, INFEASIBLE, 0, max_parts > floor or floor == part.mine
            )


def part_limit(guesses_left: int, k: int) -> int:
    """``guesses_left``, or NO_LIMIT where k answers cannot need more guesses than that."""
    return NO_LIMIT if guesses_left >= k else guesses_left


def first_limit(guesses_left: int, k: int) -> int:
    """The guesses left with which a part of k answers is searched first.

    There is no limit with three guesses left or more: most values without one hold with it too, and
    the others are bounds that are close.
    """
    return NO_LIMIT if guesses_left > 2 else part_limit(guesses_left, k)
