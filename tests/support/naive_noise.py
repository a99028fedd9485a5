"""Noise on the value function by listing every policy. Slow, and shares no code with the package.

A policy is a guess, and below each feedback other than "found" a policy. Once enough guesses are
made it is a leaf: the set of the answers left.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import product

from support.naive import feedback

NEVER = 10**6
"""Cost of a state that is not winnable."""


def philox(counter, key):
    """Philox 4x32-10 as its authors wrote it down."""
    x, k = list(counter), list(key)
    for _ in range(10):
        first, second = 0xD2511F53 * x[0], 0xCD9E8D57 * x[2]
        x = [
            (second >> 32) ^ x[1] ^ k[0],
            second & 0xFFFFFFFF,
            (first >> 32) ^ x[3] ^ k[1],
            first & 0xFFFFFFFF,
        ]
        k = [(k[0] + 0x9E3779B9) & 0xFFFFFFFF, (k[1] + 0xBB67AE85) & 0xFFFFFFFF]
    return x


def uniform(key, seed, run):
    """A draw from [-1, 1) for a key of 128 bits, in units of 2**-23."""
    counter = [word >> shift & 0xFFFFFFFF for word in key for shift in (0, 32)]
    return (philox(counter, (seed, run // 4))[run % 4] >> 8) - 2**23


def parts(answers, guess):
    """Return the states after a guess, without the one in which the answer is found."""
    found = {}
    for answer in answers:
        found.setdefault(feedback(guess, answer), []).append(answer)
    return [tuple(part) for colours, part in sorted(found.items()) if set(colours) != {"G"}]


@lru_cache(None)
def value(answers, guesses, left):
    """Return the least total of answers with a number of guesses left; NEVER if not winnable."""
    if left < 1:
        return NEVER
    if len(answers) == 1:
        return 1
    useful = [guess for guess in guesses if parts(answers, guess) != [answers]]
    costs = [
        sum(value(part, guesses, left - 1) for part in parts(answers, guess)) for guess in useful
    ]
    return min(NEVER, len(answers) + min(costs))


def policies(answers, guesses, turns):
    """Return all policies of a given depth on a state: guess, policies below it, answers left."""
    if turns == 0:
        yield frozenset(answers)
        return
    for guess in guesses:
        below = [list(policies(part, guesses, turns - 1)) for part in parts(answers, guess)]
        for chosen in product(*below):
            yield guess, chosen, len(answers)


def leaves(policy):
    """Return the leaves of a policy."""
    if isinstance(policy, frozenset):
        return [policy]
    return [leaf for below in policy[1] for leaf in leaves(below)]


def cost_before(policy):
    """Return the cost of the policy's guesses."""
    if isinstance(policy, frozenset):
        return 0
    return policy[2] + sum(cost_before(below) for below in policy[1])
