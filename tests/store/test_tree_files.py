"""Strategies in files: whole or absent, nothing of others replaced, and every claim checked."""

import json
import os
import sys

import h5py
import numpy as np
import pytest

from gpu_wordle import store
from gpu_wordle.api.checking import check_tree
from gpu_wordle.errors import JobError, UserError
from gpu_wordle.game.objective import Objective
from gpu_wordle.states.tree import DecisionTree
from gpu_wordle.store import tree_files
from gpu_wordle.store.tree_writers import WRITERS
from gpu_wordle.verify import VerificationError
from support.forging import forge
from support.word_lists import make_game, make_words

WORDS = make_words(["crane", "slate", "trace", "react"], ["crane", "trace", "react"])
TEXT = "crane GGGGG1\ncrane YGGBG1 trace GGGGG2\ncrane YYGBY1 react GGGGG2\n"
FORMS = ["t.h5", "t.HDF5", *(f"t{suffix}" for suffix in WRITERS)]


@pytest.fixture(scope="module")
def game():
    return make_game(WORDS)


@pytest.fixture(scope="module")
def tree():
    return DecisionTree.from_text(TEXT, WORDS)


def check(path, game):
    return check_tree(store.load_tree(path, game), game.start())


@pytest.mark.parametrize("name", FORMS)
def test_what_is_saved_is_loaded_and_holds(tmp_path, game, tree, name):
    for _ in range(2):  # a tree may replace a tree
        store.save_tree(tmp_path / name, tree, game.start())
    assert store.load_tree(tmp_path / name, game).tree == tree
    assert check(tmp_path / name, game).total == 5
    assert [p.name for p in tmp_path.iterdir()] == [name]


def test_an_hdf5_file_says_opener_value_and_total(tmp_path, game, tree):
    path = tmp_path / "t.h5"
    store.save_tree(path, tree, game.start())
    with h5py.File(path) as file:
        assert (file.attrs["opener"], file.attrs["value"], file.attrs["total"]) == ("crane", 5, 5)
        assert file["trees/parent"].dims[0][0][:].tolist() == [0, 1, 2]
    for name, lie in (("opener", "trace"), ("value", 4), ("value", 6), ("total", 4), ("total", 6)):
        store.save_tree(path, tree, game.start())
        forge(path, lambda file, name=name, lie=lie: file.attrs.modify(name, lie))
        with pytest.raises(VerificationError, match=f"not {lie}|its {name} is {lie}; it is "):
            check(path, game)


def test_a_file_of_the_first_schema_is_read(tmp_path, game, tree):
    def older(file):
        file.attrs["schema_version"] = 1
        for name in ("opener", "value", "total"):
            del file.attrs[name]
        for name in ("guess", "answer", "node", "possible"):
            del file[name]

    store.save_tree(tmp_path / "t.h5", tree, game.start())
    forge(tmp_path / "t.h5", older)
    assert store.load_tree(tmp_path / "t.h5", game).tree == tree
    assert check(tmp_path / "t.h5", game).total == 5


def test_other_answers_than_those_of_the_state_are_found(tmp_path, game, tree):
    store.save_tree(tmp_path / "t.h5", tree, game.start())
    forge(tmp_path / "t.h5", lambda file: file["trees/answers"].__setitem__(2, 1))
    with pytest.raises(UserError, match="its answers are not those that its state leaves"):
        store.load_tree(tmp_path / "t.h5", game)


FOREIGN = {
    "t.txt": [b"mine", b"to do\n", b"\0\0", b"salet BYBBG1 crate\n", b"milk 1\n"],
    "t.json": [b"{}", b'{"name": "x"}', b"[1]", b"mine"],
    "t.js": [b"export default {}", b"let x"],
    "t.csv": [b"word,weight\n", b"1,2\n"],
    "t.h5": [b"mine", b"\x89HDF\r\n\x1a\n"],
}


@pytest.mark.parametrize("name", FOREIGN)
def test_what_is_no_tree_is_not_replaced(tmp_path, game, tree, name):
    path = tmp_path / name
    for content in FOREIGN[name]:
        path.write_bytes(content)
        with pytest.raises(UserError, match=f"{name}: .*choose another"):
            store.save_tree(path, tree, game.start())
        assert path.read_bytes() == content
    path.write_bytes(b"")
    store.save_tree(path, tree, game.start())
    assert check(path, game).total == 5


def test_a_ranking_is_not_replaced_by_a_tree(tmp_path, game, tree):
    path = tmp_path / "t.h5"
    store.save_tree(path, tree, game.start())
    forge(path, lambda file: file.attrs.modify("filetype", "gpu-wordle ranking"))
    with pytest.raises(UserError, match="holds 'gpu-wordle ranking', not 'gpu-wordle tree'"):
        store.save_tree(path, tree, game.start())


@pytest.mark.skipif(sys.platform == "win32", reason="links are those of Unix")
@pytest.mark.parametrize("name", FORMS)
def test_links_are_not_followed(tmp_path, game, tree, name):
    victim, path = tmp_path / "victim", tmp_path / name
    victim.write_text("mine")
    for planted in (f".{name}.tmp", name):
        (tmp_path / planted).symlink_to(victim)
    with pytest.raises(UserError, match=f"{name}: is a link, which is not followed"):
        store.save_tree(path, tree, game.start())
    path.unlink()
    store.save_tree(path, tree, game.start())
    assert victim.read_text() == "mine"


@pytest.mark.parametrize("name", FORMS)
def test_a_full_disk_leaves_the_old_file(tmp_path, game, tree, name, monkeypatch):
    path = tmp_path / name
    store.save_tree(path, tree, game.start())
    before = path.read_bytes()

    def full(_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(JobError, match=r"not written \(No space left on device\).*; make room, or"):
        store.save_tree(path, tree, game.start())
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == [name]


def test_a_missing_folder_and_another_suffix_are_named(tmp_path, game, tree):
    with pytest.raises(UserError, match="there is no folder .*nowhere; make it"):
        store.save_tree(tmp_path / "nowhere" / "t.txt", tree, game.start())
    with pytest.raises(UserError, match=r"ends in \.txt, \.json, \.h5, \.hdf5"):
        store.save_tree(tmp_path / "t.xlsx", tree, game.start())


@pytest.mark.parametrize("line", range(3))
def test_a_line_that_stands_twice_is_found(tmp_path, game, line):
    doubled = TEXT.splitlines()[line]
    (tmp_path / "t.txt").write_text(f"{TEXT}\n{doubled}\n")
    word, turn = doubled.split()[-2].upper(), doubled[-1]
    message = f"{word} GGGGG on turn {turn} is that of 1 answers, and stands on 2 lines"
    with pytest.raises(VerificationError, match=message):
        check(tmp_path / "t.txt", game)


def test_a_line_that_is_missing_is_found(tmp_path, game):
    (tmp_path / "t.txt").write_text("\n".join(TEXT.splitlines()[1:]))
    message = "CRANE GGGGG on turn 1 is that of 1 answers, and stands on 0 lines"
    with pytest.raises(VerificationError, match=message):  # the tree itself is whole
        check(tmp_path / "t.txt", game)


def test_answers_that_are_lost_have_a_line_each(tmp_path):
    words = make_words(["aba", "aca", "ada", "aea"], ["aba", "aca", "ada", "aea"])
    game = make_game(words, objective=Objective.parse("fewest-failures", 2))
    lines = ["aba GGG1", "aba GBG1 aca GGG2", *["aba GBG1 aca GBG2"] * 2]
    for count, message in ((2, None), (1, "stands on 1 lines"), (3, "stands on 3 lines")):
        (tmp_path / "t.txt").write_text("\n".join([*lines[:2], *lines[2:3] * count]))
        if message is None:
            assert check(tmp_path / "t.txt", game).failures == 2
        else:
            with pytest.raises(VerificationError, match=f"is that of 2 answers, and {message}"):
                check(tmp_path / "t.txt", game)


NODE = '{"guess": "crane", "next": {%s}}'
LEAF = '{"guess": "trace", "next": {}}'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (NODE % f'"YGGBG": {LEAF}, "YGGBG": {LEAF}', "the key 'YGGBG' occurs twice in one node"),
        (NODE % f'"YGGBG": {LEAF}, "12202": {LEAF}', "two guesses for the feedback 12202|YGGBG"),
        ('{"guess": "crane", "guess": "crane", "next": {}}', "the key 'guess' occurs twice"),
        ('{"guess": "crane", "next": {"YGGBG": ' * 9000, r"not a tree in JSON form: .*\(Recursion"),
        ('{"schema": 2, "verb": "prove"}', "neither 'guess' nor 'next'.*solve writes"),
        (
            '{"total": 7920, "best": ["salet"]}',
            "neither 'guess' nor 'next'.*solve writes",
        ),
        ("[" * 100_000, "not a tree in JSON form"),
        ('{"guess": ' + "9" * 5000 + "}", "not a tree in JSON form"),
        ("\ud800", "not UTF-8 text; save the tree as UTF-8"),
    ],
)
def test_bad_json_is_a_line(tmp_path, game, text, message):
    (tmp_path / "t.json").write_text(text, encoding="utf-8", errors="surrogatepass")
    with pytest.raises(UserError, match=message) as caught:
        store.load_tree(tmp_path / "t.json", game)
    assert "\n" not in str(caught.value)


def test_a_path_has_no_more_guesses_than_a_game(tmp_path, game):
    turns = " ".join(f"slate BBGBG{turn}" for turn in range(1, 50_000))
    (tmp_path / "t.txt").write_text(turns)
    with pytest.raises(UserError, match=r"line 1: 49,999 guesses; a game has at most 255"):
        store.load_tree(tmp_path / "t.txt", game)


@pytest.mark.parametrize("name", ["t.txt", "t.json"])
def test_no_tree_is_read_that_is_too_large(tmp_path, game, name, monkeypatch):
    monkeypatch.setattr(tree_files, "MAX_TREE_BYTES", 1 << 20)
    (tmp_path / name).write_text(" " * ((1 << 20) + 1))
    with pytest.raises(UserError, match="more than 1 MiB, which is the most that is read"):
        store.load_tree(tmp_path / name, game)


def test_a_tree_of_more_guesses_than_can_be_reached_is_refused_at_once(game):
    nodes = 3 * 6 + 1
    tree = DecisionTree(
        np.zeros(nodes, np.int32), np.arange(-1, nodes - 1, dtype=np.int32), np.ones(nodes, "u2")
    )
    with pytest.raises(VerificationError, match="has 19 guesses; 18 can be reached at most"):
        check_tree(store.StoredTree(tree), game.start())


def test_json_is_the_same_tree(tmp_path, game, tree):
    store.save_tree(tmp_path / "t.json", tree, game.start())
    assert json.loads((tmp_path / "t.json").read_text())["guess"] == "crane"
