"""``auto`` gives searches to a device whose kernels have just agreed with the reference there."""

from __future__ import annotations

import re

import pytest

from gpu_wordle.api import pools
from gpu_wordle.api.session import Machine, Session
from gpu_wordle.backends import BackendChoice
from gpu_wordle.backends.cpu.backend import CpuBackend
from gpu_wordle.backends.cuda import device
from gpu_wordle.backends.reference import ReferenceBackend
from gpu_wordle.backends.self_test import disagreement
from gpu_wordle.cli import console
from gpu_wordle.game.game import Rule
from gpu_wordle.solver import BatchedPool, SolverPool
from support.commands import invoke
from support.host_cupy import DeviceFailureError
from support.slices import slice_of
from support.word_lists import make_game

FAULTS = {
    "best_guess.cu": ("case LOWER_BOUND: return 3LL", "case LOWER_BOUND: return 2LL"),
    "bound_states.cu": ("? found : least", "? found + (r == 0) : least"),
    "bound_guesses.cu": ("bound[p] = total;", "bound[p] = total + (n == 44);"),
    "bound_guesses.cu, large": ("bound[p] = total;", "bound[p] = total + (n == 290);"),
    "split.cu": ("child_size[slot] = same;", "child_size[slot] = same > 2 ? same - 1 : same;"),
    "collapse.cu": ("of[v].sum_squares;", "of[v].sum_squares + (state.n == 290);"),
    "partition_stats.cu": ("(unsigned short)tally[v].max_part", "7"),
    "joint.cu": ("(Result)sum[v];", "(Result)(sum[v] + (end_count == 1));"),
}
"""A line of each kernel, and what makes it wrong for some states."""


def opened(game, tasks, capsys, monkeypatch):
    """The pool that ``auto`` opens for so many guesses, and what it says."""
    monkeypatch.setattr(pools, "GROUP_OPENERS", 50)
    monkeypatch.setattr(pools, "MIN_DEVICE_ANSWERS", 65)
    choice = BackendChoice(CpuBackend(1), "for the test", is_automatic=True)
    console.listen(quiet=False)
    pool = pools.batched_pool(Session(game.start(), choice, Machine(threads=1, table_mib=1)), tasks)
    with pool:
        return pool, capsys.readouterr().err


def plant(monkeypatch, fault):
    sound = device.kernel_source
    file, (before, after) = fault.partition(",")[0], FAULTS[fault]
    assert before in sound(file)

    def source(name):
        return sound(name).replace(before, after) if name == file else sound(name)

    monkeypatch.setattr(device, "kernel_source", source)


def test_other_backends_pass():
    assert disagreement(CpuBackend(1)) is None


def test_nonsense_that_breaks_what_works_on_it_is_a_failure():
    class Nonsense(ReferenceBackend):
        def open_frontier(self, game, memory_bytes=None):
            frontier = super().open_frontier(game)
            frontier.split = lambda *_: None
            return frontier

    assert disagreement(Nonsense()) == "its results are unusable (AttributeError)"


def test_a_wrong_backend_is_told_where():
    class Wrong(ReferenceBackend):
        def open_frontier(self, game, memory_bytes=None):
            frontier = super().open_frontier(game)
            bound_states = frontier.bound_states
            frontier.bound_states = lambda *states: bound_states(*states) + 1
            return frontier

    assert re.match(r"backends disagree on bound_states\[0\]", disagreement(Wrong()))


@pytest.mark.slow
def test_a_device_that_passes_searches(use, original, capsys, monkeypatch):
    use()
    game = make_game(slice_of(original, 80, 70))
    pool, said = opened(game, 80, capsys, monkeypatch)
    assert isinstance(pool, BatchedPool)
    assert re.search(
        r"backend cuda for the search \(auto: its kernels agree with the reference, "
        r"a self-test of [\d.]+ s\)",
        said,
    )
    assert "searching in batches on cuda: emulated device" in said


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS)
def test_a_device_that_counts_wrong_does_not_search(use, original, capsys, monkeypatch, fault):
    use()
    plant(monkeypatch, fault)
    pool, said = opened(make_game(slice_of(original, 80, 70)), 80, capsys, monkeypatch)
    assert type(pool) is SolverPool
    assert "the search stays on the CPU, for the device failed its self-test: " in said


def test_a_device_that_fails_does_not_search(use, original, capsys, monkeypatch):
    host = use()

    def fail(*_):
        raise DeviceFailureError("out of order")

    host.asarray = fail
    pool, said = opened(make_game(slice_of(original, 80, 70)), 80, capsys, monkeypatch)
    assert type(pool) is SolverPool
    assert "failed its self-test: the CUDA device failed (out of order)" in said


@pytest.mark.parametrize(
    ("answers", "tasks", "rule"),
    [(70, 49, Rule.NORMAL), (64, 80, Rule.NORMAL), (70, 80, Rule.HARD)],
)
def test_small_searches_and_other_rules_ask_no_device(
    original, capsys, monkeypatch, answers, tasks, rule
):
    monkeypatch.setattr(pools, "device_for_search", lambda: pytest.fail("the device is asked"))
    game = make_game(slice_of(original, 80, answers))
    pool, said = opened(type(game)(game.words, game.patterns, rule), tasks, capsys, monkeypatch)
    assert (type(pool), said) == (SolverPool, "")


def test_without_a_device_nothing_is_said(original, capsys, monkeypatch):
    monkeypatch.setattr(device, "probe", lambda: (None, "cupy is not installed"))
    game = make_game(slice_of(original, 80, 70))
    assert opened(game, 80, capsys, monkeypatch)[1] == ""


def test_what_never_pays_is_left_to_the_cpu_and_auto_says_so(use, capfd, monkeypatch):
    """The matrix, the statistics and a search of all guesses after some turns; in one line."""
    host = use()
    game = ["--guesses", "original", "--state", "salet BBBBB"]
    for verb in (["suggest", "--top", "1"], ["prove", "--time-limit", "1"], ["spectrum", "crony"]):
        invoke([*verb, *game])
        said = capfd.readouterr().err
        assert re.search(
            r"^backend cpu \(auto: a device does not pay for 2.9e\+06 look-ups or one state at a "
            r"time, and a large search asks for one\)$",
            said,
            re.MULTILINE,
        )
        assert "cuda" not in said
    assert host.modules == []  # no kernel was compiled
    invoke(["spectrum", "crony", *game, "--quiet"])
    assert capfd.readouterr().err == ""
    monkeypatch.setattr(device, "is_installed", lambda: False)
    invoke(["spectrum", "crony", *game])
    assert "backend" not in capfd.readouterr().err


def test_a_named_device_never_falls_back(use, capfd):
    """Not even for what does not pay there: the device has the one state."""
    host = use()
    host.asarray = lambda *_: pytest.fail("the device has it")
    game = ["--guesses", "original", "--state", "salet BBBBB", "--backend", "cuda"]
    with pytest.raises(pytest.fail.Exception, match="the device has it"):
        invoke(["spectrum", "crony", *game])
