"""The transposition table: a lossy map that never lies."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numba import njit

from gpu_wordle.game.values import INFEASIBLE
from gpu_wordle.solver import TranspositionTable, default_table_bytes
from gpu_wordle.solver.memory import table as tables
from gpu_wordle.solver.memory.table import COUNTED, ENTRY_BYTES, MIN_ENTRIES

UNKNOWN = (0, INFEASIBLE, 0, 0)


@njit
def probe(table, key_0, key_1):
    return tables.probe(table, key_0, key_1)


@njit
def record(table, key_0, key_1, size, lower, upper, height, marks):
    tables.record(table, key_0, key_1, size, lower, upper, height, marks)


def key(seed):
    return np.random.default_rng(seed).integers(0, 1 << 64, size=2, dtype=np.uint64)


@pytest.mark.parametrize("size", [0, 1, 16 * 32, 16 * 32 + 1, 1 << 20])
def test_size_is_a_power_of_two_within_the_bytes_asked_for(size):
    table = TranspositionTable(size)
    assert len(table) & (len(table) - 1) == 0
    assert len(table) == MIN_ENTRIES or len(table) * ENTRY_BYTES <= size < 2 * len(table) * 32
    assert table.entries.ctypes.data % 64 == 0


@pytest.mark.parametrize(
    ("free", "size"), [(0, 512), (1 << 30, 1 << 27), (1 << 33, 1 << 30), (1 << 40, 1 << 30)]
)
def test_default_size_is_an_eighth_of_the_free_memory(monkeypatch, free, size):
    monkeypatch.setattr(tables, "free_bytes", lambda: free)
    assert default_table_bytes() == size


@given(st.integers(0, 2**32), st.integers(0, 60_000), st.integers(0, 60_000), st.integers(0, 255))
def test_what_goes_in_comes_out(seed, lower, more, height):
    entries = TranspositionTable(0).entries
    k0, k1 = key(seed)
    assert probe(entries, k0, k1) == UNKNOWN
    record(entries, k0, k1, 3, lower, lower + more, height, COUNTED)
    assert probe(entries, k0, k1) == (lower, lower + more, height, COUNTED)
    record(entries, k0, k1, 3, INFEASIBLE, INFEASIBLE, 0, 0)
    assert probe(entries, k0, k1) == (INFEASIBLE, INFEASIBLE, 0, 0)


@given(st.lists(st.integers(0, 400), min_size=1, max_size=300))
def test_an_entry_depends_on_its_key_alone(seeds):
    entries = TranspositionTable(0).entries
    for seed in seeds:
        record(entries, *key(seed), 3 + seed % 50, 10 + seed, 20 + seed, 0, 0)
    found = 0
    for seed in set(seeds):
        got = probe(entries, *key(seed))
        assert got in (UNKNOWN, (10 + seed, 20 + seed, 0, 0))
        assert got[0] <= got[1]
        found += got != UNKNOWN
    assert found >= 1


@given(st.integers(0, 2**32), st.integers(0, 15))
def test_a_torn_entry_is_a_miss(seed, mask):
    """Words of two writes of the same line and key, mixed as threads may mix them."""
    k0, k1 = key(seed)
    first, second = TranspositionTable(0).entries, TranspositionTable(0).entries
    record(first, k0, k1, 5, 10, 12, 0, 0)
    record(second, k0, k1, 5, 11, 11, 4, COUNTED)
    for word in range(4):
        if mask >> word & 1:
            first[:, word] = second[:, word]
    assert probe(first, k0, k1) in (UNKNOWN, (10, 12, 0, 0), (11, 11, 4, COUNTED))


def test_clear_forgets():
    table = TranspositionTable(1 << 12)
    record(table.entries, *key(1), 3, 5, 5, 2, 0)
    table.clear()
    assert probe(table.entries, *key(1)) == UNKNOWN


@given(st.integers(0, 2**32), st.integers(0, 63))
def test_both_halves_of_a_key_count(seed, bit):
    """Keys that agree in one word, and in the part of the other that says where to look."""
    entries = TranspositionTable(0).entries
    k0, k1 = key(seed)
    record(entries, k0, k1, 3, 10, 10, 2, 0)
    flipped = np.uint64(1 << bit)
    assert probe(entries, k0, k1 ^ flipped) == UNKNOWN
    assert probe(entries, k0 ^ flipped, k1) == UNKNOWN
    record(entries, k0, k1 ^ flipped, 4, 20, 20, 2, 0)  # beside the other, not in its place
    assert probe(entries, k0, k1) == (10, 10, 2, 0)
    assert probe(entries, k0, k1 ^ flipped) == (20, 20, 2, 0)
