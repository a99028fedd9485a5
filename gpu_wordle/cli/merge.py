"""``gpu-wordle merge``: parts of a ranking put together in one file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gpu_wordle.api.merging import MergeWork
from gpu_wordle.cli import console, options
from gpu_wordle.cli.blocks import with_blocks
from gpu_wordle.cli.printing import show
from gpu_wordle.errors import UserError
from gpu_wordle.ranking.openers import Status
from gpu_wordle.report.document import Document, envelope
from gpu_wordle.store.form import RANKING


@with_blocks
def merge(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE...",
            help="Rankings made by rank --shard, or any of one game.",
            dir_okay=False,
        ),
    ],
    output: options.OutputOptions,
    out: options.Out = None,
    fresh: options.Fresh = False,
) -> None:
    """Put the parts of a ranking together: what any of them has proved, checked against the others.

    The file of --out is one more part, if there is one. Parts of another game are refused, and so
    are parts that contradict each other.
    """
    console.listen(quiet=output.quiet)
    options.check_file(out, RANKING, fresh=fresh)
    if out is None:
        raise UserError("no file to write the whole to; name one, as in --out whole.h5")
    work = MergeWork(files, out, fresh=fresh)
    status = work.openers.status
    exact, infeasible, bounded = (
        int((status == each).sum()) for each in (Status.EXACT, Status.INFEASIBLE, Status.BOUNDED)
    )
    answer = {
        "out": str(out),
        "merged_files": [str(file) for file in files],
        "exact_openers": exact,
        "infeasible_openers": infeasible,
        "bounded_openers": bounded,
    }
    told = f"{out}: {exact:,} exact, {infeasible:,} infeasible, {bounded:,} not solved yet"
    show(
        lambda: Document(envelope("merge", work.position), answer),
        output.format,
        lambda: console.output().print(told, soft_wrap=True),
    )
