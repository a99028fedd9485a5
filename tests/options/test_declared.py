"""A verb is declared once: its command, help, checks and docstring come from its signature."""

import ast
import inspect
import json
import re
import shlex
import sys
import time
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Annotated, Literal, TypedDict

import pytest
import typer
from typer.testing import CliRunner

import gpu_wordle as gw
from gpu_wordle.api.games import Here, position_of
from gpu_wordle.cli.command import command
from gpu_wordle.cli.program import app
from gpu_wordle.options.declared import Option, checked, declared, for_python
from gpu_wordle.options.outcome import Outcome, Rows, verb
from gpu_wordle.options.reading import TRUTH, WORD, whole
from gpu_wordle.options.shared import OnProgress, Stop, Threads, TimeLimit, Top, Word
from gpu_wordle.options.telling import compile_first
from gpu_wordle.ranking.stop_token import StopToken
from gpu_wordle.report import keys
from gpu_wordle.report.keys import KEYS, Key, Kind, schema
from gpu_wordle.report.table import columns_of
from gpu_wordle.web.openapi import described
from support import ROOT
from support.commands import invoke, whole_program
from support.small_game import ANSWERS, GUESSES

LISTS = ["--guesses", "guesses.txt", "--answers", "answers.txt"]


def run(function, *arguments, code=0):
    """What a verb prints, or the error that it ends in."""
    own = typer.Typer()
    own.command()(command(function))
    made = CliRunner(env={"COLUMNS": "100"}).invoke(own, [*map(str, arguments)])
    if isinstance(made.exception, gw.UserError):
        assert code == made.exception.exit_code
        return str(made.exception)
    assert made.exit_code == code, made.output
    return made.output


@pytest.fixture(autouse=True)
def lists(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("guesses.txt").write_text("\n".join(GUESSES))
    Path("answers.txt").write_text("\n".join(ANSWERS))


@pytest.fixture(scope="module")
def longest():
    """The verb of CONTRIBUTING.md, in a module as the room of verbs has them."""
    (code,) = re.findall(
        r"```python\n(.*?)```", (ROOT / "CONTRIBUTING.md").read_text("utf-8"), re.S
    )
    assert len(code.splitlines()) < 60
    module = ModuleType("gpu_wordle.verbs.longest")
    sys.modules[module.__name__] = module
    exec(compile(code, "longest.py", "exec"), vars(module))
    yield module.longest
    del sys.modules[module.__name__]


def test_the_verb_of_the_guide_has_a_command_a_help_and_a_function(longest):
    rows = longest(gw.load_game(GUESSES, ANSWERS), "chf")
    solved = gw.solve(gw.load_game(GUESSES, ANSWERS), "chf")
    assert rows[0]["guess"] == "chf"
    assert len(rows) == solved.worst
    assert rows[-1]["pattern"] == "GGG"
    assert json.loads(run(longest, "chf", *LISTS, "--json"))["rows"] == rows
    assert run(longest, "chf", *LISTS, "--top", 1, "--format", "csv").count("\n") == 2
    assert "A longest game" not in run(longest, "chf", *LISTS)
    shown = run(longest, "--help")
    for said in ("--top", "--state", "--threads", "--time-limit", "The first guess."):
        assert said in shown
    assert "guess: The first guess. (a word, as in 'salet')" in inspect.getdoc(longest)


def test_an_option_and_a_column_are_added_in_one_place(generated):
    """The option is in the signature, the column in the row, and everybody finds them."""

    def of(function):
        return function, run(function, "--help"), inspect.getdoc(function)

    @verb
    def count(position: Here, *, top: Top = 5) -> Rows:
        """Count."""
        rows = [{"answers": len(position_of(position).state)}]
        return Rows(columns=columns_of(rows))

    before = of(count)
    assert "shade" not in KEYS

    @schema
    class CountRow(TypedDict):
        answers: keys.Answers
        shade: Annotated[str, Key("light, or dark", heading="how dark")]

    @verb
    def count(
        position: Here,
        *,
        top: Top = 5,
        shade: Annotated[Literal["light", "dark"], Option("Light, or dark.")] = "light",
    ) -> Rows:
        """Count."""
        rows = [{"answers": len(position_of(position).state), "shade": shade}]
        return Rows(columns=columns_of(rows, CountRow))

    try:
        function, shown, said = of(count)
        assert "--shade" in shown
        assert "--shade" not in before[1]
        assert "shade: Light, or dark. (one of light, dark)" in said
        assert "shade" in inspect.signature(function).parameters
        (row,) = json.loads(run(count, *LISTS, "--shade", "DARK", "--json"))["rows"]
        assert row == {"answers": len(ANSWERS), "shade": "dark"}
        assert function(gw.load_game(GUESSES, ANSWERS), shade="dark") == [row]
        assert "how dark" in run(count, *LISTS)
        assert run(count, *LISTS, "--format", "csv") == f"answers,shade\n{len(ANSWERS)},light\n"
        red = "shade='red': give one of light, dark"
        assert f"--{red.replace('=', ' ')}" in run(count, *LISTS, "--shade", "red", code=2)
        with pytest.raises(gw.UserError, match=red):
            function(gw.load_game(GUESSES, ANSWERS), shade="red")
        # The schema of machine output, its page in the reference, and that of the page's server
        assert (KEYS["shade"].kind, KEYS["shade"].meaning) == (Kind.TEXT, "light, or dark")
        assert "| `shade` | text | light, or dark |" in generated.keys_page()
        assert (
            described(())["components"]["schemas"]["row"]["properties"]["shade"]["description"]
            == "light, or dark"
        )
    finally:
        del KEYS["shade"]


def test_text_and_values_are_read_alike():
    @checked
    def ask(word: Word, *, threads: Threads = None, time_limit: TimeLimit = None) -> tuple:
        return word, threads, time_limit

    options = declared(ask)
    assert options["threads"].read_text("3") == options["threads"].read(3) == 3
    assert options["time_limit"].read_text("1h30m") == options["time_limit"].read(5400.0)
    for text, value in (("0", 0), ("x", "x"), ("1.5", 1.5)):
        said = []
        for read, given in ((options["threads"].read_text, text), (options["threads"].read, value)):
            with pytest.raises(gw.UserError) as caught:
                read(given)
            said.append(str(caught.value).partition(": ")[2])
        assert said == ["give a whole number from 1 on"] * 2
    assert ask("a", threads=2, time_limit="2m") == ("a", 2, 120.0)
    assert str(inspect.signature(ask)) == (
        "(word: str, *, threads: int | None = None, time_limit: float | None = None) -> tuple"
    )


def test_a_former_flag_is_taken_and_not_shown():
    @verb
    def count(
        *,
        kind: Annotated[str, Option("A kind.", WORD, hidden={"--noise": None})] = "a",
        is_loud: Annotated[bool, Option("Loud.", TRUTH, flag="--loud/--low")] = False,
        much: Annotated[int, Option("How much.", whole(1), metavar="N")] = 1,
    ) -> Outcome:
        """Count."""
        return Outcome(lines=lambda width: [f"{kind} {is_loud} {much}"])

    assert run(count, "--noise", "b", "--loud", "--much", 2).strip() == "b True 2"
    assert "--noise" not in run(count, "--help")
    assert "--much '0': give a whole number from 1 on" in run(count, "--much", 0, code=2)


def test_who_waits_is_told_and_can_stop():
    seen = []

    @verb
    def count(*, stop: Stop = None, progress: OnProgress = None) -> Outcome:
        """Count."""
        if progress is not None:
            progress(gw.Progress("counting", 1, 2))
        return Outcome(lines=lambda width: ["done"])

    count(progress=seen.append)
    assert seen == [gw.Progress("counting", 1, 2)]
    assert run(count).strip() == "done"
    assert "--progress" not in run(count, "--help")
    with pytest.raises(gw.UserError, match="progress=1: give a function of one argument"):
        count(progress=1)


def test_compiling_takes_none_of_the_time():
    """What is compiled once on a machine does not end a job that has a time limit."""

    @verb
    def count(
        *, time_limit: TimeLimit = None, stop: Stop = None, progress: OnProgress = None
    ) -> Outcome:
        """Count."""
        compile_first(lambda show: time.sleep(0.5) or 0, progress, stop)
        ending = StopToken.of_call(time_limit, stop)
        return Outcome(lines=lambda width: ["late" if ending.is_due() else "in time"])

    assert run(count, "--time-limit", "0.3").strip() == "in time"


def test_what_a_terminal_alone_has_is_not_taken_from_python():
    @verb
    def count(
        *, loud: Annotated[bool, Option("Loud.", TRUTH, flag="--loud", only="terminal")] = False
    ) -> Outcome:
        """Count; --loud is for terminals."""
        return Outcome(lines=lambda width: [str(loud)])

    assert run(count, "--loud").strip() == "True"
    assert str(inspect.signature(count)).startswith("()")
    with pytest.raises(TypeError, match="unexpected keyword argument 'loud'"):
        count(loud=True)


def test_two_flags_for_one_thing_are_refused():
    @verb
    def count(*, kind: Annotated[str, Option("A kind.", WORD, hidden={"--noise": None})] = "a"):
        """Count."""
        return Outcome(lines=lambda width: [kind])

    said = run(count, "--noise", "b", "--kind", "c", code=2)
    assert said == "--noise and --kind say the same; leave one out"


def test_a_path_is_no_named_list():
    Path("original").write_text("\n".join(GUESSES))
    assert len(gw.load_game("./original").guesses) == len(GUESSES)


def test_choices_are_completed():
    (backend,) = (p for p in whole_program().commands["rank"].params if p.name == "backend")
    assert [c.value for c in backend.shell_complete(None, "c")] == ["cpu", "cuda", "check"]


COMMANDS = whole_program().commands
EXAMPLES = [
    (verb, line) for verb, each in COMMANDS.items() for line in (each.epilog or "").split("\n\n")
]
QUICK = ("strategies", "info", "plot", "spectrum", "suggest", "analyse")
"""Verbs of which all examples are run; those of others are read."""


@pytest.mark.parametrize(("verb", "line"), EXAMPLES)
def test_examples_are_what_the_verb_takes(verb, line, capsys):
    called, name, *arguments = shlex.split(line)
    assert (called, name) == ("gpu-wordle", verb)
    settings = app.info.context_settings
    given = COMMANDS[verb].make_context(verb, [*arguments], **settings).params
    room = "cli" if verb in ("play", "serve") else "verbs"
    function = getattr(import_module(f"gpu_wordle.{room}.{verb}"), verb)
    for option in (declared(gw.load_game) | declared(function)).values():
        if option.name in given and option.option.only != "python":
            option.read_text(given[option.name])
    if verb in QUICK and line != "gpu-wordle suggest --by entropy,parts":
        assert not invoke([verb, *arguments, "--quiet"])
        assert capsys.readouterr().out


def test_examples_for_python_are_calls_of_public_functions():
    seen = set()
    for name in gw.__all__:
        said = inspect.getdoc(getattr(gw, name)) or ""
        assert "$ gpu-wordle" not in said
        for example in re.findall(r">>> (.*)", said):
            for call in ast.walk(ast.parse(example)):
                if isinstance(call, ast.Call) and re.fullmatch(r"gw\.\w+", ast.unparse(call.func)):
                    asked = inspect.signature(getattr(gw, call.func.attr))
                    asked.bind(*call.args, **{each.arg: each.value for each in call.keywords})
                    seen.add(call.func.attr)
    assert {"rank", "solve", "prove", "suggest", "simulate", "noise", "merge"} <= seen


def test_errors_keep_what_was_given_as_it_is(tmp_path):
    """It may look like flags."""
    game = gw.load_game(GUESSES, ANSWERS)
    for call, message in (
        (lambda: gw.open_results("x --json y.h5"), "x --json y.h5: no such file"),
        (lambda: gw.load_game("my --answers file.txt"), "my --answers file.txt: no such file"),
        (
            lambda: gw.rank(game, exact=0, out="--dir/x --fresh.h5"),
            "--dir/x --fresh.h5: there is no folder --dir",
        ),
        (lambda: gw.pairs(game, prove=True, words=3), "prove is for pairs, not for 3 words"),
    ):
        with pytest.raises(gw.UserError, match=f"^{re.escape(message)}"):
            call()


def test_results_follow_what_is_done_to_them():
    game = gw.load_game(GUESSES, ANSWERS)
    rows = gw.suggest(game, top=3)
    rows.reverse()
    assert rows.head(1) == [rows[0]]
    late = gw.solve(game, "chf", time_limit=1e-6)
    assert late.head() == late.rows
    assert not late.is_exact
    assert "chf" in late._repr_html_()
    with pytest.raises(AttributeError, match="'Position' object has no attribute 'guess_left'"):
        _ = game.start.guess_left


def test_a_flag_with_its_value_is_an_argument_in_python():
    assert for_python("--answers=guesses lets all", {}) == "answers='guesses' lets all"
    assert for_python("give --answers or './--answers=x'", {}) == "give answers or './--answers=x'"
