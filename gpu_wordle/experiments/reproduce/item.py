"""Items: printed figures beside the figures computed here."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from importlib import resources
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gpu_wordle.experiments.reproduce.bench import Bench

Table = Mapping[str, Sequence[Any]]
"""Columns of equal length, by name."""


class Source(StrEnum):
    """The documents, by the names with which items begin."""

    EXACT_SOLUTION = "exact-solution"
    WEARY = "wordle-weary"
    OPTIMAL_STRATEGIES = "optimal-strategies"
    WORDLE_AI = "wordle-ai"
    SOLVING_WORDLE = "solving-wordle"


TITLES = {
    Source.EXACT_SOLUTION: "Bertsimas and Paskov, An Exact Solution to Wordle, 2022",
    Source.WEARY: "Hayes, Words for the Wordle-Weary, 2022",
    Source.OPTIMAL_STRATEGIES: "Optimal Wordle strategies, 2022",
    Source.WORDLE_AI: "Wordle AI, 2022",
    Source.SOLVING_WORDLE: "Erkin, Solving Wordle, 2022",
}


class Verdict(StrEnum):
    """How a published figure compares with the computed one."""

    SAME = "same"  # equal to the last printed digit
    WITHIN = "within range"  # inside what the source leaves open, such as ties
    EXPLAINED = "explained"  # it differs, and the reason is known
    DIFFERS = "differs"  # it differs, and nobody knows why
    NEW = "not printed"  # the source shows a picture, or nothing


@dataclass(frozen=True)
class Line:
    """A published figure beside a computed one, both as text."""

    what: str
    published: str | None  # as it is printed; None if it is not printed
    computed: str  # to as many digits
    difference: float | None  # computed less published, in printed digits; None for words
    verdict: Verdict
    explanation: str = ""  # why they differ, or a remark


@dataclass(frozen=True)
class Reproduced:
    """The result of an item: figures, further rows, and the data of a picture by name."""

    lines: Sequence[Line]
    table: Table | None = None
    drawn: Mapping[str, Any] = field(default_factory=dict)


RANGE = " Range here: "
"""Parts the remark on a figure within a range from the range."""
Printed = Mapping[str, Any]
"""What a document prints for an item, as in ``published.toml``."""
Make = Callable[["Bench", Printed], Reproduced]


@dataclass(frozen=True)
class Item:
    """A table or a figure of a document.

    Attributes:
        name: document and place, as in ``exact-solution/table-1``.
        printed: its title, its figures, its searches, and whether it is slow, so that it has to
            be named.
        make: computes it.
    """

    name: str
    printed: Printed
    make: Make

    @property
    def source(self) -> Source:
        """The document."""
        return Source(self.name.partition("/")[0])

    @property
    def title(self) -> str:
        """The title of the item."""
        return str(self.printed["title"])

    @property
    def searches(self) -> tuple[str, ...]:
        """The searches that it does: under ``normal`` or ``hard``, or with ``noise``."""
        return tuple(self.printed.get("searches", ()))

    @property
    def is_slow(self) -> bool:
        """True if it takes more than some seconds."""
        return bool(self.printed.get("slow"))

    def compute(self, bench: Bench) -> Reproduced:
        """Compute the item, once for a bench."""
        return bench.once(("item", self.name), lambda: self.make(bench, self.printed))


PUBLISHED: Mapping[str, Printed] = tomllib.loads(
    resources.files(__package__).joinpath("published.toml").read_text("utf-8")
)
COMPUTED: dict[str, Make] = {}
"""The functions that compute items, by name."""


def item(name: str) -> Callable[[Make], Make]:
    """Decorator: the function computes the item of this name."""

    def add(make: Make) -> Make:
        COMPUTED[name] = make
        return make

    return add


@dataclass(frozen=True)
class Seen:
    """A computed figure with the range that the source leaves open, or with a remark of its own."""

    value: float | str
    within: tuple[float, float] | None = None
    remark: str | None = None


def beside(printed: Printed, *computed: float | str | Seen) -> list[Line]:
    """Return the figures of an item beside the computed ones, in their order.

    Words, and figures that are not printed, are given as text.
    """
    return [_line(value, *row) for row, value in zip(printed["figures"], computed, strict=True)]


def _line(value: float | str | Seen, what: str, published: str = "", remark: str = "") -> Line:
    seen = value if isinstance(value, Seen) else Seen(value)
    remark = remark if seen.remark is None else seen.remark
    if isinstance(seen.value, str) and not published:
        return found(what, seen.value, remark)
    if seen.within is not None:
        return figure(what, published, seen.value, within=seen.within, range_note=remark)
    return figure(what, published, seen.value, remark)


def table_of(names: Sequence[str], rows: Sequence[Sequence[Any]]) -> Table:
    """Return rows as columns with these names."""
    return dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))


def figure(
    what: str,
    published: str,
    computed: float | str,
    explanation: str = "",
    *,
    within: tuple[float, float] | None = None,
    range_note: str = "",
) -> Line:
    """Compare a printed figure with a computed one: words, or a number to as many decimals.

    A unit may follow the number after a blank. ``within`` is the range that the source leaves open,
    and ``range_note`` says what it is over. ``explanation`` says why the figure differs. It counts
    only outside the range. Without one, the figure differs for unknown reasons.
    """
    unlike = Verdict.EXPLAINED if explanation else Verdict.DIFFERS
    if isinstance(computed, str):
        if published == computed:
            return Line(what, published, computed, None, Verdict.SAME)
        return Line(what, published, computed, None, unlike, explanation)
    digits, _, unit = published.partition(" ")
    printed = float(digits.replace(",", ""))
    decimals = len(digits.partition(".")[2])
    half = 0.5 * 10.0**-decimals + 1e-9
    behind = f" {unit}" if unit else ""
    shown = f"{computed:,.{decimals}f}" if "," in digits else f"{computed:.{decimals}f}"
    difference = round(float(shown.replace(",", "")) - printed, decimals)
    if abs(computed - printed) <= half:
        verdict, difference = Verdict.SAME, 0.0
        shown, explanation = digits, ""
    elif within is not None and within[0] - half <= printed <= within[1] + half:
        verdict = Verdict.WITHIN
        bounds = " to ".join(f"{bound:.{decimals}f}" for bound in within)
        explanation = f"{range_note}{RANGE}{bounds}.".lstrip()
    else:
        verdict = unlike
    return Line(what, published, shown + behind, difference, verdict, explanation)


def is_mean(printed: str, count: int) -> bool:
    """True if some whole number of guesses over ``count`` answers has this printed mean."""
    decimals = len(printed.partition(".")[2])
    total = round(float(printed) * count)
    return abs(total / count - float(printed)) <= 0.5 * 10.0**-decimals + 1e-12


def found(what: str, computed: str, explanation: str = "") -> Line:
    """Return a computed figure that is printed nowhere."""
    return Line(what, None, computed, None, Verdict.NEW, explanation)
