"""The form of files of each kind: attributes, and arrays with types, shapes and ranges.

fitting.py checks files by these tables, before they are written and after they are read. Code that
reads a checked file need not test whether anything is there, or is in its range.
"""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from gpu_wordle.experiments.coach import Label, Mark
from gpu_wordle.experiments.noise.machine.draws import MAX_SEED, Kind
from gpu_wordle.experiments.noise.model import (
    LEVEL_UNITS,
    MAX_DEPTH,
    MAX_LEVEL,
    After,
    Draws,
    Limit,
    Per,
    Small,
)
from gpu_wordle.experiments.transcripts import Fault
from gpu_wordle.game.games import MAX_FEEDBACK
from gpu_wordle.game.objective import MAX_GUESS_LIMIT
from gpu_wordle.game.rule import Rule
from gpu_wordle.game.values import INFEASIBLE
from gpu_wordle.game.word_list import MAX_LENGTH
from gpu_wordle.game.words import MAX_ANSWERS
from gpu_wordle.ranking.openers import UNKNOWN, Status
from gpu_wordle.ranking.statistics import STATISTICS
from gpu_wordle.states.tree import NO_PARENT
from gpu_wordle.store.contents import Column
from gpu_wordle.store.league_form import LEAGUE_ATTRIBUTES, LEAGUE_COLUMNS

RANKING = "gpu-wordle ranking"
TREE = "gpu-wordle tree"
ANALYSIS = "gpu-wordle analysis"
SIMULATION = "gpu-wordle simulation"
PAIRS = "gpu-wordle pairs"
NOISE = "gpu-wordle noise"
LEAGUE = "gpu-wordle league"


MAX_TEXT = 2**17
"""Longest text, in characters; equal to the longest field of a CSV file."""

MAX_WORK = 2**62
"""Largest number of states, seconds and the like. A sum of two stays within 64 bits."""

MAX_TURNS = 2**15 - 1
"""Most turns of a strategy: a column of turns can hold no more."""


_GUESS = ("guess",)
_BY_TURN = ("guess", "turn")

OPENERS = {
    "lower": Column(
        np.int64, "guesses", f"proven lower bound of the total; {INFEASIBLE}: no strategy",
        _GUESS, INFEASIBLE, most=INFEASIBLE,
    ),
    "upper": Column(
        np.int64, "guesses", f"total of a known strategy; {INFEASIBLE}: none known",
        _GUESS, INFEASIBLE, most=INFEASIBLE,
    ),
    "status": Column(
        np.int8, "code", ", ".join(f"{status.value}: {status.name.lower()}" for status in Status),
        _GUESS, codes={status.name.lower(): status.value for status in Status}, most=max(Status),
    ),
    "worst": Column(
        np.int16, "guesses", "turn on which the last answer is found; 0: no strategy extracted",
        _GUESS, 0, most=MAX_TURNS,
    ),
    "distribution": Column(
        np.int32, "answers", f"answers found on turn 1, 2, ... by the strategy; {UNKNOWN}: unknown",
        _BY_TURN, UNKNOWN, least=UNKNOWN, most="answer",
    ),
    "weight_distribution": Column(
        np.int64, "weight", f"weight of the answers found on turn 1, 2, ...; {UNKNOWN}: unknown",
        _BY_TURN, UNKNOWN, is_required=False, least=UNKNOWN, most="weight",
    ),
    "failures": Column(
        np.int32, "answers", f"answers that the strategy does not find; {UNKNOWN}: unknown",
        _GUESS, UNKNOWN, is_required=False, least=UNKNOWN, most="answer",
    ),
    "solvable": Column(
        np.int64, "weight", f"most that any strategy finds in time; {UNKNOWN}: unknown",
        _GUESS, UNKNOWN, is_required=False, least=UNKNOWN, most="weight",
    ),
    "height": Column(
        np.int16, "guesses", "guesses on the longest path of the strategy; 0: none extracted",
        _GUESS, 0, most=MAX_TURNS,
    ),
    "expanded": Column(
        np.int64, "states", "states expanded by the search; depends on what was solved before",
        _GUESS, most=MAX_WORK,
    ),
    "seconds": Column(np.float64, "s", "CPU time of the search", _GUESS, most=MAX_WORK),
}  # fmt: skip

TREES = {
    "guess": Column(np.int32, "index", "guess of each node, in preorder", ("node",), most="guess"),
    "parent": Column(
        np.int32, "index", "node before; -1 at the root", ("node",), least=NO_PARENT, most="node"
    ),
    "pattern": Column(
        np.uint16, "pattern", "feedback to the parent's guess that leads here", ("node",),
        most=MAX_FEEDBACK,
    ),
    "answers": Column(
        np.uint16, "index", "answers that the tree is for", ("possible",), most="answer"
    ),
}  # fmt: skip

_PLAYED = ("played",)
_FRACTION = r"(-?[0-9]+(/[0-9]+)?)?"


def _of_turns(
    dtype: DTypeLike, units: str, keys: dict[str, str], **limits: Any
) -> dict[str, Column]:
    """Return columns of one type over the turns of games."""
    return {name: Column(dtype, units, said, _PLAYED, **limits) for name, said in keys.items()}


TURNS = {
    **_of_turns(np.int64, "number", {
        "game_number": "place of the game among those given, from 1",
    }, least=1, most=MAX_WORK),
    **_of_turns(np.int64, "number", {
        "turn": "number of the turn; -1 of a guess that is in no list",
    }, least=-1, most=MAX_WORK),
    **_of_turns(np.int64, "number", {
        "answers_before": "answers possible before the turn",
        "answers_after": "answers possible after it; -1: unknown",
    }, least=-1, most="answer"),
    **_of_turns(np.int64, "number", {
        "guaranteed": "1 if the guess is a guaranteed win, 0 if not",
    }, least=-1, most=1),
    **_of_turns(np.str_, "text", {
        "player": "who played",
        "guess": "the guess",
        "pattern": "its feedback; empty: unknown",
    }, most=MAX_TEXT),
    **_of_turns(np.str_, "text", {
        "fault": f"{', '.join(Fault)}; empty if all is well",
    }, most=MAX_TEXT, form=f"({'|'.join(Fault)})?"),
    **_of_turns(np.str_, "text", {
        "label": f"{', '.join(Label)}; empty: unknown",
    }, most=MAX_TEXT, is_required=False, form=f"({'|'.join(Label)})?"),
    **_of_turns(np.str_, "text", {
        "marks": f"{', '.join(Mark)}; empty: none",
    }, most=MAX_TEXT, is_required=False, form=f"(({'|'.join(Mark)})(, (?!$)|$))*"),
    **_of_turns(np.str_, "text", {
        "coach": "comment on the turn in plain words",
    }, most=MAX_TEXT, is_required=False),
    **_of_turns(np.str_, "text", {
        "value_before_fraction": "value before the turn: total by answers",
        "value_guess_fraction": "value of the guess: total by answers",
        "value_after_fraction": "value after the turn: total by answers",
        "regret_fraction": "value of the guess less that of the best",
        "luck_fraction": "expected value after the guess less the real one",
    }, most=MAX_TEXT, form=_FRACTION),
    **_of_turns(np.float64, "guesses", {
        "value_before": "guesses of an answer on average from there on, at best",
        "value_guess": "the same by the guess made",
        "value_after": "the same after the feedback",
        "regret": "value of the guess less that of the best",
    }, most=INFEASIBLE, may_be_nan=True),
    **_of_turns(np.float64, "guesses", {
        "luck": "expected value after the guess less the real one",
    }, least=-INFEASIBLE, most=INFEASIBLE, may_be_nan=True),
}  # fmt: skip

_ROW = ("row",)
GAMES = {
    "strategies": Column(np.str_, "name", "what is played", ("strategy",), least=1, most=MAX_TEXT),
    "strategy": Column(
        np.int16, "index", "place of the row's strategy in strategies", _ROW, most="strategy"
    ),
    "opener": Column(np.int32, "index", "first guess of the games of the row", _ROW, most="guess"),
    "status": Column(
        np.int8, "code", "0: waiting, 1: played", _ROW, codes={"waiting": 0, "played": 1}, most=1,
        take=lambda games: games.is_played,
    ),
    "total": Column(
        np.int64, "guesses", f"over all answers; {UNKNOWN}: some answer is never found", _ROW,
        UNKNOWN, least=UNKNOWN, most=INFEASIBLE, follows=True,
    ),
    "mean": Column(
        np.float64, "guesses", "of an answer; NaN: some answer is never found", _ROW,
        most=MAX_TURNS, may_be_nan=True, follows=True,
    ),
    "worst": Column(
        np.int16, "guesses",
        f"turn on which the last answer is found; {UNKNOWN}: some answer is never found", _ROW,
        UNKNOWN, least=UNKNOWN, most=MAX_TURNS, follows=True,
    ),
    "lost": Column(
        np.int32, "answers", f"not found within the guess limit; {UNKNOWN}: not played", _ROW,
        UNKNOWN, least=UNKNOWN, most="answer", follows=True,
    ),
    "distribution": Column(
        np.int32, "answers", f"found on turn 1, 2, ...; {UNKNOWN}: not played", ("row", "turn"),
        UNKNOWN, least=UNKNOWN, most="answer", follows=True,
    ),
    "exact_total": Column(
        np.int64, "guesses",
        f"of the best strategy with that opener; {UNKNOWN}: unknown; -2: no guaranteed win", _ROW,
        UNKNOWN, least=-2, most=INFEASIBLE,
    ),
    "turns": Column(
        np.uint8, "guesses", "turn on which the answer is found; 0: never, or not played",
        ("row", "answer"), 0, is_required=False, most=np.iinfo(np.uint8).max,
    ),
}  # fmt: skip

_MOST_OF = {
    "bits": np.log2(MAX_ANSWERS),
    "patterns": MAX_FEEDBACK + 1,
    "guesses": 3 * MAX_ANSWERS,  # the bound by parts is at most this
}
"""The greatest statistic in some units.

Others are bounded by one letter or tile for each answer.
"""

STATISTICS_OF_GUESSES = {
    name: Column(
        np.float64, each.units, each.description, _GUESS, is_required=False,
        most=_MOST_OF.get(each.units, MAX_LENGTH * MAX_ANSWERS),
    )
    for name, each in STATISTICS.items()
}  # fmt: skip

_PAIR = ("pair",)

PAIR_COLUMNS = {
    "first": Column(
        np.int32, "index", "guess that is made first", _PAIR, most="guess",
        take=lambda totals: totals.pairs.first,
    ),
    "second": Column(
        np.int32, "index", "guess that is made second", _PAIR, most="guess",
        take=lambda totals: totals.pairs.second,
    ),
    "key": Column(
        np.int64, "key", "what pairs are compared by, less is better: the bound of the total, or "
        "by entropy the sum of c log2 c over the parts, times 2**24", _PAIR, most=MAX_WORK,
        take=lambda totals: totals.pairs.key,
    ),
    "parts": Column(
        np.int32, "parts", "parts that both guesses make together", _PAIR, least=1, most="answer"
    ),
    "lower": replace(OPENERS["lower"], dimensions=_PAIR),
    "upper": replace(OPENERS["upper"], dimensions=_PAIR),
    "status": replace(OPENERS["status"], dimensions=_PAIR),
}  # fmt: skip

SURVEY = {
    "histogram": Column(
        np.int64, "pairs", "pairs by their number of parts, or by tenths of bits of entropy",
        ("measured",), most=INFEASIBLE,
    ),
}  # fmt: skip

_BY_LEVEL = ("run", "level")

_BY_STATE = ("run", "state")

NOISE_COLUMNS = {
    "level": Column(
        np.int64, "1e-6", "levels of noise, in millionths", ("level",),
        most=int(MAX_LEVEL * LEVEL_UNITS), take=lambda runs: runs.study.level_units,
    ),
    "status": Column(
        np.int8, "code", "0: waiting, 1: searched", ("run",), codes={"waiting": 0, "searched": 1},
        most=1, take=lambda runs: runs.is_done, follows=True,
    ),
    "searched": Column(
        np.int8, "1", "whether a run is searched on a state that the opener leaves", _BY_STATE,
        most=1,
    ),
    "followed": Column(
        np.int8, "1", "whether it is followed there to where it leaves the optimum", _BY_STATE,
        most=1,
    ),
    "distribution": Column(
        np.int32, "answers", "found on turn 1, 2, ..., as far as the run is searched",
        ("run", "level", "turn"), most="answer",
    ),
    "total": Column(
        np.int64, "guesses", "over all answers, as far as searched", _BY_LEVEL, most=INFEASIBLE,
        follows=True,
    ),
    "mean": Column(
        np.float64, "guesses", "of an answer; NaN: not searched to its end", _BY_LEVEL,
        most=MAX_TURNS, may_be_nan=True, follows=True,
    ),
    "worst": Column(
        np.int16, "guesses", "turn on which the last answer is found, likewise", _BY_LEVEL,
        most=MAX_TURNS, follows=True,
    ),
    "lost": Column(
        np.int32, "answers", "not found within the guess limit, likewise", _BY_LEVEL, most="answer",
        follows=True,
    ),
    "departure_numerator": Column(
        np.int64, "level", "level at which the run first leaves the optimum, as a fraction; "
        "0: it does so above 50 %, or is not followed", ("run",), 0, most=MAX_WORK,
        take=lambda runs: [0 if level is None else level.numerator for level in runs.departure],
    ),
    "departure_denominator": Column(
        np.int64, "1", "its denominator; 0 likewise", ("run",), 0, most=MAX_WORK,
        take=lambda runs: [0 if level is None else level.denominator for level in runs.departure],
    ),
    "first_departure": Column(
        np.float64, "%", "the same level; NaN likewise", ("run",), most=100, may_be_nan=True,
        take=lambda runs: [np.nan if level is None else 100 * level for level in runs.departure],
        follows=True,
    ),
    "optimal": Column(
        np.int32, "answers", "found by optimal play on turn 1, 2, ...", ("optimal_turn",),
        most="answer", take=lambda runs: runs.optimum.turns[1:],
    ),
    "state_answers": Column(
        np.int64, "answers", "of the states that the opener leaves, most first", ("state",),
        least=1, most="answer", take=lambda runs: [part.answers for part in runs.optimum.parts],
    ),
    "state_weight": Column(
        np.int64, "guesses", "W* of the theorem: what draws weigh with optimal play", ("state",),
        most=INFEASIBLE, take=lambda runs: [part.weight for part in runs.optimum.parts],
    ),
    "state_slack": Column(
        np.int64, "guesses", "s of the theorem: what optimal play costs before the noise beyond "
        "the least", ("state",), most=INFEASIBLE,
        take=lambda runs: [part.slack for part in runs.optimum.parts],
    ),
}  # fmt: skip

WORDS = {
    "guesses": Column(np.str_, "word", "", _GUESS, least=1, most=MAX_TEXT),
    "answers": Column(np.str_, "word", "", ("answer",), least=1, most=MAX_TEXT),
    "weights": Column(
        np.int64, "weights_unit", "", ("answer",), is_required=False, most=INFEASIBLE
    ),
}
FORMS = {
    RANKING: {"openers": OPENERS, "statistics": STATISTICS_OF_GUESSES},
    TREE: {"trees": TREES},
    ANALYSIS: {"turns": TURNS},
    SIMULATION: {"games": GAMES},
    PAIRS: {"pairs": PAIR_COLUMNS, "survey": SURVEY},
    NOISE: {"noise": NOISE_COLUMNS},
    LEAGUE: {"league": LEAGUE_COLUMNS},
}
MODEL_OPTIONS: dict[str, type[StrEnum]] = {
    "noise": Kind,
    "small": Small,
    "limit": Limit,
    "draws": Draws,
    "per": Per,
    "after": After,
}
"""The attributes that describe a noise model in words, with their values."""

_TEXT, _SHA256 = "(?s).*", "[0-9a-f]{64}"
_TIME = r"[0-9]{4}(-[0-9]{2}){2}T[0-9]{2}(:[0-9]{2}){2}(\.[0-9]+)?([+-][0-9]{2}:[0-9]{2}|Z)?"

Attribute = str | tuple[int, int]
"""An expression that a text must match as a whole, or the least and the greatest whole number."""

ATTRIBUTES: dict[str, Attribute] = {
    "filetype": _TEXT,
    "schema_version": (1, 2**31),
    "program_version": _TEXT,
    "created": _TIME,
    "updated": _TIME,
    "backend": _TEXT,
    "device": _TEXT,
    "guesses_sha256": _SHA256,
    "answers_sha256": _SHA256,
    "weights_sha256": _SHA256,
    "rule": "|".join(Rule),
    "objective": _TEXT,
    "max_guesses": (0, MAX_GUESS_LIMIT),
    "state": _TEXT,
}
"""Attributes that every file has."""

ATTRIBUTES_OF: dict[str, dict[str, Attribute]] = {
    SIMULATION: {"choice": _TEXT, "seed": (0, 2**63 - 1)},
    PAIRS: {
        "measure": "parts|entropy",
        "first": _TEXT,
        "counted": (0, 2**31),
        "others": "none|[0-9]{1,18}",
    },
    NOISE: {
        "opener": _TEXT,
        "seed": (0, MAX_SEED),
        "depth": (1, MAX_DEPTH),
        "exact_total": (0, INFEASIBLE),
        **{name: "|".join(choices) for name, choices in MODEL_OPTIONS.items()},
    },
    LEAGUE: LEAGUE_ATTRIBUTES,
}
"""Attributes that files of one kind have besides."""

MORE_ATTRIBUTES: dict[str, Attribute] = {
    "git_commit": _TEXT,
    "command": _TEXT,
    "feedback": _TEXT,
    "weights_unit": r"[0-9]{1,40}(/[0-9]{1,40})?",
    "seed": (0, 2**63 - 1),
    "rules_version": (1, 2**31),
    "opener": _TEXT,
    "value": (0, INFEASIBLE),
    "total": (0, INFEASIBLE),
}
"""Attributes that a file may lack, as older files and other kinds do."""

IN_WORDS = {
    RANKING: "a ranking is",
    TREE: "a tree is",
    ANALYSIS: "an analysis is",
    SIMULATION: "a simulation is",
    PAIRS: "pairs are",
    NOISE: "a noise experiment is",
    LEAGUE: "a league is",
}
"""The contents of a file of each kind, as messages name them."""
