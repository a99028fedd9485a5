"""The checker that is proven in Coq accepts what is true, and refuses what is forged."""

import itertools
import random
import shutil
import subprocess

import pytest
from certify.test_certificates import FORGERIES, HAND, KINDS
from certify.test_certified_renamings import DOUBLES
from certify.test_certified_renamings import forgeries as of_renamings

from support.certificate_edits import entries_of, falsehoods, find, with_entries
from support.certificate_forgeries import forged
from support.checkers import FOLDER, hashed, in_python
from support.kept import kept, version
from support.naive_certificates import Certified, random_game, renamed_game
from support.seeds import MORE

pytestmark = pytest.mark.slow
SHARE = max(1, 60 // MORE)
"""Of so many forgeries by rules one is tried."""


@pytest.fixture(scope="module")
def accepts(tmp_path_factory):
    """A function that runs the checker; Coq first checks its proofs, and what they assume."""
    for program in "coqc", "ocamlopt":
        if shutil.which(program) is None:
            pytest.skip(f"no {program}")
    folder = tmp_path_factory.mktemp("proven")
    sources = [*sorted((FOLDER / "proven").iterdir()), FOLDER / "proofs" / "mean.v"]
    content = [version("coqc"), version("ocamlopt"), *(path.read_bytes() for path in sources)]

    def build(into):
        command = [FOLDER / "proven" / "build.sh", folder]
        subprocess.run(command, check=True, capture_output=True, timeout=600)
        shutil.copyfile(folder / "proven", into)
        into.chmod(0o755)

    program = kept(content, ".proven", build)

    def run(game, lines, *share):
        text = lines if isinstance(lines, bytes) else "".join(f"{x}\n" for x in lines).encode()
        paths = [folder / name for name in ("certificate", "guesses", "answers")]
        paths[0].write_bytes(text)
        for path, words in zip(paths[1:], (game.guesses, game.answers), strict=True):
            path.write_text("".join(f"{word}\n" for word in words))
        hashes = "".join(f"{hashed(str(path))}  {path}\n" for path in paths[1:])
        run = subprocess.run(
            [program, *paths, *map(str, share)],
            input=hashes,
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert run.returncode in (0, 1), run.stderr
        assert (run.stdout == "") == (run.returncode == 1)
        assert run.returncode == 0 or run.stderr.count("\n") == 1
        return run.stdout or None

    return run


@pytest.mark.parametrize("feedback", ["letters", "pegs"])
def test_what_is_true_is_accepted_and_nothing_more(accepts, feedback):
    for seed in range(6):
        game = random_game(seed, feedback=feedback)
        for opener in None, game.guesses[seed % len(game.guesses)]:
            lines = game.certificate(opener)
            name, cost = lines[7].split()[1:]
            others = lines[8].split()[1]
            proved = f"Proved: {name} takes {cost} guesses in all"
            rest = f", and every other opener takes at least {others}"
            assert accepts(game, lines) == f"{proved}{rest}\n"
            shares = [accepts(game, lines, 0, 2), accepts(game, lines, 2)]
            assert all(said.endswith(f": {proved}{rest}\n") for said in shares)
            for place in 7, 8, 9:
                *words, number = lines[place].split()
                too_much = " ".join([*words, str(int(number) + 1)])
                assert accepts(game, [*lines[:place], too_much, *lines[place + 1 :]]) is None


@pytest.mark.parametrize("kind", ["rule", "weights", "prices", "long words"])
def test_other_kinds_are_refused(accepts, kind):
    settings = {
        "rule": {"rule": "hard"},
        "weights": {"weighted": True},
        "prices": {"prices": (1, 2, 3, 4), "then": "infeasible"},
    }
    game = random_game(4, **settings.get(kind, {}))
    if kind == "long words":
        game = Certified(*([f"abc{word}" for word in x] for x in (game.guesses, game.answers)))
    assert accepts(game, game.certificate()) is None


def test_forgeries_are_refused(accepts):
    assert accepts(HAND, HAND.certificate()) is not None
    assert [name for name, text in FORGERIES.items() if accepts(HAND, text) is not None] == []


def test_it_accepts_of_forgeries_by_rules_what_the_short_checker_accepts(accepts, tmp_path):
    """Some of these are true, such as entries in another order."""
    game, lines = KINDS["mean"]
    module = in_python("mean")
    for _, of, text in itertools.islice(forged(lines, game), 0, None, SHARE):
        files = [tmp_path / name for name in ("certificate", "guesses", "answers")]
        files[0].write_bytes(text)
        for path, words in zip(files[1:], (of.guesses, of.answers), strict=True):
            path.write_text("".join(f"{word}\n" for word in words))
        try:
            module.check(*map(str, files))
            is_true = True
        except SystemExit:
            is_true = False
        assert (accepts(of, text) is not None) == is_true, text


@pytest.mark.parametrize(("bits", "ends"), [(8, "g"), (16, "ghi")])
def test_the_attack_that_fooled_a_wrapping_counter_is_refused(accepts, bits, ends):
    """See test_no_call_is_one_too_many: entries of bound 0 bring a count of calls to 0."""
    answers = [f"{letter}qqqq" for letter in "bcdef"]
    openers = [f"{''.join(four)}{end}" for end in ends for four in itertools.permutations("bcde")]
    game = Certified([*openers, *answers], answers)
    least, cost = 2 * len(answers), 3 * len(answers)
    count = 2**bits // len(game.guesses)
    for opener, other in zip(openers, [*openers[1:], openers[0]], strict=True):
        lines = [*game.header(), f"opener {opener} {cost}", "others none", f"strategy {cost}"]
        lines += [f"{opener} {other} {answer}" for answer in answers]
        ledger = [f"0 path {other} {answers[0]}"] * count
        assert accepts(game, [*lines, f"ledger {count}", *ledger, "end"]) is None
        assert accepts(game, [*lines, "ledger 0", "end"]) is None
    lines = [*game.header(), f"opener {openers[0]} {least}", "others none", f"strategy {least}"]
    lines += [*(f"{openers[0]} {answer}" for answer in answers), "ledger 0", "end"]
    assert accepts(game, lines) is not None


@pytest.mark.parametrize("seed", range(4))
def test_a_state_stands_for_its_form_and_nothing_more(accepts, seed):
    """The paths of all entries are renamed, too; then bounds are changed and entries left out."""
    rng = random.Random(seed)
    game = renamed_game(seed)
    lines = game.certificate(rng.choice([None, game.guesses[-1]]), by_form=True)
    assert accepts(game, lines) is not None
    assert accepts(game, lines, 0, 2) is None
    claims = [find(lines, name) for name in ("opener", "others", "strategy")]
    entries = range(find(lines, "ledger") + 1, len(lines) - 1)
    for place in [*claims, *rng.sample(entries, min(3, len(entries)))]:
        words = lines[place].split()
        number = next(i for i, word in enumerate(words) if word.isdigit())
        words[number] = str(int(words[number]) + 1)
        assert accepts(game, [*lines[:place], " ".join(words), *lines[place + 1 :]]) is None
    renamed = []
    for entry in entries_of(lines):
        bound, kind, *path = entry.split()
        for exchange in rng.choices(game.exchanges(), k=5):
            image = dict(zip(game.guesses, exchange, strict=True))
            path = [image[word] for word in path]
        renamed.append(" ".join([bound, kind, *path]))
    assert accepts(game, with_entries(lines, renamed)) is not None
    for _ in range(6):
        changed = [entry for entry in renamed if rng.random() < 0.9]
        for i, entry in enumerate(changed):
            bound, rest = entry.split(" ", 1)
            if rng.random() < 0.1:
                changed[i] = f"{int(bound) + rng.choice([-1, 1])} {rest}"
        text = with_entries(lines, changed)
        if accepts(game, text) is not None:
            assert falsehoods("\n".join(text).encode(), game) == []


def test_without_symmetries_the_same_ledger_is_too_small(accepts):
    game = Certified(DOUBLES, DOUBLES, feedback="pegs")
    lines = game.certificate(by_form=True)
    place = find(lines, "symmetries")
    assert accepts(game, lines) is not None
    assert accepts(game, [*lines[:place], *lines[place + 1 :]]) is None
    assert accepts(game, [*lines[:place], "symmetries 0", *lines[place + 1 :]]) is None


@pytest.mark.parametrize("name", [*dict(of_renamings()), "many places"])
def test_what_is_no_symmetry_is_refused(accepts, name):
    words = ["a" * 7, "b" * 7]
    others = {"many places": Certified(words, words, feedback="pegs")}
    game = (dict(of_renamings()) | others)[name]
    lines = game.certificate()
    place = find(lines, "opener")
    assert (accepts(game, lines) is None) == (game.weights is not None)
    assert accepts(game, [*lines[:place], "symmetries all", *lines[place:]]) is None


def test_of_forgeries_with_symmetries_it_accepts_no_more_than_others(accepts, tmp_path):
    game, lines = KINDS["renamings"]
    module = in_python()
    assert accepts(game, lines) is not None
    for _, of, text in itertools.islice(forged(lines, game), 0, None, SHARE):
        if accepts(of, text) is None:
            continue
        files = [tmp_path / name for name in ("certificate", "guesses", "answers")]
        files[0].write_bytes(text)
        for path, words in zip(files[1:], (of.guesses, of.answers), strict=True):
            path.write_text("".join(f"{word}\n" for word in words))
        module.check(*map(str, files))
