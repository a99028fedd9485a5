"""``gpu-wordle warm``: compile all machine code ahead."""

from __future__ import annotations

from gpu_wordle.api.warming import make_everything_ready
from gpu_wordle.cli import console, options
from gpu_wordle.cli.blocks import with_blocks
from gpu_wordle.cli.printing import show
from gpu_wordle.jit import files
from gpu_wordle.report.document import Document, envelope


@with_blocks
def warm(output: options.OutputOptions) -> None:
    """Compile all machine code now, so that no later command has to.

    For images of containers: what is compiled lies in the cache folder, and serves every user of it
    on processors of the same kind.
    """
    console.listen(quiet=output.quiet)
    compiled = console.compile_first(make_everything_ready, quiet=output.quiet)
    place = str(files.folder())

    def for_people() -> None:
        if compiled:
            print(f"{compiled} functions compiled, in {place}")
        else:
            print(f"nothing to do: all machine code is in {place}")

    answer = {"compiled": compiled, "folder": place}
    show(lambda: Document(envelope("warm"), answer), output.format, for_people)
