"""Pasted games: every kind that people have, read as it was meant, or refused with the reason."""

import json
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gpu_wordle as gw
from gpu_wordle.errors import AmbiguousError, UserError
from gpu_wordle.experiments.pasted import history_of, parse_row, read_pasted
from gpu_wordle.experiments.pasted_lines import is_heading
from gpu_wordle.experiments.records import read_games
from gpu_wordle.experiments.signs import CODES
from gpu_wordle.experiments.transcripts import Chart, Transcript
from gpu_wordle.game.words import load_words
from gpu_wordle.store import load
from gpu_wordle.store.form import ANALYSIS
from gpu_wordle.store.kinds import read_analysis
from support import naive
from support.output import rows_of
from support.small_game import ANSWERS, GUESSES
from support.word_lists import make_words

WORDS = load_words("original")
TURNS = (("salet", "BYBBG"), ("crony", "BBYBB"))

GRID = ("BYBBG", "BGBGG", "GGGGG")
GRIDS = {
    "Wordle 222 3/6\n\n:black_large_square::large_yellow_square::black_large_square:"
    ":black_large_square::large_green_square:\n:white_large_square::large_green_square:"
    ":white_large_square::large_green_square::large_green_square:\n"
    + 5 * ":large_green_square:": ["Wordle 222 3/6"],
    "Word Master 3/6\n\n⬛🟨⬛⬛🟩\n⬛🟩⬛🟩🟩\n🟩🟩🟩🟩🟩": ["Word Master 3/6"],
    "Got it today!! Wordle 1,234 3/6 \n\n⬛🟨⬛⬛🟩\n⬛🟩⬛🟩🟩\n🟩🟩🟩🟩🟩\n\nhttps://a.example": [
        "Got it today!! Wordle 1,234 3/6",
        "https://a.example",
    ],
    "Wordle 1\u202f234 3/6\n⬜🟦⬜⬜🟧\n⬜🟧⬜🟧🟧\n🟧🟧🟧🟧🟧": ["Wordle 1\u202f234 3/6"],
    "Wordle 1’234 3/6*\n⚫🟡⚫⚫🟢\n⚪🟢⚪🟢🟢\n🟢🟢🟢🟢🟢": ["Wordle 1’234 3/6*"],
    "\u200e🖤💛🖤🖤💚\u200b\n🤍💚🤍💚💚\n💚💚💚💚💚": [],
}  # fmt: skip


@pytest.mark.parametrize("text", GRIDS)
def test_grids_are_read_and_what_is_ignored_is_listed(text):
    found = read_pasted(text, WORDS)
    assert found == Chart(tuple(map(WORDS.feedback.parse, GRID)))
    assert list(found.ignored) == GRIDS[text]


GAMES = [
    "S A L E T\nX Y X X G\n\nC R O N Y\nX X Y X X",
    "SALET XYXXG\nCRONY XXYXX",
    "Guess 1: salet -> BYBBG\nGuess 2: crony -> BBYBB",
    "Guess: salet\nFeedback: BYBBG\nGuess: crony\nFeedback: BBYBB",
    "1. salet 01002\n2) crony 00100",
    "[S][A][L][E][T]\n[X] [Y] [X] [X] [G]\n[C][R][O][N][Y]\n[X] [X] [Y] [X] [X]",
    "S A L E T   X Y X X G\nC R O N Y   X X Y X X",
    "('salet', [0, 1, 0, 0, 2]), ('crony', [0, 0, 1, 0, 0])",
    "salet=-y--g crony=--y--",
    "salet -?--! crony ..?..",
    "salet _1__+ crony __1__",
    "salet xoxxg\ncrony xxoxx",
    "> salet ⬛️🟨⬛️⬛️🟩\n> ||crony|| ⬛⬛🟨⬛⬛",
    "salet 0️⃣1️⃣0️⃣0️⃣2️⃣\ncrony 0️⃣0️⃣1️⃣0️⃣0️⃣",
    "salet\ncrony\n⬛ 🟨 ⬛ ⬛ 🟩\n⬛ ⬛ 🟨 ⬛ ⬛",
    "You took [salet].\nFeedback:\nS A L E T\nX Y X X G\n\nC R O N Y\nX X Y X X\n\n4 are left.",
]  # fmt: skip


@pytest.mark.parametrize("text", GAMES)
def test_games_are_read_in_every_form(text):
    found = read_pasted(text, WORDS)
    assert tuple((word.lower(), seen) for word, seen in found.turns) == TURNS


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("salet XOV", "'XOV' can be read in two ways: O as yellow .* or green .*, V as green"),
        ("salet cnpnc", "'cnpnc' can be read in two ways: C as green .* P as yellow"),
        ("salet xoxxx", "'xoxxx' can be read in two ways: O as yellow"),
        ("salet 166", "write YYBBG or GBBYY"),
        (" S (A) L  E [T] 20 left", "brackets around some letters only"),
        ("⬛🟥⬛⬛🟩", "the colour of 🟥 differs between games"),
        ("⬛🟦⬛⬛🟩\n🟩🟩🟩🟩🟩", "blue and orange are yellow and green in high contrast, but"),
        ("salet ⬛🟨⬛🟩", "line 1: .* has 4 colours; words here have 5 letters"),
        ("salet BYBG\ncrony BBYBB", "line 1: 'BYBG' has 4 colours"),
        ("BYBBG\nBYBG\nGGGGG", "line 2: 'BYBG' has 4 colours"),
        ("salet\n0102", "line 2: '0102' has 4 colours"),
        ("salet BYBBG crny BBYBB", "'BBYBB' stands in other text"),
        ("nice, then salet BYBBG it was", "'BYBBG' stands in other text"),
        ("Lucky\nWordle 5 2/6\nBYBBG\nGGGGG", r"1 word \(line 1\) and 2 rows .* \(lines 3, 4\)"),
        ("crony\nsalet BYBBG\nBBYBB", r"2 words \(lines 1, 2\) and 2 rows .* \(lines 2, 3\)"),
        ("Wordle 5 3/6\nBYBBG\nGGGGG", "the score 3 does not fit 2 rows of colours from line 2 on"),
        ("S A L E T X Y X X", "9 signs apart from each other"),
        ("BYBBGG", "line 1: 'BYBBGG' has 6 colours; words here have 5 letters"),
        ("Wordle 5 3/6\nBYB", "line 2: 'BYB' has 3 colours"),
        ("well, nothing here", "no words and no colours are found"),
    ],
)  # fmt: skip
def test_what_is_not_clear_is_refused(text, message):
    with pytest.raises(UserError, match=message) as caught:
        read_pasted(text, WORDS)
    assert "\n" not in str(caught.value)


def test_a_word_that_is_also_a_row_is_refused_beside_letters_only():
    both = make_words(["bgy", "cat", "rat"], ["cat", "rat"])
    with pytest.raises(AmbiguousError, match="as a word of the list, or as colours"):
        read_pasted("cat bgy", both)
    assert read_pasted("bgy ⬛⬛⬛", both) == Transcript((("bgy", "BBB"),))


@pytest.mark.parametrize("name", [name for names in CODES.values() for name in names.split()])
def test_every_chat_code_is_a_picture(name):
    if re.search("red|purple|brown", name):
        with pytest.raises(UserError, match="differs between games"):
            parse_row(5 * f":{name}:", WORDS)
        return
    colour = {"y": "Y", "g": "G", "o": "G", "b": "Y"}.get(
        re.sub("large_|gr[ae]y", "", name)[0], "B"
    )
    colour = "B" if re.search("black|white|grey|gray", name) else colour
    assert WORDS.feedback.format(parse_row(5 * f":{name}:", WORDS)) == 5 * colour


# What surrounds a game

SETS = ["⬛🟨🟩", "⬜🟨🟩", "⬛🟦🟧", "⚫🟡🟢", "🖤💛💚", "BYG", "XYG", "byg", "012", "-?!"]
PROSE = [
    "",
    "Phew, that was hard!",
    "https://x.example/play?id=7",
    "— sent from a phone",
    "#daily 🎉",
]
HEADS = [
    "Wordle 1,234 {}/6",
    "Wordle 1.234 {}/6*",
    "🎯 My daily puzzle 77 {}/6",
    "Wordle 1 234 {}/6",
]
LABELS = ["{w} {r}", "{w} -> {r}", "Guess {n}: {w} {r}", "{n}. {w}: {r}", "{w}\n{r}", "[{w}] ({r})",
          "> {w} | {r}", "Guess {n}: {w}\nFeedback: {r}", "{r} {w}"]  # fmt: skip


@st.composite
def games(draw):
    answer = draw(st.sampled_from(WORDS.answers.words))
    made = draw(st.lists(st.sampled_from(WORDS.guesses.words), min_size=1, max_size=5, unique=True))
    made = [*(word for word in made if word != answer), answer]
    return [(word, naive.feedback(word, answer)) for word in made]


def written(row, three, between=""):
    return between.join(three["BYG".index(colour)] for colour in row)


def decorated(draw, lines, count):
    head = draw(st.sampled_from(HEADS)).format(count)
    text = "\n".join([draw(st.sampled_from(PROSE)), head, "", *lines, draw(st.sampled_from(PROSE))])
    invisible = draw(st.sampled_from(["", "\u200b", "\u200e", "\ufeff", "\u2069"]))
    return text.replace("\n", f"{invisible}\n")


@settings(max_examples=60, deadline=None)
@given(st.data(), games())
def test_a_game_is_read_whatever_surrounds_it(data, turns):
    draw = data.draw
    three, form = draw(st.sampled_from(SETS)), draw(st.sampled_from(LABELS))
    between = draw(st.sampled_from(["", " "]))
    lines = [
        form.format(n=n, w=draw(st.sampled_from([w, w.upper()])), r=written(row, three, between))
        for n, (w, row) in enumerate(turns, start=1)
    ]
    found = read_pasted(decorated(draw, lines, len(turns)), WORDS)
    assert [(word.lower(), seen) for word, seen in found.turns] == turns


@settings(max_examples=60, deadline=None)
@given(st.data(), games())
def test_a_grid_is_read_whatever_surrounds_it(data, turns):
    three = data.draw(st.sampled_from(SETS[:5]))
    lines = [written(row, three) for _, row in turns]
    found = read_pasted(decorated(data.draw, lines, len(turns)), WORDS)
    assert found == Chart(tuple(WORDS.feedback.parse(row) for _, row in turns))


@settings(max_examples=150, deadline=None)
@given(st.data(), games())
def test_a_damaged_turn_is_never_read_as_another(data, turns):
    """It is refused, or the word is left unlisted, which is refused on use."""
    draw = data.draw
    three = draw(st.sampled_from(SETS))
    which = draw(st.integers(0, len(turns) - 1))
    lines = [[word, written(row, three)] for word, row in turns]
    part = draw(st.integers(0, 1))
    text = lines[which][part]
    at = draw(st.integers(0, len(text) - 1))
    damage = draw(st.sampled_from(["cut", "double", "change"]))
    text = {
        "cut": text[:at] + text[at + 1 :],
        "double": text[: at + 1] + text[at:],
        "change": text[:at] + ("q" if part else "7") + text[at + 1 :],
    }[damage]
    lines[which][part] = text
    try:
        told = history_of("\n".join(map(" ".join, lines)), WORDS)[0].split()
    except UserError:
        return
    pairs = list(zip(told[::2], told[1::2], strict=True))
    changed = [i for i, turn in enumerate(turns) if (pairs[i][0].lower(), pairs[i][1]) != turn]
    assert len(pairs) == len(turns)
    assert all(WORDS.guesses.place(pairs[i][0]) is None for i in changed)


# Several grids of one day


def test_several_grids_leave_the_answers_that_agree_with_all(run):
    """By all games of both players; the more games an answer has, the likelier it is."""
    Path("grids.txt").write_text(
        "Ann\nX 2/6\n⬛🟩🟩\n🟩🟩🟩\nBob\nX 2/6\n🟩⬛⬛\n🟩🟩🟩\n", "utf-8"
    )
    said = json.loads(run("analyse", "--paste", "grids.txt", "--top", 0, "--json"))

    def ways(answer, row):
        return sum(naive.feedback(guess, answer) == row for guess in GUESSES)

    alone = [[a for a in ANSWERS if ways(a, row)] for row in ("BGG", "GBB")]
    score = {a: ways(a, "BGG") * ways(a, "GBB") for a in ANSWERS}
    assert said["agreeing"] == list(map(len, alone))
    assert sorted(said["remaining"]) == sorted(a for a in ANSWERS if score[a])
    for row in said["rows"]:
        assert row["probability"] == pytest.approx(
            score[row["possible_answer"]] / sum(score.values())
        )
    assert said["contradicting"] == []
    assert said["ignored"] == ["Ann", "X 2/6", "Bob", "X 2/6"]
    assert "agree with all 2 grids" in run("analyse", "--paste", "grids.txt")


def test_a_grid_that_contradicts_the_others_is_named(run):
    good, bad = "🟩🟩🟩\n", "🟩🟩🟨\n🟩🟩🟩\n"
    Path("grids.txt").write_text(good + bad + good, "utf-8")
    said = json.loads(run("analyse", "--paste", "grids.txt", "--json"))
    assert (said["remaining"], said["contradicting"]) == ([], [2])
    assert said["agreeing"][1] == 0
    shown = run("analyse", "--paste", "grids.txt")
    assert "grid 2 agrees with no answer; check it" in shown
    assert "without grid 2, some answer agrees with all others" in shown


# Transcripts of language models


def test_transcripts_of_models_are_games(tmp_path):
    """Whether each message tells one turn, or all turns so far; the rules are not read."""
    one, two = "S A L E T\nX Y X X G", "C R O N Y\nX X Y X X"
    rules = {"role": "user", "content": "Guess the word. An example:\nC R A N E\nX X G X X"}
    guess = {"role": "assistant", "content": "I try [salet]."}

    def told(text):
        return {"role": "user", "content": f"You submitted a guess.\n{text}\nYou have 4 left."}

    records = [
        {"messages": [rules, guess, told(one), guess, told(two)]},
        {"prompt": [rules], "completion": [guess, told(one), guess, told(f"{one}\n\n{two}")]},
        {"text": f"{one}\n{two}", "player": "a"},
        {"messages": [rules, guess, {"role": "tool", "content": [{"type": "text", "text": one}]}]},
        {"messages": [rules, guess, told("S A L E T\nX Y X X")]},
    ]
    path = tmp_path / "g.jsonl"
    path.write_text("\n".join(map(json.dumps, records)))
    found = [[(w.lower(), seen) for w, seen in each.turns] for each in read_games(path, WORDS)]
    assert found[:3] == [list(TURNS)] * 3
    assert found[3] == [TURNS[0]]
    assert found[4][0][0] == ""


def test_what_cannot_be_read_is_counted_and_is_no_contradiction(run):
    path = Path("g.jsonl")
    records = [{"guesses": ["rat"], "patterns": ["B?"]}, {"text": "rat BGGG"},
               {"guesses": ["rat"], "patterns": ["XGG"]}]  # fmt: skip
    path.write_text("\n".join(map(json.dumps, records)))
    (row,) = rows_of(run("analyse", "--games", path, "--json"))
    assert (row["games"], row["unreadable"], row["contradictory"], row["turns"]) == (3, 2, 0, 2)
    assert (row["incomplete"], row["ambiguous"]) == (0, 0)


UNREAD = {
    "unreadable": ["rat BG", "rat BGGG"],
    "ambiguous": ["rat XOV", "rat 12", "rat B🟥G"],
    "incomplete": ["rat\nhat\nBGG", "BGG"],
}


@pytest.mark.parametrize("kind", UNREAD)
def test_what_cannot_be_read_is_counted_by_kind_and_kept_in_files(run, kind):
    lines = ({"text": text} for text in UNREAD[kind])
    Path("g.jsonl").write_text("\n".join(map(json.dumps, lines)))
    (row,) = rows_of(run("analyse", "--games", "g.jsonl", "--out", "turns.h5", "--json"))
    counts = {name: row[name] for name in [*UNREAD, "contradictory", "not_guaranteed", "turns"]}
    assert {name: count for name, count in counts.items() if count and name != "turns"} == {
        kind: len(UNREAD[kind])
    }
    written = read_analysis(load(Path("turns.h5"), ANALYSIS))
    assert [each["fault"] for each in written] == [kind] * len(UNREAD[kind])


# Python


@pytest.fixture(scope="module")
def game():
    return gw.load_game(["cat", "rat", "hat", "bit"])


@pytest.mark.parametrize(
    "turns",
    [
        [("rat", "BGG")],
        [["rat", "xgg"]],
        (("rat", "022"),),
        [("rat", (0, 2, 2))],
        [("rat", ["B", "G", "G"])],
        [("rat", ("grey", "green", "green"))],
        [("rat", ("absent", "correct", "correct"))],
        [("rat", "⬛🟩🟩")],
        [("RAT", "X G G")],
        "rat XGG",
        "Wordle 5 2/6\nrat\n⬛🟩🟩",
    ],
)
def test_turns_of_python_are_read(game, turns):
    assert game.after(turns) == game.after("rat BGG")
    assert game.start.after(turns).history == "rat BGG"


@pytest.mark.parametrize(
    ("turns", "message"),
    [
        ([("rat", 24)], "24 numbers a pattern in one of two ways; write BGG.? or GGB"),
        ([("rat", "OVO")], "can be read in two ways|is no colour"),
        ([("rat",)], "does not fit"),
        ([("rat", (0, 3, 2))], "does not fit"),
        (5, "give text, as in 'salet BYBBG', or in Python a list of turns"),
    ],
)
def test_turns_of_python_that_are_none_are_refused(game, turns, message):
    with pytest.raises(UserError, match=message):
        game.after(turns)


def test_capital_x_and_ambiguous_rows_on_the_command_line(run):
    assert run("suggest", "RAT", "XGG") == run("suggest", "rat", "BGG")
    with pytest.raises(UserError, match="can be read in two ways"):
        run("suggest", "rat", "XOV")


@pytest.mark.parametrize(
    "line", ["Wordle 1,234 4/6*", "Word Master 5/6", "Got it! Wordle 1’234 X/6"]
)
def test_headings_are_known_alone(line):
    assert is_heading(line)
    assert not is_heading("rat ⬛🟩🟩 1/6")


def test_letters_of_other_alphabets(run):
    """Σ and ς are one letter, ß can be typed again, and five jamo are five letters."""
    greek = ["\u03bb\u03bf\u03b3\u03bf\u03c2", "\u03c3\u03c4\u03bf\u03bc\u03b1"]
    spelled = [each.replace("\u03c2", "\u03c3") for each in greek]
    words = make_words(spelled, spelled)
    found = read_pasted(f"{greek[0].upper()} ⬛🟨⬛⬛🟨", words)
    assert found.turns == ((greek[0].upper(), "BYBBY"),)
    assert words.guesses.place(found.turns[0][0]) == 0
    german = make_words(["stra\u00dfe", "masses"], ["masses"])
    shown = german.guesses.shown(0)
    assert read_pasted(f"{shown} BBBBBG", german).turns == ((shown, "BBBBBG"),)
    jamo = "\u110e\u116e\u110b\u116e\u11af"
    korean = make_words([jamo], [jamo])
    assert read_pasted(f"{' '.join(jamo)}\nB Y B B G", korean).turns == ((jamo, "BYBBG"),)


# What is ignored


def test_suggest_lists_what_it_ignored_of_a_pasted_text(run):
    Path("grid.txt").write_text("Puzzle 5 3/6\nrat BGG\nhttps://a.example\n")
    said = json.loads(run("suggest", "--paste", "grid.txt", "--json"))
    assert said["ignored"] == ["Puzzle 5 3/6", "https://a.example"]
    shown = run("suggest", "--paste", "grid.txt").splitlines()
    assert shown[-1] == "ignored: 'Puzzle 5 3/6', 'https://a.example'"
    assert json.loads(run("suggest", "rat", "BGG", "--json"))["ignored"] == []
    assert "ignored" not in run("suggest", "rat", "BGG")


def test_positions_from_pasted_text_know_what_was_ignored(game):
    after = game.after("Puzzle 5 3/6\nrat BGG")
    assert (after.history, after.ignored) == ("rat BGG", ("Puzzle 5 3/6",))
    assert game.after("rat BGG").ignored == ()
