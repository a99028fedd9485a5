"""What notebooks show: tiles, bars and trees that can be read in any theme and read out."""

import re

import html5lib
import pytest

import gpu_wordle as gw
from gpu_wordle.report.notebook import BAR, LETTERS_ON_TILES, LOSS, in_notebook, tiles
from gpu_wordle.report.table import Column, as_html
from gpu_wordle.report.trees import MAX_OPEN
from support import ROOT
from support.small_game import ANSWERS, GUESSES

PAPERS = ("#ffffff", "#f3f5f6", "#383838", "#1e1e1e", "#111111")
"""Backgrounds of notebooks, light and dark."""


def contrast(*colours):
    """The contrast of two colours, as WCAG defines it."""
    found = []
    for colour in colours:
        parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        red, green, blue = (
            p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts
        )
        found.append(0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05)
    return max(found) / min(found)


def parsed(html):
    """The HTML of a cell, which must be valid."""
    parser = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False)
    return parser.parseFragment(html)


def text(element):
    return " ".join("".join(element.itertext()).split())


def test_letters_and_bars_can_be_told_from_what_is_below_them():
    assert all(contrast(*pair) >= 4.5 for pair in LETTERS_ON_TILES.values())
    assert all(contrast(colour, paper) >= 3 for colour in (BAR, LOSS) for paper in PAPERS)


def test_tiles_have_the_colours_of_the_page():
    style = (ROOT / "gpu_wordle/web/static/page.css").read_text("utf-8")
    for place, (letter, tile) in zip("byg", LETTERS_ON_TILES.values(), strict=True):
        first = {
            name: re.search(rf"--{name}-{place}: (#\w+);", style)[1] for name in ("on", "tile")
        }
        assert first == {"on": letter, "tile": tile}


def test_tiles_are_read_out_and_differ_without_a_style():
    (shown,) = parsed(tiles("SALET", "BYBBG"))
    assert shown.get("role") == "img"
    assert shown.get("aria-label") == "S absent, A elsewhere, L absent, E absent, T in place"
    assert [each.tag for each in shown] == ["s", "u", "s", "s", "strong"]
    assert text(shown) == "SALET"


@pytest.mark.parametrize(
    ("word", "told"), [("1122", "1B1W"), ("12", "1B0W"), ("a<b", "7"), ("xyz", "BY"), ("x", "<")]
)
def test_feedback_without_colours_is_text(word, told):
    (shown,) = parsed(tiles(word, told))
    assert (shown.tag, text(shown)) == ("code", told)


def test_a_column_has_the_bars_of_its_key():
    columns = [
        Column("guess", ["cat", "rat", "bat"]),
        Column("pattern", ["BBG", None, "BGG"]),
        Column("mean", [3.5, "[3, 4]", 3.25]),
        Column("regret", [0.5, None, 0.25]),
        Column("chance", [0.25, 0.0, 1.0]),
        Column("distribution", [[1, 0, 4], None, [5]]),
        Column("parts", [3, 2, 1]),
    ]
    (table,) = parsed(as_html(columns))
    rows = [list(row) for row in table.find("tbody")]
    assert [text(row[1]) for row in rows] == ["CAT", "-", "BAT"]

    def widths(place):
        return [
            [each.get("style") for each in cell.iter() if each.get("style")]
            for cell in (row[place] for row in rows)
        ]

    assert widths(2) == [["width:100%"], ["width:0%"], ["width:0%"]]
    assert widths(3) == [["width:100%"], ["width:0%"], ["width:50%"]]
    assert widths(4) == [["width:25%"], ["width:0%"], ["width:100%"]]
    assert widths(5) == [["height:25%", "height:0%", "height:100%"], [], ["height:100%"]]
    assert widths(6) == [[], [], []]
    assert rows[0][2][0].get("aria-label") == "0.2500 more than the least here"
    for row in rows:  # all other bars only repeat the number beside them
        for each in (each for cell in row for each in cell if "gw-tiles" not in each.get("class")):
            assert each.get("aria-hidden") == "true" or each.get("role") == "img"


def test_a_column_of_equal_values_has_no_bars():
    assert "gw-bar" not in as_html([Column("mean", [3.5, 3.5]), Column("regret", [0.0, 0])])


@pytest.fixture(scope="module")
def game():
    return gw.load_game(GUESSES, ANSWERS)


def test_a_tree_is_lists_that_fold(game):
    tree = gw.solve(game, "chf", threads=1).tree
    (cell,) = parsed(tree._repr_html_())
    items = cell.findall(".//li")
    assert len(items) == len(tree)
    assert [text(item.find(".//b")) for item in items] == [node.guess.upper() for node in tree]
    counts = [f"{len(node.answers)} answer{'s' * (len(node.answers) != 1)}" for node in tree]
    assert [text(item.find(".//small")) for item in items] == counts
    folds = cell.findall(".//details")
    assert len(folds) == sum(bool(node.children) for node in tree)
    assert all(
        ("open" in each.attrib) == (each is folds[0] or len(tree) <= MAX_OPEN) for each in folds
    )
    below = tree[next(iter(tree.children))]
    (part,) = parsed(below._repr_html_())
    assert len(part.findall(".//li")) == len(below)


def test_a_large_tree_shows_two_turns_folded_and_counts_the_rest(monkeypatch, game):
    monkeypatch.setattr("gpu_wordle.report.trees.MAX_NODES_SHOWN", 10)
    monkeypatch.setattr("gpu_wordle.report.trees.MAX_OPEN", 3)
    tree = gw.solve(game, "chf", threads=1).tree
    (cell,) = parsed(tree._repr_html_())
    shown = sum(node.depth <= 2 for node in tree)
    assert len(cell.findall(".//li")) == shown
    assert [fold.get("open") for fold in cell.findall(".//details")] == [""]
    assert text(cell).endswith(f"and {len(tree) - shown} guesses on later turns")


def test_a_position_shows_its_turns_and_what_is_left(game):
    (cell,) = parsed(game.after("rat BGG")._repr_html_())
    assert [text(each) for each in cell.findall(".//li")] == ["RAT"]
    assert text(cell.find(".//p")).startswith("7 answers left: bat cat")
    (start,) = parsed(game.start._repr_html_())
    assert (start.find(".//li"), len(start.findall(".//p"))) == (None, 1)
    known = game.after(template="*at")._repr_html_()
    assert "<code>template *at</code>" in known


def test_a_game_without_letters_shows_text():
    pegs = gw.load_game("mastermind:3x4")
    (cell,) = parsed(pegs.after(f"{pegs.guesses[0]} 1B0W")._repr_html_())
    assert text(cell.find(".//li")) == f"{pegs.guesses[0]} 1B0W"
    (tree,) = parsed(gw.solve(pegs, pegs.guesses[1]).tree._repr_html_())
    assert tree.find(".//code") is not None


def test_every_result_is_valid_and_brings_its_style(game):
    shown = [
        gw.solve(game, "chf", threads=1),
        gw.suggest(game.after("rat BGG")),
        gw.analyse(game, ["rat", "bat"], "bat"),
        gw.rank(game, exact=0),
    ]
    for each in shown:
        (cell,) = parsed(each._repr_html_())
        assert "gw-tiles" in cell.find("style").text
    for place in (0, 2):
        assert "role=img" in shown[place]._repr_html_()
    assert in_notebook("").count("<style>") == 1
