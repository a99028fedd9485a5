"""Perturbed values on a CUDA device: the kernels of perturbed.cu."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.backends.cuda.device import DeviceMemory, kernel
from gpu_wordle.backends.cuda.launch import enqueue
from gpu_wordle.states.draws import WORDS, Kind, gaussian_table
from gpu_wordle.states.lines import UNSOLVABLE, Lanes, LeastLines, Lines
from gpu_wordle.tunables import PIECE_LINES, RUN_THREADS


class CudaPerturber:
    """See Perturber in protocol.py; threads take turns."""

    def __init__(self, cupy: Any, seed: int, kind: Kind, block_threads: int | None = None) -> None:
        self._memory = DeviceMemory(cupy)
        self._seed = seed
        self._option = f"-DKIND={kind.name}"
        self._threads = block_threads or RUN_THREADS
        self._table = cupy.asarray(gaussian_table())
        self._turn = threading.Lock()

    def least(self, lines: Lines, lanes: Lanes) -> LeastLines:
        """See Perturber."""
        result = LeastLines.none(len(lines), lanes)

        def work(start: int, stop: int) -> None:
            is_whole = stop - start == len(lines)
            some = lines if is_whole else lines.chunk(start, stop)
            result.value[start:stop], result.place[start:stop] = self._launched(some, lanes)

        if len(lines.total) and lanes.alpha.size:
            with self._turn:
                self._memory.in_chunks(len(lines), _bytes_each(lines, lanes), work)
        return result

    def _launched(self, lines: Lines, lanes: Lanes) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        """Values and places of some states, int64 and int32[B, L, R]."""
        cupy = self._memory.cupy
        levels, runs = lanes.shape
        ends, owner = _pieces(lines.indptr)
        draws, pitch = self._draws(lines.keys, lanes)
        value = cupy.empty((len(owner), levels, runs), np.int64)
        place = cupy.empty(value.shape, np.int32)
        grid = len(owner), -(-runs // self._threads)
        enqueue(
            kernel("perturbed.cu", "least_lines", self._option), grid, self._threads, 0,
            (
                *map(cupy.asarray, (ends, lines.total, lines.leaf_indptr, lines.leaf)),
                cupy.asarray(lines.weight), draws, np.int32(pitch), cupy.asarray(lanes.alpha),
                cupy.asarray(lanes.beta), np.int32(len(owner)), np.int32(levels), np.int32(runs),
                value, place,
            ),
        )  # fmt: skip
        found = cupy.asnumpy(value), cupy.asnumpy(place)
        return _merged(*found, ends[:-1] - lines.indptr[owner], owner, len(lines))

    def _draws(self, keys: NDArray[np.uint64], lanes: Lanes) -> tuple[Any, int]:
        """The draws of all leaves in all runs, on the device, and how many a leaf has there."""
        cupy = self._memory.cupy
        quarters = -(-lanes.runs // WORDS)
        draws = cupy.empty((len(keys), WORDS * quarters), np.int32)
        blocks = min(-(-len(keys) * quarters // self._threads), self._memory.most_blocks)
        enqueue(
            kernel("perturbed.cu", "draw_leaves", self._option), (blocks, 1), self._threads, 0,
            (
                cupy.asarray(keys), np.int32(len(keys)), np.uint32(self._seed),
                np.uint32(lanes.first_run // WORDS), np.int32(quarters), self._table, draws,
            ),
        )  # fmt: skip
        return draws, WORDS * quarters


def _bytes_each(lines: Lines, lanes: Lanes) -> int:
    """About what a state takes: its lines, its leaves with their draws, and its results."""
    arrays = (lines.total, lines.leaf_indptr, lines.leaf, lines.keys, lines.weight)
    given = sum(array.nbytes for array in arrays)
    draws = lines.leaf.itemsize * len(lines.keys) * (lanes.runs + WORDS)
    pieces = len(lines) + len(lines.total) // PIECE_LINES
    return (given + draws + 12 * pieces * lanes.alpha.size) // len(lines) + 1


def _pieces(indptr: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.intp]]:
    """States cut into pieces of a few lines: where these begin and end, int64[P + 1], and whose.

    So one state of many lines keeps many blocks busy. A state without lines has no piece.
    """
    count = -(-np.diff(indptr) // PIECE_LINES)
    owner = np.repeat(np.arange(len(count)), count)
    turn = np.arange(len(owner)) - np.repeat(count.cumsum() - count, count)
    begins = indptr[owner] + PIECE_LINES * turn
    return np.append(begins, indptr[-1]), owner


def _merged(
    value: NDArray[np.int64],
    place: NDArray[np.int32],
    begins: NDArray[np.int64],
    owner: NDArray[np.intp],
    states: int,
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """The least of the pieces of each state; of equal ones the first."""
    whole_value = np.full((states, *value.shape[1:]), UNSOLVABLE, np.int64)
    whole_place = np.full(whole_value.shape, -1, np.int32)
    own, first = np.unique(owner, return_index=True)
    if len(own):
        whole_value[own] = np.minimum.reduceat(value, first, axis=0)
        place = place + begins.astype(np.int32)[:, np.newaxis, np.newaxis]
        place[value > whole_value[owner]] = np.iinfo(np.int32).max
        whole_place[own] = np.minimum.reduceat(place, first, axis=0)
    return whole_value, whole_place
