"""What programs are told: one schema in every verb and every format, and tables of any width."""

import csv
import importlib.util
import io
import json
import re
import subprocess
import sys
from pathlib import Path
from types import NoneType
from typing import Annotated, TypedDict

import numpy as np
import pyarrow.parquet as pq
import pytest
from rich.console import Console

from gpu_wordle import cli
from gpu_wordle.cli.output import output_of
from gpu_wordle.errors import UserError
from gpu_wordle.game.feedback import LetterFeedback
from gpu_wordle.report.document import Document, as_csv, as_json, as_markdown, as_parquet, envelope
from gpu_wordle.report.keys import ENVELOPE, KEYS, SCHEMA, Key, Kind, Number, schema
from gpu_wordle.report.plots import draw_spectrum
from gpu_wordle.report.ranking import SORTABLE
from gpu_wordle.report.table import Column, FittedTable
from gpu_wordle.verbs import declare_keys
from gpu_wordle.version import __version__
from support import ROOT
from support.commands import child, invoke
from support.output import rows_of
from support.small_game import ANSWERS, GUESSES

declare_keys()

HARD = ["--rule", "hard", "--max-guesses", 4]  # where some openers are no guaranteed win
WEIGHED = ["--weights", "w.csv", "--objective", "within:2"]
CALLS = {
    "rank": ["rank"],
    "rank statistics": ["rank", "--exact", 0],
    "rank hard": ["rank", "--exact", 3, *HARD],
    "rank weighed": ["rank", "--exact", 3, *WEIGHED],
    "rank costs": ["rank", "--exact", 1, "--objective", "cost:1,2,3,20"],
    "rank failures": ["rank", "--objective", "fewest-failures", "--max-guesses", 2],
    "merge": ["merge", "r.h5", "--out", "w.h5"],
    "solve": ["solve", "chf", "cat"],
    "solve hard": ["solve", "chf", "cat", *HARD],
    "solve budget": ["solve", "chf", "--budget", 1],
    "solve fixed": ["solve", "chf", "cat", "--fixed"],
    "solve state": ["solve", "--state", "rat BGG", *WEIGHED],
    "guarantee": ["guarantee", "chf", "cat", *HARD],
    "prove": ["prove"],
    "prove each": ["prove", "--each", *WEIGHED],
    "prove nothing": ["prove", "--max-guesses", 1],
    "verify tree": ["verify", "t.txt"],
    "verify ranking": ["verify", "r.h5"],
    "verify certificate": ["verify", "c.cert.gz"],
    "spectrum": ["spectrum", "cat", "--top", 3],
    "info": ["info"],
    "warm": ["warm"],
    "strategies": ["strategies"],
    "simulate": ["simulate", "entropy", "places", "--opener", "cat", "--opener", "chf"],
    "pairs": ["pairs", "--top", 3],
    "pairs proven": ["pairs", "--prove", "--top", 2],
    "pairs entropy": ["pairs", "--by", "entropy", "--first", "cat"],
    "pairs hard": ["pairs", "--prove", *HARD],
    "three words": ["pairs", "--words", 3, "--by", "total", "--top", 2],
    "noise": ["noise", "--opener", "chf", "--runs", 2, "--levels", "1,20"],
    "league": ["league", "parts", "random", "--split", "all", "--games", 6],
    "learn": ["learn", "--episodes", 50, "--points", 3],
    "compare": ["compare", "entropy", "places", "--pairs", 9],
    "compare one": ["compare", "entropy", "parts", "--opener", "cat", "--target", "rat"],
    "reproduce": ["reproduce", "exact-solution/tiles", "solving-wordle/rounds"],
    "report": ["report", "r.h5", "--out", "r.md"],
    "plot": ["plot", "values", "r.h5", "--out", "r.svg"],
    "plot list": ["plot", "--list"],
    "reproduce list": ["reproduce", "--list"],
    "simulate file": ["simulate", "entropy", "--opener", "all", "--out", "s.h5", "--trees", "t"],
    "simulate hard": ["simulate", "parts", "--opener", "all", *HARD],
    "suggest": ["suggest", "rat", "BGG", "--by", "total,entropy,greens"],
    "suggest weighed": ["suggest", *WEIGHED, "--by", "weighted_entropy", "--top", 3],
    "analyse": ["analyse", "chf", "rat", "cat", "--answer", "cat"],
    "analyse hard": ["analyse", "rat", "BGG", "bit", "BBG", *HARD],
    "analyse chart": ["analyse", "BGG", "GGG"],
    "play": ["play", "--role", "player", "--answer", "cat"],
    "serve": ["serve", "--export", "site", "--openers", 1],
    "analyse games": ["analyse", "--games", "games.jsonl"],
}
WITHOUT_GAME = ("info", "warm", "strategies", "reproduce", "merge")
FITS = {
    Kind.TEXT: lambda v: isinstance(v, str),
    Kind.WHOLE: lambda v: type(v) is int,
    Kind.NUMBER: lambda v: type(v) in (int, float),
    Kind.DECIMAL: lambda v: type(v) is float,
    Kind.TRUTH: lambda v: type(v) is bool,
    Kind.COUNTS: lambda v: isinstance(v, list) and all(type(n) is int for n in v),
    Kind.DECIMALS: lambda v: isinstance(v, list) and all(type(n) in (float, NoneType) for n in v),
    Kind.TEXTS: lambda v: isinstance(v, list) and all(isinstance(n, str) for n in v),
    Kind.OBJECT: lambda v: isinstance(v, dict),
}


@pytest.fixture
def printed(run, monkeypatch):
    """Run a command and return the bytes that it prints."""

    def call(*arguments):
        held = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="")
        with monkeypatch.context() as patch:
            patch.setattr(sys, "stdout", held)
            if arguments[0] in WITHOUT_GAME:
                invoke([*map(str, arguments), "--quiet"])
            else:
                run(*arguments)
            held.flush()
        return held.buffer.getvalue()

    return call


def check_values(said):
    """Every key is of the schema, and its value of the type of the key."""
    for key, value in said.items():
        assert value is None or FITS[KEYS[key].kind](value), (key, value)


@pytest.mark.parametrize("name", CALLS)
def test_every_verb_keeps_to_the_schema_in_every_format(run, printed, name):
    if name == "verify tree":
        run("solve", "chf", "--tree", "t.txt")
    if name == "verify certificate":
        run("solve", "chf", "--certificate", "c.cert.gz")
    if name in ("verify ranking", "report", "plot", "merge"):
        run("rank", "--out", "r.h5")
    if name == "analyse games":
        Path("games.jsonl").write_text('{"guesses": "chf rat cat", "answer": "cat"}')
    call = CALLS[name] if name in WITHOUT_GAME else [*CALLS[name], "--threads", 1]
    document = json.loads(printed(*call, "--json"))
    assert tuple(document)[: len(ENVELOPE)] == ENVELOPE
    assert document["schema"] == SCHEMA
    assert document["program"] == {"name": "gpu-wordle", "version": __version__}
    assert document["verb"] == call[0]
    rows = document.pop("rows", None)
    check_values(document)
    answer = {key: value for key, value in document.items() if key not in ENVELOPE}
    assert (rows is None) == (call[0] in ("verify", "warm", "serve", "merge"))
    if rows is None:
        rows = [answer | ({"answers": document["answers"]} if name == "verify tree" else {})]
    for row in rows:
        check_values(row)
        assert list(row) == list(rows[0])

    told = list(csv.reader(io.StringIO(printed(*call, "--format", "csv").decode())))
    lines = printed(*call, "--format", "markdown").decode().splitlines()
    table = pq.read_table(io.BytesIO(printed(*call, "--format", "parquet")))
    said = json.loads(table.schema.metadata[b"gpu_wordle"])
    assert {**said, "seconds": 0} == {**document, "seconds": 0}
    assert set(told[0]) == set(table.column_names)
    assert lines[0] == f"| {' | '.join(told[0])} |"
    assert len(told) - 1 == len(lines) - 2 == table.num_rows == len(rows)
    if rows:
        assert set(told[0]) == set(rows[0])
    for row, again, cells in zip(rows, table.to_pylist(), told[1:], strict=True):
        for key, cell in zip(told[0], cells, strict=True):
            if key != "seconds":
                assert again[key] == row[key]
                text = " ".join(map(str, row[key])) if isinstance(row[key], list) else row[key]
                assert cell == ("" if text is None else str(text))


def test_a_verb_has_its_keys_whatever_comes_out(run):
    keys = {
        tuple(rows_of(run("rank", *more, "--json"))[0])
        for more in ([], ["--exact", 0], HARD, ["--state", "rat BGG"])
    }
    assert len(keys) == 1
    keys = {
        tuple(rows_of(run("solve", *more, "--json"))[0])
        for more in (["chf"], ["cat", *HARD], ["chf", "--budget", 1], ["--state", "rat BGG"])
    }
    assert len(keys) == 1
    nothing = run("rank", "--without", "".join({*"".join(GUESSES)}), "--format", "csv")
    assert tuple(nothing.strip().split(",")) == tuple(rows_of(run("rank", "--json"))[0])


def test_the_envelope_says_what_was_asked(run):
    asked = ["--state", "rat BGG", *WEIGHED, "--max-guesses", 5, "--rule", "hard", "--json"]
    said = json.loads(run("solve", *asked))
    assert said["game"] == {
        "guess_list": "guesses.txt",
        "answer_list": "answers.txt",
        "guess_count": len(GUESSES),
        "answer_count": len(ANSWERS),
        "feedback": "letters",
        "guesses_sha256": said["game"]["guesses_sha256"],
        "answers_sha256": said["game"]["answers_sha256"],
    }
    assert len(said["game"]["guesses_sha256"]) == 64
    assert [said[key] for key in ENVELOPE[4:9]] == ["hard", "within:2", 5, "w.csv", "rat BGG"]
    assert said["answers"] == sum(word[1:] == "at" and word != "rat" for word in ANSWERS)


def test_columns_of_unknown_values_keep_their_types():
    """Also where every value is unknown."""
    columns = [Column(key, [None]) for key in KEYS if KEYS[key].kind is not Kind.OBJECT]
    table = pq.read_table(io.BytesIO(as_parquet(Document(envelope("rank"), columns=columns))))
    types = {field.name: str(field.type) for field in table.schema}
    assert (types["total"], types["mean"], types["opener"]) == ("int64", "double", "string")
    assert (types["exact"], types["distribution"]) == ("bool", "list<element: int64>")


def test_markdown_holds_any_text():
    columns = [Column("opener", ["a|b"]), Column("mean", [3.5]), Column("is_candidate", [True])]
    assert as_markdown(columns).splitlines()[2] == "| a\\|b | 3.5 | true |"
    columns = [Column("opener", ["a,b"]), Column("distribution", [[0, 1, 2]])]
    assert as_csv(columns) == 'opener,distribution\n"a,b",0 1 2\n'
    assert json.loads(as_json(Document({}, {}, columns)))["rows"][0]["distribution"] == [0, 1, 2]


def test_the_page_holds_the_keys_of_the_envelope():
    page = ROOT.joinpath("docs/formats/output.md").read_text("utf-8")
    rows = re.findall(r"^\| `(\w+)` \| ([^|]+) \| ([^|]+) \|$", page, flags=re.MULTILINE)
    told = {key: (kind, meaning) for key, kind, meaning in rows if key in KEYS}
    assert {key: told[key] for key in ENVELOPE} == {
        key: (KEYS[key].kind, KEYS[key].meaning) for key in ENVELOPE
    }


def test_a_key_means_one_thing_and_has_one_type():
    def declare(kind, meaning):
        schema(TypedDict("Row", {"total": Annotated[kind, Key(meaning)]}))

    declare(Number | None, KEYS["total"].meaning)
    for kind, meaning in ((str, KEYS["total"].meaning), (Number | None, "something else")):
        with pytest.raises(AssertionError, match="total"):
            declare(kind, meaning)


@pytest.mark.slow
def test_reports_know_the_keys_of_all_verbs_from_the_start(run, tmp_path):
    """In a process of its own, which has loaded no other verb."""
    Path("s.json").write_text(run("solve", "chf", "--json"))
    Path("s.csv").write_text(run("suggest", "rat", "BGG", "--format", "csv"))
    command = [sys.executable, "-m", "gpu_wordle", "report", "s.json", "s.csv", "--out", "r.md"]
    done = subprocess.run(command, text=True, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "chf" in Path("r.md").read_text()


def test_the_keys_of_the_page_are_among_all_keys():
    """In a process of its own, which has loaded no question of the page."""
    code = (
        "from gpu_wordle.report.keys import KEYS; from gpu_wordle.verbs import declare_keys; "
        "declare_keys(); known = {*KEYS}; import gpu_wordle.web.service; print({*KEYS} - known)"
    )
    done = subprocess.run([sys.executable, "-c", code], text=True, capture_output=True, check=True)
    assert done.stdout == "set()\n"


@pytest.mark.parametrize("verb", ["solve chf", "simulate entropy --opener chf"])
def test_what_ends_at_once_has_a_table_without_rows(run, printed, verb):
    call = [*verb.split(), "--time-limit", "0.000001", "--threads", 1]
    assert "guess" in run(*call) or "strategy" in run(*call)
    told, full = (printed(*each, "--format", "csv").decode() for each in (call, call[:-4]))
    assert told == full.splitlines(keepends=True)[0]


def test_flags_that_contradict_each_other_are_errors(tmp_path, monkeypatch, capsys):
    contradicting = ["rank", "--json", "--format", "csv"]
    said = "--json and --format csv contradict each other; leave one out"
    told = child(*contradicting, cwd=tmp_path, code=2)
    assert told == ("", f"gpu-wordle: error: {said}\n")
    for arguments, message in (
        (["info", "--format", "table", "--json"], "--json and --format table contradict"),
        (["rank", "--fresh"], "--fresh replaces the file of --out"),
        (["solve", "salet", "--format", "yaml"], "'yaml'"),
    ):
        monkeypatch.setattr(sys, "argv", ["gpu-wordle", *arguments])
        assert cli.run() == 2
        out, err = capsys.readouterr()
        assert out == ""
        assert err.count("\n") == 1
        assert message in err


def test_json_may_be_said_twice(run):
    assert json.loads(run("prove", "--json", "--format", "json"))["complete"]


def test_parquet_is_for_files_and_needs_a_library(monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
        with pytest.raises(UserError, match=r"binary; .* > rows\.parquet"):
            output_of(format="parquet")
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    with pytest.raises(UserError, match="needs pyarrow; pip install pyarrow"):
        output_of(format="parquet")


# Order


UNSEEN = {"weighted_entropy_bits", "within", "failures", "cost", "mean_cost"}
MOST_FIRST = {
    *("entropy_bits", "parts", "greens", "yellows", "coloured_tiles", "common_characters"),
    *("is_candidate", "solvable", "distribution"),
}


@pytest.mark.parametrize("by", sorted(set(SORTABLE) - UNSEEN))
def test_rank_sorts_by_every_column(run, by):
    rows = rows_of(run("rank", "--exact", 4, *HARD, "--by", by, "--top", 0, "--json"))
    values = [row[by] for row in rows]
    known = [value for value in values if value is not None]
    assert values == [*known, *[None] * (len(values) - len(known))]
    if by == "status":
        known = [("exact", "infeasible", "bounded").index(status) for status in known]
    assert known == sorted(known, reverse=by in MOST_FIRST)
    assert len({str(value) for value in values}) > 1


def test_columns_of_other_objectives_are_sorted_by_too(run):
    for by, more in (
        ("within", WEIGHED),
        ("weighted-entropy-bits", WEIGHED),
        ("cost", ["--objective", "cost:1,2,3,20"]),
        ("mean_cost", ["--objective", "cost:1,2,3,20"]),
        ("failures", ["--objective", "fewest-failures", "--max-guesses", 2]),
    ):
        key = by.replace("-", "_")
        rows = rows_of(run("rank", *more, "--by", by, "--top", 0, "--json"))
        values = [row[key] for row in rows if row[key] is not None]
        assert values == sorted(values, reverse=key in ("within", "weighted_entropy_bits"))
        assert len(set(values)) > 1
        with pytest.raises(UserError, match=f"--by {key} needs "):
            run("rank", "--by", by)


def test_what_is_solved_is_shown_first_also_where_it_is_infeasible(run):
    rows = rows_of(run("rank", "--exact", 4, *HARD, "--top", 0, "--json"))
    status = [row["status"] for row in rows]
    assert "infeasible" in status[:4]
    assert "bounded" not in status[:4]
    assert set(status[4:]) == {"bounded"}
    # Guesses that the rule forbids are not solved, and come last.
    place = [*HARD, "--state", "mat BGG", "--by", "total"]
    rows = rows_of(run("rank", "--exact", 0, *place, "--top", 0, "--json"))
    assert {row["status"] for row in rows} == {"bounded", "infeasible"}
    legal = [row["opener"][1:] == "at" for row in rows]
    assert legal == sorted(legal, reverse=True)


# Widths


WIDTHS = (40, 60, 80, 160, 220)


@pytest.mark.parametrize(
    "call",
    [
        ["rank", "--exact", 4],
        ["rank", "--exact", 4, *HARD],
        ["rank", "--exact", 4, *WEIGHED],
        ["rank", "--exact", 0],
        ["rank", "--by", "expanded"],
        ["solve", "chf", "cat", *HARD],
        ["solve", *GUESSES[:4], *WEIGHED],
        ["spectrum", "cat", "--top", 0],
    ],
    ids=lambda call: " ".join(map(str, call)),
)
def test_tables_fit_terminals_of_any_width(run, monkeypatch, call):
    before = set()
    for width in WIDTHS:
        monkeypatch.setenv("COLUMNS", str(width))
        lines = [line.rstrip() for line in run(*call).splitlines()]
        rows = [line for line in lines if re.match(r"[a-z]{3} ", line)]
        assert rows or call[0] == "spectrum"
        bars = [line for line in lines if "█" in line]
        assert all(len(line) <= width for line in (*rows, *bars))
        assert "…" not in "".join(lines)
        assert len({len(line.split()) for line in bars}) <= 1
        head = {word for line in lines[1:4] if line.isascii() for word in line.split()}
        seen = {name for name in ("status", "worst", "bits", "parts", "height") if name in head}
        assert seen >= before
        before = seen
    wide = {"rank": {"bits", "parts", "height"}, "solve": {"height"}, "spectrum": set()}
    assert wide[call[0]] - ({"height"} if 0 in call else set()) <= before


def test_a_table_shows_what_is_most_important_and_never_nothing():
    columns = [Column("opener", ["crane" * 9]), Column("mean", [3.5], 4), Column("parts", [1000])]
    table = FittedTable(columns, ("opener", "parts", "mean"))
    names = {
        width: [column.name for column in table.fitting(width)] for width in (9, 50, 51, 57, 58)
    }
    assert names[9] == names[50] == ["opener"]
    assert names[51] == names[57] == ["opener", "parts"]
    assert names[58] == ["opener", "mean", "parts"]
    screen = Console(file=io.StringIO(), width=58)
    screen.print(table)
    assert screen.file.getvalue().splitlines()[1].split() == ["crane" * 9, "3.5000", "1,000"]


def test_the_column_sorted_by_is_seen_on_any_terminal(run, monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    for by in ("expanded", "lower", "standard_deviation", "height"):
        head = run("rank", "--exact", 4, "--by", by).splitlines()[:4]
        assert {"expanded", "lower", "dev", "height"} & set(" ".join(head[1:]).split())


# Plots


def test_a_plot_has_a_bar_and_tiles_for_each_pattern_that_occurs():
    feedback = LetterFeedback(3)
    counts = np.zeros(27, np.int64)
    counts[[0, 5, 26]] = [2, 7, 1]
    figure = draw_spectrum("cat", feedback, [5, 0, 26], counts[[5, 0, 26]], "10 answers")
    bars, tiles, shares = figure.axes
    assert [bar.get_height() for bar in bars.patches] == [7, 2, 1]
    assert len(tiles.patches) == 9
    assert [text.get_text() for text in tiles.texts] == [*"CCCAAATTT"]
    (curve,) = shares.patches
    assert curve.get_data().values.tolist() == [0.7, 0.9, 1.0]
