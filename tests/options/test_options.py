"""All verbs have the same options, with the same defaults and help."""

import inspect
from math import inf
from typing import get_args

import pytest

import gpu_wordle as gw
from gpu_wordle.cli.program import app
from gpu_wordle.options.declared import declared
from gpu_wordle.options.reading import FOLDER, seconds_of
from support.commands import invoke, whole_program

COMMANDS = whole_program().commands
GAME = {"guesses", "answers", "state"}
MACHINE = {"backend", "threads"}
SEARCH = {"rule", "max_guesses", "table_size", "batched", "device_memory"}
AIM = {"objective", "weights"}
FILE = {"out", "fresh"}
HAVE = {
    "info": set(),
    "warm": set(),
    "strategies": set(),
    "positions": {*GAME, *AIM, *FILE, "rule", "max_guesses", "time_limit", "threads"},
    "learn": {*GAME, *MACHINE, "rule", "max_guesses"},
    "prior": {"guesses", "answers"},
    "simulate": {*GAME, *MACHINE, *FILE, "rule", "max_guesses", "time_limit", "top", "cluster"},
    "league": {*GAME, *MACHINE, *FILE, "rule", "max_guesses", "time_limit"},
    "pairs": {*GAME, *MACHINE, *FILE, "rule", "max_guesses", "time_limit", "top", "cluster"},
    "noise": {*GAME, *MACHINE, *FILE, "rule", "max_guesses", "time_limit", "cluster"},
    "compare": {*GAME, *MACHINE, "rule", "max_guesses", "time_limit"},
    "reproduce": MACHINE,
    "report": {*GAME, *MACHINE, *AIM, "rule", "max_guesses"},
    "plot": {*GAME, *MACHINE, *AIM, "rule", "max_guesses"},
    "spectrum": {*GAME, *MACHINE, "top"},
    "guarantee": {*GAME, *MACHINE, *SEARCH, "time_limit"},
    "verify": {*GAME, *MACHINE, *SEARCH, *AIM},
    "solve": {*GAME, *MACHINE, *SEARCH, *AIM, "time_limit"},
    "prove": {*GAME, *MACHINE, *SEARCH, *AIM, "time_limit", "cluster"},
    "suggest": {*GAME, *MACHINE, *SEARCH, *AIM, "time_limit"},
    "play": {*GAME, *MACHINE, *AIM, "rule", "max_guesses"},
    "analyse": {*GAME, *MACHINE, *AIM, "rule", "max_guesses", "time_limit", "top"},
    "rank": {*GAME, *MACHINE, *SEARCH, *AIM, *FILE, "time_limit", "top", "shard", "cluster"},
    "serve": {*GAME, *MACHINE, *AIM, "rule", "max_guesses"},
    "merge": set(FILE),
}


def options_of(verb):
    return {p.name: p for p in COMMANDS[verb].params if p.param_type_name == "option"}


def test_every_verb_is_looked_at():
    assert set(HAVE) == set(COMMANDS)


@pytest.mark.parametrize("verb", HAVE)
def test_a_verb_has_the_options_of_its_kind(verb):
    assert HAVE[verb] | {"format", "json", "quiet"} <= set(options_of(verb))


OWN = {
    *((verb, "out") for verb in ("merge", "report", "plot", "reproduce", "analyse", "positions")),
    *((verb, "by") for verb in ("suggest", "pairs")),
    *(("suggest", "top"), ("noise", "opener"), ("simulate", "openers"), ("serve", "openers")),
    *(("play", "seed"), ("analyse", "answer"), ("prior", "guesses"), ("prior", "answers")),
    *(("prior", "past"), ("league", "games")),
}
"""Options of verbs that mean something else by the name."""


def test_an_option_is_the_same_in_all_verbs():
    seen = {}
    for verb in COMMANDS:
        for name, option in options_of(verb).items():
            if (verb, name) in OWN:
                continue
            said = (option.opts, option.secondary_opts, str(option.default), option.help)
            panel = option.rich_help_panel
            assert seen.setdefault(name, (said, panel)) == (said, panel), f"{verb} {name}"


@pytest.mark.parametrize("verb", HAVE)
def test_the_help_has_panels(verb, capsys):
    for option in ("-h", "--help"):
        assert not invoke([verb, option])
        shown = capsys.readouterr().out
        panels = {p.rich_help_panel for p in options_of(verb).values()}
        for panel in panels - {None}:
            assert panel in shown
    if verb not in ("info", "warm", "prior", "strategies", "reproduce", "merge"):
        assert {"Game", "Output", "Machine"} <= panels


def test_choices_are_of_any_case(run):
    one = run("solve", "cat", "--rule", "HARD", "--backend", "Cpu", "--json")
    assert '"opener": "cat"' in one
    assert run("rank", "--exact", 0, "--format", "CSV", "--top", 1).startswith("opener,")


def test_no_top_is_all(run):
    assert len(run("rank", "--exact", 0, "--format", "csv", "--top", 0).splitlines()) > 5
    some, everything = (run("spectrum", "cat", "--top", top) for top in (1, 0))
    assert "more patterns" in some
    assert "more patterns" not in everything


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("90", 90), ("1.5", 1.5), ("45s", 45), ("10m", 600), ("1h", 3600), ("1H30M", 5400),
     ("none", inf)],
)  # fmt: skip
def test_times(text, seconds):
    assert seconds_of(text) == seconds


@pytest.mark.parametrize(
    "text",
    ["", "0", "soon", "-5", "1d", "5m3h", "nan", "inf", "1_0", "١", "9" * 20, "9" * 5000, "1e3"],
)
def test_what_is_no_time_is_refused(text):
    assert seconds_of(text) is None
    with pytest.raises(
        gw.UserError, match=r"give a time above 0, such as 90 \(seconds\), 10m or 1h30m"
    ):
        invoke(["solve", "salet", "--time-limit", text])


@pytest.mark.parametrize("verb", [["solve", "cat"], ["prove"], ["rank"], ["guarantee", "cat"]])
def test_a_time_limit_that_is_not_reached_changes_nothing(run, verb):
    assert run(*verb, "--time-limit", "10m", "--json").startswith("{")
    assert run(*verb, "--time-limit", "none", "--json").startswith("{")


@pytest.mark.parametrize(
    "asked",
    [
        ["reproduce", "exact-solution/tiles", "--out"],
        ["simulate", "parts", "--trees"],
        ["serve", "--export"],
    ],
    ids=lambda asked: asked[0],
)
def test_a_folder_without_a_name_is_none(tmp_path, monkeypatch, asked):
    """A variable of the shell that is not set does not mean the folder one is in."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("")
    for name, said in (("", "is empty; give .*, or . for this"), ("file", "'file' is a file")):
        with pytest.raises(Exception, match=said):
            invoke([*asked, name])
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
    assert FOLDER.read("file/too/deep").name == "deep"  # whoever makes it will say why it cannot be
    assert FOLDER.read("new").name == "new"
    assert FOLDER.read(".").is_dir()


def test_names_are_completed():
    options = declared(gw.load_game)
    assert options["guesses"].completed("o") == ["original"]
    assert options["guesses"].completed("m") == ["mastermind:4x6"]
    assert options["objective"].completed("w") == ["worst", "within:"]
    assert options["rule"].completed("u") == ["ultra-hard"]
    assert options["weights"].completed("") == []


NUMBERS = sorted({p.opts[0] for verb in COMMANDS for p in options_of(verb).values()
                  if p.metavar == "INTEGER"})  # fmt: skip


def test_all_whole_numbers_are_read_by_one_rule():
    """No option is left to what Python takes for a number."""
    assert len(NUMBERS) == 20
    for command in app.registered_commands:
        for parameter in inspect.signature(command.callback).parameters.values():
            kind, *infos = get_args(parameter.annotation) or (parameter.annotation,)
            if {int, float} & {kind, *get_args(kind)}:
                assert infos[0].parser is not None, f"{command.callback.__name__} {parameter.name}"


@pytest.mark.parametrize("text", ["1_0", "١", "9" * 5000, "1.5", "-1", ""])
@pytest.mark.parametrize("option", NUMBERS)
def test_what_is_no_number_is_refused(option, text):
    asked = (option, "INTEGER")
    verb = next(
        v for v in COMMANDS if asked in {(p.opts[0], p.metavar) for p in options_of(v).values()}
    )
    given = ["salet"] * any(p.param_type_name == "argument" for p in COMMANDS[verb].params)
    with pytest.raises(Exception, match="whole number from [01] (on|to)") as caught:
        invoke([verb, *given, option, text])
    assert len(str(caught.value)) < 200
