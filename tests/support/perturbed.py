"""Random lines and lanes, and what the least of them are, by brute force."""

import numpy as np

from gpu_wordle.states.draws import Kind, gaussian_table
from gpu_wordle.states.lines import Lanes, Lines
from support.naive_noise import philox

NEVER = 2**62


def make_lines(rng, sizes, same=False, most=60):
    """Lines of states of so many; some share leaves, some have none, some are alike."""
    count = sum(sizes)
    keys = rng.integers(1 << 63, size=(30, 2)).astype(np.uint64)
    leaves = [rng.integers(30, size=rng.integers(6)) for _ in range(max(1, count // 2))]
    drawn = [leaves[0 if same else i] for i in rng.integers(len(leaves), size=count)]
    total = np.full(count, 9) if same else rng.integers(most // 2, most, size=count)
    return Lines(
        np.cumsum([0, *sizes], dtype=np.int64),
        total.astype(np.int64),
        np.cumsum([0, *map(len, drawn)], dtype=np.int64),
        np.concatenate([*drawn, []]).astype(np.int32),
        keys,
        rng.integers(most, size=30).astype(np.int32),
    )


def make_lanes(rng, levels, runs, first_run=0):
    """Lanes of random levels, none among them."""
    alpha = rng.integers(1 << 20, 1 << 30, size=(levels, runs))
    return Lanes(first_run, alpha, rng.integers(200, size=(levels, runs)))


def drawn(key, seed, run, kind):
    """One draw, in units of 2**-23, by the words of the authors' Philox."""
    counter = [int(word) >> shift & 0xFFFFFFFF for word in key for shift in (0, 32)]
    word = philox(counter, (seed, run // 4))[run % 4]
    if kind is Kind.GAUSSIAN:
        return int(gaussian_table()[word >> 16])
    return word // 512 if kind is Kind.ONE_SIDED else word // 256 - 2**23


def naive_least(lines, lanes, seed, kind):
    """Values and places as nested lists."""

    def least_of(own, level, run):
        alpha, beta = int(lanes.alpha[level, run]), int(lanes.beta[level, run])
        found = [(NEVER, -1)]
        for place, (total, leaves) in enumerate(own):
            draws = (drawn(lines.keys[k], seed, lanes.first_run + run, kind) for k in leaves)
            weights = (int(lines.weight[k]) for k in leaves)
            summed = sum(u * w for u, w in zip(draws, weights, strict=True))
            found.append((alpha * total + beta * summed, place))
        return min(found)

    values, places = [], []
    for begin, end in zip(lines.indptr[:-1], lines.indptr[1:], strict=True):
        own = [
            (int(lines.total[i]), lines.leaf[lines.leaf_indptr[i] : lines.leaf_indptr[i + 1]])
            for i in range(begin, end)
        ]
        found = [
            [least_of(own, level, run) for run in range(lanes.runs)]
            for level in range(len(lanes.alpha))
        ]
        values.append([[value for value, _ in row] for row in found])
        places.append([[place for _, place in row] for row in found])
    return values, places
