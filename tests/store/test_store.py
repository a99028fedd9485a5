"""Files: whole or absent, whatever happens; refused when foreign or damaged."""

import os
import subprocess
import sys

import h5py
import numpy as np
import pytest

from gpu_wordle import store
from gpu_wordle.errors import JobError, UserError
from gpu_wordle.store.provenance import git_commit
from support.word_lists import make_game, make_words

WORDS = make_words(["crane", "slate", "étude"], ["crane", "étude"])


def make_contents():
    contents = store.describe(make_game(WORDS), "test file", "cpu", "a processor")
    contents.datasets["openers/lower"] = store.Dataset(np.arange(200), "guesses", "a bound")
    return contents


def test_what_is_saved_is_loaded(tmp_path):
    path = tmp_path / "x.h5"
    saved = make_contents()
    store.save(path, saved)
    loaded = store.load(path, "test file")
    assert loaded.attributes == saved.attributes
    assert loaded.values("words/guesses").tolist() == ["crane", "slate", "étude"]
    assert loaded.values("openers/lower").tolist() == list(range(200))
    assert loaded.datasets["openers/lower"].units == "guesses"
    assert loaded.datasets["openers/lower"].description == "a bound"
    assert [p.name for p in tmp_path.iterdir()] == ["x.h5"]


def test_files_are_self_describing(tmp_path):
    path = tmp_path / "x.h5"
    store.save(path, make_contents())
    with h5py.File(path) as file:
        for name in (
            "filetype", "schema_version", "program_version", "git_commit", "created", "updated",
            "command", "backend", "device", "guesses_sha256", "answers_sha256", "weights_sha256",
            "rule", "objective", "max_guesses", "seed",
        ):  # fmt: skip
            assert name in file.attrs
        assert file["openers/lower"].attrs["units"] == "guesses"
        assert file["words/guesses"].asstr()[2] == "étude"


@pytest.mark.slow
def test_a_file_cut_off_anywhere_is_refused(tmp_path):
    path = tmp_path / "x.h5"
    store.save(path, make_contents())
    for size in reversed(range(path.stat().st_size)):
        os.truncate(path, size)
        with pytest.raises(UserError, match=r"x\.h5: ") as caught:
            store.load(path)
        assert "\n" not in str(caught.value)


@pytest.mark.slow
def test_a_flipped_bit_is_found(tmp_path):
    path = tmp_path / "x.h5"
    saved = make_contents()
    store.save(path, saved)
    whole = path.read_bytes()
    for position in [*range(90), *range(512, len(whole), 3)]:
        with path.open("r+b") as file:  # to write all anew takes many times as long
            file.seek(position)
            file.write(bytes([whole[position] ^ 1 << position % 8]))
        if position < 82 or position >= 512:  # the rest of the user block is empty
            with pytest.raises(UserError, match="damaged|not a file of gpu-wordle"):
                store.load(path)
        with path.open("r+b") as file:
            file.seek(position)
            file.write(whole[position : position + 1])


LIMITED = """
import resource, sys
from pathlib import Path
import numpy as np
from gpu_wordle import store
from gpu_wordle.errors import JobError

path = Path(sys.argv[1])
contents = store.load(path)
contents.datasets["openers/lower"].values[:] = np.random.default_rng(0).integers(0, 1 << 60, 200)
_, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
for limit in (0, 1, 600, 2000, 4096, 8000):
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, hard))
    try:
        store.save(path, contents)
    except JobError as error:
        print(error)
resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
store.save(path, contents)
print("saved")
"""


@pytest.mark.skipif(sys.platform == "win32", reason="limits on files are those of Unix")
def test_a_full_disk_loses_nothing_and_the_job_works_on(tmp_path):
    path = tmp_path / "x.h5"
    store.save(path, make_contents())
    run = subprocess.run(
        [sys.executable, "-c", LIMITED, path], capture_output=True, text=True, check=False
    )
    assert (run.returncode, run.stderr) == (0, "")
    *failures, last = run.stdout.splitlines()
    assert last == "saved"
    assert len(failures) == 6
    for line in failures:
        assert "x.h5: not written (File too large); nothing that was there is lost" in line
    assert store.load(path).values("openers/lower").max() > 1 << 50
    assert [p.name for p in tmp_path.iterdir()] == ["x.h5"]


def test_an_installed_package_knows_the_commit_that_it_was_built_from(tmp_path):
    assert git_commit(tmp_path / "gpu_wordle") == "unknown"
    (tmp_path / "gpu_wordle").mkdir()
    (tmp_path / "gpu_wordle" / "commit.txt").write_text("0123abc-dirty\n")
    assert git_commit(tmp_path / "gpu_wordle") == "0123abc-dirty"
    (tmp_path / ".git").mkdir()  # a checkout knows better, unless it is broken
    assert git_commit(tmp_path / "gpu_wordle") == "unknown"


def test_a_missing_folder_is_named(tmp_path):
    with pytest.raises(JobError, match="nowhere/x.h5: not written"):
        store.save(tmp_path / "nowhere/x.h5", make_contents())
    assert not (tmp_path / "nowhere").exists()


def test_foreign_files_are_refused(tmp_path):
    path = tmp_path / "x.h5"
    with pytest.raises(UserError, match="no such file"):
        store.load(path)
    with pytest.raises(UserError, match="not a regular file; choose another file"):
        store.load(tmp_path)
    path.write_text("some text")
    with pytest.raises(UserError, match="not a file of gpu-wordle"):
        store.load(path)
    with h5py.File(path, "w") as file:
        file["data"] = [1, 2]
    with pytest.raises(UserError, match="not a file of gpu-wordle"):
        store.load(path)


def test_files_of_another_kind_or_schema_are_refused(tmp_path):
    path = tmp_path / "x.h5"
    contents = make_contents()
    store.save(path, contents)
    with pytest.raises(UserError, match="holds 'test file', not 'other file'"):
        store.load(path, "other file")
    for version in (3, 99):
        contents.attributes["schema_version"] = version
        store.save(path, contents)
        with pytest.raises(UserError, match=f"schema {version}, this program reads 1 and 2"):
            store.load(path)
