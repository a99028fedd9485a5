"""The page in a real browser: each view by mouse and by keyboard, on telephones and on desks."""

import gzip
import os
import random
import re
import unicodedata
from collections import Counter
from functools import partial
from urllib.parse import urlencode

import pytest

import gpu_wordle as gw
from gpu_wordle.errors import UserError
from gpu_wordle.game.feedback import LetterFeedback, pattern
from gpu_wordle.game.rule import Rule
from gpu_wordle.game.spelling import capitals, normalise
from gpu_wordle.ranking.stop_token import StopToken
from gpu_wordle.solver.ready import make_greedy_ready, make_ready
from gpu_wordle.web.export import Export
from gpu_wordle.web.page import address, page_files
from gpu_wordle.web.parameters import read_one
from gpu_wordle.web.questions import parameters_of
from gpu_wordle.web.shelf import GameName, Offer, offer_of
from support.page import Page, file_host, opened_page
from support.small_game import ANSWERS, GUESSES
from support.web import ask, get, served, served_by

pytestmark = pytest.mark.slow

INSTALLED = "GPU_WORDLE_INSTALLED"
"""Names the Python whose installed package serves the page, where it is not this one."""

ENTER, BACK, TAB, SPACE = "\ue007", "\ue003", "\ue004", " "
ESCAPE = "\ue00c"
LEFT, UP, RIGHT, DOWN, END = "\ue012", "\ue013", "\ue014", "\ue015", "\ue010"
VIEWS = {
    "advise": "#advise?turns=light:BGGGG&draft=ferms:BBBBB",
    "watch": "#watch?target=vowel&opener=false&strategies=entropy,parts&pool=answers&step=2",
    "explore": "#explore?turns=light:BGGGG&guess=ferms&other=eight&part=BBBBB",
    "review": "#review?turns=salet:BYBBG,crony:BBYBB,abbot:GGGGG",
    "history": "#history",
    "browse": "#browse",
    "plot": "#browse?show=plot&pick=salet",
    "tree": "#browse?show=tree&turns=light:BGGGG&opener=ferms",
    "matrix": "#browse?show=matrix",
    "play": "#play?seed=4&moves=salet,crony",
}


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """A server whose machine code is compiled, as the verb has it before it serves.

    With INSTALLED it is that of an installed package, in a process of its own.
    """
    if python := os.environ.get(INSTALLED):
        with served_by(python, tmp_path_factory.mktemp("elsewhere")) as opened:
            yield opened
        return
    for rule in (Rule.NORMAL, Rule.HARD):
        make_ready(rule, statistics=True)
    make_greedy_ready()
    with served() as opened:
        yield opened


@pytest.fixture(scope="module")
def page(server, tmp_path_factory):
    """One browser for all tests; at the end nobody else was asked, and nothing complained of."""
    with opened_page(server.address, tmp_path_factory.mktemp("pages")) as opened:
        yield opened


@pytest.fixture(scope="module")
def original():
    return gw.load_game("original")


def advice(page):
    """The three lists of the page, as pairs of guess and figures."""
    rows = page.browser.run(
        "return [...document.querySelectorAll('table.best tbody tr')]"
        ".map((r) => [...r.cells].map((c) => c.textContent))"
    )
    lists = page.browser.run(
        "return [...document.querySelectorAll('.suggested')].map((l) => [...l.children].map((i) =>"
        " [i.querySelector('button').textContent, i.querySelector('b').textContent,"
        " i.querySelector('small').textContent]))"
    )
    return rows, lists


# Advise


def test_advice_by_mouse_offers_ferms_after_light(page, original):
    """The example of 000, figure 4: EIGHT and its like are told apart by FERMS."""
    page.show("#advise")
    for letter in "LIGHT":
        page.click(".key", letter)
    for place in range(1, 5):
        for _ in range(2):
            page.click(f"[data-row='0'][data-at='{place}']")
    page.click(".aside button", "Enter")
    page.settle()
    assert page.state == "#advise?turns=light:BGGGG"
    assert page.texts(".left .count") == ["8"]
    assert len(page.texts(".left .words li")) == 8
    rows = gw.suggest(original.after("light BGGGG"), "total,entropy,greens", 18, threads=1)
    shown, lists = advice(page)
    best = [row for row in rows if row["by"] == "total"]
    assert [each[0].lower() for each in shown] == [row["guess"] for row in best]
    assert [each[1] for each in shown] == [f"{row['mean']:.3f}" for row in best]
    assert "FERMS" in page.texts(".word.optimal")
    page.click(".word", "FERMS")
    assert page.state.endswith("&draft=ferms:BBBBB")
    page.settle()
    assert page.texts(".mine p")[0].startswith("FERMS 2.375 guesses; no guess is better; 6 groups")
    page.driver.back()
    page.browser.wait(lambda: page.texts(".left .count") == ["2,315"])
    assert "turns" not in page.state
    assert [len(each) for each in lists] == [6, 6]


def test_advice_by_keyboard_and_taken_back(page):
    page.show("#advise")
    page.type(*"salet")
    page.tab_to("[data-row='0'][data-at='0']")
    page.type(RIGHT, UP, RIGHT, RIGHT, RIGHT, DOWN, ENTER)
    page.settle()
    assert page.state == "#advise?turns=salet:BYBBG"
    assert page.texts(".left .count") == ["20"]
    assert page.texts("table.best .word.optimal") == ["COURD", "CROUP", "CRUDO"]
    page.browser.wait(lambda: "20 answers left. Best guess COURD" in page.texts("#said")[0])
    page.type(BACK)
    page.settle()
    assert page.state == "#advise?draft=salet:BYBBG"
    assert page.texts(".left .count") == ["2,315"]
    page.type(BACK, *"z")
    page.browser.wait(lambda: page.texts(".check") == ["SALEZ isn't in the word list"])
    page.type(ENTER)
    assert page.state == "#advise?draft=salez:BYBBB"
    page.type(BACK, BACK, ENTER)
    assert page.texts(".check") == ["Type 2 more letters"]
    assert page.state == "#advise?draft=sal:BYB"


def test_enter_enters_the_row_and_changes_no_feedback(page):
    """On tiles of rows that were entered, too, while space and the arrow keys turn them."""
    page.show("#advise")
    page.type(*"crane")
    for place in (0, 2):
        page.click(f"[data-row='0'][data-at='{place}']")
    page.type(ENTER)
    page.settle()
    assert page.state == "#advise?turns=crane:YBYBB"
    page.type(*"moist", ENTER)
    page.settle()
    assert page.state == "#advise?turns=crane:YBYBB,moist:BBBBB"
    page.click("[data-row='1'][data-at='0']")
    page.type(ENTER, ENTER)
    page.settle()
    assert page.state == "#advise?turns=crane:YBYBB,moist:YBBBB"
    page.type(SPACE, RIGHT, UP, *"b")
    page.settle()
    assert page.state == "#advise?turns=crane:YBYBB,moist:GYBBB&draft=b:B"
    page.type(SPACE, BACK, ENTER)
    assert page.state == "#advise?turns=crane:YBYBB,moist:GYBBB"


@pytest.mark.parametrize(
    "clicks",
    [
        [("[data-row='1'][data-at='1']", "")],
        [("[data-row='0'][data-at='1']", "")],
        [(".key", "⌫"), (".key", "S")],
        [("table.best .word", "FERMS")],
        [(".suggested .word", "")],
        [(".equals .word", "FERNS"), (".equals .word", "FERMS")],
        [("summary", "Type or paste")],
        [(".left .words li", "")],
        [("#game", ""), ("dialog[open] button", "Done")],
        [("#look", ""), ("dialog[open] button", "Done")],
        [("#game", ""), (ESCAPE, "")],
        [("nav a", "Advise")],
    ],
    ids=lambda clicks: " ".join(word for each in clicks for word in each if word.isprintable()),
)
def test_enter_enters_the_row_after_any_click(page, clicks):
    page.show("#advise?turns=light:BGGGG&draft=ferms:BBBBB")
    for selector, text in clicks:
        page.type(selector) if selector == ESCAPE else page.click(selector, text)
        page.settle()
    if "draft" not in page.state:
        page.type(*"ferms")  # the address of the view has no row that is being typed
    before = page.state
    page.type(ENTER)
    page.settle()
    assert page.state == before.replace("&draft=", ",")


def test_controls_are_pressed_by_enter_where_the_tab_key_led(page):
    """And what was typed or filled in since is entered by it."""
    page.show("#advise?turns=light:BGGGG")
    page.tab_to(".suggested .word")
    (word,) = page.browser.run("return [document.activeElement.textContent.toLowerCase()]")
    page.type(ENTER)
    page.browser.wait(lambda: f"&draft={word}:" in page.state)
    filled = page.state
    page.type(ENTER)
    page.settle()
    assert page.state == filled.replace("&draft=", ",")
    page.type(BACK)
    page.settle()
    assert page.state == filled
    page.tab_to("summary")
    page.type(ENTER)
    assert page.browser.all("details[open] summary")
    page.type(BACK, word[-1], ENTER)
    page.settle()
    assert page.state == filled.replace("&draft=", ",")
    page.tab_to(".skip", 100)
    page.type(ENTER)
    assert page.browser.run("return document.activeElement.id") == "main"
    assert page.state == filled.replace("&draft=", ",")


def test_six_by_information_and_six_by_greens(page, original):
    """The screen of 003: two lists of six, green borders around what can be the answer."""
    page.show("#advise?turns=crane:BBYBB")
    rows = gw.suggest(original.after("crane BBYBB"), "total,entropy,greens", 18, threads=1)
    _, (information, greens) = advice(page)
    by = {name: [row for row in rows if row["by"] == name] for name in ("entropy_bits", "greens")}
    assert information == [
        [row["guess"].upper(), f"{row['entropy_bits']:.2f} bits", f"{row['mean']:.3f}"]
        for row in by["entropy_bits"]
    ]
    answers = len(original.after("crane BBYBB"))
    assert [[g, figure] for g, figure, _ in greens] == [
        [row["guess"].upper(), f"{row['greens'] / answers:.2f} greens"] for row in by["greens"]
    ]
    bordered = page.texts(".suggested .candidate")
    shown = [row for name in by for row in by[name]]
    assert bordered == [row["guess"].upper() for row in shown if row["candidate"]]


def test_a_game_is_pasted_and_what_cannot_be_is_named(page):
    page.show("#advise")
    page.click("summary", "paste")
    page.write("textarea", "salet 01002\ncrony BBYBB")
    page.click("button", "Load")
    page.browser.wait(lambda: "turns=" in page.state)
    assert page.state == "#advise?turns=salet:BYBBG,crony:BBYBB"
    page.show("#advise?turns=salet:BYBBG,light:BBBBB")
    assert "turn 2" in page.texts(".note.failed")[0]


def test_a_pasted_game_is_loaded_and_what_is_ignored_is_listed(page):
    page.show("#advise")
    page.click("summary", "paste")
    page.write("textarea", "Puzzle 5 3/6\nsalet 01002")
    page.click("button", "Load")
    page.browser.wait(lambda: "turns=" in page.state)
    assert page.texts(".more .note")[-1] == "Ignored: Puzzle 5 3/6"


def test_what_is_known_without_guesses_narrows_the_answers(page, original):
    page.show("#advise?template=**er*&absent=tlac")
    known = original.after(template="**er*", absent="tlac")
    assert page.texts(".left .words li") == [capitals(word) for word in known.answers]
    rows = gw.suggest(known, "total", 6, threads=1)
    assert [each[1] for each in advice(page)[0]] == [f"{row['mean']:.3f}" for row in rows]
    page.write("[data-known='present']", f"y{ENTER}")
    page.settle()
    assert page.state == "#advise?template=**er*&absent=tlac&present=y"
    further = original.after(template="**er*", present="y", absent="tlac")
    assert page.texts(".left .words li") == [capitals(word) for word in further.answers]
    page.show("#explore?template=**er*&absent=tlac&guess=salet")
    assert page.texts(".position .note") == ["Known: **er*; not in it: tlac"]
    page.show("#advise?template=**er*&absent=e")
    assert "absent: E is known to occur, too" in page.texts(".note.failed")[0]


def test_the_page_knows_what_agrees_with_what_is_known(page, original):
    told = [("**er*", "", "tlac"), ("", "ee", "s"), ("", "o2 s45", ""), ("**e**", "e1", "e5"),
            ("", "oso", ""), ("s....", "T2", "")]  # fmt: skip
    page.show("#browse")
    asked = [{"template": t, "present": p, "absent": a} for t, p, a in told]
    seen = page.browser.run(
        "const [asked, words] = arguments; return import('./static/known.js')"
        ".then((m) => asked.map((each) => words.filter(m.agreeing(each, 5))))",
        asked,
        list(original.answers),
    )
    assert seen == [list(original.after(**each).answers) for each in asked]
    unclear = [{"present": "os2"}, {"template": "**"}, {"template": "e****", "absent": "e"}]
    refused = page.browser.run(
        "const [asked] = arguments; return import('./static/known.js')"
        ".then((m) => asked.map((each) => m.agreeing(each, 5)))",
        unclear,
    )
    assert refused == [None] * 3


def test_values_tighten_and_leaving_ends_the_search(page, server):
    page.leave()
    page.browser.open(f"{page.address}#advise?turns=xylyl:BBBBB&rule=hard")
    page.browser.wait(lambda: any("to rule out" in text for text in page.texts(".waiting")))
    assert get(server, "api/health")["working"] == 1
    page.click("nav a", "Play")
    page.browser.wait(lambda: get(server, "api/health")["working"] == 0)


def test_the_best_three_stand_above_the_keyboard_of_a_phone(page):
    """With five turns made, above the keys and in sight; unused rows are folded away."""
    page.show(f"#advise?max_guesses=0&turns={','.join(['light:BGGGG'] * 5)}", 390)
    at = "return document.querySelector(arguments[0]).getBoundingClientRect()"
    after = gw.load_game("original", max_guesses=0).after("light BGGGG " * 5)
    best = gw.suggest(after, "total", 6, threads=1)
    assert [each.lower() for each in page.texts(".nearest .word")] == [
        row["guess"] for row in best if row["by"] == "total"
    ][:3]
    near, keys, bar = (page.browser.run(at, each) for each in (".nearest", ".keyboard", ".views"))
    assert near["bottom"] < keys["top"]
    assert keys["bottom"] < 844 - bar["height"]
    page.show("#advise", 320)
    assert sum(row.is_displayed() for row in page.browser.all(".board .row")) == 1
    page.click(".nearest .word", "SALET")
    assert page.state == "#advise?draft=salet:BBBBB"
    page.browser.look(1280, "light")
    assert sum(row.is_displayed() for row in page.browser.all(".board .row")) == 6
    assert not page.browser.all(".nearest")[0].is_displayed()


def test_my_guess_is_judged_while_it_stands(page, original):
    """By keys: value, loss, groups and win of the guess, and its equals, common words first."""
    page.show("#advise?turns=salet:BYBBG")
    page.type(*"crony")
    page.settle()
    after = original.after("salet BYBBG")
    told, alike = page.texts(".mine p")
    sizes = Counter(original.feedback("crony", answer) for answer in after.answers)
    assert told == (
        f"CRONY {float(gw.solve(after, 'crony', threads=1).mean):.3f} guesses; "
        f"loses {float(gw.regret(after, 'crony')):.3f} guesses; {len(sizes)} groups, "
        f"the largest of {max(sizes.values())}; guaranteed win."
    )
    best = [row["guess"] for row in gw.suggest(after, "total", 30, threads=1) if row["optimal"]]
    common = sorted(best, key=lambda word: (word not in original.answers, word))
    assert alike == f"{len(best)} equally good, common words first:"
    assert [each.lower() for each in page.texts(".equals .word")] == common
    assert common[0] == "croup"
    page.browser.wait(lambda: page.texts("#said")[0].startswith("CRONY 2.450 guesses; loses 0.200"))
    page.tab_to(".equals .word")
    page.type(ENTER)
    page.settle()
    assert page.state == "#advise?turns=salet:BYBBG&draft=croup:BBBBB"
    assert page.texts(".mine p") == [
        "CROUP 2.250 guesses; no guess is better; 15 groups, the largest of 4; guaranteed win.",
        "One of 3 equally good, common words first:",
    ]
    page.type(BACK)
    assert page.texts(".mine") == [""]


def test_my_guess_by_other_aims_and_where_it_may_lose(page, server):
    page.show("#advise?turns=light:BGGGG&max_guesses=3&draft=eight:BBBBB")
    assert page.texts(".mine p")[0].startswith("EIGHT ")
    assert page.texts(".mine p")[0].endswith("; no guaranteed win.")
    asked = {"turns": "light:BGGGG", "objective": "fewest-failures", "max_guesses": 3}
    page.show(f"#advise?{urlencode(asked)}&draft=eight:BBBBB")
    lost = get(server, "api/value", guess="eight", **asked)["rows"][0]["failures"]
    assert lost > 0
    assert f"{lost} answers not found in time; loses " in page.texts(".mine p")[0]
    assert page.texts(".mine p")[0].endswith("; no guaranteed win.")
    page.show("#advise?turns=salet:BYBBG&rule=hard&draft=crony:BBBBB")
    assert "CRONY" in page.texts(".mine .failed")[0]
    assert page.barriers() == []


def test_my_guess_leaves_the_keyboard_of_a_phone_where_it_is(page):
    page.show("#advise?turns=light:BGGGG", 390)
    top = "return document.querySelector('.keyboard').getBoundingClientRect().top"
    before = page.browser.run(top)
    page.type(*"ferms")
    page.settle()
    assert page.browser.run(top) == before
    assert page.texts(".equals .word")


# Watch


def test_three_rules_are_watched_step_by_step(page, original):
    """001, figure 11: from FALSE to VOWEL by entropy, deviation and parts; BINGO is one of four."""
    page.show("#watch")
    page.click("button", "VOWEL from FALSE")
    page.settle()
    games = [
        ["false", "deter", "bingo", "hovel", "vowel"],
        ["false", "newer", "debit", "vowel"],
        ["false", "repel", "width", "bowel", "vowel"],
    ]
    shown = page.browser.run(
        "return [...document.querySelectorAll('.game')].map((g) => [...g.querySelectorAll("
        "'.tiles[role]')].map((t) => t.textContent.toLowerCase()))"
    )
    assert shown == games
    facts = page.texts(".game:first-child .facts")
    assert "4 tied" in facts[2]
    for fact, row in zip(facts, gw.analyse(original, games[0], "vowel"), strict=True):
        assert f"regret {row['regret']:.3f}" in fact
        assert f"{abs(row['luck']):.3f}" in fact
    page.click(".player button", "Start")
    page.tab_to(".player [data-name='step']")
    page.type(ENTER, ENTER, SPACE)
    assert page.state.endswith("&step=3")
    assert "turn 3 of 5" in page.texts(".player .note")
    page.click(".player button", "Undo")
    page.click(".game summary", "Words under evaluation")
    considered = page.texts(".game:first-child tbody th")
    assert considered[0] == "DETER"
    assert len(considered) == 12


# Explore


def test_the_spectrum_of_salet(page, original):
    """All its bars, statistics and the exact total, 7,920; by mouse and by keyboard."""
    page.show("#explore")
    page.browser.wait(lambda: "7,920" in page.texts("table.statistics td"))
    assert len(page.browser.all(".bar-of")) == 148
    shown = dict(
        zip(
            page.texts("table.statistics th[scope=row]"),
            page.texts("table.statistics td.n"),
            strict=True,
        )
    )
    assert shown["guesses on average"] == "3.4212"
    assert shown["entropy bits"] == "5.835"
    assert shown["parts"] == "148"
    page.tab_to("[role=listbox]")
    page.type(RIGHT, RIGHT)
    told = page.texts(".told.hover")[0]
    page.type(LEFT, ENTER)
    page.browser.wait(lambda: "part=BBBBB" in page.state)
    assert page.texts(".told.hover")[0] != told
    assert (
        page.browser.all("[role=option][aria-selected=true]")[0].get_attribute("id") == "bar-BBBBB"
    )
    assert len(page.texts(".words li")) == 221
    page.click("#bar-BYBBG")
    page.browser.wait(lambda: len(page.texts(".words li")) == 20)
    page.click("button", "Continue from here")
    page.settle()
    assert page.state == "#explore?turns=salet:BYBBG"
    assert page.texts(".made .tiles") == ["SALET"]


def test_two_spectra_over_each_other(page, original):
    page.show("#explore?turns=light:BGGGG&guess=ferms")
    page.write(".field:nth-child(2) input", "eight")
    page.browser.wait(lambda: page.texts("table.statistics thead th") == ["FERMS", "EIGHT"])
    page.browser.wait(lambda: not any(text == "…" for text in page.texts("table.statistics td")))
    totals = page.texts("table.statistics tr:first-child td.n")
    values = {
        row["guess"]: row["total"]
        for row in gw.suggest(original.after("light BGGGG"), "total,greens", 16, threads=1)
    }
    assert totals == [str(values["ferms"]), str(values["eight"])]
    assert len(page.browser.all(".bar-of")) == 6
    assert len(page.browser.all(".cap")) == 2


# Review


def test_a_finished_game_is_reviewed(page, original):
    page.show("#review")
    page.write("textarea", "salet crony abbot")
    page.write("form input", "abbot")
    page.type(ENTER)
    page.browser.wait(lambda: page.state == "#review?turns=salet:BYBBG,crony:BBYBB,abbot:GGGGG")
    page.settle()
    rows = gw.analyse(original, ["salet", "crony", "abbot"], "abbot")
    for i, row in enumerate(rows, start=1):
        names = page.texts(f".turns > li:nth-child({i}) dt")
        figures = dict(zip(names, page.texts(f".turns > li:nth-child({i}) dd"), strict=True))
        assert figures["regret"] == f"{row['regret']:.3f}"
        assert figures["luck"].lstrip("+") == f"{row['luck']:.3f}"
        assert figures["best guess"] == f"{row['value_best']:.3f}"
    assert "3.421 for best play on average + 0.200 regret − 0.621 luck = 3 guesses" in page.texts(
        ".note"
    )
    assert page.texts(".best-guesses") == ["Best: COURD CROUP CRUDO"]
    drawn = page.browser.run("return document.querySelector('.share canvas').toDataURL()")
    page.click(".share label")
    assert page.browser.run("return document.querySelector('.share canvas').toDataURL()") != drawn


def test_the_coach_comments_on_each_turn(page, original):
    """As Python does; the words left and the meanings of the labels open by a click."""
    page.show(VIEWS["review"])
    rows = gw.analyse(original, ["salet", "crony", "abbot"], "abbot")
    said = [f"{', '.join(filter(None, (r['label'], r['marks'])))}{r['coach']}" for r in rows]
    assert page.texts(".comment") == said
    page.click("summary", "20 answers left after it")
    left = page.texts(".turns > li:first-child .words.long a")
    assert [word.lower() for word in left] == rows[0]["remaining"]
    page.click("summary", "What the labels mean")
    assert page.barriers() == []
    page.click(".turns > li:first-child .words.long a", left[3])
    page.settle()
    assert page.state == f"#explore?turns=salet:BYBBG&guess={left[3].lower()}"


@pytest.mark.parametrize("width", [390, 1280])
def test_a_turn_is_found_on_the_chart(page, width):
    page.show(VIEWS["review"], width)
    focused = "return document.activeElement.dataset.turn"
    page.click(".course .turn:nth-of-type(3)")
    assert page.browser.run(focused) == "2"
    assert page.texts(".course + .told") == [
        "2. CRONY: inaccuracy, choice cost 0.200, luck gave 0.450"
    ]
    page.browser.run("document.querySelector('.course').focus()")
    page.type(RIGHT)
    assert page.texts(".course + .told")[0].startswith("3. ABBOT: best")
    page.type(LEFT, LEFT, ENTER)
    assert page.browser.run(focused) == "1"
    assert page.browser.run("return document.documentElement.scrollWidth") <= width
    assert page.barriers() == []


def test_a_game_is_entered_on_a_board_by_keys(page):
    page.show("#review")
    page.click("summary", "Enter it on a board")
    page.type(*"salet", ENTER)
    page.browser.wait(lambda: page.state == "#review?turns=salet:BBBBB")
    page.settle()
    page.click(".board .tile", "A")
    page.browser.wait(lambda: page.state == "#review?turns=salet:BYBBB")
    page.settle()
    page.type(*"zzzzz", ENTER)
    page.browser.wait(lambda: "ZZZZZ isn't in the word list" in page.texts(".note.bad"))
    page.type(*[BACK] * 5, *"cairn")
    page.browser.wait(lambda: page.texts(".board .current .tile") == list("CAIRN"))
    assert page.barriers() == []


def test_a_game_is_entered_on_a_board_by_mouse(page):
    page.show("#review", 390)
    page.click("summary", "Enter it on a board")
    page.browser.wait(lambda: page.browser.all(".keyboard"))
    page.browser.run("document.querySelector('.keyboard').scrollIntoView({block: 'center'})")
    for letter in "SALET":
        page.click(".key", letter)
    for letter, clicks in (("A", 1), ("T", 2)):
        for _ in range(clicks):
            page.click(".board .current .tile", letter)
    page.click(".key", "Enter")
    page.browser.wait(lambda: page.state == "#review?turns=salet:BYBBG")
    page.settle()
    assert "20 answers left after it" in page.texts("summary")
    assert page.browser.run("return document.documentElement.scrollWidth") <= 390


def test_a_lost_game_is_valued_without_the_limit(page, original):
    """In the turns, in the sums, and in the picture, and it says so."""
    played = ["salet", "crony", "dwarf", "igloo", "vivid", "fluff"]
    rows = gw.analyse(original, played, "mummy", threads=1)
    lost = [row["turn"] for row in rows if row["guaranteed"] is False]
    assert lost
    turns = ",".join(f"{row['guess']}:{row['pattern']}" for row in rows)
    page.show(f"#review?turns={turns}")
    named = f"{'turn' if len(lost) == 1 else 'turns'} {', '.join(map(str, lost))}"
    assert page.texts(".card > p.note")[0] == (
        f"After {named} a win was not guaranteed: the values are those without the guess limit."
    )
    for row in rows:
        figures = page.texts(f".turns > li:nth-child({row['turn']}) dd")
        assert figures[0] == f"{row['regret']:.3f}"
        assert figures[2:4] == [f"{row[key]:.3f}" for key in ("value_guess", "value_best")]
    skill = 1 - sum(row["regret"] for row in rows) / len(rows)
    assert page.texts(".stack > .card:first-child dd")[2] == f"{100 * skill:.0f} %"
    drawn = page.browser.all(".share canvas")[0].get_attribute("aria-label")
    assert f"{named} valued without the guess limit" in drawn


def test_a_share_grid_alone_says_which_openers_agree(page):
    page.show("#review")
    page.write("textarea", "BYBBG\nBBYBB\nGGGGG")
    page.click("button", "Review")
    page.browser.wait(lambda: page.texts("h2") and "A share grid without words" in page.texts("h2"))
    assert re.search(r"[\d,]+ openers and [\d,]+ games agree", page.texts(".card .note")[0])
    assert len(page.texts(".card tbody tr")) > 5


def test_several_share_grids_say_which_answers_agree_with_all(page):
    page.show("#review")
    page.write("textarea", "Ann 3/6\n\nBYBBG\nBBYBB\nGGGGG\n\nBen 3/6\n\nBBYBB\nBYBBY\nGGGGG\n")
    page.click("button", "Review")
    page.browser.wait(lambda: "Share grids without words" in page.texts("h2"))
    assert re.search(r"[\d,]+ answers? agree with all 2 grids", page.texts(".card .note")[0])
    assert len(page.texts(".card tbody tr")) > 5


# Browse


def test_the_ranking_is_sorted_searched_and_scrolled(page):
    page.show("#browse")
    first = ".long-table tbody tr:first-child td"
    assert page.texts(first)[1:3] == ["SALET", "7,920"]
    said = "[role=status].note:not([hidden])"
    assert page.texts(f".controls .note, {said}") == ["12,972 rows"]
    page.click(".long-table th button", "entropy")
    page.browser.wait(lambda: page.texts(first)[1] == "SOARE")
    page.click(".long-table th button", "entropy")
    page.browser.wait(lambda: page.texts(first)[1] == "QAJAQ")
    page.browser.run("document.querySelector('.long-table').scrollTop = 1e9")
    page.browser.wait(lambda: page.browser.all("[aria-rowindex='12973']"))
    assert len(page.browser.all(".long-table tbody tr")) < 100
    page.write("input[type=search]", "?ight")
    page.browser.wait(lambda: page.texts(said)[0].endswith("of 12,972 rows"))
    assert all(word.endswith("IGHT") for word in page.texts(".long-table .word"))
    page.click(".chip", "only possible answers")
    page.browser.wait(lambda: page.texts(said) == ["9 of 12,972 rows"])


def test_two_rankings_are_plotted(page):
    page.show("#browse?show=plot&x=total&y=total&against=original-hard&pick=salet")
    assert page.texts(".told b") == ["SALET"]
    assert "7,920" in page.texts(".told")[0]
    assert "8,122" in page.texts(".told")[0]
    rho = page.browser.run(
        "const done = arguments[0]; return import('./static/scatter.js')"
        ".then((m) => [m.spearman([1, 2, 3, 4], [1, 3, 2, 4]), m.spearman([1, 1, 2], [3, 3, 1])])"
    )
    assert rho == pytest.approx([0.8, -1])


def test_a_tree_is_opened_by_keys(page, original):
    page.show("#browse?show=tree&opener=salet")
    tree = gw.solve(original, "salet", threads=1).tree
    page.tab_to("[role=treeitem]")
    page.type(RIGHT)
    page.settle()
    page.type(DOWN)
    shown = page.texts("[role=treeitem]:first-child > .branch .next")
    assert shown[0].lower() == tree["BBBBB"].guess
    page.type(LEFT, LEFT)
    assert page.browser.all("[role=treeitem][aria-expanded=true]") == []


def test_the_matrix_shows_any_cell(page):
    page.show("#browse?show=matrix")
    picture = "return document.querySelector('.picture canvas').toDataURL()"
    page.browser.wait(lambda: len(page.browser.run(picture)) > 100_000)
    whole = page.browser.run(picture)
    page.write(".field:nth-child(1) input", "slate")
    page.write(".field:nth-child(2) input", f"light{TAB}")
    page.browser.wait(lambda: page.browser.run(picture) != whole)
    seen = LetterFeedback(5).format(pattern("slate", "light"))
    assert page.texts(".told")[0].startswith(f"SLATE for LIGHT: {seen}")
    page.click("button", "All")
    page.browser.wait(lambda: page.browser.run(picture) == whole)


# Play


def test_a_word_of_the_umpire_is_found_by_keys(page, server):
    asked = {"umpire": "random", "seed": 4}
    answer = get(server, "api/play", **asked, words="salet,crony,fuzzy,jiffy,mommy,puppy")["answer"]
    page.show("#play?seed=4")
    page.type(*"zzzzz", ENTER)
    page.browser.wait(lambda: page.texts(".verdict") == ["ZZZZZ isn't in the word list"])
    page.type(*[BACK] * 5, *"salet", ENTER)
    page.browser.wait(lambda: page.state == "#play?seed=4&moves=salet")
    page.type(*answer, ENTER)
    page.browser.wait(lambda: "Solved in 2 guesses." in page.texts(".verdict .note"))
    page.click("a", "Review this game")
    page.settle()
    assert page.texts(".turns .tiles")[-1].lower() == answer


def test_an_adversary_is_played_by_mouse(page, server):
    page.show("#play?seed=4", 390)
    page.click("button", "Against an adversary")
    for letter in "SALET":
        page.click(".key", letter)
    page.click(".key", "Enter")
    page.browser.wait(lambda: page.texts(".row .aside") == ["221 left"])
    page.click("summary", "Help")
    page.click("button", "Best guess")
    page.settle()
    assert page.texts(".suggested .optimal")[0] == "COURD"


def test_a_hint_is_played_by_enter(page):
    page.show("#play?seed=4&moves=salet")
    page.tab_to("summary")
    page.type(ENTER)
    page.click("button", "Best guess")
    page.settle()
    page.click(".suggested .word")
    word = "".join(page.texts(".row.current .tile")).lower()
    page.type(ENTER)
    page.browser.wait(lambda: page.state == f"#play?seed=4&moves=salet,{word}")
    page.click(".key", "Q")
    page.type(*"ueue", ENTER)
    page.browser.wait(lambda: page.state == f"#play?seed=4&moves=salet,{word},queue")


# All of them


def test_each_view_remembers_where_it_was(page):
    page.show("#advise?turns=salet:BYBBG,crony:BBYBB")
    page.click("nav a", "Browse")
    page.settle()
    page.write("input[type=search]", "?ight")
    page.click("nav a", "Explore")
    page.settle()
    assert page.state == "#explore?turns=salet:BYBBG,crony:BBYBB"
    page.click("button", "Undo turn")
    page.settle()
    page.click("nav a", "Play")
    page.settle()
    page.type(*"salet", ENTER)
    page.browser.wait(lambda: page.state.endswith("&moves=salet"))
    played = page.state
    page.click("nav a", "Review")
    page.settle()
    page.write("textarea", "salet crony")
    page.click("nav a", "Play")
    page.settle()
    assert page.state == played
    page.click("nav a", "Review")
    page.settle()
    assert page.browser.run("return document.querySelector('textarea').value") == "salet crony"
    page.click("nav a", "Browse")
    page.settle()
    assert page.state == "#browse?search=?ight".replace("=?", "=%3F")
    page.click("nav a", "Advise")
    page.settle()
    assert page.state == "#advise?turns=salet:BYBBG"
    page.click("#game")
    page.settle()
    page.click("dialog[open] select option", "nyt-2023")
    page.click("dialog[open] button", "Done")
    page.settle()
    page.click("nav a", "Play")
    page.settle()
    assert "moves" not in page.state


def test_nothing_of_the_inside_is_told(page):
    """No options of the command line, no state as a solver writes it, no words of a browser."""
    page.show("#advise?turns=salet:GGGBG")
    assert page.texts(".near .failed")[0].startswith("turn 1: ")
    page.show("#advise?max_guesses=1&turns=salet:BYBBG")
    assert page.texts(".near .failed")[0].endswith("raise the guess limit, or give 0 for no limit")
    page.show("#advise")
    page.click("summary", "paste")
    page.write("textarea", "salet crony abbot BYBBG")
    page.click("button", "Load")
    page.browser.wait(lambda: page.texts(".more .failed"))
    assert page.texts(".more .failed")[0].startswith(
        "3 words (salet, crony, abbot) and 1 row of colours (BYBBG); give "
    )
    bypass = partial(page.driver.execute_cdp_cmd, "Network.setBypassServiceWorker")
    bypass({"bypass": True})
    with served() as other:
        gone = Page(page.browser, other.address)
        page.leave()
        gone.show("#explore")
        gone.write(".field:nth-child(1) input", "crane")
        gone.browser.wait(lambda: "guess=crane" in gone.state)
        gone.settle()
    told = "the server does not answer; start gpu-wordle serve again, and reload this page"
    gone.write(".field:nth-child(1) input", "slate")
    gone.browser.wait(lambda: gone.texts("#main > .stack > .stack .note.failed") == [told])
    gone.click("nav a", "Watch")
    gone.browser.wait(lambda: "The page could not be opened" in gone.texts("h2"))
    assert gone.texts("#main .note.failed") == [told]
    gone.browser.complaints()
    gone.leave()
    bypass({"bypass": False})


def test_the_page_is_there_while_the_search_compiles(page):
    share = [0.43]
    page.leave()
    with served(compiled=lambda: share[0]) as starting:
        other = Page(page.browser, starting.address)
        other.browser.open(f"{starting.address}#advise?turns=salet:BYBBG")
        told = "Compiling the search, once on this machine: 43 %"
        other.browser.wait(lambda: other.texts("#main .note") == [told])
        assert other.barriers() == []
        status, said, headers = ask(starting, "api/suggest")
        assert (status, headers["retry-after"]) == (503, "2")
        assert "43% so far" in said["error"]["message"]
        share[0] = 1.0
        other.browser.wait(lambda: other.texts(".left .count") == ["20"])
        other.leave()


def test_keys_and_bars_in_the_dark(page):
    """Keys that are out are darker than unused ones, and nothing shows through the bars."""
    light = (
        "const c = getComputedStyle([...document.querySelectorAll('.key')]"
        ".find((e) => e.textContent === arguments[0])).backgroundColor.match(/\\d+/g).map(Number);"
        "return 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2]"
    )
    page.show("#advise?turns=salet:BYBBG", 390, "dark")
    for palette in ("usual", "contrast"):
        page.browser.run("document.documentElement.dataset.palette = arguments[0]", palette)
        for scheme in ("dark", "light"):
            page.browser.look(390, scheme)
            assert page.browser.run(light, "S") < page.browser.run(light, "Q") - 20
            assert page.barriers() == []
            for bar in (".top", ".views"):
                solid = f"return getComputedStyle(document.querySelector('{bar}')).backgroundColor"
                assert page.browser.run(solid).startswith("rgb(")
    assert "green" not in page.texts(".legend")[0]
    page.browser.run("window.scrollTo(0, 1e6)")
    end = "return document.querySelector(arguments[0]).getBoundingClientRect()"
    assert page.browser.run(end, ".foot p")["bottom"] <= page.browser.run(end, ".views")["top"]


def test_the_page_is_light(page):
    """All its files as a server packs them."""
    sent = sum(len(gzip.compress(path.read_bytes(), 6)) for path in page_files().values())
    assert sent < 100_000


def test_the_page_is_painted_at_once(page):
    """One of some loads paints within 0.3 s: other work on the machine delays most of them."""
    paint = "return performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? null"
    seconds = []
    while len(seconds) < 20 and min(seconds, default=1) > 0.3:
        page.show(VIEWS["play"])
        page.browser.wait(lambda: page.browser.run(paint))
        seconds.append(page.browser.run(paint) / 1e3)
    assert min(seconds) <= 0.3


@pytest.mark.parametrize("view", VIEWS)
def test_a_view_fits_and_keeps_nobody_out(page, view):
    page.show(VIEWS[view], 320, "dark")
    for width, scheme in ((320, "dark"), (390, "light"), (1280, "light")):
        page.browser.look(width, scheme)
        assert page.browser.run("return document.documentElement.scrollWidth") <= width
        assert page.barriers() == []


def test_colours_for_the_colour_blind_are_kept(page):
    page.show(VIEWS["advise"])
    colour = "return getComputedStyle(document.querySelector('.tile.g')).backgroundColor"
    usual = page.browser.run(colour)
    page.click("#look")
    page.browser.run(
        "arguments[0].value = 'contrast'; arguments[0].dispatchEvent(new Event('change'))",
        page.browser.all("dialog[open] select")[1],
    )
    page.click("dialog[open] button", "Done")
    assert page.browser.run(colour) != usual
    page.show(VIEWS["advise"])
    assert page.browser.run(colour) == "rgb(245, 121, 58)"
    assert page.barriers() == []
    page.browser.run("localStorage.clear()")


def test_the_game_is_chosen_in_a_dialog(page, original):
    page.show("#advise?turns=salet:BYBBG")
    page.tab_to("#game")
    page.type(ENTER)
    page.settle()
    rule = page.browser.all("dialog[open] select")[1]
    rule.send_keys("hard")
    page.click("dialog[open] button", "Done")
    page.settle()
    assert page.state == "#advise?turns=salet:BYBBG&rule=hard"
    hard = gw.load_game("original", rule="hard").after("salet BYBBG")
    best = gw.suggest(hard, "total", 6, threads=1)
    assert [each[0].lower() for each in advice(page)[0]] == [row["guess"] for row in best]


def test_turns_are_priced_in_the_dialog(page, original):
    """Prices follow the limit, odd ones are refused in a line, and their advice is the game's."""
    page.show("#advise?turns=salet:BYBBG", 320)
    page.tab_to("#game")
    page.type(ENTER)
    page.settle()
    page.click("dialog[open] [data-aim] option", "the lowest total price of the turns")
    field = "dialog[open] input"
    page.browser.wait(lambda: page.state.endswith("&objective=cost:1,2,3,4,5,6"))
    assert page.browser.run("return document.activeElement.matches('[data-aim]')")
    for text, why in (
        ("1,2,3", "Give 6 prices"),
        ("1,2,3,4,5,x", "x is not a price"),
        ("1,2,3,4,6,5", "Turn 6 costs less than turn 5"),
    ):
        page.write(field, text + TAB)
        page.browser.wait(lambda why=why: why in page.texts("dialog[open] .note.bad")[0])
    assert "1,2,3,4,5,6" in page.state
    page.write(field, f"0 0 1 1 20 20{TAB}")
    page.browser.wait(lambda: page.state.endswith("&objective=cost:0,0,1,1,20,20"))
    assert page.texts("dialog[open] .note.bad") == [""]
    assert page.browser.run("return document.documentElement.scrollWidth") <= 320
    assert page.barriers("dialog[open]") == []
    page.click("dialog[open] button", "Done")
    page.settle()
    priced = gw.load_game("original", objective="cost:0,0,1,1,20,20").after("salet BYBBG")
    best = gw.suggest(priced, "total", 6, threads=1)
    assert [each[0].lower() for each in advice(page)[0]] == [row["guess"] for row in best]
    page.click("#game")
    page.click("dialog[open] [data-limit] option", "5")
    page.browser.wait(lambda: "objective=cost:0,0,1,1,20&max_guesses=5" in page.state)
    page.click("dialog[open] [data-limit] option", "no limit")
    page.browser.wait(lambda: page.state == "#advise?turns=salet:BYBBG&max_guesses=0")
    page.click("dialog[open] button", "Done")


def test_words_of_other_letters_are_played(page, tmp_path):
    """A letter that no row of keys has gets a key, and an address may hold it."""
    words = ["señal", "señor", "sueño", "salir", "sabor", "sudor"]
    (tmp_path / "palabras.txt").write_text("\n".join(words), encoding="utf-8")
    page.leave()
    with served(offer_of(GameName(str(tmp_path / "palabras.txt")), None, [])) as spanish:
        other = Page(page.browser, spanish.address)
        other.show("#advise")
        for letter in "SEÑOR":
            other.click(".key", letter)
        other.browser.wait(lambda: other.texts(".row.current .tile") == list("SEÑOR"))
        other.show("#advise?turns=sudor:GBBGG,sabor:GBBGG")
        assert other.texts(".left .count") == ["1"]
        assert other.texts("table.best .word")[0] == "SEÑOR"
        other.type(*"señal")
        assert other.texts(".row.current .tile") == list("SEÑAL")
        other.leave()


def test_words_are_read_and_shown_as_everywhere(page, tmp_path):
    """Sign by sign, by keys and in addresses; what is shown can be typed again."""
    signs = [chr(c) for c in range(0x80, 0x2C00) if unicodedata.category(chr(c))[0] in "LM"]
    texts = ["ΛΟΓΟΣ", "I\u0307", "e\u0301", "\u1112\u1161\u11ab", "STRAẞE", *signs]
    script = (
        "const [texts, done] = arguments;"
        "import('/static/spelling.js').then(({ normalise, capitals }) =>"
        " done(texts.map((text) => [normalise(text), capitals(normalise(text))])))"
    )
    page.show("#browse")
    told = page.driver.execute_async_script(script, texts)
    newer = {"\u019b", "\u0264"}  # the capitals of which came with Unicode 16
    for text, pair in zip(texts, told, strict=True):
        assert text in newer or pair == [normalise(text), capitals(normalise(text))], ascii(text)
    words = ["ΛΟΓΟΣ", "ΣΤΟΜΑ", "ΣΟΦΟΣ", "ΝΗΣΟΣ", "ΣΕΙΡΑ"]
    (tmp_path / "words.txt").write_text("\n".join(words), encoding="utf-8")
    page.leave()
    with served(offer_of(GameName(str(tmp_path / "words.txt")), None, [])) as greek:
        other = Page(page.browser, greek.address)
        other.show("#advise")
        other.type(*"Σοφος")
        assert other.texts(".row.current .tile") == list("ΣΟΦΟΣ")
        other.browser.wait(lambda: other.texts(".check p") == [])
        other.show("#advise?turns=λογος:BYBBY")
        assert other.texts("table.best .word")[0] == "ΣΤΟΜΑ"
        other.leave()


def test_letters_of_several_signs_have_a_tile_and_a_key(page, tmp_path):
    words = ["calle", "llavé", "perro", "techo", "leche", "pollo", "carro", "cerro", "bollo"]
    (tmp_path / "words.txt").write_text("\n".join(words), encoding="utf-8")
    (tmp_path / "letters.txt").write_text("ch\nll\nrr\ne é\n", encoding="utf-8")
    lists, letters = [str(tmp_path / name) for name in ("words.txt", "letters.txt")]
    game = gw.load_game(lists, alphabet=letters)
    page.leave()
    with served(offer_of(GameName(lists), None, [], alphabet=letters)) as spanish:
        other = Page(page.browser, spanish.address)
        other.show("#advise")
        other.browser.wait(lambda: other.texts(".keys:first-child .key") == ["CH", "LL", "RR"])
        other.type(*"lave")
        assert other.texts(".row.current .tile") == list("LAVE")
        other.type(*[BACK] * 4, *"llave")
        assert other.texts(".row.current .tile") == ["LL", "A", "V", "E"]
        other.browser.wait(lambda: other.texts(".check p") == [])
        other.type(BACK, BACK, BACK)
        assert other.texts(".row.current .tile")[:2] == ["LL", ""]
        other.type(BACK, *"ca")
        other.click(".key", "LL")
        other.type("e")
        assert other.texts(".row.current .tile") == ["C", "A", "LL", "E"]
        other.show("#advise?turns=llave:YGBG")
        assert other.texts(".board .row:first-child .tile") == ["LL", "A", "V", "E"]
        assert other.texts(".left .count") == ["1"]
        assert other.texts("table.best .word")[0] == "CALLE"
        assert other.texts(".row:first-child .aside") == ["1 left"]
        assert other.browser.run("return document.querySelector('.key.y').textContent") == "LL"
        other.show("#advise?template=**ll*&absent=ch,o")
        assert other.texts(".left .words li") == ["CALLE"]
        other.show("#play?seed=4")
        other.type(*"llave", ENTER)
        first = ".board .row:first-child .tile"
        other.browser.wait(lambda: other.texts(first) == ["LL", "A", "V", "É"])
        script = (
            "const [words, done] = arguments; import('/static/feedback.js').then((m) =>"
            " done(words.map((guess) => words.map((answer) => m.feedback(guess, answer)))))"
        )
        seen = other.driver.execute_async_script(script, words)
        assert seen == [[game.feedback(one, each) for each in words] for one in words]
        other.show("#browse?show=matrix")
        other.leave()


HOSTILE = [
    "1e9", "-1", "+1", "7", "1_000", "NaN", "Infinity", "1e400", "9" * 18, "9" * 400, "0x10", "1.5",
    "\u0663", "salet:BYBBG", "salet:01002", "salet:BYBB", "salet:", ":", ",", "salet,,crony",
    ",".join(["salet:BYBBG"] * 21), ",".join(["salet"] * 30), "tree", "hard", "original", "none",
    "__proto__", "toString", "<script>document.title='hit'</script>", "'\"\\", "\x00", "\u202e",
    "\U0001f4a9", "a b", "x" * 200, "x" * 201, "?" * 100_000, "%ff%zz",
]  # fmt: skip


def test_addresses_allow_what_the_server_allows(page, server):
    """Each parameter is read by one table on both sides, and refused in the same words."""
    page.show("#advise")
    known = parameters_of(address, Offer())
    asked = [(name, text) for name in known for text in HOSTILE]
    found = page.browser.run(
        "const [asked] = arguments; return import('./static/parameters.js')"
        ".then((m) => asked.map(([name, text]) => m.problem(name, text)))",
        asked,
    )
    for (name, text), refused in zip(asked, found, strict=True):
        told = None
        try:
            read_one(known[name], text)
        except UserError as error:
            told = str(error).rpartition(": ")[2]
        assert told == (refused and refused.rpartition(": ")[2]), (name, text)


LED = """
const [address, done] = arguments, begun = performance.now();
window.addEventListener("popstate", () => setTimeout(() => {
  document.getElementById("look").click();
  const dialog = document.querySelector("dialog[open]");
  dialog.close();
  setTimeout(() => done(performance.now() - begun));
}, 20), { once: true });
location.hash = address;
"""
"""Goes to an address, and hears a click there; returns the milliseconds that both took."""


@pytest.mark.parametrize("view", ["advise", "play"])
def test_no_limit_in_an_address_freezes_the_page(page, view):
    page.show(f"#{view}?max_guesses=1e9")
    assert page.texts("#refused p") == ["max_guesses='1e9': give a whole number from 0 to 100"]
    assert len(page.browser.all(".board .row")) == 6
    page.type(*"salet", ENTER)
    page.browser.wait(lambda: "salet" in page.state)
    page.settle()
    assert page.texts("#refused p") == []
    assert "max_guesses" not in page.state


@pytest.mark.parametrize("view", [*VIEWS])
def test_no_address_breaks_a_view(page, view):
    """Whatever all its parameters are at once; it goes on to hear clicks, and shows no markup."""
    name = VIEWS[view].partition("?")[0]
    page.show(VIEWS[view])
    known = page.browser.run("return fetch('site.json').then((r) => r.json())")["parameters"]
    texts = HOSTILE[list(VIEWS).index(view) % 3 :: 3]  # three views share them
    given = [urlencode({key: text[:1_000] for key in known if key != "show"}) for text in texts]
    given += [
        f"max_guesses={10**9}&step={10**9}&seed=1e400&search={'?' * 100_000}",
        *("turns=%", "turns=%zz", "turns=%00", "rule=%ff", "turns=&turns=", "guess[]=salet"),
        *("=&&=", "rule=hard&rule=hard", "a&" * 50_000),
        "&".join(f"unknown{n}=1" for n in range(5_000)),
    ]
    shown = f"show={view}&" if name == "#browse" and view != "browse" else ""
    for query in given:
        took = page.driver.execute_async_script(LED, f"{name}?{shown}{query}")
        assert took < 5_000, query[:100]  # a moment, but on a busy machine
        assert page.driver.title != "hit"
        assert page.texts("#main h2") != ["The page could not be opened"]
    assert 1 <= len(page.texts("#refused p")) <= 5
    page.show(VIEWS[view])
    assert page.texts("#refused p") == []


def test_what_is_refused_is_said_and_the_rest_holds(page):
    page.show("#watch?target=vowel&opener=false&strategies=entropy,parts&pool=answers&step=1e400")
    assert page.texts("#refused p") == ["step='1e400': give a whole number from 0 to 100"]
    assert "turn 5 of 5" in page.texts(".player .note")
    assert page.barriers() == []
    page.show("#advise?turns=salet:BYBBG&turns=crony:BBYBB&rule=hard&colour=red")
    assert page.texts("#refused p") == [
        "the parameter turns is given twice; leave one out",
        "no parameter 'colour'; leave it out",
    ]
    assert page.texts(".left .count") == ["2,315"]
    page.click(".key", "S")
    assert page.state == "#advise?rule=hard&draft=s:B"
    page.show("#nowhere")
    assert page.texts("#refused p")[0].startswith("unknown view; choose one of advise")
    page.show("#advise?turns=salet:0🟨bbG,crony:b-y.x")
    assert page.texts(".left .count") == ["1"]
    assert page.texts(".board .tile:not(.empty)") == list("SALETCRONY")


def test_a_turn_too_many_is_refused_and_the_others_stay(page):
    turns = ",".join(["salet:BYBBG"] * 20)
    page.show(f"#advise?max_guesses=0&turns={turns}&draft=crony:BBYBB")
    page.type(ENTER)
    assert page.texts("#refused p")[0].endswith("give at most 20 guesses, each with its feedback, "
                                                "as in salet:BYBBG,crony:BBGBB")  # fmt: skip
    assert page.state == f"#advise?max_guesses=0&turns={turns}&draft=crony:BBYBB"
    assert page.texts(".board .current .tile") == list("CRONY")
    assert len(page.browser.all(".board .row")) == 21


def test_what_the_browser_keeps_is_read_as_carefully(page):
    page.show("#advise")
    for kept in ("__proto__", "", "<script>", "x" * 100_000, "light"):
        page.browser.run("localStorage.setItem('gpu-wordle-theme', arguments[0])", kept)
        page.show("#advise")
        theme = page.browser.run("return document.documentElement.dataset.theme ?? null")
        assert theme == ("light" if kept == "light" else None)
    page.browser.run("localStorage.clear()")


def test_what_stands_in_an_address_stays_text(page):
    hostile = "<img src=x onerror=document.title='hit'>"
    for state in (
        f"#explore?guess={hostile}",
        f"#watch?target={hostile}",
        f"#browse?search={hostile}",
        f"#review?chart={hostile}",
    ):
        page.show(state)
        assert page.browser.all("img") == []
        assert "hit" not in page.driver.title


def test_the_page_knows_the_feedback_of_the_game(page):
    """Boards, the matrix and exported sites work it out in the browser."""
    chosen = random.Random(3)
    words = ["".join(chosen.choices("abcd", k=5)) for _ in range(400)]
    pairs = list(zip(words[::2], words[1::2], strict=True))
    page.show("#browse")
    seen = page.browser.run(
        "return import('./static/feedback.js')"
        ".then((m) => arguments[0].map(([g, a]) => m.feedback(g, a)))".replace(
            "arguments[0]", "pairs"
        ).replace("return", "const [pairs] = arguments; return", 1),
        pairs,
    )
    spell = LetterFeedback(5).format
    assert seen == [spell(pattern(guess, answer)) for guess, answer in pairs]


def test_an_exported_site_needs_no_server(page, tmp_path):
    """Advice, a tree and an adversary from files; what is not in them says so."""
    lists = [tmp_path / name for name in ("all.txt", "hidden.txt")]
    for path, words in zip(lists, (GUESSES, ANSWERS), strict=True):
        path.write_text("\n".join(sorted(words)) + "\n")
    offer = offer_of(GameName(*map(str, lists)), None, [])
    Export(offer, tmp_path / "site", 2, 1).run(StopToken())
    game = gw.load_game(sorted(GUESSES), sorted(ANSWERS), max_guesses=6)
    start = gw.suggest(game, "total", 12, threads=1)
    opener = start[0]["guess"]
    page.leave()
    with file_host(tmp_path / "site") as address:
        site = Page(page.browser, address)
        site.show("#advise")
        assert site.texts("table.best td:nth-child(2)") == [f"{row['mean']:.3f}" for row in start]
        tree = gw.solve(game, opener, threads=1).tree
        seen = max(tree.children.values(), key=lambda part: len(part.answers))
        site.show(f"#advise?turns={opener}:{seen.pattern}")
        reply = gw.suggest(game.after(f"{opener} {seen.pattern}"), "total", 12, threads=1)
        assert [each.lower() for each in site.texts("table.best .word")] == [
            row["guess"] for row in reply
        ]
        for guess, mean in ((row["guess"], row["mean"]) for row in reply[:3]):
            site.show(f"#advise?turns={opener}:{seen.pattern}&draft={guess}:BBB")
            assert site.texts(".mine p")[0].startswith(f"{capitals(guess)} {mean:.3f} guesses; ")
            lost = mean - reply[0]["mean"]
            said = f"; loses {lost:.3f} guesses; " if lost else "; no guess is better; "
            assert said in site.texts(".mine p")[0]
        site.show(f"#advise?turns={opener}:{seen.pattern}")
        after = game.after(f"{opener} {seen.pattern}")
        lists = gw.suggest(after, "entropy,greens", 12, threads=1)
        assert [each.lower() for each in site.texts(".suggested .word")] == [
            row["guess"] for row in lists
        ]
        site.show("#advise?template=*i*")
        assert site.texts("table.best .word") == ["BIT", "FIT"]
        site.show("#advise?template=*a*")
        known = gw.suggest(game.after(template="*a*"), "entropy,greens", 12, threads=1)
        assert [each.lower() for each in site.texts(".suggested .word")] == [
            row["guess"] for row in known
        ]
        assert site.texts(".note.failed") == []
        site.show("#advise")
        site.click("summary", "paste")
        site.write("textarea", "rat BGG cat")
        site.click("button", "Load")
        site.browser.wait(lambda: site.texts(".more .failed"))
        assert "'cat ' is not a word with its colours" in site.texts(".more .failed")[0]
        other = sorted(set(GUESSES) - {row["guess"] for row in start[:2]})[0]
        size = Counter(pattern(other, answer) for answer in ANSWERS).most_common(1)[0][0]
        seen = LetterFeedback(3).format(size)
        for rule in ("normal", "hard"):
            bound = gw.load_game(sorted(GUESSES), sorted(ANSWERS), rule=rule, max_guesses=6)
            after = bound.after(f"{other} {seen}")
            lists = gw.suggest(after, "entropy,greens", 12, threads=1)
            site.show(f"#advise?turns={other}:{seen}&rule={rule}")
            assert [each.lower() for each in site.texts(".suggested .word")] == [
                row["guess"] for row in lists
            ]
            assert site.texts("#main > .two .stack > .note")[-2].startswith("No exact values here")
            assert site.texts(".note.failed") == []
        assert [a.text for a in site.browser.all("nav a") if a.is_displayed()] == [
            "Advise", "Explore", "Browse", "Play"
        ]  # fmt: skip
        site.type(*other)
        site.settle()
        assert site.texts(".mine") == [""]
        site.show(f"#explore?turns={other}:{seen}&guess={opener}")
        assert site.texts("table.statistics .exact td") == ["–"] * 3
        site.show(f"#browse?show=tree&opener={opener}")
        assert len(site.texts("[role=treeitem]")) == start[0]["parts"]
        site.show(f"#browse?show=tree&opener={other}&rule=hard")
        assert site.texts(".note.failed") == []
        held = [each.lower() for each in site.texts(".note a")]
        site.click(".note a", held[0].upper())
        site.browser.wait(lambda: site.texts("[role=treeitem]"))
        assert f"rule=hard&show=tree&opener={held[0]}" in site.browser.run("return location.hash")
        site.show("#play?umpire=adversary&moves=chf")
        sizes = Counter(pattern("chf", answer) for answer in ANSWERS)
        assert site.texts(".row .aside") == [f"{max(sizes.values())} left"]
        site.show("#watch?target=bat")
        assert "is not in this exported site" in site.texts(".note.failed")[0]
        site.leave()
        assert all(url.startswith((address, "data:", "blob:", "about:")) for url in site.asked)
