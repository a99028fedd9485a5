"""``gpu-wordle prove``: the best guess of a state, with every other one refuted."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Annotated

import typer

from gpu_wordle.api import jobs, pools
from gpu_wordle.api.certifying import certify_proof
from gpu_wordle.cli import certifying, console, options
from gpu_wordle.cli.blocks import with_blocks
from gpu_wordle.cli.cluster import ClusterOptions
from gpu_wordle.cli.printing import show
from gpu_wordle.errors import counted
from gpu_wordle.game.game import Position
from gpu_wordle.game.spelling import capitals
from gpu_wordle.game.values import INFEASIBLE
from gpu_wordle.ranking.ending import Reason
from gpu_wordle.ranking.proving import RoundProgress
from gpu_wordle.report.document import Document, envelope
from gpu_wordle.report.figures import Figures
from gpu_wordle.report.outcome import run_job
from gpu_wordle.report.proofs import describe_proof, proof_columns, proof_lines
from gpu_wordle.report.table import as_rich
from gpu_wordle.solver import Fate
from gpu_wordle.solver.ready import make_ready
from gpu_wordle.store.form import RANKING


@with_blocks
def prove(
    game: options.GameOptions,
    output: options.OutputOptions,
    machine: options.SearchOptions,
    cluster: ClusterOptions,
    each: Annotated[
        bool,
        typer.Option(
            "--each",
            help="A row for each guess: how it fared, and its lower bound.",
            rich_help_panel=options.OUTPUT,
        ),
    ] = False,
    certificate: certifying.CertificateFile = None,
    out: options.Out = None,
    fresh: options.Fresh = False,
    time_limit: options.TimeLimit = None,
) -> None:
    """Prove which first guess is best: solve the incumbent, refute every other one against it.

    It is the best of those that the rule allows; under candidates, of the answers. With --out, what
    is proved is saved as the work goes on. The file is that of a ranking, and the same command goes
    on from it. Bounds of all guesses are raised in rounds, which gives an interval at any time.
    """
    console.listen(quiet=output.quiet)
    certifying.check_file(certificate)
    options.check_file(out, RANKING, fresh=fresh)
    console.compile_first(partial(make_ready, game.rule), quiet=output.quiet)
    ending = console.ending_of(time_limit)
    with (
        cluster.crew(quiet=output.quiet) as crew,
        ending.preparing(),
        console.Bar("refuting", quiet=output.quiet, first="looking for the best guess") as bar,
    ):
        bar.workers = crew and crew.roster
        opened = pools.with_crew(game.open(machine), crew)
        position = opened.position
        certifying.check_position(certificate, position)
        unsaved = None
        if out is None:
            proved = jobs.prove(opened, ending, _shown(bar, position))
        else:
            work = jobs.RankingWork(opened)
            tell = _shown_in_rounds(bar, position)
            unsaved = run_job(partial(work.prove, out, ending, tell, fresh=fresh))
            proved = work.proved
    proof = proved.proof
    columns = proof_columns(proof, position, each=each)

    def document() -> Document:
        answer = describe_proof(proof, position, proved.seconds)
        return Document(envelope("prove", position), answer, columns)

    def for_people() -> None:
        for line in proof_lines(proof, position):
            console.output().print(line)
        threads = counted(proved.threads, "thread")
        console.output().print(f"in {proved.seconds:.1f} s on {threads}")
        if each:
            console.output().print(as_rich(columns))

    def save() -> None:
        if certificate is not None and proof.is_complete:
            make = partial(certify_proof, opened, proof)
            certifying.write(make, certificate, ending, quiet=output.quiet)

    show(document, output.format, for_people, save=save, unsaved=unsaved)
    if not proof.is_complete:
        is_late = ending.reason is Reason.TIME_LIMIT
        why = "out of time" if is_late else "interrupted"
        then = "the same command goes on from the file" if out else "--out would keep the bounds"
        console.complain(f"{why} before every guess was settled; {then}")
        raise typer.Exit(0 if is_late else console.INTERRUPTED)


def _shown(bar: console.Bar, position: Position) -> Callable[[int, Fate, int], None]:
    """What shows how many guesses are settled, and the best one so far."""
    words = position.game.words.guesses.words
    figures = Figures.of(position.game, position)
    best, done = INFEASIBLE, 0

    def show(guess: int, fate: Fate, lower: int) -> None:
        nonlocal best, done
        done += 1
        told = ""
        if fate is Fate.OPTIMAL and lower < best:
            best = lower
            told = f"best {capitals(words[guess])}: {figures.sentence(best)}"
        bar.show(done, len(words), told)

    return show


def _shown_in_rounds(bar: console.Bar, position: Position) -> Callable[[RoundProgress], None]:
    """What shows the round, and the interval so far."""
    words = position.game.words.guesses.words
    figures = Figures.of(position.game, position)

    def show(event: RoundProgress) -> None:
        if event.best is None:
            bar.show(event.done, event.total, name="looking for the best guess")
            return
        guess, value = event.best
        told = f"best {capitals(words[guess])} {figures.short(value)}, none is below "
        told += figures.short(min(event.lower, value))
        bar.show(event.done, event.total, told, f"raising bounds to {figures.short(event.target)}")

    return show
