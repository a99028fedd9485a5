"""What files of each kind must hold: attributes, and arrays of known types and shapes.

Whoever reads a file that has passed need not look again whether anything is there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from gpu_wordle.errors import UserError
from gpu_wordle.game.rule import Rule
from gpu_wordle.game.values import INFEASIBLE
from gpu_wordle.ranking.openers import UNKNOWN, Status
from gpu_wordle.ranking.statistics import STATISTICS
from gpu_wordle.store.contents import Contents, Dataset, MalformedError
from gpu_wordle.store.provenance import attribute, read_objective, sha256_of

RANKING = "gpu-wordle ranking"
TREE = "gpu-wordle tree"
ANALYSIS = "gpu-wordle analysis"
SIMULATION = "gpu-wordle simulation"
PAIRS = "gpu-wordle pairs"
NOISE = "gpu-wordle noise"


@dataclass(frozen=True)
class Column:
    """A dataset as files hold it; see Dataset for what is not said here.

    Attributes:
        dtype: what it is read into; files may hold any type of number that fits into it.
        is_required: whether every file of the kind has it.
    """

    dtype: DTypeLike
    units: str
    description: str
    dimensions: tuple[str, ...]
    unknown: int | None = None
    codes: Mapping[str, int] = field(default_factory=dict)
    is_required: bool = True

    def dataset(self, values: NDArray[Any]) -> Dataset:
        """The dataset that holds ``values``."""
        return Dataset(
            values, self.units, self.description, self.dimensions, self.unknown, self.codes
        )


_GUESS = ("guess",)
_BY_TURN = ("guess", "turn")

OPENERS = {
    "lower": Column(
        np.int64, "guesses", f"proven lower bound of the total; {INFEASIBLE}: no strategy",
        _GUESS, INFEASIBLE,
    ),
    "upper": Column(
        np.int64, "guesses", f"total of a known strategy; {INFEASIBLE}: none known",
        _GUESS, INFEASIBLE,
    ),
    "status": Column(
        np.int8, "code", ", ".join(f"{status.value}: {status.name.lower()}" for status in Status),
        _GUESS, codes={status.name.lower(): status.value for status in Status},
    ),
    "worst": Column(
        np.int16, "guesses", "turn on which the last answer is found; 0: no strategy extracted",
        _GUESS, 0,
    ),
    "distribution": Column(
        np.int32, "answers", f"answers found on turn 1, 2, ... by the strategy; {UNKNOWN}: unknown",
        _BY_TURN, UNKNOWN,
    ),
    "weight_distribution": Column(
        np.int64, "weight", f"weight of the answers found on turn 1, 2, ...; {UNKNOWN}: unknown",
        _BY_TURN, UNKNOWN, is_required=False,
    ),
    "failures": Column(
        np.int32, "answers", f"answers that the strategy does not find; {UNKNOWN}: unknown",
        _GUESS, UNKNOWN, is_required=False,
    ),
    "solvable": Column(
        np.int64, "weight", f"most that any strategy finds in time; {UNKNOWN}: unknown",
        _GUESS, UNKNOWN, is_required=False,
    ),
    "height": Column(
        np.int16, "guesses", "guesses on the longest path of the strategy; 0: none extracted",
        _GUESS, 0,
    ),
    "expanded": Column(
        np.int64, "states", "states expanded by the search; depends on what was solved before",
        _GUESS,
    ),
    "seconds": Column(np.float64, "s", "CPU time of the search", _GUESS),
}  # fmt: skip

TREES = {
    "guess": Column(np.int32, "index", "guess of each node, in preorder", ("node",)),
    "parent": Column(np.int32, "index", "node before; -1 at the root", ("node",)),
    "pattern": Column(
        np.uint16, "pattern", "feedback to the parent's guess that leads here", ("node",)
    ),
    "answers": Column(np.uint16, "index", "answers that the tree is for", ("possible",)),
}

_PLAYED = ("played",)


def _of_turns(dtype: DTypeLike, units: str, keys: dict[str, str]) -> dict[str, Column]:
    """Columns of one type over the turns of games."""
    return {name: Column(dtype, units, said, _PLAYED) for name, said in keys.items()}


TURNS = {
    **_of_turns(np.int64, "number", {
        "game_number": "place of the game among those given, from 1",
        "turn": "number of the turn; -1 of a guess that is in no list",
        "answers_before": "answers possible before the turn",
        "answers_after": "answers possible after it; -1: unknown",
        "guaranteed": "1 if every answer can surely be found in time after the guess, 0 if not",
    }),
    **_of_turns(np.str_, "text", {
        "player": "who played",
        "guess": "the guess",
        "pattern": "its feedback; empty: unknown",
        "fault": "unknown, illegal or contradictory; empty if all is well",
        "value_before_fraction": "value before the turn: total by answers",
        "value_guess_fraction": "value of the guess: total by answers",
        "value_after_fraction": "value after the turn: total by answers",
        "regret_fraction": "value of the guess less that of the best",
        "luck_fraction": "expected value after the guess less the real one",
    }),
    **_of_turns(np.float64, "guesses", {
        "value_before": "guesses of an answer on average from there on, at best",
        "value_guess": "the same by the guess made",
        "value_after": "the same after the feedback",
        "regret": "value of the guess less that of the best",
        "luck": "expected value after the guess less the real one",
    }),
}  # fmt: skip

_ROW = ("row",)
GAMES = {
    "strategies": Column(np.str_, "name", "what is played", ("strategy",)),
    "strategy": Column(np.int16, "index", "place of the row's strategy in strategies", _ROW),
    "opener": Column(np.int32, "index", "first guess of the games of the row", _ROW),
    "status": Column(
        np.int8, "code", "0: waiting, 1: played", _ROW, codes={"waiting": 0, "played": 1}
    ),
    "total": Column(
        np.int64, "guesses", f"over all answers; {UNKNOWN}: some answer is never found", _ROW,
        UNKNOWN,
    ),
    "mean": Column(np.float64, "guesses", "of an answer; NaN: some answer is never found", _ROW),
    "worst": Column(
        np.int16, "guesses",
        f"turn on which the last answer is found; {UNKNOWN}: some answer is never found", _ROW,
        UNKNOWN,
    ),
    "lost": Column(
        np.int32, "answers", f"not found within the guess limit; {UNKNOWN}: not played", _ROW,
        UNKNOWN,
    ),
    "distribution": Column(
        np.int32, "answers", f"found on turn 1, 2, ...; {UNKNOWN}: not played", ("row", "turn"),
        UNKNOWN,
    ),
    "exact_total": Column(
        np.int64, "guesses",
        f"of the best strategy with that opener; {UNKNOWN}: unknown; -2: none surely wins", _ROW,
        UNKNOWN,
    ),
    "turns": Column(
        np.uint8, "guesses", "turn on which the answer is found; 0: never, or not played",
        ("row", "answer"), 0,
    ),
}  # fmt: skip

STATISTICS_OF_GUESSES = {
    name: Column(np.float64, each.units, each.description, _GUESS, is_required=False)
    for name, each in STATISTICS.items()
}

_PAIR = ("pair",)

PAIR_COLUMNS = {
    "first": Column(np.int32, "index", "guess that is made first", _PAIR),
    "second": Column(np.int32, "index", "guess that is made second", _PAIR),
    "key": Column(
        np.int64, "key", "what pairs are compared by, less is better: the bound of the total, or "
        "by entropy the sum of c log2 c over the parts, times 2**24", _PAIR,
    ),
    "parts": Column(np.int32, "parts", "parts that both guesses make together", _PAIR),
    "lower": replace(OPENERS["lower"], dimensions=_PAIR),
    "upper": replace(OPENERS["upper"], dimensions=_PAIR),
    "status": replace(OPENERS["status"], dimensions=_PAIR),
}  # fmt: skip

SURVEY = {
    "histogram": Column(
        np.int64, "pairs", "pairs by their number of parts, or by tenths of bits of entropy",
        ("measured",),
    ),
}  # fmt: skip

_BY_LEVEL = ("run", "level")

_BY_STATE = ("run", "state")

NOISE_COLUMNS = {
    "level": Column(np.int64, "1e-6", "levels of noise, in millionths", ("level",)),
    "status": Column(
        np.int8, "code", "0: waiting, 1: searched", ("run",), codes={"waiting": 0, "searched": 1}
    ),
    "searched": Column(
        np.int8, "1", "whether a run is searched on a state that the opener leaves", _BY_STATE
    ),
    "followed": Column(
        np.int8, "1", "whether it is followed there to where it leaves the optimum", _BY_STATE
    ),
    "distribution": Column(
        np.int32, "answers", "found on turn 1, 2, ..., as far as the run is searched",
        ("run", "level", "turn"),
    ),
    "total": Column(np.int64, "guesses", "over all answers, as far as searched", _BY_LEVEL),
    "mean": Column(np.float64, "guesses", "of an answer; NaN: not searched to its end", _BY_LEVEL),
    "worst": Column(
        np.int16, "guesses", "turn on which the last answer is found, likewise", _BY_LEVEL
    ),
    "lost": Column(np.int32, "answers", "not found within the guess limit, likewise", _BY_LEVEL),
    "departure_numerator": Column(
        np.int64, "level", "level at which the run first leaves the optimum, as a fraction; "
        "0: it does so above 50 %, or is not followed", ("run",), 0,
    ),
    "departure_denominator": Column(np.int64, "1", "its denominator; 0 likewise", ("run",), 0),
    "first_departure": Column(np.float64, "%", "the same level; NaN likewise", ("run",)),
    "optimal": Column(
        np.int32, "answers", "found by optimal play on turn 1, 2, ...", ("optimal_turn",)
    ),
    "state_answers": Column(
        np.int64, "answers", "of the states that the opener leaves, most first", ("state",)
    ),
    "state_weight": Column(
        np.int64, "guesses", "W* of the theorem: what draws weigh with optimal play", ("state",)
    ),
    "state_slack": Column(
        np.int64, "guesses", "s of the theorem: what optimal play costs before the noise beyond "
        "the least", ("state",),
    ),
}  # fmt: skip

_WORDS = {
    "guesses": Column(np.str_, "word", "", _GUESS),
    "answers": Column(np.str_, "word", "", ("answer",)),
    "weights": Column(np.int64, "weights_unit", "", ("answer",), is_required=False),
}
_FORMS = {
    RANKING: {"openers": OPENERS, "statistics": STATISTICS_OF_GUESSES},
    TREE: {"trees": TREES},
    ANALYSIS: {"turns": TURNS},
    SIMULATION: {"games": GAMES},
    PAIRS: {"pairs": PAIR_COLUMNS, "survey": SURVEY},
    NOISE: {"noise": NOISE_COLUMNS},
}
_TOLD: dict[str, dict[str, type]] = {
    SIMULATION: {"choice": str, "seed": int},
    PAIRS: {"measure": str, "first": str, "counted": int, "others": str},
    NOISE: {"opener": str, "seed": int, "depth": int, "exact_total": int},
}
"""Further attributes of files of a kind."""

_MAY_BE_EMPTY = {"state"}
"""Dimensions that may be empty: an opener that finds the only answer leaves no state."""

IN_WORDS = {
    RANKING: "a ranking is",
    TREE: "a tree is",
    ANALYSIS: "an analysis is",
    SIMULATION: "a simulation is",
    PAIRS: "pairs are",
    NOISE: "a noise experiment is",
}
"""What a file holds, as messages say it."""


def check_form(contents: Contents) -> None:
    """MalformedError unless a file holds what one of its kind must, in arrays that fit together."""
    for name in ("guesses_sha256", "answers_sha256", "weights_sha256", "objective", "state"):
        attribute(contents, name, str)
    attribute(contents, "max_guesses", int)
    for name, kind in _TOLD.get(str(contents.attributes["filetype"]), {}).items():
        attribute(contents, name, kind)
    if attribute(contents, "rule", str) not in {rule.value for rule in Rule}:
        raise MalformedError(f"there is no rule {contents.attributes['rule']!r}")
    sizes: dict[str, int] = {}
    _check_columns(contents, "words", _WORDS, sizes)
    for group, columns in _FORMS.get(str(contents.attributes["filetype"]), {}).items():
        _check_columns(contents, group, columns, sizes)
    if 0 in (size for name, size in sizes.items() if name not in _MAY_BE_EMPTY):
        raise MalformedError("some of its datasets are empty")
    for role in ("guesses", "answers"):
        if sha256_of(contents.values(f"words/{role}")) != contents.attributes[f"{role}_sha256"]:
            raise MalformedError(f"its {role} are not those of {role}_sha256")
    _check_objective(contents, sizes["answer"])


def column(contents: Contents, path: str, of: Column) -> NDArray[Any]:
    """A dataset as the type of its column."""
    return contents.values(path).astype(of.dtype)


def _check_columns(
    contents: Contents, group: str, columns: Mapping[str, Column], sizes: dict[str, int]
) -> None:
    """MalformedError unless a group holds the columns; ``sizes`` of dimensions are filled in."""
    for name, each in columns.items():
        path = f"{group}/{name}"
        if path in contents.datasets:
            _check_column(path, contents.values(path), each, sizes)
        elif each.is_required:
            raise MalformedError(f"it lacks {path}")


def _check_column(path: str, values: NDArray[Any], of: Column, sizes: dict[str, int]) -> None:
    """MalformedError unless an array is of a type, a shape and a range that fit."""
    wanted = np.dtype(of.dtype)
    fits = {"U": "U", "f": "iuf"}.get(wanted.kind, "iu")
    if values.dtype.kind not in fits:
        raise MalformedError(f"{path} is of the type {values.dtype}")
    expected = tuple(
        sizes.setdefault(d, n) for d, n in zip(of.dimensions, values.shape, strict=False)
    )
    if values.ndim != len(of.dimensions) or values.shape != expected:
        raise MalformedError(f"{path} has the shape {values.shape}")
    if wanted.kind in "iu" and values.size:
        limits = np.iinfo(wanted)
        if int(values.min()) < limits.min or int(values.max()) > limits.max:
            raise MalformedError(f"{path} holds numbers beyond {wanted}")
    if of.codes and not np.isin(values, list(of.codes.values())).all():
        raise MalformedError(f"{path} holds codes that stand for nothing")


def _check_objective(contents: Contents, answers: int) -> None:
    """MalformedError unless objective, limit and weights can be those of a game."""
    try:
        objective = read_objective(contents)
        objective.prices(answers)
    except (UserError, ValueError, ArithmeticError) as error:
        raise MalformedError(str(error)) from None
    if objective.weights_sha256 != contents.attributes["weights_sha256"]:
        raise MalformedError("its weights are not those of weights_sha256")
    weights = objective.weights
    if weights is not None and (min(weights.of_answer) < 0 or weights.unit <= 0):
        raise MalformedError("it has negative weights")
