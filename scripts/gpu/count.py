"""Count the operations of bound_guesses.cu for openers from all ranks, and what its memo saves.

    python scripts/gpu/count.py [--runs 26] [--length 2] [--every 1] [--no-memo] [--out results/gpu]

A model of the kernel in numba takes the same steps for the same pairs of a state and a guess, one
after another. It counts look-ups, loads of covers, probes of the memo, and barriers. Nothing is
timed, and no device is needed. On a device many pairs are in work at once. So it counts some parts
again that the model finds in covers. A test compares the model with the kernel's twin.

``--every N`` takes one state in N. With ``--no-memo`` what the pool asks is counted without the
memo, too.

There are four kinds of cutoffs. The first is the value that the most promising guess of a state
reaches, for guesses that must beat it. The second is one more, for guesses that may match it too.
The third is the same in two launches, like the pool's: first guesses with low one-ply bounds, then
the others below the best value found. The fourth is one more than the state's value, which no
tightening between launches could beat. Totals for all openers follow from means by size class and
from the number of distinct states of each class.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from gpu_wordle.backends import load_game
from gpu_wordle.backends.cpu.backend import CpuBackend
from gpu_wordle.backends.cuda.lists import MEMO_ENTRY_BYTES, MIN_MEMO_ENTRIES, ROW_BYTES, WORD_BYTES
from gpu_wordle.game.game import Game, Position
from gpu_wordle.game.values import INFEASIBLE
from gpu_wordle.solver import TranspositionTable, open_solver
from gpu_wordle.solver.batched.state_searches import StateSearches
from gpu_wordle.states.batch import StateBatch
from gpu_wordle.tunables import (
    COVER_SHARE,
    FRONTIER_THREADS,
    MAX_COVER_WORDS,
    MAX_LEFT_TO_CPU,
    MEMO_SHARE,
)
from scripts.bench.common import options, report
from scripts.bench.host import sample

COUNTERS = (
    "pairs", "refuted by sizes", "scattered loads", "parts", "look-ups of own answers",
    "probes of the memo", "found in the memo", "cover loads", "parts counted", "look-ups counted",
    "barriers",
)  # fmt: skip
(PAIRS, BY_SIZES, SCATTERED, PARTS, OWN, PROBES, FOUND, COVER_LOADS, COUNTED, LOOKUPS, BARRIERS) = (
    range(len(COUNTERS))
)
LANES = 4
COVERS_IN_WORD = 32
COVER_PLANES, COVER_MOST = 8, 255
LEAST_TO_RAISE, LEAST_LOOKED_UP, LEAST_ENTERED, LEAST_REMEMBERED = 3, 6, 8, 6
SMALL_MOST, MIDDLE_MOST = 12, 45
"""Constants of bound_guesses.cu, covers.cuh and memo.cuh."""

CLASSES = (MAX_LEFT_TO_CPU, 96, 128, 192, 256, 384, 512, 1 << 16)
TABLE_BYTES = 1 << 28


@njit
def place_in_order(k: int) -> int:  # type: ignore[no-untyped-def]
    """Return the rank of a part size; see bound_guesses.cu."""
    return SMALL_MOST + 1 + MIDDLE_MOST - k if SMALL_MOST < k <= MIDDLE_MOST else k


@njit
def parts_of_columns(matrix, rows, first, width, parts):  # type: ignore[no-untyped-def]
    """Write the parts that each of some neighbouring columns makes of rows into ``parts``."""
    parts[:width] = 0
    is_new = np.empty(width, np.uint8)
    for i in range(rows.size):
        mine = matrix[rows[i], first : first + width]
        is_new[:] = 1
        for j in range(i):
            other = matrix[rows[j], first : first + width]
            for c in range(width):
                is_new[c] &= np.uint8(mine[c] != other[c])
        for c in range(width):
            parts[c] += is_new[c]


@njit
def own_reach(matrix, own, rows, all_green):  # type: ignore[no-untyped-def]
    """Return the best reach of the words of a part's own answers."""
    seen = np.zeros(all_green + 1, np.int64)
    turn = best = 0
    for i in rows:
        first = own[i] // LANES * LANES
        for column in range(first, min(first + LANES, matrix.shape[1])):
            turn += 1
            reach = 0
            for j in rows:
                pattern = matrix[j, column]
                reach += seen[pattern] != turn
                seen[pattern] = turn
            best = max(best, reach + (seen[all_green] == turn))
    return best


@njit
def key_of(random, rows, slots):  # type: ignore[no-untyped-def]
    """The key of a part, and the entry of the memo for it."""
    key_0, key_1 = np.uint64(0), np.uint64(0)
    for i in rows:
        key_0 ^= random[i, 0]
        key_1 ^= random[i, 1]
    return key_0, key_1, np.int64(key_0 & np.uint64(max(1, slots) - 1))


@njit
def count_state(  # type: ignore[no-untyped-def]
    matrix, reach, own, hopeful, cutoffs, random, threads, cover_words, slots, counters, bounds
):
    """Take and count the kernel's steps for the first ``hopeful`` guesses of a list.

    Args:
        matrix: uint8[n, C], the patterns of the state under its list.
        reach: int64[C], descending.
        own: int64[n], the index of each answer's own guess.
        hopeful: number of guesses whose one-ply bounds are below the cutoff.
        cutoffs: int64[hopeful], the cutoff of each guess's launch.
        random: uint64[n, 2], for keys.
        threads: threads of a block.
        cover_words: words of a row of covers.
        slots: entries of the memo; 0 for none.
        counters: int64[len(COUNTERS)], added to.
        bounds: int64[hopeful], output: the bound of each guess, exact below the cutoff.
    """
    n, columns = matrix.shape
    all_green = 242
    top = reach[0]
    sizes = np.zeros(243, np.int64)
    place = np.zeros(243, np.int64)
    rows = np.zeros(n, np.int64)
    member = np.zeros((n, COVERS_IN_WORD * cover_words), np.uint8)
    most_of_cover = np.full(COVERS_IN_WORD * cover_words, COVER_MOST, np.int32)
    inside = np.zeros(COVERS_IN_WORD * cover_words, np.int32)
    entered = 0
    memo_key = np.zeros((max(1, slots), 2), np.uint64)
    memo_value = np.zeros(max(1, slots), np.int64)
    parts_found = np.empty(threads * LANES, np.int32)
    reached = np.zeros(243, np.int64)
    at_most = np.zeros(243, np.int64)
    order = np.zeros(243, np.int64)
    for g in range(hopeful):
        cutoff = cutoffs[g]
        counters[PAIRS] += 1
        counters[BARRIERS] += 3
        counters[SCATTERED] += n
        sizes[:] = 0
        for i in range(n):
            sizes[matrix[i, g]] += 1
        total = n
        found = 0
        for q in range(all_green):
            k = sizes[q]
            if k > 0:
                total += max(2 * k - 1, 3 * k - top)
            if k >= LEAST_TO_RAISE:
                order[found] = place_in_order(k) << 16 | q
                found += 1
        bounds[g] = total
        if total >= cutoff or found == 0:
            counters[BY_SIZES] += 1
            continue
        counters[BARRIERS] += 3
        counters[PARTS] += found
        ranked = np.sort(order[:found])
        at = 0
        for j in range(found):
            q = ranked[j] & 0xFFFF
            place[q] = at
            at += sizes[q]
        for i in range(n):
            q = matrix[i, g]
            if sizes[q] >= LEAST_TO_RAISE and q != all_green:
                rows[place[q]] = i
                place[q] += 1
        for j in range(found):
            q = ranked[j] & 0xFFFF
            k = sizes[q]
            part = rows[place[q] - k : place[q]]
            enough = min(k + 1, top)
            is_remembered = slots > 0 and k >= LEAST_REMEMBERED
            key_0, key_1, slot = key_of(random, part, slots)
            if is_remembered:
                counters[PROBES] += 1
                if memo_value[slot] and memo_key[slot, 0] == key_0 and memo_key[slot, 1] == key_1:
                    counters[FOUND] += 1
                    reached[j] = at_most[j] = memo_value[slot]
                    total += enough - memo_value[slot]
                    continue
            counters[OWN] += k * k * LANES
            reached[j] = own_reach(matrix, own, part, all_green)
            at_most[j] = k
            if reached[j] < enough and reached[j] < k and LEAST_LOOKED_UP <= k <= COVER_MOST:
                used = min(entered, inside.size)
                counters[COVER_LOADS] += (k + COVER_PLANES) * (
                    (used + COVERS_IN_WORD - 1) // COVERS_IN_WORD
                )
                highest = 0
                if used > 0:
                    inside[:used] = 0
                    for i in part:
                        for c in range(used):
                            inside[c] += member[i, c]
                    highest = (inside[:used] - most_of_cover[:used]).max()
                at_most[j] = k - max(0, highest)
            short_by = min(max(reached[j], at_most[j]), enough)
            total += enough - short_by
            if is_remembered and (reached[j] >= enough or reached[j] >= at_most[j]):
                memo_key[slot, 0], memo_key[slot, 1], memo_value[slot] = key_0, key_1, short_by
        for j in range(found):
            if total >= cutoff:
                break
            q = ranked[j] & 0xFFFF
            k = sizes[q]
            part = rows[place[q] - k : place[q]]
            enough = min(k + 1, top)
            stop = min(enough, at_most[j])
            if reached[j] >= stop:
                continue
            counters[COUNTED] += 1
            best = reached[j] - 1
            for start in range(0, columns, threads * LANES):
                if best >= stop or best >= reach[start]:
                    break
                width = min(threads * LANES, columns - start)
                parts_of_columns(matrix, part, start, width, parts_found)
                best = max(best, parts_found[:width].max())
                counters[LOOKUPS] += k * width
                counters[BARRIERS] += 1
            short_by = min(max(reached[j], best), enough)
            total += min(max(reached[j], at_most[j]), enough) - short_by
            if slots > 0 and k >= LEAST_REMEMBERED:
                key_0, key_1, slot = key_of(random, part, slots)
                memo_key[slot, 0], memo_key[slot, 1], memo_value[slot] = key_0, key_1, short_by
            if best < at_most[j] and best <= COVER_MOST and k >= LEAST_ENTERED:
                if entered < inside.size:
                    most_of_cover[entered] = best
                    for i in part:
                        member[i, entered] = 1
                entered += 1
        bounds[g] = total


def memory_of(answers: int, columns: int) -> tuple[int, int]:
    """Return the words of covers and the memo entries that cuda/lists.py gives a list."""
    pitch = -(-columns // ROW_BYTES) * ROW_BYTES
    cover_words = min(MAX_COVER_WORDS, pitch // (WORD_BYTES * COVER_SHARE))
    wanted = max(MIN_MEMO_ENTRIES, answers * pitch // (MEMO_ENTRY_BYTES * MEMO_SHARE))
    return cover_words, 1 << (wanted.bit_length() - 1)


BETTER, MATCH, VALUE = "to better the first guess", "to match it too", "to match the value"
TWO = "to match it, in two launches"
NO_MEMO = ", without the memo"


class Counting:
    """Counts of some states by size class, kind of cutoff, and use of the memo."""

    def __init__(self, game: Game, *, both: bool) -> None:
        self._game = game
        self.ways = [BETTER, MATCH, TWO, VALUE, *([TWO + NO_MEMO] if both else [])]
        self._frontier = CpuBackend(1).open_frontier(game)
        self._random = np.random.default_rng(1).integers(
            1 << 63, size=(game.answer_count, 2), dtype=np.uint64
        )
        self._solver = open_solver(game, TranspositionTable(TABLE_BYTES))
        self.states = np.zeros(len(CLASSES) - 1, np.int64)
        self.sums = np.zeros((len(self.ways), len(CLASSES) - 1, len(COUNTERS)), np.int64)

    def add(self, batch: StateBatch) -> None:
        """Count for one state."""
        state = batch.state(0)
        lists = self._frontier.collapse(batch)
        searches = StateSearches(lists, np.array([INFEASIBLE]))
        searches.search(self._solver.machine.attempt, np.array([0]))
        value = self._solver.solve(Position.of_answers(self._game, state)).lower
        which = int(np.searchsorted(CLASSES, len(state))) - 1
        self.states[which] += 1
        first = int(searches.best[0])
        window, _ = searches.windows()
        searches.expect(self._frontier.refute(lists, searches.cutoffs, window))
        searches.search(self._solver.machine.attempt, np.array([0]))
        launches = {
            BETTER: [(INFEASIBLE, first)],
            MATCH: [(INFEASIBLE, first + 1)],
            TWO: [(int(window.below[0]), first + 1), (INFEASIBLE, int(searches.best[0]) + 1)],
            VALUE: [(INFEASIBLE, value + 1)],
        }
        for n, way in enumerate(self.ways):
            name = way.removesuffix(NO_MEMO)
            counters, _ = count_list(
                lists, self._game, launches[name], self._random, is_remembered=name == way
            )
            self.sums[n, which] += counters

    def rows(self, everywhere: list[int]) -> Iterator[dict[str, Any]]:
        """Counts for all openers by way, and means of a state by size class and way.

        ``everywhere`` is how many distinct states of each class all openers lead to.
        """
        seen = np.flatnonzero(self.states)
        means = self.sums[:, seen] / self.states[seen, None]
        for way, mean in zip(self.ways, means, strict=True):
            totals = np.array(everywhere)[seen] @ mean
            yield {"all openers": way} | _told(totals, ".3g")
        for place, c in enumerate(seen.tolist()):
            for way, mean in zip(self.ways, means[:, place], strict=True):
                yield {
                    "answers": f"{CLASSES[c] + 1} to {CLASSES[c + 1]}",
                    "counted": f"{self.states[c]:,}",
                    "of all": f"{everywhere[c]:,}",
                    "a state": way,
                    **_told(mean, ",.0f"),
                }


def _told(counts: NDArray[np.float64], form: str) -> dict[str, str]:
    return {name: f"{each:{form}}" for name, each in zip(COUNTERS, counts, strict=True)}


def count_list(
    lists: Any,
    game: Game,
    launches: list[tuple[int, int]],
    random: NDArray[np.uint64],
    *,
    is_remembered: bool,
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the model's counts and bounds for a list of one state by the CPU's frontier.

    A launch is given by the upper end of its one-ply bounds, and by its cutoff.
    """
    guess, parts, _, is_candidate, matrix = lists.held[0]
    n, columns = matrix.shape
    place = np.zeros(game.guess_count, np.int64)
    place[guess] = np.arange(columns)
    own = place[game.words.guess_of_answer[lists.states.state(0)]]
    reach = parts.astype(np.int64) + is_candidate
    below, cutoffs = np.array(launches).T
    cutoffs = cutoffs[np.searchsorted(below, 3 * n - reach, side="right")]
    hopeful = int((3 * n - reach < cutoffs).sum())
    cover_words, slots = memory_of(n, columns)
    counters, bounds = np.zeros(len(COUNTERS), np.int64), np.zeros(hopeful, np.int64)
    count_state(
        matrix, reach, own, hopeful, cutoffs, random, FRONTIER_THREADS, cover_words,
        slots if is_remembered else 0, counters, bounds,
    )  # fmt: skip
    return counters, bounds


def large_children(game: Game, openers: NDArray[np.intp]) -> Iterator[StateBatch]:
    """Yield the distinct states that go to the device, for some openers at a time."""
    frontier = CpuBackend(1).open_frontier(game)
    root = StateBatch.whole(game.answer_count)
    for start in range(0, len(openers), 500):
        some = openers[start : start + 500].astype(np.int32)
        states = frontier.split(root, np.zeros(len(some), np.int32), some).states
        yield states.take(np.flatnonzero(states.sizes > MAX_LEFT_TO_CPU))


def class_sizes(game: Game) -> list[int]:
    """Return the number of distinct states of each class behind all openers."""
    sizes: dict[bytes, int] = {}
    for states in large_children(game, np.arange(game.guess_count)):
        sizes |= zip((key.tobytes() for key in states.keys), states.sizes.tolist(), strict=True)
    which = np.searchsorted(CLASSES, list(sizes.values())) - 1
    return np.bincount(which, minlength=len(CLASSES) - 1).tolist()


def main() -> None:
    """Count and report."""
    asked = options(__doc__, runs=26, length=2, every=1, no_memo=False)
    game = load_game()
    _, openers = sample(game, asked.runs, asked.length)
    counting = Counting(game, both=asked.no_memo)
    (states,) = large_children(game, openers)
    by_size = np.argsort(states.sizes, kind="stable")
    for b in by_size[asked.every // 2 :: asked.every]:
        counting.add(states.take(np.array([b])))
    title = f"What bound_guesses.cu does for {len(openers)} openers over all ranks, counted"
    report(title, list(counting.rows(class_sizes(game))), asked.out)


if __name__ == "__main__":
    main()
