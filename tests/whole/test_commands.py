"""Commands that tests fork, from a process that has loaded them, do as those that people start."""

import re
import socket
import subprocess
import sys

import pytest

from gpu_wordle.cli.program import VERBS
from support import small_game
from support.commands import COMMAND, ended

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="no command is forked elsewhere")

GAME = small_game.LISTS
FILES = [*GAME, "--fresh", "--out"]
CALLS = {
    "info": [],
    "warm": [],
    "strategies": [],
    "learn": ["--episodes", "50", "--points", "2", *GAME],
    "prior": ["p.csv", *GAME, "--mix", "uniform"],
    "simulate": ["parts", "--opener", "chf", *FILES, "simulation.h5"],
    "league": ["parts", "--split", "all", "--games", "4", *FILES, "league.h5"],
    "positions": ["--count", "3", *FILES, "positions.parquet"],
    "pairs": ["--top", "3", *FILES, "pairs.h5"],
    "noise": ["--opener", "chf", "--levels", "5", "--runs", "2", *FILES, "noise.h5"],
    "compare": ["parts", "entropy", *GAME],
    "reproduce": ["--list"],
    "solve": ["chf", "--tree", "tree.txt", *GAME],
    "rank": ["--shard", "1/1", *FILES, "shard.h5"],
    "merge": ["shard.h5", "--fresh", "--out", "merged.h5"],
    "verify": ["tree.txt", *GAME],
    "report": ["merged.h5", "--out", "report.md"],
    "plot": ["--list"],
    "spectrum": ["cat", *GAME],
    "guarantee": ["cat", *GAME],
    "prove": [*FILES, "proof.h5"],
    "suggest": ["cat", "BGG", *GAME],
    "play": ["--answer", "cat", *GAME],
    "analyse": ["rat", "cat", "--answer", "cat", *GAME],
}
"""A call of each verb but ``serve``, in an order in which files are there when needed."""

ENDINGS = [
    ["--version"],
    [],
    ["dance"],
    ["solve", "--guesses", "no such file"],
    ["spectrum", "cat", *GAME, "--format", "yaml"],
    ["spectrum", "cat", *GAME, "--plot", "guesses.txt"],
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The small game, and the files of the calls before."""
    folder = tmp_path_factory.mktemp("commands")
    small_game.write(folder)
    return folder


def told(process):
    """How a process has ended and what it has written; digits tell of time and memory."""
    assert "Traceback" not in process.stderr
    words = (re.sub(r"[\d.,]+", "#", text).split() for text in (process.stdout, process.stderr))
    return process.returncode, *words


@pytest.mark.slow
def test_a_verb_does_the_same_in_a_process_of_its_own(folder):
    assert {*CALLS, "serve"} == set(VERBS)
    options = {"cwd": folder, "capture_output": True, "text": True, "stdin": subprocess.DEVNULL}
    for verb, arguments in CALLS.items():
        command = [*COMMAND, verb, *arguments, "--quiet"]
        own = told(subprocess.run(command, **options))
        assert own[0] == 0, own
        assert told(ended(command, **options)) == own


def test_it_ends_as_a_process_of_its_own(folder):
    options = {"cwd": folder, "capture_output": True, "text": True}
    for arguments in ENDINGS:
        own, forked = (
            start([*COMMAND, *arguments], **options) for start in (subprocess.run, ended)
        )
        assert (forked.returncode, forked.stdout, forked.stderr) == (
            *(own.returncode, own.stdout, own.stderr),
        )


def test_it_reads_what_it_is_given_and_is_killed_when_its_time_is_over(folder):
    command = [*COMMAND, "play", "--answer", "cat", *GAME, "--quiet"]
    options = {"cwd": folder, "capture_output": True, "text": True}
    done = ended(command, input="cat\n", **options)
    assert done.returncode == 0
    assert "CAT" in done.stdout.upper()
    here, there = socket.socketpair()  # from which nothing comes
    with here, there, pytest.raises(subprocess.TimeoutExpired):
        ended(command, stdin=here, timeout=3, **options)
