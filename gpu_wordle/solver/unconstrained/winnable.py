"""Proofs that a state can or cannot be won in three or four guesses, guess by guess.

A guess wins a state iff each of its parts is winnable with one guess fewer; whether the guess is an
answer is of no matter. That depends on partitions alone, and not on costs. Nogoods refute most
guesses at once; the others are looked at one by one. What refutes one of them becomes a nogood.
Winnable states are remembered by a hash alone: if two states share one, a proof is missed, and no
state is lost falsely.
"""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from typing import Any

import numpy as np

from gpu_wordle.game.values import INFEASIBLE
from gpu_wordle.solver.bounds.by_size import most_winnable
from gpu_wordle.solver.counting.pairwise import MAX_COUNTABLE
from gpu_wordle.solver.machine.layout import PATTERNS
from gpu_wordle.solver.machine.linking import inlined
from gpu_wordle.solver.machine.signatures import BOOL, INT, WORD
from gpu_wordle.solver.machine.templates import (
    Hook,
    hook,
    inlined_template,
    instantiate,
    linked_template,
)
from gpu_wordle.solver.memory.arenas import ARENA_MARKS, ArenaMarks, Trial
from gpu_wordle.solver.memory.stage_costs import MAY_LOSE
from gpu_wordle.solver.memory.table import limited_key
from gpu_wordle.solver.memory.workspace import STATE, WORKSPACE, State
from gpu_wordle.solver.unconstrained.hooks import RULE, SUPPLIED, child, look_up, most_of_all
from gpu_wordle.solver.unconstrained.nogoods import (
    core_of,
    irreducible_core,
    keep_nogood,
    next_alive,
    refute_by_known,
    strike_out,
)
from gpu_wordle.tunables import (
    MAX_FATE_TRIES,
    MAX_NOGOOD_SIZE,
    MAX_SHRINK_TRIES,
    MIN_LOST,
    MIN_MISSING,
    SHRUNK_EACH,
)

split = SUPPLIED["split"]

UNDECIDED, LOST, WON = range(3)


@hook
def winnable_with_fewer(w, state, marks):
    """The verdict of :func:`winnable` on a state with one guess fewer."""


LEFT_HERE = Hook("LEFT_HERE", "The guesses left with which fate asks, three or more.")


@inlined(INT(WORKSPACE, STATE, ARENA_MARKS))
def winnable_by_counting(w, state, marks):
    """WON with two guesses left iff some guess tells all answers apart; else LOST or UNDECIDED."""
    # A guess has no more than PATTERNS patterns.
    if state.n > PATTERNS:
        return LOST
    if state.n > MAX_COUNTABLE:
        return UNDECIDED
    most = most_of_all(w, state, state.at, state.n, state.n - 1)
    return WON if most == state.n else LOST


@inlined(WORD(WORKSPACE, STATE, INT))
def hash_of(w, state, left):
    """The hash of a state with ``left`` guesses left, as Workspace.won holds it."""
    key_0 = np.uint64(0)
    for i in range(state.at, state.at + state.n):
        key_0 ^= w.zobrist[w.answers[i], 0]
    return limited_key(key_0, left)


@inlined_template(BOOL(WORKSPACE, STATE, ARENA_MARKS))
def is_soon_lost(w, state, marks):
    """True if a state is proved lost with one guess fewer by looking at a few guesses."""
    before = w.tries_left[0]
    w.tries_left[0] = min(before, MAX_SHRINK_TRIES)
    allowed = w.tries_left[0]
    found = winnable_with_fewer(w, state, marks)
    # What was tried here counts against the tries of the whole proof.
    w.tries_left[0] = before - (allowed - w.tries_left[0])
    return found == LOST


@inlined_template(INT(WORKSPACE, STATE, ARENA_MARKS, INT, INT, INT))
def shrink(w, state, marks, at, k, scratch):
    """Drop some of k answers of a state while the others are still lost; returns how many are left.

    Halves are tried first, then ever fewer answers at a time. ``scratch`` is a place in the arena
    of states with room for k.
    """
    dropped = k // 2
    while dropped > 0:
        begin = 0
        while begin < k:
            end = min(begin + dropped, k)
            rest = 0
            for i in range(k):
                if i < begin or i >= end:
                    w.rows[scratch + rest] = w.rows[at + i]
                    w.answers[scratch + rest] = w.answers[at + i]
                    rest += 1
            fewer = State(scratch, rest, state.first, state.columns, state.info)
            # Two answers are always won with two guesses.
            if rest > 2 and is_soon_lost(w, fewer, marks):
                for i in range(rest):
                    w.rows[at + i] = w.rows[scratch + i]
                    w.answers[at + i] = w.answers[scratch + i]
                # The answers that follow have moved up, so ``begin`` stays where it is.
                k = rest
            else:
                begin = end
        dropped //= 2
    return k


@linked_template(INT(WORKSPACE, STATE, ARENA_MARKS, INT))
def minimize_nogood(w, state, marks, scratch):
    """Bring few answers of a state to the front that are lost with one guess fewer; how many.

    The answers that kept nogoods need are found at once. A core that is small enough for a nogood
    is now and then shrunk by trial, too: that finds nogoods of one guess fewer which no core shows.
    ``scratch`` is a place in the arena of states with room for the state.
    """
    k = state.n
    # With two guesses left counting decides, so there are no nogoods below to take a core from.
    if LEFT_HERE > 3:
        k = core_of(w, state, np.int64(LEFT_HERE - 1))
        core = State(state.at, k, state.first, state.columns, state.info)
        k = irreducible_core(w, core, np.int64(LEFT_HERE - 2))
        if k > MAX_NOGOOD_SIZE or w.nogoods_made[LEFT_HERE - 1] % SHRUNK_EACH != 0:
            return k
    return shrink(w, state, marks, state.at, k, scratch)


@linked_template(INT(WORKSPACE, STATE, ARENA_MARKS))
def winnable(w, state, marks):
    """LOST, WON or UNDECIDED: whether a state is winnable with LEFT_HERE guesses left.

    UNDECIDED means that too many guesses would have to be looked at. Any guess counts as legal:
    what no guess can do, no legal one can. The arenas are free from ``marks`` on.
    """
    n, columns = state.n, state.columns
    scratch = marks.state + n
    # Its answers can be guessed one after the other.
    if n <= LEFT_HERE:
        return WON
    max_parts = np.int64(w.ceiling[state.info])
    # r guesses of at most M parts each tell at most M^(r - 1) answers apart.
    if n > most_winnable(max_parts, LEFT_HERE):
        return LOST
    if scratch + 2 * n > w.answers.size:
        return UNDECIDED
    known = hash_of(w, state, LEFT_HERE)
    slot = known & np.uint64(w.won.size - 1)
    if w.won[slot] == known:
        return WON
    verdict = np.int64(LOST)
    waiting = refute_by_known(w, state, LEFT_HERE)
    column = np.int64(-1)
    while waiting:
        column = next_alive(w, state, LEFT_HERE, column + 1)
        if column == columns:
            break
        w.tries_left[0] -= 1
        if w.tries_left[0] < 0 or w.stop[0] != 0:
            return UNDECIDED
        # Row -1, as if it were no answer: being the answer only takes a part of one answer away.
        place, guess = look_up(w, state, column)
        trial = Trial(place, guess, np.int64(-1), max_parts)
        # Costs are of no matter here: without a cutoff only INFEASIBLE refutes.
        total, _, parts = split(w, state, marks, trial, LEFT_HERE - 1, np.int64(INFEASIBLE))
        if total >= INFEASIBLE:  # some part is too large by its size alone
            continue
        above = ArenaMarks(scratch + n, marks.column, marks.part + parts, marks.byte)
        found = np.int64(WON)
        # The largest part first: it is the likeliest to be lost.
        p = above.part
        while p > marks.part and found != LOST:
            p -= 1
            part_winnable = winnable_with_fewer(w, child(w, state, p), above)
            if part_winnable != WON:
                found = part_winnable
        if found == WON:
            w.won[slot] = known
            return WON
        if found == UNDECIDED:
            # Not LOST any more, but another guess may still win.
            verdict = np.int64(UNDECIDED)
            continue
        part = child(w, state, p)
        # The answers that lose this part refute every guess that leaves them together.
        k = minimize_nogood(w, part, above, scratch)
        nogood = keep_nogood(w, LEFT_HERE - 1, part.at, k)
        _, waiting = strike_out(w, LEFT_HERE, nogood)
    return verdict


def winnable_up_to(most: int) -> dict[int, dict[str, Any]]:
    """Instances of the functions above for every number of guesses left up to ``most``.

    With one guess more there are only those that minimize what is lost with ``most``.
    """
    made: dict[int, dict[str, Any]] = {2: {"winnable": winnable_by_counting}}
    for left in range(3, most + 2):
        templates = (is_soon_lost, shrink, minimize_nogood)
        supplied = {
            **SUPPLIED,
            "winnable_with_fewer": made[left - 1]["winnable"],
            "LEFT_HERE": np.int64(left),
        }
        made[left] = instantiate(
            f"{RULE}-{left}", (*templates, winnable) if left <= most else templates, supplied
        )
    return made


WINNABLE = winnable_up_to(4)
winnable_in_three = WINNABLE[3]["winnable"]
winnable_in_four = WINNABLE[4]["winnable"]
minimize_nogood_of_four = WINNABLE[5]["minimize_nogood"]


@inlined(INT(WORKSPACE, STATE, ARENA_MARKS, INT))
def winnable_in(w, state, marks, guesses_left):
    """The verdict of :func:`winnable` with three guesses left or four."""
    if guesses_left == 3:
        return winnable_in_three(w, state, marks)
    return winnable_in_four(w, state, marks)


@inlined(BOOL(WORKSPACE, STATE, ARENA_MARKS, INT, INT))
def is_lost(w, state, marks, guesses_left, missing):
    """True if three or four guesses are proved not to win a state.

    Values under a limit are close to those without it, where there are any. So a state whose bound
    has far to rise may well be unwinnable. With four guesses left the proof takes longer, so more
    has to be missing. Only states with a compact matrix are looked into, which has the most
    promising guesses first.
    """
    if (
        guesses_left < 3
        or guesses_left > 4
        or missing < (MIN_MISSING if guesses_left == 4 else 1)
        or state.n < MIN_LOST
        or state.info == 0
        or w.terms[MAY_LOSE] != 0
        or w.candidates_only[0] != 0
    ):
        return False
    w.tries_left[0] = MAX_FATE_TRIES
    return winnable_in(w, state, marks, guesses_left) == LOST
