"""Proofs and guarantees as plain values and as lines for people."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rich.text import Text

from gpu_wordle.errors import counted
from gpu_wordle.game.game import Position
from gpu_wordle.game.spelling import capitals
from gpu_wordle.game.values import INFEASIBLE
from gpu_wordle.report.figures import Figures, first_words
from gpu_wordle.report.table import Column, columns_of
from gpu_wordle.solver import Fate, Proof

HOW = {
    Fate.BY_SIZES: "refuted by the sizes of its parts",
    Fate.BY_ONE_PLY: "refuted by one-ply bounds of its parts and what was known of them",
    Fate.BY_SEARCH: "refuted by search",
    Fate.EARLIER: "refuted by an earlier run",
    Fate.OPTIMAL: "optimal",
    Fate.ILLEGAL: "forbidden by the rule",
    Fate.OPEN: "open",
}


def is_feasible(proof: Proof) -> bool:
    """Whether a strategy is known that finds every answer in time."""
    return proof.total < INFEASIBLE and bool(proof.best)


def describe_proof(proof: Proof, position: Position, seconds: float) -> dict[str, Any]:
    """A proof as plain values."""
    figures = Figures.of(position.game, position)
    feasible = is_feasible(proof)
    return {
        "best": position.game.spell(proof.best),
        "complete": proof.is_complete,
        **(figures.named(proof.total) if feasible else dict.fromkeys(figures.names)),
        "value": proof.total if feasible else None,
        "lower": None if proof.least >= INFEASIBLE - 1 else proof.least,
        "upper": proof.total if feasible else None,
        "fates": {fate.name.lower(): proof.count(fate) for fate in HOW},
        "seconds": round(seconds, 3),
    }


def each_guess(proof: Proof, position: Position) -> list[dict[str, Any]]:
    """How each guess fared, and its lower bound."""
    words = position.game.words.guesses.words
    return [
        {
            "opener": word,
            "fate": Fate(int(fate)).name.lower(),
            "lower": None if lower >= INFEASIBLE else int(lower),
        }
        for word, fate, lower in zip(words, proof.fate, proof.lower, strict=True)
    ]


def proof_columns(proof: Proof, position: Position, *, each: bool) -> list[Column]:
    """The guesses of a proof: each of them, or the best."""
    rows = each_guess(proof, position)
    chosen = rows if each else [rows[guess] for guess in proof.best]
    return columns_of(chosen, ("opener", "fate", "lower"))


def proof_lines(proof: Proof, position: Position) -> Iterator[Text]:
    """A proof for people."""
    if is_feasible(proof):
        best = first_words([capitals(word) for word in position.game.spell(proof.best)], ", ")
        claim = "best" if proof.is_complete else "best so far"
        sentence = Figures.of(position.game, position).sentence(proof.total)
        on = counted(len(position.state), "answer")
        yield Text.assemble(f"{claim}: ", (best, "bold green"), f", {sentence} on {on}")
    elif proof.is_complete:
        yield Text("no strategy finds every answer within the limit")
    if not proof.is_complete:
        yield Text(f"proven: {interval_sentence(proof, position)}")
    for fate, how in HOW.items():
        if proof.count(fate):
            yield Text(f"{proof.count(fate):7,} {how}")


def interval_sentence(proof: Proof, position: Position) -> str:
    """Between which values the best opener lies, in words."""
    figures = Figures.of(position.game, position)
    lower = figures.short(proof.least)
    if not is_feasible(proof):
        return f"the best opener comes to {lower} at least ({' / '.join(_sums(figures))})"
    upper = figures.short(proof.total)
    return f"the best opener lies in [{lower}, {upper}] ({' / '.join(_sums(figures))})"


def _sums(figures: Figures) -> list[str]:
    """The names of what ``Figures.short`` shows."""
    return [name for name in figures.names if not name.startswith("mean")]
