"""The search once more, in plain Python: the readable twin of search/, to be read first.

It is for reading and for tests. On small games both give the same values and heights, and expand,
generate and prune the same states and guesses. A change to one that is not made to the other shows
at once. What the machine code does for speed alone is left out: compact matrices, vectors, bit
slices, hashing, superfluous guesses and nogoods on large states, and replacement in the table.
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
    """A part of a partition and what is known of its value, with ``left`` guesses left."""

    answers: Answers
    lower: int
    left: int
    height: int = 0
    counted: bool = False
    is_open: bool = True
    mine: int = 0


@dataclass(frozen=True)
class Entry:
    """What the table knows of a state; see table.py."""

    lower: int
    upper: int
    height: int
    counted: bool


NOTHING = Entry(0, INFEASIBLE, 0, False)
"""Of a state that the table does not know."""


class RationEatenError(Exception):
    """A part has expanded as many states as it might; see search.py."""


class PlainSolver:
    """Solves small games, slowly.

    Attributes:
        expanded, generated, pruned, table_hits: see SearchStats.
        table: by answers and guesses left.
        overlaps: states that were counted, with a bound on the parts that any guess makes of them.
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
        """``(value, height)`` of a state: see search.py for what they mean."""
        n = len(answers)
        if n <= 2:
            return (state_lower_bound(n), n) if guesses_left >= n else (INFEASIBLE, 0)
        guesses_left = part_limit(guesses_left, n)
        if guesses_left < 2:
            return INFEASIBLE, 0
        part = Part(answers, state_lower_bound(n), first_limit(guesses_left, n))
        self.raise_bounds([part], guesses_left, cutoff, part.lower)
        while part.is_open and part.lower < cutoff:
            found, height = self.search(answers, cutoff, part.left, known_lower=part.lower)
            self.settle(part, guesses_left, cutoff, found, height)
        return part.lower, part.height

    def best_guess(self, answers: Answers, guesses_left: int) -> int:
        """The guess that strategy.py takes on a state that can be won: the first optimal one."""
        n = len(answers)
        if n <= 2 or guesses_left == 1:
            return self.guess_of_answer[answers[0]]
        guesses_left = part_limit(guesses_left, n)
        total, _ = self.value(answers, INFEASIBLE, guesses_left)
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

        RationEatenError if that takes more states than the budget has.
        """
        self.expanded += 1
        if self.expanded > self.budget:
            raise RationEatenError
        n = len(answers)
        if guesses_left < NO_LIMIT:
            cutoff = min(cutoff, n * guesses_left + 1)
        if guess is None:
            tries, max_parts = self.tries(answers, cutoff, guesses_left)
            bound = max(known_lower, min((one_ply for one_ply, _ in tries), default=INFEASIBLE))
            floor = cutoff
        else:
            tries, max_parts, bound, floor = [(0, guess)], ANY_PARTS, 0, INFEASIBLE
        best, best_height = cutoff, 0
        guesses_after = after(guesses_left)
        for one_ply, g in tries:
            if one_ply >= best:
                floor = min(floor, one_ply)
                continue
            self.generated += 1
            total, height, parts = self.split(answers, g, max_parts, guesses_after, best)
            if total < best and parts:
                total = self.raise_bounds(parts, guesses_after, best, total)
            is_close = best - total < n
            total = self.search_parts(parts, guesses_after, best, total, is_close=is_close)
            if total >= best:
                self.pruned += 1
                floor = min(floor, total)
                continue
            best = total
            best_height = 1 + max([height, *(part.height for part in parts)])
            if best <= bound:
                break
        if best < cutoff:
            return best, best_height
        if guesses_left < NO_LIMIT and floor > n * guesses_left:
            floor = INFEASIBLE
        return min(floor, INFEASIBLE), 0

    def search_parts(
        self, parts: list[Part], guesses_left: int, cutoff: int, total: int, *, is_close: bool
    ) -> int:
        """Search the open parts in turn, each a little further every time; the new total."""
        step, ration = 1, RATION
        waiting = True
        while waiting and total < cutoff:
            waiting = False
            for part in parts:
                if total >= cutoff:
                    break
                if not part.is_open:
                    continue
                known_lower = part.lower
                k = len(part.answers)
                limit = part_limit(guesses_left, k)
                goal = known_lower + cutoff - total
                is_restricted = part.left < first_limit(limit, k)
                if is_close or (k < MAX_STEPPED and not is_restricted):
                    goal = min(goal, known_lower + step)
                budget = self.budget
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
        """Keep what a search of a part has found; below the goal it is the value.

        The value without a limit holds where the tree has no more turns than the limit of the part.
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
            one_ply = one_ply + excess if excess == 0 or guesses_left > 3 else INFEASIBLE
            ranked.append((order, is_other, g, one_ply))
        return [(one_ply, g) for _, _, g, one_ply in sorted(ranked)], max_parts

    def sizes(self, answers: Answers, guess: int) -> Counter[int]:
        """Sizes of the parts by pattern, ALL_GREEN included."""
        return Counter(self.patterns[a][guess] for a in answers)

    def partition(self, answers: Answers, guess: int) -> tuple[int, ...]:
        """The partition, whatever its patterns are: for each answer the first one of its part."""
        row = [self.patterns[a][guess] for a in answers]
        return tuple(row.index(pattern) for pattern in row)

    def split(
        self, answers: Answers, guess: int, max_parts: int, guesses_left: int, cutoff: int
    ) -> tuple[int, int, list[Part]]:
        """Bound by sizes, height of the small parts, and the others, smallest first."""
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
                bounds = [max_parts + len(answers - other) for other, max_parts in self.overlaps]
                lower = guess_lower_bound(k, min([k, *bounds]), 1)
                total += max(0, lower - part.lower)
                part.lower = max(part.lower, lower)
        return total

    def recall(self, part: Part, guesses_left: int) -> None:
        """Raise the bound of a part by what the table knows of it."""
        entry = self.table.get((part.answers, NO_LIMIT), NOTHING)
        is_value = entry.lower == entry.upper
        if guesses_left >= NO_LIMIT or (is_value and entry.height <= guesses_left):
            self.learn(part, entry, entry.counted)
            return
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
        if mine == k:
            self.keep(part, guesses_left, 2 * k - 1, 2 * k - 1, 2, True)
        elif mine == k - 1 and guesses_left > 2:
            self.keep(part, guesses_left, 2 * k, 2 * k, 3, True)
        elif self.candidates_only:
            lower = guess_lower_bound(k, mine, 1) if guesses_left > 2 else INFEASIBLE
            self.keep(part, guesses_left, lower, INFEASIBLE, 0, True)
        elif part.lower < 2 * k:
            self.keep(part, guesses_left, 2 * k, INFEASIBLE, 0, False)

    def count_part(self, part: Part, guesses_left: int, need: int) -> None:
        """Raise the bound of a part by counting parts, to ``need`` or as far as that goes."""
        k = len(part.answers)
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
    """The guesses left with which the value of k answers is looked for first.

    None but for two guesses left: most values without a limit hold with it too, and the others are
    bounds that are close.
    """
    return NO_LIMIT if guesses_left > 2 else part_limit(guesses_left, k)
