"""The option by which workers of a cluster do the work, and what is told of them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Annotated

import typer

from gpu_wordle.cli import console
from gpu_wordle.cluster.crew import Crew
from gpu_wordle.cluster.scheduler import check_address, joined
from gpu_wordle.options.shared import MACHINE

MAX_WORKERS_NAMED = 16
"""Workers that are told of one by one."""


@dataclass(frozen=True)
class ClusterOptions:
    """Who does the work; UserError for what is no cluster."""

    cluster: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS",
            help="Have workers of dask do the work: those of a scheduler, as in "
            "tcp://host:8786, or local:N for N processes on this machine. --threads and "
            "--table-size are then those of each worker; one thread, if not given.",
            rich_help_panel=MACHINE,
        ),
    ] = None

    def __post_init__(self) -> None:
        if self.cluster is not None:
            check_address(self.cluster)

    @contextmanager
    def crew(self, *, quiet: bool) -> Iterator[Crew | None]:
        """The workers, if any are asked for; who they were is told afterwards."""
        if self.cluster is None:
            yield None
            return
        with joined(self.cluster) as executor:
            crew = Crew(executor)
            try:
                yield crew
            finally:
                lines = crew.roster.lines()
                for line in lines[:MAX_WORKERS_NAMED]:
                    console.note(line, quiet=quiet)
                if len(lines) > MAX_WORKERS_NAMED:
                    console.note(f"and {len(lines) - MAX_WORKERS_NAMED:,} others", quiet=quiet)
