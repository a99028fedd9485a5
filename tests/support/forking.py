"""A process that has loaded the command line, and forks a command for each request.

Its parent starts it as a script, with the number of a socket, and sends it requests: what the
command is to be as JSON, and its three streams. It gets the number of the command's process, which
becomes a child of that parent: the command is forked twice, and the one between ends at once.

Loaded are the modules of the package and the libraries that they import. No thread has been started
and no machine code has been loaded.
"""

import atexit
import gc
import importlib
import json
import os
import pkgutil
import runpy
import signal
import socket
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any


def load() -> None:
    """Import the package, but for what it lacks libraries for."""
    import gpu_wordle

    for module in pkgutil.walk_packages(gpu_wordle.__path__, "gpu_wordle."):
        if not module.name.endswith(".__main__"):
            with suppress(ImportError):
                importlib.import_module(module.name)
    gc.collect()
    gc.freeze()  # what is here now stays, and is shared with the commands


def next_command(line: socket.socket) -> tuple[dict[str, Any], list[int]]:
    """Fork a process for each request; returns in that process, with the request and its streams.

    Ends this process when its parent has closed the line.
    """
    while True:
        request, streams, _, _ = socket.recv_fds(line, 1 << 20, 3)
        if not request:
            os._exit(0)
        if (between := os.fork()) == 0:
            if (number := os.fork()) == 0:
                line.close()
                return json.loads(request), streams
            line.send(str(number).encode())
            os._exit(0)
        os.waitpid(between, 0)
        line.send(b"forked")  # comes second, for the process between has ended
        for number in streams:
            os.close(number)


def become(request: dict[str, Any], streams: list[int]) -> None:
    """Make this process what the request says."""
    for place, (name, mode) in enumerate((("stdin", "r"), ("stdout", "w"), ("stderr", "w"))):
        os.dup2(streams[place], place)
        os.close(streams[place])
        old = getattr(sys, name)
        new = open(  # noqa: SIM115
            place, mode, 1 if name == "stderr" else -1, old.encoding, old.errors, closefd=False
        )
        setattr(sys, name, new)
        setattr(sys, f"__{name}__", new)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.chdir(request["folder"])
    os.environ.clear()
    os.environ.update(request["variables"])
    sys.path[0] = str(Path.cwd())  # before, it was the folder of this file
    sys.argv = ["gpu_wordle", *request["arguments"]]


code: Any = None
"""What the command has said that it ends with."""


def leave() -> None:
    """End at once; to take down all that was loaded would take longer than many a command.

    Where streams cannot be flushed, or no code has been said, Python has its own way to end.
    """
    if isinstance(code, int):
        with suppress(Exception):
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)


if __name__ == "__main__":
    atexit.register(leave)  # so that it is called last
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who hears Ctrl-C closes the line
    load()
    become(*next_command(socket.socket(fileno=int(sys.argv[1]))))
    try:
        runpy.run_module("gpu_wordle", run_name="__main__", alter_sys=True)
    except SystemExit as end:
        code = end.code
        raise
