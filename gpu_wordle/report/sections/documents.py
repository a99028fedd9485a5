"""The output of verbs: the answer as facts, the rows as a table, and pictures of known keys."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from gpu_wordle.errors import UserError, counted
from gpu_wordle.game.feedback import LetterFeedback, letter_feedback
from gpu_wordle.report import pairs, simulations
from gpu_wordle.report.compared import draw_agreements, draw_correlations
from gpu_wordle.report.content import DRAWN_ROWS, Block, Figures, Picture, Section, Table
from gpu_wordle.report.document import Document
from gpu_wordle.report.figures import number_column
from gpu_wordle.report.pairs import survey_picture
from gpu_wordle.report.plots import draw_games, draw_spectrum
from gpu_wordle.report.sections import analyses
from gpu_wordle.report.sections.analyses import MAX_PLAYERS, regret_picture
from gpu_wordle.report.table import Column

MAX_DRAWN = 1_000
"""Most bars of a picture; more would be indistinguishable."""
MAX_FACT = 400
"""Most characters of a fact; longer ones are cut."""

FIGURES = Figures(
    {
        "spectrum": "Answers behind each pattern of the guess",
        "agreements": "Who plays the same game, and who another one",
        "predictors": "Rank correlation of each predictor with the exact totals",
        "games": "Answers found on each turn by the first rows",
        "survey": pairs.FIGURES["survey"],
        "regret": analyses.FIGURES["regret"],
        "gaps": simulations.FIGURES["gaps"],
        "totals": simulations.FIGURES["totals"],
    }
)
"""The pictures of rows, by the keys that they need."""


def document_sections(document: Document) -> list[Section]:
    """The sections on the output of a verb."""
    columns = document.columns or []
    if document.unknown:
        return _table_sections(columns, document.unknown)
    found = {column.name: column for column in columns}
    facts = _told(document.envelope, document.answer)
    if {*simulations.CSV_KEYS} <= found.keys():
        facts |= simulations.facts_of(found)
    blocks: list[Block] = [facts]
    pictures = [_spectrum(document, found)]
    for draws in (_agreements, _predictors, _games, _survey, _regret):
        pictures.append(draws(document.answer, found))
    blocks += [picture for picture in pictures if picture is not None]
    sections = [Section("Overview", blocks)]
    if {*simulations.CSV_KEYS} <= found.keys():
        sections += simulations.beside_sections(found)
    if columns and len(columns[0].values):
        shown = [number_column(each.name, each.values) for each in columns]
        sections.append(Section("Rows", [Table.of("rows", "All rows", shown)]))
    return sections


def _table_sections(columns: Sequence[Column], unknown: Sequence[str]) -> list[Section]:
    """The sections on a table of another origin."""
    facts = {"rows": f"{len(columns[0].values):,}", "columns": f"{len(columns):,}"}
    said = (
        "This table is no output of a verb. It is shown as it stands, since this program does not "
        f"know {counted(len(unknown), 'column')}: {', '.join(unknown)}."
    )
    shown = [number_column(each.name, each.values) for each in columns]
    return [
        Section("Overview", [facts, said]),
        Section("Rows", [Table.of("rows", "All rows", shown)]),
    ]


def _told(envelope: Mapping[str, Any], answer: Mapping[str, Any]) -> dict[str, str]:
    """The question of the verb, without the hashes of the lists, and its answer."""
    said = {
        k: v for k, v in envelope.items() if k not in ("schema", "program", "answers", "weight")
    }
    facts = {}
    for key, value in {**said, **answer}.items():
        if key == "game" and value:
            facts["guesses"] = f"{value.get('guess_count')}: {value.get('guess_list')}"
            facts["answers"] = f"{value.get('answer_count')}: {value.get('answer_list')}"
        else:
            facts[key.replace("_", " ")] = _fact(value)
    return {name: fact for name, fact in facts.items() if fact}


def _fact(value: Any) -> str:
    """A value as text, cut if it is long."""
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


def _spectrum(document: Document, columns: Columns) -> Picture | None:
    """A picture of the parts of a guess."""
    word = document.answer.get("opener")
    if not {"pattern", "part_size"} <= columns.keys() or not word:
        return None
    data = [columns["pattern"], columns["part_size"]]
    shown, sizes = data[0].values, data[1].values
    if None in shown or not 0 < len(sizes) <= MAX_DRAWN or not all(n and n > 0 for n in sizes):
        return None
    name = (document.envelope.get("game") or {}).get("feedback") or LetterFeedback.kind
    try:
        told = letter_feedback(str(name))
        if told is None:  # a game without words
            return None
        feedback = replace(told, length=len(told.tiles(word)))
        patterns = [feedback.parse(pattern) for pattern in shown]
    except UserError:
        return None
    counts, caption = np.array(sizes), counted(len(patterns), "group")
    return FIGURES.picture(
        "spectrum", lambda: draw_spectrum(word, feedback, patterns, counts, caption), data
    )


def _agreements(answer: Mapping[str, Any], columns: Columns) -> Picture | None:
    """A picture of the agreements between strategies."""
    found, games = answer.get("agreements"), answer.get("pairs")
    if not found or not games or not all(type(n) is int for n in found.values()):
        return None
    data = [Column("agreement", list(found)), Column("games", list(found.values()))]
    return FIGURES.picture("agreements", lambda: draw_agreements(found, games), data)


def _predictors(answer: Mapping[str, Any], columns: Columns) -> Picture | None:
    """A picture of rank correlations."""
    keys = ("predictor", "kendall", "spearman")
    data = [columns[key] for key in keys if key in columns]
    if len(data) < len(keys) or None in data[0].values or not 0 < len(data[0].values) <= MAX_DRAWN:
        return None
    names, *found = (column.values for column in data)
    return FIGURES.picture("predictors", lambda: draw_correlations(names, *found), data)


def _games(answer: Mapping[str, Any], columns: Columns) -> Picture | None:
    """A picture of how soon the first rows find the answers."""
    named = [columns[k].values for k in ("opener", "guess", "strategy") if k in columns]
    if not named or "distribution" not in columns:
        return None
    rows = zip(zip(*named, strict=True), columns["distribution"].values, strict=True)
    known = [(words, found) for words, found in rows if found and min(found) >= 0 and sum(found)]
    if not known:
        return None
    names = [" ".join(str(word or "") for word in words) for words, _ in known[:DRAWN_ROWS]]
    counts = [found for _, found in known[:DRAWN_ROWS]]
    data = [Column("row", names), Column("distribution", counts)]
    return FIGURES.picture(
        "games", lambda: draw_games(names, counts, "Games of the first rows"), data
    )


def _survey(answer: Mapping[str, Any], columns: Columns) -> Picture | None:
    """A picture of the number of pairs by measure."""
    histogram = answer.get("histogram") or []
    counts = {i: min(count, 1 << 62) for i, count in enumerate(histogram) if count > 0}
    if not counts:
        return None
    data = Column("measured", list(counts)), Column("pairs", list(counts.values()))
    return survey_picture(*data, "parts, or tenths of bits")


def _regret(answer: Mapping[str, Any], columns: Columns) -> Picture | None:
    """A picture of the mean regret of players by turn."""
    if not {"player", "regret_by_turn"} <= columns.keys():
        return None
    pairs = zip(columns["player"].values, columns["regret_by_turn"].values, strict=True)
    turns = {
        player: {turn: mean for turn, mean in enumerate(means, start=1) if mean is not None}
        for player, means in pairs
        if player is not None and means and any(mean is not None for mean in means)
    }
    return regret_picture(turns) if 0 < len(turns) <= MAX_PLAYERS else None
