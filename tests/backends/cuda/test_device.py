"""The CUDA kernels on a device, in several block sizes, compared with the CPU by ``==``."""

import os

import numpy as np
import pytest

from gpu_wordle.backends.check import checked
from gpu_wordle.backends.cpu.backend import CpuBackend
from gpu_wordle.backends.cuda import backend as cuda
from gpu_wordle.backends.cuda import device
from gpu_wordle.backends.self_test import disagreement
from gpu_wordle.states.joint import labels_of
from support.frontiers import check_bounds, expand
from support.kernels import check
from support.slices import SWITCH_SIZES, random_batch
from support.word_lists import make_words

NO_DEVICE = device.unavailable()
IS_NEEDED = "GPU_WORDLE_NEEDS_DEVICE" in os.environ  # where a skipped test would prove nothing
pytestmark = pytest.mark.skipif(NO_DEVICE is not None and not IS_NEEDED, reason=str(NO_DEVICE))


@pytest.mark.parametrize("threads", [None, 32, 64, 128, 256])
def test_original_game_matches_cpu(original, threads):
    batch = random_batch((*SWITCH_SIZES, 600, 2315), 2315)
    check(original.words, batch, cuda.CudaBackend(threads), CpuBackend())


@pytest.mark.parametrize("threads", [None, 32, 256])
@pytest.mark.parametrize("length", [2, 3, 6, 7, 10])
def test_other_lengths_match_cpu(length, threads):
    rng = np.random.default_rng(length)
    words = list({"".join(rng.choice(list("abcdef"), length)): None for _ in range(999)})
    lists = make_words(words, words[: len(words) * 2 // 3])
    batch = random_batch(SWITCH_SIZES, len(lists.answers))
    check(lists, batch, cuda.CudaBackend(threads), CpuBackend())


@pytest.mark.parametrize("threads", [None, 32, 64, 128, 256])
def test_frontiers_match_cpu(original, threads):
    backend = checked(cuda.CudaBackend(threads), CpuBackend())
    frontier = backend.open_frontier(original)
    expand(frontier, original, np.random.default_rng(0), pairs=8)
    check_bounds(frontier, random_batch((*SWITCH_SIZES[1:], 33, 600), 2315))


@pytest.mark.parametrize("threads", [None, 64, 128])
def test_joint_parts_match_cpu(original, threads):
    backend = checked(cuda.CudaBackend(threads), CpuBackend())
    guesses = np.random.default_rng(3).permutation(original.guess_count).astype(np.int32)
    counter = backend.open_joint(original, guesses[:3000])
    labels = labels_of(original.patterns, guesses[:40])
    counter.parts(labels, 17)
    counter.entropy(labels, 17)


def test_the_device_passes_its_self_test():
    assert disagreement(cuda.CudaBackend()) is None
