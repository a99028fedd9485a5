"""What verbs have printed: the answer as facts, the rows as a table, and pictures of known keys."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from gpu_wordle.errors import UserError
from gpu_wordle.game.feedback import LetterFeedback
from gpu_wordle.report.content import Block, Facts, Picture, Section, Table
from gpu_wordle.report.document import Document
from gpu_wordle.report.table import Column

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MAX_PLAYERS = 8
"""Players whose regret is drawn, if there are no more."""

MAX_DRAWN = 1_000
"""Bars of a picture; more could not be told apart."""

DRAWN_ROWS = 12
"""Rows whose games are drawn."""
MAX_FACT = 400
"""Characters of a fact; longer ones are cut."""
DECIMALS = 4

FIGURES = {
    "spectrum": "Answers behind each pattern of the guess",
    "agreements": "Who plays the same game, and who another one",
    "predictors": "Rank correlation of each predictor with the exact totals",
    "games": "Answers found on each turn by the first rows",
    "survey": "All pairs by what they tell together",
    "regret": "Regret of a turn on average, by its number and player",
}
"""The pictures of rows, by the keys that they hold."""


def document_sections(document: Document) -> list[Section]:
    """What a report says of what a verb printed."""
    blocks: list[Block] = [Facts({**_asked(document.envelope), **_facts(document.answer)})]
    columns = [] if document.columns is None else list(document.columns)
    found = {column.name: column for column in columns}
    for draws in (_spectrum, _agreements, _predictors, _games, _survey, _regret):
        picture = draws(document.answer, found)
        if picture is not None:
            blocks.append(picture)
    sections = [Section("Overview", blocks)]
    if columns and len(columns[0].values):
        rows = Table.of("rows", "All rows", [_shown(column) for column in columns])
        sections.append(Section("Rows", [rows]))
    return sections


def _shown(column: Column) -> Column:
    """A column with decimals if it has some."""
    has_decimals = any(isinstance(value, float) for value in column.values)
    return Column(column.name, column.values, DECIMALS if has_decimals else 0)


def _asked(envelope: Mapping[str, Any]) -> dict[str, str]:
    """What the verb was asked, without the identities of the lists."""
    facts = {}
    for key, value in envelope.items():
        if key == "game" and value:
            facts["guesses"] = f"{value.get('guess_count')}: {value.get('guess_list')}"
            facts["answers"] = f"{value.get('answer_count')}: {value.get('answer_list')}"
        elif key not in ("schema", "program", "answers", "weight", "game"):
            facts[key.replace("_", " ")] = _fact(value)
    return {name: fact for name, fact in facts.items() if fact}


def _facts(answer: Mapping[str, Any]) -> dict[str, str]:
    facts = {key.replace("_", " "): _fact(value) for key, value in answer.items()}
    return {name: fact for name, fact in facts.items() if fact}


def _fact(value: Any) -> str:
    """A value in words, cut where it is long."""
    if value is None or value == {}:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        text = "; ".join(f"{key} {_fact(each)}" for key, each in value.items())
    elif isinstance(value, list):
        text = " ".join(map(str, value))
    elif isinstance(value, float):
        text = f"{value:,.4f}"
    else:
        text = f"{value:,}" if isinstance(value, int) else str(value)
    return text if len(text) <= MAX_FACT else f"{text[:MAX_FACT]} ..."


Columns = Mapping[str, Column]


def _picture(name: str, draw: Callable[[], Figure], columns: Sequence[Column]) -> Picture:
    return Picture(name, FIGURES[name], draw, columns)


def _spectrum(answer: Mapping[str, Any], columns: Columns) -> Picture | None:
    """The parts of a guess."""
    word = answer.get("opener")
    if not {"pattern", "part_size"} <= columns.keys() or not word:
        return None
    shown, sizes = columns["pattern"].values, columns["part_size"].values
    if None in shown or not all(size and size > 0 for size in sizes) or not sizes:
        return None
    if len(sizes) > MAX_DRAWN:
        return None
    feedback = LetterFeedback(len(word))
    try:
        patterns = [feedback.parse(pattern) for pattern in shown]
    except UserError:  # of another game than one of words
        return None
    caption = f"{len(patterns):,} parts"

    def draw() -> Figure:
        from gpu_wordle.report.plot import draw_spectrum

        return draw_spectrum(word, feedback, patterns, np.array(sizes), caption)

    return _picture("spectrum", draw, [columns["pattern"], columns["part_size"]])


def _agreements(answer: Mapping[str, Any], columns: Columns) -> Picture | None:
    """Who plays the same games."""
    found, games = answer.get("agreements"), answer.get("pairs")
    if not found or not games or not all(type(n) is int for n in found.values()):
        return None

    def draw() -> Figure:
        from gpu_wordle.report.compared_plot import draw_agreements

        return draw_agreements(found, games)

    data = [Column("agreement", list(found)), Column("games", list(found.values()))]
    return _picture("agreements", draw, data)


def _predictors(answer: Mapping[str, Any], columns: Columns) -> Picture | None:
    """Rank correlations."""
    if not {"predictor", "kendall", "spearman"} <= columns.keys():
        return None
    names = columns["predictor"].values
    if not names or None in names or len(names) > MAX_DRAWN:
        return None

    def draw() -> Figure:
        from gpu_wordle.report.compared_plot import draw_correlations

        return draw_correlations(names, columns["kendall"].values, columns["spearman"].values)

    return _picture("predictors", draw, [columns[k] for k in ("predictor", "kendall", "spearman")])


def _games(answer: Mapping[str, Any], columns: Columns) -> Picture | None:
    """How soon the first rows find the answers."""
    if "distribution" not in columns:
        return None
    named = [columns[k].values for k in ("opener", "guess", "strategy") if k in columns]
    counts = columns["distribution"].values
    rows = [i for i, found in enumerate(counts) if found and min(found) >= 0 and sum(found)]
    rows = rows[:DRAWN_ROWS]
    if not rows or not named:
        return None
    names = [" ".join(str(values[i] or "") for values in named) for i in rows]
    shown = [counts[i] for i in rows]

    def draw() -> Figure:
        from gpu_wordle.report.files_plot import draw_games

        return draw_games(names, shown, "Games of the first rows")

    return _picture("games", draw, [Column("row", names), Column("distribution", shown)])


def _survey(answer: Mapping[str, Any], columns: Columns) -> Picture | None:
    """How many pairs make how many parts."""
    histogram = answer.get("histogram") or []
    counts = np.array([min(max(count, 0), 1 << 62) for count in histogram], np.int64)
    places = np.flatnonzero(counts)
    if not len(places):
        return None

    def draw() -> Figure:
        from gpu_wordle.report.files_plot import draw_survey

        return draw_survey(places, counts[places], "parts, or tenths of bits")

    data = [Column("measured", places.tolist()), Column("pairs", counts[places].tolist())]
    return _picture("survey", draw, data)


def _regret(answer: Mapping[str, Any], columns: Columns) -> Picture | None:
    """Where players lose guesses."""
    if not {"player", "regret_by_turn"} <= columns.keys():
        return None
    pairs = zip(columns["player"].values, columns["regret_by_turn"].values, strict=True)
    turns = {
        player: {turn: mean for turn, mean in enumerate(means, start=1) if mean is not None}
        for player, means in pairs
        if player is not None and means and any(mean is not None for mean in means)
    }
    if not 0 < len(turns) <= MAX_PLAYERS:
        return None

    def draw() -> Figure:
        from gpu_wordle.report.files_plot import draw_regret

        return draw_regret(turns)

    return _picture("regret", draw, [columns["player"], columns["regret_by_turn"]])
