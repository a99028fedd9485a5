"""The checker that is proven in Coq accepts what is true, and refuses what is forged."""

import itertools
import shutil
import subprocess

import pytest
from certify.test_certificates import FORGERIES, HAND, KINDS

from support.certificate_forgeries import forged
from support.checkers import FOLDER, hashed, in_python
from support.kept import kept, version
from support.naive_certificates import Certified, random_game
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
            for at in 7, 8, 9:
                *words, number = lines[at].split()
                too_much = " ".join([*words, str(int(number) + 1)])
                assert accepts(game, [*lines[:at], too_much, *lines[at + 1 :]]) is None


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
