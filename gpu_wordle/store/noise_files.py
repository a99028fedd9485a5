"""Noise files: every run of a noise experiment at every level."""

from __future__ import annotations

from enum import StrEnum
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.errors import UserError
from gpu_wordle.experiments.noise.machine.draws import Kind
from gpu_wordle.experiments.noise.model import (
    LEVEL_UNITS,
    MAX_FOLLOWED,
    After,
    Draws,
    Limit,
    NoiseModel,
    Per,
    Small,
)
from gpu_wordle.experiments.noise.study import NoiseStudy
from gpu_wordle.experiments.noise.table import NoiseTable, Optimum
from gpu_wordle.experiments.noise.theorem import PartBound
from gpu_wordle.game.game import Game
from gpu_wordle.store.contents import Contents, MalformedError, malformed
from gpu_wordle.store.form import NOISE, NOISE_COLUMNS, column
from gpu_wordle.store.job_files import JobFile
from gpu_wordle.store.provenance import attribute, other_job


class NoiseFile(JobFile):
    """The file of a noise experiment; see experiments/noise/plan.py.

    Args:
        path: where it is, or is to be.
        study: the experiment.
        backend: name of what computes.
        device: what that runs on.
    """

    def __init__(self, path: Path, study: NoiseStudy, backend: str, device: str) -> None:
        super().__init__(path, NOISE, study.game.start(), backend, device)
        self._study = study
        self._told = {"opener": study.game.spell([study.opener])[0], **told(study.model)}
        self.contents.attributes |= self._told

    def load(self) -> NoiseTable | None:
        """What an earlier run has searched; None if there is no file.

        Raises UserError if it is damaged, contradicts itself, or is of another job.
        """
        old = self.read()
        if old is None:
            return None
        self.check_same(old, self._told)
        levels = column(old, "noise/level", NOISE_COLUMNS["level"])
        asked = _units(self._study)
        if not np.array_equal(levels, asked):
            spelled = (" ".join(f"{u / LEVEL_UNITS:.6%}" for u in each) for each in (levels, asked))
            raise other_job(self.path, "levels", *spelled)
        try:
            return _read_table(old, self._study)
        except MalformedError as error:
            raise malformed(self.path, str(error)) from None

    def save(self, table: NoiseTable) -> None:
        """Write the file, which is held, unless nothing is searched; JobError if it cannot be."""
        optimum = table.optimum
        if optimum is None or not table.is_begun:
            return
        self.contents.attributes["exact_total"] = optimum.total
        departure, parts = table.departure, optimum.parts
        columns: dict[str, NDArray[Any]] = {
            "level": _units(table.study),
            "searched": table.searched.astype(np.int8),
            "followed": table.followed.astype(np.int8),
            "distribution": table.distribution,
            "departure_numerator": _integers([0 if d is None else d.numerator for d in departure]),
            "departure_denominator": _integers(
                [0 if d is None else d.denominator for d in departure]
            ),
            **_figures(table),
            "optimal": optimum.turns[1:],
            "state_answers": _integers([part.answers for part in parts]),
            "state_weight": _integers([part.weight for part in parts]),
            "state_slack": _integers([part.slack for part in parts]),
        }
        for name, values in columns.items():
            self.contents.datasets[f"noise/{name}"] = NOISE_COLUMNS[name].dataset(values)
        self.write()


def _figures(table: NoiseTable) -> dict[str, NDArray[Any]]:
    """The columns that follow from the runs, by name."""
    done = table.is_done[:, np.newaxis]
    departure = [np.nan if d is None else float(100 * d) for d in table.departure]
    return {
        "status": table.is_done.astype(np.int8),
        "total": table.total,
        "mean": np.where(done, table.total / table.study.game.answer_count, np.nan),
        "worst": table.worst.astype(np.int16),
        "lost": table.lost.astype(np.int32),
        "first_departure": np.array(departure),
    }


_OPTIONS: dict[str, type[StrEnum]] = {
    "noise": Kind,
    "small": Small,
    "limit": Limit,
    "draws": Draws,
    "per": Per,
    "after": After,
}
"""What says the model in words."""


def told(model: NoiseModel) -> dict[str, Any]:
    """The model as attributes of a file."""
    words = {name: getattr(model, name).value for name in _OPTIONS}
    return {"depth": model.depth, "seed": model.seed, **words}


def read_experiment(path: Path, contents: Contents, game: Game) -> tuple[NoiseTable, Optimum]:
    """The runs that a noise file holds, and what they are compared with.

    ``game`` is the one that the file is of. Raises UserError if the file contradicts itself.
    """
    try:
        study = _read_study(contents, game)
        return _read_table(contents, study), _read_optimum(contents, study)
    except (MalformedError, UserError, ValueError) as error:
        raise malformed(path, str(error)) from None


def _read_study(contents: Contents, game: Game) -> NoiseStudy:
    """The experiment of a file; MalformedError, ValueError or UserError for what is none."""
    words = {name: attribute(contents, name, str) for name in _OPTIONS}
    options: dict[str, Any] = {name: kind(words[name]) for name, kind in _OPTIONS.items()}
    depth, seed = (int(contents.attributes[name]) for name in ("depth", "seed"))
    model = NoiseModel(depth=depth, seed=seed, **options)
    opener = game.words.guesses.find(str(contents.attributes["opener"]))
    units = column(contents, "noise/level", NOISE_COLUMNS["level"]).tolist()
    levels = tuple(Fraction(unit, LEVEL_UNITS) for unit in units)
    if list(levels) != sorted(set(levels)):
        raise MalformedError("its levels are not in their order")
    for level in levels:
        model.check(level)
    return NoiseStudy(game, model, opener, levels)


def _read_table(contents: Contents, study: NoiseStudy) -> NoiseTable:
    """The runs that a file holds; MalformedError for what cannot be true."""
    columns = {name: column(contents, f"noise/{name}", of) for name, of in NOISE_COLUMNS.items()}
    sizes = _integers([len(position.state) for position in study.positions])
    if not np.array_equal(columns["state_answers"], sizes):
        raise MalformedError("its states are not those that the opener leaves")
    searched, followed = (columns[name].astype(np.bool_) for name in ("searched", "followed"))
    distribution = columns["distribution"]
    expected = (searched @ sizes + study.opener_found[1])[:, np.newaxis]
    if (distribution.sum(axis=2) != expected).any():
        raise MalformedError("a distribution does not add up to the answers")
    numerators = columns["departure_numerator"].tolist()
    denominators = columns["departure_denominator"].tolist()
    if any((n <= 0 or d <= 0) and n != d for n, d in zip(numerators, denominators, strict=True)):
        raise MalformedError("a departure is no level")
    departure = [
        None if d == 0 else Fraction(n, d) for n, d in zip(numerators, denominators, strict=True)
    ]
    if any(level is not None and level > MAX_FOLLOWED for level in departure):
        raise MalformedError("a departure is above those that are looked for")
    table = NoiseTable(study, searched, followed, distribution, departure)
    for name, values in _figures(table).items():
        if not np.array_equal(values, columns[name], equal_nan=values.dtype.kind == "f"):
            raise MalformedError(f"noise/{name} is not what its runs come to")
    return table


def _read_optimum(contents: Contents, study: NoiseStudy) -> Optimum:
    """What the runs are compared with; MalformedError for what cannot be true."""
    names = ("optimal", "state_answers", "state_weight", "state_slack")
    columns = [column(contents, f"noise/{name}", NOISE_COLUMNS[name]) for name in names]
    turns, *parts = columns
    terms = zip(*(each.tolist() for each in parts), strict=True)
    optimum = Optimum(np.concatenate([[0], turns]), [PartBound(*each) for each in terms])
    told = study.game.answer_count, contents.attributes["exact_total"]
    if (turns.sum(), optimum.total) != told:
        raise MalformedError("the optimum does not add up")
    return optimum


def _units(study: NoiseStudy) -> NDArray[np.int64]:
    """The levels in millionths."""
    return _integers([int(level * LEVEL_UNITS) for level in study.levels])


def _integers(values: list[int]) -> NDArray[np.int64]:
    return np.array(values, np.int64)
