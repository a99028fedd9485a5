"""The CUDA kernels on the CPU, by the emulator, compared with ``==``; see test_device.py.

They are also compiled for several architectures, where the run-time compiler is installed.
"""

import hashlib
import re
import sys
from importlib.metadata import version
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpu_wordle.api.session import lookups_of
from gpu_wordle.backends import choose
from gpu_wordle.backends.check import checked
from gpu_wordle.backends.cpu.backend import CpuBackend
from gpu_wordle.backends.cuda import backend as cuda
from gpu_wordle.backends.cuda import device
from gpu_wordle.backends.reference import ReferenceBackend
from gpu_wordle.errors import JobError, UserError
from gpu_wordle.game.feedback import LetterFeedback
from gpu_wordle.game.patterns import PatternMatrix
from gpu_wordle.states.batch import StateBatch
from gpu_wordle.states.partition import Criterion, entropy_table
from gpu_wordle.tunables import TUNABLES
from scripts.gpu import nvrtc
from support.host_cupy import HostCupy, pretend
from support.kernels import check
from support.slices import SWITCH_SIZES, random_batch, slice_of
from support.word_lists import make_game, make_words, random_words


def _variant(file, bits, method, *criterion):
    options = [f"-DCRITERION={by.name}" for by in criterion]
    return (file, f"-DPATTERN_BITS={bits}", f"-DMETHOD={method}", *options)


VARIANTS = [("patterns.cu", f"-DLENGTH={length}") for length in range(2, 11)]
VARIANTS += [
    _variant(file, bits, method, *criterion)
    for file, *criterion in (("partition_stats.cu",), *(("best_guess.cu", by) for by in Criterion))
    for bits in (8, 16)
    for method in (*cuda.METHODS, "COUNTS_GLOBAL")
]
VARIANTS += [
    _variant(file, bits, method)
    for file, methods in (
        ("bound_states.cu", ("PAIRS", "SEEN", "SEEN_GLOBAL")),
        ("bound_guesses.cu", ("SEEN", "SEEN_GLOBAL")),
    )
    for bits in (8, 16)
    for method in methods
]
VARIANTS += [_variant("split.cu", bits, "PAIRS") for bits in (8, 16)]
VARIANTS += [
    (*_variant("joint.cu", bits, method), f"-DENTROPY={entropy}")
    for bits in (8, 16)
    for method in ("COUNTS8", "COUNTS16", "COUNTS_GLOBAL")
    for entropy in (0, 1)
]
VARIANTS += [
    _variant("collapse.cu", bits, method)
    for bits in (8, 16)
    for method in ("LABELS16", "LABELS32", "LABELS_GLOBAL")
]

FIRST_OF_FILE = {file: (file, *options) for file, *options in reversed(VARIANTS)}
TARGETS = [("90", variant) for variant in VARIANTS]
TARGETS += [(other, variant) for other in ("80", "100") for variant in FIRST_OF_FILE.values()]

REGISTERS, REGISTERS_AT_ONCE = 65_536, 256
"""Of a multiprocessor, and how many of them a warp takes at once."""

MOST_REGISTERS = 255
"""Of a thread, by the instruction set of every architecture."""


# On the CPU, by the emulator.


@pytest.mark.slow
@given(words=random_words(most_guesses=100, most_answers=80), data=st.data())
@settings(max_examples=25)
def test_random_games_match_reference(folder, words, data):
    """In one warp a block and in several, with counters in and out of shared memory."""
    sizes = data.draw(st.lists(st.integers(1, 80), min_size=1, max_size=5))
    threads = data.draw(st.sampled_from([32, 32, 64, 160]))
    shared_bytes = data.draw(st.sampled_from([232_448, 1024]))
    with pytest.MonkeyPatch.context() as patch:
        host = HostCupy(folder, shared_bytes=shared_bytes)
        pretend(patch, host)
        device.module.cache_clear()
        batch = random_batch(sizes, len(words.answers), seed=len(sizes))
        check(words, batch, cuda.CudaBackend(threads), ReferenceBackend())
    device.module.cache_clear()


@pytest.mark.parametrize("length", range(2, 11))
def test_patterns_of_every_length_match_reference(use, length):
    use()
    rng = np.random.default_rng(length)
    letters = [chr(c) for c in (0x61, 0x62, 0x63, 0x3B1, 0x20000)]  # beyond 16 bits too
    count = min(40, 5**length)
    words = list({"".join(rng.choice(letters, length)): None for _ in range(count)})
    lists = make_words(words, words[: len(words) // 2])
    patterns = cuda.CudaBackend(32).build_patterns(lists)
    expected = ReferenceBackend().build_patterns(lists)
    assert patterns.dtype == expected.dtype
    np.testing.assert_array_equal(patterns, expected)


@pytest.mark.slow
@pytest.mark.parametrize("shared_bytes", [232_448, 1024])
@pytest.mark.parametrize("threads", [32, 128])
def test_switches_of_method_match_cpu(use, original, threads, shared_bytes):
    use(shared_bytes=shared_bytes)
    words = slice_of(original, 701, 400)
    batch = random_batch((*SWITCH_SIZES, 400), 400)
    check(words, batch, cuda.CudaBackend(threads), CpuBackend(1))


@pytest.mark.slow
def test_original_game_matches_cpu(use, original):
    """All guesses and answers: the root, and one state for each way of counting."""
    use()
    evaluator = checked(cuda.CudaBackend(32), CpuBackend(1)).open(original)
    batch = random_batch((2315, 200, 30, 10), 2315)
    stats = evaluator.stats(batch)
    assert stats.parts[0].max() == 150
    for by in (Criterion.LOWER_BOUND, Criterion.ENTROPY):
        evaluator.best(batch, by)


def test_large_state(use):
    """As many answers as an index can name, in one part: the largest count and sum of squares."""
    use()
    most = 65_535
    matrix = np.zeros((most, 6), np.uint8)
    matrix[0, :5] = 8  # ALL_GREEN of two letters, and so two parts; the last guess has one
    patterns = PatternMatrix(matrix, LetterFeedback(2))
    evaluator = cuda.CudaBackend(32).open(SimpleNamespace(patterns=patterns))
    batch = StateBatch.whole(most)
    stats = evaluator.stats(batch)
    assert stats.parts.tolist() == [[2, 2, 2, 2, 2, 1]]
    assert stats.is_candidate.tolist() == [[True] * 5 + [False]]
    assert stats.max_part[0, 4:].tolist() == [most - 1, most]
    assert stats.sum_squares[0, 4:].tolist() == [(most - 1) ** 2 + 1, most**2]
    table = entropy_table(most)
    assert stats.sum_nlog2n[0, 4:].tolist() == [table[most - 1], table[most]]
    best = evaluator.best(batch, Criterion.SUM_SQUARES)
    assert (best.guess[0], best.value[0]) == (0, (most - 1) ** 2 + 1)
    assert best.lower_bound[0] == 3 * most - 2 - 1


def test_ties_go_to_candidates_then_to_the_lowest_guess(use, original):
    """Also across blocks: 40 states in 32 blocks leave one slice, one state leaves many."""
    use()
    game = make_game(slice_of(original, 300, 60))
    evaluator = cuda.CudaBackend(32).open(game)
    for a in (0, 17, 59):
        batch = StateBatch.from_sets([[a]] * 40, 60)
        for chunk in (batch, batch.chunk(0, 1)):
            assert (evaluator.best(chunk, Criterion.MAX_PART).guess == a).all()
            assert (evaluator.best(chunk, Criterion.LOWER_BOUND).lower_bound == 1).all()


def test_a_batch_too_large_for_the_device_is_halved(use, original):
    words = slice_of(original, 300, 60)
    host = use(free_bytes=20_000)  # eight states of 300 int64; it promises eight times as much
    batch = random_batch([5] * 21, 60)
    check(words, batch, cuda.CudaBackend(32), CpuBackend(1))
    assert host.refused > 0


def test_one_state_too_large_for_the_device(use, original):
    game = make_game(slice_of(original, 300, 60))
    use(free_bytes=2000)
    with pytest.raises(JobError, match="memory is too small"):
        cuda.CudaBackend(32).open(game).stats(random_batch([5], 60))


def test_empty_batch(use, original):
    use()
    game = make_game(slice_of(original, 30, 10))
    evaluator = cuda.CudaBackend(32).open(game)
    empty = StateBatch.from_sets([], 10)
    assert evaluator.stats(empty).parts.shape == (0, 30)
    assert len(evaluator.best(empty, Criterion.ENTROPY).guess) == 0


def test_auto_takes_the_device_for_large_jobs_and_says_so(use, original):
    """The statistics of a word list are a small job, ten thousand times as many are a large one."""
    use()
    few = lookups_of(original.position_after())
    assert few == 12_972 * 2315
    assert lookups_of(original.position_after("salet BBBBB")) == 12_972 * 221
    small = choose("auto", lookups=few)
    assert small.backend.name == "cpu"
    assert small.reason == (
        "auto: a device does not pay for 3.0e+07 look-ups or one state at a time, and a large "
        "search asks for one"
    )
    large = choose("auto", lookups=4 * 10**11)
    assert large.backend.name == "cuda"
    assert large.reason == "auto: a CUDA device answers, and 4.0e+11 look-ups are worth its start"
    assert (small.is_plain, large.is_plain) == (False, False)
    assert small.is_automatic
    assert large.is_automatic
    assert not choose("cuda").is_automatic


def test_blocks_beyond_what_kernels_are_compiled_for_are_refused(use):
    use()
    for threads in (512, 48, 0):
        with pytest.raises(UserError, match=f"{threads} threads .* multiple of 32 up to 256"):
            cuda.CudaBackend(threads)
    tuned = [row for row in TUNABLES.values() if row.name.endswith("_THREADS")]
    assert max(row.default for row in tuned) <= device.MAX_BLOCK_THREADS


def test_the_device_is_named(use):
    use()
    assert cuda.CudaBackend().device == "emulated device, driver for CUDA 13.0"


# Without a device.


def test_cupy_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "cupy", None)
    monkeypatch.setattr(device, "probe", device.probe.__wrapped__)
    assert re.fullmatch(r"cupy is not installed; pip install .*", device.unavailable())
    with pytest.raises(JobError, match="pip install 'cupy-cuda13x"):
        choose("cuda")
    assert choose("auto").reason.startswith("auto: cupy is not installed")


@pytest.mark.parametrize(
    ("capability", "why"),
    [("75", "compute capability 7.5, and kernels need 8.0"), ("80", None), ("120", None)],
)
def test_a_device_too_old_is_refused_in_a_line(monkeypatch, capability, why):
    allocators, given = [], []
    cuda_of_it = SimpleNamespace(
        Device=lambda: SimpleNamespace(compute_capability=capability),
        set_pinned_memory_allocator=allocators.append,
        nvrtc=SimpleNamespace(getVersion=lambda: (13, 0)),
        runtime=SimpleNamespace(memGetInfo=lambda: (1, 1), CUDARuntimeError=RuntimeError),
    )
    pool = SimpleNamespace(malloc=given.append)
    cupy = SimpleNamespace(
        __version__="14.2.0", cuda=cuda_of_it, get_default_pinned_memory_pool=lambda: pool
    )
    monkeypatch.setitem(sys.modules, "cupy", cupy)
    monkeypatch.setattr(device, "probe", device.probe.__wrapped__)
    said = device.unavailable()
    assert (said is None) if why is None else (why in said and "\n" not in said)
    for allocate in allocators:
        for size in (0, 1, 512, 513, 3 << 20):
            allocate(size)
        assert given == [0, 1, 512, 1024, 4 << 20]
    assert bool(allocators) == (why is None)


def test_kernels_missing(monkeypatch, tmp_path):
    monkeypatch.setattr(device, "__file__", str(tmp_path / "a" / "b" / "c" / "device.py"))
    with pytest.raises(JobError, match="reinstall"):
        device.kernel_folder()


def test_kernels_of_the_wheel_come_first(monkeypatch, tmp_path):
    for place in ("gpu_wordle/kernels", "kernels"):
        (tmp_path / place).mkdir(parents=True)
        (tmp_path / place / "tally.cuh").touch()
    monkeypatch.setattr(
        device, "__file__", str(tmp_path / "gpu_wordle" / "backends" / "cuda" / "device.py")
    )
    assert device.kernel_folder() == tmp_path / "gpu_wordle" / "kernels"


def test_every_method_covers_what_it_claims():
    sizes = np.array([1, 16, 17, 255, 256, 65_535])
    groups = {method: sizes[rows].tolist() for method, rows in cuda.group_by_method(sizes)}
    assert groups == {"COUNTS16": [65_535, 256], "COUNTS8": [255, 17], "PAIRS": [16, 1]}


# Compiled for real devices.


@pytest.mark.slow
@pytest.mark.skipif(nvrtc.library() is None, reason="nvidia-cuda-nvrtc is not installed")
@pytest.mark.parametrize(("architecture", "variant"), TARGETS, ids=str)
def test_kernels_compile_for_devices(cache, variant, architecture):
    """What CuPy hands to the run-time compiler: no warning, nothing spilled, blocks that fit.

    What the compiler says is kept until the text, the compiler or how it is asked has changed.
    """
    file, *options = variant
    source = device.kernel_source(file)
    asked = [source, Path(nvrtc.__file__).read_text("utf-8"), version("nvidia-cuda-nvrtc")]
    digest = hashlib.sha256("\0".join(asked).encode()).hexdigest()
    place = f"kernels/{'-'.join((architecture, *variant))}"
    kept, *said = cache.get(place, [None])
    if kept != digest:
        log, code, used = nvrtc.compile_cuda(source, file, architecture, *options)
        said = [log, bool(code), used]
        cache.set(place, [digest, *said])
    log, has_code, used = said
    assert (log, has_code) == ("", True)
    assert used
    for registers, local_bytes in used.values():
        assert registers <= MOST_REGISTERS
        assert local_bytes == 0


def test_a_block_fits_a_multiprocessor_whatever_registers_its_threads_take():
    of_warp = -(-32 * MOST_REGISTERS // REGISTERS_AT_ONCE) * REGISTERS_AT_ONCE
    assert of_warp * device.MAX_BLOCK_THREADS // 32 <= REGISTERS


@pytest.mark.skipif(nvrtc.library() is None, reason="nvidia-cuda-nvrtc is not installed")
def test_spilled_registers_and_unused_variables_are_seen():
    source = device.kernel_source("split.cu")
    options = ("-DPATTERN_BITS=8", "-DMETHOD=PAIRS")
    log, _, used = nvrtc.compile_cuda(source, "split.cu", "90", *options, "-maxrregcount=16")
    assert "spilled to local memory" in log
    assert used["split"].registers == 24  # the least that there is
    assert used["split"].local_bytes > 0
    unused = "__global__ void nothing() { int unused; unused = 1; }"
    log, code, _ = nvrtc.compile_cuda(unused, "unused.cu", "90")
    assert ("never used" in log, code) == (True, b"")


def test_no_kernel_needs_a_header_of_the_host():
    for path in Path(device.kernel_folder()).iterdir():
        included = re.findall(r"#include (.*)", path.read_text("utf-8"))
        assert set(included) <= {'"tally.cuh"', '"reach.cuh"', '"covers.cuh"', '"memo.cuh"'}
