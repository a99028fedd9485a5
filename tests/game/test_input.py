"""What comes in is read by one rule, within limits, and refused in one line that says why."""

import gzip
import os
import sys
import threading
from decimal import Decimal
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpu_wordle.errors import UserError, counted, is_control, one_line, quoted
from gpu_wordle.game import games, numbers, reading, weights, words
from gpu_wordle.game.feedback import parse_pattern
from gpu_wordle.game.game import Game
from gpu_wordle.game.objective import Objective
from gpu_wordle.game.patterns import PatternMatrix
from gpu_wordle.store import tree_files
from support import ROOT

PAIR = games.from_feedback("xy", "xy", [[9, 1], [1, 9]], 9)
LIST = words.words_of(["crane", "slate"], "answers.txt")


def game_of(*listed):
    """A game of words, or of names and feedback to be found in a file."""
    lists = words.words_of(listed, "own words")
    own = words.GameWords(lists, lists)
    return Game(own, PatternMatrix.by_definition(own))


# Numbers


@pytest.mark.parametrize(
    ("text", "whole", "natural", "decimal"),
    [
        ("0", 0, 0, 0), ("007", 7, 7, 7), (" 12 ", 12, 12, 12),
        ("9" * 18, 10**18 - 1, 10**18 - 1, 10**18 - 1),
        ("-5", -5, None, -5), ("+5", 5, None, 5), ("2.5e-3", None, None, Decimal("0.0025")),
        (".5", None, None, Decimal("0.5")), ("5.", None, None, 5),
        ("9" * 19, None, None, 10**19 - 1),
        ("1_0", None, None, None), ("١٢", None, None, None), ("²", None, None, None),
        ("nan", None, None, None), ("inf", None, None, None), ("0x10", None, None, None),
        ("", None, None, None), (".", None, None, None), ("- 5", None, None, None),
        ("1e9999999999", None, None, None), ("9" * 5000, None, None, None),
    ],
)  # fmt: skip
def test_one_rule_reads_all_numbers(text, whole, natural, decimal):
    assert numbers.whole_number(text) == whole
    assert numbers.natural_number(text) == natural
    assert numbers.decimal_number(text) == decimal


@given(st.integers(-(10**18) + 1, 10**18 - 1))
def test_every_whole_number_is_read_back(number):
    assert numbers.whole_number(str(number)) == number
    assert numbers.decimal_number(str(number)) == number
    assert numbers.natural_number(str(number)) == (number if number >= 0 else None)


ODD = ["1_0", "١", "9" * 5000, "1.0", "nan"]


@pytest.mark.parametrize("text", ODD)
@pytest.mark.parametrize(
    "read",
    [
        lambda text: Objective.parse(f"within:{text}"),
        lambda text: Objective.parse(f"cost:1,{text}"),
        lambda text: games.load(f"mastermind:{text}x3"),
        lambda text: games.mastermind(2, 3).position_after(f"12 {text}B0W"),
        lambda text: PAIR.position_after(f"x {text}"),
    ],
    ids=["within", "cost", "mastermind", "pegs", "matrix"],
)  # fmt: skip
def test_no_other_numbers_are_read_anywhere(text, read):
    with pytest.raises(UserError) as caught:
        read(text)
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize("text", [*ODD[:3], "nan", "many"])
def test_weights_and_cells_keep_the_rule(tmp_path, text):
    with pytest.raises(UserError, match="is no number|is out of range") as caught:
        weights.parse_weights(f"crane,{text}\nslate,1\n", LIST, "w.csv")
    assert len(str(caught.value)) < 200
    (tmp_path / "m.csv").write_text(f"9,a,b\na,9,{text}\nb,1,9\n", encoding="utf-8")
    with pytest.raises(UserError, match="line 2: .* is no whole number from 0 to 65,535"):
        games.read_feedback(tmp_path / "m.csv")


@pytest.mark.parametrize(
    "text",
    ["", "\n", "9", "9\n", "9,a\n", '"9', "9,a\n\n", "9,a,b\na,9\n", "9,a\na,9,9\n", "\0", ","],
)
def test_a_file_that_is_no_game_is_refused(tmp_path, text):
    (tmp_path / "m.csv").write_text(text)
    with pytest.raises(UserError, match=r"m\.csv"):
        games.read_feedback(tmp_path / "m.csv")


# Limits


@pytest.fixture
def small(monkeypatch):
    """Limits that small files exceed."""
    monkeypatch.setattr(words, "MAX_LIST_BYTES", 1 << 20)
    monkeypatch.setattr(words, "MAX_WORDS", 3)
    monkeypatch.setattr(weights, "MAX_WEIGHTS_BYTES", 1 << 20)
    monkeypatch.setattr(games, "MAX_GAME_BYTES", 1 << 20)
    monkeypatch.setattr(games, "MAX_CELLS", 6)
    monkeypatch.setattr(tree_files, "MAX_TREE_BYTES", 1 << 20)


READERS = {
    "list": lambda path: words.load_list(str(path), "guesses"),
    "weights": lambda path: weights.load_weights(path, LIST),
    "game": games.read_feedback,
}


@pytest.mark.parametrize("read", READERS.values(), ids=READERS)
def test_no_more_than_a_limit_is_read(small, tmp_path, read):
    with (tmp_path / "x.csv").open("wb") as file:
        file.truncate(1 << 40)  # a hole, which takes no room on the disk
    with pytest.raises(UserError, match="x.csv: more than 1 MiB, which is the most that is read"):
        read(tmp_path / "x.csv")


def test_a_tree_has_a_limit(small, tmp_path):
    (tmp_path / "t.json").write_bytes(b" " * ((1 << 20) + 1))
    with pytest.raises(UserError, match=r"t\.json: more than 1 MiB"):
        tree_files.load_tree(tmp_path / "t.json", game_of("crane", "slate"))


def test_what_is_compressed_is_unpacked_no_further_than_the_limit(tmp_path):
    bomb = gzip.compress(gzip.compress(b"crane\n" * (1 << 24)), mtime=0)
    (tmp_path / "bomb.gz").write_bytes(gzip.compress(b"\0" * (1 << 26)))
    with pytest.raises(UserError, match="more than 32 MiB"):
        words.load_list(str(tmp_path / "bomb.gz"), "guesses")
    (tmp_path / "twice.gz").write_bytes(bomb)
    with pytest.raises(UserError, match="line 1"):
        words.load_list(str(tmp_path / "twice.gz"), "guesses")


def test_rows_have_a_limit(small, tmp_path):
    three = "\n".join(["crane", "slate", "trace"])
    assert len(words.parse_list(three.encode(), "x")) == 3
    with pytest.raises(UserError, match="x, line 4: more than 3 words; give a shorter list"):
        words.parse_list(f"{three}\nreact".encode(), "x")
    (tmp_path / "m.csv").write_text("9,a,b\na,9,1\nb,1,9\n")
    assert len(games.read_feedback(tmp_path / "m.csv").guesses) == 2
    (tmp_path / "m.csv").write_text("9,a,b\na,9,1\nb,1,9\nc,1,1\n")
    with pytest.raises(UserError, match="line 4: more than 6 cells; give a smaller game"):
        games.read_feedback(tmp_path / "m.csv")


def test_the_limits_are_those_that_the_pages_tell():
    formats = ROOT / "docs" / "formats"
    page = (formats / "index.md").read_text(encoding="utf-8")
    for what, size, more in (
        ("a word list, unpacked", words.MAX_LIST_BYTES, f" and {words.MAX_WORDS:,} words"),
        ("weights", weights.MAX_WEIGHTS_BYTES, ""),
        ("a game of feedback", games.MAX_GAME_BYTES, f" and {games.MAX_CELLS:,} cells"),
        ("a tree in text or JSON", tree_files.MAX_TREE_BYTES, ""),
    ):
        assert size % (1 << 20) == 0
        assert f"| {what} | {size >> 20} MiB{more} |" in page
    trees = (formats / "trees.md").read_text(encoding="utf-8")
    assert f"read up to {tree_files.MAX_TREE_BYTES >> 20} MiB" in trees


def test_the_limits_leave_room_for_every_game():
    """The longest words of the widest letters, as many as there may be; and CSV of 5,040 codes."""
    assert words.MAX_WORDS >= words.MAX_ANSWERS
    assert words.MAX_LIST_BYTES >= words.MAX_WORDS * 10 * 4
    assert games.MAX_CELLS >= 5041 * 5041
    assert games.MAX_GAME_BYTES >= 5041 * 5041 * 3


@pytest.mark.skipif(sys.platform == "win32", reason="has no such files")
@pytest.mark.parametrize("read", READERS.values(), ids=READERS)
def test_pipes_are_read_and_devices_are_not(monkeypatch, tmp_path, read):
    monkeypatch.setattr(reading, "PATIENCE_SECONDS", 0.05)
    with pytest.raises(UserError, match="/dev/zero: cannot be read .a device, and no file or pipe"):
        read(Path("/dev/zero"))
    with pytest.raises(UserError, match="cannot be read .a folder"):
        read(tmp_path)
    pipe = tmp_path / "pipe.csv"
    os.mkfifo(pipe)
    with pytest.raises(UserError, match="nothing came through the pipe"):
        read(pipe)
    monkeypatch.setattr(reading, "PATIENCE_SECONDS", 10)
    text = {"list": "crane\nslate\n", "weights": "crane,1\nslate,2\n", "game": "9,a\na,9\n"}
    name = next(name for name, reader in READERS.items() if reader is read)
    writer = threading.Thread(target=pipe.write_text, args=(text[name],))
    writer.start()
    assert read(pipe) is not None
    writer.join()


# Names and messages


@pytest.mark.parametrize("bad", ["\x1b[31m", "a\x07", "a\u202eb", "\u200bb", "a\x9b", "a\u2028b"])
def test_names_hold_no_controls(tmp_path, bad):
    with pytest.raises(UserError, match="is no name|holds a control character") as caught:
        games.from_feedback([f"x{bad}", "y"], "xy", [[9, 1], [1, 9]], 9)
    assert not any(map(is_control, str(caught.value)))
    (tmp_path / "m.csv").write_text(f'9,"x{bad}",y\nx,9,1\ny,1,9\n', encoding="utf-8")
    with pytest.raises(UserError, match="is no name|holds a control character"):
        games.read_feedback(tmp_path / "m.csv")


def test_other_names_are_names():
    names = ["[bold]io", ":smile:", "Ünï", "日本", "é̂", "a=1"]
    feedback = [[9 if g == a else 1 for a in range(6)] for g in range(6)]
    assert len(games.from_feedback(names, names, feedback, 9).words.guesses) == 6


@given(st.text())
def test_a_message_is_one_line_that_moves_no_cursor(text):
    shown = str(UserError(f"{text}: no such file"))
    assert not any(map(is_control, shown))
    assert max(map(len, shown.split(" "))) <= 250
    if text.isprintable() and len(text) < 200:
        assert shown == f"{text}: no such file"


@given(st.text())
def test_what_is_quoted_is_short(text):
    assert quoted(text) == repr(text) or len(quoted(text)) == 40
    assert one_line(quoted(text)) == quoted(text) or "..." in quoted(text)


def test_one_of_a_kind_is_no_plural():
    assert [counted(n, "answer") for n in (0, 1, 2315)] == [
        "0 answers",
        "1 answer",
        "2,315 answers",
    ]
    assert counted(1, "guess", "guesses") + counted(2, "guess", "guesses") == "1 guess2 guesses"


@pytest.mark.parametrize(
    "ask",
    [
        lambda word: LIST.find(word),
        lambda word: words.parse_list(word.encode(), "x"),
        lambda word: words.parse_list(f"crane\n{word}".encode(), "x"),
        lambda word: words.words_of([f"{word} {word}"], "x"),
        lambda word: words.GameWords(LIST, words.words_of([word[:5]], "y")),
        lambda word: weights.parse_weights(f"{word},1", LIST, "w.csv"),
        lambda word: weights.weights_of({word: 1}, LIST),
        lambda word: parse_pattern(word, 5),
        lambda word: game_of("crane", "slate").position_after(f"{word} {word} {word}"),
        lambda word: Objective.parse(word),
        lambda word: games.load(f"mastermind {word}"),
        lambda word: games.from_feedback([word, word], "xy", [[9, 1], [1, 9]], 9),
    ],
)
def test_long_words_are_cut(ask):
    with pytest.raises(UserError) as caught:
        ask("z" * 100_000)
    assert len(str(caught.value)) < 300


# Feedback


@pytest.mark.parametrize("grey", "-._xbB0")
def test_grey_is_written_in_many_ways(grey):
    for colours in product("012", repeat=3):
        text = "".join(colours)
        assert parse_pattern(text.replace("0", grey), 3) == parse_pattern(text, 3)


def test_a_turn_may_be_one_token():
    game = game_of("crane", "slate", "trace", "react", "stale")
    known = game.position_after("slate BBGBG trace BGGYG").turns
    for text in ("slate=BBGBG trace=BGGYG", "SLATE=--g-g trace .ggyg", "slate 00202 trace=xGGYG"):
        assert game.position_after(text).turns == known
    for text in ("slate", "slate=", "=BBGBG", "slate=BBGBG=", "slate BBGBG trace"):
        with pytest.raises(UserError):
            game.position_after(text)


def test_a_name_with_the_sign_of_a_turn_in_it_is_that_name():
    """Else a=1 would be the guess a and its feedback 1."""
    game = games.from_feedback(["a", "a=1"], ["a", "b"], [[9, 1], [1, 9]], 9)
    assert game.position_after("a=1 1").turns == game.position_after("a=1=1").turns == ((1, 0),)
    assert game.position_after("a 1").turns == ((0, 0),)
