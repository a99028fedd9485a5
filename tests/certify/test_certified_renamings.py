"""Renamings in certificates: one state stands for all of its form, and no more than is true."""

import random

import numpy as np
import pytest

from gpu_wordle.certify.making import certify
from gpu_wordle.game import games
from gpu_wordle.game.forms import Forms
from gpu_wordle.game.rule import Rule
from support.certificate_edits import edited, entries_of, falsehoods, find, with_entries
from support.checkers import SANITIZERS, Checkers, compiled
from support.found import pool_of, proved
from support.naive_certificates import PRICES, Certified, renamed_game

RULES = ["normal", "candidates"]


@pytest.fixture(scope="module")
def checkers(tmp_path_factory):
    """Both of them; the one in C ends at the first error of memory or arithmetic."""
    folder = tmp_path_factory.mktemp("certificates")
    return Checkers(compiled(folder, *SANITIZERS))


def raised(lines, place):
    """The lines with the first number of one of them raised; None if there is none."""
    words = lines[place].split()
    numbers = [i for i, word in enumerate(words) if word.isdigit()]
    if not numbers:
        return None
    words[numbers[0]] = str(int(words[numbers[0]]) + 1)
    return [*lines[:place], " ".join(words), *lines[place + 1 :]]


@pytest.mark.parametrize("prices", PRICES)
@pytest.mark.parametrize("rule", RULES)
def test_a_state_stands_for_its_form_and_nothing_more(checkers, capsys, rule, prices):
    turns, then = PRICES[prices]
    for seed in range(4):
        game = renamed_game(seed, rule=rule, prices=turns, then=then, weighted=seed % 2 == 0)
        for opener in None, game.guesses[-1]:
            lines = game.certificate(opener, by_form=True)
            assert falsehoods("\n".join(lines).encode(), game) == []
            assert checkers.verdict(game, lines, capsys) is not None
            claims = [find(lines, name) for name in ("opener", "others", "strategy")]
            entries = range(find(lines, "ledger") + 1, len(lines) - 1)
            for place in [*claims, *random.Random(seed).sample(entries, min(3, len(entries)))]:
                too_much = raised(lines, place)
                if too_much is not None:
                    assert checkers.verdict(game, too_much, capsys) is None


@pytest.mark.parametrize("seed", range(8))
def test_both_agree_on_what_a_ledger_proves(checkers, capsys, seed):
    """Entries are left out, lowered, raised, renamed, or given by their answers."""
    rng = random.Random(seed)
    game = renamed_game(seed, rule=rng.choice(RULES), weighted=rng.random() < 0.3)
    lines = game.certificate(by_form=True)
    for _ in range(8):
        entries = []
        for entry in entries_of(lines):
            bound, _, *path, last = entry.split()
            if rng.random() < 0.1:
                continue
            if rng.random() < 0.1:
                bound = str(max(0, int(bound) + rng.choice([-2, -1, 1])))
            for exchange in rng.choices(game.exchanges(), k=5):
                image = dict(zip(game.guesses, exchange, strict=True))
                *path, last = (image[word] for word in (*path, last))
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


@pytest.mark.parametrize("seed", range(6))
def test_what_is_accepted_after_an_edit_is_true(checkers, capsys, seed):
    rng = random.Random(seed)
    prices, then = rng.choice([*PRICES.values()])
    game = renamed_game(seed, rule=rng.choice(RULES), prices=prices, then=then)
    text = "".join(f"{line}\n" for line in game.certificate(by_form=True)).encode()
    for _ in range(20):
        changed = edited(text, rng)
        if checkers.verdict(game, changed, capsys) is not None:
            assert falsehoods(changed, game) == []


PAIRS = [a + b for a in "abcde" for b in "abcde" if a != b]
DOUBLES = [2 * a for a in "abcdefg"]
"""No guess tells these apart: each removes one, and one ply does not see far enough."""


def test_a_set_without_a_path_has_all_guesses_looked_at(checkers, capsys):
    """A renaming that keeps no guess keeps no state: it passes over nothing there."""
    game = Certified(PAIRS, PAIRS, feedback="pegs")
    lines = game.certificate(by_form=True)
    entry = "100 set 1 cd ce dc"  # which ab, the least word of all, leaves together
    changed = with_entries(lines, [*entries_of(lines), entry])
    assert checkers.verdict(game, lines, capsys) is not None
    assert checkers.verdict(game, changed, capsys) is None


def test_without_renamings_the_same_ledger_is_too_small(checkers, capsys):
    game = Certified(DOUBLES, DOUBLES, feedback="pegs")
    lines = game.certificate(by_form=True)
    assert len(lines) < len(game.certificate()) - 50
    assert checkers.verdict(game, lines, capsys) is not None
    place = find(lines, "symmetries")
    assert checkers.verdict(game, [*lines[:place], *lines[place + 1 :]], capsys) is None
    assert checkers.verdict(game, with_entries(lines, []), capsys) is None


def forgeries():
    """Games in which not all renamings are symmetries, by what is wrong."""
    yield "an answer too few", Certified(PAIRS, PAIRS[:-1], feedback="pegs")
    yield "a guess too few", Certified(PAIRS[:-1], PAIRS[:3], feedback="pegs")
    yield "another weight", Certified(PAIRS, PAIRS, weights=(*[1] * 19, 2), feedback="pegs")
    yield "another order of the guesses", Certified(PAIRS[::-1], PAIRS, feedback="pegs")
    yield "letters", Certified(PAIRS, PAIRS)
    yield "a place of its own", Certified(["aa", "ab", "bb"], ["aa", "bb"], feedback="pegs")


@pytest.mark.parametrize("name", dict(forgeries()))
def test_what_is_no_symmetry_is_refused(checkers, capsys, name):
    game = dict(forgeries())[name]
    lines = game.certificate()
    assert checkers.verdict(game, lines, capsys) is not None
    place = find(lines, "opener")
    changed = [*lines[:place], "symmetries all", *lines[place:]]
    assert checkers.verdict(game, changed, capsys) is None


def test_words_of_many_places_are_refused(checkers, capsys):
    """Their places have too many orders."""
    words = ["a" * 7, "b" * 7]
    game = Certified(words, words, feedback="pegs")
    lines = game.certificate()
    place = find(lines, "opener")
    assert checkers.verdict(game, lines, capsys) is not None
    changed = [*lines[:place], "symmetries all", *lines[place:]]
    assert checkers.verdict(game, changed, capsys) is None
    short = Certified(["aa", "bb"], ["aa", "bb"], feedback="pegs")
    lines = short.certificate()
    place = find(lines, "opener")
    for said in "every", "all all", "ALL":
        changed = [*lines[:place], f"symmetries {said}", *lines[place:]]
        assert checkers.verdict(short, changed, capsys) is None
    changed = [*lines[:place], "symmetries all", *lines[place:]]
    assert checkers.verdict(short, changed, capsys) is not None


MADE = {
    "mastermind 2x4": lambda rule: games.mastermind(2, 4, rule=rule),
    "mastermind 3x3": lambda rule: games.mastermind(3, 3, rule=rule),
    "bulls and cows 3x5": lambda rule: games.bulls_and_cows(3, 5, rule=rule),
}


@pytest.mark.parametrize("rule", [Rule.NORMAL, Rule.CANDIDATES])
@pytest.mark.parametrize("name", MADE)
def test_what_is_made_speaks_of_all_openers(checkers, capsys, name, rule):
    game = MADE[name](rule)
    found = proved(game)
    lines = certify(game, found, pool_of).to_text().splitlines()
    words = game.words.guesses.words
    assert f"others {found.value}" in lines
    assert "symmetries all" in lines
    naive = Certified(words, words, rule.value, feedback="pegs")
    assert checkers.verdict(naive, lines, capsys) is not None
    assert checkers.verdict(naive, raised(lines, find(lines, "others")), capsys) is None


@pytest.mark.parametrize("name", MADE)
def test_forms_are_those_of_the_format(name):
    game = MADE[name](Rule.NORMAL)
    words, rng = game.words.guesses.words, random.Random(1)
    naive = Certified(words, words, feedback="pegs")
    symbols = sorted(set("".join(words)))
    forms = Forms.of(game)
    for _ in range(30):
        chosen = sorted(rng.sample(range(len(words)), rng.randint(1, 8)))
        key = np.frombuffer(forms.key(np.array(chosen, np.uint16)), ">u8").tolist()
        packed = [
            sum(symbols.index(s) << 8 * i for i, s in enumerate(reversed(word)))
            for word in naive.form(tuple(words[a] for a in chosen))
        ]
        assert key == packed


def test_no_forms_where_renamings_are_no_symmetries():
    assert Forms.of(games.mastermind(7, 2)) is None
    words = games.mastermind(2, 3).words.guesses.words
    feedback = [[a == b for a in words] for b in words]
    assert Forms.of(games.from_feedback(words, words, np.array(feedback, int), 1)) is None
