"""Tables over the last turn in machine code: episodes of Q-learning, sweeps of value iteration.

What their states are stands in last_turns.py.
"""

from __future__ import annotations

import numpy as np
from numba import njit, types

from gpu_wordle.jit.functions import Need, compiled

COLUMNS = 128
"""Guesses that a sweep looks at together: what they are worth stays in the second-level cache."""

_NUMBERS, _FLAGS = types.int64[::1], types.uint8[::1]
_SEEN = types.Array(types.uint16, 2, "C", readonly=True)
_WORTH = types.float32[:, ::1]


@njit
def _drawn(random):  # type: ignore[no-untyped-def]
    """A number from 0 to less than 1, by SplitMix64 (Steele et al. 2014); ``random`` is its state.

    It is 53 bits of the next word.
    """
    random[0] += np.uint64(0x9E3779B97F4A7C15)
    z = random[0]
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z = z ^ (z >> np.uint64(31))
    return float(z >> np.uint64(11)) * 2.0**-53


@njit
def _read_row(row, state, initial, head, following, action, value):  # type: ignore[no-untyped-def]
    """Write what is known of a state's actions into a row of initial values; return the greatest.

    :func:`_clear_row` takes it back, so that nothing is as long as the row.
    """
    known, best = 0, -np.inf
    entry = head[state]
    while entry >= 0:
        row[action[entry]] = value[entry]
        best = max(best, value[entry])
        known += 1
        entry = following[entry]
    return best if known == row.size else max(best, initial)


@njit
def _clear_row(row, state, initial, head, following, action):  # type: ignore[no-untyped-def]
    """Make it a row of initial values again."""
    entry = head[state]
    while entry >= 0:
        row[action[entry]] = initial
        entry = following[entry]


@compiled(
    types.int64(
        _SEEN, types.int64, types.int64, types.float64,
        types.float64, types.float64, types.float64, types.float64,
        types.uint64[::1], _NUMBERS, _NUMBERS, _NUMBERS, types.float64[::1], types.int64, _FLAGS,
    ),
    Need.RARE,
)  # fmt: skip
def play_episodes(  # type: ignore[no-untyped-def]
    seen, pattern_count, max_turns, rate, discount, exploration, decay, initial,
    random, head, following, action, value, used, won,
):  # fmt: skip
    """Play games against random answers and learn from each turn; returns the entries in use.

    The table is sparse. ``head[s]`` is the latest entry of state s, ``following`` the one before
    it, and each entry has an action and its value; -1 ends a chain. Actions without an entry have
    the initial value.

    Args:
        seen: uint16[A, A], the pattern of action a when answer x is hidden, ``seen[x, a]``.
        pattern_count: P; the last pattern says solved.
        max_turns: guesses of a game.
        rate: learning rate.
        discount: what a win is worth one turn later.
        exploration: how likely a turn of the first episode goes to any action.
        decay: by how much less for each further episode.
        initial: value of an action that was never taken.
        random: uint64[1], state of the random numbers.
        head: int64[1 + A * P].
        following: int64[E]; like ``action`` and ``value`` it has room for all turns to be played.
        action: int64[E].
        value: float64[E].
        used: entries in use.
        won: uint8[N], told for each episode; its size is how many are played.
    """
    actions = seen.shape[0]
    row = np.full(actions, initial)
    for episode in range(won.size):
        answer = int(_drawn(random) * actions)
        state = before = entry = 0
        for turn in range(max_turns):
            best = _read_row(row, state, initial, head, following, action, value)
            if turn > 0:
                value[entry] += rate * (discount * best - value[entry])
                if state == before:
                    best = _read_row(row, state, initial, head, following, action, value)
            explores = _drawn(random) < exploration - decay * episode
            chosen = int(_drawn(random) * actions)
            while not explores and row[chosen] != best:
                chosen = int(_drawn(random) * actions)
            _clear_row(row, state, initial, head, following, action)
            entry = head[state]
            while entry >= 0 and action[entry] != chosen:
                entry = following[entry]
            if entry < 0:
                entry = used
                following[entry], action[entry], value[entry] = head[state], chosen, initial
                head[state] = entry
                used += 1
            pattern = seen[answer, chosen]
            before, state = state, 1 + chosen * pattern_count + pattern
            won[episode] = pattern == pattern_count - 1
            if won[episode]:
                break
        value[entry] += rate * (won[episode] - value[entry])
    return used


@compiled(types.void(_SEEN, types.int64, _WORTH, _WORTH), Need.RARE)
def sweep(seen, pattern_count, worth, values):  # type: ignore[no-untyped-def]
    """The best mean over the answers of each state, of what guesses are worth for them.

    Args:
        seen: uint16[A, A], the pattern of action a when answer x is hidden, ``seen[x, a]``.
        pattern_count: P.
        worth: float32[A, A], what action a is worth when answer x is hidden, ``worth[x, a]``.
        values: float32[A, P], told for each guess and its feedback; 0 where no answer gives it.
    """
    count = seen.shape[0]
    order = np.empty(count, np.int64)
    sums = np.empty(COLUMNS, np.float32)
    values[:] = 0
    for left in range(0, count, COLUMNS):
        right = min(left + COLUMNS, count)
        for guess in range(count):
            ends = np.zeros(pattern_count + 1, np.int64)
            for answer in range(count):
                ends[seen[answer, guess] + 1] += 1
            begins = np.cumsum(ends)
            ends = begins.copy()
            for answer in range(count):
                pattern = seen[answer, guess]
                order[ends[pattern]] = answer
                ends[pattern] += 1
            for pattern in range(pattern_count):
                size = begins[pattern + 1] - begins[pattern]
                if size == 0:
                    continue
                sums[:] = 0
                for answer in order[begins[pattern] : begins[pattern + 1]]:
                    for place in range(right - left):
                        sums[place] += worth[answer, left + place]
                best = sums[: right - left].max() / np.float32(size)
                values[guess, pattern] = max(values[guess, pattern], best)
