"""Alphabets: letters of several signs and equal signs, as if each letter was a sign of its own."""

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpu_wordle.errors import UserError
from gpu_wordle.game.alphabet import PLAIN, Alphabet
from gpu_wordle.game.feedback import LetterFeedback, NaiveFeedback, letter_feedback, pattern
from gpu_wordle.game.known import Knowledge
from gpu_wordle.game.patterns import PatternMatrix
from gpu_wordle.game.rule import Rule, breach
from gpu_wordle.game.spelling import capitals
from gpu_wordle.game.word_list import WordList
from gpu_wordle.game.words import GameWords, load_list, parse_list, words_of
from support import naive

SPANISH = ["ch", "ll", "rr", "a á", "e é", "i í", "o ó", "u ú ü"]
WORDS = ["calle", "llave", "perro", "techo", "leche", "pollo"]  # c-a-ll-e


def read(*lines):
    return Alphabet.read(lines, "letters")


@st.composite
def games(draw):
    """An alphabet, words of one length in letters, and each word with a letter for each of them."""
    spellings = ["".join(each) for n in (1, 2, 3) for each in product("abc", repeat=n)]
    chosen = draw(st.lists(st.sampled_from(spellings), unique=True, min_size=1, max_size=8))
    cuts = sorted(draw(st.sets(st.integers(1, len(chosen)), max_size=5)))
    rows = [chosen[i:j] for i, j in zip([0, *cuts], [*cuts, len(chosen)], strict=True) if i < j]
    letter_of = {sign: sign for sign in "abcd"}
    letter_of |= {each: "ABCDEFGH"[number] for number, row in enumerate(rows) for each in row}
    texts = draw(st.lists(st.text("abcd", min_size=2, max_size=9), min_size=4, max_size=30))
    found = {}
    for text in texts:
        letters, rest = "", text
        while rest:
            longest = max((each for each in letter_of if rest.startswith(each)), key=len)
            letters, rest = letters + letter_of[longest], rest[len(longest) :]
        found.setdefault(len(letters), {}).setdefault(letters, text)
    length = max(found, key=lambda length: (2 <= length <= 7, len(found[length])))
    found = found[min(max(length, 2), 7)] if 2 <= length <= 7 else {"dd": "dd"}
    return read(*map(" ".join, rows)), found


@settings(max_examples=60)
@given(games(), st.data())
def test_a_list_is_as_one_with_a_sign_for_each_letter(game, data):
    alphabet, found = game
    spelled = words_of(found.values(), "spelled", alphabet=alphabet)
    plain = WordList(tuple(found), "plain")
    assert spelled.words == tuple(found.values())
    assert spelled.length == plain.length
    one, other = (GameWords(each, each) for each in (spelled, plain))
    patterns = PatternMatrix.by_definition(one).values
    assert np.array_equal(patterns, PatternMatrix.by_definition(other).values)
    for i, word in enumerate(spelled.words):
        assert "".join(spelled.alphabet.cut(word)) == word
        assert "".join(one.feedback.tiles(word)) == capitals(word)
        assert len(one.feedback.tiles(word)) == spelled.length
        assert spelled.place(capitals(word)) == i
        assert alphabet.signs(alphabet.spelled(word)) == alphabet.signs(word)
    words = data.draw(st.lists(st.integers(0, len(found) - 1), min_size=2, max_size=3))
    guess, *earlier = words
    turns = [(g, pattern(plain.words[g], plain.words[words[-1]])) for g in earlier]
    for rule in (Rule.HARD, Rule.ULTRA_HARD):
        told = breach(rule, spelled.words[guess], [(spelled.words[g], p) for g, p in turns],
                      alphabet=alphabet)  # fmt: skip
        meant = breach(rule, plain.words[guess], [(plain.words[g], p) for g, p in turns])
        assert (told is None) == (meant is None)


def test_a_word_is_cut_from_the_left_the_longest_letter_first():
    alphabet = read("nj", "dž", "lj")
    assert alphabet.cut("injekcija") == ["i", "nj", "e", "k", "c", "i", "j", "a"]
    assert alphabet.cut("NADŽIVJETI")[2] == "DŽ"
    assert read("sz", "s", "zs", "dzs", "z").cut("dzszs") == ["dzs", "zs"]
    assert read("aa", "aaa").cut("aaaaa") == ["aaa", "aa"]


def test_letters_are_shown_as_the_word_spells_them():
    alphabet = read(*SPANISH)
    feedback = LetterFeedback(4, alphabet)
    assert feedback.tiles("callé") == ["C", "A", "LL", "É"]
    assert alphabet.spelled(alphabet.signs("cállé")) == "calle"
    assert PLAIN.signs("calle") == PLAIN.spelled("calle") == PLAIN.cut("calle") == "calle"


def test_words_are_found_in_any_equal_spelling():
    listed = words_of(["papá", "mamá", "tete"], "own", alphabet=read("a á à"))
    assert listed.words == ("papá", "mamá", "tete")
    assert [listed.place(word) for word in ("papa", "PÀPA", "mama", "pepa")] == [0, 0, 1, None]
    with pytest.raises(UserError, match="'papat' is not .* did you mean papá?"):
        listed.find("papat")
    final = words_of(["מלך", "כלם", "ככל"], "final", alphabet=read("כ ך", "מ ם"))
    feedback = GameWords(final, final).feedback
    assert feedback.format(int(feedback.patterns(GameWords(final, final), 0, 2))) == "BYY"
    assert final.shown(0) == "מלך"


def test_marks_are_parts_of_letters_that_the_alphabet_has():
    nepali = words_of(["नेपाल", "पालने"], "nepali", alphabet=read("ने", "पा"))
    assert nepali.length == 3
    with pytest.raises(UserError, match="'नेपाली' holds '\u0940', which is a mark that Unicode"):
        words_of(["नेपाली"], "nepali", alphabet=read("ने", "पा"))
    breton = words_of(["c'hoar", "choar"], "breton", alphabet=read("c'h", "ch"))
    assert [breton.alphabet.cut(word)[0] for word in breton.words] == ["c'h", "ch"]


def test_the_form_of_the_file_does_not_matter():
    wanted = read("a á", "ll")
    for lines in (
        ["ll", "a á"],
        ["", "  LL  ll Ll", "a\tÁ", ""],
        ["b", "ll", "a á", "c"],
        ["a a\u0301", "ll"],
    ):
        assert read(*lines) == wanted
    assert read("a", "b").is_plain
    assert not read("a", "b b", "'").is_plain


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([], "letters: the alphabet is empty; write a letter on each line"),
        (["", " "], "letters: the alphabet is empty"),
        (["ll", "# vowels"], "letters, line 2: '#' holds '#', no letter; write a letter on each"),
        (["a, á"], "line 1: 'a,' holds ',', no letter"),
        (["a=á"], "line 1: 'a=á' holds '=', no letter"),
        (["a á", "à", "á e"], "line 3: 'á' was already on line 1, and is one letter only; remove"),
        (["ll", "LL"], "line 2: 'll' was already on line 1"),
        (["a \u0301"], "line 1: '\u0301' holds '\u0301', no letter"),
        (["\ue000"], "no letter"),
    ],
)
def test_what_is_no_alphabet_is_refused_with_the_line(lines, message):
    with pytest.raises(UserError, match=message):
        read(*lines)


def test_files_that_are_no_alphabets(tmp_path):
    path = tmp_path / "letters.txt"
    with pytest.raises(UserError, match=r"letters\.txt: no such file; give a file with a letter"):
        Alphabet.load(path)
    path.write_bytes("\ufeffll\r\na á\r\n".encode())
    assert Alphabet.load(path) == read("a á", "ll")
    path.write_bytes("ll\na á".encode("utf-16"))
    with pytest.raises(UserError, match="not UTF-8 text; save the alphabet as UTF-8"):
        Alphabet.load(path)
    path.write_bytes(b"ll\n" * 10_000)
    with pytest.raises(UserError, match="more than"):
        Alphabet.load(path)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ["calle", "valle", "cale", "lelos"],
            r"line 4: 'lelos' has 5 letters \(l e l o s\); ev",
        ),
        (
            ["calle", "callé"],
            "line 2: 'callé' has the letters of 'calle', which was already",
        ),
        (["calle", "calle"], "line 2: 'calle' was already on line 1; remove one"),
        (["calle", "1234"], "line 2: '1234' holds '1', which is no letter"),
        (["ll"], r"line 1: 'll' has 1 letter; words of 2 to 10"),
    ],
)
def test_lists_that_do_not_fit_their_alphabet(words, message):
    with pytest.raises(UserError, match=message):
        parse_list("\n".join(words).encode(), "own", alphabet=read(*SPANISH))


def test_a_named_list_is_cut_by_the_alphabet_too():
    with pytest.raises(UserError, match="every word of this list has"):
        load_list("original", "answers", read("ch", "sh"))
    joined = load_list("original", "answers", read("q k"))
    assert joined.words == load_list("original", "answers").words
    assert joined != load_list("original", "answers")
    with pytest.raises(UserError, match="has the letters of"):
        load_list("original", "answers", read("a e", "i o"))


def test_games_of_different_alphabets_differ():
    def game(alphabet):
        listed = words_of(["papa", "mapa"], "own", alphabet=alphabet)
        return GameWords(listed, listed)

    plain = game(PLAIN)
    equal = game(read("m n"))
    assert plain.sha256 != equal.sha256 == game(read("m n", "z")).sha256
    assert game(read("q")).sha256 == plain.sha256
    assert plain.guesses != equal.guesses
    assert (plain.feedback.name, equal.feedback.name) == ("letters", "letters; m n")
    for feedback in (plain.feedback, equal.feedback, NaiveFeedback(4, read(*SPANISH))):
        assert letter_feedback(feedback.name, 4) == feedback
    assert letter_feedback("mastermind:4x6") is None


def known(words, *given):
    listed = words_of(words, "own", alphabet=read(*SPANISH))
    return listed, Knowledge.read(GameWords(listed, listed), *given)


def test_what_is_known_goes_by_letters():
    listed, told = known(["calle", "gallo", "cello", "techo", "chalé"], "**LL*", "á4", "ch,e")
    left = [w for w, fits in zip(listed.words, told.agreeing(listed), strict=True) if fits]
    assert left == ["gallo"]
    assert told.text == "known:**ll*/a4/e,ch"
    assert Knowledge.parse(GameWords(listed, listed), told.text) == told
    with pytest.raises(UserError, match="--template '.ll..' has 4 places") as caught:
        known(["ab" * 2 + "c", "abcde"], ".ll..", "", "")
    assert "words here have 5 letters" in str(caught.value)
    with pytest.raises(UserError, match="--absent: LL is known to occur, too; .* as in ll1"):
        known(["calle", "gallo"], "**ll*", "", "ll")
    with pytest.raises(UserError, match="can be read in two ways: as ch ll2, or as ch2 ll2"):
        known(["calle", "gallo"], "", "chll2", "")


def test_rules_name_letters():
    alphabet = read(*SPANISH)
    why = breach(Rule.HARD, "pato", [("callé", 18)], alphabet=alphabet)  # BBGB
    assert why == "LL of CALLÉ is green in place 3"
    why = breach(Rule.HARD, "pato", [("llave", 1)], alphabet=alphabet)
    assert why == "LLAVE has shown that it holds LL"
    assert breach(Rule.HARD, "polló", [("calle", 18)], alphabet=alphabet) is None


def test_all_pairs_of_a_list_by_hand():
    listed = words_of(WORDS, "own", alphabet=read(*SPANISH))
    letters = [["c", "a", "L", "e"], ["L", "a", "v", "e"], ["p", "e", "R", "o"],
               ["t", "e", "C", "o"], ["l", "e", "C", "e"], ["p", "o", "L", "o"]]  # fmt: skip
    game = GameWords(listed, listed)
    matrix = PatternMatrix.by_definition(game).values
    for (g, guess), (a, answer) in combinations(list(enumerate(map("".join, letters))), 2):
        assert game.feedback.format(int(matrix[a, g])) == naive.feedback(guess, answer)
