"""``verify`` replays certificates of the mean by every backend, and refuses what is forged."""

import itertools
import json
import random

import pytest

from gpu_wordle.backends import choose
from gpu_wordle.backends.cuda.backend import CudaBackend
from gpu_wordle.certify.reading import read_certificate
from gpu_wordle.certify.replaying import replay
from gpu_wordle.errors import UserError
from gpu_wordle.game.objective import Objective
from gpu_wordle.verify import VerificationError
from support.certificate_edits import edited, entries_of, falsehoods, find, with_entries
from support.certificate_forgeries import certificates, forged
from support.checkers import in_python
from support.naive_certificates import Certified, random_game, symmetric_game
from support.word_lists import make_game, make_words

RHYMES = [letter + "at" for letter in "bcfhmpr"]


@pytest.fixture(params=["cpu", "reference", "device"])
def backend(request):
    """Each backend; the device is emulated."""
    if request.param != "device":
        return choose(request.param, threads=1).backend
    request.getfixturevalue("use")()
    return CudaBackend(32)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "certificate.txt"


def playable(game):
    """A game of brute force as the package has it."""
    return make_game(make_words(game.guesses, game.answers), objective=Objective(None))


def replayed(path, lines, game, backend):
    """What a certificate states, after it was replayed."""
    text = lines if isinstance(lines, bytes) else "".join(f"{line}\n" for line in lines).encode()
    path.write_bytes(text)
    stated = read_certificate(path, game)
    replay(game, stated, backend)
    return stated


def listed(folder, game):
    """The lists of a game of brute force as files."""
    for name in "guesses", "answers":
        (folder / name).write_text("".join(f"{word}\n" for word in getattr(game, name)))
    return folder / "guesses", folder / "answers"


def raised(lines, at):
    """The lines with the last number of one of them raised; of an entry the first word."""
    words = lines[at].split()
    i = 0 if words[0].isdigit() else -1
    words[i] = str(int(words[i]) + 1)
    return [*lines[:at], " ".join(words), *lines[at + 1 :]]


@pytest.mark.parametrize("seed", range(3))
def test_what_is_true_is_accepted_and_nothing_more(backend, path, seed):
    naive = random_game(seed)
    game = playable(naive)
    for opener in None, naive.guesses[seed]:
        lines = naive.certificate(opener)
        stated = replayed(path, lines, game, backend)
        name, cost = lines[7].split()[1:]
        assert naive.guesses[stated.opener] == name
        assert (stated.bound, stated.others) == (int(cost), int(lines[8].split()[1]))
        for at in 8, *range(find(lines, "ledger") + 1, len(lines) - 1):
            with pytest.raises(VerificationError, match="may take fewer guesses"):
                replayed(path, raised(lines, at), game, backend)
        with pytest.raises(VerificationError, match="the strategy takes"):
            replayed(path, raised(raised(lines, 7), 9), game, backend)
        silent = [*lines[:8], "others none", *lines[9:]]
        assert replayed(path, silent, game, backend).others is None


def test_states_that_are_needed_stand_before_what_needs_them(backend, path):
    """Words that no guess tells apart: each guess removes one, and one ply does not see so far."""
    naive = Certified(RHYMES, RHYMES)
    game, lines = playable(naive), naive.certificate()
    entries = entries_of(lines)
    replayed(path, lines, game, backend)
    largest = max(entries, key=lambda entry: int(entry.split()[0]))
    fewer = [entry for entry in entries if entry.split()[0] != largest.split()[0]]
    for others in [], fewer, entries[::-1]:
        with pytest.raises(VerificationError, match="may take fewer guesses"):
            replayed(path, with_entries(lines, others), game, backend)


@pytest.mark.parametrize("seed", range(8))
def test_what_is_accepted_after_edits_is_what_the_short_checker_accepts(path, seed, capsys):
    naive, rng, module = random_game(seed), random.Random(seed), in_python("mean")
    game, backend = playable(naive), choose("cpu", threads=1).backend
    lists = listed(path.parent, naive)
    text = "".join(f"{line}\n" for line in naive.certificate()).encode()
    accepted = 0
    for _ in range(40):
        changed = edited(text, rng)
        try:
            stated = replayed(path, changed, game, backend)
        except UserError:
            with pytest.raises(SystemExit):
                module.check(path, *lists)
            continue
        accepted += 1
        module.check(path, *lists)
        name = naive.guesses[stated.opener]
        assert capsys.readouterr().out.startswith(f"Proved: {name} takes {stated.bound} guesses")
    assert 0 < accepted < 40


def test_forgeries_end_as_with_the_short_checker(path, capsys):
    """A share of those by rules, of a certificate of the mean."""
    _, naive, lines = next(certificates())
    game, backend, module = playable(naive), choose("cpu", threads=1).backend, in_python("mean")
    lists = listed(path.parent, naive)
    accepted = refused = 0
    for rule, of, text in itertools.islice(forged(lines, naive), 0, None, 7):
        if of is not naive:
            continue
        try:
            replayed(path, text, game, backend)
        except UserError:
            refused += 1
            with pytest.raises(SystemExit):
                module.check(path, *lists)
        else:
            accepted += 1
            module.check(path, *lists)
            assert falsehoods(text, naive) == [], rule
    assert accepted > 3
    assert refused > 150


OTHERS = {
    "a rule": {"rule": "hard"},
    "weights": {"weighted": True},
    "prices": {"prices": (1, 2, 3, 4), "then": "infeasible"},
}


@pytest.mark.parametrize("kind", [*OTHERS, "symmetries", "lists", "a set"])
def test_other_kinds_and_lists_are_refused_as_such(path, kind):
    backend = choose("cpu", threads=1).backend
    naive = random_game(4, **OTHERS.get(kind, {}))
    message, lines = r"take certificates/check\.c", naive.certificate()
    if kind == "symmetries":
        naive, symmetries = symmetric_game(
            1, rule="normal", feedback="letters", prices=(1,), then="+1"
        )
        lines = naive.certificate(None, symmetries)
    elif kind == "lists":
        message = "made for other guesses than guesses; name its own by --guesses"
        naive = random_game(5)
    elif kind == "a set":
        naive = Certified(RHYMES, RHYMES)
        lines = naive.certificate()
        bound, _, *way, last = lines[-2].split()
        lines[-2] = f"{bound} set {len(way)} {last}"
    with pytest.raises(UserError, match=message) as refused:
        replayed(path, lines, playable(naive), backend)
    assert refused.value.exit_code == 2


def test_the_verb_replays_what_another_has_written(run, tmp_path):
    run("prove", "--max-guesses", 0, "--certificate", "best.txt")
    facts = json.loads(run("verify", "best.txt", "--json"))
    lines = (tmp_path / "best.txt").read_text().splitlines()
    assert lines[7] == f"opener {facts['opener']} {facts['value']}"
    assert (lines[8], facts["verified"]) == (f"others {facts['others']}", True)
    said = run("verify", "best.txt", "--backend", "check")
    assert said.startswith("verified (normal rule, mean, no limit): ")
    (tmp_path / "best.txt").write_text("\n".join(raised(lines, 8)) + "\n")
    with pytest.raises(VerificationError, match="as an opener may take fewer guesses") as refused:
        run("verify", "best.txt")
    assert refused.value.exit_code == 1
    with pytest.raises(UserError, match="leave --rule out"):
        run("verify", "best.txt", "--rule", "hard")
