"""The kernels of frontiers on the CPU, by the emulator, against their twins."""

import threading

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpu_wordle import store
from gpu_wordle.backends.check import checked
from gpu_wordle.backends.cpu.backend import CpuBackend
from gpu_wordle.backends.cuda import backend as cuda
from gpu_wordle.backends.cuda import device
from gpu_wordle.backends.cuda import lists as cuda_lists
from gpu_wordle.backends.reference import ReferenceBackend
from gpu_wordle.errors import JobError
from gpu_wordle.solver import BatchedPool, Limits, SolverPool, TranspositionTable
from gpu_wordle.states.batch import StateBatch
from gpu_wordle.states.joint import labels_of
from gpu_wordle.states.partition import Criterion
from support import ROOT
from support.frontiers import check_bounds, expand
from support.host_cupy import DeviceFailureError, HostCupy, HostKernel, pretend
from support.slices import SWITCH_SIZES, random_batch, slice_of
from support.word_lists import make_game, make_words, random_words

RESULTS = ROOT / "results"


@pytest.mark.slow
@given(words=random_words(most_guesses=80, most_answers=60, lengths=(2, 10)), data=st.data())
@settings(max_examples=25)
def test_frontiers_match_cpu(folder, words, data):
    """Lists, children and bounds, two levels down; with and without room in shared memory."""
    threads = data.draw(st.sampled_from([32, 32, 64, 160, 256]))
    shared_bytes = data.draw(st.sampled_from([232_448, 1024]))
    free_bytes = data.draw(st.sampled_from([1 << 30, 128 << 20]))  # a block of 256 takes 121 MB
    with pytest.MonkeyPatch.context() as patch:
        pretend(patch, HostCupy(folder, shared_bytes=shared_bytes, free_bytes=free_bytes))
        device.module.cache_clear()
        game = make_game(words)
        frontier = checked(cuda.CudaBackend(threads), CpuBackend(1)).open_frontier(game)
        expand(frontier, game, np.random.default_rng(data.draw(st.integers(0, 99))))
    device.module.cache_clear()


@pytest.mark.slow
def test_frontier_of_the_original_game(use, original):
    """From the root down, with states of every way of counting."""
    use()
    frontier = checked(cuda.CudaBackend(32), CpuBackend(1)).open_frontier(original)
    children = expand(frontier, original, np.random.default_rng(0), pairs=3, small=8)
    sizes = children.states.sizes
    assert sizes.max() > 255
    assert sizes.min() <= 16


@pytest.mark.slow
@pytest.mark.parametrize("shared_bytes", [232_448, 2048])
@pytest.mark.parametrize(("threads", "guesses"), [(32, 501), (128, 331)])
def test_bounds_at_switches_of_method_match_cpu(use, original, threads, guesses, shared_bytes):
    """States and parts around each change, in and out of shared memory, small before large."""
    use(shared_bytes=shared_bytes)
    game = make_game(slice_of(original, guesses, 300))
    frontier = checked(cuda.CudaBackend(threads), CpuBackend(1)).open_frontier(game)
    check_bounds(frontier, random_batch((*SWITCH_SIZES, 33, 300), 300))


@pytest.mark.parametrize("length", range(2, 11))
def test_bounds_of_every_length_match_cpu(use, length):
    """Patterns of 16 bits, up to so many that they are counted out of shared memory."""
    use()
    rng = np.random.default_rng(length)
    words = list({"".join(rng.choice(list("abc"), length)): None for _ in range(60)})
    lists = make_words(words, words[: len(words) * 2 // 3])
    frontier = checked(cuda.CudaBackend(64), CpuBackend(1)).open_frontier(make_game(lists))
    check_bounds(frontier, random_batch((3, 17, 40), len(lists.answers)))


@pytest.mark.slow
@pytest.mark.parametrize("threads", [32, 96, 256])
@pytest.mark.parametrize(("length", "shared_bytes"), [(5, 232_448), (5, 2048), (7, 232_448)])
def test_every_method_in_every_block_size_matches_reference(use, threads, length, shared_bytes):
    """All that is asked of backends, of 8 and 16 bits, in and out of shared memory."""
    use(shared_bytes=shared_bytes)
    rng = np.random.default_rng(length)
    words = list({"".join(rng.choice(list("abcd"), length)): None for _ in range(40)})
    game = make_game(make_words(words, words[:24]))
    backend = checked(cuda.CudaBackend(threads), ReferenceBackend())
    batch = StateBatch.join([StateBatch.whole(24), random_batch((2, 3, 9), 24)])
    evaluator = backend.open(game)
    evaluator.stats(batch)
    for criterion in (Criterion.LOWER_BOUND, Criterion.ENTROPY):
        evaluator.best(batch, criterion)
    counter = backend.open_joint(game, np.arange(game.guess_count, dtype=np.int32))
    for labels in (labels_of(game.patterns, [0, 1]), np.zeros((1, 24), np.uint16)):
        counter.parts(labels)
        counter.entropy(labels)
    expand(backend.open_frontier(game), game, rng, pairs=3)


def test_modules_are_compiled_once_and_kept(use, original):
    """Whatever else is opened on the device, and however many kernels a module has."""
    host = use()
    game = make_game(slice_of(original, 60, 40))
    for _ in range(2):
        frontier = cuda.CudaBackend(32).open_frontier(game)
        expand(frontier, game, np.random.default_rng(0), pairs=2)
        made = len(host.modules)
    assert len(set(host.modules)) == len(host.modules) == made == 5


@pytest.mark.slow
def test_covers_spare_counting_and_change_no_survivor(use, original, monkeypatch):
    """Nor do covers of which only some bits are there yet, as a block may find them on a device."""
    use()
    game = make_game(slice_of(original, 800, 300))
    batch = random_batch((300, 150, 80), 300)
    found, counted = [], []

    def refute(frontier, lists):
        survivors = frontier.refute(lists, lists.bound + batch.sizes // 5)
        found.append([survivors.indptr, survivors.guess, survivors.total])

    def count():
        counted.append(sum(int(held.entered.sum()) for held in lists.held))

    for words in (0, cuda_lists.MAX_COVER_WORDS):
        monkeypatch.setattr(cuda_lists, "MAX_COVER_WORDS", words)
        frontier = cuda.CudaBackend(32).open_frontier(game)
        lists = frontier.collapse(batch)
        (held,) = lists.held
        assert len(held.memory) <= frontier.list_bytes(batch.sizes).sum()
        refute(frontier, lists)
        count()
    covers = held.memory[int(held.covers[0, 0] - held.matrices[0, 0]) :]
    seen = np.random.default_rng(0).integers(256, size=(4, len(covers)), dtype=np.uint8)
    covers &= np.bitwise_or.reduce(seen)  # all but a sixteenth
    refute(frontier, lists)
    count()
    twin = CpuBackend(1).open_frontier(game)
    refute(twin, twin.collapse(batch))

    for by_kernels in found[:-1]:
        for array, expected in zip(by_kernels, found[-1], strict=True):
            np.testing.assert_array_equal(array, expected)
    assert len(found[0][1]) > len(batch)
    assert counted[1] < counted[0] / 2
    assert 0 < counted[2] - counted[1] < counted[1]


@pytest.mark.slow
def test_memos_spare_counting_and_change_no_survivor(use, original, monkeypatch):
    """Nor do entries of two parts that blocks write at a time, each half of which is another's."""
    use()
    monkeypatch.setattr(cuda_lists, "MAX_COVER_WORDS", 0)
    game = make_game(slice_of(original, 1000, 300))
    batch = random_batch((300, 150, 80), 300)
    found, counted = [], []

    def refute(frontier, lists):
        (held,) = lists.held
        before = int(held.entered.sum())
        survivors = frontier.refute(lists, lists.bound + batch.sizes // 5)
        found.append([survivors.indptr, survivors.guess, survivors.total])
        counted.append(int(held.entered.sum()) - before)

    for least in (1, cuda_lists.MIN_MEMO_ENTRIES):
        monkeypatch.setattr(cuda_lists, "MIN_MEMO_ENTRIES", least)
        monkeypatch.setattr(cuda_lists, "MEMO_SHARE", 1 << 20 if least == 1 else 2)
        frontier = cuda.CudaBackend(32).open_frontier(game)
        lists = frontier.collapse(batch)
        (held,) = lists.held
        assert len(held.memory) <= frontier.list_bytes(batch.sizes).sum()
        refute(frontier, lists)
    refute(frontier, lists)  # now that all parts are known
    begin = int(held.memos[0, 0] - held.matrices[0, 0])
    entries = held.memory[begin : begin + 16 * int(held.memos[:, 1].sum())]
    entries = entries.view(np.uint64).reshape(-1, 2)
    filled = np.flatnonzero(entries[:, 1])
    assert len(filled) > 500
    entries[filled, 1] = np.roll(entries[filled, 1], 1)
    refute(frontier, lists)
    twin = CpuBackend(1).open_frontier(game)
    survivors = twin.refute(twin.collapse(batch), lists.bound + batch.sizes // 5)
    expected = survivors.indptr, survivors.guess, survivors.total

    for by_kernels in found:
        for array, other in zip(by_kernels, expected, strict=True):
            np.testing.assert_array_equal(array, other)
    assert counted[1] < counted[0]
    assert counted[2] < counted[1] / 3
    assert counted[3] > counted[2]


def test_what_needs_no_counting_is_remembered_too(use, original):
    """Parts of which some answer tells as much as is to be known."""
    use()
    game = make_game(slice_of(original, 300, 120))
    frontier = cuda.CudaBackend(32).open_frontier(game)
    lists = frontier.collapse(StateBatch.whole(120))
    (held,) = lists.held
    frontier.refute(lists, lists.bound + 2)
    assert int(held.entered.sum()) == 0
    begin = int(held.memos[0, 0] - held.matrices[0, 0])
    memo = held.memory[begin : begin + 16 * int(held.memos[0, 1])].view(np.uint64)
    assert np.count_nonzero(memo[1::2]) > 0


def test_without_pinned_memory_answers_come_all_the_same(use, original, monkeypatch):
    host = use()
    game = make_game(slice_of(original, 60, 30))
    frontier = cuda.CudaBackend(32).open_frontier(game)
    root, guesses = StateBatch.whole(30), np.arange(60, dtype=np.int32)

    def refuse(size):
        raise DeviceFailureError("cudaErrorMemoryAllocation")

    expected = frontier.split(root, 0 * guesses, guesses)
    monkeypatch.setattr(host.cuda, "alloc_pinned_memory", refuse)
    found = frontier.split(root, 0 * guesses, guesses)
    np.testing.assert_array_equal(found.child, expected.child)
    np.testing.assert_array_equal(found.states.keys, expected.states.keys)


def test_each_thread_has_a_stream_and_leaves_nothing_undone(use, original):
    """So that what one has made is there for another, whose stream waits for no other stream."""
    host = use()
    game = make_game(slice_of(original, 200, 90))
    frontier = cuda.CudaBackend(32).open_frontier(game)
    assert all(stream.is_done for stream in host.streams)
    twin = CpuBackend(1).open_frontier(game)
    root, zero = StateBatch.whole(90), np.zeros(1, np.int32)
    made = []

    def ask(work):
        thread = threading.Thread(target=lambda: made.append(work()))
        thread.start()
        thread.join()
        assert all(stream.is_done for stream in host.streams)
        return made.pop()

    states = ask(lambda: frontier.split(root, zero, zero)).states
    assert len(states) == len(twin.split(root, zero, zero).states)
    known = 2 * states.sizes - 1
    bounds = ask(lambda: frontier.bound_states(states, known))
    np.testing.assert_array_equal(bounds, twin.bound_states(states, known))
    lists = ask(lambda: frontier.collapse(root))
    survivors = ask(lambda: frontier.refute(lists, lists.bound + 4))
    expected = twin.refute(twin.collapse(root), lists.bound + 4)
    np.testing.assert_array_equal(survivors.guess, expected.guess)
    np.testing.assert_array_equal(survivors.total, expected.total)
    used = len(host.streams)
    frontier.refute(lists, lists.bound)
    assert len(host.streams) == used  # for streams of threads that are done are lent again
    assert host.carveouts == {100}  # for kernels of two streams share a multiprocessor then


def test_nothing_to_bound(use, original):
    use()
    game = make_game(slice_of(original, 30, 10))
    frontier = cuda.CudaBackend(32).open_frontier(game)
    none, nobody = np.empty(0, np.int64), StateBatch.from_sets([], 10)
    assert len(frontier.bound_states(nobody, none)) == 0
    assert len(frontier.refute(frontier.collapse(nobody), none).guess) == 0


def test_a_state_too_large_to_bound_guesses(use, original):
    use(shared_bytes=1024)
    game = make_game(slice_of(original, 300, 250))
    frontier = cuda.CudaBackend(32).open_frontier(game)
    lists = frontier.collapse(StateBatch.whole(250))
    with pytest.raises(JobError, match="250 answers is too large for the device"):
        frontier.refute(lists, lists.bound + 1)


@pytest.mark.slow
def test_a_whole_ranking_is_checked_step_by_step(use, original):
    """300 answers and 500 openers by the kernels, thousands of states compared with the CPU."""
    use()
    game = make_game(slice_of(original, 500, 300))
    frontier = checked(cuda.CudaBackend(32), CpuBackend(1)).open_frontier(game)
    limits = Limits(small=24, group=300)
    with BatchedPool(game, frontier, 2, TranspositionTable(1 << 22), limits=limits) as pool:
        totals = {
            guess: result.lower for guess, result in pool.solve_guesses(game.start(), range(500))
        }
    with SolverPool(game, 2) as pool:
        alone = {
            guess: result.lower for guess, result in pool.solve_guesses(game.start(), range(500))
        }
    assert len(totals) == 500
    assert totals == alone


@pytest.mark.slow
def test_what_is_done_again_for_lack_of_memory_counts_once(use, original, monkeypatch):
    """Of a piece of work with small states and large ones the second half fails."""
    use()
    game = make_game(slice_of(original, 330, 300))
    batch = random_batch((300, 20, 290), 300)
    frontier = cuda.CudaBackend(32).open_frontier(game)
    lists = frontier.collapse(batch)
    cutoff = lists.bound + batch.sizes // 4
    found = frontier.refute(lists, cutoff)
    assert np.diff(found.indptr).min() > 0
    launch, calls = HostKernel.__call__, []

    def fail_once(kernel, *arguments, **options):
        calls.append(kernel.name)
        if calls.count("bound_guesses") == 2 and calls[-1] == "bound_guesses":
            raise MemoryError
        return launch(kernel, *arguments, **options)

    monkeypatch.setattr(HostKernel, "__call__", fail_once)
    again = frontier.refute(lists, cutoff)
    assert calls.count("bound_guesses") > 3
    for name in ("indptr", "guess", "total"):
        np.testing.assert_array_equal(getattr(again, name), getattr(found, name))


@pytest.mark.slow
def test_a_frontier_short_of_memory_takes_smaller_batches(use, original):
    game = make_game(slice_of(original, 300, 60))
    host = use(free_bytes=60_000)
    host.cuda.runtime.memGetInfo = lambda: (1 << 24, 1 << 24)  # more than there is
    frontier = checked(cuda.CudaBackend(32), CpuBackend(1)).open_frontier(game)
    expand(frontier, game, np.random.default_rng(0), pairs=200)
    assert host.refused > 0


@pytest.mark.slow
def test_the_memory_given_bounds_lists_and_work(use, original):
    """Half each; more than a list's worth of states at a time would need more than that."""
    game = make_game(slice_of(original, 300, 60))
    host = use()
    largest = []
    empty = host.empty
    host.empty = lambda shape, dtype: (
        largest.append(np.empty(shape, dtype).nbytes) or empty(shape, dtype)
    )
    given = 80_000
    backend = cuda.CudaBackend(32)
    for memory_bytes in (None, given):
        largest.clear()
        frontier = backend.open_frontier(game, memory_bytes)
        assert memory_bytes is None or frontier.memory_bytes == given // 2
        expand(frontier, game, np.random.default_rng(0), pairs=80)
        assert (max(largest) <= given // 2) == (memory_bytes is not None)


@pytest.mark.slow
@pytest.mark.parametrize("word", ["salet"])
def test_openers_of_the_original_game_have_their_published_totals(use, original, word):
    """By the kernels from the root down; scripts/gpu/emulated.py takes openers of all ranks."""
    use()
    openers = store.read_openers(store.load(RESULTS / "openers-original-normal.h5"))
    guess = original.words.guesses.find(word)
    frontier = cuda.CudaBackend(32).open_frontier(original)
    with BatchedPool(original, frontier, 1, TranspositionTable(1 << 24)) as pool:
        ((_, result),) = pool.solve_guesses(original.start(), [guess])
    assert result.is_exact
    assert result.lower == openers.lower[guess]
