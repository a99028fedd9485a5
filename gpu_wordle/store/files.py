"""HDF5 files: self-describing, whole or absent, and refused when foreign or damaged.

The only module that imports h5py. A file holds root attributes that say what it is and how it was
made, and datasets with units and a description. HDF5's user block, 512 bytes before the data
proper, holds the SHA-256 of all that follows: a cut or a flipped bit is found before the HDF5
library, which can hang on damaged metadata, sees the file.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpu_wordle import __version__
from gpu_wordle.errors import JobError, UserError
from gpu_wordle.game.feedback import LetterFeedback
from gpu_wordle.game.game import Game
from gpu_wordle.game.objective import Objective
from gpu_wordle.game.values import INFEASIBLE
from gpu_wordle.game.weights import Weights
from gpu_wordle.ranking.ranking import UNKNOWN, Openers, Status
from gpu_wordle.ranking.statistics import STATISTICS

SCHEMA_VERSION = 1
_TIMES = {"created", "updated"}
_USER_BLOCK_BYTES = 512
_WEIGHTS = "words/weights"
_WEIGHTS_FROM = "weights of the answers: "
_MAGIC = b"gpu-wordle sha256 "
_IDENTITY = (
    "filetype",
    "feedback",
    "guesses_sha256",
    "answers_sha256",
    "weights_sha256",
    "rule",
    "objective",
    "max_guesses",
)


@dataclass(frozen=True)
class Dataset:
    """An array with its units and one line of description; words are arrays of str."""

    values: NDArray[Any]
    units: str
    description: str


@dataclass
class Contents:
    """Everything in a file: root attributes, and datasets by path without the leading slash."""

    attributes: dict[str, str | int]
    datasets: dict[str, Dataset] = field(default_factory=dict)

    def values(self, path: str) -> NDArray[Any]:
        """The array at ``path``."""
        return self.datasets[path].values


def describe(game: Game, filetype: str, backend: str, device: str) -> Contents:
    """Contents that hold a game's identity and words, the program and the machine."""
    now = _now()
    attributes: dict[str, str | int] = {
        "filetype": filetype,
        "schema_version": SCHEMA_VERSION,
        "program_version": __version__,
        "git_commit": _git_commit(),
        "created": now,
        "updated": now,
        "command": _command(),
        "backend": backend,
        "device": device,
        "feedback": game.words.feedback.name,
        "guesses_sha256": game.words.guesses.sha256,
        "answers_sha256": game.words.answers.sha256,
        "weights_sha256": game.objective.weights_sha256,
        "rule": game.rule.value,
        "objective": game.objective.name,
        "max_guesses": game.objective.max_guesses or 0,
        "seed": 0,
    }
    datasets = {
        "words/guesses": Dataset(
            np.array(game.words.guesses.words), "word", f"guesses: {game.words.guesses.source}"
        ),
        "words/answers": Dataset(
            np.array(game.words.answers.words), "word", f"answers: {game.words.answers.source}"
        ),
    }
    weights = game.objective.weights
    if weights is not None:
        attributes["weights_unit"] = str(weights.unit)
        datasets[_WEIGHTS] = Dataset(
            weights.values, "weights_unit", f"{_WEIGHTS_FROM}{weights.source}"
        )
    return Contents(attributes, datasets)


def save(path: Path, contents: Contents) -> None:
    """Write ``contents`` so that ``path`` always holds a whole file, the old one or the new.

    Written beside the target, flushed to disk, read back, compared, and renamed over it. Raises
    JobError if the disk does not take it; what was there before stays.
    """
    contents.attributes["updated"] = _now()
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".tmp")
        os.close(handle)
        temporary = Path(name)
        try:
            _write(temporary, contents)
            if not _is_intact(temporary) or digest(_read(temporary)) != digest(contents):
                raise OSError("what was written does not read back the same")
            temporary.chmod(0o666 & ~_umask())
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)
    except (OSError, RuntimeError) as error:
        raise JobError(
            f"{path}: not written ({_reason(error)}); nothing that was there is lost. "
            "Make room or choose another file"
        ) from None


def load(path: Path, filetype: str | None = None) -> Contents:
    """Read a whole file and check it.

    Raises UserError if it is missing, damaged, of another program or schema, or (where
    ``filetype`` is given) the file of another kind of job.
    """
    try:
        intact = _is_intact(path)
    except FileNotFoundError:
        raise UserError(f"{path}: no such file") from None
    except OSError as error:
        raise UserError(f"{path}: cannot be read ({error.strerror})") from None
    if intact is None:
        raise UserError(f"{path}: not a file of gpu-wordle; choose another file")
    if not intact:
        raise UserError(f"{path}: damaged, its content does not match its hash; restore it")
    contents = _read(path)
    attributes = contents.attributes
    attributes.setdefault("feedback", LetterFeedback.name)  # the only one of older files
    if attributes["schema_version"] != SCHEMA_VERSION:
        raise UserError(
            f"{path}: schema {attributes['schema_version']}, this program reads "
            f"{SCHEMA_VERSION}; use the version of gpu-wordle that wrote it "
            f"({attributes['program_version']})"
        )
    if filetype is not None and attributes["filetype"] != filetype:
        raise UserError(f"{path}: holds {attributes['filetype']!r}, not {filetype!r}")
    return contents


def check_replaceable(path: Path) -> None:
    """UserError unless ``path`` is free, or holds a file of this program, perhaps damaged."""
    if not path.exists():
        return
    try:
        with path.open("rb") as file:
            ours = path.is_file() and file.read(len(_MAGIC)) == _MAGIC
    except OSError as error:
        raise UserError(f"{path}: cannot be read ({error.strerror})") from None
    if not ours:
        raise UserError(f"{path}: not a file of gpu-wordle, so it is not replaced; choose another")


def check_same_game(path: Path, old: Contents, new: Contents, also: tuple[str, ...] = ()) -> None:
    """UserError unless the file at ``path`` is of the same job on the same game.

    ``also`` names further attributes that must be equal.
    """
    for name in (*_IDENTITY, *also):
        if old.attributes.get(name) != new.attributes[name]:
            raise UserError(
                f"{path}: made with {name} {str(old.attributes.get(name))[:16]}, this job has "
                f"{str(new.attributes[name])[:16]}; choose another --out, or --fresh to replace it"
            )


def check_same_words(path: Path, contents: Contents, game: Game) -> None:
    """UserError unless the file at ``path`` was made with the lists and feedback of ``game``."""
    if contents.attributes["feedback"] != game.words.feedback.name:
        raise UserError(
            f"{path}: made with the feedback of {contents.attributes['feedback']}, not of "
            f"{game.words.feedback.name}; name its game with --guesses"
        )
    for role, words in (("guesses", game.words.guesses), ("answers", game.words.answers)):
        if contents.attributes[f"{role}_sha256"] != words.sha256:
            raise UserError(
                f"{path}: made with other {role} than {words.source}; "
                "name its lists with --guesses and --answers"
            )


def digest(contents: Contents) -> str:
    """SHA-256 over attributes (but timestamps) and datasets: equal for equal results."""
    result = hashlib.sha256()
    for name, value in sorted(contents.attributes.items()):
        if name not in _TIMES:
            result.update(f"{name}={value}\n".encode())
    for path, dataset in sorted(contents.datasets.items()):
        values = _encoded(dataset.values)
        head = f"{path} {values.dtype.str} {values.shape} {dataset.units} {dataset.description}\n"
        result.update(head.encode())
        result.update(np.ascontiguousarray(values).tobytes())
    return result.hexdigest()


def _encoded(values: NDArray[Any]) -> NDArray[Any]:
    """Words as fixed-width UTF-8, everything else as it is."""
    return np.char.encode(values, "utf-8") if values.dtype.kind == "U" else values


def _is_intact(path: Path) -> bool | None:
    """Whether the data match the hash in the user block; None if no hash of ours is there."""
    with path.open("rb") as file:
        user_block = file.read(_USER_BLOCK_BYTES)
        if not user_block.startswith(_MAGIC):
            return None
        stated = user_block.removeprefix(_MAGIC).rstrip(b"\0").decode("ascii", "replace")
        return stated == hashlib.file_digest(file, "sha256").hexdigest()


def _write(path: Path, contents: Contents) -> None:
    import h5py  # takes a tenth of a second, and most commands touch no file

    with h5py.File(path, "w", userblock_size=_USER_BLOCK_BYTES) as file:
        file.attrs.update(contents.attributes)
        for name, dataset in contents.datasets.items():
            values = _encoded(dataset.values)
            dtype = values.dtype
            if dtype.kind == "S":
                dtype = h5py.string_dtype("utf-8", dtype.itemsize)
            packing = {"compression": "gzip", "shuffle": True} if values.size > 64 else {}
            stored = file.create_dataset(name, data=values.astype(dtype), **packing)
            stored.attrs["units"] = dataset.units
            stored.attrs["description"] = dataset.description
    with path.open("r+b") as written:
        written.seek(_USER_BLOCK_BYTES)
        stated = hashlib.file_digest(written, "sha256").hexdigest()
        written.seek(0)
        written.write(_MAGIC + stated.encode())
        written.flush()
        os.fsync(written.fileno())


def _read(path: Path) -> Contents:
    import h5py

    attributes: dict[str, str | int] = {}
    datasets: dict[str, Dataset] = {}
    with h5py.File(path, "r") as file:
        for name, value in file.attrs.items():
            attributes[name] = value if isinstance(value, str) else int(value)

        def visit(name: str, item: object) -> None:
            if isinstance(item, h5py.Dataset):
                text = h5py.check_string_dtype(item.dtype) is not None
                values = item.asstr()[()].astype(np.str_) if text else item[()]
                datasets[name] = Dataset(
                    np.asarray(values), str(item.attrs["units"]), str(item.attrs["description"])
                )

        file.visititems(visit)
    return Contents(attributes, datasets)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _command() -> str:
    """The command line without the folder of the program."""
    return " ".join([Path(sys.argv[0]).name, *sys.argv[1:]])


def _git_commit() -> str:
    """Commit of the checkout that this package runs from; "unknown" for an installed wheel."""
    folder = Path(__file__).parents[2]
    if not (folder / ".git").exists():
        return "unknown"
    try:
        run = subprocess.run(
            ["git", "describe", "--always", "--abbrev=40", "--dirty"],
            cwd=folder, capture_output=True, text=True, check=True, timeout=10,
        )  # fmt: skip
    except (OSError, subprocess.SubprocessError):
        return "unknown"
    return run.stdout.strip()


def _reason(error: Exception) -> str:
    """What went wrong, without the name of the temporary file."""
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return (str(error).splitlines() or [type(error).__name__])[0]


def statistics_datasets(columns: dict[str, NDArray[Any]]) -> dict[str, Dataset]:
    """The datasets /statistics/* of the columns of statistics.columns_of."""
    return {
        f"statistics/{name}": Dataset(values, STATISTICS[name].units, STATISTICS[name].description)
        for name, values in columns.items()
    }


_OPENERS = {
    "lower": ("guesses", f"proven lower bound of the total; {INFEASIBLE}: no strategy"),
    "upper": ("guesses", f"total of a known strategy; {INFEASIBLE}: none known"),
    "status": ("code", ", ".join(f"{status.value}: {status.name.lower()}" for status in Status)),
    "worst": ("guesses", "turn on which the last answer is found; 0: no strategy extracted"),
    "distribution": ("answers", "answers found on turn 1, 2, ... by the strategy"),
    "weight_distribution": ("weight", "weight of the answers found on turn 1, 2, ..."),
    "failures": ("answers", "answers that the strategy does not find"),
    "solvable": ("weight", f"most that any strategy finds in time; {UNKNOWN}: unknown"),
    "height": ("guesses", "guesses on the longest path of the strategy"),
    "expanded": ("states", "states expanded by the search; depends on what was solved before"),
    "seconds": ("s", "CPU time of the search"),
}


def openers_datasets(openers: Openers, game: Game) -> dict[str, Dataset]:
    """The datasets /openers/*; those that say nothing that the others do not are left out."""
    units = dict(_OPENERS)
    if not game.objective.is_mean:
        legend = game.prices.legend
        units["lower"] = ("value", f"proven lower bound of {legend}; {INFEASIBLE}: no strategy")
        units["upper"] = ("value", f"value of a known strategy: {legend}; {INFEASIBLE}: none known")
    if game.objective.weights is None:
        del units["weight_distribution"]
        units["solvable"] = ("answers", units["solvable"][1])
    if not game.objective.allows_failure:
        del units["failures"]
    if (openers.solvable[openers.status == Status.INFEASIBLE] == UNKNOWN).all():
        del units["solvable"]
    return {
        f"openers/{name}": Dataset(getattr(openers, name), unit, description)
        for name, (unit, description) in units.items()
    }


def read_openers(contents: Contents) -> Openers:
    """The openers of a ranking file, which may be older than some of the datasets."""
    columns = {
        name: contents.values(f"openers/{name}").copy()
        for name in _OPENERS
        if f"openers/{name}" in contents.datasets
    }
    columns.setdefault("weight_distribution", columns["distribution"].astype(np.int64))
    columns.setdefault("failures", np.zeros(len(columns["lower"]), np.int32))
    exact = columns["status"] == Status.EXACT
    found = columns["weight_distribution"].sum(axis=1)
    columns.setdefault("solvable", np.where(exact, found, UNKNOWN))
    return Openers(**columns)


def read_objective(contents: Contents) -> Objective:
    """The objective, with limit and weights, of the job that made a file."""
    attributes = contents.attributes
    weights = None
    if _WEIGHTS in contents.datasets:
        dataset = contents.datasets[_WEIGHTS]
        weights = Weights(
            tuple(dataset.values.tolist()),
            Fraction(str(attributes["weights_unit"])),
            dataset.description.removeprefix(_WEIGHTS_FROM),
        )
    limit = int(attributes["max_guesses"]) or None
    return Objective.parse(str(attributes["objective"]), limit, weights)
