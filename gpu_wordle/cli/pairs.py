"""``gpu-wordle pairs``: openings fixed in advance, all pairs of guesses, and the best of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from typing import Annotated

import typer

from gpu_wordle.api import pools, session
from gpu_wordle.api.openings import Asked, By, OpeningsWork
from gpu_wordle.api.pairs import PairsWork
from gpu_wordle.cli import console, options
from gpu_wordle.cli.blocks import with_blocks
from gpu_wordle.cli.cluster import ClusterOptions
from gpu_wordle.cli.printing import show
from gpu_wordle.experiments.pairs.job import Progress
from gpu_wordle.game.objective import Objective
from gpu_wordle.game.spelling import capitals
from gpu_wordle.report.document import Document, envelope
from gpu_wordle.report.outcome import run_job
from gpu_wordle.report.pairs import (
    KEYS,
    most_sentence,
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
    FIVE = "5"
    SIX = "6"


@dataclass(frozen=True)
class PairOptions:
    """Which openings are looked for; UserError for what contradicts itself."""

    words: Annotated[
        Words,
        typer.Option(
            help="Guesses that are fixed; 3 to 6 are found by extending the best pairs guess by "
            "guess, and then by replacing guesses.",
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
            help="What is best: most parts, most entropy, of 3 words or more most answers alone in "
            "their part (singles), or the least total, which is found by search for as many as are "
            "printed.",
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
        _ = self.asked
        options.check_file(self.out, PAIRS, fresh=self.fresh)

    @property
    def asked(self) -> Asked:
        """The same for the job; UserError for what contradicts itself."""
        return Asked(int(self.words), self.measure, self.top, self.prove)


@with_blocks
def pairs(
    game: options.RuleOptions,
    chosen: PairOptions,
    output: options.OutputOptions,
    machine: options.MachineOptions,
    cluster: ClusterOptions,
    time_limit: options.TimeLimit = None,
) -> None:
    """Find the best guesses to fix in advance, two of them or more: all pairs are counted.

    A total counts all fixed guesses for an answer that is none of them, and the best play after
    them. Without --prove it is found for the most promising pairs. With --out, what is found of
    pairs is saved as the work goes on; the same command goes on from the file.
    """
    console.listen(quiet=output.quiet)
    game.refuse_turns("pairs are the first guesses of a game")
    asked = chosen.asked
    if asked.by is By.TOTAL:
        console.compile_first(partial(make_ready, game.rule), quiet=output.quiet)
    ending = console.ending_of(time_limit)
    with (
        cluster.crew(quiet=output.quiet) as crew,
        ending.preparing(),
        console.Bar("counting", quiet=output.quiet) as bar,
    ):
        bar.workers = crew and crew.roster
        opened = pools.with_crew(_open(game, machine), crew)
        first = opened.game.words.guesses.find(chosen.first) if chosen.first else None
        work = OpeningsWork(opened, asked, first, ending)
        tell = _shown(bar, opened)
        unsaved = run_job(partial(work.run, chosen.out, tell, fresh=chosen.fresh))
        found = work.found(tell)
    survey = work.pairs.survey
    rows = list(found)

    def for_people() -> None:
        printed = console.output()
        printed.print(survey_sentence(survey), soft_wrap=True)
        if rows:
            printed.print(pairs_table(rows))
        if found.most is not None:
            printed.print(most_sentence(asked.words, asked.goal.value, found.most), soft_wrap=True)
        if asked.prove:
            printed.print(_verdict(work.pairs, found.is_proven))

    answer = pairs_answer(survey, proven=found.is_proven, most=found.most)
    position = opened.position
    show(
        lambda: Document(envelope("pairs", position), answer, columns_of(rows, KEYS)),
        output.format,
        for_people,
        unsaved=unsaved,
    )
    kept = "the same command goes on from the file" if chosen.out else "not saved"
    console.exit_early(ending, kept)


def _open(game: options.RuleOptions, machine: options.MachineOptions) -> session.Session:
    """The start of the game; what a backend chooses for itself is the CPU, which alone counts."""
    asked = machine.machine
    if asked.backend == options.BackendName.AUTO:
        asked = replace(asked, backend=options.BackendName.CPU.value)
    words = session.read_words(game.guesses, game.answers)
    opened = session.open_game(words, game.rule, Objective(max_guesses=game.limit), machine=asked)
    return session.open_session(opened.start(), asked)


def _verdict(work: PairsWork, is_proven: bool) -> str:
    """Whether the proof is complete, and what is left of it."""
    best = work.totals.best
    if not is_proven:
        return "the proof is not complete: other pairs may be better"
    if not len(work.totals.pairs):
        return "proven: no pair is legal whatever the first guess shows"
    if best is None:
        return "proven: no pair surely wins in time"
    ties = int((work.totals.upper == best[2]).sum())
    alone = "alone" if ties == 1 else f"with {ties - 1} more"
    first, second = (capitals(word) for word in work.survey.game.spell(best[:2]))
    whose = "all pairs" if work.survey.first is None else "the pairs that begin so"
    return f"proven: {first} {second} {alone} has the least total of {whose}, {best[2]:,}"


def _shown(bar: console.Bar, opened: session.Session) -> Callable[[Progress], None]:
    """What shows how far the job has come, with the best pair so far."""
    spell = opened.game.spell

    def tell(event: Progress) -> None:
        best = ""
        if event.best is not None:
            words: Sequence[str] = [capitals(word) for word in spell(event.best[:2])]
            best = f"best {' '.join(words)} {event.best[2]:,}"
        bar.show(event.done, event.total, best, event.phase)

    return tell
