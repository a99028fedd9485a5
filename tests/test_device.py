"""The CUDA kernels on a device, in several block sizes, compared with the CPU by ``==``."""

import os

import numpy as np
import pytest

from gpu_wordle.backends.check import CheckBackend
from gpu_wordle.backends.cpu.backend import CpuBackend
from gpu_wordle.backends.cuda import backend as cuda
from gpu_wordle.backends.cuda import device
from support.frontiers import check_bounds, expand
from support.kernels import check
from support.slices import SWITCH_SIZES, random_batch
from support.word_lists import make_words

NO_DEVICE = device.unavailable()
IS_NEEDED = "GPU_WORDLE_NEEDS_DEVICE" in os.environ  # where a skipped test would prove nothing
pytestmark = pytest.mark.skipif(NO_DEVICE is not None and not IS_NEEDED, reason=str(NO_DEVICE))


@pytest.mark.parametrize("threads", [None, 32, 64, 128, 256, 512])
def test_original_game_matches_cpu(original, threads):
    batch = random_batch((*SWITCH_SIZES, 600, 2315), 2315)
    check(original.words, batch, cuda.CudaBackend(threads), CpuBackend())


@pytest.mark.parametrize("threads", [None, 32, 512])
@pytest.mark.parametrize("length", [2, 3, 6, 7, 10])
def test_other_lengths_match_cpu(length, threads):
    rng = np.random.default_rng(length)
    words = list({"".join(rng.choice(list("abcdef"), length)): None for _ in range(999)})
    lists = make_words(words, words[: len(words) * 2 // 3])
    batch = random_batch(SWITCH_SIZES, len(lists.answers))
    check(lists, batch, cuda.CudaBackend(threads), CpuBackend())


@pytest.mark.parametrize("threads", [None, 32, 64, 128, 512])
def test_frontiers_match_cpu(original, threads):
    backend = CheckBackend(cuda.CudaBackend(threads), CpuBackend())
    frontier = backend.open_frontier(original)
    expand(frontier, original, np.random.default_rng(0), pairs=8)
    check_bounds(frontier, random_batch((*SWITCH_SIZES[1:], 33, 600), 2315))
