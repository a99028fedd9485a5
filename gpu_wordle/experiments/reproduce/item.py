"""What is reproduced: figures as they are printed, beside the figures that come out here."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gpu_wordle.experiments.reproduce.bench import Bench

Table = Mapping[str, Sequence[Any]]
"""Columns of equally many values, by name."""


class Source(StrEnum):
    """The documents, by the names that items begin with."""

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

    SAME = "same"  # to the last digit that is printed
    WITHIN = "within range"  # of what the source leaves open, such as which of equal guesses
    EXPLAINED = "explained"  # it differs, and the reason is told
    DIFFERS = "differs"  # and nobody knows why
    NEW = "not printed"  # the source shows a picture, or nothing


@dataclass(frozen=True)
class Line:
    """A published figure beside a computed one, both as text.

    Attributes:
        what: what it is.
        published: as it is printed; None if it is not.
        computed: to as many digits.
        difference: computed less published, of what is printed; None for words.
        verdict: how they compare.
        explanation: why they differ; or what else is to be known.
    """

    what: str
    published: str | None
    computed: str
    difference: float | None
    verdict: Verdict
    explanation: str = ""


@dataclass(frozen=True)
class Reproduced:
    """What an item came to.

    Attributes:
        lines: figures beside figures.
        table: further rows, as a lookup; None if there are none.
        drawn: what a picture of the item is drawn from, by name.
    """

    lines: Sequence[Line]
    table: Table | None = None
    drawn: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Item:
    """A table or a figure of a document.

    Attributes:
        source: the document.
        place: where in it, as in ``table-1``; with the source, the item's name.
        title: what it shows.
        compute: how it is computed.
        is_slow: whether it takes more than some seconds, so that it is to be asked for by name.
    """

    source: Source
    place: str
    title: str
    compute: Callable[[Bench], Reproduced]
    is_slow: bool = False

    @property
    def name(self) -> str:
        """As in ``exact-solution/table-1``."""
        return f"{self.source.value}/{self.place}"


def figure(
    what: str,
    published: str,
    computed: float,
    *,
    within: tuple[float, float] | None = None,
    range_note: str = "",
    explanation: str = "",
) -> Line:
    """A printed number beside a computed one, which is rounded to as many decimals.

    A unit may follow the number, behind a blank. ``within`` is the range that the source leaves
    open, and ``range_note`` tells what it is over. ``explanation`` says why this figure differs;
    it counts only outside that range, and without one the figure differs and nobody knows why.
    """
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
        explanation = f"{range_note} Range here: {bounds}.".strip()
    else:
        verdict = Verdict.EXPLAINED if explanation else Verdict.DIFFERS
    return Line(what, published, shown + behind, difference, verdict, explanation)


def words(what: str, published: str, computed: str, explanation: str = "") -> Line:
    """Printed text beside computed text."""
    if published == computed:
        return Line(what, published, computed, None, Verdict.SAME)
    verdict = Verdict.EXPLAINED if explanation else Verdict.DIFFERS
    return Line(what, published, computed, None, verdict, explanation)


def found(what: str, computed: str, explanation: str = "") -> Line:
    """What comes out here, and is printed nowhere."""
    return Line(what, None, computed, None, Verdict.NEW, explanation)
