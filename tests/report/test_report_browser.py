"""Pages of reports in a real browser: no complaint, no request, and everything that is clicked."""

import random
from pathlib import Path

import pytest

import gpu_wordle as gw
from gpu_wordle.game.feedback import LetterFeedback, pattern
from gpu_wordle.report.content import Table
from gpu_wordle.report.written.files import save_report
from gpu_wordle.verbs.report import report_on
from support.browser import browser
from support.small_game import ANSWERS, GUESSES

LETTERS = "abcd"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A report on a ranking and on a strategy, in a folder that downloads go to."""
    folder = tmp_path_factory.mktemp("pages")
    game = gw.load_game(sorted(GUESSES), ANSWERS)
    gw.rank(game, out=folder / "r.h5", threads=1)
    gw.solve(game, "chf", threads=1).tree.save(folder / "t.h5")
    gw.write_report([folder / "r.h5", folder / "t.h5"], folder / "small.html")
    return folder


@pytest.fixture(scope="module")
def chromium(folder):
    """One browser for all tests."""
    with browser(folder) as opened:
        yield opened
        assert opened.complaints() == []


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_a_page_fits_its_screen_and_asks_for_nothing(chromium, folder, width, scheme):
    page = folder / "small.html"
    chromium.open(page, width, scheme)
    asked = [url for url in chromium.requests() if not url.startswith(("data:", "blob:"))]
    assert asked == [page.as_uri()]
    assert chromium.complaints() == []
    assert chromium.run("return document.documentElement.scrollWidth") <= width
    paper, ink, drawn = chromium.run(
        "const of = (s, name) => getComputedStyle(document.querySelector(s))[name];"
        "return [of('body', 'backgroundColor'), of('body', 'color'), of('svg text', 'fill')]"
    )
    assert (brightness(paper) < 100) == (scheme == "dark")
    assert abs(brightness(paper) - brightness(ink)) > 150
    assert drawn == ink  # pictures have the colour of the text


def brightness(colour):
    """The mean of the channels of a colour as browsers write it."""
    return sum(map(float, colour.strip("rgb()").split(","))) / 3


CELLS = """
const [page] = arguments;
const shown = page ? new DOMParser().parseFromString(page, "text/html") : document;
return [...shown.querySelectorAll("div.table tbody")].map((body) =>
  [...body.rows].map((row) => [...row.cells].map((cell) => cell.textContent.trim())));
"""


@pytest.mark.slow
def test_scripts_show_tables_as_they_are_written(chromium, folder):
    """Numbers of all kinds of files, whose decimals are declared by keys, columns or values."""
    game = gw.load_game(sorted(GUESSES), ANSWERS)
    paths = [folder / f"{name}.h5" for name in ("league", "games", "noise", "pairs")]
    gw.league(game, ["entropy", "parts"], split="all", games=10, out=paths[0])
    gw.simulate(game, ["entropy"], ["chf", "rat"], out=paths[1])
    gw.noise(game, opener="chf", depth=2, levels=[0.05, 5, 30], runs=3, out=paths[2])
    gw.pairs(game, out=paths[3])
    for path in (*paths, folder / "r.h5"):
        page = path.with_suffix(".html")
        gw.write_report([path], page)
        chromium.open(page)
        written = chromium.run(CELLS, page.read_text("utf-8"))
        shown = chromium.run(CELLS, "")
        assert sum(len(table) for table in written) > 1
        for before, after in zip(written, shown, strict=True):
            assert after[: len(before)] == before[: len(after)], path
    text = (folder / "noise.html").read_text("utf-8")
    assert ">0.05</td>" in text.replace(" ", "")


def openers_table(chromium):
    """The table of all openers of a ranking."""
    return next(
        table
        for table in chromium.all("div.table")
        if "parts" in [head.text.strip() for head in table.find_elements("css selector", "th")]
    )


@pytest.mark.slow
def test_tables_are_sorted_and_searched_by_hand(chromium, folder):
    chromium.open(folder / "small.html")
    table = openers_table(chromium)
    heads = table.find_elements("css selector", "th")
    names = [head.text.strip() for head in heads]
    rows = list(gw.open_results(folder / "r.h5"))

    def column(name):
        place = names.index(name) + 1
        return chromium.texts(f"#{table.get_attribute('id')} tbody td:nth-child({place})")

    for heading, key in (("guess", "opener"), ("parts", "parts")):
        head = heads[names.index(heading)]
        known = [row[key] for row in rows]
        for order, direction in (("ascending", False), ("descending", True)):
            head.find_element("css selector", "button").click()
            assert head.get_attribute("aria-sort") == order
            assert column(heading) == [str(v) for v in sorted(known, reverse=direction)]
    search = table.find_element("css selector", "input")
    search.send_keys("at")
    assert sorted(column("guess")) == sorted(word for word in GUESSES if "at" in word)
    assert table.find_element("css selector", ".found").text.startswith(
        f"{sum('at' in word for word in GUESSES)} of {len(GUESSES)}"
    )
    search.clear()
    search.send_keys("no such word")
    assert column("guess") == []


@pytest.mark.slow
def test_data_are_downloaded_without_a_network(chromium, folder):
    page = folder / "small.html"
    chromium.open(page)
    (button,) = [
        each for each in chromium.all("div.table button.save")
        if each.get_attribute("data-of") == openers_table(chromium).get_attribute("id")
    ]  # fmt: skip
    button.click()
    saved = folder / "openers.csv"
    chromium.wait(saved.is_file)
    lines = saved.read_text("utf-8").splitlines()
    report = report_on([folder / "r.h5"], lambda: pytest.fail("no game is needed"))
    (table,) = (b for b in report.chapters[0].sections[1].blocks if isinstance(b, Table))
    assert lines[0].split(",") == [column.name for column in table.columns]
    assert [line.split(",")[0] for line in lines[1:]] == list(table.columns[0].values)
    place = [column.name for column in table.columns].index("is_candidate")
    assert lines[1].split(",")[place] == str(table.columns[place].values[0])


@pytest.mark.slow
def test_a_strategy_opens_where_a_word_is(chromium, folder):
    chromium.open(folder / "small.html")
    (place,) = chromium.all("div.strategy")
    close, opened = (place.find_element("css selector", f"button.{n}") for n in ("close", "open"))
    inner = "return [...document.querySelectorAll('.gw-tree details')].map((e) => e.open)"
    close.click()
    assert sum(chromium.run(inner)) == 1
    opened.click()
    assert all(chromium.run(inner))
    close.click()
    place.find_element("css selector", "input").send_keys(ANSWERS[-1])
    hits = place.find_elements("css selector", ".hit")
    assert [hit.is_displayed() for hit in hits] == [True] * len(hits)
    assert {hit.find_element("css selector", "b").text for hit in hits} == {ANSWERS[-1].upper()}


@pytest.mark.slow
def test_the_page_knows_the_feedback_of_the_game(chromium, folder):
    """The pattern matrix is worked out by the page, so its feedback must be the definition's."""
    chromium.open(folder / "small.html")
    chosen = random.Random(3)
    words = ["".join(chosen.choices(LETTERS, k=5)) for _ in range(600)]
    pairs = list(zip(words[::2], words[1::2], strict=True))
    seen = chromium.run("return arguments[0].map(([g, a]) => feedback(g, a))", pairs)
    spell = LetterFeedback(5).format
    for (guess, answer), digits in zip(pairs, seen, strict=True):
        assert "".join("BYG"[d] for d in digits) == spell(pattern(guess, answer))
    zoom = chromium.all("div.zoom")[-1]
    zoom.find_element("css selector", "input.guess").send_keys("chf")
    zoom.find_element("css selector", "input.answer").send_keys("cat\t")
    told = zoom.find_element("css selector", ".told").text
    assert told == f"CHF for CAT: {LetterFeedback(3).format(pattern('chf', 'cat'))}"
    before = chromium.run("return arguments[0].querySelector('canvas').toDataURL()", zoom)
    zoom.find_element("css selector", "button[data-zoom=all]").click()
    chromium.wait(
        lambda: (
            chromium.run("return arguments[0].querySelector('canvas').toDataURL()", zoom) != before
        )
    )


@pytest.mark.slow
def test_hostile_names_stay_text(chromium, tmp_path):
    path = Path(tmp_path / "rows.csv")
    hostile = "<img src=x onerror=document.title='hit'>"
    path.write_text(f'opener,total\n"{hostile}",3\n' + "cat,4\n" * 20)
    report = report_on([path], lambda: pytest.fail("no game is needed"))
    save_report(tmp_path / "h.html", report)
    chromium.open(tmp_path / "h.html")
    assert chromium.texts("tbody td:first-child")[0] == hostile
    assert chromium.all("img") == []
    assert "hit" not in chromium.driver.title
    assert chromium.complaints() == []
