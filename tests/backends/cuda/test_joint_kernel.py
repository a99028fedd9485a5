"""The kernel of joint parts on the CPU, by the emulator, against its twins."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpu_wordle.backends.check import checked
from gpu_wordle.backends.cpu.backend import CpuBackend
from gpu_wordle.backends.cuda import backend as cuda
from gpu_wordle.backends.cuda import device
from gpu_wordle.backends.reference import ReferenceBackend
from gpu_wordle.states.joint import joint_labels, labels_of
from support.host_cupy import HostCupy, pretend
from support.slices import slice_of
from support.word_lists import make_game, make_words, random_words


def count(backends, game, labels, guesses, first=0):
    """Parts and entropy by both backends; raises where they differ."""
    counter = checked(*backends).open_joint(game, guesses)
    return counter.parts(labels, first), counter.entropy(labels, first)


@pytest.mark.slow
@given(words=random_words(most_guesses=60, most_answers=50, lengths=(2, 7)), data=st.data())
@settings(max_examples=15)
def test_random_games_match_reference(folder, words, data):
    """Patterns of 8 and 16 bits, from any guess on; with counters in and out of shared memory."""
    threads = data.draw(st.sampled_from([32, 96]))
    shared_bytes = data.draw(st.sampled_from([232_448, 1024]))
    with pytest.MonkeyPatch.context() as patch:
        pretend(patch, HostCupy(folder, shared_bytes=shared_bytes))
        device.module.cache_clear()
        game = make_game(words)
        rng = np.random.default_rng(data.draw(st.integers(0, 99)))
        guesses = rng.permutation(game.guess_count).astype(np.int32)
        pairs = [rng.integers(game.guess_count, size=size) for size in (1, 2, 3)]
        labels = np.concatenate([joint_labels(game.patterns, pair.tolist()) for pair in pairs])
        first = int(rng.integers(game.guess_count))
        count((cuda.CudaBackend(threads), ReferenceBackend()), game, labels, guesses, first)
    device.module.cache_clear()


@pytest.mark.slow
@pytest.mark.parametrize("length", [5, 9])
def test_parts_at_switches_of_method_match_cpu(use, length):
    """Parts of up to 16 answers, of 17 to 255, and of more."""
    use()
    rng = np.random.default_rng(length)
    letters = list("abcdefghijklmn")
    words = list({"".join(rng.choice(letters, length)): None for _ in range(420)})
    game = make_game(make_words(words, words[:400]))
    sizes = [(16, 17, 367), (255, 145), (256, 144), (1, 15, 384), (200, 200), (400,)]
    for some in (sizes[:1], sizes[4:5], sizes):
        labels = np.array([np.repeat(range(len(s)), s) for s in some], np.uint16)
        labels = rng.permuted(labels, axis=1)
        guesses = np.arange(0, 420, 7, dtype=np.int32)
        count((cuda.CudaBackend(32), CpuBackend(1)), game, labels, guesses)


@pytest.mark.slow
def test_accesses_are_clean(use, original):
    use(checked=True, most_blocks=2)
    game = make_game(slice_of(original, 80, 40))
    labels = labels_of(game.patterns, [0, 7, 20])
    labels = np.concatenate([labels, np.zeros((1, 40), np.uint16)])
    guesses = np.arange(80, dtype=np.int32)
    parts, _ = count((cuda.CudaBackend(32), CpuBackend(1)), game, labels, guesses, 6)
    assert parts.shape == (4, 74)


def test_counts_travel_through_pinned_memory_and_parts_in_16_bits(use, original, monkeypatch):
    host = use()
    game = make_game(slice_of(original, 60, 40))
    labels, guesses = labels_of(game.patterns, [0, 7]), np.arange(60, dtype=np.int32)
    copied, asnumpy = [], host.asnumpy

    def watched(array, *, out=None, blocking=True):
        copied.append((array.dtype, out is not None and not blocking))
        return asnumpy(array, out=out, blocking=blocking)

    monkeypatch.setattr(host, "asnumpy", watched, raising=False)
    parts, entropy = count((cuda.CudaBackend(32), CpuBackend(1)), game, labels, guesses)
    assert copied == [(np.uint16, True), (np.int64, True)]
    assert parts.dtype == entropy.dtype == np.int64


def test_nothing_to_count(use, original):
    use()
    game = make_game(slice_of(original, 30, 10))
    counter = cuda.CudaBackend(32).open_joint(game, np.arange(30, dtype=np.int32))
    assert counter.parts(np.empty((0, 10), np.uint16), 3).shape == (0, 27)


def test_partitions_beyond_the_memory_are_done_in_chunks(use, original):
    game = make_game(slice_of(original, 60, 20))
    host = use(free_bytes=3000)  # six rows of 60 int64; it promises eight times as much
    labels = labels_of(game.patterns, range(20))
    guesses = np.arange(60, dtype=np.int32)
    count((cuda.CudaBackend(32), CpuBackend(1)), game, labels, guesses)
    assert host.refused > 0
