"""Cheat sheets: every guess up to a turn stands at its feedback, on pages that can be read."""

import re
from pathlib import Path

import html5lib
import pytest

import gpu_wordle as gw
from gpu_wordle.backends import load_game
from gpu_wordle.errors import UserError
from gpu_wordle.game.feedback import LetterFeedback, format_pattern
from gpu_wordle.report import cheat_sheet
from gpu_wordle.report.cheat_sheet import SIZES, seen_tiles
from gpu_wordle.store.tree_json import of_json
from gpu_wordle.verify import Verifier
from support.small_game import ANSWERS

LISTS = ("guesses.txt", "answers.txt")


def laid_out(tree, *lists):
    game = load_game(*lists)
    nodes = of_json(tree.to_json(), game.words).tree
    verdict = Verifier(game.words, game.objective).check(nodes, game.root())
    return cheat_sheet.cheat_sheet(nodes, game.start(), verdict)


def shown(sheet):
    """The guess at each path of feedback."""
    found, path = {}, []
    for page in sheet.pages:
        for column in page:
            for entry in column:
                path = [*path[: entry.turn - 2], (entry.word, entry.pattern)]
                assert entry.again == (tuple(path) in found)
                found[tuple(path)] = entry.guess
    return found


def held(tree, turns):
    """The guess at each path of feedback of a tree."""
    found, stack = {}, [(tree, ())]
    while stack:
        node, path = stack.pop()
        for seen, child in node.children.items():
            pattern = LetterFeedback(len(child.guess)).parse(seen)
            below = (*path, (node.guess.upper(), pattern))
            if child.depth <= turns:
                found[below] = child.guess.upper()
                stack.append((child, below))
    return found


@pytest.fixture
def tree(run):
    game = gw.load_game(*LISTS)
    return gw.solve(game, "chf").tree


def test_a_small_tree_is_whole_on_one_page(run, tree):
    sheet = laid_out(tree, *LISTS)
    assert len(sheet.pages) == 1
    assert sheet.size == SIZES[0]
    assert shown(sheet) == held(tree, tree.height)
    assert not any("Left out" in note for note in sheet.notes)


@pytest.mark.parametrize("height", [150.0, 200.0, 260.0])
def test_what_does_not_fit_is_left_out_and_counted(run, tree, monkeypatch, height):
    monkeypatch.setattr(cheat_sheet, "PAGE", (110.0, height))
    monkeypatch.setattr(cheat_sheet, "MARGIN", 2.0)
    sheet = laid_out(tree, *LISTS)
    found = shown(sheet)
    turns = max(len(path) for path in found) + 1
    assert found == held(tree, turns)
    missing = len(tree) - 1 - len(found)
    told = [note for note in sheet.notes if "Left out" in note]
    assert bool(told) == bool(missing)
    assert not told or f"Left out: {missing} guess" in told[0]
    marked = {e.guess for page in sheet.pages for column in page for e in column if e.leads_on}
    assert bool(marked) == bool(missing)
    if turns > 2:
        assert len(sheet.pages) <= cheat_sheet.MAX_PAGES


def test_lines_are_in_the_order_of_their_feedback(run, tree):
    entries = [
        e for page in laid_out(tree, *LISTS).pages for column in page for e in column if e.turn == 2
    ]
    seen = [format_pattern(e.pattern, 3, "012") for e in entries]
    assert seen == sorted(seen)
    assert {seen_tiles(e, LetterFeedback(3))[i] for e in entries for i in range(3)} <= {*"CHF·"}


def test_pages_are_valid_and_the_same_in_both_formats(run):
    run("solve", "chf", "--tree", "t.tree")
    game = gw.load_game(*LISTS)
    assert gw.write_report("t.tree", "t.html", game, sheet=True) == Path("t.html")
    text = Path("t.html").read_text("utf-8")
    page = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False).parse(text)
    lines = ["".join(each.itertext()) for each in page.iter("li")]
    assert {line.split()[-1].strip("+").lower() for line in lines} | {"chf"} >= {*ANSWERS}
    assert "http" not in text.replace("http-equiv", "")
    for _ in range(2):  # a sheet may replace a sheet
        said = run("report", "t.tree", "--sheet", "--out", "t.pdf")
    data = Path("t.pdf").read_bytes()
    assert said.startswith(f"1 page, {len(data):,} bytes, in t.pdf")
    assert len(re.findall(rb"/Type /Page\b", data)) == len(page.findall(".//section")) == 1


def test_a_sheet_is_of_one_tree_and_replaces_nothing_else(run):
    run("solve", "chf", "--tree", "t.h5")
    run("rank", "--out", "r.h5")
    Path("mine.html").write_text("mine")
    for given, message in (
        (["t.h5", "--out", "t.md"], r"t.md: a cheat sheet's file ends in \.html, \.pdf"),
        (["t.h5", "r.h5", "--out", "t.html"], "2 files; a cheat sheet is of one tree"),
        (["r.h5", "--out", "t.html"], "holds 'gpu-wordle ranking', not 'gpu-wordle tree'"),
        (["t.h5", "--out", "mine.html"], "holds no report, so it is not replaced"),
    ):
        with pytest.raises(UserError, match=message):
            run("report", *given, "--sheet")
    assert Path("mine.html").read_text() == "mine"


def test_games_without_letters_have_sheets_too(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    game = gw.load_game("mastermind:2x4")
    tree = gw.solve(game, "12").tree
    tree.save("t.h5")
    gw.write_report("t.h5", "t.html", sheet=True)
    page = Path("t.html").read_text("utf-8")
    assert "<b>" not in page
    assert page.count("<li ") >= len(tree) - 1


@pytest.mark.slow
def test_the_best_tree_of_the_original_game_takes_two_pages():
    tree = gw.solve(gw.load_game(), "salet").tree
    sheet = laid_out(tree, "original")
    assert len(sheet.pages) == 2
    assert sheet.size >= SIZES[-1]
    assert shown(sheet) == held(tree, 3)
