"""Perturbed values of many states at once: kernels on the CPU, by the emulator, and their twins."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpu_wordle.backends.check import CheckBackend
from gpu_wordle.backends.cpu.backend import CpuBackend
from gpu_wordle.backends.cuda import backend as cuda
from gpu_wordle.backends.cuda import device
from gpu_wordle.backends.reference import ReferenceBackend
from gpu_wordle.errors import JobError
from gpu_wordle.states.draws import ONE, Kind
from gpu_wordle.states.lines import UNSOLVABLE, Lanes
from support.host_cupy import EmulationError, HostCupy, pretend
from support.perturbed import make_lanes, make_lines, naive_least


def least(backends, lines, lanes, kind=Kind.UNIFORM):
    """The least lines by both backends; raises where they differ."""
    return CheckBackend(*backends).open_perturber(7, kind).least(lines, lanes)


@pytest.mark.parametrize("kind", Kind)
def test_twins_match_brute_force(kind):
    """States of no line, of one, of lines that tie, and of lines without leaves."""
    rng = np.random.default_rng(4)
    lines, lanes = make_lines(rng, [3, 0, 1, 9]), make_lanes(rng, 3, 6, first_run=8)
    found = least((CpuBackend(2), ReferenceBackend()), lines, lanes, kind)
    value, place = naive_least(lines, lanes, 7, kind)
    assert (found.value.tolist(), found.place.tolist()) == (value, place)
    assert (found.value[1] == UNSOLVABLE).all()
    assert (found.place[1] == -1).all()


def test_ties_go_to_the_first_line():
    rng = np.random.default_rng(5)
    lines = make_lines(rng, [40], same=True)
    found = least((CpuBackend(1), ReferenceBackend()), lines, make_lanes(rng, 2, 5))
    assert (found.place == 0).all()


@pytest.mark.slow
@given(data=st.data())
@settings(max_examples=25)
def test_random_lines_match_reference(folder, data):
    """In one warp a block and in several, states of more lines than a block compares."""
    sizes = data.draw(st.lists(st.sampled_from([0, 1, 7, 8, 9, 40, 300]), max_size=5))
    threads = data.draw(st.sampled_from([32, 64, 160, 512]))
    levels, runs = data.draw(st.integers(1, 4)), data.draw(st.integers(1, 70))
    kind = data.draw(st.sampled_from(list(Kind)))
    rng = np.random.default_rng(data.draw(st.integers(0, 99)))
    lines, lanes = make_lines(rng, sizes), make_lanes(rng, levels, runs, first_run=4)
    with pytest.MonkeyPatch.context() as patch:
        pretend(patch, HostCupy(folder))
        device.module.cache_clear()
        least((cuda.CudaBackend(threads), CpuBackend(1)), lines, lanes, kind)
    device.module.cache_clear()


def test_many_runs_and_levels(use):
    """A thousand runs are many blocks side by side; ties across the pieces of a state."""
    use()
    rng = np.random.default_rng(6)
    lanes = make_lanes(rng, 12, 1001)
    for lines in (make_lines(rng, [30, 2]), make_lines(rng, [600], same=True)):
        found = least((cuda.CudaBackend(), CpuBackend(1)), lines, lanes)
    assert (found.place == 0).all()


def test_the_largest_numbers_fit(use):
    """Totals beyond those of 5,000 answers, at levels of nearly nothing and of nearly all."""
    use()
    rng = np.random.default_rng(8)
    lines = make_lines(rng, [5], most=50_000)
    alpha = np.array([[1 << 37, 10**6 * ONE]], np.int64)
    lanes = Lanes(0, alpha, np.array([[1, 10**6 - 1]], np.int64))
    backends = cuda.CudaBackend(32), CpuBackend(1)
    found = CheckBackend(CheckBackend(*backends), ReferenceBackend())
    assert (found.open_perturber(1, Kind.UNIFORM).least(lines, lanes).value > 0).all()


def test_nothing_to_compare(use):
    use()
    rng = np.random.default_rng(0)
    found = least((cuda.CudaBackend(32), CpuBackend(1)), make_lines(rng, []), make_lanes(rng, 2, 3))
    assert found.value.shape == found.place.shape == (0, 2, 3)


def test_states_beyond_the_memory_are_done_in_chunks(use):
    rng = np.random.default_rng(9)
    lines, lanes = make_lines(rng, [2] * 90), make_lanes(rng, 1, 9)
    host = use(free_bytes=1400)
    least((cuda.CudaBackend(32), CpuBackend(1)), lines, lanes)
    assert host.refused > 0
    use(free_bytes=100)
    with pytest.raises(JobError, match="memory is too small"):
        least((cuda.CudaBackend(32), CpuBackend(1)), lines, lanes)


@pytest.mark.slow
@pytest.mark.parametrize("threads", [32, 96])
def test_accesses_are_clean(use, threads):
    use(checked=True, most_blocks=2, seed=threads)
    rng = np.random.default_rng(1)
    lines, lanes = make_lines(rng, [11, 3, 0, 5]), make_lanes(rng, 3, 37, first_run=4)
    for kind in Kind:
        least((cuda.CudaBackend(threads), CpuBackend(1)), lines, lanes, kind)


PLANTED = [
    ("    if (r >= run_count)\n        return;\n", ""),
    ("p < piece_count; p += gridDim.x", "p < piece_count; p++"),
    ("int p = blockIdx.x; p <", "int p = 0; p <"),
    ("value[own + (size_t)l * run_count] = UNSOLVABLE;", ""),
    ("place[own + lane] = (int)(i - indptr[p]) + first;", "place[own + lane] = first;"),
    ("v < left && found < least", "v < left && found <= least"),
    ("v < left && found < least", "found < least"),
    ("            if (v >= left)\n                    break;\n", ""),
    ("at < count;", "at <= count;"),
    ("key_0 += WEYL_0;", ""),
    ("const size_t lane = (size_t)l * run_count;", "const size_t lane = l;"),
]
"""What stands in the kernels, and what is put there."""


@pytest.mark.slow
@pytest.mark.parametrize(("before", "after"), PLANTED)
def test_a_planted_fault_is_found_out(use, monkeypatch, before, after):
    sound = device.kernel_source("perturbed.cu")
    assert before in sound
    faulty = sound.replace(before, after, 1)
    monkeypatch.setattr(device, "kernel_source", lambda name: faulty)
    use(checked=True, most_blocks=2)
    rng = np.random.default_rng(2)
    lanes = make_lanes(rng, 3, 37)
    different, alike = make_lines(rng, [11, 3, 9]), make_lines(rng, [5, 5], same=True)

    def run():
        for lines in (different, alike):
            least((cuda.CudaBackend(32), CpuBackend(1)), lines, lanes)

    with pytest.raises((EmulationError, JobError)):
        run()
