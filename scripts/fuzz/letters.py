"""Lists in many scripts: written in any case and form, read, shown, and read again as shown."""

from __future__ import annotations

import json
import random
import unicodedata
from pathlib import Path
from typing import Any

from scripts.fuzz.child import COMPILING_LIMIT_S, call
from scripts.fuzz.game import colours

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

ONE_LETTER = str.maketrans("ς", "σ")
SPELLINGS = 5
"""Ways to write a word: in small letters, capitals, as a title, by chance, and as it is."""


def written(word: str, script: str, chance: random.Random) -> str:
    """A word of small letters in some case, composed or taken apart."""
    small, large = SCRIPTS[script]
    capital = dict(zip(small, large, strict=True)) if large else {}
    how = chance.randrange(SPELLINGS)
    is_large = [how == 1 or (how == 2 and not i) or (how == 3 and chance.random() < 0.5)
                for i in range(len(word))]  # fmt: skip
    spelled = "".join(
        capital.get(c, c) if large else c for c, large in zip(word, is_large, strict=True)
    )
    if script == "Greek" and chance.random() < 0.5 and spelled.endswith("σ"):
        spelled = spelled[:-1] + "ς"
    if script.startswith("Korean"):
        return spelled  # words of syllables are others than words of jamo
    return unicodedata.normalize(chance.choice(["NFC", "NFD"]), spelled)


def words_of(script: str, chance: random.Random) -> list[str]:
    """Distinct words of one length, as they are read."""
    letters = chance.sample(SCRIPTS[script][0], 6)
    length = chance.randint(2, 5)
    drawn = {"".join(chance.choices(letters, k=length)).translate(ONE_LETTER) for _ in range(12)}
    return sorted(drawn)


def try_letters(
    chance: random.Random, folder: Path, shelf: Path, kinds: list[str]
) -> tuple[str, str, str]:
    """Write a list, have it read and shown, and read what was shown.

    Returns the script, what became of it, and what is wrong, if anything is.
    """
    script = chance.choice([name for name in SCRIPTS if any(part in name for part in kinds)])
    words = words_of(script, chance)
    fault = _round_trips(words, script, folder, shelf, chance)
    return script, "the same words", f"{script} {words}: {fault}" if fault else ""


class WrongError(Exception):
    """What is wrong with what a command did."""


def _round_trips(
    words: list[str], script: str, folder: Path, shelf: Path, chance: random.Random
) -> str:
    def run(verb: str, *arguments: str) -> str:
        """What a verb prints, of the list written anew."""
        lines = [written(word, script, chance) for word in words]
        (folder / "words.txt").write_text("\n".join(lines), encoding="utf-8")
        line = [verb, *arguments, "--guesses", "words.txt", "--quiet"]
        cache = {"GPU_WORDLE_CACHE": str(shelf / "letters")}
        done = call(line, folder, cache, COMPILING_LIMIT_S)  # an export on a busy machine
        if fault := done.fault(allowed=(0,)):
            raise WrongError(f"{line}: {fault}")
        return done.out

    def check(said: object, true: object) -> None:
        if said != true:
            raise WrongError(f"says {said!r}, is {true!r}")

    guess, answer = chance.choice(words), chance.choice(words)
    turn = [written(word, script, chance) for word in (guess, answer)]
    try:
        (row,) = json.loads(run("analyse", turn[0], "--answer", turn[1], "--json"))["rows"]
        check((row["guess"], row["pattern"]), (guess, colours(guess, answer)))
        rows = json.loads(run("rank", "--exact", "0", "--json"))["rows"]
        check(sorted(row["opener"] for row in rows), words)
        table = run("rank", "--exact", "0", "--top", "0").splitlines()
        heads = [line.split()[0] for line in table if line.strip()][-len(words) :]
        check(sorted(heads), words)
        shown = run("spectrum", turn[0]).split(":")[0]
        check(run("spectrum", shown).split(":")[0], shown)
        for name in ("tree.txt", "tree.json"):
            run("solve", turn[0], "--tree", name, "--max-guesses", "0")
            said = json.loads(run("verify", name, "--max-guesses", "0", "--json"))
            check(_openers(folder / name), guess)
            check(said["answers"], len(words))
        if chance.random() < 0.2:
            _check_page(run, folder, words, check)
    except WrongError as failure:
        return str(failure)
    return ""


def _openers(path: Path) -> str:
    """The opener of a tree."""
    text = path.read_text("utf-8")
    return str(json.loads(text)["guess"]) if path.suffix == ".json" else text.split()[0]


def _check_page(run: Any, folder: Path, words: list[str], check: Any) -> None:
    """What the page is told."""
    run("serve", "--export", "site")
    for path in (folder / "site/data").glob("words*.json"):
        told = json.loads(path.read_text("utf-8"))
        check(sorted(told["guesses"]), words)
