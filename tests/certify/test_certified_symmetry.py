"""Symmetries in certificates: one opener stands for its orbit, and what is none is refused."""

import random

import pytest

from gpu_wordle.certify.making import certify, few
from gpu_wordle.game import games
from gpu_wordle.game.forms import Forms
from gpu_wordle.game.rule import Rule
from support.certificate_edits import edited, falsehoods, find
from support.checkers import SANITIZERS, Checkers, compiled
from support.found import pool_of, proved
from support.naive_certificates import PRICES, Certified, symmetric_game


@pytest.fixture(scope="module")
def checkers(tmp_path_factory):
    """Both of them; the one in C ends at the first error of memory or arithmetic."""
    folder = tmp_path_factory.mktemp("certificates")
    return Checkers(compiled(folder, *SANITIZERS))


def with_symmetries(lines, symmetries):
    """The lines with other symmetries, each one line."""
    found = [f"symmetries {len(symmetries)}", *symmetries] if symmetries else []
    return [*lines[: find(lines, "symmetries")], *found, *lines[find(lines, "opener") :]]


def raised(lines, name):
    """The lines with the last number of one of them raised."""
    *words, number = lines[find(lines, name)].split()
    line = " ".join([*words, str(int(number) + 1)])
    return [*lines[: find(lines, name)], line, *lines[find(lines, name) + 1 :]]


GAMES = [
    ("normal", "letters"),
    ("normal", "pegs"),
    ("candidates", "letters"),
    ("candidates", "pegs"),
]


@pytest.mark.parametrize("prices", PRICES)
@pytest.mark.parametrize(("rule", "feedback"), GAMES)
def test_openers_stand_for_their_orbits(checkers, capsys, rule, feedback, prices):
    turns, then = PRICES[prices]
    for seed in range(2):
        game, symmetries = symmetric_game(
            seed, rule=rule, prices=turns, then=then, feedback=feedback, weighted=seed % 2 == 0
        )
        for opener in None, game.guesses[0], game.guesses[-1]:
            lines = game.certificate(opener, symmetries)
            assert falsehoods("\n".join(lines).encode(), game) == []
            assert checkers.verdict(game, lines, capsys) is not None
            for name in "opener", "others":
                if lines[find(lines, name)].split()[-1].isdigit():
                    assert checkers.verdict(game, raised(lines, name), capsys) is None


LIKE = Certified(
    ["bat", "cat", "fat", "hat", "mat", "rat", *(f"{x}{y}z" for x, y in ("bc", "fh", "mr"))],
    ["bat", "cat", "fat", "hat", "mat", "rat"],
    weights=(1, 1, 1, 1, 2, 2),
)
"""Rhymes, and guesses of two of their letters each, which tell them apart."""
PAIRS_SWAPPED = "fat hat bat cat mat rat fhz bcz mrz"
"""The only symmetry of that game: b for f and c for h; m and r weigh more."""


def test_without_symmetries_the_same_ledger_is_too_small(checkers, capsys):
    """Seven rhymes: each permutation of them is a symmetry, and one ply does not see far enough."""
    words = [letter + "at" for letter in "bcfhmpr"]
    game = Certified(words, words)
    turned = [*words[1:], words[0]]
    lines = game.certificate("bat", [turned])
    assert checkers.verdict(game, lines, capsys) is not None
    assert checkers.verdict(game, with_symmetries(lines, []), capsys) is None
    one_pair = " ".join([words[1], words[0], *words[2:]])
    assert checkers.verdict(game, with_symmetries(lines, [one_pair]), capsys) is None


def test_the_opener_is_held_to_what_is_claimed_of_its_images(checkers, capsys):
    """Less is claimed of it than of the others, for which it stands."""
    words = [letter + "at" for letter in "bcfhmpr"]
    game = Certified(words, words)
    lines = game.certificate("bat", [[*words[1:], words[0]]])
    cost = game.guess_cost(game.start(), "bat")
    less = [*lines[: find(lines, "opener")], "opener bat 7", *lines[find(lines, "opener") + 1 :]]
    assert f"others {cost}" in less
    assert checkers.verdict(game, less, capsys) is not None
    assert checkers.verdict(game, raised(less, "others"), capsys) is None


def forgeries():
    """Lies about symmetries, by name: the lines of a certificate."""
    true, words = PAIRS_SWAPPED, PAIRS_SWAPPED.split()
    lines = LIKE.certificate("bcz", [words])

    def instead(*symmetries):
        return with_symmetries(lines, symmetries)

    yield "a guess twice", instead(" ".join(["bat", "bat", *words[2:]]))
    yield "a guess too few", instead(" ".join(words[:-1]))
    yield "a guess too many", instead(" ".join([*words, "bat"]))
    yield "no guess", instead(" ".join([*words[:-1], "xyz"]))
    yield "other feedback", instead(" ".join(["cat", "bat", *LIKE.guesses[2:]]))
    yield "an answer to none", instead(" ".join(["bcz", *LIKE.guesses[1:6], "bat", "fhz", "mrz"]))
    yield "other weights", instead("mat rat fat hat bat cat mrz fhz bcz")
    yield "an order within guesses", instead(" ".join([*LIKE.guesses[:6], "fhz", "bcz", "mrz"]))
    yield "true and false", instead(true, " ".join(["cat", "bat", *LIKE.guesses[2:]]))
    place = find(lines, "symmetries")
    yield "one too few", [*lines[: place + 1], *lines[place + 2 :]]
    yield "one that is not counted", [*lines[: place + 1], true, *lines[place + 1 :]]
    for count in "-1", "01", "2.0", "infeasible", "many", "1 1":
        yield f"{count} symmetries", [*lines[:place], f"symmetries {count}", *lines[place + 1 :]]
    yield "no number", [*lines[:place], "symmetries", *lines[place + 1 :]]
    rest = [*lines[:place], *lines[place + 2 :]]
    yield "after the opener", [*rest[: place + 1], *lines[place : place + 2], *rest[place + 1 :]]
    yield "twice", [*lines[: place + 2], *lines[place:]]
    rule = find(lines, "rule")
    for name in "hard", "ultra-hard":
        yield f"under the rule {name}", [*lines[:rule], f"rule {name}", *lines[rule + 1 :]]


FORGERIES = dict(forgeries())


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forged_symmetry_is_refused(checkers, capsys, name):
    assert checkers.verdict(LIKE, FORGERIES[name], capsys) is None


def test_what_the_forgeries_are_made_of_holds(checkers, capsys):
    """So that each is refused for its lie."""
    lines = LIKE.certificate("bcz", [PAIRS_SWAPPED.split()])
    for others in [], [PAIRS_SWAPPED], [" ".join(LIKE.guesses)]:
        changed = with_symmetries(lines, [*others, PAIRS_SWAPPED])
        assert checkers.verdict(LIKE, changed, capsys) is not None


@pytest.mark.parametrize("seed", range(6))
def test_what_is_accepted_after_an_edit_is_true(checkers, capsys, seed):
    rng = random.Random(seed)
    rule, feedback = rng.choice(GAMES)
    prices, then = rng.choice([*PRICES.values()])
    game, symmetries = symmetric_game(
        seed, rule=rule, feedback=feedback, prices=prices, then=then, weighted=rng.random() < 0.3
    )
    text = "".join(f"{line}\n" for line in game.certificate(None, symmetries)).encode()
    for _ in range(20):
        changed = edited(text, rng)
        if checkers.verdict(game, changed, capsys) is not None:
            assert falsehoods(changed, game) == []


MADE = {
    "mastermind 2x4": lambda rule: games.mastermind(2, 4, rule=rule),
    "mastermind 3x3": lambda rule: games.mastermind(3, 3, rule=rule),
    "bulls and cows 3x5": lambda rule: games.bulls_and_cows(3, 5, rule=rule),
}


@pytest.mark.parametrize("rule", [Rule.NORMAL, Rule.CANDIDATES])
@pytest.mark.parametrize("name", MADE)
def test_what_is_made_speaks_of_all_openers(checkers, capsys, monkeypatch, name, rule):
    """Where states are not known by their forms, openers still stand for their orbits."""
    monkeypatch.setattr(Forms, "of", lambda game: None)
    game = MADE[name](rule)
    found = proved(game)
    certificate = certify(game, found, pool_of)
    lines = certificate.to_text().splitlines()
    words = game.words.guesses.words
    assert f"others {found.value}" in lines
    assert f"symmetries {len(certificate.symmetries)}" in lines
    naive = Certified(words, words, rule.value, feedback="pegs")
    assert checkers.verdict(naive, lines, capsys) is not None
    assert checkers.verdict(naive, raised(lines, "others"), capsys) is None


@pytest.mark.parametrize("name", MADE)
def test_a_few_symmetries_have_all_orbits(name):
    symmetry = MADE[name](Rule.NORMAL).symmetry
    chosen = few(symmetry)
    assert 1 <= len(chosen) <= 3
    assert len(chosen) < len(symmetry.generators) or len(symmetry.generators) <= 3
    merged = type(symmetry)(chosen)
    assert (merged.orbits == symmetry.orbits).all()
