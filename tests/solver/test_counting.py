"""Counting parts of many guesses at once, in bytes and in bit slices, and the covers."""

import sys
from collections import Counter

import numpy as np
import pytest
from numba import njit

from gpu_wordle.game.game import Game, Rule
from gpu_wordle.solver.bounds.overlaps import add_overlap, most_by_overlaps
from gpu_wordle.solver.counting.pairwise import MAX_COUNTABLE, most_parts
from gpu_wordle.solver.counting.sliced import (
    SCRATCH_SLICES,
    columns_of_many_parts,
    most_parts_sliced,
    parts_of_columns,
    slice_columns,
)
from gpu_wordle.solver.machine.bitslice import BLOCK, MAX_BLOCK, MIN_BLOCK, SLICE_BYTES
from gpu_wordle.solver.machine.layout import PATTERNS, Columns, Rows, sliced_bytes
from gpu_wordle.solver.machine.simd import LANES
from gpu_wordle.solver.memory.workspace import overlap_bytes
from gpu_wordle.tunables import MAX_PAIRWISE, OVERLAP_BLOCKS
from support.commands import child
from support.seeds import seeds
from support.solver_games import small_solver


@njit
def most_in_bytes(rows, k, columns, ceiling, floor):
    none = np.int64(0)
    return most_parts(Rows(rows, none, k), Columns(none, columns, ceiling, none), floor)


@njit
def most_in_slices(rows, k, columns, ceiling, floor, slices, seen, mask):
    none = np.int64(0)
    counted = Columns(none, columns, ceiling, none)
    return most_parts_sliced(Rows(rows, none, k), counted, floor, (slices, seen), mask)


@njit
def list_columns(rows, k, columns, ceiling, least, slices, seen, found, parts, limit):
    none = np.int64(0)
    counted, scratch = Columns(none, columns, ceiling, none), (slices, seen)
    return columns_of_many_parts(
        Rows(rows, none, k), counted, least, scratch, (found, parts), limit
    )


@njit
def enter(covers, number, answers, state, most):
    add_overlap(covers.ctypes.data, number, answers, state, 0, len(state), most)


@njit
def look(covers, number, answers, state):
    return most_by_overlaps(covers.ctypes.data, number, answers, state, 0, len(state))


class Matrix:
    """A matrix of random patterns in the layout of the search, columns of most parts first."""

    def __init__(self, rng: np.random.Generator, answers: int, columns: int, patterns: int) -> None:
        # Few large parts and many small ones, as guesses make them.
        weights = np.ones(patterns) / np.arange(1, patterns + 1) ** rng.uniform(0, 2)
        names = rng.permutation(PATTERNS)[:patterns]
        draws = rng.choice(names, (answers, columns), p=weights / weights.sum())
        parts = np.array([len(set(draws[:, c])) for c in range(columns)])
        order = np.argsort(-parts, kind="stable")
        self.columns = columns
        self.patterns = np.ascontiguousarray(draws[:, order].astype(np.uint8))
        self.ceiling = parts[order].astype(np.int32)
        width = -(-columns // LANES) * LANES
        raw = np.zeros(answers * (width + sliced_bytes.py_func(columns)) + LANES, np.uint8)
        skip = -raw.ctypes.data % LANES
        self.bytes = raw[skip : len(raw) - LANES + skip].reshape(answers, -1)
        self.bytes[:, :columns] = self.patterns
        self.rows = self.bytes.ctypes.data + self.bytes.shape[1] * np.arange(answers)
        slice_columns.from_python(
            Rows(self.rows, 0, answers), 0, columns,
            np.zeros(LANES * PATTERNS, np.uint32), np.zeros(2 * LANES, np.uint32),
        )  # fmt: skip

    def most(self, state: np.ndarray) -> int:
        """The most parts that any column makes of a state, counted plainly."""
        return max(len(set(self.patterns[state, c])) for c in range(self.columns))


@pytest.mark.parametrize("seed", seeds(30))
def test_most_parts_of_random_states(seed):
    rng = np.random.default_rng(seed)
    answers = int(rng.integers(2, 500))
    matrix = Matrix(rng, answers, int(rng.integers(1, 1500)), int(rng.integers(2, 250)))
    bits = np.zeros(-(-matrix.columns // BLOCK) * BLOCK, np.uint8)
    slices = np.zeros(SCRATCH_SLICES * SLICE_BYTES // 8, np.uint64)
    seen = np.zeros(PATTERNS + 1, np.uint64)
    for _ in range(6):
        k = int(rng.integers(1, min(answers, MAX_COUNTABLE) + 1))
        state = np.sort(rng.choice(answers, k, replace=False))
        rows = np.ascontiguousarray(matrix.rows[state])
        most = matrix.most(state)
        for floor in {1, most - 1, most, most + 1} - {0}:
            want = max(floor, most)
            columns, ceiling = matrix.columns, matrix.ceiling
            assert most_in_bytes(rows, k, columns, ceiling, floor) == want
            assert most_in_slices(rows, k, columns, ceiling, floor, slices, seen, 0) == want
        chosen = rng.random(columns) < rng.choice([0.02, 0.5])
        bits[:columns] = chosen
        mask = np.packbits(bits, bitorder="little")
        made = [len(set(matrix.patterns[state, c])) for c in np.flatnonzero(chosen)]
        found = most_in_slices(rows, k, columns, ceiling, 1, slices, seen, mask.ctypes.data)
        assert found == max(1, *made) if made else found == 1


@pytest.mark.parametrize("seed", seeds(10))
def test_columns_of_many_parts(seed):
    rng = np.random.default_rng(seed)
    answers, columns = int(rng.integers(20, 500)), int(rng.integers(1, 1300))
    matrix = Matrix(rng, answers, columns, int(rng.integers(20, 250)))
    slices = np.zeros(SCRATCH_SLICES * SLICE_BYTES // 8, np.uint64)
    seen = np.zeros(PATTERNS + 1, np.uint64)
    found, parts = np.zeros(columns, np.int32), np.zeros(columns, np.uint32)
    for _ in range(5):
        k = int(rng.integers(2, answers + 1))
        state = np.sort(rng.choice(answers, k, replace=False))
        rows = np.ascontiguousarray(matrix.rows[state])
        counts = [len(set(matrix.patterns[state, c])) for c in range(columns)]
        least = max(2, int(rng.integers(max(counts) // 2, max(counts) + 2)))
        want = {c: m for c, m in enumerate(counts) if m >= least}
        arguments = rows, k, columns, matrix.ceiling, least, slices, seen, found, parts
        number = list_columns(*arguments, columns)
        assert {int(c): int(parts[c]) for c in found[:number]} == want
        assert number == len(want)
        if want:
            assert list_columns(*arguments, len(want) - 1) == len(want)


def test_labels_go_to_the_largest_parts():
    """63 parts are told apart, and those that are not are no larger than any that are."""
    rng = np.random.default_rng(1)
    patterns = np.repeat(np.arange(100), np.arange(100) // 3 + 1).astype(np.uint8)
    rng.shuffle(patterns)
    answers = len(patterns)
    rows = np.zeros((answers, LANES + sliced_bytes.py_func(1)), np.uint8)
    rows[:, 0] = patterns
    slice_columns.from_python(
        Rows(rows.ctypes.data + rows.shape[1] * np.arange(answers), 0, answers), 0, 1,
        np.zeros(LANES * PATTERNS, np.uint32), np.zeros(2 * LANES, np.uint32),
    )  # fmt: skip
    planes = rows[:, LANES::SLICE_BYTES] & 1
    labels = (planes << np.arange(planes.shape[1])).sum(axis=1)
    sizes = Counter(patterns.tolist())
    of_label = {label: {sizes[p] for p in patterns[labels == label]} for label in range(63)}
    told = {label: set(patterns[labels == label]) for label in range(63)}
    assert all(len(names) == 1 for names in told.values())
    shared = {sizes[p] for p in patterns[labels == 63]}
    assert min(min(s) for s in of_label.values()) >= max(shared)
    assert max(min(of_label[label]) for label in range(32, 63)) <= min(
        min(of_label[label]) for label in range(32)
    )


def test_parts_of_columns():
    rng = np.random.default_rng(2)
    patterns = rng.integers(0, 256, (70, 130), dtype=np.uint8)
    parts = np.zeros(130, np.int32)
    parts_of_columns(patterns, parts)
    assert parts.tolist() == [len(set(patterns[:, c])) for c in range(130)]


@pytest.mark.slow
@pytest.mark.parametrize("answers", [5, 64, 300])
def test_covers_give_the_best_of_the_bounds(answers):
    rng = np.random.default_rng(answers)
    covers = np.full(overlap_bytes(answers), 0xA5, np.uint8)  # rubbish, as in an arena
    entered: list[tuple[set[int], int]] = []
    room = OVERLAP_BLOCKS * MAX_BLOCK
    for number in range(room + 700):
        k = int(rng.integers(1, min(answers, 250) + 1))
        state = np.sort(rng.choice(answers, k, replace=False)).astype(np.int32)
        most = int(rng.integers(1, min(k, 243) + 1))
        enter(covers, number, answers, state, most)
        entered.append((set(state.tolist()), most))
        if number % 97 == 0:
            # Older ones have been given up.
            start = max(0, (number // MIN_BLOCK + 1) * MIN_BLOCK - room)
            k = int(rng.integers(1, min(answers, 250) + 1))
            state = np.sort(rng.choice(answers, k, replace=False)).astype(np.int32)
            asked = set(state.tolist())
            bounds = [most + len(asked - cover) for cover, most in entered[start:]]
            assert look(covers, number + 1, answers, state) == min([k, *bounds])


@pytest.mark.parametrize("rule", [Rule.NORMAL, Rule.HARD])
@pytest.mark.parametrize("n", [2, MAX_PAIRWISE, MAX_PAIRWISE + 1, 400, 2315])
def test_all_guesses_are_measured_by_pairs_and_by_counting(original, rule, n):
    """Parts, squares and, where a constrained rule needs it, the largest part."""
    engine = small_solver(Game(original.words, original.patterns, rule)).engine
    state = np.sort(np.random.default_rng(n).permutation(2315)[:n]).astype(np.uint16)
    parts, squares = engine.measure(state)
    sizes = np.zeros((243, 12972), np.int64)
    for row in original.patterns.values[state]:
        sizes[row, np.arange(12972)] += 1
    assert np.array_equal(parts, (sizes > 0).sum(axis=0))
    assert np.array_equal(squares, (sizes**2).sum(axis=0))
    if rule is Rule.HARD:
        w = engine.thread.workspace
        largest = w.column_largest[w.place[: len(w.guess_of_column)]].astype(np.int64) + 1
        assert np.array_equal(largest, sizes.max(axis=0))


@pytest.mark.slow
@pytest.mark.skipif(BLOCK == MIN_BLOCK, reason="the other tests have done so")
def test_counting_in_narrow_slices():
    """What this file says of slices, on a processor without AVX-512."""
    narrow = {"NUMBA_CPU_NAME": "haswell", "NUMBA_CPU_FEATURES": "+avx,+avx2,+bmi,+bmi2,+popcnt"}
    program = [sys.executable, "-m", "pytest", "-q", "-k", "most or columns or covers", __file__]
    said, _ = child(program=program, env=narrow)
    assert " passed" in said
