"""``gpu-wordle pairs``: openings fixed in advance, all pairs of guesses, and the best of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from typing import Annotated, Any

import numpy as np
import typer

from gpu_wordle.api import session
from gpu_wordle.api.pairs import PairsWork
from gpu_wordle.cli import console, options
from gpu_wordle.cli.blocks import with_blocks
from gpu_wordle.cli.printing import show
from gpu_wordle.errors import UserError
from gpu_wordle.experiments.pairs.job import Progress
from gpu_wordle.experiments.pairs.survey import Measure
from gpu_wordle.game.objective import Objective
from gpu_wordle.report.document import Document, envelope
from gpu_wordle.report.pairs import (
    KEYS,
    describe_opening,
    describe_pair,
    pairs_answer,
    pairs_table,
    survey_sentence,
)
from gpu_wordle.report.table import columns_of
from gpu_wordle.solver.ready import make_ready
from gpu_wordle.store.form import PAIRS


class Words(StrEnum):
    """How many guesses are fixed."""

    TWO = "2"
    THREE = "3"
    FOUR = "4"


class By(StrEnum):
    """What openings are compared by."""

    PARTS = "parts"
    ENTROPY = "entropy"
    TOTAL = "total"


@dataclass(frozen=True)
class PairOptions:
    """Which openings are looked for; UserError for what contradicts itself."""

    words: Annotated[
        Words,
        typer.Option(
            help="Guesses that are fixed; 3 or 4 are found by extending the best pairs guess by "
            "guess.",
            rich_help_panel=options.AIM,
        ),
    ] = Words.TWO
    first: Annotated[
        str, typer.Option(help="The first of them; any, if not given.", rich_help_panel=options.AIM)
    ] = ""
    measure: Annotated[
        By | None,
        typer.Option(
            "--by",
            help="What is best: most parts, most entropy, or the least total, which is found by "
            "search for as many as are printed.",
            show_default="parts; with --prove total",
            case_sensitive=False,
            rich_help_panel=options.AIM,
        ),
    ] = None
    prove: Annotated[
        bool,
        typer.Option(
            "--prove",
            help="Prove that the pairs that are printed have the least totals: refute all others.",
            rich_help_panel=options.AIM,
        ),
    ] = False
    top: options.Top = 20
    out: options.Out = None
    fresh: options.Fresh = False

    def __post_init__(self) -> None:
        if self.prove and self.measure not in (None, By.TOTAL):
            raise UserError(
                f"--prove is about totals, and --by {self.measure} is not; leave one of them out"
            )
        if self.length > 2 and self.prove:
            raise UserError(f"--prove is for pairs, not for {self.words} words; leave one out")
        if self.by is By.TOTAL and self.top == 0:
            raise UserError("--top 0 asks for the totals of all pairs; say how many you want")
        options.check_file(self.out, PAIRS, fresh=self.fresh)

    @property
    def length(self) -> int:
        """Guesses that are fixed."""
        return int(self.words)

    @property
    def by(self) -> By:
        """What openings are compared by."""
        return self.measure or (By.TOTAL if self.prove else By.PARTS)


@with_blocks
def pairs(
    game: options.RuleOptions,
    asked: PairOptions,
    output: options.OutputOptions,
    machine: options.MachineOptions,
    time_limit: options.TimeLimit = None,
) -> None:
    """Find the best guesses to fix in advance, two of them or more: all pairs are counted.

    A total counts all fixed guesses for an answer that is none of them, and the best play after
    them. Without --prove it is found for the most promising pairs. With --out, what is found of
    pairs is saved as the work goes on; the same command goes on from the file.
    """
    console.listen(quiet=output.quiet)
    game.refuse_turns("pairs are the first guesses of a game")
    if asked.by is By.TOTAL:
        console.compile_first(partial(make_ready, game.rule), quiet=output.quiet)
    ending = console.ending_of(time_limit)
    with ending.preparing(), console.Bar("counting", quiet=output.quiet) as bar:
        opened = _open(game, machine)
        first = opened.game.words.guesses.find(asked.first) if asked.first else None
        measure = Measure.ENTROPY if asked.by is By.ENTROPY else Measure.PARTS
        work = PairsWork(opened, measure, first, ending)
        heard = _shown(bar, opened)
        is_solved = asked.by is By.TOTAL and asked.length == 2
        work.run(asked.out, asked.fresh, asked.top if is_solved else 0, asked.prove, heard)
        rows = _pair_rows(work, asked) if asked.length == 2 else _longer_rows(work, asked, heard)
    is_proven = asked.prove and work.survey.is_complete and work.totals.is_proven(asked.top)

    def for_people() -> None:
        printed = console.output()
        printed.print(survey_sentence(work.survey))
        if rows:
            printed.print(pairs_table(rows))
        if asked.prove:
            printed.print(_verdict(work, is_proven))

    answer = pairs_answer(work.survey, proven=is_proven)
    position = opened.position
    show(
        lambda: Document(envelope("pairs", position), answer, columns_of(rows, KEYS)),
        output.format,
        for_people,
    )
    kept = "the same command goes on from the file" if asked.out else "not saved"
    console.exit_early(ending, kept)


def _open(game: options.RuleOptions, machine: options.MachineOptions) -> session.Session:
    """The start of the game; what a backend chooses for itself is the CPU, which alone counts."""
    asked = machine.machine
    if asked.backend == options.BackendName.AUTO:
        asked = replace(asked, backend=options.BackendName.CPU.value)
    words = session.read_words(game.guesses, game.answers)
    opened = session.open_game(words, game.rule, Objective(max_guesses=game.limit), machine=asked)
    return session.open_session(opened.start(), asked)


def _pair_rows(work: PairsWork, asked: PairOptions) -> list[dict[str, Any]]:
    """The best pairs."""
    totals = work.totals
    order = np.arange(len(totals.pairs))
    if asked.by is By.TOTAL:
        order = totals.order()
    elif asked.by is By.PARTS:
        order = np.argsort(-totals.parts, kind="stable")
    return [describe_pair(totals, place) for place in order[: asked.top or None].tolist()]


def _longer_rows(
    work: PairsWork, asked: PairOptions, heard: Callable[[Progress], None]
) -> list[dict[str, Any]]:
    """The best longer openings that were found."""
    openings = work.extended(asked.length, heard)[: asked.top or None]
    solved = work.solved(openings, heard) if asked.by is By.TOTAL else []
    known = [*solved, *[None] * (len(openings) - len(solved))]
    rows = [
        describe_opening(work.survey.game, guesses, each)
        for guesses, each in zip(openings, known, strict=True)
    ]
    if asked.by is By.TOTAL:
        rows.sort(key=lambda row: (row["total"] is None, row["total"] or row["lower"]))
    return rows


def _verdict(work: PairsWork, is_proven: bool) -> str:
    """Whether the proof is complete, and what is left of it."""
    best = work.totals.best
    if not is_proven:
        return "the proof is not complete: other pairs may be better"
    if best is None:
        return "proven: no pair surely wins in time"
    ties = int((work.totals.upper == best[2]).sum())
    alone = "alone" if ties == 1 else f"with {ties - 1} more"
    first, second = (word.upper() for word in work.survey.game.spell(best[:2]))
    whose = "all pairs" if work.survey.first is None else "the pairs that begin so"
    return f"proven: {first} {second} {alone} has the least total of {whose}, {best[2]:,}"


def _shown(bar: console.Bar, opened: session.Session) -> Callable[[Progress], None]:
    """What shows how far the job has come, with the best pair so far."""
    spell = opened.game.spell

    def tell(event: Progress) -> None:
        best = ""
        if event.best is not None:
            words: Sequence[str] = [word.upper() for word in spell(event.best[:2])]
            best = f"best {' '.join(words)} {event.best[2]:,}"
        bar.show(event.done, event.total, best, event.phase)

    return tell
