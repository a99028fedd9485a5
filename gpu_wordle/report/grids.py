"""What share grids without words tell, as plain values and sentences for people."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any, TypedDict

from gpu_wordle.errors import counted
from gpu_wordle.experiments.charts import Consistent, Together
from gpu_wordle.game.game import Game
from gpu_wordle.report import keys
from gpu_wordle.report.keys import Bar, Key, schema


@schema
class ChartRow(TypedDict):
    """An opener that agrees with a share grid."""

    opener: keys.Opener
    answers_left: Annotated[int, Key("answers that agree with a share grid and the opener")]


@schema
class ChartFacts(TypedDict):
    """The facts about a share grid."""

    openers: Annotated[int, Key("openers that agree with a share grid")]
    consistent_games: Annotated[str, Key("number of games that agree with a share grid, as text")]
    remaining: keys.Remaining
    ignored: keys.Ignored


@schema
class GridsRow(TypedDict):
    """An answer that agrees with several share grids."""

    possible_answer: Annotated[str, Key("a word that may be the answer")]
    probability: Annotated[
        float,
        Key("probability of the answer if all players guess at random", decimals=4, bar=Bar.SHARE),
    ]


@schema
class GridsFacts(TypedDict):
    """The facts about several share grids."""

    remaining: keys.Remaining
    agreeing: Annotated[list[int], Key("number of answers that agree with each share grid alone")]
    contradicting: Annotated[
        list[int],
        Key("numbers of the share grids without which some answer agrees with all others"),
    ]
    ignored: keys.Ignored


def chart_rows(game: Game, found: Consistent, top: int | None) -> list[dict[str, Any]]:
    """A row for each opener that agrees with a share grid, with the answers that it leaves."""
    pairs = zip(game.spell(found.openers[:top]), found.left[:top].tolist(), strict=True)
    return [{"opener": word, "answers_left": left} for word, left in pairs]


def chart_answer(game: Game, found: Consistent) -> dict[str, Any]:
    """The facts about a share grid."""
    return {
        "openers": len(found.openers),
        "consistent_games": str(found.games),
        "remaining": [game.words.answers.words[a] for a in found.answers],
    }


def charts_rows(game: Game, found: Together, top: int | None) -> list[dict[str, Any]]:
    """A row for each answer that agrees with several share grids, the likeliest first."""
    pairs = zip(found.answers[:top], found.chances[:top], strict=True)
    return [
        {"possible_answer": game.words.answers.words[a], "probability": float(each)}
        for a, each in pairs
    ]


def charts_answer(game: Game, found: Together) -> dict[str, Any]:
    """The facts about several share grids."""
    return {
        "remaining": [game.words.answers.words[a] for a in found.answers],
        "agreeing": list(found.alone),
        "contradicting": [i + 1 for i in found.wrong],
    }


def charts_sentences(game: Game, found: Together) -> Iterable[str]:
    """Sentences on how many answers agree with several share grids, and which grids do not."""
    grids = counted(len(found.alone), "grid")
    if len(found.answers):
        yield f"{counted(len(found.answers), 'answer')} agree with all {grids}"
        return
    yield f"no answer agrees with all {grids} under the {game.rule} rule"
    for number, alone in enumerate(found.alone, start=1):
        if not alone:
            yield f"grid {number} agrees with no answer; check it"
    if found.wrong:
        listed = " or ".join(str(i + 1) for i in found.wrong)
        yield f"without grid {listed}, some answer agrees with all others"
