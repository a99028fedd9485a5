"""Whatever is given to a public function is taken, or refused in one line that names it."""

import functools
import inspect
import threading
import time
import timeit
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

import gpu_wordle as gw
from gpu_wordle.options.declared import checked
from gpu_wordle.options.shared import Threads, Top, Word
from support.small_game import ANSWERS, GUESSES

HOSTILE = [
    *(None, True, False, 1, -1, 0, 1.5, float("nan"), float("inf"), 10**30, "", "x" * 10**5, b""),
    *([], {}, (), [None], [[]], object(), np.zeros(3), np.array("x"), np.zeros((2, 2), int)),
    *(
        (each for each in "ab"),
        lambda *given: None,
        Path(),
        Path("a\0b"),
        "a\0b",
        {"a": 1},
        1j,
        print,
    ),
    *(np.int64(2), np.float64(2), np.bool_(True), "\ud800", ["salet"], type, range(3)),
]
SHOWN = [f"{number}-{type(each).__name__}" for number, each in enumerate(HOSTILE)]


@pytest.fixture(scope="module")
def given(_private_cache, tmp_path_factory):
    """What each parameter may be, in place of which something else is given."""
    folder = tmp_path_factory.mktemp("given")
    game = gw.load_game(GUESSES, ANSWERS)
    gw.rank(game, exact=1, out=folder / "r.h5")
    return {
        "action": 1,
        "actions": [1, 2],
        "answer": "bat",
        "count": 2,
        "answers": ["x", "y", "z"],
        "exact": 1,
        "feedback": [[1, 0, 0], [0, 1, 0], [0, 2, 1]],
        "files": folder / "r.h5",
        "game": game,
        "guess": "chf",
        "guesses": ["chf", "bat"],
        "history": "chf BBB",
        "opener": "chf",
        "out": folder / "out",
        "parts": [folder / "r.h5"],
        "path": folder / "r.h5",
        "players": "parts",
        "position": game,
        "runs": 1,
        "levels": [5],
        "depth": 2,
        "solved": 1,
        "strategies": "parts",
        "strategy": "parts",
        "text": "bat",
        "transcripts": {"guesses": "chf bat", "answer": "bat"},
        "top": 1,
        "time_limit": 20,
    }


@pytest.fixture(scope="module")
def objects(given):
    """One of each public class."""
    game = given["game"]
    result = gw.solve(game, "chf")
    environment, many = gw.Environment(game), gw.VectorEnvironment(game, 2)
    return {
        gw.Dialogue: gw.Dialogue(game, "bat"),
        gw.Environment: environment,
        gw.VectorEnvironment: many,
        gw.Game: game,
        gw.Position: game.after("chf BBB"),
        gw.Result: result,
        gw.Tree: result.tree,
        gw.Proof: gw.prove(game),
        gw.Ranking: gw.rank(game, exact=1),
        gw.Openings: gw.pairs(game, top=2),
        gw.NoiseRuns: gw.noise(game, "chf", runs=1, depth=2, levels=[5]),
        gw.Simulation: gw.simulate(game, "parts", "chf"),
    }


def doors():
    """Every public function and method with parameters, by name."""
    for name in gw.__all__:
        public = getattr(gw, name)
        if inspect.isfunction(public):
            yield name, public
        elif inspect.isclass(public) and not issubclass(public, Exception):
            if inspect.unwrap(public.__init__) is not public.__init__:
                yield name, public  # users call the class
            for member in dir(public):
                own = inspect.getattr_static(public, member)
                is_ours = inspect.isfunction(own) or isinstance(own, classmethod)
                is_ours &= (getattr(own, "__module__", "") or "").startswith("gpu_wordle")
                if not member.startswith("_") and is_ours:
                    yield f"{name}.{member}", getattr(public, member)


DRAWN_ELSEWHERE = ("Openings", "Proof", "Ranking", "Result", "Simulation")
NOT_GIVEN = {"Strategy.choose", *(f"{name}.plot" for name in DRAWN_ELSEWHERE)}
"""What users write themselves, and figures that reports alone draw."""

CALLS = [
    (name, parameter)
    for name, door in doors()
    if name not in NOT_GIVEN
    for parameter in inspect.signature(door).parameters
    if parameter != "self"
]


def call(name, given, objects, **changed):
    """Call a door with what it needs, but for what is changed."""
    owner, _, member = name.partition(".")
    public = getattr(gw, owner)
    if member in ("step", "reply"):  # each in a game of its own
        owned = {"Dialogue": {"answer": "bat"}, "VectorEnvironment": {"count": 2}}
        objects = {public: public(given["game"], **owned.get(owner, {}))}
        if member == "step":
            objects[public].reset(seed=1)
    door = getattr(objects.get(public, public), member) if member else public
    parameters = inspect.signature(door).parameters
    needed = {
        p.name: given[p.name]
        for p in parameters.values()
        if p.default is p.empty or p.name in ("exact", "top", "runs", "levels", "depth", "opener")
    }
    if member == "from_feedback":
        needed["guesses"] = ["a", "b", "c"]
    if owner == "merge":
        needed["out"] = given["out"].with_suffix(".h5")
    if owner == "league":
        needed |= {"split": "all", "games": 2}
    if owner == "positions":
        needed |= {"count": 2, "out": given["out"].with_suffix(".parquet")}
    if owner == "write_report":
        needed["out"] = given["out"].with_suffix(".md")
    if owner == "analyse":
        needed |= {"guesses": given["guesses"], "answer": "bat"}
    if member in ("to_csv", "save"):
        needed["path"] = given["out"].with_suffix(".csv" if member == "to_csv" else ".txt")
    return door(**{**needed, **changed})


@pytest.mark.parametrize(("name", "parameter"), CALLS, ids=lambda each: each)
def test_whatever_is_given_is_taken_or_refused_in_one_line(
    given, objects, name, parameter, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    call(name, given, objects)
    faults = []
    for shown, hostile in zip(SHOWN, HOSTILE, strict=True):
        begun, said = time.monotonic(), ""
        try:
            call(name, given, objects, **{parameter: hostile})
        except gw.UserError as error:
            said = str(error) if "\n" in str(error) else ""
        except Exception as error:
            said = f"{type(error).__name__}: {error}"
        slow = time.monotonic() - begun > 60
        faults += [f"{shown}: {said or 'slow'}"] * bool(said or slow)
    assert faults == []


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (lambda g: gw.solve(g, stop=1), "stop=1: give a threading.Event"),
        (lambda g: gw.rank(g, out=1.5), "out=1.5: give the name of a file"),
        (lambda g: gw.rank(g, progress=1), "progress=1: give a function of one argument"),
        (lambda g: gw.analyse(g, 1), "guesses=1: give a list of words"),
        (lambda g: gw.analyse(g, ["chf", 7]), "7 does not fit; give a list of words"),
        (lambda g: gw.verify_file(None), "path=None: give the name of a file"),
        (lambda g: gw.open_results(None), "path=None: give the name of a file"),
        (lambda g: gw.published([]), "guesses=[]: give text"),
        (lambda g: gw.write_report(1, 1), "files=1: give a list of files"),
        (lambda g: gw.solve(g, budget=10**30), f"budget={10**30}: give a whole number from 1 on"),
        (lambda g: gw.solve(g, backend=np.zeros(2)), "backend=array([0., 0.]): give one of"),
        (lambda g: gw.pairs(g, top=-1), "top=-1: give a whole number from 0 on"),
        (lambda g: gw.pairs(g, top={}), "top={}: give a whole number from 0 on"),
        (lambda g: gw.load_game(GUESSES, max_guesses=True), "max_guesses=True: give a whole"),
        (lambda g: gw.rank(g, exact=True), "exact=True: give a whole number of guesses"),
        (lambda g: gw.rank(g, fresh=1), "fresh=1: give True or False"),
        (lambda g: gw.rank(g, exact=0).head(-1), "rows=-1: give a whole number from 0 on"),
        (lambda g: gw.noise(g, "chf", levels=["1e999999999"]), "'1e999999999' does not fit; give"),
        (lambda g: gw.simulate(g, "parts", seed=2**63), f"seed={2**63}: give a whole number"),
    ],
)
def test_the_parameter_is_named_and_what_it_may_be(given, ask, said):
    with pytest.raises(gw.UserError) as caught:
        ask(given["game"])
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (lambda g: gw.rank(g, fresh=True), "fresh replaces the file of out"),
        (lambda g: gw.rank(g, exact=2, shard="1/2"), "name its file with out"),
        (lambda g: gw.pairs(g, by="singles"), "by singles is for 3 words or more; give words, or"),
        (lambda g: gw.pairs(g, prove=True, by="parts"), "prove is about totals, and by parts is"),
        (lambda g: gw.analyse(g, ["chf"], answer="bat", out="x.csv"), "out needs games; write a"),
        (lambda g: gw.solve(g, fixed=False), "name an opener, or a position; to find"),
        (lambda g: gw.solve(hard(g), "chf", batched=True), "batched searches under the normal"),
    ],
)  # fmt: skip
def test_options_are_named_as_python_spells_them(given, ask, said):
    with pytest.raises(gw.UserError) as caught:
        ask(given["game"])
    assert said in str(caught.value)
    assert "--" not in str(caught.value)


def hard(game):
    return gw.load_game(game.guesses, game.answers, rule="hard")


def test_what_is_quoted_is_no_flag(given):
    with pytest.raises(gw.UserError, match="'--top' is not one of"):
        gw.solve(given["game"], "--top")


def test_what_python_itself_refuses_is_left_to_it(given):
    for wrong in ({"nonsense": 1}, {"guess": "chf"}):
        with pytest.raises(TypeError):
            gw.solve(given["game"], "bat", **wrong)
    with pytest.raises(TypeError):
        gw.solve()


def test_numbers_of_numpy_and_names_in_capitals_are_taken(given):
    game = given["game"]
    assert gw.solve(game, "chf", budget=np.int64(10**6), threads=np.int32(1)).is_exact
    assert len(gw.rank(game, exact=np.int8(2)).head(np.uint8(3))) == 3
    assert gw.load_game(GUESSES, ANSWERS, rule=" Hard ").rule == "hard"
    assert gw.simulate(game, "parts", ties="WORDS").strategies == ("parts",)
    with ThreadPoolExecutor(1) as pool:
        assert gw.rank(game, exact=1, executor=pool, stop=threading.Event()).solved == 1


def test_every_door_reads_what_it_is_given():
    assert len(CALLS) > 120
    for name, door in doors():
        if name not in NOT_GIVEN and set(inspect.signature(door).parameters) - {"self"}:
            read = door.__init__ if inspect.isclass(door) else door
            assert inspect.unwrap(read) is not read, name


def test_reading_costs_some_microseconds():
    @checked
    def door(guess: Word, *, top: Top = 1, threads: Threads = None) -> None: ...

    ask = functools.partial(door, "chf", top=3, threads=2)
    assert min(timeit.repeat(ask, number=1_000, repeat=9)) < 1_000 * 50e-6
