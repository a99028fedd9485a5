"""How the command line behaves: closed streams, narrow encodings, odd names, and long waits."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from gpu_wordle import store
from gpu_wordle.backends.cpu import threads
from gpu_wordle.cli import console
from gpu_wordle.errors import INTERRUPTED, JobError
from gpu_wordle.game import games
from gpu_wordle.game.words import GameWords, words_of
from gpu_wordle.ranking import stop_token
from gpu_wordle.ranking.stop_token import Reason, StopToken
from gpu_wordle.solver import SolverPool, Stop
from gpu_wordle.tunables import THREADS_PER_CORE
from support.commands import COMMAND, child, invoke
from support.output import rows_of
from support.word_lists import make_game

NAMES = ["[bold]io", "[/red]", ":smile:", "ünï"]
LONG = ["solve", "1111", "--guesses", "mastermind:4x8", "--max-guesses", "6"]
"""A question of more than a minute."""


@pytest.fixture
def moons(tmp_path):
    """A game with odd names, in a folder of its own."""
    rows = [["9", *NAMES]]
    for g, name in enumerate(NAMES):
        rows.append([name, *("9" if a == g else str(1 + (a + g) % 3) for a in range(4))])
    text = "\n".join(map(",".join, rows))
    (tmp_path / "m.csv").write_text(text, encoding="utf-8")
    return tmp_path


# Threads


def test_threads_are_granted_as_the_help_says(monkeypatch):
    monkeypatch.setattr(threads, "available_cores", lambda: 3)
    most = 3 * THREADS_PER_CORE
    assert [threads.granted(n) for n in (None, 1, most, most + 1, 10**30)] == [
        3,
        1,
        most,
        most,
        most,
    ]
    assert [threads.granted(n, 2) for n in (None, 1, 10_000)] == [2, 1, 2]
    assert threads.granted(5, 10**9) == 5
    assert threads.granted(None, 0) == 1


def test_a_pool_starts_no_more_threads_than_are_of_use():
    listed = words_of(["crane", "slate"], "own words")
    words = GameWords(listed, listed)
    pool = SolverPool(make_game(words), threads=10_000)
    with pool:
        assert pool.threads == THREADS_PER_CORE * threads.available_cores()


def test_the_verbs_say_how_many_threads_they_took(run):
    """The small game has fifteen guesses."""
    said = run("prove", "--threads", 10_000)
    most = min(15, THREADS_PER_CORE * threads.available_cores())
    assert f" on {most} threads" in said
    assert " on 1 thread\n" in run("prove", "--threads", 1)


# Streams


@pytest.mark.slow
def test_names_are_shown_as_they_are(moons):
    """One that looks like markup, one that would close it, one that looks like an emoji."""
    guesses = ["--guesses", "m.csv", "-q"]
    shown = [
        child("rank", *guesses, cwd=moons)[0],
        child("solve", *NAMES, *guesses, cwd=moons)[0],
    ]
    for out in shown:
        assert all(name in out for name in NAMES), out


@pytest.mark.parametrize(
    ("verb", "seen"),
    [
        (["prove"], "[BOLD]IO"),
        (["spectrum", "[bold]io"], "[BOLD]IO: 4 answers"),
        (["guarantee", "[/red]"], "[/RED]: yes"),
    ],
)
def test_and_in_the_lines_of_the_other_verbs(moons, monkeypatch, capsys, verb, seen):
    monkeypatch.chdir(moons)
    invoke([*verb, "--guesses", "m.csv", "-q"])
    assert seen in capsys.readouterr().out


def test_what_an_encoding_lacks_is_shown_by_its_number(moons):
    spectrum = ["spectrum", "ünï", "--guesses", "m.csv", "-q"]
    out, err = child(*spectrum, cwd=moons, env={"PYTHONIOENCODING": "ascii"})
    assert out.startswith(r"\xdcN\xcf: 4 answers")
    assert "####" in out
    assert err == (
        "gpu-wordle: warning: ascii lacks characters of the output, which are escaped; "
        "set PYTHONIOENCODING=utf-8\n"
    )


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="streams are closed otherwise there")
def test_a_result_is_given_though_stderr_is_closed(moons):
    solve = ["solve", "[bold]io", "--guesses", "m.csv", "--json"]
    out, _ = child(*solve, cwd=moons, begin=lambda: os.close(2), stderr=None)
    assert rows_of(out)[0]["opener"] == "[bold]io"
    with Path("/dev/full").open("w") as full:
        out, _ = child(*solve, cwd=moons, stderr=full)
    assert rows_of(out)[0]["opener"] == "[bold]io"


@pytest.mark.skipif(sys.platform == "win32", reason="streams are closed otherwise there")
def test_a_closed_output_is_one_line(moons):
    spectrum = ["spectrum", "[bold]io", "--guesses", "m.csv", "-q"]
    _, err = child(*spectrum, cwd=moons, begin=lambda: os.close(1), stdout=None, code=1)
    assert err == "gpu-wordle: error: the output cannot be written (Bad file descriptor)\n"


def test_a_reader_who_has_seen_enough_is_no_error(moons):
    reader, writer = os.pipe()
    os.close(reader)
    spectrum = ["spectrum", "[bold]io", "--guesses", "m.csv", "-q"]
    _, err = child(*spectrum, cwd=moons, stdout=writer, code=141)
    os.close(writer)
    assert err == ""


@pytest.mark.skipif(sys.platform != "linux", reason="limits are set otherwise there")
def test_too_little_memory_is_one_line(moons):
    resource = pytest.importorskip("resource")

    def little():
        resource.setrlimit(resource.RLIMIT_AS, (3 << 29, 3 << 29))

    solve = ["solve", "[bold]io", "--guesses", "m.csv", "-q", "--table-size", 4000]
    _, err = child(*solve, cwd=moons, begin=little, code=2)
    assert err == "gpu-wordle: error: no memory for the table; choose a smaller --table-size\n"


def test_file_names_stay_on_the_line(tmp_path):
    _, err = child("rank", "--guesses", "no\nsuch\x1b[31m", cwd=tmp_path, code=2)
    assert err.startswith(r"gpu-wordle: error: no\nsuch\x1b[31m: no such file")
    assert err.count("\n") == 1


# Waiting


def test_a_long_question_is_stopped_by_its_time_limit(tmp_path):
    started = time.monotonic()
    out, err = child(*LONG, "--time-limit", "1s", "--json", cwd=tmp_path)
    assert time.monotonic() - started < 40
    assert "out of time; what is shown was proved by then" in err
    assert not any(found["exact"] for found in rows_of(out))


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent otherwise there")
def test_a_long_question_is_stopped_by_ctrl_c(tmp_path):
    with subprocess.Popen(
        [*COMMAND, *LONG], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        for line in process.stderr:  # after some seconds of silence it says that it works
            if "Ctrl-C ends it" in line:
                break
        process.send_signal(signal.SIGINT)
        started = time.monotonic()
        out, err = process.communicate(timeout=60)
        assert time.monotonic() - started < 20
    assert process.returncode == 130
    assert "interrupted" in err
    assert "1,296 answers possible" in out or "Traceback" not in err


def test_people_who_wait_are_told_that_the_work_goes_on(monkeypatch, capsys):
    monkeypatch.setattr(console, "TOLD_AFTER_S", 0.02)
    for quiet in (False, True):
        with console.Bar("solving", quiet=quiet) as bar:
            time.sleep(0.1)
            bar.show(3, 1000)
            time.sleep(0.2)
        said = capsys.readouterr().err
        if quiet:
            assert said == ""
            continue
        assert "still preparing after 0 seconds; Ctrl-C ends it\n" in said
        assert "still solving after 0 seconds, 3 of 1,000 done; Ctrl-C ends it\n" in said
        assert said.count("\n") < 6  # each pause is twice as long as the one before


def test_quick_work_says_nothing(capsys):
    with console.Bar("solving", quiet=False) as bar:
        bar.show(0, 1)
        bar.show(1, 1)
    assert capsys.readouterr().err == ""


def test_a_terminal_shows_that_the_work_goes_on(monkeypatch, capsys):
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(console, "SHOWN_AFTER_S", 0.02)
    with console.Bar("solving", quiet=False):
        time.sleep(0.5)
    assert "preparing" in capsys.readouterr().err


@pytest.mark.skipif(not hasattr(signal, "SIGALRM"), reason="has no alarm")
def test_time_may_be_over_before_the_search_begins(monkeypatch):
    monkeypatch.setattr(stop_token, "GRACE_SECONDS", 0.05)
    before = signal.getsignal(signal.SIGALRM)
    why = "out of time before the search began; give a longer"
    with pytest.raises(JobError, match=why), StopToken(0.05).preparing():
        time.sleep(5)
    assert signal.getsignal(signal.SIGALRM) == before
    ending, stop = StopToken(0.2), Stop()
    with ending.preparing():  # once a search has begun, it is told instead
        with ending.of(stop):
            time.sleep(0.4)
        time.sleep(0.1)
    assert stop.is_set()
    assert ending.reason is Reason.TIME_LIMIT
    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)


# Endings and filters


@pytest.mark.parametrize(
    ("ending", "code", "says"),
    [
        (lambda: StopToken(event=already_set()), INTERRUPTED, "interrupted"),
        (lambda: StopToken(1e-9), 0, "out of time"),
    ],
)
def test_a_proof_that_ends_early_says_how_to_keep_what_it_proves(
    moons, monkeypatch, capsys, ending, code, says
):
    monkeypatch.chdir(moons)
    monkeypatch.setattr(console, "stop_token_of", lambda time_limit: ending())
    prove = ["prove", "--guesses", "m.csv", "-q", "--json"]
    assert (invoke(prove) or 0) == code
    out, err = capsys.readouterr()
    assert not json.loads(out)["complete"]
    why = "not every guess is settled, and --out would keep the bounds"
    assert err == f"gpu-wordle: {says}; {why}\n"


def test_ctrl_c_is_one_line_before_the_search_too(moons, monkeypatch, capsys):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.chdir(moons)
    monkeypatch.setattr(games, "load", interrupted)
    arguments = ["solve", "[bold]io", "--guesses", "m.csv"]
    assert invoke(arguments) == INTERRUPTED
    assert capsys.readouterr().err == "gpu-wordle: interrupted\n"


def already_set():
    event = threading.Event()
    event.set()
    return event


CALLBACK = """
import signal, time, weakref
import gpu_wordle.cli as cli

signal.signal(signal.SIGINT, signal.default_int_handler)  # whatever the shell has made of it

class Thing:
    pass

def job(**options):
    thing = Thing()
    _ = weakref.ref(thing, lambda _: signal.raise_signal(signal.SIGINT))
    del thing
    for _ in range(400):
        time.sleep(0.05)

cli.program_for = lambda _: job
cli.main()
"""


def test_ctrl_c_is_heard_where_python_cannot_raise_it(tmp_path):
    run = subprocess.run(
        [sys.executable, "-c", CALLBACK],
        cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert (run.returncode, run.stderr) == (130, "gpu-wordle: interrupted\n")


HALF_MADE = """
from gpu_wordle import cli
from llvmlite.binding.ffi import ObjectRef

class Ours:
    def __del__(self):
        raise ValueError("of ours")

def job(**options):
    ObjectRef.__new__(ObjectRef)
    OURS

cli.program_for = lambda _: job
cli.main()
"""


@pytest.mark.parametrize("ours", ["", "Ours()"])
def test_what_an_interrupted_compiler_left_half_made_is_dropped_in_silence(tmp_path, ours):
    run = subprocess.run(
        [sys.executable, "-c", HALF_MADE.replace("OURS", ours)],
        cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert run.returncode == 0
    assert ("ValueError: of ours" in run.stderr) == bool(ours)
    assert "AttributeError" not in run.stderr
    assert ours or not run.stderr


def test_letters_to_do_without_are_of_any_case(run):
    shown = [run("rank", "--exact", 0, "--without", letters, "--json") for letters in ("AB", "ab")]
    assert shown[0] == shown[1]
    assert '"bit"' not in shown[0]
    assert "fit" in shown[0]


SAVING = {
    "solve": (["solve", "aback", "--certificate", "c.txt"], "c.txt", b"gpu_wordle certificate"),
    "prove": (["prove", "--certificate", "c.txt"], "c.txt", b"gpu_wordle certificate"),
    "spectrum": (["spectrum", "aback", "--plot", "p.svg"], "p.svg", b"<?xml"),
    "learn": (["learn", "--episodes", "50", "--points", "2", "--plot", "p.svg"], "p.svg", b"<?xml"),
    "compare": (["compare", "parts", "entropy", "--plot", "p.svg"], "p.svg", b"<?xml"),
    "noise": (
        ["noise", "--opener", "aback", "--levels", "5", "--runs", "2", "--plot", "p.svg"],
        "p.svg",
        b"<?xml",
    ),
}
"""Commands that write a file beside what they print, and how the file begins."""


@pytest.fixture
def few_words(tmp_path):
    words = ["aback", "abase", "chair", "chant", "crane", "grate", "irate", "stale", "trace"]
    (tmp_path / "w.txt").write_text("\n".join(words))
    return tmp_path


@pytest.mark.skipif(sys.platform == "win32", reason="pipes are closed otherwise there")
@pytest.mark.parametrize("verb", SAVING)
def test_what_is_to_be_kept_is_written_before_anything_is_printed(few_words, verb):
    command, name, begins = SAVING[verb]
    reader, writer = os.pipe()
    os.close(reader)
    lists = ["--guesses", "w.txt", "--answers", "w.txt", "-q", "--threads", "1"]
    _, err = child(*command, *lists, cwd=few_words, stdout=writer, code=141)
    os.close(writer)
    assert err == ""
    assert (few_words / name).read_bytes().startswith(begins)


NO_FILES = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))"
"""Lets a process write no more bytes to any file."""


@pytest.mark.skipif(sys.platform != "linux", reason="limits are set otherwise there")
@pytest.mark.parametrize("verb", ["solve", "spectrum"])
def test_what_was_found_is_printed_though_it_cannot_be_saved(few_words, verb):
    command, name, _ = SAVING[verb]
    lists = ["--guesses", "w.txt", "--answers", "w.txt", "-q", "--threads", "1", "--json"]
    child(*command, *lists, cwd=few_words)  # so that patterns and machine code are kept
    (few_words / name).unlink()
    out, err = child(*command, *lists, cwd=few_words, begin=NO_FILES, code=1)
    assert json.loads(out)["verb"] == verb
    assert err.startswith(f"gpu-wordle: error: {name}: not written (File too large)")
    reader, writer = os.pipe()
    os.close(reader)
    own = partial(exec, NO_FILES, {})  # in a process of its own, for how Python ends then
    _, unread = child(*command, *lists, cwd=few_words, begin=own, stdout=writer, code=1)
    os.close(writer)
    assert unread == err
    assert not (few_words / name).exists()


FULL_AFTER = """
import resource, sys

room = int(sys.argv.pop(1))

def fill(event, arguments):
    global room
    room -= event == "os.rename" and str(arguments[1]).endswith(".h5")
    if room == 0 and event != "resource.setrlimit":
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))

sys.addaudithook(fill)
"""
"""Begins a process on a disk that has room for so many versions of a file: the first argument."""

LASTING = {
    "rank": (["rank", "--exact", "all"], 1),
    "prove": (["prove"], 1),
    "simulate": (["simulate", "parts", "--opener", "aback"], 1),
    "pairs": (["pairs", "--by", "total", "--top", "2"], 0),
    "noise": (["noise", "--opener", "aback", "--levels", "5", "--runs", "2"], 0),
}
"""Jobs that keep a file, and how often they write it before the work is done."""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="limits are set otherwise there")
@pytest.mark.parametrize("verb", LASTING)
def test_what_a_job_has_found_is_printed_though_its_disk_is_full_in_the_end(few_words, verb):
    command, written = LASTING[verb]
    lists = ["--guesses", "w.txt", "--answers", "w.txt", "-q", "--threads", "1", "--json"]
    command = [*command, *lists]
    line = [written, *command, "--out", "x.h5"]
    told, err = child(*line, cwd=few_words, code=1, begin=FULL_AFTER)
    assert err.splitlines()[-1].startswith("gpu-wordle: error: x.h5: not written (File too large)")
    free, _ = child(*command, cwd=few_words)
    assert timeless(json.loads(told)["rows"]) == timeless(json.loads(free)["rows"]) != []


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="pipes are closed otherwise there")
@pytest.mark.parametrize("verb", LASTING)
def test_what_a_job_has_found_is_in_its_file_though_nobody_reads_what_is_printed(few_words, verb):
    command, _ = LASTING[verb]
    command = [*command, "--guesses", "w.txt", "--answers", "w.txt", "-q", "--threads", "1"]
    child(*command, "--out", "read.h5", cwd=few_words)
    reader, writer = os.pipe()
    os.close(reader)
    _, err = child(*command, "--out", "unread.h5", cwd=few_words, stdout=writer, code=141)
    os.close(writer)
    assert err == ""
    read, unread = (store.load(few_words / name) for name in ("read.h5", "unread.h5"))
    assert read.datasets.keys() == unread.datasets.keys()
    for name in read.datasets.keys() - {"openers/seconds"}:
        np.testing.assert_array_equal(read.values(name), unread.values(name), name)


def timeless(rows):
    """Rows without what differs from run to run."""
    return [{key: value for key, value in row.items() if key != "seconds"} for row in rows]
