"""Weights from files: scaled exactly, and refused with file and line where they are wrong."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpu_wordle.errors import UserError
from gpu_wordle.game.values import INFEASIBLE
from gpu_wordle.game.weights import Weights, load_weights, parse_weights
from gpu_wordle.game.word_list import WordList

ANSWERS = WordList(("crane", "slate", "étude"), "answers.txt")


def test_weights_are_counted_in_ones_unless_told():
    assert Weights((1, 2)).unit == 1


def parse(text):
    return parse_weights(text, ANSWERS, "w.csv")


@pytest.mark.parametrize(
    ("text", "weights", "unit"),
    [
        ("crane,3\nslate,1\nétude,0\n", (3, 1, 0), 1),
        ("Word, Weight\ncrane,1\nslate,1\nétude,2\n", (1, 1, 2), 1),
        ("étude,1\ncrane,2\nslate,3\n", (2, 3, 1), 1),
        ("word,weight\nétude,2\ncrane,4\nslate,6\n", (2, 3, 1), 2),
        ("crane,0.25\nslate,1.5\nétude,2\n", (1, 6, 8), Fraction(1, 4)),
        ("crane,1e-3\nslate,0.0\nétude,2e-3\n", (1, 0, 2), Fraction(1, 1000)),
        ('\n "CRANE", 1\n\nSlate,1\nétude,1', (1, 1, 1), 1),
        ("crane,7\r\nslate,7\r\ne\N{COMBINING ACUTE ACCENT}tude,14\r\n", (1, 1, 2), 7),
        ("crane,+0.1\nslate,.2\nétude,0.30\n", (1, 2, 3), Fraction(1, 10)),
    ],
)
def test_weights_are_integers_without_a_common_divisor(text, weights, unit):
    read = parse(text)
    assert (read.of_answer, read.unit) == (weights, unit)
    assert read.total == sum(weights)
    assert read.values.dtype == np.int64
    assert read.values.tolist() == list(weights)


@given(st.lists(st.decimals(0, 1000, places=3), min_size=3, max_size=3))
def test_nothing_is_rounded(given_weights):
    if not any(given_weights):
        return
    lines = zip(ANSWERS.words, given_weights, strict=True)
    read = parse("".join(f"{word},{weight}\n" for word, weight in lines))
    assert [w * read.unit for w in read.of_answer] == [Fraction(w) for w in given_weights]
    assert np.gcd.reduce(read.of_answer) == 1


def test_weights_add_up_to_less_than_the_value_of_what_cannot_be():
    assert parse(f"crane,{INFEASIBLE - 3}\nslate,2\nétude,0\n").total == INFEASIBLE - 1
    with pytest.raises(UserError, match="have to stay below 1,099,511,627,776"):
        parse(f"crane,{INFEASIBLE - 3}\nslate,2\nétude,1\n")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("crane,1\nslate,-2\nétude,1\n", "w.csv, line 2: the weight -2 is negative; give 0 or"),
        (f"crane,-{'0' * 60}1\n", f"w.csv, line 1: the weight -{'0' * 39} is negative"),
        (f"crane,{'9' * 60}\n", f"w.csv, line 1: the weight {'9' * 40} is out of range"),
        ("crane,1\nslate,nan\nétude,1\n", "w.csv, line 2: 'nan' is no number; give a whole"),
        ("crane,inf\nslate,1\nétude,1\n", "w.csv, line 1: 'inf' is no number; give a whole"),
        ("crane,1e999999999\nslate,1\n", "w.csv, line 1: the weight 1e999999999 is out of"),
        ("crane,1e-400\nslate,1\n", "w.csv, line 1: the weight 1e-400 is out of range"),
        ("crane,1e-300\nslate,7e-280\nétude,0\n", "w.csv: the weights add up to too little; mult"),
        (
            f"crane,1{'0' * 18}\nslate,1\n",
            "w.csv, line 1: the weight 1000000000000000000 is out of",
        ),
        ("crane,1\nslate,\nétude,1\n", "w.csv, line 2: '' is no number; give a whole number"),
        ("crane,1\nslate,many\nétude,1\n", "w.csv, line 2: 'many' is no number"),
        ("crane,1/3\nslate,1\nétude,1\n", "w.csv, line 1: '1/3' is no number"),
        ("crnae,x\nslate,1\nétude,1\n", "w.csv, line 1: 'crnae' is none of the 3 answers"),
        ("word,count\ncrane,1\nslate,1\nétude,1\n", "w.csv, line 1: 'word' is none of"),
        ("crane,1_000\nslate,1\nétude,1\n", "w.csv, line 1: '1_000' is no number; give"),
        ("crane\nslate,1\n", "w.csv, line 1: 1 field; each line is word,weight"),
        ("crane,1,2\n", "w.csv, line 1: 3 fields; each line is word,weight"),
        ("crane,1\nzebra,1\n", "w.csv, line 2: 'zebra' is none of the 3 answers of answers.txt"),
        ("word,weight\n\nzebra,1\n", "w.csv, line 3: 'zebra' is none of"),
        ("crane,1\nword,weight\n", "w.csv, line 2: 'word' is none of"),
        ("crane,1\nslate,1\nCrane,2\n", "w.csv, line 3: 'Crane' was already on line 1; remove"),
        ("slate,1\n", "w.csv: no weight for 'crane' and 1 more of the 3 answers of answers.txt"),
        ("slate,1\ncrane,1\n", "w.csv: no weight for 'étude' of the 3 answers"),
        ("", "w.csv: no weight for 'crane' and 2 more"),
        ("crane,0\nslate,0\nétude,0.0\n", "w.csv: every weight is zero; give some answer"),
        ("crane,1\nslate,999999999999999\nétude,2\n", "w.csv: as whole numbers .* round them"),
        ('crane,1\n"slate,1\n', "w.csv, line 2: not CSV"),
    ],
)
def test_bad_files_are_refused_in_one_line(text, message):
    with pytest.raises(UserError, match=message) as caught:
        parse(text)
    assert "\n" not in str(caught.value)


def test_files_are_read_in_utf8_with_or_without_a_mark(tmp_path):
    text = "crane,1\nslate,2\nétude,3\n"
    for name, data in (("a", text.encode()), ("b", text.encode("utf-8-sig"))):
        (tmp_path / name).write_bytes(data)
        assert load_weights(tmp_path / name, ANSWERS).of_answer == (1, 2, 3)
    one, two = (load_weights(tmp_path / name, ANSWERS) for name in "ab")
    assert one.sha256 == two.sha256
    assert one.sha256 != parse("crane,1\nslate,2\nétude,4\n").sha256
    (tmp_path / "c").write_bytes(text.encode("latin-1"))
    with pytest.raises(UserError, match="not UTF-8 text; save the weights as UTF-8"):
        load_weights(tmp_path / "c", ANSWERS)
    with pytest.raises(UserError, match="no such file; give a CSV file of word,weight"):
        load_weights(tmp_path / "d", ANSWERS)
    with pytest.raises(UserError, match="cannot be read"):
        load_weights(tmp_path, ANSWERS)
