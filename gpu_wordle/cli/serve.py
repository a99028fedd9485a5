"""``gpu-wordle serve``: the local page, or a static copy of it."""

from __future__ import annotations

import importlib.util
import webbrowser
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gpu_wordle.cli import console, options
from gpu_wordle.cli.blocks import with_blocks
from gpu_wordle.cli.printing import show
from gpu_wordle.errors import UserError, counted
from gpu_wordle.jit.functions import Need
from gpu_wordle.report.document import Document, envelope
from gpu_wordle.solver.ready import CONSTRAINED, UNCONSTRAINED, make_modules_ready

if TYPE_CHECKING:
    from gpu_wordle.web.server import Server
    from gpu_wordle.web.shelf import Offer

ADDRESS, SITE = "Address", "Static site"
DEFAULT_PORT = 8780
MAX_PORT = 65_535
DEFAULT_OPENERS = 100

NEEDED = ("starlette", "uvicorn")
"""Libraries of the extra ``web``."""

Names = list[str] | None


@dataclass(frozen=True)
class AddressOptions:
    """Where the page is; UserError for what is no address."""

    host: Annotated[
        str,
        typer.Option(
            help="Address to serve at. Any but the default lets other computers in.",
            rich_help_panel=ADDRESS,
        ),
    ] = "127.0.0.1"
    port: Annotated[
        int,
        typer.Option(
            parser=options.whole(0),
            metavar=options.INTEGER,
            help="Port to serve at; 0: any that is free.",
            rich_help_panel=ADDRESS,
        ),
    ] = DEFAULT_PORT
    names: Annotated[
        Names,
        typer.Option(
            "--name",
            help="Another name by which browsers may call the server, as behind a proxy.",
            rich_help_panel=ADDRESS,
        ),
    ] = None
    opens: Annotated[
        bool,
        typer.Option(
            "--open/--no-open", help="Open the page in a browser.", rich_help_panel=ADDRESS
        ),
    ] = True

    def __post_init__(self) -> None:
        if self.port > MAX_PORT:
            raise UserError(f"--port {self.port:,}: ports go up to {MAX_PORT:,}; 0 is any")


@dataclass(frozen=True)
class SiteOptions:
    """A static copy of the page; UserError where nothing is copied."""

    export: Annotated[
        Path | None,
        typer.Option(
            parser=options.folder,
            metavar=options.DIRECTORY,
            help="Write the page as files to this folder, and serve nothing.",
            rich_help_panel=SITE,
        ),
    ] = None
    openers: Annotated[
        int | None,
        typer.Option(
            parser=options.whole(1),
            metavar=options.INTEGER,
            help="With --export, openers of each rule, the best first, with answers to every "
            "reply.",
            show_default=str(DEFAULT_OPENERS),
            rich_help_panel=SITE,
        ),
    ] = None

    def __post_init__(self) -> None:
        if self.openers is not None and self.export is None:
            raise UserError("--openers is for --export; leave it out, or name a folder")


@with_blocks
def serve(
    game: options.GameOptions,
    address: AddressOptions,
    site: SiteOptions,
    output: options.OutputOptions,
    machine: options.MachineOptions,
    files: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="[RANKING]...",
            help="HDF5 files of rankings to show beside those that are published.",
            dir_okay=False,
        ),
    ] = None,
) -> None:
    """Serve the page: advice, strategies to watch, spectra, reviews, rankings, and games to play.

    The options of the game are what the page begins with. Only this computer can reach it, unless
    --host says otherwise. Nothing is written, and no file is served but those of the page.
    """
    console.listen(quiet=output.quiet)
    check_installed()
    game.refuse_turns("the page begins with whole games")
    if machine.backend not in (options.BackendName.AUTO, options.BackendName.CPU):
        raise UserError("the page is searched for on CPU threads; leave --backend out")
    from gpu_wordle.web.large_blocks import return_large_blocks
    from gpu_wordle.web.offering import offer_of
    from gpu_wordle.web.shelf import GameName

    return_large_blocks()
    limit, rule = game.max_guesses, game.rule.value
    name = GameName(game.guesses, game.answers, rule, game.objective, limit)
    offered = offer_of(name, game.weights, files or [])
    modules = (*UNCONSTRAINED, *CONSTRAINED)
    needs = (Need.SEARCH, Need.STATISTICS, Need.GREEDY)
    console.compile_first(lambda bar: make_modules_ready(modules, needs, bar), quiet=output.quiet)
    if site.export is not None:
        _export(offered, site.export, site.openers or DEFAULT_OPENERS, machine.threads, output)
    else:
        _serve(_server(offered, address, machine.threads), address, output)


def _server(offered: Offer, address: AddressOptions, threads: int | None) -> Server:
    """The server, and a warning if others can reach it."""
    from gpu_wordle.web.server import Server

    server = Server(offered, address.host, address.port, threads, names=address.names or ())
    if server.is_open:
        console.complain(
            f"warning: other computers can reach this server at {address.host}, and everybody "
            "there can use it; leave --host out to keep it to this one"
        )
    return server


def _export(
    offered: Offer, folder: Path, openers: int, threads: int | None, output: options.OutputOptions
) -> None:
    """Write the static site, and say what was written."""
    from gpu_wordle.web.export import Export

    ending = console.ending_of()
    with console.Bar("exporting", quiet=output.quiet) as bar:
        written = Export(offered, folder, openers, threads).run(ending, bar.show)
    answer = {"folder": str(folder), "site_files": written.files, "bytes": written.size}
    show(
        lambda: Document(envelope("serve"), answer),
        output.format,
        lambda: console.output().print(
            f"{counted(written.files, 'file')}, {written.size:,} bytes, in {folder}", soft_wrap=True
        ),
    )
    console.exit_early(ending, "the site has what was done; the same command goes on")


def check_installed() -> None:
    """UserError if the extra ``web`` is missing."""
    if any(importlib.util.find_spec(name) is None for name in NEEDED):
        raise UserError(f"serve needs {' and '.join(NEEDED)}; pip install 'gpu-wordle[web]'")


def _serve(server: Server, address: AddressOptions, output: options.OutputOptions) -> None:
    """Serve until Ctrl-C, which is how people end a server, and no failure."""

    def begun() -> None:
        answer = {"address": server.address}
        show(
            lambda: Document(envelope("serve"), answer),
            output.format,
            lambda: console.output().print(f"serving {server.address}"),
        )
        console.note("Ctrl-C ends it", quiet=output.quiet)
        if address.opens:
            webbrowser.open(server.address)

    console.listen(quiet=True)  # what jobs remark is not for who has started the server
    try:
        server.run(begun)
    except KeyboardInterrupt:
        console.note("ended", quiet=output.quiet)
