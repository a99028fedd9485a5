"""The emulator of a device sees what a device would not forgive; the shipped kernels pass it.

Small kernels show each fault that it knows. Then every shipped kernel runs with all accesses
watched, and once more with a fault planted: a barrier taken out, a shuffle cut short, a reduction
missing, an atomic made plain. Each fault has to be found out, or the emulator would be blind.
"""

import numpy as np
import pytest

from gpu_wordle.backends.check import checked
from gpu_wordle.backends.cpu.backend import CpuBackend
from gpu_wordle.backends.cuda import backend as cuda
from gpu_wordle.backends.cuda import device
from gpu_wordle.errors import JobError
from support.frontiers import check_bounds, expand
from support.host_cupy import EmulationError, HostCupy
from support.kernels import check
from support.slices import random_batch, slice_of
from support.word_lists import make_game

BLOCK = 64
"""Threads: two warps."""

SMALL = {
    "a race in shared memory": (
        "shared[threadIdx.x] = threadIdx.x; __syncthreads();"
        "shared[0] += shared[threadIdx.x ^ 1]; shared[threadIdx.x] = 0;",
        "a race with a (read|write) in shared memory",
    ),
    "a barrier that is missing": (
        "shared[threadIdx.x] = threadIdx.x; shared[threadIdx.x] += shared[63 - threadIdx.x];",
        "a race with a write in shared memory|read before it is written",
    ),
    "a barrier of a warp that does not order two warps": (
        "shared[threadIdx.x] = threadIdx.x; __syncwarp();"
        "out[threadIdx.x] = shared[63 - threadIdx.x];",
        "a race with a write in shared memory|read before it is written",
    ),
    "a race of blocks": ("all[0] = blockIdx.x;", "a race with a write in an array"),
    "a plain read beside atomics": (
        "atomicAdd(&all[0], 1); if (all[0] > 70) out[threadIdx.x] = 0;",
        "a race with a (read|write) in an array",
    ),
    "a volatile read beside atomics": (
        "atomicAdd(&all[0], 1); if (*(volatile int *)&all[0] > 70) out[threadIdx.x] = 0;",
        "a race with a (read|write) in an array",
    ),
    "shared memory that nobody has written": (
        "out[threadIdx.x] = shared[threadIdx.x];",
        "read before it is written",
    ),
    "a write beyond shared memory": ("shared[64 + threadIdx.x] = 0;", "beyond the shared memory"),
    "a read beyond an array": ("shared[threadIdx.x] = all[5 * 64];", "beyond the arrays"),
    "a barrier that some threads miss": (
        "if (threadIdx.x < 40) __syncthreads();",
        "leaves while others wait|threads have left without",
    ),
    "two barriers at once": (
        "if (threadIdx.x < 32) { __syncthreads(); }\nelse __syncthreads();",
        "threads are at different barriers",
    ),
    "a warp that waits for a barrier": (
        "if (threadIdx.x == 3) __syncthreads();\nelse __syncwarp();\n__syncthreads();",
        "wait elsewhere|different barriers",
    ),
    "a mask that names a lane elsewhere": (
        "if (threadIdx.x % 32 != 7)\nout[threadIdx.x] = __shfl_down_sync(~0u, 1, 1);",
        "lanes that are gone|leaves that a collective waits for",
    ),
    "a mask that leaves the lane out": (
        "out[threadIdx.x] = __shfl_down_sync(1u, 1, 1);",
        "whose mask leaves it out",
    ),
    "a shuffle from a lane that takes no part": (
        "if (threadIdx.x % 32 < 16)\nout[threadIdx.x] = __shfl_down_sync(0xffffu, 1, 8);",
        "reads from a lane that takes no part",
    ),
    "two collectives at once": (
        "const int v = threadIdx.x % 2 ? __reduce_add_sync(~0u, 1)\n: __reduce_max_sync(~0u, 1);"
        "out[threadIdx.x] = v;",
        "at different collectives",
    ),
}
"""Bodies of kernels with what is wrong with each, and what the emulator says of it."""

CLEAN = (
    "shared[threadIdx.x] = threadIdx.x + blockIdx.x; __syncthreads();"
    "int sum = __reduce_add_sync(~0u, shared[63 - threadIdx.x]);"
    "for (int by = 16; by > 0; by /= 2) sum += __shfl_xor_sync(~0u, threadIdx.x == 0, by);"
    "sum += __popc(__ballot_sync(~0u, threadIdx.x % 2)) + __any_sync(~0u, threadIdx.x == 70);"
    "__syncwarp(); if (threadIdx.x % 32 == 0) atomicAdd(&out[0], sum);"
)


def run_small(folder, body, *, checked=True, seed=0):
    code = (
        "extern __shared__ long long shared_memory[];\n"
        'extern "C" __global__ void small(int *all)\n{\n'
        "    int *const shared = (int *)shared_memory;\n"
        f"    int *const out = all + {BLOCK} * blockIdx.x;\n{body}\n}}\n"
    )
    host = HostCupy(folder, checked=checked, seed=seed)
    out = np.zeros((5, BLOCK), np.int32)
    kernel = host.RawModule(code, ("-std=c++17",)).get_function("small")
    kernel((len(out), 1), (BLOCK,), (out,), shared_mem=4 * BLOCK)
    return out


@pytest.mark.slow
@pytest.mark.parametrize("fault", SMALL)
def test_what_a_device_would_not_forgive_is_found_out(folder, fault):
    body, message = SMALL[fault]
    for seed in range(5):
        with pytest.raises(EmulationError, match=message):
            run_small(folder, body, seed=seed)


@pytest.mark.parametrize("checked", [False, True])
def test_what_is_right_passes_in_every_order(folder, checked):
    for seed in range(10):
        out = run_small(folder, CLEAN, checked=checked, seed=seed)
        for block in range(5):
            lanes = sum(range(64)) + 64 * block  # of both warps
            assert out[block, 0] == lanes + 2 * 16  # and what the ballots count


# The shipped kernels


@pytest.fixture(params=[(32, 232_448), (96, 1024)], ids=["32-in-shared", "96-in-global"])
def watched(request, use):
    """A backend over an emulated device on which every access is watched, and its twin."""
    threads, shared_bytes = request.param
    use(shared_bytes=shared_bytes, checked=True, seed=threads)
    return cuda.CudaBackend(threads), CpuBackend(1)


@pytest.mark.slow
def test_kernels_of_statistics_are_clean(watched, original):
    words = slice_of(original, 40, 30)
    check(words, random_batch((1, 2, 5, 17, 30), 30), *watched)


@pytest.mark.slow
def test_kernels_of_frontiers_are_clean(watched, original):
    game = make_game(slice_of(original, 60, 45))
    frontier = checked(*watched).open_frontier(game)
    expand(frontier, game, np.random.default_rng(1), pairs=2, small=8)
    check_bounds(frontier, random_batch((3, 9, 14, 40), 45))


BARRIER = "__syncthreads();"
PLAINLY_GREATER = "slots[turn] = mine > slots[turn] ? mine : slots[turn];"
HALF_BY_HALF = "return (unsigned long long)high << 32 | __reduce_xor_sync(~0u, (unsigned)word);"
PLANTED = [
    ("best_guess.cu", "Best *of_warp", BARRIER, ""),
    ("best_guess.cu", "] = best;", BARRIER, ""),
    ("best_guess.cu", "int offset", "WARP / 2", "WARP / 4"),
    ("split.cu", "is_first = pattern", BARRIER, ""),
    ("split.cu", "child_count[p] = 0;", BARRIER, ""),
    ("split.cu", "is_first[i] =", BARRIER, ""),
    ("split.cu", "if (before == 0)", "atomicAdd(&child_count[p], 1);", "child_count[p] += 1;"),
    ("split.cu", "child_answers[", "atomicXor(&child_key[2 * slot], ", "(child_key[2 * slot] ^= "),
    (
        "collapse.cu",
        "extern",
        "atomicMin(",
        "(*[](unsigned *at, unsigned r) { *at = r; return at; })(",
    ),
    ("collapse.cu", "find_slot", "atomicCAS(&keys[slot], EMPTY, hash)", "(keys[slot] = hash)"),
    ("bound_guesses.cu", "common.pair =", BARRIER, ""),
    ("bound_guesses.cu", "q != bins - 1", "atomicAdd(&histogram[q], 1u);", "histogram[q] += 1u;"),
    ("bound_guesses.cu", "place_in_order(k) << 16", "sum = __reduce_add_sync(~0u, sum);", ""),
    ("bound_guesses.cu", "% WARP == 0)", "atomicAdd(&common.sum, sum);", "common.sum += sum;"),
    ("bound_guesses.cu", "gain +=", "__syncwarp();", ""),
    ("bound_guesses.cu", "raise(unsigned", "atomicMax(&slots[turn], mine);", PLAINLY_GREATER),
    ("bound_guesses.cu", "slots[next] = 0;", BARRIER, ""),
    ("bound_guesses.cu", "best_own_reach(", "return __reduce_max_sync(~0u, best);", "return best;"),
    ("bound_guesses.cu", "enter_cover(", "slot = __reduce_max_sync(~0u, slot);", ""),
    ("bound_guesses.cu", "xor_of_warp(unsigned", HALF_BY_HALF, "return word;"),
    ("bound_guesses.cu", "recall(const", "return __reduce_max_sync(~0u, value);", "return value;"),
    ("bound_guesses.cu", "remember(const", "atomicExch(entry + 1, second);", "entry[1] = second;"),
    ("bound_states.cu", "raise(unsigned", "mine = __reduce_max_sync(~0u, mine);", ""),
    ("bound_states.cu", "raise(unsigned", "atomicMax(&slots[turn], mine);", PLAINLY_GREATER),
    ("bound_states.cu", "slots[next] = 0;", BARRIER, ""),
]
"""The kernel, a text after which the fault is planted, what stands there, what is put there."""


def run_kernel(file, backends, original):
    """What uses a kernel, enough of it that blocks and warps meet, and blocks have work again."""
    if file == "best_guess.cu":
        words = slice_of(original, 300, 40)
        check(words, random_batch((40, *[17] * 6, 9), 40), *backends)
        return
    game = make_game(slice_of(original, 160, 90))
    frontier = checked(*backends).open_frontier(game)
    expand(frontier, game, np.random.default_rng(2), pairs=8, small=12)
    check_bounds(frontier, random_batch((14, 40, 90), 90))


@pytest.mark.slow
@pytest.mark.parametrize(("file", "anchor", "before", "after"), PLANTED)
def test_a_planted_fault_is_found_out(use, original, monkeypatch, file, anchor, before, after):
    source = device.kernel_source

    def planted(name):
        if name != file:
            return source(name)
        sound, found, faulty = source(name).partition(anchor)
        assert before in faulty
        return sound + found + faulty.replace(before, after, 1)

    monkeypatch.setattr(device, "kernel_source", planted)
    shared_bytes = 1024 if file == "best_guess.cu" else 232_448
    use(checked=True, shared_bytes=shared_bytes, most_blocks=2)
    with pytest.raises((EmulationError, JobError)):
        run_kernel(file, (cuda.CudaBackend(64), CpuBackend(1)), original)
