"""The static site: the answers of the server as files, whole or absent, and gone on with."""

import json
import threading
from pathlib import Path

import pytest

from gpu_wordle.errors import UserError
from gpu_wordle.ranking.stop_token import StopToken
from gpu_wordle.web.export import Export
from gpu_wordle.web.page import page_files
from gpu_wordle.web.shelf import GameName, offer_of
from support.small_game import ANSWERS, GUESSES
from support.web import get, served

OPENERS = 3


@pytest.fixture(scope="module")
def offer(tmp_path_factory):
    folder = tmp_path_factory.mktemp("lists")
    (folder / "guesses.txt").write_text("\n".join(GUESSES))
    (folder / "small.txt").write_text("\n".join(ANSWERS))
    return offer_of(GameName(str(folder / "guesses.txt"), str(folder / "small.txt")), None, [])


@pytest.fixture(scope="module")
def site(offer, tmp_path_factory):
    folder = tmp_path_factory.mktemp("whole") / "site"
    exported = Export(offer, folder, OPENERS, 1).run(StopToken())
    assert exported.is_whole
    assert exported.files == len(files(folder))
    assert exported.size == sum(map(len, files(folder).values()))
    return folder


def files(folder):
    """The files of a site by their paths, with what they hold."""
    return {str(path.relative_to(folder)): path.read_bytes()
            for path in sorted(folder.rglob("*")) if path.is_file()}  # fmt: skip


def load(folder, path):
    return json.loads((folder / path).read_bytes())


def rows_of(columns):
    """Columns as rows."""
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def test_every_answer_is_that_of_the_server(site, offer):
    said = load(site, "site.json")
    assert said["source"] == "files"
    assert [game["rule"] for game in said["games"]] == ["normal", "hard"]
    with served(offer) as server:
        assert load(site, "data/choices.json") == get(server, "api/choices")
        for game in said["games"]:
            rule = {"rule": game["rule"]}
            assert load(site, game["words"]) == get(server, "api/words")
            start = load(site, game["start"])
            assert start == get(server, "api/suggest", **rule)
            assert game["openers"] == [row["guess"] for row in start["rows"][:OPENERS]]
            for word in game["openers"]:
                replies = load(site, f"{game['replies']}{word}.json")["replies"]
                parts = get(server, "api/spectrum", guess=word)["rows"]
                assert set(replies) == {row["pattern"] for row in parts} - {"GGG"}
                for pattern, reply in replies.items():
                    asked = get(server, "api/suggest", turns=f"{word}:{pattern}", **rule)
                    assert reply["answers"] == len(asked["remaining"])
                    assert rows_of(reply["columns"]) == asked["rows"]
                node = load(site, f"{game['trees']}{word}.json")["node"]
                shown = get(server, "api/tree", guess=word, depth=6, **rule)["node"]
                assert node == slim(shown)


def slim(node):
    """A node of a tree with what files tell of it."""
    parts = [{"pattern": part["pattern"], "part_size": part["part_size"],
              "node": part["node"] and slim(part["node"])} for part in node["parts"]]  # fmt: skip
    return {"guess": node["guess"], "total": node["total"], "worst": node["worst"], "parts": parts}


def test_the_page_is_in_it_and_finds_its_files_wherever_it_lies(site):
    for name, path in page_files().items():
        content = path.read_bytes()
        assert (site / name).read_bytes() == content
        if name.endswith(("html", "css")):
            for absolute in (b'src="/', b'href="/', b"url(/", b"http://", b"https://"):
                assert absolute not in content.replace(b"http://www.w3.org", b""), name


def test_an_export_that_was_ended_goes_on(site, offer, tmp_path):
    folder, ended = tmp_path / "site", threading.Event()

    def advance(done, total, now):
        assert total == 4 * OPENERS
        if done == 3:
            ended.set()

    first = Export(offer, folder, OPENERS, 1).run(StopToken(event=ended), advance)
    assert not first.is_whole
    some = load(folder, "site.json")["games"]
    assert [len(game["openers"]) for game in some] == [1, 0]
    kept = {name: (folder / name).stat().st_mtime_ns for name in files(folder) if "trees" in name}
    (folder / "data/rankings.json").write_text('{"rankings": []}')  # of an offer without any
    assert Export(offer, folder, OPENERS, 1).run(StopToken()).is_whole
    assert files(folder) == files(site)
    assert load(folder, "data/rankings.json") == load(site, "data/rankings.json")
    for name, written in kept.items():
        assert (folder / name).stat().st_mtime_ns == written, "made again"


def test_a_folder_of_other_things_is_left_alone(site, offer, tmp_path):
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "letter.txt").write_text("dear all")
    with pytest.raises(UserError, match="holds other files"):
        Export(offer, mine, 1, 1).run(StopToken())
    with pytest.raises(UserError, match="holds other files"):
        Export(offer_of(GameName(), None, []), site, 1, 1).run(StopToken())
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match="choose another folder"):
        Export(offer, tmp_path / "file", 1, 1).run(StopToken())
    with pytest.raises(UserError, match="choose another folder"):
        Export(offer, tmp_path / "none" / "site", 1, 1).run(StopToken())
    assert [path.name for path in mine.iterdir()] == ["letter.txt"]
    with pytest.raises(UserError, match="leave out --objective"):
        Export(offer_of(GameName(objective="worst"), None, []), Path("x"), 1, 1)


def test_openers_that_cannot_win_have_no_tree(offer, tmp_path):
    """In hard mode with few guesses; what else there is to say of them is there."""
    names = GUESSES, ANSWERS
    (tmp_path / "g.txt").write_text("\n".join(names[1]))
    given = GameName(str(tmp_path / "g.txt"))
    folder = tmp_path / "site"
    assert Export(offer_of(given, None, []), folder, 2, 1).run(StopToken()).is_whole
    for game in load(folder, "site.json")["games"]:
        for word in game["openers"]:
            assert (folder / f"{game['replies']}{word}.json").is_file()
            assert "node" in load(folder, f"{game['trees']}{word}.json")
