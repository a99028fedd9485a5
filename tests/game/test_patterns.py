"""The cache of pattern matrices: hit, miss, damage, and folders that refuse."""

import hashlib
import io
import json
import os
import stat
import sys
from functools import partial
from itertools import islice, product

import numpy as np
import pytest

from gpu_wordle.backends.cpu import backend as cpu
from gpu_wordle.files import held
from gpu_wordle.game import patterns
from gpu_wordle.game.patterns import CACHE_VARIABLE, cache_folder, cached_patterns
from support.commands import invoke
from support.word_lists import make_words

WORDS = make_words(["crane", "slate", "salet", "trace"], ["crane", "trace"])


class Builder:
    """Counts how often the matrix is built."""

    def __init__(self):
        self.calls = 0

    def __call__(self):
        self.calls += 1
        return cpu.CpuBackend(1).build_patterns(WORDS)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "cache"))
    return tmp_path / "cache"


def test_built_once_and_mapped_afterwards(folder):
    build = Builder()
    first = cached_patterns(WORDS, build)
    second = cached_patterns(WORDS, build)
    assert build.calls == 1
    assert isinstance(second.values, np.memmap)
    assert np.array_equal(first.values, second.values)
    assert [p.suffix for p in folder.iterdir()] == [".npy"]


def test_the_file_is_named_after_lists_and_feedback(folder):
    """So an update finds what an older version has kept."""
    cached_patterns(WORDS, Builder())
    assert [p.name for p in folder.iterdir()] == [f"patterns-{WORDS.sha256[:32]}.npy"]


def test_the_folder_is_made_with_those_above_it(tmp_path, monkeypatch):
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "deep" / "cache"))
    cached_patterns(WORDS, Builder())
    assert len(list((tmp_path / "deep" / "cache").iterdir())) == 1


@pytest.mark.skipif(sys.platform == "win32", reason="permissions are those of Unix")
def test_permissions_are_those_of_the_umask(folder):
    before = os.umask(0o027)
    try:
        cached_patterns(WORDS, Builder())
    finally:
        os.umask(before)
    (path,) = folder.iterdir()
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_what_killed_runs_have_left_is_removed(folder):
    cached_patterns(WORDS, Builder())
    (path,) = folder.iterdir()
    for content in (b"damaged", path.read_bytes()):
        path.write_bytes(content)
        path.with_name(f".{path.name}.0123456789abcdef.tmp").write_text("half")
        path.with_name(f".{path.name}.lock").write_text("1 ")
        cached_patterns(WORDS, Builder())
        assert list(folder.iterdir()) == [path]


def test_what_another_process_is_writing_is_left_to_it(folder):
    cached_patterns(WORDS, Builder())
    (path,) = folder.iterdir()
    path.unlink()
    with held(path):
        assert cached_patterns(WORDS, Builder()).values.shape == (2, 4)
    assert not path.exists()
    cached_patterns(WORDS, Builder())
    with held(path):
        cached_patterns(WORDS, Builder())
        assert len(list(folder.iterdir())) == 2


def test_rebuilt_when_cut_off_at_any_byte(folder):
    build = Builder()
    cached_patterns(WORDS, build)
    (path,) = folder.iterdir()
    whole = path.read_bytes()
    for size in range(len(whole)):
        path.write_bytes(whole[:size])
        calls = build.calls
        matrix = cached_patterns(WORDS, build)
        assert build.calls == calls + 1
        assert np.array_equal(matrix.values, build())
        assert path.read_bytes() == whole


def test_rebuilt_when_a_byte_is_wrong(folder):
    build = Builder()
    cached_patterns(WORDS, build)
    (path,) = folder.iterdir()
    whole = path.read_bytes()
    for position in range(0, len(whole), 7):
        damaged = bytearray(whole)
        damaged[position] ^= 0x10
        path.write_bytes(damaged)
        assert np.array_equal(cached_patterns(WORDS, build).values, build())
        assert path.read_bytes() == whole


@pytest.mark.parametrize("change", [lambda v: v.astype(np.uint16), lambda v: v[:1], lambda v: v.T])
def test_rebuilt_when_it_is_a_matrix_of_something_else(folder, change):
    """Signed as it should be, and of another type or shape."""
    true = cached_patterns(WORDS, Builder()).values.copy()
    (path,) = folder.iterdir()
    body = io.BytesIO()
    np.save(body, change(true))
    path.write_bytes(body.getvalue() + hashlib.sha256(body.getvalue()).digest())
    build = Builder()
    assert np.array_equal(cached_patterns(WORDS, build).values, true)
    assert build.calls == 1


def test_patterns_of_long_words_are_never_read_as_bytes(folder):
    words = make_words(["planet", "garden"], ["planet", "garden"])
    true = cached_patterns(words, partial(cpu.CpuBackend(1).build_patterns, words)).values.copy()
    assert true.dtype == np.uint16
    (path,) = folder.iterdir()
    body = io.BytesIO()
    np.save(body, (true % 256).astype(np.uint8))
    path.write_bytes(body.getvalue() + hashlib.sha256(body.getvalue()).digest())
    again = cached_patterns(words, partial(cpu.CpuBackend(1).build_patterns, words))
    assert np.array_equal(again.values, true)


def test_a_folder_that_cannot_be_written_costs_a_warning(folder):
    folder.parent.joinpath("cache").write_text("a file where the folder should be")
    with pytest.warns(UserWarning, match="cannot be written") as caught:
        matrix = cached_patterns(WORDS, Builder())
    assert matrix.values.shape == (2, 4)
    assert [warning.filename for warning in caught] == [__file__]  # whoever has asked


def test_a_full_disk_leaves_no_rubbish(folder, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.warns(UserWarning, match="No space left"):
        cached_patterns(WORDS, Builder())
    assert list(folder.iterdir()) == []


def test_default_folder_is_the_platforms(monkeypatch):
    monkeypatch.delenv(CACHE_VARIABLE)
    assert "gpu_wordle" in str(cache_folder())


def age(path, seconds):
    """Make a file's last use as long ago."""
    used = path.stat().st_mtime - seconds
    os.utime(path, (used, used))


def rows_of_words(number, count=700):
    """Lists whose matrix takes about half a MiB, others for each number."""
    letters = "abcdefghijklmnopqrstuvwxyz"
    words = ["".join(three) for three in islice(product(letters, repeat=3), count)]
    listed = [f"{letters[number]}{word}" for word in words]
    return make_words(listed, listed)


def test_the_file_used_longest_ago_makes_room(folder, monkeypatch):
    monkeypatch.setattr(patterns, "PATTERN_CACHE_MIB", 1)
    build = cpu.CpuBackend(1).build_patterns
    lists = [rows_of_words(number) for number in range(4)]
    paths = [folder / f"patterns-{words.sha256[:32]}.npy" for words in lists]
    first, second = (cached_patterns(words, partial(build, words)) for words in lists[:2])
    for path, seconds in zip(paths, (200, 100), strict=False):
        age(path, seconds)
    assert all(path.exists() for path in paths[:2])
    cached_patterns(lists[0], lambda: pytest.fail("it is there"))  # which is a use
    cached_patterns(lists[2], partial(build, lists[2]))
    assert [path.exists() for path in paths[:3]] == [True, False, True]
    assert np.array_equal(second.values, build(lists[1]))  # whoever holds it keeps it
    age(paths[0], 300)
    with held(paths[0]):  # what somebody is writing stays, however old
        cached_patterns(lists[3], partial(build, lists[3]))
        assert [path.exists() for path in paths] == [True, False, False, True]
    assert np.array_equal(first.values, build(lists[0]))


def test_a_file_larger_than_all_room_stays_while_it_is_in_use(folder, monkeypatch):
    monkeypatch.setattr(patterns, "PATTERN_CACHE_MIB", 1)
    words = rows_of_words(0, 1100)
    cached_patterns(WORDS, Builder())
    cached_patterns(words, partial(cpu.CpuBackend(1).build_patterns, words))
    assert [p.name for p in folder.iterdir()] == [f"patterns-{words.sha256[:32]}.npy"]
    cached_patterns(words, lambda: pytest.fail("it is there"))


def test_what_killed_runs_have_left_of_other_lists_is_removed(folder):
    cached_patterns(WORDS, Builder())
    (path,) = folder.iterdir()
    left = folder / ".patterns-0123.npy.0123456789abcdef.tmp"
    left.write_text("half")
    left.with_name(".patterns-0123.npy.lock").write_text("1 ")
    path.unlink()
    cached_patterns(WORDS, Builder())
    assert list(folder.iterdir()) == [path]


def test_info_says_how_much_is_kept_and_may_be(folder, capsys):
    cached_patterns(rows_of_words(0), lambda: np.zeros((700, 700), np.uint8))
    invoke(["info", "--json"])
    told = json.loads(capsys.readouterr().out)["cache"]
    assert told == f"{folder} (1 pattern matrices, 0 MB; at most 1,074 MB are kept)"
