"""Noise files: every run of a noise experiment at every level."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.experiments.noise.model import LEVEL_UNITS, MAX_FOLLOWED, NoiseModel
from gpu_wordle.experiments.noise.study import NoiseStudy
from gpu_wordle.experiments.noise.table import NoiseTable, Optimum
from gpu_wordle.store.contents import Contents, MalformedError, malformed
from gpu_wordle.store.form import NOISE, NOISE_COLUMNS, column
from gpu_wordle.store.job_files import JobFile
from gpu_wordle.store.provenance import other_job


class NoiseFile(JobFile):
    """The file of a noise experiment; see experiments/noise/job.py.

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
        try:
            table = read_table(old, self._study)
        except MalformedError as error:
            raise malformed(self.path, str(error)) from None
        levels = column(old, "noise/level", NOISE_COLUMNS["level"])
        asked = _units(self._study)
        if not np.array_equal(levels, asked):
            spelled = (" ".join(f"{u / LEVEL_UNITS:.6%}" for u in each) for each in (levels, asked))
            raise other_job(self.path, "levels", *spelled)
        return table

    def save(self, table: NoiseTable, optimum: Optimum) -> None:
        """Write the file, which is held; JobError if that cannot be done."""
        self.contents.attributes["exact_total"] = optimum.total
        done = table.is_done[:, np.newaxis]
        departure = table.departure
        columns: dict[str, NDArray[Any]] = {
            "level": _units(table.study),
            "status": table.is_done.astype(np.int8),
            "distribution": table.distribution,
            "total": table.total,
            "mean": np.where(done, table.total / table.study.game.answer_count, np.nan),
            "worst": table.worst.astype(np.int16),
            "lost": table.lost.astype(np.int32),
            "departure_numerator": _integers([0 if d is None else d.numerator for d in departure]),
            "departure_denominator": _integers(
                [0 if d is None else d.denominator for d in departure]
            ),
            "first_departure": np.array(
                [np.nan if d is None else float(100 * d) for d in departure]
            ),
        }
        for name, values in columns.items():
            self.contents.datasets[f"noise/{name}"] = NOISE_COLUMNS[name].dataset(values)
        self.write()


def told(model: NoiseModel) -> dict[str, Any]:
    """The model as attributes of a file."""
    return {
        "depth": model.depth,
        "seed": model.seed,
        "noise": model.noise.value,
        "small": model.small.value,
        "limit": model.limit.value,
        "draws": model.draws.value,
        "per": model.per.value,
        "after": model.after.value,
    }


def read_table(contents: Contents, study: NoiseStudy) -> NoiseTable:
    """The runs that a file holds; MalformedError for what cannot be true."""
    columns = {name: column(contents, f"noise/{name}", of) for name, of in NOISE_COLUMNS.items()}
    is_done = columns["status"].astype(np.bool_)
    distribution = columns["distribution"]
    expected = np.where(is_done, study.game.answer_count, 0)[:, np.newaxis]
    if (distribution < 0).any() or (distribution.sum(axis=2) != expected).any():
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
    table = NoiseTable(study, is_done, distribution, departure)
    for name, values in (("total", table.total), ("worst", table.worst), ("lost", table.lost)):
        if not np.array_equal(values, columns[name]):
            raise MalformedError(f"noise/{name} is not what its distributions come to")
    return table


def _units(study: NoiseStudy) -> NDArray[np.int64]:
    """The levels in millionths."""
    return _integers([int(level * LEVEL_UNITS) for level in study.levels])


def _integers(values: list[int]) -> NDArray[np.int64]:
    return np.array(values, np.int64)
