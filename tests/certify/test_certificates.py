"""Certificates: the checkers accept what is true, and refuse what is forged."""

import itertools
import random
import shutil

import numpy as np
import pytest

from support.certificate_edits import edited, entries_of, falsehoods, find, some_game, with_entries
from support.certificate_forgeries import AROUND, SPELLINGS, certificates, forged
from support.checkers import FOLDER, NARROW, SANITIZERS, Checkers, compiled, in_python
from support.naive_certificates import PRICES, Certified, random_game, sha256
from support.seeds import MORE

RULES = ["normal", "candidates", "hard", "ultra-hard"]
GAMES = [(rule, "letters") for rule in RULES] + [(rule, "pegs") for rule in RULES[:2]]


@pytest.fixture(scope="module")
def checkers(tmp_path_factory):
    """All of them; those in C count in few bits as well."""
    folder = tmp_path_factory.mktemp("certificates")
    return Checkers(compiled(folder, narrow=NARROW))


@pytest.fixture(scope="module")
def careful(tmp_path_factory, checkers):
    """The same; those in C that count in 64 bits end at the first error of memory or arithmetic."""
    folder = tmp_path_factory.mktemp("careful")
    for narrow in NARROW:
        shutil.copytree(checkers.folder / narrow, folder / narrow)
    return Checkers(compiled(folder, *SANITIZERS))


def changed(lines, at, old, new):
    """The lines with one of them changed."""
    assert old in lines[at]
    return [*lines[:at], lines[at].replace(old, new, 1), *lines[at + 1 :]]


def raised(lines, at, by=1):
    """The lines with the first number of one of them raised; None if there is none to raise."""
    words = lines[at].split()
    for i, word in enumerate(words):
        if word.isdigit():
            words[i] = str(int(word) + by)
            return [*lines[:at], " ".join(words), *lines[at + 1 :]]
    return None


@pytest.mark.parametrize("prices", PRICES)
@pytest.mark.parametrize(("rule", "feedback"), GAMES)
def test_what_is_true_is_accepted_and_nothing_more(checkers, capsys, rule, feedback, prices):
    for weighted in False, True:
        seed = GAMES.index((rule, feedback)) + 10 * weighted
        turns, then = PRICES[prices]
        game = random_game(
            seed, rule=rule, prices=turns, then=then, feedback=feedback, weighted=weighted
        )
        for opener in None, game.guesses[seed % len(game.guesses)]:
            lines = game.certificate(opener)
            theorem = checkers.verdict(game, lines, capsys)
            assert theorem is not None
            assert theorem.startswith("Proved of the game with\n" + "\n".join(lines[1:7]))
            for name in "opener", "others", "strategy":
                too_much = raised(lines, find(lines, name))
                if too_much is not None:
                    assert checkers.verdict(game, too_much, capsys) is None


@pytest.mark.parametrize("seed", range(8))
def test_both_agree_on_what_a_ledger_proves(checkers, capsys, seed):
    """Entries are left out, lowered, raised, or given by their answers."""
    rng = random.Random(seed)
    game = some_game(rng)
    lines = game.certificate()
    for _ in range(10):
        entries = []
        for entry in entries_of(lines):
            bound, _, *path, last = entry.split()
            if rng.random() < 0.1:
                continue
            if bound.isdigit() and rng.random() < 0.1:
                bound = str(max(0, int(bound) + rng.choice([-2, -1, 1])))
            alike = [
                answer
                for answer in game.answers
                if all(game.seen(g, answer) == game.seen(g, last) for g in path)
            ]
            as_set = ["set", str(len(path)), *rng.sample(alike, len(alike))]
            entries.append(" ".join([bound, *rng.choice([as_set, ["path", *path, last]])]))
        changed = with_entries(lines, entries)
        if checkers.verdict(game, changed, capsys) is not None:
            assert falsehoods("\n".join(changed).encode(), game) == []


@pytest.mark.parametrize("seed", range(7 * MORE))
def test_what_is_accepted_after_an_edit_is_true(careful, capsys, seed):
    """From the seventh game on, each second one is a game that the short checkers read."""
    rng = random.Random(seed)
    game = some_game(rng) if seed < 6 or seed % 2 else random_game(seed)
    text = "".join(f"{line}\n" for line in game.certificate()).encode()
    for _ in range(20):
        changed = edited(text, rng)
        if careful.verdict(game, changed, capsys) is not None:
            assert falsehoods(changed, game) == []


@pytest.mark.parametrize("seed", range(12))
def test_the_short_checkers_accept_all_of_the_mean_and_nothing_more(careful, capsys, seed):
    game = random_game(seed)
    for opener in None, game.guesses[seed % len(game.guesses)]:
        lines = game.certificate(opener)
        name, cost = lines[7].split()[1:]
        others = lines[8].split()[1]
        rest = f", and every other opener takes at least {others}"
        proved = f"Proved: {name} takes {cost} guesses in all"
        assert careful.verdict_on_mean(game, lines, capsys) == f"{proved}{rest}\n"
        silent = changed(lines, 8, others, "none")
        assert careful.verdict_on_mean(game, silent, capsys) == f"{proved}\n"
        for at in 7, 8, 9:
            assert careful.verdict_on_mean(game, raised(lines, at), capsys) is None
        both = raised(raised(lines, 7), 9)
        assert careful.verdict_on_mean(game, both, capsys) is None
        first = find(lines, "ledger") + 1
        for at in range(first, len(lines) - 1):
            assert careful.verdict_on_mean(game, raised(lines, at), capsys) is None


@pytest.mark.parametrize("kind", ["rule", "weights", "pegs", "prices", "long words", "a set"])
def test_the_short_checkers_refuse_other_kinds(checkers, capsys, kind):
    settings = {
        "rule": {"rule": "hard"},
        "weights": {"weighted": True},
        "pegs": {"feedback": "pegs"},
        "prices": {"prices": (1, 2, 3, 4), "then": "infeasible"},
    }
    game = random_game(4, **settings.get(kind, {}))
    if kind == "long words":
        game = Certified(*([f"abc{word}" for word in x] for x in (game.guesses, game.answers)))
    lines = game.certificate()
    if kind == "a set":
        game, lines = HAND, HAND.certificate()
        bound, _, *path, last = lines[-2].split()
        alike = [
            a for a in game.answers if all(game.seen(g, a) == game.seen(g, last) for g in path)
        ]
        lines[-2] = " ".join([bound, "set", str(len(path)), *alike])
    assert checkers.verdict(game, lines, capsys) is not None
    assert checkers.verdict_on_mean(game, lines, capsys) is None


HAND = Certified(
    ["bat", "cat", "fat", "hat", "mat", "chf", "bfm"], ["bat", "cat", "fat", "hat", "mat"]
)
"""A game in which an opener that is no answer is best."""


def forgeries():
    """Lies of every kind about one game, by name; lines, or the bytes of a file."""
    lines = HAND.certificate()
    ledger, end = find(lines, "ledger"), len(lines) - 1
    text = "".join(f"{line}\n" for line in lines).encode()
    strategy = find(lines, "strategy")
    first = strategy + 1
    largest = (
        ledger
        + 1
        + max(range(end - ledger - 1), key=lambda i: int(lines[ledger + 1 + i].split()[0]))
    )
    yield "other guesses", changed(lines, 1, sha256(HAND.guesses), sha256(HAND.guesses[::-1]))
    yield "other answers", changed(lines, 2, sha256(HAND.answers), sha256(HAND.answers[::-1]))
    yield "another number of guesses", changed(lines, 1, "guesses 7", "guesses 8")
    yield "other feedback", changed(lines, 3, "letters", "letter")
    yield "another rule", changed(lines, 4, "normal", "norm")
    yield "hard pegs", [*lines[:3], "feedback pegs", "rule hard", *lines[5:]]
    yield "falling prices", changed(lines, 5, "prices 1", "prices 2 1")
    yield "no price", changed(lines, 5, "prices 1", "prices")
    yield "dear prices", changed(lines, 5, "prices 1", "prices 1 1099511627776")
    yield "many prices", changed(lines, 5, "prices 1", "prices" + " 1" * 31)
    yield "no weights", changed(lines, 6, "equal", sha256([1] * 5))
    yield "other weights", [*lines[:6], f"weights {sha256([1] * 5)}", *"11112", *lines[7:]]
    yield "weights of nothing", [*lines[:6], f"weights {sha256([0] * 5)}", *"00000", *lines[7:]]
    yield "an opener that is no word", changed(lines, 7, lines[7].split()[1], "xyz")
    yield "an opener without a bound", changed(lines, 7, lines[7].split()[2], "none")
    yield "another opener", changed(lines, 7, lines[7].split()[1], "bat")
    yield "a word that is no word", changed(lines, first, lines[first].split()[0], "xyz")
    yield "another word", changed(lines, first, lines[first].split()[0], "mat")
    yield "a guess more", changed(lines, first, lines[first].split()[0], "hat bfm")
    yield "a line of the strategy left out", [*lines[:first], *lines[first + 1 :]]
    yield "a line of the strategy doubled", [*lines[:first], *lines[first:][:1], *lines[first:]]
    yield "a line instead of another", [*lines[: first + 1], lines[first], *lines[first + 2 :]]
    yield "an answer and then a guess", changed(lines, first, lines[first], lines[first] + " bat")
    yield "a long line", changed(lines, first, lines[first], "chf " * 30 + lines[first])
    yield "an overlong word", changed(lines, first, lines[first], "c" * 100_000)
    for at in range(ledger + 1, end):
        yield f"a bound raised: {lines[at]}", raised(lines, at)
    yield "a bound of 2^40", changed(lines, largest, lines[largest].split()[0], str(1 << 40))
    yield "an infeasible state", changed(lines, largest, lines[largest].split()[0], "infeasible")
    for number in "-1", "+5", "05", "5.0", "5e0", "0x5", str((1 << 40) + 1), "9" * 40, "five":
        yield f"a bound of {number}", changed(lines, largest, lines[largest].split()[0], number)
    yield "neither path nor set", changed(lines, largest, "path", "way")
    yield "a path without a guess", changed(lines, largest, lines[largest].split(" ", 2)[2], "bat")
    yield "a path to no answer", [*lines[:largest], lines[largest] + " chf", *lines[largest + 1 :]]
    yield "a set twice", [*lines[:largest], "1 set 1 bat bat", *lines[largest + 1 :]]
    yield "a set of nothing", [*lines[:largest], "0 set 1", *lines[largest + 1 :]]
    yield "a set before the first turn", [*lines[:largest], "1 set 0 bat", *lines[largest + 1 :]]
    yield "a set far on", [*lines[:largest], "1 set 30 bat", *lines[largest + 1 :]]
    yield "an entry that is not counted", [*lines[:end], lines[end - 1], "end"]
    yield "an entry too few", [*lines[: end - 1], "end"]
    yield "no end", lines[:-1]
    yield "more after the end", [*lines, "end"]
    yield "nothing", b""
    yield "another format", changed(lines, 0, "certificate 1", "certificate 2")
    yield "CRLF", text.replace(b"\n", b"\r\n")
    yield "a NUL byte", text.replace(b"ledger", b"ledger\0")
    yield "a NUL byte at the end", text + b"\0"
    yield "a letter that is not ASCII", text.replace(b"end", "énd".encode())
    yield "a blank at the end of a line", text.replace(b"normal\n", b"normal \n")
    yield "two blanks", text.replace(b"rule normal", b"rule  normal")
    yield "a tab", text.replace(b"rule normal", b"rule\tnormal")
    yield "an empty line", text.replace(b"rule", b"\nrule")
    yield "no line end", text[:-1]
    yield from ((f"cut after {at} bytes", text[:at]) for at in range(1, len(text), 97))


FORGERIES = dict(forgeries())


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forgery_is_refused(careful, capsys, name):
    """By each of the four checkers."""
    assert careful.verdict(HAND, FORGERIES[name], capsys) is None


KINDS = {name: (game, lines) for name, game, lines in certificates()}
SHARE = max(1, 300 // MORE)
"""Of so many forgeries one is tried."""


@pytest.mark.parametrize("kind", KINDS)
def test_a_share_of_the_forgeries_by_rules(careful, capsys, kind):
    """What is accepted is true."""
    game, lines = KINDS[kind]
    assert careful.verdict(game, lines, capsys) is not None
    first = [*KINDS].index(kind) * SHARE // len(KINDS)
    for rule, of, text in itertools.islice(forged(lines, game), first, None, SHARE):
        if careful.verdict(of, text, capsys) is not None:
            assert falsehoods(text, of) == [], rule


@pytest.mark.parametrize("spelling", ["{}", *SPELLINGS, *AROUND])
@pytest.mark.parametrize("number", ["5", str(2**40)])
def test_a_number_has_one_spelling(checkers, capsys, number, spelling):
    """2^40 is spelled infeasible, and less is plain digits."""
    lines = [*HAND.header(), *(f"{name} none" for name in ("opener", "others", "strategy"))]
    lines += ["ledger 0", "end"]
    said = checkers.verdict(HAND, changed(lines, 5, "1 then +1", "1 then infeasible"), capsys)
    assert "prices 1 then infeasible" in said
    as_told = changed(lines, 5, "1 then +1", f"1 then {spelling.format(number)}")
    assert (checkers.verdict(HAND, as_told, capsys) is not None) == (spelling.format(number) == "5")
    mean = HAND.certificate()
    cost = mean[7].split()[2]
    spelled = spelling.format(cost if number == "5" else number)
    for place in 7, 9:
        assert checkers.verdict_on_mean(HAND, mean, capsys) is not None
        otherwise = changed(mean, place, f" {cost}", f" {spelled}")
        assert (checkers.verdict(HAND, otherwise, capsys) is not None) == (spelled == cost)


COUNTING_CALLS = {
    "uint8_t met[COLOURS] = {0};": "static Count met[COLOURS], now; Count stamp = ++now;",
    "sum += met[colours] -": "sum += (met[colours] == stamp) -",
    "met[colours] = 1;": "met[colours] = stamp;",
    'require(bound > s->told, "an entry that tells nothing new, of ", word);': "",
}
"""What made mean.c wrong once: colours are stamped with the number of the call, and entries may
tell nothing new. Where that number wraps to 0, colours never met count as met."""


@pytest.fixture(scope="module")
def faulty(tmp_path_factory):
    """The checker of the mean in C with its old fault, in 64 bits and in few."""
    source = tmp_path_factory.mktemp("faulty") / "mean.c"
    text = (FOLDER / source.name).read_text()
    for mended, wrong in COUNTING_CALLS.items():
        assert text.count(mended) == 1, mended
        text = text.replace(mended, wrong)
    source.write_text(text)
    return Checkers(compiled(source.parent, narrow=NARROW, sources=[source]))


@pytest.mark.parametrize(("build", "ends"), [("int8_t", "g"), ("int16_t", "ghi")])
def test_no_call_is_one_too_many(checkers, faulty, capsys, build, ends):
    """An attack on a checker that counts its calls, with an opener that takes ten guesses.

    Entries of bound 0 make a call for each guess, and mark no colours. The ledger has as many as
    bring the count to 0 at the call for one of the openers, which then takes fifteen guesses.
    """
    bits = 8 if build == "int8_t" else 16
    answers = [f"{letter}qqqq" for letter in "bcdef"]
    openers = [f"{''.join(four)}{end}" for end in ends for four in itertools.permutations("bcde")]
    game = Certified([*openers, *answers], answers)
    least, cost = 2 * len(answers), 3 * len(answers)
    count = 2**bits // len(game.guesses)
    proved = []
    for opener, other in zip(openers, [*openers[1:], openers[0]], strict=True):
        assert game.guess_cost(game.start(), opener) == least
        lines = [*game.header(), f"opener {opener} {cost}", "others none", f"strategy {cost}"]
        lines += [f"{opener} {other} {answer}" for answer in answers]
        lines += [f"ledger {count}", *[f"0 path {other} {answers[0]}"] * count, "end"]
        files = checkers.files(game, "".join(f"{line}\n" for line in lines).encode())
        assert not checkers.by_c("mean", files)[0]
        assert not checkers.by_c(f"{build}/mean", files)[0]
        if faulty.by_c(f"{build}/mean", files)[0]:
            assert not faulty.by_c("mean", files)[0]  # its count is far from wrapping
            proved += [opener]
    assert len(proved) == 1
    lines = [*game.header(), f"opener {opener} {least}", "others none", f"strategy {least}"]
    lines += [*(f"{opener} {answer}" for answer in answers), "ledger 0", "end"]
    assert checkers.verdict_on_mean(game, lines, capsys) is not None


@pytest.mark.parametrize("build", NARROW)
def test_those_that_count_in_few_bits_say_what_is_too_large(checkers, build):
    worst, words = (
        KINDS["worst case"],
        ["".join(x) for x in itertools.product("abcdefghijk", repeat=3)],
    )
    many = Certified(words[: 40 if build == "int8_t" else 1100], words[:2])
    claims = ["opener none", "others none", "strategy none", "ledger 0", "end"]
    for name, (game, lines), accepted in (
        ("mean", KINDS["mean"], True),
        ("check", worst, True),
        ("mean", (many, [*many.header(), *claims]), False),
        ("check", (many, [*many.header(), *claims]), False),
    ):
        text = "".join(f"{line}\n" for line in lines).encode()
        found = checkers.by_c(f"{build}/{name}", checkers.files(game, text))
        assert found[0] == accepted
        assert accepted or "too large" in found[1]


def test_a_guess_that_tells_nothing_leads_to_all_answers(checkers, capsys):
    """Their state is an entry like others, of which such a guess may be left out."""
    words = [letter + "at" for letter in "bcfhmpr"]
    game = Certified([*words, "xyz"], words)
    lines = game.certificate()
    assert any(entry.split()[2:] == ["xyz", words[0]] for entry in entries_of(lines))
    assert checkers.verdict(game, lines, capsys) is not None
    assert checkers.verdict_on_mean(game, lines, capsys) is not None


@pytest.mark.parametrize("kind", ["mean", "hard", "worst case", "weights", "renamings"])
def test_an_entry_tells_something_new(checkers, capsys, kind):
    game, lines = KINDS[kind]
    entries = entries_of(lines)
    bound, rest = entries[-1].split(" ", 1)
    for forgery in (
        [f"0 {rest}", *entries],
        [f"1 path {game.guesses[0]} {game.answers[0]}", *entries],
        [*entries, entries[-1]],
        [*entries, f"{int(bound) - 1} {rest}"],
    ):
        assert checkers.verdict(game, with_entries(lines, forgery), capsys) is None
        assert checkers.verdict_on_mean(game, with_entries(lines, forgery), capsys) is None


def test_a_state_that_is_needed_cannot_be_left_out(checkers, capsys):
    """Words that no guess tells apart: each guess removes one, and one ply does not see so far."""
    words = [letter + "at" for letter in "bcfhmpr"]
    game = Certified(words, words)
    lines = game.certificate()
    assert "Every other" not in checkers.verdict(game, lines, capsys)
    entries = entries_of(lines)
    assert checkers.verdict(game, with_entries(lines, []), capsys) is None
    largest = max(entries, key=lambda entry: int(entry.split()[0]))
    left = [entry for entry in entries if entry.split()[0] != largest.split()[0]]
    assert checkers.verdict(game, with_entries(lines, left), capsys) is None
    assert checkers.verdict(game, with_entries(lines, entries[::-1]), capsys) is None


@pytest.mark.parametrize(
    ("price", "accepted"), [(2**40 - 2, False), (2**40 - 81, False), (5, True)]
)
def test_no_price_of_a_late_turn_is_infinite(checkers, capsys, price, accepted):
    """An entry may be of turn 29, so that what turns beyond it cost is charged, too."""
    game = Certified(["ab", "cd"], ["ab"])
    lines = [
        "gpu_wordle certificate 1",
        *(f"{name} {len(words)} {sha256(words)}" for name, words in vars(game).items()
          if name in ("guesses", "answers")),
        *("feedback letters", "rule normal", f"prices {price} then +1", "weights equal"),
        *("opener cd 1", "others none", f"strategy {price + 1}", "cd ab"),
        *("ledger 0", "end"),
    ]  # fmt: skip
    assert (checkers.verdict(game, lines, capsys) is not None) == accepted


def test_entries_count_for_more_answers(checkers, capsys):
    """Lemma 5: what five of six words cost bounds what all six do, so fewer entries are needed."""
    words = [letter + "at" for letter in "bcfhmp"]
    game = Certified(words, words)
    lines = game.certificate()
    entries = [f"{n * (n + 1) // 2} set 1 {' '.join(words[:n])}" for n in range(3, 6)]
    assert checkers.verdict(game, with_entries(lines, entries), capsys) is None
    by_one = [
        f"{n * (n + 1) // 2} set 1 {' '.join(each)}"
        for n in range(3, 6)
        for each in itertools.combinations(words, n)
    ]
    assert checkers.verdict(game, with_entries(lines, by_one), capsys) is not None


def test_ranks_by_counting_are_those_by_sorting():
    module = in_python()
    rows = np.random.default_rng(1).integers(0, 5, (40, 12)).astype(np.uint16)
    assert (module.ranks_by_counting(rows) == module.ranks_by_sorting(rows)).all()
