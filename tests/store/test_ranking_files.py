"""Ranking files: gone on from by the same job only, readable without a manual, never believed."""

import io
import tracemalloc
import zlib
from contextlib import suppress

import h5py
import numpy as np
import pytest
import xarray

from gpu_wordle import store
from gpu_wordle.errors import JobError, UserError
from gpu_wordle.game import games
from gpu_wordle.game.objective import Objective
from gpu_wordle.game.rule import Rule
from gpu_wordle.game.values import INFEASIBLE
from gpu_wordle.game.weights import Weights
from gpu_wordle.ranking.openers import UNKNOWN, Openers, Status
from support.forging import forge, sign
from support.word_lists import make_game, make_words

GUESSES = ["crane", "slate", "étude", "trace"]
WORDS = make_words(GUESSES, ["crane", "trace"])


def game_of(words=WORDS, **more):
    return make_game(words, **more)


def openers_of(game):
    """CRANE is solved, SLATE is infeasible, and of the others bounds are known."""
    openers = Openers.unsolved(np.full(game.guess_count, 2), 6)
    openers.status[:2] = Status.EXACT, Status.INFEASIBLE
    openers.lower[:2] = openers.upper[:2] = 3, INFEASIBLE
    openers.worst[0] = openers.height[0] = 2
    openers.distribution[0, :2] = openers.weight_distribution[0, :2] = 1
    openers.solvable[:2] = 2, 1
    return openers


def file_of(path, game, history=""):
    columns = {"parts": np.array([2, 2, 2, 1], np.uint16)[: game.guess_count]}
    return store.RankingFile(path, game.position_after(history), columns, "cpu", "a processor")


def saved(path, game=None, history=""):
    game = game or game_of()
    file = file_of(path, game, history)
    with file.held():
        known = openers_of(game)
        file.save(known.forget(np.arange(4)) if history else known)
    return file


@pytest.fixture
def path(tmp_path):
    saved(tmp_path / "x.h5")
    return tmp_path / "x.h5"


def test_the_same_job_goes_on(path):
    again = file_of(path, game_of()).load()
    assert all(openers_of(game_of()).same_result(again, g) for g in range(4))


UNIFORM = Weights((1, 2))


@pytest.mark.parametrize(
    ("what", "game"),
    [
        ("rule normal, this job has hard", lambda: game_of(rule=Rule.HARD)),
        ("max_guesses 6, this job has 5", lambda: game_of(objective=Objective(5))),
        ("objective mean, this job has worst", lambda: game_of(objective=Objective.parse("worst"))),
        ("other weights", lambda: game_of(objective=Objective(weights=UNIFORM))),
        ("other answers", lambda: game_of(make_words(GUESSES, ["crane", "slate"]))),
        ("other guesses", lambda: game_of(make_words([*GUESSES, "react"], ["crane", "trace"]))),
    ],
)
def test_another_job_does_not_go_on(path, what, game):
    with pytest.raises(UserError, match=f"x.h5: made with {what}; .*--fresh"):
        file_of(path, game()).load()


def test_a_job_with_weights_goes_on(tmp_path):
    game = game_of(objective=Objective(weights=Weights((1, 1))))
    again = saved(tmp_path / "w.h5", game).load()
    assert all(openers_of(game).same_result(again, g) for g in range(4))


@pytest.mark.parametrize("weights", [Weights((-1, 2)), Weights((1, 2), 0), Weights((1, 2), -1)])
def test_weights_that_are_none_are_refused(tmp_path, weights):
    saved(tmp_path / "w.h5", game_of(objective=Objective(weights=UNIFORM)))
    claimed = Objective(weights=weights)

    def change(file):
        file["words/weights"][...] = weights.of_answer
        file.attrs["weights_unit"] = str(weights.unit)
        file.attrs["weights_sha256"] = claimed.weights_sha256

    forge(tmp_path / "w.h5", change)
    with pytest.raises(UserError, match="w.h5: malformed .*weights"):
        store.load(tmp_path / "w.h5")


def test_another_state_is_another_job(path):
    with pytest.raises(UserError, match="made with state none, this job has slate BBGBG;"):
        file_of(path, game_of(), "slate BBGBG").load()
    saved(path, history="slate BBGBG")
    for other in ("", "trace BGGYG"):
        with pytest.raises(UserError, match="made with state slate BBGBG, this job has"):
            file_of(path, game_of(), other).load()


@pytest.mark.parametrize("spelled", ["SLATE 00202", "slate ⬛⬛🟩⬛🟩", " slate  BBGBG "])
def test_a_state_is_compared_by_meaning(path, spelled):
    saved(path, history="slate BBGBG")
    forge(path, lambda file: file.attrs.modify("state", spelled))
    assert file_of(path, game_of(), "slate BBGBG").load() is not None


def test_only_names_of_hdf5_files_are_taken(tmp_path):
    for name in ("x.csv", "x", "x.h5.txt"):
        with pytest.raises(UserError, match=f"{name}: a ranking is kept as HDF5; give a name that"):
            file_of(tmp_path / name, game_of())
    saved(tmp_path / "x.HDF5")
    assert store.load(tmp_path / "x.HDF5").attributes["filetype"] == "gpu-wordle ranking"


def test_an_empty_file_is_as_good_as_none(tmp_path):
    path = tmp_path / "x.h5"
    path.touch()
    file = file_of(path, game_of())
    assert file.load() is None
    file.check_replaceable()


def test_only_rankings_and_damaged_files_are_replaced(path):
    file = file_of(path, game_of())
    file.check_replaceable()
    whole = path.read_bytes()
    for damaged in (whole[:-9], whole[:700] + bytes([whole[700] ^ 1]) + whole[701:]):
        path.write_bytes(damaged)
        with pytest.raises(UserError, match="x.h5: damaged, its content does not match its hash"):
            file.load()
        file.check_replaceable()
    path.write_bytes(whole)
    forge(path, lambda file: file.attrs.modify("filetype", "gpu-wordle tree"))
    with pytest.raises(UserError, match="holds 'gpu-wordle tree', so it is not replaced"):
        file.check_replaceable()
    path.write_bytes(b"mine")
    with pytest.raises(UserError, match="not a file of gpu-wordle, so it is not replaced"):
        file.check_replaceable()


def test_a_file_of_the_first_schema_is_gone_on_from(path):
    def older(file):
        file.attrs["schema_version"] = 1
        found = file["openers/distribution"][:]
        for name in ("guess", "answer", "turn"):
            del file[name]
        replaced("openers/distribution", np.maximum(found, 0))(file)
        replaced("openers/status", file["openers/status"][:].astype(np.int8))(file)

    forge(path, older)
    file = file_of(path, game_of())
    again = file.load()
    assert all(openers_of(game_of()).same_result(again, g) for g in range(4))
    with file.held():
        file.save(again)
    assert store.load(path).attributes["schema_version"] == 2


def test_two_jobs_do_not_share_a_file(path):
    with file_of(path, game_of()).held(), pytest.raises(JobError, match="in use by process"):
        saved(path)


def test_a_link_stays_a_link(path):
    link = path.with_name("link.h5")
    link.symlink_to(path)
    before = path.read_bytes()
    saved(link, history="slate BBGBG")
    assert link.is_symlink()
    assert path.read_bytes() != before


def test_openers_that_contradict_themselves_are_not_gone_on_from(path):
    forge(path, lambda file: file["openers/lower"].__setitem__(0, 4))
    with pytest.raises(UserError, match="cannot be true, CRANE: its lower bound is above"):
        file_of(path, game_of()).load()


# For people with h5py, xarray or h5dump.


def test_columns_are_those_of_the_objective(tmp_path, path):
    other = tmp_path / "other.h5"
    saved(other, game_of(objective=Objective.parse("fewest-failures", 6)))
    with h5py.File(path) as mean, h5py.File(other) as fewest:
        assert "failures" not in mean["openers"]
        assert "failures" in fewest["openers"]
        assert mean["openers/lower"].attrs["units"] == "guesses"
        assert fewest["openers/lower"].attrs["units"] == "value"
        assert mean.attrs["seed"] == 0


def test_a_file_knows_the_game_of_its_feedback(tmp_path):
    words, path = games.load("mastermind:2x2"), tmp_path / "m.h5"
    file = file_of(path, game_of(words))
    with file.held():
        file.save(Openers.unsolved(np.full(4, 4), 6))
    read = store.read_words(path, store.load(path))
    assert read.feedback.name == words.feedback.name
    assert (read.guesses.words, read.answers.words) == (words.guesses.words, words.answers.words)


def test_a_folder_is_no_file_to_replace(tmp_path):
    (tmp_path / "x.h5").mkdir()
    with pytest.raises(UserError, match="not a file of gpu-wordle, so it is not replaced"):
        file_of(tmp_path / "x.h5", game_of()).check_replaceable()


def test_a_file_needs_no_manual(path):
    with h5py.File(path) as file:
        upper = file["openers/upper"]
        assert upper.dims[0][0].asstr()[:].tolist() == GUESSES
        assert upper.attrs["_FillValue"] == upper.fillvalue == INFEASIBLE
        codes = h5py.check_enum_dtype(file["openers/status"].dtype)
        assert codes == {"bounded": 0, "exact": 1, "infeasible": 2}
        found = file["openers/distribution"]
        assert found.dims[1][0][:].tolist() == [1, 2, 3, 4, 5, 6]
        assert found[:, 0].tolist() == [1, UNKNOWN, UNKNOWN, UNKNOWN]
        assert file["words/answers"].is_scale
        described = []
        file.visititems(lambda name, item: described.append((name, item)))
        for name, item in described:
            if isinstance(item, h5py.Dataset):
                assert item.attrs["units"], name
                assert item.attrs["description"], name


def test_xarray_reads_words_and_leaves_the_unknown_out(path):
    with xarray.open_datatree(path, engine="h5netcdf") as tree:
        openers = tree["openers"].to_dataset()
        assert openers.upper.sel(guess="crane") == 3
        assert openers.upper.isnull().values.tolist() == [False, True, True, True]
        assert openers.distribution.sel(guess="crane", turn=2) == 1
        assert openers.distribution.sel(guess="slate").isnull().all()
        assert openers.worst.sel(guess="étude").isnull()
        assert openers.upper.sizes == {"guess": 4}


# What is signed and malformed.


def compound(file):
    del file["openers/lower"]
    file["openers/lower"] = np.zeros(4, [("a", "i4"), ("b", "i4")])


def replaced(name, values, **more):
    def change(file):
        del file[name]
        stored = file.create_dataset(name, data=values, **more)
        stored.attrs["units"] = stored.attrs["description"] = "x"

    return change


def huge(shape, **more):
    def change(file):
        del file["openers/seconds"]
        stored = file.create_dataset("openers/seconds", shape, "f8", **more)
        stored.attrs["units"] = stored.attrs["description"] = "x"

    return change


def external(file):
    del file["openers/lower"]
    file.create_dataset("openers/lower", (4,), "i8", external=[("/etc/passwd", 0, 32)])


def virtual(file):
    layout = h5py.VirtualLayout((4,), "i8")
    layout[:] = h5py.VirtualSource("/etc/passwd", "x", (4,))
    del file["openers/lower"]
    file.create_virtual_dataset("openers/lower", layout)


def linked(link):
    def change(file):
        del file["openers/lower"]
        file["openers/lower"] = link

    return change


def nested(file):
    del file["openers/lower"]
    file.create_group("openers/lower")["x"] = 1


def crowded(file):
    for number in range(200):
        file.create_dataset(f"statistics/{number}", data=0)


def bomb(file):
    """A chunk of 800 bytes that unpacks to a gigabyte."""
    del file["openers/seconds"]
    stored = file.create_dataset(
        "openers/seconds", (4,), "f8", chunks=(4,), compression="gzip", shuffle=True
    )
    stored.attrs["units"] = stored.attrs["description"] = "x"
    stored.id.write_direct_chunk((0,), zlib.compress(bytes(2**26), 9))


def without(attribute):
    return lambda file: file.attrs.__delitem__(attribute)


def said(attribute, value):
    def change(file):
        file.attrs[attribute] = value

    return change


MALFORMED = {
    **{f"without {name}": (without(name), name) for name in (
        "schema_version", "filetype", "program_version", "rule", "objective", "max_guesses",
        "state", "guesses_sha256", "answers_sha256", "weights_sha256",
    )},
    "a schema in words": (said("schema_version", "one"), "lacks the attribute schema_version"),
    "an array of attributes": (said("rule", [1, 2]), "attribute rule is neither"),
    "no rule": (said("rule", "easy"), "its attribute rule is 'easy'"),
    "no objective": (said("objective", "best"), "objective 'best'"),
    "no limit": (said("max_guesses", -3), "its attribute max_guesses is -3"),
    "other words": (replaced("words/guesses", np.array([*b"abcd"], "S1")), "its guesses are not"),
    "words of no text": (replaced("words/guesses", np.array([b"\xff"] * 4)), "."),
    "other weights": (said("weights_sha256", "0" * 64), "weights are not those"),
    "an unknown status": (replaced("openers/status", np.full(4, 3, np.int8)), "holds 3 to 3"),
    "a column too few": (lambda file: file.__delitem__("openers/worst"), "lacks openers/worst"),
    "a group too few": (lambda file: file.__delitem__("openers"), "lacks openers/"),
    "text for numbers": (replaced("openers/lower", np.array([b"1"] * 4)), "of the type"),
    "fractions for integers": (replaced("openers/lower", np.ones(4)), "of the type float64"),
    "numbers too large": (replaced("openers/worst", np.full(4, 1 << 40)), "allowed are 0 to 32767"),
    "another length": (replaced("openers/worst", np.zeros(3, np.int16)), r"the shape \(3,\)"),
    "another shape": (replaced("openers/distribution", np.zeros(4, np.int32)), r"the shape \(4,\)"),
    "a scalar": (replaced("openers/worst", 1), r"the shape \(\)"),
    "no shape": (replaced("openers/worst", h5py.Empty("i2")), "has no shape"),
    "a statistic of text": (replaced("statistics/parts", np.array([b"1"] * 4)), "of the type"),
    "records": (compound, "of the type"),
    "text of any length": (replaced("openers/lower", ["a"] * 4), "of the type object"),
    "huge extents": (huge((2**50,), chunks=(1024,)), "unpack to .* bytes"),
    "large extents": (huge((2**27,), chunks=(1024,)), "unpack to .* bytes"),
    "huge chunks": (huge((4,), maxshape=(None,), chunks=(2**27,)), "chunks of"),
    "packed too well": (bomb, "packed"),
    "packed in an unknown way": (huge((4,), chunks=(4,), compression="lzf"), "an unknown way"),
    "data elsewhere": (external, "are in other files"),
    "a view of data elsewhere": (virtual, "are in other files"),
    "a link to another file": (linked(h5py.ExternalLink("/etc/passwd", "x")), "link to what"),
    "a link": (linked(h5py.SoftLink("/openers/upper")), "link to what"),
    "a group for a dataset": (nested, "is no dataset"),
    "too many datasets": (crowded, "has 2.. members"),
    "no description": (
        lambda file: file["openers/lower"].attrs.__delitem__("description"),
        "lacks its description",
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", MALFORMED)
def test_a_malformed_file_is_refused_in_a_line(path, what):
    change, message = MALFORMED[what]
    forge(path, change)
    tracemalloc.start()
    with pytest.raises(UserError, match=f"x.h5: malformed .*({message})") as caught:
        store.load(path)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 2**25
    assert "\n" not in str(caught.value)
    with pytest.raises(UserError):
        file_of(path, game_of()).load()


def test_what_is_no_hdf5_file_is_malformed(path):
    for content in (b"", b"nothing of HDF5", bytes(4096)):
        sign(path, bytes(512) + content)
        with pytest.raises(UserError, match="malformed"):
            store.load(path)


@pytest.mark.parametrize("seed", range(20))
def test_signed_damage_is_a_line_or_does_no_harm(path, seed):
    whole = bytearray(path.read_bytes())
    rng = np.random.default_rng(seed)
    with h5py.File(io.BytesIO(bytes(whole))) as file:
        offset = file["openers/lower"].id.get_offset()
    for place in offset + rng.integers(0, 32, 3):  # in the data: damaged metadata hang the library
        whole[place] ^= 1 << rng.integers(8)
    sign(path, bytes(whole))
    with suppress(UserError):
        file_of(path, game_of()).load()
