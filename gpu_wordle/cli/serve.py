"""``gpu-wordle serve``: the local page, or a static copy of it."""

from __future__ import annotations

import importlib.util
import threading
import webbrowser
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from gpu_wordle.api.games import GAME, Position
from gpu_wordle.cli import console
from gpu_wordle.cli.command import command
from gpu_wordle.cli.output import Output
from gpu_wordle.errors import UserError, counted, installing
from gpu_wordle.options.declared import Option, Subject
from gpu_wordle.options.reading import FILES, FOLDER, TEXT, TEXTS, TRUTH, whole
from gpu_wordle.options.shared import BACKEND, Threads
from gpu_wordle.report.document import Document, envelope
from gpu_wordle.streams import complain

if TYPE_CHECKING:
    from gpu_wordle.web.compiling import Compiling
    from gpu_wordle.web.server import Server
    from gpu_wordle.web.shelf import Offer

ADDRESS, SITE = "Address", "Static site"
DEFAULT_PORT = 8780
MAX_PORT = 65_535
DEFAULT_OPENERS = 100

NEEDED = ("starlette", "uvicorn")
"""Libraries of the extra ``web``."""


@command
def serve(
    position: Annotated[Position, Subject("The game that the page starts with.", GAME)],
    files: Annotated[
        Sequence[Path],
        Option(
            "HDF5 files of rankings to show beside the published ones.",
            FILES,
            metavar="RANKING...",
        ),
    ] = (),
    *,
    host: Annotated[
        str,
        Option(
            "Address to serve at. Other than the default, it may admit other computers.",
            TEXT,
            ADDRESS,
        ),
    ] = "127.0.0.1",
    port: Annotated[
        int,
        Option("Port to serve at; 0: any free port.", whole(0, MAX_PORT), ADDRESS),
    ] = DEFAULT_PORT,
    name: Annotated[
        Sequence[str],
        Option(
            "Another host name of the server, for example behind a proxy.",
            TEXTS,
            ADDRESS,
            "TEXT...",
        ),
    ] = (),
    opens: Annotated[
        bool, Option("Open the page in a browser.", TRUTH, ADDRESS, flag="--open/--no-open")
    ] = True,
    export: Annotated[
        Path | None,
        Option("Write the page as files to this folder, and serve nothing.", FOLDER, SITE),
    ] = None,
    openers: Annotated[
        int | None,
        Option(
            "With --export: number of best openers of each rule, with answers to every reply.",
            whole(1),
            SITE,
            default=str(DEFAULT_OPENERS),
        ),
    ] = None,
    backend: Annotated[Literal["auto", "cpu"], BACKEND] = "auto",
    threads: Threads = None,
    output: Output,
) -> None:
    """Serve the page: advice, strategies to watch, spectra, reviews, rankings, and games to play.

    The options of the game set the game that the page starts with. Only this computer can reach
    the page, unless --host says otherwise. The server writes nothing and serves only its own files.
    On the first start on a machine, the page says how far the search is compiled.

    Examples:
        $ gpu-wordle serve
        $ gpu-wordle serve openers.h5 --port 8791
    """
    check_installed()
    if openers is not None and export is None:
        raise UserError("--openers needs --export; leave it out, or add --export FOLDER")
    assert position._from_terminal is not None, "the page starts with the options of a terminal"
    asked = position._from_terminal.options
    from gpu_wordle.web.compiling import Compiling
    from gpu_wordle.web.large_blocks import return_large_blocks
    from gpu_wordle.web.shelf import GameName, offer_of

    return_large_blocks()
    named = (asked[each] for each in ("guesses", "answers", "rule", "objective", "max_guesses"))
    added = {each: asked[each] for each in ("join_answers", "unlisted", "alphabet")}
    offered = offer_of(GameName(*named), asked["weights"], list(files), **added)
    compiling = Compiling()
    if export is not None:
        console.compile_first(compiling.run, quiet=output.quiet)
        _export(offered, export, openers or DEFAULT_OPENERS, threads, output)
    else:
        server = _server(offered, host, port, threads, name, compiling)
        _serve(server, compiling, output, opens=opens)


def _server(
    offered: Offer,
    host: str,
    port: int,
    threads: int | None,
    names: Sequence[str],
    compiling: Compiling,
) -> Server:
    """The server; warns if other computers can reach it."""
    from gpu_wordle.web.server import Server

    server = Server(offered, host, port, threads, names, compiling.share)
    if server.is_open:
        complain(
            f"warning: other computers can reach and use this server at {host}; leave out "
            "--host to serve only this one"
        )
    return server


def _export(
    offered: Offer, folder: Path, openers: int, threads: int | None, output: Output
) -> None:
    """Write the static site and print a summary."""
    from gpu_wordle.web.export import Export

    stop_token = console.stop_token_of()
    with console.Bar("exporting", quiet=output.quiet) as bar:
        written = Export(offered, folder, openers, threads).run(stop_token, bar.show)
    answer = {"folder": str(folder), "site_files": written.files, "bytes": written.size}
    output.show(
        lambda: Document(envelope("serve"), answer),
        lambda: console.output().print(
            f"{counted(written.files, 'file')}, {written.size:,} bytes, in {folder}", soft_wrap=True
        ),
    )
    console.exit_early(stop_token, "the site is incomplete; the same command resumes it")


def _ignore(done: int, total: int) -> None:
    """Tell nothing: the page asks how far it is."""


def check_installed() -> None:
    """Raise UserError if the extra ``web`` is not installed."""
    if any(importlib.util.find_spec(name) is None for name in NEEDED):
        raise UserError(f"serve needs {' and '.join(NEEDED)}; {installing('web')}")


def _serve(server: Server, compiling: Compiling, output: Output, *, opens: bool) -> None:
    """Serve until Ctrl-C, which is the normal end of a server."""

    def begun() -> None:
        answer = {"address": server.address}
        output.show(
            lambda: Document(envelope("serve"), answer),
            lambda: console.output().print(f"serving {server.address}"),
        )
        console.note("Ctrl-C ends it", quiet=output.quiet)
        if compiling.share() < 1:
            told = "compiling the search, once on this machine; the page says how far it is"
            console.note(told, quiet=output.quiet)
            threading.Thread(target=compiling.run, args=(_ignore,), daemon=True).start()
        if opens:
            webbrowser.open(server.address)

    console.listen(quiet=True)  # remarks of jobs concern clients, not whoever started the server
    try:
        server.run(begun)
    except KeyboardInterrupt:
        console.note("ended", quiet=output.quiet)
