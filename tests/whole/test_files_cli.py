"""Files of whole processes: full disks, second processes, links and what is foreign."""

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from gpu_wordle import store
from gpu_wordle.errors import JobError, UserError
from gpu_wordle.files import held
from gpu_wordle.ranking.job import CHECKPOINT_VARIABLE
from scripts.fuzz.game import arguments_of
from scripts.fuzz.writers import WRITERS, contents, write_lists
from support import small_game
from support.commands import COMMAND, ended, invoke

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="limits and links are Unix's")

LISTS = [*small_game.LISTS, "--quiet"]


@pytest.fixture
def folder(tmp_path):
    small_game.write(tmp_path)
    return tmp_path


def gpu_wordle(folder, *arguments, code=0, limit=None):
    """What a command prints; ``limit`` is how many bytes a file of it may have."""
    command = [*COMMAND, *map(str, arguments)]
    if limit is not None:
        command = ["sh", "-c", f'ulimit -f {limit}; exec "$@"', "sh", *command]
    run = ended(command, cwd=folder, capture_output=True, text=True)
    assert run.returncode == code, run.stderr
    assert run.stderr.count("\n") == (0 if code == 0 else 1)
    assert "Traceback" not in run.stderr
    return run.stdout, run.stderr


JOB = """
import resource, sys
import gpu_wordle as gw

soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
done = []

def toggle(event):
    done.append(event.done)
    full = 3 <= len(done) < 9
    resource.setrlimit(resource.RLIMIT_FSIZE, (600 if full else hard, hard))

words = [open(name).read().split() for name in ("guesses.txt", "answers.txt")]
ranking = gw.rank(gw.load_game(*words), exact="all", out="r.h5", progress=toggle, threads=1)
print(ranking.solved)
"""


def test_a_job_works_on_while_its_disk_is_full_and_saves_when_there_is_room(folder):
    environment = {**os.environ, "GPU_WORDLE_CHECKPOINT_S": "0"}
    run = subprocess.run(
        [sys.executable, "-c", JOB],
        cwd=folder, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (run.returncode, run.stdout) == (0, f"{len(small_game.GUESSES)}\n"), run.stderr
    assert "r.h5: not written (File too large); nothing that was there is lost" in run.stderr
    assert "Traceback" not in run.stderr
    assert store.read_openers(store.load(folder / "r.h5")).is_solved.all()


@pytest.mark.slow
def test_a_full_disk_is_one_line_and_nothing_is_left(folder):
    before = sorted(folder.iterdir())
    small = ["--exact", 0, "--top", 1]
    _, err = gpu_wordle(folder, "rank", *small, *LISTS, "--out", "r.h5", code=1, limit=2)
    assert err.startswith("gpu-wordle: error: r.h5: not written (File too large); nothing that was")
    _, err = gpu_wordle(
        folder, "spectrum", "cat", "--plot", "p.png", *LISTS, code=1, limit=2
    )  # fmt: skip
    assert err.startswith("gpu-wordle: error: p.png: not written (File too large)")
    _, err = gpu_wordle(folder, "solve", "chf", "--tree", "t.json", *LISTS, code=1, limit=0)
    assert err.startswith("gpu-wordle: error: t.json: not written (File too large)")
    assert sorted(folder.iterdir()) == before


@pytest.mark.parametrize("pause", ["20", "0"])
@pytest.mark.parametrize(
    "job",
    [
        ["pairs", "--top", 3],
        ["rank", "--exact", "all", "--max-guesses", 2],
        ["prove"],
        ["simulate", "optimal", "parts", "--opener", "cat"],
        ["noise", "--runs", 2, "--levels", "1,30", "--opener", "chf"],
        ["league", "parts", "random", "--split", "all", "--games", 5],
    ],
    ids=lambda job: job[0],
)
def test_a_full_disk_is_said_once(run, monkeypatch, capsys, job, pause):
    """However often a job tries; between two tries that count its remark differs from the error."""
    run("spectrum", "cat")  # the cache has room for the patterns

    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    monkeypatch.setenv(CHECKPOINT_VARIABLE, pause)
    with pytest.raises(JobError, match=r"not written \(No space left on device\)"):
        run(*job, "--out", "x.h5")
    remarks = [line for line in capsys.readouterr().err.splitlines() if "not written" in line]
    assert len(remarks) == len(set(remarks))
    assert all(line.endswith("; the work goes on") for line in remarks)
    assert not remarks or pause == "0"


@pytest.mark.slow
def test_a_second_process_says_who_holds_the_file(folder):
    rank = ["rank", "--exact", 0, *LISTS, "--out", "r.h5"]
    with held(folder / "r.h5"):
        _, err = gpu_wordle(folder, *rank, code=1)
    assert err.startswith(f"gpu-wordle: error: r.h5: in use by process {os.getpid()} (")
    assert not (folder / "r.h5").exists()
    gpu_wordle(folder, *rank, "--top", 1)


@pytest.mark.parametrize("writer", WRITERS, ids=lambda writer: writer.name)
def test_no_foreign_file_is_replaced(writer, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_lists(tmp_path)
    for line in writer.inputs:
        invoke(arguments_of(f"{line} LISTS PLAIN"))
    target = Path(writer.file)
    if target.suffix:
        target.write_text("mine\n")
    else:
        target.mkdir()
        for index in ("index.html", "README.md"):
            (target / index).write_text("mine\n")
    held_there = contents(target)
    with pytest.raises(UserError, match=f"{writer.file}.*(not replaced|choose an)"):
        invoke(writer.command)
    assert contents(target) == held_there


@pytest.mark.slow
def test_pictures_replace_pictures_and_nothing_else(folder):
    spectrum = ["spectrum", "cat", *LISTS, "--plot"]
    for name, head in (("p.svg", b"<?xml"), ("p.png", b"\x89PNG"), ("p.pdf", b"%PDF")):
        path = folder / name
        path.write_bytes(b"mine")
        _, err = gpu_wordle(folder, *spectrum, name, code=2)
        assert f"{name}: holds no picture, so it is not replaced; choose another file" in err
        assert path.read_bytes() == b"mine"
        path.write_bytes(b"")
        gpu_wordle(folder, *spectrum, name)
        assert path.read_bytes().startswith(head)
    gpu_wordle(folder, *spectrum, "p.svg")
    (folder / "link.png").symlink_to(folder / "p.png")
    _, err = gpu_wordle(folder, *spectrum, "link.png", code=2)
    assert "link.png: is a link, which is not followed; name the file itself" in err
    (folder / "link.h5").symlink_to(Path("real.h5"))
    gpu_wordle(folder, "rank", "--exact", 0, *LISTS, "--out", "link.h5")
    assert (folder / "link.h5").is_symlink()
    assert store.load(folder / "real.h5").attributes["filetype"] == "gpu-wordle ranking"
