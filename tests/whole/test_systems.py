"""What Windows and macOS do otherwise, forced here by doubles of what they lack or refuse."""

from __future__ import annotations

import io
import json
import os
import platform
import select
import signal
import socket
import subprocess
import sys
import time
import types
from pathlib import Path

import numpy as np
import pytest

from gpu_wordle import files
from gpu_wordle.backends.cpu import backend, threads
from gpu_wordle.game import patterns, reading
from gpu_wordle.jit import ahead
from gpu_wordle.ranking.stop_token import StopToken
from support.word_lists import make_words


class Guarded(io.FileIO):
    """A file whose first byte is locked by another handle, as Windows locks it."""

    def read(self, size=-1):
        self._check()
        return super().read(size)

    def readinto(self, buffer):
        self._check()
        return super().readinto(buffer)

    def readall(self):
        self._check()
        return super().readall()

    def write(self, data):
        self._check()
        return super().write(data)

    def truncate(self, size=None):
        if size == 0:
            raise PermissionError(13, "Permission denied")
        return super().truncate(size)

    def _check(self):
        if self.tell() == 0:
            raise PermissionError(13, "Permission denied")


@pytest.fixture
def locks_are_mandatory(monkeypatch):
    opened = Path.open

    def guarded(self, mode="r", *rest, **named):
        if self.suffix != ".lock":
            return opened(self, mode, *rest, **named)
        if "w" in mode:
            raise PermissionError(13, "Permission denied")
        return Guarded(self, mode.replace("b", ""))

    monkeypatch.setattr(Path, "open", guarded)


@pytest.mark.usefixtures("locks_are_mandatory")
def test_a_mandatory_lock_still_names_its_holder(tmp_path):
    path = tmp_path / "r.h5"
    with files.held(path) as holding:
        with open(tmp_path / ".r.h5.lock", "rb") as lock:  # noqa: PTH123 - this one may read it all
            said = json.loads(lock.read()[files.LOCKED_BYTES :])
        assert said["pid"] == os.getpid()
        named = f"in use by process {os.getpid()} "
        with pytest.raises(files.HeldError, match=named), files.held(path):
            pass
        holding.replace(b"whole")
    assert path.read_bytes() == b"whole"


def test_files_reach_the_disk_of_a_mac(monkeypatch, tmp_path):
    flushed = []
    double = types.SimpleNamespace(F_FULLFSYNC=51, fcntl=lambda *given: flushed.append(given[1]))
    monkeypatch.setattr(files, "fcntl", double)
    with files.held(tmp_path / "r.h5") as holding:
        holding.replace(b"whole")
    assert flushed == [51]

    def refuse(*given):
        raise OSError(45, "Operation not supported")

    synced = []
    monkeypatch.setattr(double, "fcntl", refuse)
    monkeypatch.setattr(os, "fsync", synced.append)
    with files.held(tmp_path / "s.h5") as holding:
        holding.replace(b"whole")
    assert synced
    monkeypatch.setattr(files, "fcntl", None)
    with files.held(tmp_path / "t.h5") as holding:
        holding.replace(b"whole")
    assert (tmp_path / "t.h5").read_bytes() == b"whole"


@pytest.mark.parametrize("is_mapped_by_others", [False, True])
def test_a_mapped_matrix_is_not_replaced_in_use(monkeypatch, tmp_path, is_mapped_by_others):
    """Windows refuses to replace a mapped file. A damaged one is unmapped before it is replaced."""
    monkeypatch.setenv("GPU_WORDLE_CACHE", str(tmp_path))
    words = make_words(["crane", "slate", "salet", "trace"], ["crane", "trace"])
    built = patterns.cached_patterns(words, lambda: np.zeros((2, 4), np.uint8)).values
    (path,) = patterns.kept_matrices()
    path.write_bytes(path.read_bytes()[:-1] + b"x")
    replace = Path.replace

    def unless_mapped(self, target):
        maps = Path("/proc/self/maps").read_text()
        if is_mapped_by_others or str(target) in maps:
            raise PermissionError(13, "Access is denied")
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", unless_mapped)
    again = [np.ones((2, 4), np.uint8)]
    if is_mapped_by_others:
        with pytest.warns(UserWarning, match="pattern matrix not kept: .*Access is denied"):
            values = patterns.cached_patterns(words, again.pop).values
    else:
        values = patterns.cached_patterns(words, again.pop).values
    assert (built == 0).all()
    assert (values == 1).all()


def test_without_poll_a_pipe_is_read_all_the_same(monkeypatch, tmp_path):
    if not hasattr(os, "mkfifo"):
        pytest.skip("needs a named pipe")
    monkeypatch.delattr(select, "poll")
    monkeypatch.delattr(os, "O_NONBLOCK")
    pipe = tmp_path / "words"
    os.mkfifo(pipe)
    writer = subprocess.Popen(
        [sys.executable, "-c", f"open({str(pipe)!r}, 'wb').write(b'salet\\n')"]
    )
    try:
        assert reading.read_bytes(pipe, 100, "no such file") == b"salet\n"
    finally:
        writer.wait()


def test_without_alarms_a_time_limit_waits_for_the_search(monkeypatch):
    monkeypatch.delattr(signal, "SIGALRM")
    monkeypatch.delattr(signal, "setitimer")
    token = StopToken(0.001)
    with token.preparing(), token.paused():
        time.sleep(0.01)
    time.sleep(0.01)
    assert token.is_due()


def test_frozen_programs_compile_in_their_own_process(monkeypatch):
    assert ahead.has_python()
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert not ahead.has_python()


def test_on_windows_no_other_server_takes_the_port(monkeypatch):
    server = pytest.importorskip("gpu_wordle.web.server")
    assert server.address_option() == (socket.SO_REUSEADDR, 1)
    monkeypatch.setattr(socket, "SO_EXCLUSIVEADDRUSE", -5, raising=False)
    assert server.address_option() == (-5, 1)


def test_free_memory_elsewhere(monkeypatch, tmp_path):
    monkeypatch.setattr(threads, "MEMORY", tmp_path / "missing")
    double = types.SimpleNamespace(virtual_memory=lambda: types.SimpleNamespace(available=3 << 30))
    monkeypatch.setitem(sys.modules, "psutil", double)
    assert threads.available_bytes() == 3 << 30
    monkeypatch.setitem(sys.modules, "psutil", None)
    assert threads.available_bytes() == 2 << 30


def test_processors_are_named(monkeypatch):
    assert backend.processor_name()
    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setattr(subprocess, "check_output", lambda *given, **named: "Apple M2\n")
    assert backend.processor_name() == "Apple M2"

    def refuse(*given, **named):
        raise FileNotFoundError

    monkeypatch.setattr(subprocess, "check_output", refuse)
    monkeypatch.setattr(platform, "processor", lambda: "arm")
    assert backend.processor_name() == "arm"

    class Key:
        def __enter__(self):
            return self

        def __exit__(self, *error):
            pass

    registry = types.SimpleNamespace(
        HKEY_LOCAL_MACHINE=0,
        OpenKey=lambda root, place: Key(),
        QueryValueEx=lambda key, name: ("AMD Ryzen 9 ", 1),
    )
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setitem(sys.modules, "winreg", registry)
    assert backend.processor_name() == "AMD Ryzen 9"
