import gzip
import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpu_wordle.errors import UserError
from gpu_wordle.game import words
from gpu_wordle.game.named_lists import catalogue
from gpu_wordle.game.word_list import WordList


@pytest.mark.parametrize("word", ["", "sl ate", "sl\nate", "\n"])
def test_each_word_of_a_list_is_one(word):
    with pytest.raises(UserError, match="mine: .* is not one word; give a list of words"):
        words.words_of(["crane", word], "mine")


@pytest.mark.parametrize("name", list(catalogue()))
def test_named_lists_are_what_the_catalogue_says(name):
    entry = catalogue()[name]
    game = words.load_words(name)
    assert len(game.guesses) == entry["guesses_count"]
    assert len(game.answers) == entry["answers_count"]
    assert game.guesses.sha256 == entry["guesses_sha256"]
    assert game.answers.sha256 == entry["answers_sha256"]
    assert entry["source"]
    assert entry["licence"]
    assert list(game.guesses.words) == sorted(game.guesses.words)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"crane\nslate\nabcd\n", r"line 3: 'abcd' has 4 letters; every word of this list has 5"),
        (b"crane\nsl4te\n", r"line 2: 'sl4te' holds '4', which is no letter"),
        (b"crane\nsla te\n", r"line 2: 'sla te' holds ' '"),
        (b"crane\nslate\nCRANE\n", r"line 3: 'crane' was already on line 1"),
        (b"crane\nslate\ncrane\n", r"line 3: 'crane' was already on line 1"),
        (b"", r"empty"),
        (b"\n\n", r"empty"),
        (b"crane\nsl\xffte\n", r"line 2: not UTF-8"),
        (b"a\nb\n", r"line 1: 'a' has 1 letter; words of 2 to 10"),
        (b"abcdefghijk\n", r"line 1: .* has 11 letters"),
    ],
)
def test_bad_files_name_file_and_line(tmp_path, content, message):
    path = tmp_path / "list.txt"
    path.write_bytes(content)
    with pytest.raises(UserError, match=message) as caught:
        words.load_words(str(path))
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_files_may_be_compressed_and_carry_a_mark(tmp_path):
    path = tmp_path / "list.txt.gz"
    path.write_bytes(gzip.compress("\ufeffÉtude\r\nAvoir\r\n\r\n".encode()))
    loaded = words.load_words(str(path))
    assert loaded.guesses.words == ("étude", "avoir")
    assert loaded.answers == loaded.guesses


def test_composed_and_decomposed_spellings_are_one_word(tmp_path):
    path = tmp_path / "list.txt"
    path.write_text("étude\né́tude\n".replace("é́", "e\u0301"), encoding="utf-8")
    with pytest.raises(UserError, match="already on line 1"):
        words.load_list(str(path), "guesses")


@pytest.mark.parametrize("data", [b"no gzip at all", gzip.compress(b"crane\n" * 99, mtime=0)[:-9]])
def test_damaged_gzip(tmp_path, data):
    path = tmp_path / "list.gz"
    path.write_bytes(data)
    with pytest.raises(UserError, match="cannot be read"):
        words.load_list(str(path), "guesses")


def test_lists_are_equal_if_their_words_are():
    one, same = (words.words_of(["crane", "slate"], source) for source in ("mine", "yours"))
    assert one == same
    assert hash(one) == hash(same)
    for other in (["crane", "lates"], ["slate", "crane"], ["crane"], ["crane", "brake"]):
        listed = words.words_of(other, "mine")
        assert one != listed
        assert listed != one


def test_missing_file_names_the_lists():
    with pytest.raises(UserError, match="original, nyt-2023"):
        words.load_words("no-such-list")


def test_a_folder_is_no_list(tmp_path):
    with pytest.raises(UserError, match="cannot be read"):
        words.load_list(str(tmp_path), "guesses")


def test_an_answer_must_be_a_guess(tmp_path):
    path = tmp_path / "answers.txt"
    path.write_text("crane\n\nzzzzz\n")
    with pytest.raises(UserError, match="line 3: the answer 'zzzzz' is not a guess"):
        words.load_words("original", str(path))


def test_lists_of_two_lengths_do_not_go_together(tmp_path):
    path = tmp_path / "answers.txt"
    path.write_text("abcd\n")
    with pytest.raises(UserError, match="one length"):
        words.load_words("original", str(path))


@given(st.lists(st.text(st.characters(categories=["Ll"]), min_size=5, max_size=5), unique=True))
def test_parsing_keeps_words_and_order(lines):
    lines = [line for line in lines if words.normalise(line) == line and len(line) == 5]
    if lines and all(line.isalpha() for line in lines):
        parsed = words.parse_list("\n".join(lines).encode(), "x")
        assert list(parsed.words) == lines
        text = "".join(f"{line}\n" for line in lines).encode()
        assert parsed.sha256 == hashlib.sha256(text).hexdigest()
        assert ["".join(map(chr, row)) for row in parsed.codes] == lines


def test_indices_between_guesses_and_answers():
    game = words.load_words()
    for a in (0, 1000, 2314):
        g = game.guess_of_answer[a]
        assert game.guesses.words[g] == game.answers.words[a]
        assert game.answer_of_guess[g] == a
    assert (game.answer_of_guess >= 0).sum() == 2315


def test_unknown_word_is_named():
    with pytest.raises(UserError, match="'zzzzz' is not one of the 12,972 words of original"):
        words.load_words().guesses.find("zzzzz")


def test_words_that_may_be_meant_are_named_the_likeliest_first():
    listed = words.words_of(["slate", "trace", "crane", "carne", "nacre", "rance"], "mine")
    with pytest.raises(UserError, match="of mine; did you mean carne or crane or nacre[?]$"):
        listed.find("crnae")  # no more than three of those with the same letters
    assert listed.near("crank")[:2] == ["crane", "carne"]
    assert listed.near("slaet") == ["slate"]
    with pytest.raises(UserError, match="of mine$"):
        listed.find("zzyzx")
    short = words.words_of(["ab", "cd"], "mine")
    assert short.near("ba") == ["ab"]
    assert short.near("ax") == []  # half of the letters are too few
    assert WordList(("x", "y"), "names").near("z") == []  # and none of them says nothing


def test_a_list_without_flaws_is_read_as_any_other():
    spelled = ["crane", "salet", "slate"]
    flawless = "\n".join(spelled)
    for before, text in (
        (0, flawless),
        (0, f"{flawless}\n"),
        (0, f"{flawless}\n\n"),
        (0, f" {flawless}"),
        (0, flawless.upper()),
        (1, f"\n{flawless}"),
    ):
        listed = words.parse_list(text.encode(), "list")
        assert listed.words == tuple(spelled)
        assert listed.lines == tuple(range(before + 1, before + len(spelled) + 1))
