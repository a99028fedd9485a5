"""Where a library is missing or variables are odd, the command line works or says what to do."""

import os
import subprocess
import sys

import pytest

from gpu_wordle.version import __version__
from support.commands import COMMAND, ended
from support.missing import without

WORDS = "bat\ncat\nchf\nmps\nhat\nfat\nfit\nbit\n"
BARE = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
"""The C locale as it was once: Python reads and writes ASCII alone."""


@pytest.fixture
def call(tmp_path):
    """Run a command in a process of its own; without some libraries, or with some variables."""
    (tmp_path / "words.txt").write_text(WORDS, "utf-8")
    (tmp_path / "grüße.txt").write_text("über\näpfe\nlove\nrüde\n", "utf-8")

    def run(*arguments, lacking=(), env=None):
        path = [str(without(tmp_path / "lacking", *lacking)), *filter(None, sys.path)]
        given = {**os.environ, "PYTHONPATH": os.pathsep.join(path), **(env or {})}
        kept = {name: value for name, value in given.items() if value is not None}
        command = [sys.executable, "-m", "gpu_wordle", *arguments]
        ended = subprocess.run(command, cwd=tmp_path, env=kept, capture_output=True, check=False)
        out, err = (each.decode("utf-8", "replace") for each in (ended.stdout, ended.stderr))
        assert "Traceback" not in err, err
        return ended.returncode, out, err

    return run


@pytest.fixture(scope="module")
def usual(tmp_path_factory):
    """What is shown where no variable is odd."""
    folder = tmp_path_factory.mktemp("usual")
    (folder / "words.txt").write_text(WORDS, "utf-8")
    environment = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
    command = [*COMMAND, *RANK]
    return ended(command, cwd=folder, env=environment, capture_output=True, encoding="utf-8").stdout


RANK = ("rank", "--guesses", "words.txt", "--quiet")
SERVE = ("serve", "--guesses", "words.txt", "--export", "site")


@pytest.mark.parametrize(
    ("library", "line"),
    [
        *((name, RANK) for name in ("numpy", "numba", "llvmlite", "typer", "rich", "filelock")),
        ("rich", ("--help",)),
        ("h5py", (*RANK, "--out", "r.h5")),
        ("h5py", ("verify", "r.h5")),
        ("pyarrow", (*RANK, "--format", "parquet")),
        ("distributed", (*RANK, "--cluster", "local:1")),
        ("matplotlib", ("spectrum", "bat", "--guesses", "words.txt", "--plot", "p.svg")),
        ("jinja2", ("report", "words.txt", "--out", "r.html")),
        ("starlette", SERVE),
        ("uvicorn", SERVE),
    ],
    ids=lambda given: given if isinstance(given, str) else given[0],
)
def test_a_library_that_is_missing_is_named_in_one_line(call, tmp_path, library, line):
    cache = {"GPU_WORDLE_CACHE": str(tmp_path / "cache")}
    if "verify" in line:
        ended([*COMMAND, *RANK, "--out", "r.h5"], cwd=tmp_path, check=True, capture_output=True)
    code, out, err = call(*line, lacking=[library], env=cache)
    assert (code in (1, 2), out, err.count("\n")) == (True, "", 1)
    named = "dask" if library == "distributed" else library
    assert err.startswith("gpu-wordle: error: ")
    assert f"{named}" in err
    assert "pip install" in err


def test_the_version_needs_no_library(call):
    code, out, err = call("--version", lacking=["numpy", "typer", "rich"])
    assert (code, out, err) == (0, f"gpu-wordle {__version__}\n", "")


def test_without_platformdirs_a_folder_has_to_be_named(call, tmp_path):
    code, out, err = call(*RANK, lacking=["platformdirs"], env={"GPU_WORDLE_CACHE": None})
    assert (code, out) == (1, "")
    assert err == (
        "gpu-wordle: error: platformdirs is not installed; pip install platformdirs, or set "
        "GPU_WORDLE_CACHE to a folder for the cache\n"
    )
    cache = {"GPU_WORDLE_CACHE": str(tmp_path / "cache")}
    lacking = ["platformdirs", "h5py", "matplotlib", "pyarrow", "pandas", "starlette", "uvicorn"]
    lacking += ["distributed", "jinja2", "wordfreq", "cupy"]
    code, out, err = call(*RANK, lacking=lacking, env=cache)
    assert (code, err) == (0, "")
    assert "chf" in out


@pytest.mark.parametrize(
    ("env", "code", "remark"),
    [
        (BARE, 0, ""),
        ({"LC_ALL": "xx_YY.UTF-8"}, 0, ""),
        ({"LC_ALL": None, "LC_CTYPE": "xx", "LANG": "tr_TR.UTF-8"}, 0, ""),
        ({"NUMBA_DISABLE_JIT": "1"}, 1,
         "error: the program cannot be loaded (NUMBA_DISABLE_JIT leaves nothing to search by; "
         "unset it)"),
        *(
            ({"COLUMNS": width, "NUMBA_NUM_THREADS": number}, 0, "")
            for width, number in zip(
                ("0", "1", "-5", "abc", "9" * 30), ("abc", "0", "-1", "9" * 9, None), strict=True
            )
        ),
        ({"HOME": None, "XDG_CACHE_HOME": None, "TERM": None, "TMPDIR": "/nowhere"}, 0, ""),
        ({"HOME": "/nowhere", "TERM": "none", "NO_COLOR": "1", "LINES": "0"}, 0, ""),
        ({"PYTHONWARNINGS": "error", "TZ": "none", "TERMINAL_WIDTH": "x"}, 0, ""),
        ({"GPU_WORDLE_CACHE": "/dev/null", "PYTHONWARNINGS": "error"}, 0,
         "warning: pattern matrix not kept: /dev/null cannot be written (File exists); "
         "set GPU_WORDLE_CACHE to another folder"),
    ],
)  # fmt: skip
def test_odd_variables_end_well_or_in_one_line(call, usual, env, code, remark):
    ended = call(*RANK, env=env)
    assert ended[::2] == (code, f"gpu-wordle: {remark}\n" if remark else "")
    assert ended[1] == ("" if code else usual)


def test_words_beyond_ascii_are_shown_where_a_locale_lacks_them(call, tmp_path):
    """Escaped in tables, with a remark; in JSON as ever; on the command line they are refused."""
    (tmp_path / "u.txt").write_bytes((tmp_path / "grüße.txt").read_bytes())
    line = ("rank", "--guesses", "u.txt", "--quiet")
    code, out, err = call(*line, env=BARE)
    assert (code, err.count("\n")) == (0, 1)
    assert "PYTHONIOENCODING=utf-8" in err
    assert r"\xfcber" in out
    assert call("solve", "love", *line[1:], env=BARE)[0] == 0
    refused = "gpu-wordle: error: ascii lacks characters of the command line; set PYTHONUTF8=1\n"
    for asked in (("solve", "über", *line[1:]), ("rank", "--guesses", "grüße.txt", "--quiet")):
        assert call(*asked, env=BARE) == (2, "", refused)
        assert call(*asked, env=BARE | {"PYTHONUTF8": "1"})[0] == 0


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere names of files are text")
def test_a_file_whose_name_is_no_text_is_written_and_read(call, tmp_path):
    line = (*RANK, "--out", b"r\xff.h5")
    first = call(*line)
    assert first[0] == 0
    assert (tmp_path / os.fsdecode(b"r\xff.h5")).exists()
    assert call(*line)[:2] == first[:2]  # goes on from the file
    assert call("verify", b"r\xff.h5", "--guesses", "words.txt")[0] == 0


def test_a_help_has_room_in_any_width(call):
    usual = call("rank", "--help", env={"COLUMNS": None})
    assert call("rank", "--help", env={"COLUMNS": "0"}) == usual
    assert "--exact" in usual[1]
