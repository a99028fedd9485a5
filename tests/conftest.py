"""Fixtures: a private cache, the original game, verbs on a small game, random games."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from gpu_wordle.backends import Backend, choose, load_game
from gpu_wordle.backends.cuda import device
from gpu_wordle.cli import app
from gpu_wordle.game.game import Game
from support import small_game
from support.host_cupy import HostCupy, pretend

settings.register_profile(
    "default", deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
settings.load_profile("default")


def pytest_addoption(parser: pytest.Parser) -> None:
    """The option of test_golden.py."""
    parser.addoption("--update-golden", action="store_true", help="write the golden files anew")


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
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where kernels are compiled for the host."""
    if sys.platform != "linux" or shutil.which("g++") is None:
        pytest.skip("the kernels are compiled for the host by g++ on Linux")
    return tmp_path_factory.mktemp("host-kernels")


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
    (tmp_path / "guesses.txt").write_text("\n".join(sorted(small_game.GUESSES)))
    (tmp_path / "answers.txt").write_text("\n".join(small_game.ANSWERS))
    weights = zip(small_game.ANSWERS, small_game.WEIGHTS, strict=True)
    rows = "".join(f"{word},{weight}\n" for word, weight in weights)
    (tmp_path / "w.csv").write_text("word,weight\n" + rows)

    def call(verb: str, *arguments: object) -> str:
        lists = ["--guesses", "guesses.txt", "--answers", "answers.txt", "--quiet"]
        app([verb, *map(str, arguments), *lists], standalone_mode=False)
        return capsys.readouterr().out

    return call


@pytest.fixture
def use(monkeypatch: pytest.MonkeyPatch, folder: Path) -> Iterator[Callable[..., HostCupy]]:
    """Put a host that pretends to be a device, with the limits given, in CuPy's place."""

    def replace(**limits: int) -> HostCupy:
        host = HostCupy(folder, **limits)
        pretend(monkeypatch, host)
        device.kernel.cache_clear()
        return host

    yield replace
    device.kernel.cache_clear()
