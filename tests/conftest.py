"""Fixtures: a private cache, the original game, verbs on a small game; and who runs the tests.

All tests together run in several processes, by pytest-xdist where that is installed; a file or a
test of one's choice in this one. ``-n`` says otherwise.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import HealthCheck, settings

from gpu_wordle.backends import Backend, choose, load_game
from gpu_wordle.backends.cuda import device
from gpu_wordle.game.game import Game
from support import ROOT, kept, module_at, small_game
from support.commands import invoke
from support.host_cupy import HostCupy, pretend

os.environ.setdefault("GPU_WORDLE_MACHINE_CODE", str(ROOT / ".machine-code"))
"""Machine code is shared by all processes of the tests and kept for the next run of them."""

os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
"""Processes that tests start keep their bytecode: each would compile 200 modules anew."""

MEMORY = Path("/dev/shm")
"""A file system in memory, which Linux has."""

MIN_MEMORY_BYTES = 4 << 30
"""Room that temporary files of the tests may take, several times over."""

WORKER = "PYTEST_XDIST_WORKER"
"""The variable in which pytest-xdist says which of its processes this one is."""

TIMEOUT_S = 900
"""After so long, a test hangs, however busy the machine is."""

MAX_PROCESSES = 8
"""Each holds the original game and the memory of several solvers."""

settings.register_profile(
    "default", deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
settings.load_profile("default")


def has_room_in_memory() -> bool:
    """True if temporary files can be kept in memory, and programs among them be run."""
    if not os.access(MEMORY, os.W_OK):
        return False
    system = os.statvfs(MEMORY)
    is_large = system.f_bavail * system.f_frsize >= MIN_MEMORY_BYTES
    return is_large and not system.f_flag & os.ST_NOEXEC


if has_room_in_memory():  # elsewhere the tests wait for the disk, which files are saved to safely
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))


def pytest_addoption(parser: pytest.Parser) -> None:
    """The option of test_golden.py."""
    parser.addoption("--update-golden", action="store_true", help="write the golden files anew")


def pytest_configure() -> None:
    """Hear Ctrl-C whatever the shell makes of it; so do the processes that tests start."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> None:
    """Bound each test's time, and share the whole suite out among processes.

    That is before pytest-timeout and pytest-xdist read how long and how many.
    """
    option = config.option
    if config.pluginmanager.hasplugin("timeout") and option.timeout is None:
        option.timeout = TIMEOUT_S
        option.timeout_method = "thread"  # the package has a use of its own for the alarm
    if WORKER in os.environ:
        return
    is_whole = config.args_source is not pytest.Config.ArgsSource.ARGS
    alone = option.collectonly or option.usepdb or option.update_golden
    if config.pluginmanager.hasplugin("xdist") and option.numprocesses is None and is_whole:
        option.numprocesses = 0 if alone else "auto"
        option.maxprocesses = option.maxprocesses or MAX_PROCESSES
        option.dist = "worksteal"  # for some tests take much longer than others


def pytest_sessionstart(session: pytest.Session) -> None:
    """Compile machine code once, before processes start that would all compile the same."""
    option = session.config.option
    if not getattr(option, "numprocesses", None):  # this is a process of theirs, or the only one
        return
    for library in ("OMP", "OPENBLAS", "MKL"):  # they inherit it: one process is one core's work
        os.environ.setdefault(f"{library}_NUM_THREADS", "1")
    path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]).rstrip(os.pathsep)
    command = [sys.executable, "-m", "gpu_wordle", "warm"]
    environment = {**os.environ, "PYTHONPATH": path}
    subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)


@pytest.fixture(scope="session")
def generated() -> ModuleType:
    """The module that writes pages from the program."""
    return module_at(ROOT / "docs/_ext/generated.py")


@pytest.fixture(autouse=True, scope="session")
def _private_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Nothing outside the test run is read or written."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GPU_WORDLE_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="session")
def original(_private_cache: None) -> Game:
    """The original game under the normal rule."""
    return load_game("original")


@pytest.fixture(scope="session")
def folder() -> Path:
    """Where kernels are compiled for the host, and kept for the next run while they are of use."""
    if sys.platform != "linux" or shutil.which("g++") is None:
        pytest.skip("the kernels are compiled for the host by g++ on Linux")
    return kept.folder()


@pytest.fixture(params=["cpu", "reference"])
def backend(request: pytest.FixtureRequest) -> Backend:
    """Every backend that runs anywhere; the kernels' tests are in test_kernels.py."""
    return choose(request.param, threads=2).backend


@pytest.fixture
def run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., str]:
    """Run a command on the small game in this process and return what it prints."""
    monkeypatch.chdir(tmp_path)
    small_game.write(tmp_path)
    weights = zip(small_game.ANSWERS, small_game.WEIGHTS, strict=True)
    rows = "".join(f"{word},{weight}\n" for word, weight in weights)
    (tmp_path / "w.csv").write_text("word,weight\n" + rows)

    def call(verb: str, *arguments: object) -> str:
        invoke([verb, *map(str, arguments), *small_game.LISTS, "--quiet"])
        return capsys.readouterr().out

    return call


@pytest.fixture
def use(monkeypatch: pytest.MonkeyPatch, folder: Path) -> Iterator[Callable[..., HostCupy]]:
    """Put a host that pretends to be a device, with the limits given, in CuPy's place."""

    def replace(**limits: int) -> HostCupy:
        host = HostCupy(folder, **limits)
        pretend(monkeypatch, host)
        device.module.cache_clear()
        return host

    yield replace
    device.module.cache_clear()
