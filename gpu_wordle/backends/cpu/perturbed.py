"""Perturbed values on the CPU: each leaf is drawn once, and a run is a SIMD lane."""

from __future__ import annotations

import numpy as np
from numba import types

from gpu_wordle.backends.cpu import signatures as of
from gpu_wordle.backends.cpu.threads import run_slices
from gpu_wordle.jit.functions import Need, compiled
from gpu_wordle.states.draws import WORDS, Kind, draw_runs, gaussian_table
from gpu_wordle.states.lines import Lanes, LeastLines, Lines

_INT32_ROWS = types.int32[:, ::1]
_LANES = of.given(types.int64, 2)


class CpuPerturber:
    """See Perturber in protocol.py."""

    def __init__(self, seed: int, kind: Kind, threads: int) -> None:
        self._seed = seed
        self._kind = list(Kind).index(kind)
        self._table = gaussian_table()
        self._threads = threads

    def least(self, lines: Lines, lanes: Lanes) -> LeastLines:
        """See Perturber."""
        result = LeastLines.none(len(lines), lanes)
        draws = np.empty((len(lines.keys), lanes.runs), np.int32)

        def draw(start: int, stop: int) -> None:
            _draw_leaves(
                lines.keys, self._seed, lanes.first_run, self._kind, self._table, start, stop, draws
            )

        def compare(start: int, stop: int) -> None:
            _least_lines(
                lines.indptr, lines.total, lines.leaf_indptr, lines.leaf, lines.weight, draws,
                lanes.alpha, lanes.beta, start, stop, result.value, result.place,
            )  # fmt: skip

        run_slices(self._threads, len(draws), draw)
        run_slices(self._threads, len(lines), compare)
        return result


@compiled(
    of.NOTHING(
        of.given(types.uint64, 2), of.INT, of.INT, of.INT, of.given(types.int32), of.INT, of.INT,
        _INT32_ROWS,
    ),
    Need.RARE,
)  # fmt: skip
def _draw_leaves(  # type: ignore[no-untyped-def]
    keys, seed, first_run, kind, table, first, last, draws
):
    """The draws of the leaves ``first`` to ``last`` in all runs, into int32[K, R]."""
    words = np.empty(WORDS, np.uint64)
    for k in range(first, last):
        draw_runs(keys[k, 0], keys[k, 1], seed, first_run, kind, table, words, draws[k])


@compiled(
    of.NOTHING(
        of.INDICES, of.INDICES, of.INDICES, of.given(types.int32), of.given(types.int32),
        _INT32_ROWS, _LANES, _LANES, of.INT, of.INT, types.int64[:, :, ::1],
        types.int32[:, :, ::1],
    ),
    Need.RARE,
)  # fmt: skip
def _least_lines(  # type: ignore[no-untyped-def]
    indptr, total, leaf_indptr, leaf, weight, draws, alpha, beta, first, last, value, place
):
    """The least lines of the states ``first`` to ``last``, into int64 and int32[B, L, R]."""
    levels, runs = alpha.shape
    sums = np.empty(runs, np.int64)
    for b in range(first, last):
        for i in range(indptr[b], indptr[b + 1]):
            sums[:] = 0
            for at in range(leaf_indptr[i], leaf_indptr[i + 1]):
                drawn, times = draws[leaf[at]], np.int64(weight[leaf[at]])
                for r in range(runs):
                    sums[r] += times * drawn[r]
            for level in range(levels):
                best, where = value[b, level], place[b, level]
                for r in range(runs):
                    found = alpha[level, r] * total[i] + beta[level, r] * sums[r]
                    if found < best[r]:
                        best[r] = found
                        where[r] = i - indptr[b]
