"""Fixtures: a private cache, the original game, verbs on a small game, random games."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
import small_game
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from gpu_wordle.backends import Backend, choose, load_game
from gpu_wordle.backends.cuda import device
from gpu_wordle.cli import app
from gpu_wordle.game.game import Game
from gpu_wordle.game.word_list import WordList
from gpu_wordle.game.words import GameWords
from host_cupy import HostCupy, pretend

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


def make_words(guesses: list[str], answers: list[str]) -> GameWords:
    """Word lists from plain lists."""
    return GameWords(WordList(tuple(guesses), "guesses"), WordList(tuple(answers), "answers"))


@st.composite
def random_words(
    draw: st.DrawFn,
    lengths: tuple[int, int] = (2, 7),
    most_guesses: int = 30,
    least_answers: int = 1,
    most_answers: int = 30,
) -> GameWords:
    """Lists over a small random alphabet, so that letters repeat; answers are some guesses."""
    length = draw(st.integers(*lengths))
    alphabet = draw(st.sampled_from(["ab", "abc", "aeiou", "абвгд", "abcdefghijklmnopqrstuvwxyz"]))
    seed = draw(st.integers(0, 2**32 - 1))
    rng = np.random.default_rng(seed)
    count = draw(st.integers(least_answers, most_guesses))
    count = min(count, len(alphabet) ** length)
    words: dict[str, None] = {}
    while len(words) < count:
        words["".join(rng.choice(list(alphabet), length))] = None
    guesses = list(words)
    n_answers = draw(st.integers(min(least_answers, count), min(count, most_answers)))
    answers = [guesses[i] for i in sorted(rng.choice(count, n_answers, replace=False))]
    return make_words(guesses, answers)


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
