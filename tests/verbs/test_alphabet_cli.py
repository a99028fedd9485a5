"""Games with an alphabet, by every door: what is shown and stored is spelled as in the list."""

import io
import json
import pickle
import sys

import pytest

import gpu_wordle as gw
from gpu_wordle.errors import UserError
from support.commands import invoke
from support.output import rows_of

LETTERS = ["ch", "ll", "rr", "a á", "e é", "i í", "o ó", "u ú ü"]
WORDS = ["calle", "llavé", "perro", "techo", "leche", "pollo", "carro", "cerro", "bollo", "chico"]
"""Words of four letters, in which each digraph is one."""

SIGNS = str.maketrans({"á": "a", "é": "e", "ó": "o", "í": "i"})
PLAIN = [
    word.translate(SIGNS).replace("ch", "x").replace("ll", "y").replace("rr", "z") for word in WORDS
]
"""The same words with a sign for each letter."""

GIVEN = ("--guesses", "words.txt", "--alphabet", "letters.txt")


@pytest.fixture
def verb(tmp_path, monkeypatch, capsys):
    """Run a verb on the words in the temporary folder and return what it prints."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "words.txt").write_text("\n".join(WORDS), encoding="utf-8")
    (tmp_path / "letters.txt").write_text("\n".join(LETTERS), encoding="utf-8")

    def call(*arguments, alphabet=True):
        invoke([*arguments, *(GIVEN if alphabet else GIVEN[:2]), "--quiet"])
        return capsys.readouterr().out

    return call


@pytest.fixture(scope="module")
def game():
    return gw.load_game(WORDS, alphabet=LETTERS)


@pytest.mark.parametrize("rule", ["normal", "hard", "ultra-hard", "candidates"])
def test_values_are_those_of_a_list_with_a_sign_for_each_letter(game, rule):
    one = gw.load_game(WORDS, alphabet=LETTERS, rule=rule)
    other = gw.load_game(PLAIN, rule=rule)
    for word, plain in zip(WORDS[:4], PLAIN[:4], strict=True):
        mine, theirs = (gw.solve(g, w, threads=1) for g, w in ((one, word), (other, plain)))
        assert (mine.total, mine.worst) == (theirs.total, theirs.worst)


def test_turns_may_be_typed_in_any_equal_spelling(game):
    assert game.feedback("LLAVE", "calle") == "YGBG"
    assert game.after("llave YGBG").turns == (("llavé", "YGBG"),)
    assert game.after("llave YGBG") == game.after([("LLAVÉ", "YGBG")])
    assert game.after("llave YGBG").answers == ("calle",)
    with pytest.raises(UserError, match="has 5 colours; words here have 4 letters"):
        game.after("llave YYGBG")
    with pytest.raises(UserError, match="give unlisted='lleno' if the game took it"):
        game.after("lleno BBBB")
    assert gw.load_game(WORDS, alphabet=LETTERS, unlisted=["lleno"]).guesses[-1] == "lleno"


def test_verbs_go_by_letters(verb):
    best, *_ = rows_of(verb("suggest", "llave", "YGBG", "--json"))
    assert best["guess"] == "calle"
    (row,) = rows_of(verb("analyse", "llave", "CALLE", "--answer", "calle", "--json"))[:1]
    assert (row["guess"], row["pattern"]) == ("llavé", "YGBG")
    shown = verb("spectrum", "llavé")
    assert shown.startswith("LLAVÉ: ")
    assert " LL  A  V  É " in shown
    left = rows_of(verb("rank", "--without", "ll, rr", "--exact", "0", "--json"))
    assert {row["opener"] for row in left} == {"techo", "leche", "chico"}
    known = json.loads(verb("suggest", "--template", "**ll*", "--absent", "o", "--json"))
    assert known["state"] == "known:**ll*//o"
    assert known["answers"] == 1
    assert "[^av{ll}]" in verb("simulate", "refine", "--opener", "llavé", "--explain", "techo")


def test_pasted_games_and_letters_apart(game):
    for text in (
        "LLAVE 🟨🟩⬛🟩",
        "Guess 1: ll a v e -> YGBG",
        "LL A V É\nY G B G",
        "🟨🟩⬛🟩 llave",
    ):
        assert game.after(text).turns == (("llavé", "YGBG"),)
    with pytest.raises(UserError, match="give a word and its pattern in turn"):
        game.after("L L A V E\nY G B G")


def test_play_shows_a_tile_for_each_letter(verb, monkeypatch):
    lines = ["llave", "/left", "calle"]
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n".join(lines)))
    said = verb("play", "--answer", "calle", "--threads", "1")
    assert "(LL)[A] V [É]" in said
    assert " C [LL]" not in said
    assert "[C][A][LL][E]" in said
    assert " CH (LL) RR " in said


def test_files_hold_the_alphabet(verb, game, tmp_path):
    verb("rank", "--out", "ranking.h5")
    opened = gw.open_results("ranking.h5")
    assert opened.position.game == game
    assert opened["CALLÉ"]["opener"] == "calle"
    assert "verified" in verb("verify", "ranking.h5")
    held = json.loads(verb("rank", "--out", "ranking.h5", "--json"))["game"]
    assert held["feedback"] == "letters; a á; ch; e é; i í; ll; o ó; rr; u ú ü"
    for tree in ("tree.h5", "tree.txt", "tree.json", "tree.table.json", "tree.tree"):
        verb("solve", "llavé", "--tree", tree)
        assert "verified" in verb("verify", tree)
    (tmp_path / "words.txt").write_text("calle\nllavé")
    with pytest.raises(UserError, match="made with the feedback of letters; a á; .*, not of lett"):
        verb("verify", "tree.h5", alphabet=False)
    assert pickle.loads(pickle.dumps(game)) == game


def test_a_certificate_is_refused(verb):
    with pytest.raises(UserError, match="a certificate has a sign for each letter, and this game"):
        verb("prove", "--certificate", "all.cert")


@pytest.mark.slow
def test_reports_and_sheets_go_by_letters(verb, tmp_path):
    verb("solve", "llavé", "--tree", "tree.h5")
    verb("report", "tree.h5", "--out", "report.html")
    assert "<u>LL</u><strong>A</strong>" in (tmp_path / "report.html").read_text("utf-8")
    for suffix in ("html", "pdf"):
        verb("report", "tree.h5", "--sheet", "--out", f"sheet.{suffix}")
    assert "<b>LL</b>" in (tmp_path / "sheet.html").read_text("utf-8")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"alphabet": "no-such.txt"}, "no-such.txt: no such file; give a file with a letter"),
        ({"alphabet": ["ll", "ll a"]}, "alphabet, line 2: 'll' was already on line 1"),
        ({"alphabet": []}, "alphabet: the alphabet is empty"),
        ({"alphabet": 5}, "alphabet=5: give the name of a file, or a list of letters"),
        ({"alphabet": ["ll"], "guesses": "mastermind"}, "of its own; leave out alphabet"),
        ({"alphabet": ["lle"]}, r"guesses, line 2: 'llavé' has 5 letters .l l a v é.; every word"),
        ({"answers": ["perro", "calle", "perró"]}, "line 3: 'perró' has the letters of 'perro'"),
    ],
)
def test_what_does_not_fit_is_refused(given, message):
    with pytest.raises(UserError, match=message):
        gw.load_game(**{"guesses": WORDS, "alphabet": LETTERS} | given)


def test_the_two_lists_may_spell_a_word_otherwise():
    game = gw.load_game(WORDS, ["callé", "llave"], alphabet=LETTERS)
    assert game.answers == ("callé", "llave")
    assert gw.solve(game, "calle", threads=1).total == 3
    joined = gw.load_game(WORDS, ["callé", "gallo"], alphabet=LETTERS, join_answers=True)
    assert joined.guesses == (*WORDS, "gallo")


def test_weights_and_priors_by_letters(verb, tmp_path):
    rows = "".join(f"{word.translate(SIGNS)},{n}\n" for n, word in enumerate(WORDS, 1))
    (tmp_path / "weights.csv").write_text(rows, encoding="utf-8")
    (row,) = rows_of(verb("solve", "llave", "--weights", "weights.csv", "--json"))
    assert row["opener"] == "llavé"
