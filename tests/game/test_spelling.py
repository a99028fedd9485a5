"""Letters of any alphabet: what is one letter, and that what is shown can be typed again."""

import json
import shutil
import unicodedata

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import gpu_wordle as gw
from gpu_wordle.errors import UserError
from gpu_wordle.game.spelling import capitals, normalise
from support import naive
from support.commands import invoke
from support.output import rows_of
from support.seeds import MORE
from support.word_lists import make_game, make_words

GREEK = ["ΛΟΓΟΣ", "ΣΤΟΜΑ", "ΣΟΦΟΣ", "ΝΗΣΟΣ", "ΣΕΙΡΑ"]
JAMO = [unicodedata.normalize("NFD", word) for word in ("추울", "불러", "포경", "만개")]

letters = st.characters(min_codepoint=0x80, categories=("Ll", "Lu", "Lt", "Lo", "Lm"))
marked = st.text(
    st.one_of(letters, st.characters(max_codepoint=0x370, categories=("Ll", "Lu", "Mn")))
)


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    """Run a verb on the words of a file; returns what it prints."""
    monkeypatch.chdir(tmp_path)

    def call(verb, words, *arguments):
        (tmp_path / "words.txt").write_text("\n".join(words), encoding="utf-8")
        invoke([verb, *arguments, "--guesses", "words.txt", "--quiet"])
        return capsys.readouterr().out

    return call


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("ΛΟΓΟΣ", "λογοσ"),  # whatever stands behind it
        ("λογος", "λογοσ"),
        ("ΣΑΣ ΣΑΣ", "σασ σασ"),
        ("İSTEK", "istek"),
        ("I\u0307STEK", "istek"),
        ("ILIK", "ilik"),
        ("ılık", "ılık"),
        ("STRASSE", "strasse"),
        ("STRAẞE", "straße"),
        ("E\u0301COLE", "école"),
        ("Ι\u0308\u0301", "ΐ"),  # of which there is no capital in one sign
        ("\u212aELVIN", "kelvin"),
        ("ךכ", "ךכ"),
        ("한글", "한글"),
        ("\u1112\u1161\u11ab", "\u1112\u1161\u11ab"),
        ("\u0958", "\u0958"),  # which NFC would take apart
        ("がか\u3099", "がが"),
        ("ᲗᲑᲘᲚ", "თბილ"),
    ],
)
def test_words_are_read_sign_by_sign(written, read):
    assert normalise(f" {written}\n") == read


@pytest.mark.parametrize(
    ("word", "shown"),
    [
        ("crane", "CRANE"),
        ("λογοσ", "ΛΟΓΟΣ"),
        ("straße", "STRAßE"),
        ("ılık", "ıLıK"),
        ("istek", "ISTEK"),
        ("ΐ", "ΐ"),
        ("école", "ÉCOLE"),
        ("ǰ", "ǰ"),
        ("ﬁ", "ﬁ"),
    ],
)
def test_what_is_shown_in_capitals(word, shown):
    assert capitals(word) == shown


@given(st.one_of(st.text(letters), marked))
def test_what_is_shown_is_read_as_the_same_word(text):
    word = normalise(text)
    assert normalise(word) == word
    if word.isalpha():
        assert normalise(capitals(word)) == word
        assert len(capitals(word)) == len(word)
        assert "".join(map(capitals, word)) == capitals(word)  # as on tiles


@given(marked)
def test_reading_keeps_the_number_of_letters(text):
    def count(word):
        return sum(map(str.isalpha, word))

    assert count(normalise(text)) == count(text)


def test_a_list_in_capitals_has_the_feedback_of_one_in_small_letters(run):
    for words in (GREEK, [word.lower() for word in GREEK]):
        (row,) = rows_of(run("analyse", words, "λογος", "--answer", "στομα", "--json"))
        assert row["guess"] == "λογοσ"
        assert row["pattern"] == "BYBBY"  # the last sigma is the first one of στομα
        row, *_ = rows_of(run("suggest", words, "ΛΟΓΟΣ BYBBY", "--json"))
        assert row["guess"] == "στομα"


def test_what_a_verb_shows_can_be_typed_again(run):
    words = ["straße", "ströme", "streng", "stürze", "masses", "masser"]
    shown = run("spectrum", words, "straße").split(":")[0]
    assert shown == "STRAßE"
    assert run("spectrum", words, shown).split(":")[0] == shown
    turkish = ["ılıca", "İLACI", "kapıl", "ilaca"]
    shown = run("spectrum", turkish, "ılıca").split(":")[0]
    assert shown == "ıLıCA"
    assert run("spectrum", turkish, shown).split(":")[0] == shown
    assert run("spectrum", turkish, "ilaci").startswith("ILACI")
    with pytest.raises(UserError, match="is not one of the 4 words"):  # it has no dotless i
        run("spectrum", turkish, "ilica")


def test_trees_in_capitals_are_read_again(run, tmp_path):
    """Also in the capitals of a text, in which no sign depends on those beside it."""
    for words in (GREEK, ["straße", "streng", "stürme"], JAMO):
        (row,) = rows_of(run("solve", words, words[0], "--tree", "tree.txt", "--json"))
        text = (tmp_path / "tree.txt").read_text("utf-8")
        (tmp_path / "tree.txt").write_text(capitals(text), encoding="utf-8")
        told = json.loads(run("verify", words, "tree.txt", "--json"))
        assert told["total"] == row["total"]


def test_weights_and_openers_may_be_written_otherwise_than_the_list(run, tmp_path):
    rows = "".join(f"{word.lower()},{i}\n" for i, word in enumerate(GREEK, 1))
    assert "λογος" in rows
    (tmp_path / "w.csv").write_text(rows, encoding="utf-8")
    (row,) = rows_of(run("solve", GREEK, "σοφος", "--weights", "w.csv", "--json"))
    assert row["opener"] == "σοφοσ"
    ranking = gw.rank(gw.load_game(guesses=GREEK))
    assert "Σοφος" in ranking
    assert ranking["ΣΟΦΟΣ"]["opener"] == "σοφοσ"


def test_words_of_jamo_have_a_letter_for_each(run):
    (row,) = rows_of(run("analyse", JAMO, JAMO[0], "--answer", JAMO[1], "--json"))
    assert row["pattern"] == "BGBBY"  # ㅊㅜㅇㅜㄹ for ㅂㅜㄹㄹㅓ
    (row,) = rows_of(run("analyse", JAMO, "추울", "--answer", "불러", "--json"))
    assert row["pattern"] == "BGBBY"  # as keyboards write them
    syllables = ["추울", "불러", "포경", "만개"]
    (row,) = rows_of(run("analyse", syllables, JAMO[0], "--answer", "불러", "--json"))
    assert row["pattern"] == "BB"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["नेपाल"], r"holds '\u0947', which is a mark that Unicode has in no one sign with"),
        (["추울", JAMO[0]], "line 2: .* has 5 letters, for it is written in jamo and not in syll"),
        (["σας", "ΣΑΣ"], "line 2: 'σασ' was already on line 1"),
    ],
)
def test_what_cannot_be_read_is_refused_with_the_reason(run, words, message):
    with pytest.raises(UserError, match=message):
        run("rank", words)


def test_files_of_earlier_versions_are_readable(tmp_path, monkeypatch):
    """Those took the two small sigmas for two letters; what they say of a game so read stands."""
    monkeypatch.chdir(tmp_path)
    words = make_words(*[["λογος", "στομα", "σοφος", "νησος"]] * 2)
    game = gw.Game(make_game(words))
    gw.rank(game.after("στομα YBYBB"), out="old.h5")
    opened = gw.open_results("old.h5")
    assert opened["ΛΟΓΟΣ"]["opener"] == opened["λογος"]["opener"] == "λογος"
    invoke(["report", "old.h5", "--out", "old.html", "--quiet"])
    assert "λογος" in (tmp_path / "old.html").read_text("utf-8")
    assert str(opened.position.history).split()[0] == "στομα"


# Lists of any script, from the words of a file to what is shown of them

SCRIPTS = {
    "Latin": ("aàâåçeéèêëiïnñoôöuùûüyÿzžœæøð", "AÀÂÅÇEÉÈÊËIÏNÑOÔÖUÙÛÜYŸZŽŒÆØÐ"),
    "German": ("aäbeghimnoörsßtuü", "AÄBEGHIMNOÖRSẞTUÜ"),
    "Greek": ("αάβγδεέζηήθιίϊκλμνξοόπρσςτυύφχψωώ", "ΑΆΒΓΔΕΈΖΗΉΘΙΊΪΚΛΜΝΞΟΌΠΡΣΣΤΥΎΦΧΨΩΏ"),
    "Cyrillic": ("абвгґдеёжзиіїйклмнопрстуўфхцчшщъыьэюя", "АБВГҐДЕЁЖЗИІЇЙКЛМНОПРСТУЎФХЦЧШЩЪЫЬЭЮЯ"),
    "Turkish": ("abcçdefgğhıijklmnoöprsştuüvyz", "ABCÇDEFGĞHıİJKLMNOÖPRSŞTUÜVYZ"),
    "Hebrew": ("אבגדהוזחטיכךלמםנןסעפףצץקרשת", ""),
    "Arabic": ("ءآأؤإئابةتثجحخدذرزسشصضطظعغفقكلمنهويى", ""),
    "Devanagari": ("अआइईउऊऋएऐओऔकखगघचछजझटठडढणतथदधननपफबभमयरऱलळवशषसह", ""),
    "Bengali": ("অআইঈউঊঋএঐওঔকখগঘঙচছজঝঞটঠডঢণতথদধনপফবভমযরলশষসহ", ""),
    "Thai": ("กขคฆงจฉชซญฎฏฐฑฒณดตถทธนบปผฝพฟภมยรลวศษสหฬอฮ", ""),
    "Korean": ("가각나날다달라마말바반사산아안자장하한추울불러포경만개", ""),
    "Korean jamo": (
        "\u1100\u1102\u1103\u1105\u1106\u1107\u1109\u110b\u110c\u1161\u1165\u1169\u116e"
        "\u1173\u1175\u11a8\u11ab\u11af\u11b7\u11bc",
        "",
    ),
    "kana": ("あいうえおかがきぎくぐはばぱひびぴやゆよんアイウカガハバパヴッャー", ""),
    "Georgian": ("აბგდევზთიკლმნოპჟრსტუფქღყშჩცძწჭხჯჰ", "ᲐᲑᲒᲓᲔᲕᲖᲗᲘᲙᲚᲛᲜᲝᲞᲟᲠᲡᲢᲣᲤᲥᲦᲧᲨᲩᲪᲫᲬᲭᲮᲯᲰ"),
    "Armenian": (
        "աբգդեզէըթժիլխծկհձղճմյնշոչպջռսվտրցւփքօֆև",
        "ԱԲԳԴԵԶԷԸԹԺԻԼԽԾԿՀՁՂՃՄՅՆՇՈՉՊՋՌՍՎՏՐՑՒՓՔՕՖև",
    ),
}
"""Small letters by script, and the capital of each where there are any, by hand.

A letter without a capital that is read as it again stands for itself.
"""


@st.composite
def written_lists(draw):
    """Words as they are to be read, and a way to write each of them in any case and form."""
    script = draw(st.sampled_from(sorted(SCRIPTS)))
    small, large = SCRIPTS[script]
    capital = dict(zip(small, large, strict=True)) if large else {}
    some = draw(st.lists(st.sampled_from(small), min_size=6, max_size=6, unique=True))
    length = draw(st.integers(2, 5))
    word = st.text(st.sampled_from(some), min_size=length, max_size=length)
    words = draw(st.sets(word.map(lambda text: text.replace("ς", "σ")), min_size=1, max_size=12))
    # Words of syllables are others than words of jamo, so these are not taken apart.
    forms = ["NFC"] if script == "Korean" else [None] if "jamo" in script else ["NFC", "NFD"]

    def write(word):
        is_large = draw(st.lists(st.booleans(), min_size=len(word), max_size=len(word)))
        signs = [capital.get(c, c) if flag else c for c, flag in zip(word, is_large, strict=True)]
        if signs[-1] == "σ" and draw(st.booleans()):
            signs[-1] = "ς"
        form = draw(st.sampled_from(forms))
        return "".join(signs) if form is None else unicodedata.normalize(form, "".join(signs))

    return sorted(words), write, draw


@pytest.mark.slow
@given(written_lists())
@settings(
    max_examples=12 * MORE,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
def test_a_list_of_any_script_is_read_as_it_is_meant_and_as_it_is_shown(run, tmp_path, lists):
    words, write, draw = lists
    assume(not any(set(word) <= set("bgxy") for word in words))  # they can be read as colours

    def told(verb, *arguments):
        return run(verb, [write(word) for word in words], *arguments)

    guess, answer = (draw(st.sampled_from(words)) for _ in range(2))
    (row,) = rows_of(told("analyse", write(guess), "--answer", write(answer), "--json"))
    assert (row["guess"], row["pattern"]) == (guess, naive.feedback(guess, answer))
    rows = rows_of(told("rank", "--exact", "0", "--json"))
    assert sorted(row["opener"] for row in rows) == words
    table = told("rank", "--exact", "0", "--top", "0").splitlines()
    heads = [line.split()[0] for line in table if line.strip()][-len(words) :]
    assert sorted(normalise(head) for head in heads) == words
    shown = told("spectrum", write(guess)).split(":")[0]
    assert told("spectrum", shown).split(":")[0] == shown
    for name in ("tree.txt", "tree.json"):
        told("solve", write(guess), "--tree", name, "--max-guesses", "0")
        text = (tmp_path / name).read_text("utf-8")
        opener = json.loads(text)["guess"] if name.endswith(".json") else text.split()[0]
        assert opener == guess
        checked = json.loads(told("verify", name, "--max-guesses", "0", "--json"))
        assert checked["answers"] == len(words)
    if draw(st.integers(0, 4)) == 0:
        told("serve", "--export", "site")
        for path in (tmp_path / "site/data").glob("words*.json"):
            assert sorted(json.loads(path.read_text("utf-8"))["guesses"]) == words
        shutil.rmtree(tmp_path / "site")
