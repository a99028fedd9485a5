"""The keys of machine output: each name means one thing, and has one type, in every verb.

A row is a ``TypedDict`` beside what makes it. Its annotations are the schema of JSON, CSV, Parquet
and OpenAPI, and say how tables show a value. Keys that several rows have are aliases here.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from types import UnionType
from typing import (
    Annotated,
    Any,
    TypedDict,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

SCHEMA = 2
"""Version of the schema. It is raised when a key is renamed or removed, or changes its type."""

Number = int | float
"""A sum of weights: whole, unless answers have decimal weights."""

Row = TypeVar("Row")


class Kind(StrEnum):
    """What the values of a key are; any of them may be unknown, which is null."""

    TEXT = "text"
    WHOLE = "whole number"
    NUMBER = "whole number, or decimal where answers have decimal weights"
    DECIMAL = "decimal"
    TRUTH = "true or false"
    COUNTS = "list of whole numbers"
    DECIMALS = "list of decimals"
    TEXTS = "list of texts"
    OBJECT = "object"


@dataclass(frozen=True)
class Key:
    """What an annotation says of a key.

    Attributes:
        meaning: what its values are.
        decimals: how many of them a table shows.
        heading: what stands above its column in a table, if not its name.
        kind: of its values, which the annotated type says.
    """

    meaning: str
    decimals: int = 0
    heading: str | None = None
    kind: Kind = Kind.TEXT


KEYS: dict[str, Key] = {}
"""Every key that was declared by the modules that are loaded; those of the envelope first."""

_KINDS: dict[Any, Kind] = {
    str: Kind.TEXT,
    int: Kind.WHOLE,
    float: Kind.DECIMAL,
    bool: Kind.TRUTH,
    Number: Kind.NUMBER,
    list[int]: Kind.COUNTS,
    list[float | None]: Kind.DECIMALS,
    list[str]: Kind.TEXTS,
}


def schema(row: type[Row]) -> type[Row]:
    """Declare the keys of a row; a name that other rows have, too, must mean the same there."""
    assert is_typeddict(row), "the schema of a row is a TypedDict"
    row.__annotations__ = get_type_hints(row, include_extras=True)
    for name, hint in row.__annotations__.items():
        kind, key = get_args(hint)
        found = replace(key, kind=_kind_of(kind))
        assert KEYS.setdefault(name, found) == found, name
    return row


def _kind_of(hint: Any) -> Kind:
    """The kind of the values of a type, which may be None besides."""
    if get_origin(hint) in (Union, UnionType):
        left = tuple(each for each in get_args(hint) if each is not type(None))
        hint = left[0] if len(left) == 1 else Union[left]  # noqa: UP007 - of as many as there are
    return _KINDS.get(hint, Kind.OBJECT)


MaxGuesses = Annotated[int | None, Key("guesses that there are; null for any number")]
Answers = Annotated[int | None, Key("answers that are possible")]
Opener = Annotated[str, Key("the next guess; at the start of a game, the first")]
IsCandidate = Annotated[bool, Key("whether it can be the answer", heading="can be\nanswer")]
Status = Annotated[str, Key("`exact`, `infeasible` or `bounded`")]
Exact = Annotated[bool, Key("whether the value is known, or that there is none")]
Infeasible = Annotated[bool, Key("whether no strategy finds every answer in time")]
Value = Annotated[int | None, Key("the value as the search knows it, one integer for all aims")]
Total = Annotated[Number | None, Key("guesses over all answers, by weight")]
Mean = Annotated[float | None, Key("guesses of an answer on average", decimals=4)]
Worst = Annotated[int | None, Key("turn on which the last answer is found")]
Distribution = Annotated[
    list[int] | None, Key("answers found on turn 1, 2, ...", heading="found on\nturn 1 2 ...")
]
Lower = Annotated[
    int | None,
    Key("proven lower bound of the value, or of the least one; null if there is no strategy"),
]
Upper = Annotated[
    int | None, Key("value of a known strategy, or of the best one; null if none is known")
]
Seconds = Annotated[float, Key("CPU time of the search; of a proof, time that passed", decimals=3)]
Guaranteed = Annotated[
    bool | None, Key("whether every answer can surely be found in time", heading="sure\nto win")
]
EntropyBits = Annotated[float, Key("Shannon entropy of the pattern, bits", decimals=3)]
StandardDeviation = Annotated[float, Key("of the sizes of the parts, empty ones too")]
Parts = Annotated[int, Key("patterns that occur")]
MaxPart = Annotated[int, Key("answers in the largest part")]
Pattern = Annotated[str | None, Key("feedback, as it is written", heading="colours")]
Best = Annotated[list[str], Key("the best guesses; of a proof that is not complete, so far")]
ExactOpeners = Annotated[int, Key("openers of a ranking whose value is exact")]
InfeasibleOpeners = Annotated[int, Key("those that cannot surely win")]
Strategy = Annotated[str, Key("how the game is played after the opener")]
Lost = Annotated[int, Key("answers not found within the guess limit")]
ExactTotal = Annotated[
    Number | None, Key("total of the best strategy with that opener, if it is known")
]
Gap = Annotated[Number | None, Key("by how much the total is more")]
Guess = Annotated[str, Key("the guess of a turn")]
Remaining = Annotated[list[str], Key("the answers that are possible")]
Turn = Annotated[int | None, Key("number of the turn; null of a guess that is in no list")]
AnswersBefore = Annotated[int, Key("answers possible before the turn", heading="answers\nbefore")]
AnswersAfter = Annotated[
    int | None,
    Key("answers possible after it; the answer that is found is one", heading="answers\nafter"),
]
SolveReport = Annotated[bool, Key("whether the answer was found")]
Skill = Annotated[float | None, Key("1 less the regrets by the turns, in guesses", decimals=4)]
Player = Annotated[str, Key("who played; empty if that is not said")]
Item = Annotated[str, Key("a table or figure of a document, by the name that reproduce takes")]
Out = Annotated[str, Key("the file that was written")]
Bytes = Annotated[int, Key("its size")]
Description = Annotated[str, Key("what it is")]
Folder = Annotated[str, Key("where they lie")]
"""Keys that several rows have."""


@schema
class Envelope(TypedDict):
    """What a document begins with."""

    schema: Annotated[int, Key("version of this schema")]
    program: Annotated[dict[str, Any], Key("`name` and `version` of the program")]
    verb: Annotated[str, Key("the verb that was called")]
    game: Annotated[
        dict[str, Any] | None,
        Key(
            "`guess_list`, `answer_list`, `guess_count`, `answer_count`, `feedback`, "
            "`guesses_sha256`, `answers_sha256`"
        ),
    ]
    rule: Annotated[str | None, Key("which guesses are legal")]
    objective: Annotated[str | None, Key("what is to be least")]
    max_guesses: MaxGuesses
    weights: Annotated[
        str | None, Key("where the weights of the answers come from; null if all are equal")
    ]
    state: Annotated[str | None, Key("guesses made and their feedback; empty at the start")]
    answers: Answers
    weight: Annotated[Number | None, Key("their weight; their number if all are equal")]


@schema
class Figures(TypedDict, total=False):
    """The figures of an objective: a row has those of its own."""

    within: Annotated[Number | None, Key("answers found within the turns asked for, by weight")]
    failures: Annotated[Number | None, Key("answers not found in time, by weight")]
    cost: Annotated[Number | None, Key("sum of the prices of the turns, by weight")]
    mean_cost: Annotated[float | None, Key("the same of an answer on average")]
    total: Total
    mean: Mean
    worst: Worst


@schema
class Statistics(TypedDict, total=False):
    """Statistics of a guess: a row has those that its game knows."""

    entropy_bits: EntropyBits
    weighted_entropy_bits: Annotated[float, Key("the same when answers are drawn by weight, bits")]
    standard_deviation: StandardDeviation
    parts: Parts
    max_part: MaxPart
    expected_part_size: Annotated[float, Key("answers expected to remain")]
    lower_bound: Annotated[int, Key("bound on the total by the number of parts")]
    greens: Annotated[int, Key("green tiles over all answers")]
    yellows: Annotated[int, Key("yellow tiles over all answers")]
    coloured_tiles: Annotated[float, Key("green and yellow tiles, on average over the answers")]
    common_characters: Annotated[int, Key("answers that hold a letter, over the letters")]


@schema
class Valued(Figures):
    """What is known of the value of a guess, and of a strategy that reaches it."""

    opener: Opener
    status: Status
    solvable: Annotated[Number | None, Key("most answers that can be found in time, by weight")]
    distribution: Distribution
    value: Value
    lower: Lower
    upper: Upper
    height: Annotated[int | None, Key("guesses on the longest path of the strategy")]
    expanded: Annotated[int, Key("states that the search expanded")]
    seconds: Seconds


ENVELOPE = tuple(Envelope.__annotations__)
"""The keys that stand in every JSON document, in their order."""
