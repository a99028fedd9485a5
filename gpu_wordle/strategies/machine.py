"""Machine code of strategies: sums of letter scores, and tables over last turns.

The tables are learned in episodes of Q-learning, or computed in sweeps of value iteration.
last_turns.py defines their states.
"""

from __future__ import annotations

import numpy as np
from numba import types

from gpu_wordle.backends.cpu.measures import sort_ascending
from gpu_wordle.jit.cache import callee
from gpu_wordle.jit.functions import Need, compiled

ABREAST = 8
"""Number of states summed at once, one in each lane of a vector register or two."""

_ROWS = types.Array(types.int64, 3, "C", readonly=True)
_KEYS = types.Array(types.int64, 2, "C", readonly=True)


@compiled(types.void(_ROWS, _KEYS, types.int64[:, ::1]), Need.RARE)
def sum_letters(worth, keys, totals):  # type: ignore[no-untyped-def]
    """Sum the letter scores of every guess in every state.

    Args:
        worth: int64[B, L, K], the score of each place and key.
        keys: int64[L, G], the key of each guess's letter in each place.
        totals: int64[B, G], output: the sums.
    """
    states, length, size = worth.shape
    by_lane = np.zeros((length, size, ABREAST), np.int64)
    sums = np.empty(ABREAST, np.int64)
    for first in range(0, states, ABREAST):
        lanes = min(ABREAST, states - first)
        for lane in range(lanes):
            for place in range(length):
                for key in range(size):
                    by_lane[place, key, lane] = worth[first + lane, place, key]
        for guess in range(keys.shape[1]):
            sums[:] = 0
            for place in range(length):
                key = keys[place, guess]
                for lane in range(ABREAST):
                    sums[lane] += by_lane[place, key, lane]
            for lane in range(lanes):
                totals[first + lane, guess] = sums[lane]


COLUMNS = 128
"""Number of guesses in a block of a sweep, so that their values stay in the L2 cache."""

_NUMBERS, _FLAGS = types.int64[::1], types.uint8[::1]
_SEEN = types.Array(types.uint16, 2, "C", readonly=True)
_WORTH = types.float32[:, ::1]


@callee
def _drawn(random):  # type: ignore[no-untyped-def]
    """Return a random number in [0, 1) with 53 bits, by SplitMix64 (Steele et al. 2014).

    ``random`` is the state of the generator.
    """
    random[0] += np.uint64(0x9E3779B97F4A7C15)
    z = random[0]
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z = z ^ (z >> np.uint64(31))
    return float(z >> np.uint64(11)) * 2.0**-53


@callee
def _read_row(row, state, initial, head, following, action, value):  # type: ignore[no-untyped-def]
    """Write the known values of a state's actions into a row of initial values; return the maximum.

    :func:`_clear_row` undoes it. So the time of a step does not grow with the length of the row.
    """
    known, best = 0, -np.inf
    entry = head[state]
    while entry >= 0:
        row[action[entry]] = value[entry]
        best = max(best, value[entry])
        known += 1
        entry = following[entry]
    return best if known == row.size else max(best, initial)


@callee
def _clear_row(row, state, initial, head, following, action):  # type: ignore[no-untyped-def]
    """Reset the entries that :func:`_read_row` has written to the initial value."""
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

    The table is sparse: a linked list of entries (action, value) for each state. ``head[s]`` is the
    first entry of state s, ``following`` the next one, and -1 ends a list. Actions without an entry
    have the initial value.

    Args:
        seen: uint16[A, A], ``seen[x, a]`` is the pattern of action a if answer x is hidden.
        pattern_count: P; the last pattern means solved.
        max_turns: most guesses of a game.
        rate: learning rate.
        discount: discount factor per turn.
        exploration: probability of a random action in the first episode.
        decay: reduction of that probability with each episode.
        initial: value of an untried action.
        random: uint64[1], state of the random numbers.
        head: int64[1 + A * P], first entry of each state.
        following: int64[E], next entry; E leaves room for all turns to be played.
        action: int64[E], action of each entry.
        value: float64[E], value of each entry.
        used: number of entries in use.
        won: uint8[N], output: whether each of the N episodes was won.
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
    """One sweep: the value of each state is the best mean of action values over its answers.

    Args:
        seen: uint16[A, A], ``seen[x, a]`` is the pattern of action a if answer x is hidden.
        pattern_count: P.
        worth: float32[A, A], ``worth[x, a]`` is the value of action a if answer x is hidden.
        values: float32[A, P], output: value of each state (guess, pattern); 0 if none occurs.
    """
    count = seen.shape[0]
    order = np.empty(count, np.int64)
    sums = np.empty(COLUMNS, np.float32)
    values[:] = 0
    for left in range(0, count, COLUMNS):
        right = min(left + COLUMNS, count)
        for guess in range(count):
            ends = sort_ascending(seen[:, guess], pattern_count - 1, order)
            begin = np.int64(0)
            for pattern in range(pattern_count):
                size = ends[pattern] - begin
                if size == 0:
                    continue
                sums[:] = 0
                for answer in order[begin : ends[pattern]]:
                    for place in range(right - left):
                        sums[place] += worth[answer, left + place]
                best = sums[: right - left].max() / np.float32(size)
                values[guess, pattern] = max(values[guess, pattern], best)
                begin = ends[pattern]
