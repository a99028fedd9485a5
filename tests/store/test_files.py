"""Files: whole or absent, one writer at a time, and nothing of others is touched."""

import json
import os
import random
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest
from filelock import FileLock, Timeout

from gpu_wordle import files, store
from gpu_wordle.errors import JobError, UserError
from gpu_wordle.files import HeldError, NotWrittenError, held
from support.word_lists import make_game, make_words

HOLD = """
import sys, time
from pathlib import Path
from gpu_wordle.files import held

with held(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(60)
"""

unix = pytest.mark.skipif(sys.platform == "win32", reason="as Unix has it")


def write(path, content=b"new"):
    with held(path) as holding:
        holding.replace(content[:1], content[1:])


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_what_is_written_is_all_that_is_left(tmp_path):
    write(tmp_path / "a.txt")
    assert (tmp_path / "a.txt").read_bytes() == b"new"
    assert names(tmp_path) == ["a.txt"]


@unix
def test_permissions_are_those_of_the_umask_or_of_the_old_file(tmp_path):
    path = tmp_path / "a.txt"
    before = os.umask(0o027)
    try:
        write(path)
    finally:
        os.umask(before)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    path.chmod(0o604)
    write(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o604


def test_a_file_is_flushed_before_it_is_renamed_and_its_folder_afterwards(tmp_path, monkeypatch):
    path, done = tmp_path / "a.txt", []
    path.write_text("old")
    flush, rename = os.fsync, Path.replace

    def flushed(handle):
        flush(handle)
        is_folder = stat.S_ISDIR(os.fstat(handle).st_mode)
        done.append("folder" if is_folder else ("file", os.fstat(handle).st_size))

    def renamed(source, target):
        assert (source.read_bytes(), target.read_bytes()) == (b"new", b"old")
        done.append("renamed")
        return rename(source, target)

    monkeypatch.setattr(os, "fsync", flushed)
    monkeypatch.setattr(Path, "replace", renamed)
    write(path)
    assert done[:2] == [("file", 3), "renamed"]
    assert done[2:] == ([] if sys.platform == "win32" else ["folder"])


def test_readers_of_the_old_file_keep_it_whole(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("old")
    path.with_name("same.txt").hardlink_to(path)
    write(path)
    assert (tmp_path / "same.txt").read_text() == "old"


def test_what_reads_back_differently_is_not_kept(tmp_path, monkeypatch):
    path = tmp_path / "a.txt"
    path.write_text("old")
    flush = os.fsync

    def spoil(handle):
        flush(handle)
        os.pwrite(handle, b"x", 1)

    monkeypatch.setattr(os, "fsync", spoil)
    with pytest.raises(JobError, match=r"a\.txt: not written \(the file reads back differently"):
        write(path)
    assert path.read_text() == "old"
    assert names(tmp_path) == ["a.txt"]


@unix
def test_a_link_is_followed_to_what_it_means(tmp_path):
    (tmp_path / "below").mkdir()
    link, target = tmp_path / "link.txt", tmp_path / "below" / "real.txt"
    link.symlink_to(target)
    for content in (b"one", b"two"):  # there is nothing at first
        write(link, content)
        assert link.is_symlink()
        assert target.read_bytes() == content
    link.unlink()
    link.symlink_to(link)
    with pytest.raises(UserError, match=r"link\.txt: "):
        write(link)


def test_what_is_no_file_is_not_replaced(tmp_path):
    with pytest.raises(UserError, match="not a regular file, so it is not replaced"):
        write(tmp_path)
    with pytest.raises(JobError, match=r"there is no folder .*nowhere\).*; make it, or choose"):
        write(tmp_path / "nowhere" / "a.txt")


def test_leftovers_of_killed_runs_are_removed_and_nothing_else(tmp_path):
    left = [".a.txt.0123456789abcdef.tmp", ".a.txt.lock"]
    others = [".a.txt.tmp", ".a.txt.0123456789abcdeg.tmp", ".b.txt.0123456789abcdef.tmp", "a.txt.1"]
    for name in left + others:
        (tmp_path / name).write_text("?")
    write(tmp_path / "a.txt")
    assert names(tmp_path) == sorted(["a.txt", *others])


def test_a_second_process_is_told_who_holds_a_file(tmp_path):
    path = tmp_path / "a.txt"
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, path], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout.readline() == "held\n"
        leftover = tmp_path / ".a.txt.0123456789abcdef.tmp"
        leftover.write_text("being written")
        with pytest.raises(HeldError) as caught:
            write(path)
        process.kill()
    message = str(caught.value)
    assert f"in use by process {process.pid} (-c {path}) since 20" in message
    assert "\n" not in message
    assert leftover.exists()  # somebody is writing it, as far as one can tell
    write(path)
    assert names(tmp_path) == ["a.txt"]


def test_a_second_job_of_the_same_process_is_kept_off_too(tmp_path):
    with held(tmp_path / "a.txt"), pytest.raises(HeldError, match=f"process {os.getpid()} "):
        write(tmp_path / "a.txt")


@pytest.mark.parametrize(
    "said", ["", "[]", "{}", "9" * 5000, json.dumps({"pid": 1}), "\xff" * 9, "[" * 4000]
)
def test_a_holder_that_says_nonsense_is_another_process(tmp_path, said):
    path = tmp_path / "a.txt"
    with held(path):
        (tmp_path / ".a.txt.lock").write_text(said, encoding="latin-1")
        with pytest.raises(HeldError, match="in use by another process; wait"):
            write(path)


def test_a_holder_that_has_just_ended_is_another_process(tmp_path, monkeypatch):
    """The file that says who it is is gone by then."""

    def acquire(lock, timeout):
        raise Timeout(lock.lock_file)

    monkeypatch.setattr(FileLock, "acquire", acquire)
    with pytest.raises(HeldError, match="in use by another process; wait"):
        write(tmp_path / "a.txt")


@pytest.mark.skipif(not Path("/proc/self").is_dir(), reason="as Linux has it")
def test_nothing_is_written_among_processes():
    with pytest.raises(NotWrittenError, match="no file can be made in /proc"):
        write(Path("/proc/a.txt"))


@pytest.mark.parametrize(
    ("program", "name"),
    [
        ("/usr/bin/gpu-wordle", "gpu-wordle"),
        ("/lib/gpu_wordle/__main__.py", "python -m gpu_wordle"),
    ],
)
def test_a_command_is_told_as_it_can_be_typed(monkeypatch, program, name):
    monkeypatch.setattr(sys, "argv", [program, "rank", "--top", "3"])
    assert files.command_line() == f"{name} rank --top 3"


def test_who_holds_a_file_cannot_write_on_the_terminal(tmp_path):
    path = tmp_path / "a.txt"
    record = {"pid": 1, "host": "there\n", "command": "\x1b[31m" + "x" * 5000, "since": "now"}
    with held(path):
        (tmp_path / ".a.txt.lock").write_text(" " + json.dumps(record)[:4000])
        (tmp_path / ".a.txt.lock").write_text(" " + json.dumps({**record, "command": "\x1b" * 500}))
        with pytest.raises(HeldError, match=r"process 1 on there\? \(\?{120}\.\.\.\) since now"):
            write(path)


def test_no_more_is_read_than_is_asked_for(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes(b"12345")
    assert files.read(path, 5) == b"12345"
    with pytest.raises(UserError, match=r"a\.txt: has 5 bytes; at most 4 are read"):
        files.read(path, 4)
    with pytest.raises(UserError, match="no such file"):
        files.read(tmp_path / "b.txt", 4)
    with pytest.raises(UserError, match="not a regular file"):
        files.read(tmp_path, 4)


@unix
def test_what_never_ends_is_not_read(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", Path("/dev/zero")):
        with pytest.raises(UserError, match="not a regular file"):
            files.read(path, 4)


WRITE = """
import sys
from pathlib import Path
from gpu_wordle import store

path = Path(sys.argv[1])
contents = store.load(path)
while True:
    contents.attributes["seed"] += 1
    store.save(path, contents)
    print(contents.attributes["seed"], flush=True)
"""


@pytest.mark.slow
@unix
def test_killed_at_any_moment_a_file_is_whole_and_not_older_than_was_said(tmp_path):
    path, rng = tmp_path / "x.h5", random.Random(16)
    words = make_words(["ab"], ["ab"])
    game = make_game(words)
    store.save(path, store.describe(game, "test file", "cpu", ""))
    for _ in range(10):
        before = store.load(path).attributes["seed"]
        with subprocess.Popen(
            [sys.executable, "-c", WRITE, path], stdout=subprocess.PIPE, text=True
        ) as process:
            first = int(process.stdout.readline())
            time.sleep(rng.uniform(0, 0.03))
            process.kill()
            said = [first, *map(int, process.stdout.read().split())]
        assert first == before + 1
        assert said[-1] <= store.load(path).attributes["seed"] <= said[-1] + 1
    write(path.with_name("y.txt"))
    with held(path):
        pass
    assert names(tmp_path) == ["x.h5", "y.txt"]
