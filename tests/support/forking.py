"""A process that has loaded the command line and dask, and forks a command for each request.

Its parent starts it as a script with the number of a socket, and sends it requests: the command as
JSON, and its three streams. It receives the number of the command's process, which becomes a child
of that parent: the command is forked twice, and the process between ends at once.

It has loaded the modules of the package, its machine code, and the libraries that they import. It
has started no thread.
"""

import atexit
import importlib
import json
import os
import runpy
import signal
import socket
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any


def next_command(line: socket.socket) -> tuple[dict[str, Any], list[int]]:
    """Fork a process for each request. Returns in that process, with the request and its streams.

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
        line.send(b"forked")  # second, after the number that the ended process has sent
        for number in streams:
            os.close(number)


def become(request: dict[str, Any], streams: list[int]) -> None:
    """Turn this process into the command of the request."""
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
    sys.path[0] = str(Path.cwd())  # instead of the folder of this file
    sys.argv = [request["module"], *request["arguments"]]
    exec(request["begin"], {})


code: Any = None
"""The exit code that the command has asked for."""


def leave() -> None:
    """End at once: to tear down all that was loaded takes longer than many commands run.

    If streams cannot be flushed, or without an exit code, Python ends in its own way.
    """
    if isinstance(code, int):
        with suppress(Exception):
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)


if __name__ == "__main__":
    atexit.register(leave)  # registered first, so that it is called last
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # after Ctrl-C, the parent closes the line
    sys.path.insert(0, str(Path(__file__).parents[2]))
    importlib.import_module("scripts.fuzz.child").load()
    for module in ("distributed.cli.dask_scheduler", "distributed.cli.dask_worker"):
        with suppress(ImportError):
            importlib.import_module(module)
    sys.path.pop(0)
    request, streams = next_command(socket.socket(fileno=int(sys.argv[1])))
    become(request, streams)
    try:
        runpy.run_module(request["module"], run_name="__main__", alter_sys=True)
    except SystemExit as end:
        code = end.code
        raise
