"""The scripts of examples/ run over the public names, and say what they are meant to say."""

from __future__ import annotations

import asyncio
import re
import runpy
from pathlib import Path
from types import SimpleNamespace

import pytest

import gpu_wordle as gw
from support import ROOT

EXAMPLES = ROOT / "examples"


@pytest.fixture
def run_example(capsys):
    """Runs a script as a program; what it prints."""

    def run(name: str) -> str:
        runpy.run_path(str(EXAMPLES / name), run_name="__main__")
        return capsys.readouterr().out

    return run


def test_every_script_is_run_and_described():
    scripts = {path.name for path in EXAMPLES.glob("*.py")}
    described = (EXAMPLES / "README.md").read_text("utf-8")
    tests = Path(__file__).read_text("utf-8")
    assert all(f"`{name}`" in described and f'"{name}"' in tests for name in scripts)


def test_own_list(run_example):
    lines = run_example("own_list.py").splitlines()
    means = [float(line.split()[1]) for line in lines[:5]]
    assert means == sorted(means)
    assert 1 < means[0] < 3
    assert lines[5].startswith("after ")
    assert all(" left, guess " in line for line in lines[6:])


@pytest.mark.slow
def test_middle_of_a_game(run_example):
    text = run_example("middle_of_a_game.py")
    normal, hard = text.split("hard: ")
    assert "20 answers left after salet BYBBG" in normal
    assert "courd is best: 2.2500 guesses more, at most 3" in normal
    assert "crony costs 4 more" in normal
    assert "craft is best: 2.4000 guesses more, at most 3" in hard
    assert "craft costs 0 more" in hard
    assert "habit costs 8 more" in hard
    assert "crony is refused" in hard


def test_nine_coins(run_example):
    text = run_example("nine_coins.py")
    assert "1,578 guesses, 9 coins" in text
    assert "2 weighings find the coin" in text
    assert text.count("if it is one of") == 3


@pytest.mark.slow
def test_rules_and_priors(run_example):
    text = run_example("rules_and_priors.py")
    _, normal, hard, prior = text.split(":\n")
    assert "salet 3.4212, at most 5" in normal
    assert "salet 3.5084, at most 6" in hard
    assert "slate is no guaranteed win; at most 2,314 answers are found" in hard
    assert "salet 3.4189, at most 5" in prior
    assert "published, hard mode: salet of 12,972 is best" in text


def test_regret_of_a_program(run_example):
    lines = run_example("regret_of_a_program.py").splitlines()
    assert lines[0].startswith("crane ")
    assert lines[0].endswith(" 2,315 left")
    assert all(line.endswith(" lost") for line in lines[1:-1])
    lost, skill = re.match(r"20 games: (.*) guesses lost a turn, skill (.*)%", lines[-1]).groups()
    assert 0 < float(lost) < 1
    assert float(skill) == pytest.approx(100 * (1 - float(lost)), abs=0.1)


def test_own_strategy(run_example):
    rows = [line.split("  ") for line in run_example("own_strategy.py").splitlines()]
    assert {row[0].strip() for row in rows} == {"smallest-largest-part", "max-part", "parts"}
    means = [float(row[-1].split()[0]) for row in rows]
    assert means == sorted(means)
    assert 3.42 < means[0] < means[-1] < 3.7


def test_verifiers_wordle(monkeypatch):
    """The adapter by the real package; a script in the place of a model."""
    vf = pytest.importorskip("verifiers.v1")
    monkeypatch.syspath_prepend(EXAMPLES)
    assert (EXAMPLES / "verifiers_wordle.py").is_file()
    loaders = pytest.importorskip("verifiers.v1.utils.loaders")
    config = loaders.resolve_env_config({"taskset": {"id": "verifiers-wordle"}, "regret_weight": 1})
    environment = loaders.load_environment(config)
    assert type(environment).__name__ == "WordleEnv"
    tasks = list(environment.taskset.take(2))
    assert [task.data.answer for task in tasks] == ["aback", "abase"]
    assert "salet" not in tasks[0].data.prompt_text

    replies = ["I begin with [SALET].", "xxxxx", "<guess>abase</guess>", "ABACK"]
    told: list[str | None] = []

    class Interaction:
        """One that replies by the script, and keeps what the user says."""

        def __init__(self, task):
            self.trace = vf.Trace(
                task=vf.TraceTask(type="WordleTask", data=task.data),
                agent=vf.AgentInfo(config=vf.AgentConfig()),
            )

        async def __aenter__(self):
            return self

        async def __aexit__(self, *_):
            """Nothing to close."""

        async def turn(self, message=None):
            told.append(message)
            reply = vf.AssistantMessage(content=replies[len(told) - 1])
            return vf.Segment([reply])

    opened = Interaction(tasks[0])
    player = SimpleNamespace(interaction=lambda _: opened)
    asyncio.run(environment.run(tasks[0], SimpleNamespace(player=player)))
    trace = opened.trace
    assert told[0] is None
    assert told[2].startswith("No turn is taken: ")
    assert trace.rewards["solved"].score == 1
    (row,) = gw.score(gw.load_game(), [{"guesses": "salet abase aback", "answer": "aback"}])
    assert trace.rewards["regret"].score == -row["total_regret"]
    assert (trace.metrics["turns"], trace.metrics["unknown"]) == (3, 1)
