"""Certificates: what they state, how soon their strategies find the answers, and their ledgers."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from gpu_wordle.certify.reading import Headline, read_headline
from gpu_wordle.errors import UserError
from gpu_wordle.game.named_lists import catalogue
from gpu_wordle.game.spelling import capitals
from gpu_wordle.report.content import Figures, Section, Table
from gpu_wordle.report.plots import draw_games
from gpu_wordle.report.table import Column
from gpu_wordle.verify import VerificationError

FIGURES = Figures({"games": "Answers found on each turn by the strategy of the certificate"})


def certificate_of(path: Path) -> Headline:
    """What a certificate states; UserError if it is no whole certificate."""
    try:
        stated = read_headline(path)
    except VerificationError as error:
        raise UserError(f"{error}; choose another file, or make it again") from None
    is_plain = (stated.prices, stated.weights) == ("1 then +1", "equal")
    if is_plain and stated.turns and stated.strategy != str(sum(stated.turns)):
        raise UserError(
            f"{path}: its strategy takes {sum(stated.turns):,} guesses and not {stated.strategy}, "
            "as the file says; choose another file"
        )
    return stated


def certificate_sections(stated: Headline) -> list[Section]:
    """The sections on a certificate."""
    facts = {
        "guesses": _listed(*stated.guesses),
        "answers": _listed(*stated.answers),
        "feedback": stated.feedback,
        "rule": stated.rule,
        "prices of the turns": stated.prices,
        "answer weights": stated.weights,
        "symmetries": stated.symmetries,
        "opener": "-" if stated.opener is None else capitals(stated.opener),
        "least cost of the opener": _number(stated.bound),
        "least cost of every other opener": _number(stated.others),
        "cost of the strategy": _number(stated.strategy),
        "states in the ledger": f"{len(stated.ledger):,}",
    }
    said = (
        "These are the statements of the file. This report does not check the proof: gpu-wordle "
        "verify does, or certificates/check.c, which shares no code with this program."
    )
    overview = Section("Overview", [facts, said])
    if stated.turns:
        found = Counter(stated.turns)
        counts = [found[turn] for turn in range(1, max(found) + 1)]
        name = capitals(stated.opener or "strategy")
        columns = [Column("turn", list(range(1, len(counts) + 1))), Column("answers", counts)]
        picture = FIGURES.picture(
            "games",
            lambda: draw_games([name], [counts], "How soon the answers are found"),
            columns,
        )
        overview = Section("Overview", [*overview.blocks, picture])
    if not stated.ledger:
        return [overview]
    states = sorted(Counter(stated.ledger).items())
    columns = [
        Column("guesses made", [made for made, _ in states], 0),
        Column("states", [count for _, count in states], 0),
    ]
    table = Table.of("ledger", "States whose bounds the proof lists, by the guesses made", columns)
    return [overview, Section("The ledger", [table])]


def _listed(count: int, sha256: str) -> str:
    """The number of words of a list, and its name if it is a named one."""
    keys = ("guesses_sha256", "answers_sha256")
    names = [name for name, each in catalogue().items() if sha256 in (each.get(k) for k in keys)]
    return f"{count:,}: {names[0] if names else f'SHA-256 {sha256}'}"


def _number(text: str) -> str:
    return f"{int(text):,}" if text.isdecimal() else text
