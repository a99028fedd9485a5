"""My history on the page: games that only the browser keeps, and what the server makes of them."""

import json
from pathlib import Path

import pytest

import gpu_wordle as gw
from gpu_wordle.web.parameters import MAX_GAMES_BYTES, MAX_HISTORY_GAMES
from support.page import opened_page
from support.web import ask, get, served

pytestmark = pytest.mark.slow

TAB, ENTER, SPACE = "\ue004", "\ue007", " "
KEPT = "return JSON.parse(localStorage.getItem('gpu-wordle-games') ?? '[]')"
JSON = {"Content-Type": "application/json"}
GAMES = [
    {"guesses": ["salet", "crony", "abbot"], "patterns": ["BYBBG", "BBYBB", "GGGGG"]},
    {"title": "Wordle 1,234 2/6", "patterns": ["BYBBG", "GGGGG"]},
    {"guesses": ["crane", "light", "might"], "answer": "might"},
    {"guesses": ["salet"] * 6, "answer": "might"},
]
PASTED = """salet BYBBG
crony BBYBB
abbot GGGGG

Wordle 1,234 2/6
⬛🟨⬛⬛🟩
🟩🟩🟩🟩🟩

crane light might
"""


@pytest.fixture(scope="module")
def server():
    with served() as opened:
        yield opened


@pytest.fixture(scope="module")
def downloads(tmp_path_factory):
    return tmp_path_factory.mktemp("downloads")


@pytest.fixture(scope="module")
def page(server, downloads):
    with opened_page(server.address, downloads) as opened:
        yield opened


@pytest.fixture
def history(tmp_path):
    """What the terminal tells of the games."""
    path = tmp_path / "games.jsonl"
    path.write_text("".join(f"{json.dumps(each)}\n" for each in GAMES))
    (row,) = gw.analyse(gw.load_game(), games=path, report=True, threads=1)
    return row


def show(page, games=GAMES, width=1280, scheme="light"):
    """Show the history of a browser that keeps some games."""
    page.show("#browse")
    page.browser.run("localStorage.clear()")
    page.browser.run("localStorage.setItem('gpu-wordle-games', arguments[0])", json.dumps(games))
    page.show("#history", width, scheme)


def figures(page):
    names, values = (page.texts(f".card:first-child {tag}") for tag in ("dt", "dd"))
    return dict(zip(names, values, strict=True))


def test_pasted_games_are_kept_and_summed_up(page):
    """By mouse: what cannot be read is named and stays in its field."""
    show(page, [])
    assert "nowhere else" in page.texts("#main .note")[0]
    assert "No games yet" in page.texts("#main .note")[1]
    page.browser.run("document.querySelector('textarea').value = arguments[0]", PASTED)
    page.click("button", "Add games")
    page.settle()
    assert page.texts("#main .note.good") == ["2 games added."]
    assert page.texts("#main .note.failed")[0].startswith(
        "line 9: crane light might: words without"
    )
    assert page.browser.run("return document.querySelector('textarea').value") == PASTED
    page.click(".chip", "end with the answer")
    page.click("button", "Add games")
    page.settle()
    assert page.texts("#main .note.good") == ["1 game added, 2 were there already."]
    assert page.texts("#main .note.failed") == []
    assert page.browser.run(KEPT) == GAMES[:3]
    assert page.barriers() == []
    assert figures(page)["solved"] == "3"


def test_the_figures_are_those_of_the_terminal(page, history):
    show(page)
    told = figures(page)
    assert (told["solved"], told["lost"], told["longest streak"]) == ("3", "1", "3")
    skill, error = (100 * history[f"skill_{key}"] for key in ("mean", "error"))
    assert told["mean skill"] == f"{skill:.1f} ± {error:.1f} %"
    shown = f"{history['luck_mean']:+.3f} ± {history['luck_error']:.3f}".replace("-", "−")
    assert told["mean luck"] == shown
    bars = [*map(str, history["solved_on_turn"]), str(history["lost_games"])]
    assert page.texts(".spread-of b") == bars
    names = [name.replace("salet", "SALET").replace("crane", "CRANE") for name in history["habits"]]
    assert page.texts("tbody th") == names
    best = [" ".join(GAMES[number - 1]["guesses"]) for number in history["best_games"]]
    assert [text.lower() for text in page.texts(".lists > :first-child a")] == best
    lucky = [" ".join(GAMES[number - 1]["guesses"]) for number in history["luckiest_games"]]
    assert [text.lower() for text in page.texts(".lists > :last-child a")] == lucky
    page.click(".lists a", "SALET CRONY ABBOT")
    page.settle()
    assert page.state == "#review?turns=salet:BYBBG,crony:BBYBB,abbot:GGGGG"


def test_games_are_deleted_and_exported_by_keys(page, downloads):
    show(page, width=390, scheme="dark")
    page.tab_to("summary")
    page.type(ENTER)
    page.tab_to("[aria-label='Delete game 4']")
    page.type(ENTER)
    page.settle()
    assert page.browser.run(KEPT) == GAMES[:3]
    page.browser.run("document.querySelector('textarea').focus()")
    page.tab_to(".tools-of button")
    page.type(ENTER)
    page.browser.wait(lambda: list(downloads.glob("*.jsonl")))
    (path,) = downloads.glob("*.jsonl")
    page.browser.wait(lambda: path.read_text().count("\n") == 3)
    assert [json.loads(line) for line in path.read_text().splitlines()] == GAMES[:3]
    page.type(TAB, ENTER)
    assert page.texts(".tools-of .note") == ["Delete 3 games for good?"]
    assert page.barriers() == []
    page.type(ENTER)  # the focus is on the button that keeps them
    assert page.browser.run(KEPT) == GAMES[:3]
    page.tab_to(".tools-of button:last-child")
    page.type(ENTER)
    page.click(".tools-of button", "Delete")
    assert page.browser.run(KEPT) == []
    page.browser.all("input[type=file]")[0].send_keys(str(path))
    page.settle()
    assert page.browser.run(KEPT) == GAMES[:3]
    path.unlink()


def test_a_file_that_is_no_text_is_refused_in_a_line(page, tmp_path):
    show(page, [])
    (tmp_path / "turns.h5").write_bytes(b"\x89HDF")
    page.browser.all("input[type=file]")[0].send_keys(str(tmp_path / "turns.h5"))
    page.settle()
    assert "this file is no text" in page.texts("#main .note.failed")[0]


def test_a_finished_game_is_added(page):
    show(page, [])
    page.show("#advise?turns=salet:BYBBG,abbot:GGGGG")
    page.click(".left button", "Add to my history")
    assert page.texts(".left button") == ["Added to my history"]
    kept = [{"guesses": ["salet", "abbot"], "patterns": ["BYBBG", "GGGGG"]}]
    assert page.browser.run(KEPT) == kept
    page.show("#advise?turns=salet:BYBBG,abbot:GGGGG")
    page.click(".left button", "Add to my history")
    assert page.texts(".left button") == ["In my history already"]


@pytest.mark.parametrize("kept", ["", "null", "{", "[1,null,{}]", '[{"guesses":"x"}]', '{"a":1}'])
def test_what_the_browser_keeps_is_read_with_care(page, kept):
    show(page, [])
    page.browser.run("localStorage.setItem('gpu-wordle-games', arguments[0])", kept)
    page.show("#history")
    assert "No games yet" in page.texts("#main .note")[1]


def test_the_view_fits_and_keeps_nobody_out(page):
    show(page, width=320, scheme="dark")
    for width, scheme in ((320, "dark"), (390, "light"), (1280, "light"), (1280, "dark")):
        page.browser.look(width, scheme)
        assert page.browser.run("return document.documentElement.scrollWidth") <= width
        assert page.barriers() == []


def post(server, path, body):
    return ask(server, path, {}, JSON, "POST", json.dumps(body).encode())


def test_the_server_keeps_no_games(server):
    lines = "".join(f"{json.dumps(each)}\n" for each in GAMES)
    before = get(server, "api/health")
    status, said, headers = post(server, "api/history", {"games": lines})
    assert (status, said["analysed_games"], said["given_games"]) == (200, 4, 4)
    assert headers["cache-control"] == "no-store"
    status, said, headers = post(server, "api/collect", {"text": PASTED})
    assert (status, len(said["games"]), headers["cache-control"]) == (200, 2, "no-store")
    assert before == get(server, "api/health")
    status, said, _ = post(server, "api/history", {"games": '{"answer": "might"}\n'})
    assert (status, "line 1" in said["error"]["message"]) == (400, True)
    too_many = f"{json.dumps(GAMES[1])}\n" * (MAX_HISTORY_GAMES + 1)
    status, said, _ = post(server, "api/history", {"games": too_many})
    assert (status, f"{MAX_HISTORY_GAMES:,}" in said["error"]["message"]) == (400, True)
    assert post(server, "api/collect", {"text": "x" * MAX_GAMES_BYTES})[0] == 413
    assert post(server, "api/analyse", {"text": "x" * 20_000})[0] == 413
    assert not Path("games.jsonl").exists()
