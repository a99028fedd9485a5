"""The keys of machine output: each has one meaning and one type in all verbs.

A row is a ``TypedDict`` beside the code that makes it. Its annotations are the schema of JSON, CSV,
Parquet and OpenAPI, and say how tables show a value. Keys that several rows share are aliases here.
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
"""Version of the schema, raised when a key is renamed, removed or changes its type."""

Number = int | float
"""A sum of weights: whole, unless answers have decimal weights."""

Row = TypeVar("Row")


class Kind(StrEnum):
    """The types of values; any value may be unknown, which is null."""

    TEXT = "text"
    WHOLE = "whole number"
    NUMBER = "whole number, or decimal where answers have decimal weights"
    DECIMAL = "decimal"
    TRUTH = "true or false"
    COUNTS = "list of whole numbers"
    DECIMALS = "list of decimals"
    TEXTS = "list of texts"
    OBJECT = "object"


class Bar(StrEnum):
    """What a bar beside a number shows, in notebooks."""

    AMOUNT = "the number, from zero to the greatest of its column"
    SHARE = "a share of one"
    LOSS = "how far it is above the least of its column"
    COUNTS = "each number of a list"


@dataclass(frozen=True)
class Key:
    """The description of a key in an annotation.

    Attributes:
        meaning: the meaning of its values.
        decimals: number of decimals in tables.
        heading: the heading of its column in tables; by default its name.
        bar: the bar beside each value in notebooks, if any.
        kind: the type of its values, taken from the annotated type.
    """

    meaning: str
    decimals: int = 0
    heading: str | None = None
    bar: Bar | None = None
    kind: Kind = Kind.TEXT


KEYS: dict[str, Key] = {}
"""All keys declared by the loaded modules, those of the envelope first."""

_KINDS: dict[Any, Kind] = {
    str: Kind.TEXT,
    int: Kind.WHOLE,
    float: Kind.DECIMAL,
    bool: Kind.TRUTH,
    Number: Kind.NUMBER,
    list[int]: Kind.COUNTS,
    list[int | None]: Kind.COUNTS,
    list[float | None]: Kind.DECIMALS,
    list[str]: Kind.TEXTS,
}


def schema(row: type[Row]) -> type[Row]:
    """Declare the keys of a row; a key of several rows must have the same meaning in all."""
    assert is_typeddict(row), "the schema of a row is a TypedDict"
    row.__annotations__ = get_type_hints(row, include_extras=True)
    for name, hint in row.__annotations__.items():
        kind, key = get_args(hint)
        found = replace(key, kind=_kind_of(kind))
        assert KEYS.setdefault(name, found) == found, name
    return row


def _kind_of(hint: Any) -> Kind:
    """The kind of a type, ignoring None."""
    if get_origin(hint) in (Union, UnionType):
        left = tuple(each for each in get_args(hint) if each is not type(None))
        hint = left[0] if len(left) == 1 else Union[left]  # noqa: UP007 - any number of types
    return _KINDS.get(hint, Kind.OBJECT)


MaxGuesses = Annotated[int | None, Key("guess limit; null for any number")]
Answers = Annotated[int | None, Key("number of possible answers")]
Opener = Annotated[str, Key("the next guess; at the start of a game, the opener")]
IsCandidate = Annotated[bool, Key("whether it can be the answer", heading="can be\nanswer")]
Status = Annotated[str, Key("`exact`, `infeasible` or `bounded`")]
Exact = Annotated[bool, Key("whether the value is proven, or it is proven that there is none")]
Infeasible = Annotated[bool, Key("whether no strategy finds every answer in time")]
Value = Annotated[int | None, Key("the value of the search, one integer for all aims")]
Total = Annotated[Number | None, Key("sum of guesses over all answers, by weight")]
Mean = Annotated[float | None, Key("mean number of guesses", decimals=4, bar=Bar.LOSS)]
Worst = Annotated[int | None, Key("turn on which the last answer is found")]
Distribution = Annotated[
    list[int] | None,
    Key("answers found on turn 1, 2, ...", heading="found on\nturn 1 2 ...", bar=Bar.COUNTS),
]
Lower = Annotated[
    int | None,
    Key("proven lower bound of the value, or of the best one; null if there is no strategy"),
]
Upper = Annotated[int | None, Key("value of the best known strategy; null if none is known")]
Seconds = Annotated[float, Key("CPU time of the search; for a proof, elapsed time", decimals=3)]
Guaranteed = Annotated[
    bool | None, Key("whether the guess is a guaranteed win", heading="guaranteed\nwin")
]
EntropyBits = Annotated[float, Key("Shannon entropy of the pattern, bits", decimals=3)]
StandardDeviation = Annotated[
    float, Key("standard deviation of the sizes of the parts, including empty ones")
]
Parts = Annotated[int, Key("patterns that occur")]
MaxPart = Annotated[int, Key("answers in the largest part")]
Pattern = Annotated[str | None, Key("the feedback as text", heading="colours")]
Best = Annotated[list[str], Key("the best guesses; the best so far if a proof is not complete")]
ExactOpeners = Annotated[int, Key("openers of a ranking whose value is exact")]
InfeasibleOpeners = Annotated[int, Key("openers that are no guaranteed win")]
Strategy = Annotated[str, Key("the strategy that plays after the opener")]
Lost = Annotated[int, Key("answers not found within the guess limit", bar=Bar.AMOUNT)]
ExactTotal = Annotated[Number | None, Key("total of the best strategy with that opener, if known")]
Gap = Annotated[Number | None, Key("total minus the exact total", bar=Bar.AMOUNT)]
Optimal = Annotated[bool | None, Key("whether no guess is better", heading="best")]
Guess = Annotated[str, Key("the guess of a turn")]
Ignored = Annotated[list[str], Key("parts of a pasted text that were not read")]
Remaining = Annotated[list[str], Key("the possible answers")]
Turn = Annotated[
    int | None, Key("number of the turn; null for a guess that isn't in the word list")
]
AnswersBefore = Annotated[int, Key("answers possible before the turn", heading="answers\nbefore")]
AnswersAfter = Annotated[
    int | None,
    Key("answers possible after the turn; a found answer counts as one", heading="answers\nafter"),
]
Solved = Annotated[bool, Key("whether the answer was found within the guess limit")]
Skill = Annotated[
    float | None,
    Key("1 minus the sum of regrets divided by the turns", decimals=4, bar=Bar.SHARE),
]
Player = Annotated[str, Key("name of the player; empty if not given")]
Seed = Annotated[int, Key("seed of all draws")]
Split = Annotated[str, Key("the part of the answers from which secrets are drawn")]
State = Annotated[
    str | None, Key("what is known, guesses so far and their feedback; empty at the start")
]
ValueBefore = Annotated[
    float | None, Key("mean number of guesses from there on by best play", decimals=3)
]
OptimalGuesses = Annotated[
    list[str], Key("all best guesses; possible answers come first", heading="best guesses")
]
Games = Annotated[int, Key("games of a player")]
MeanRegret = Annotated[
    float | None,
    Key("mean regret of a turn; in a league, of a game", decimals=4, bar=Bar.AMOUNT),
]
RegretByTurn = Annotated[list[float | None], Key("mean regret of turn 1, 2, ...")]
MeanLuck = Annotated[float | None, Key("mean luck of a game", decimals=3)]
Illegal = Annotated[
    int, Key("guesses that the rule forbids; in a league, all guesses that took no turn")
]
StartValue = Annotated[float | None, Key("mean number of guesses by best play")]
Item = Annotated[str, Key("a table or figure of a document, by the name that reproduce takes")]
Out = Annotated[str, Key("the file that was written")]
Bytes = Annotated[int, Key("its size")]
Description = Annotated[str, Key("description")]
Folder = Annotated[str, Key("folder of the files")]
"""Keys that several rows share."""


@schema
class Envelope(TypedDict):
    """The envelope at the beginning of a document."""

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
    objective: Annotated[str | None, Key("the objective")]
    max_guesses: MaxGuesses
    weights: Annotated[str | None, Key("source of the answer weights; null if all are equal")]
    state: State
    answers: Answers
    weight: Annotated[
        Number | None, Key("total weight of the possible answers; their number if all are equal")
    ]


@schema
class Figures(TypedDict, total=False):
    """The figures of objectives; a row has those of its objective."""

    within: Annotated[Number | None, Key("answers found within K guesses, by weight")]
    failures: Annotated[Number | None, Key("answers not found in time, by weight", bar=Bar.AMOUNT)]
    cost: Annotated[Number | None, Key("sum of the prices of the turns, by weight")]
    mean_cost: Annotated[float | None, Key("mean price of an answer", bar=Bar.LOSS)]
    total: Total
    mean: Mean
    worst: Worst


@schema
class Statistics(TypedDict, total=False):
    """Statistics of a guess; a row has those that its game defines."""

    entropy_bits: EntropyBits
    weighted_entropy_bits: Annotated[
        float, Key("Shannon entropy of the pattern under the weights, bits")
    ]
    standard_deviation: StandardDeviation
    parts: Parts
    max_part: MaxPart
    expected_part_size: Annotated[float, Key("expected number of remaining answers")]
    lower_bound: Annotated[int, Key("lower bound of the total by the number of parts")]
    greens: Annotated[int, Key("green tiles over all answers")]
    yellows: Annotated[int, Key("yellow tiles over all answers")]
    coloured_tiles: Annotated[float, Key("green and yellow tiles per answer")]
    common_characters: Annotated[
        int, Key("number of answers with each letter of the guess, summed over its letters")
    ]


@schema
class Valued(Figures):
    """The value of a guess, and a strategy that attains it, as far as known."""

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
"""The keys of the envelope, in order."""
