"""The page installed and shared: what it shows while its server is away, and what it hands on."""

import json
import struct

import pytest

from gpu_wordle.ranking.stop_token import StopToken
from gpu_wordle.web.export import Export
from gpu_wordle.web.page import STATIC, edition_of, page_files
from gpu_wordle.web.shelf import GameName, Offer, offer_of
from support.page import Page, file_host, opened_page
from support.small_game import ANSWERS, GUESSES
from support.web import ask, get, served

pytestmark = pytest.mark.slow

ENTER = "\ue007"
IS_KEPT = (
    "const done = arguments[0]; caches.keys().then(async (names) => {"
    " const found = await Promise.all(names.map(async (name) =>"
    " (await (await caches.open(name)).match('site.json')) ? name : null));"
    " done(found.filter(Boolean)) })"
)
UNREACHED = "the server does not answer; start gpu-wordle serve again, and reload this page"


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    with served() as first, opened_page(first.address, tmp_path_factory.mktemp("pages")) as opened:
        yield opened


@pytest.fixture
def small(tmp_path):
    """The offer of a small game."""
    (tmp_path / "guesses.txt").write_text("\n".join(GUESSES))
    (tmp_path / "small.txt").write_text("\n".join(ANSWERS))
    return offer_of(GameName(str(tmp_path / "guesses.txt"), str(tmp_path / "small.txt")), None, [])


def settled(page, edition=None):
    """Wait until the page is kept whole; return the editions that are kept."""

    def kept():
        found = page.driver.execute_async_script(IS_KEPT)
        return found and (edition is None or found == [f"gpu-wordle {edition}"])

    page.browser.wait(kept)


def is_offline(page):
    return not page.browser.run("return document.getElementById('offline').hidden")


def test_without_its_server_the_page_shows_what_it_was_told(page, small):
    """And nothing of another game, when the server comes back with one."""
    page.leave()
    with served() as server:
        port = server.port
        other = Page(page.browser, server.address)
        other.show("#advise?turns=salet:BYBBG")
        settled(other)
        other.show("#advise?turns=salet:BYBBG&draft=crony:BBBBB")
        other.browser.wait(lambda: other.texts(".mine p")[0] != "Evaluating CRONY …")
        best, mine = other.texts("table.best .word"), other.texts(".mine p")
        assert len(best) == 6
        assert not is_offline(other)
    other.show("#advise?turns=salet:BYBBG&draft=crony:BBBBB")
    assert is_offline(other)
    assert other.texts(".left .count") == ["20"]
    assert other.texts("table.best .word") == best
    assert other.texts(".mine p") == mine
    assert other.barriers() == []
    other.click("nav a", "Watch")  # never opened before
    other.settle()
    assert other.texts(".views [aria-current]") == ["Watch"]
    other.show("#advise?turns=crane:BBBBB")
    assert other.texts(".near .failed") == [UNREACHED]
    with served(small, port=port) as server:
        other.show("#advise?turns=rat:BGG")
        assert not is_offline(other)
        left = get(server, "api/position", turns="rat:BGG")["remaining"]
        assert other.texts(".left .count") == [str(len(left))]
        settled(other, edition_of(small))
    other.show("#advise?turns=salet:BYBBG")
    assert other.texts("table.best .word") == []
    with served(port=port):
        other.settle()
        other.browser.run("location.hash = '#advise?turns=rat:BGG'")
        told = "the server was started anew with another game or version; reload this page"
        other.browser.wait(lambda: told in other.texts(".near .failed"))
    other.browser.complaints()
    other.leave()


def test_my_history_is_there_without_the_server(page):
    page.leave()
    games = [{"guesses": ["salet", "abbot"], "patterns": ["BYBBG", "GGGGG"]}]
    with served() as server:
        other = Page(page.browser, server.address)
        other.show("#history")
        settled(other)
        script = "localStorage.setItem('gpu-wordle-games', arguments[0])"
        other.browser.run(script, json.dumps(games))
        other.show("#history")
        figures = other.texts(".figures dd")
        assert figures[0] == "1"
    other.show("#history")
    assert other.texts(".figures dd") == figures
    assert "These are the figures of the last time." in other.texts("#main .note")
    other.browser.complaints()
    other.leave()


def test_an_exported_site_needs_no_host_either(page, small, tmp_path):
    Export(small, tmp_path / "site", 1, 1).run(StopToken())
    page.leave()
    with file_host(tmp_path / "site") as address:
        site = Page(page.browser, address)
        site.show("#advise")
        settled(site, edition_of(small))
        site.show("#advise")
        best = site.texts("table.best .word")
        assert best
        start = "const [done] = arguments; caches.match('data/guesses-normal/start.json')"
        names = json.loads((tmp_path / "site" / "site.json").read_text())["games"][0]["start"]
        script = start.replace("data/guesses-normal/start.json", names) + ".then((r) => done(!!r))"
        site.browser.wait(lambda: site.driver.execute_async_script(script))
    site.show("#advise")
    assert site.texts("table.best .word") == best
    site.show("#play?umpire=adversary&moves=chf")
    assert site.texts(".row .aside")
    site.browser.complaints()
    site.leave()


def test_editions_differ_where_answers_may(small, tmp_path):
    (tmp_path / "likely.csv").write_text("".join(f"{word},1\n" for word in ANSWERS))
    lists = str(tmp_path / "guesses.txt"), str(tmp_path / "small.txt")
    offers = [Offer(), small, offer_of(GameName(*lists, rule="hard"), None, []),
              offer_of(GameName(*lists), tmp_path / "likely.csv", [])]  # fmt: skip
    found = [edition_of(offer) for offer in offers]
    assert len(set(found)) == len(found)
    (tmp_path / "small.txt").write_text("\n".join(ANSWERS[:-1]))
    assert edition_of(offer_of(GameName(*lists), None, [])) not in found
    assert edition_of(Offer()) == found[0]


def test_the_worker_and_the_manifest_are_served(page):
    with served() as server:
        status, _, headers = ask(server, "worker.js")
        assert (status, headers["content-type"].split(";")[0]) == (200, "text/javascript")
        assert "worker-src 'self'" in headers["content-security-policy"]
        status, said, headers = ask(server, "static/manifest.webmanifest")
        assert (status, headers["content-type"]) == (200, "application/manifest+json")
        site = get(server, "site.json")
        answer = ask(server, "api/words")[2]
        assert answer["x-edition"] == site["edition"] == edition_of(Offer())
        for name in site["files"]:
            assert ask(server, name)[0] == 200, name
    manifest = json.loads(said)
    for icon in manifest["icons"]:
        content = (STATIC / icon["src"]).read_bytes()
        if icon["type"] == "image/png":
            width, height = struct.unpack(">II", content[16:24])
            assert icon["sizes"] == f"{width}x{height}"
    assert {"worker.js", "index.html", *site["files"]} == set(page_files())


STUBS = """
window.handed = {};
navigator.clipboard.writeText = (text) => { window.handed.text = text; return Promise.resolve(); };
if (arguments[0]) {
  navigator.canShare = ({ files }) => arguments[0] === "files" && files.length === 1;
  navigator.share = (given) => { window.handed.shared = given; return Promise.resolve(); };
}
"""


def test_a_challenge_tells_neither_words_nor_moves(page):
    """By keys; the link leads to the same word."""
    page.show("#play?seed=4&moves=salet,crony,fuzzy,jiffy,mommy,puppy", 390)
    page.browser.run(STUBS, "")
    page.tab_to(".share button")
    page.type("\ue004", ENTER)
    page.browser.wait(lambda: page.texts(".share [role=status]") != [""])
    text = page.browser.run("return window.handed.text")
    lines = text.splitlines()
    assert lines[0] == "gpu-wordle X/6"
    assert len(lines) == 8
    assert lines[-1] == f"Can you do better? {page.address}#play?seed=4"
    assert not any(word in text.lower() for word in ("salet", "crony", "fuzzy"))
    assert page.barriers() == []


def test_the_share_sheet_takes_the_picture(page):
    page.show("#review?turns=salet:BYBBG,crony:BBYBB,abbot:GGGGG")
    for kind in ("files", "text"):
        page.browser.run(STUBS, kind)
        page.click(".share button", "Share")
        page.browser.wait(lambda: page.browser.run("return window.handed.shared !== undefined"))
        shared = "return window.handed.shared"
        assert page.browser.run(f"{shared}.text").startswith("⬛🟨⬛⬛🟩")
        files = page.browser.run(f"{shared}.files?.map((f) => [f.name, f.type, f.size > 1000])")
        assert files == ([["game.png", "image/png", True]] if kind == "files" else None)
    page.browser.run(STUBS, "")
    page.browser.run("delete navigator.share; navigator.share = undefined")
    page.click(".share button", "Share")
    page.browser.wait(lambda: "no share sheet" in page.texts(".share [role=status]")[0])
