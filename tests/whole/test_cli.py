"""The command line as people and scripts use it: whole processes, exit codes, one-line errors."""

import csv
import io
import json
import re
from pathlib import Path

import pytest
from rich.console import Console

from gpu_wordle import store
from gpu_wordle.cli.console import progress_bar
from gpu_wordle.strategies.named import STRATEGIES
from support.commands import child as gpu_wordle
from support.commands import invoke
from support.output import rows_of


def test_rank_writes_a_file_and_a_table(tmp_path, original):
    out, err = gpu_wordle("rank", "--exact", 0, "--out", "openers.h5", cwd=tmp_path)
    lines = out.splitlines()
    assert lines[0].split(",")[0] == "12"
    assert lines[3].split()[:2] == ["soare", "5.886"]
    assert len([line for line in lines if line.strip()]) == 23
    assert "backend" not in err  # the job is too small for a device to be thought of
    contents = store.load(tmp_path / "openers.h5")
    assert contents.values("statistics/parts").shape == (12972,)
    assert contents.values("words/guesses").tolist() == list(original.words.guesses.words)
    assert contents.attributes["guesses_sha256"] == original.words.guesses.sha256


@pytest.mark.parametrize("width", [40, 80])
def test_names_of_strategies_are_whole_on_any_terminal(monkeypatch, capsys, width):
    monkeypatch.setenv("COLUMNS", str(width))
    invoke(["strategies"])
    shown = capsys.readouterr().out
    assert {strategy.name for strategy in STRATEGIES.values()} <= set(shown.split())
    assert max(map(len, shown.splitlines())) <= width


@pytest.mark.slow
@pytest.mark.parametrize(
    ("by", "word"),
    [("std", "roate"), ("parts", "trace"), ("greens", "saree"), ("max-part", "arise")],
)
def test_rank_sorts_by_any_statistic(by, word):
    out, _ = gpu_wordle("rank", "--exact", 0, "--by", by, "--top", 1, "--format", "csv", "--quiet")
    (row,) = csv.DictReader(io.StringIO(out))
    assert row["opener"] == word


def test_rank_prints_json_and_filters():
    out, err = gpu_wordle(
        "rank", "--exact", 0, "--by", "common_characters", "--answers-only", "--without", "later",
        "--top", 2, "--json", "--quiet",
    )  # fmt: skip
    assert [row["opener"] for row in rows_of(out)] == ["scion", "sonic"]
    assert err == ""


@pytest.mark.slow
def test_rank_of_own_lists_and_of_a_state(tmp_path):
    (tmp_path / "own.txt").write_text("crane\nslate\ntrace\n")
    out, _ = gpu_wordle("rank", "--exact", 0, "--guesses", "own.txt", "--json", cwd=tmp_path)
    assert {row["parts"] for row in rows_of(out)} == {3}
    out, _ = gpu_wordle("rank", "--exact", 0, "--state", "salet BYBBG", "--top", 0, "--json")
    assert len(rows_of(out)) == 12972


def test_piped_output_has_no_colour():
    out, err = gpu_wordle("spectrum", "trace", "--top", 3)
    assert "\x1b" not in out + err
    assert "150 of 243 patterns occur, 5.831 bits, standard deviation 24.79" in out
    assert " T  R  A  C  E  BBBBB " in out
    assert "and 147 more patterns" in out


@pytest.mark.slow
def test_spectrum_of_a_state_and_its_plot(tmp_path):
    out, _ = gpu_wordle(
        "spectrum", "crony", "--state", "salet BYBBG", "--json", "--plot", "a.svg", cwd=tmp_path
    )
    assert sum(row["part_size"] for row in rows_of(out)) == 20
    assert (tmp_path / "a.svg").read_text().startswith("<?xml")
    _, err = gpu_wordle("spectrum", "crony", "--plot", "a.xyz", cwd=tmp_path, code=2)
    assert "a plot's file ends in .svg, .png, .pdf" in err


@pytest.mark.slow
def test_info_names_versions_device_lists_and_cache():
    out, _ = gpu_wordle("info", "--json")
    facts = json.loads(out)
    assert {"cuda", "cpu", "cache", "machine_code"} <= facts.keys()
    assert {"python", "numba"} <= facts["versions"].keys()
    listed = ["original", "nyt-2023", "wordle-ai-2022", "nyt-2022"]
    assert [entry["list"] for entry in facts["rows"]] == listed
    out, _ = gpu_wordle("info")
    assert "12,972 guesses, 2,315 answers" in out


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["rank", "--by", "x"], 2, "no column 'x'"),
        (["rank", "--guesses", "missing.txt"], 2, "missing.txt: no such file"),
        (["rank", "--top", "many"], 2, "--top"),
        (["rank", "--state", "salet"], 2, "word and its pattern in turn"),
        (["rank", "--state", "salet GGGGB"], 2, "no answer of original"),
        (["rank", "--exact", "0", "--out", "nowhere/x.h5"], 2, "there is no folder nowhere"),
        (["spectrum", "zzzzz"], 2, "'zzzzz' is not one of"),
        (["spectrum", "salet", "--state", "salet BYBBQ"], 2, "'Q' is no colour"),
        (["prove", "--batched", "--rule", "candidates"], 2, "--batched searches under the normal"),
        (["noise", "--backend", "cuda"], 2, "--backend 'cuda': give one of auto"),
        (["solve", "salet", "--table-size", "100000000"], 2, "no memory for the table"),
        (["dance"], 2, "dance"),
    ],
)
def test_errors_are_one_line(tmp_path, arguments, code, message):
    out, err = gpu_wordle(
        *arguments, "--quiet" if arguments != ["dance"] else "-h", code=code, cwd=tmp_path
    )
    assert out == ""
    assert err.startswith("gpu-wordle: error: ")
    assert err.count("\n") == 1
    assert message in err


def test_a_cache_that_cannot_be_written_is_a_warning(tmp_path):
    (tmp_path / "cache").write_text("not a folder")
    out, err = gpu_wordle(
        "spectrum", "trace", "--quiet", env={"GPU_WORDLE_CACHE": str(tmp_path / "cache")}
    )
    assert "TRACE" in out
    assert err.count("\n") == 1
    assert "warning: pattern matrix not kept" in err


@pytest.mark.slow
def test_guarantee_tells_whether_the_game_can_surely_be_won():
    hard = ["guarantee", "--quiet", "--rule", "hard"]
    out, _ = gpu_wordle(*hard, "salet", "slate", "--json")
    rows = {row["opener"]: row for row in rows_of(out)}
    assert rows["salet"]["guaranteed"]
    assert not rows["slate"]["guaranteed"]
    for row in rows.values():
        assert (row["answers"], row["max_guesses"]) == (2315, 6)
        assert 0 < row["seconds"] < 2  # well under one where nothing else runs
    # Of the answers _IGHT one guessed leaves too many; a guess at their first letters does not.
    state = ["--state", "light BGGGG", "--max-guesses", "4"]
    out, _ = gpu_wordle("guarantee", "--quiet", "night", "ferms", *state)
    night, ferms = out.splitlines()
    assert night.startswith("NIGHT: no, no strategy finds all")
    assert ferms == "FERMS: yes, a strategy finds all 8 answers within 4 guesses"
    out, _ = gpu_wordle("guarantee", "--quiet", "night", *state[:2], "--max-guesses", "0")
    assert out == "NIGHT: yes, a strategy finds all 8 answers without a guess limit\n"
    _, err = gpu_wordle(*hard, "ferms", *state, code=2)
    assert "FERMS is illegal under the hard rule" in err


@pytest.mark.slow
@pytest.mark.parametrize("verb", ["solve", "prove", "rank"])
def test_nothing_is_suggested_when_the_game_is_over(verb):
    _, err = gpu_wordle(verb, "--quiet", "--state", "slate BBGGG crane GGGGG", code=2)
    assert "no answer of original (answers) is left" in err
    _, err = gpu_wordle(verb, "--quiet", "--state", "slate BBGBG crane GGGGG", code=2)
    assert "CRANE was the answer, so the game is over; name only the guesses before it" in err
    assert err.count("\n") == 1


@pytest.mark.slow
def test_batches_change_nothing_but_the_way(tmp_path, original):
    """Ranking and proof in batches on the CPU, and on two backends that check each other."""
    words = original.words.answers.words[::40]
    (tmp_path / "few.txt").write_text("\n".join(words) + "\n")
    lists = ["--guesses", "few.txt", "--answers", "few.txt", "--quiet", "--json"]
    rank = ["rank", "--exact", "all", *lists]
    alone, _ = gpu_wordle(*rank, "--no-batched", cwd=tmp_path)
    for backend in ("cpu", "check"):
        batched, _ = gpu_wordle(
            *rank, "--batched", "--backend", backend, "--device-memory", 64, cwd=tmp_path
        )
        assert [(row["opener"], row["total"]) for row in rows_of(batched)] == [
            (row["opener"], row["total"]) for row in rows_of(alone)
        ]
    proofs = [
        json.loads(gpu_wordle("prove", *lists, "--backend", "cpu", how, cwd=tmp_path)[0])
        for how in ("--batched", "--no-batched")
    ]
    assert proofs[0]["best"] == proofs[1]["best"]
    assert proofs[0]["total"] == proofs[1]["total"]
    assert proofs[0]["complete"]


@pytest.mark.slow
def test_the_candidates_rule_holds_in_mid_game(tmp_path):
    (tmp_path / "own.txt").write_text("crane\nslate\ntrace\nreact\nstale\n")
    mid_game = ["--guesses", "own.txt", "--rule", "candidates", "--state", "crane BBGBG"]
    out, _ = gpu_wordle("solve", *mid_game, "--json", "--quiet", cwd=tmp_path)
    assert rows_of(out)[0]["opener"] in {"slate", "stale"}
    _, err = gpu_wordle("solve", "trace", *mid_game, "--quiet", cwd=tmp_path, code=2)
    assert "TRACE is no longer possible" in err
    out, _ = gpu_wordle("rank", *mid_game, "--json", "--exact", "all", "--quiet", cwd=tmp_path)
    status = {row["opener"]: row["status"] for row in rows_of(out)}
    assert status == {
        "slate": "exact", "stale": "exact",
        "crane": "infeasible", "trace": "infeasible", "react": "infeasible",
    }  # fmt: skip
    out, _ = gpu_wordle("prove", *mid_game, "--json", "--quiet", cwd=tmp_path)
    assert json.loads(out)["best"] == ["slate", "stale"]
    assert json.loads(out)["fates"]["illegal"] == 3


@pytest.mark.slow
def test_the_hard_rule_holds_in_every_verb(tmp_path):
    hard = ["--rule", "hard", "--quiet"]
    out, _ = gpu_wordle("solve", "salet", *hard, "--tree", "t.h5", "--json", cwd=tmp_path)
    assert rows_of(out)[0]["total"] == 8122
    out, _ = gpu_wordle("verify", "t.h5", "--json", cwd=tmp_path)
    assert json.loads(out)["total"] == 8122
    mid_game = [*hard, "--state", "light BGGGG", "--max-guesses", "10"]
    _, err = gpu_wordle("solve", "ferms", *mid_game, cwd=tmp_path, code=2)
    assert "FERMS is illegal under the hard rule: I of LIGHT is green in place 2" in err
    normal = ["--quiet", "--state", "light BGGGG"]
    gpu_wordle("solve", "ferms", *normal, "--tree", "t.txt", cwd=tmp_path)
    _, err = gpu_wordle("verify", "t.txt", *mid_game, cwd=tmp_path, code=1)
    assert "FERMS on turn 1 is illegal under the hard rule" in err
    rank = ["rank", *mid_game, "--exact", "all", "--top", "0", "--json", "--out", "r.h5"]
    out, _ = gpu_wordle(*rank, cwd=tmp_path)
    rows = {row["opener"]: row for row in rows_of(out)}
    assert rows["ferms"]["status"] == "infeasible"
    fights = [row for row in rows.values() if row["status"] == "exact"]
    assert {row["opener"][1:] for row in fights} == {"ight"}
    assert rows["fight"]["total"] == 36
    assert gpu_wordle(*rank, cwd=tmp_path)[0] == out  # it goes on from the file
    out, _ = gpu_wordle("prove", *mid_game, "--json", cwd=tmp_path)
    proof = json.loads(out)
    assert proof["total"] == min(row["total"] for row in fights) == 36
    assert proof["fates"]["illegal"] == 12972 - sum(w.endswith("ight") for w in rows)


@pytest.mark.slow
def test_solve_writes_a_tree_that_verifies(tmp_path):
    for name in ("t.txt", "t.json", "t.h5"):
        gpu_wordle("solve", "salet", "--tree", name, "--quiet", cwd=tmp_path)
        out, _ = gpu_wordle("verify", name, "--json", cwd=tmp_path)
        verdict = json.loads(out)
        assert (verdict["total"], verdict["worst"], verdict["answers"]) == (7920, 5, 2315)
    text = (tmp_path / "t.txt").read_text()
    (tmp_path / "t.txt").write_text(text.replace("GGGGG5", "GGGGG6", 1))
    _, err = gpu_wordle("verify", "t.txt", cwd=tmp_path, code=2)
    assert "should be a pattern followed by its turn, 5" in err
    (tmp_path / "t.txt").write_text("\n".join(text.splitlines()[:-1]))
    _, err = gpu_wordle("verify", "t.txt", cwd=tmp_path, code=1)
    assert "for which the tree has no guess" in err


def test_solve_prints_an_object_for_each_opener():
    out, _ = gpu_wordle("solve", "salet", "reast", "--json", "--quiet")
    salet, reast = rows_of(out)
    assert list(salet) == [
        "opener", "status", "exact", "infeasible", "total", "mean", "worst", "solvable",
        "distribution", "value", "lower", "upper", "height", "expanded", "seconds",
    ]  # fmt: skip
    assert (salet["total"], reast["total"]) == (7920, 7923)
    assert sum(t * n for t, n in enumerate(salet["distribution"], 1)) == 7920
    assert salet["exact"]


def test_a_budget_leaves_an_interval():
    out, _ = gpu_wordle("solve", "qajaq", "--budget", 5, "--json", "--quiet")
    (result,) = rows_of(out)
    assert not result["exact"]
    assert result["total"] is None
    assert result["lower"] < 9496


@pytest.mark.slow
def test_solve_names_the_best_next_guess():
    out, _ = gpu_wordle("solve", "--state", "light ⬛🟩🟩🟩🟩", "--quiet")
    assert "8 answers possible" in out
    row = out.splitlines()[3].split()
    proof, _ = gpu_wordle("prove", "--state", "light BGGGG", "--json", "--quiet")
    assert row[0] in json.loads(proof)["best"]
    assert row[1:3] == ["19", "2.3750"]
    assert row[0].upper() in out.splitlines()  # the strategy begins with it
    out, _ = gpu_wordle("solve", "ferms", "--state", "light 02222", "--json", "--quiet")
    assert rows_of(out)[0]["total"] == 19


def test_the_state_of_the_help_can_be_asked_about():
    """Two turns, as they are written there."""
    out, _ = gpu_wordle("solve", "--help", env={"COLUMNS": "200"})
    told = " ".join(out.split())  # without the breaks of lines
    example = re.findall(r"as in '([a-z]+ [BYG]+[^']*)'", told)[0]
    out, _ = gpu_wordle("solve", "--state", example, "--json", "--quiet")
    (best,) = rows_of(out)
    assert (best["total"], best["exact"]) == (6, True)


@pytest.mark.slow
def test_a_ranking_shows_how_far_the_others_are_known():
    out, _ = gpu_wordle("rank", "--exact", 1, "--top", 2, "--quiet")
    best, other = out.splitlines()[3:]
    assert " exact " in best
    assert re.search(r" bounded +\[6,\d\d\d, 10,\d\d\d\] ", other)


def test_a_bar_has_its_figures_on_a_narrow_screen():
    screen = Console(file=io.StringIO(), width=80, force_terminal=True, color_system=None)
    with progress_bar(quiet=False, console=screen) as bar:
        task = bar.add_task("solving", total=12972, note="best " + "SALET 7,920, " * 8)
        bar.advance(task, 100)
        bar.advance(task, 100)
        screen.print(bar.get_renderable())
    shown = screen.file.getvalue()
    assert re.search(r"solving .* 200/12972 .*/s 0:00:\d\d ", shown)
    assert "best SALET 7,920" in shown


@pytest.mark.slow
def test_of_many_best_guesses_people_see_a_few_and_programs_all(tmp_path):
    """In a game with symmetries all first guesses may be equally good."""
    game = ["prove", "--guesses", "bulls-and-cows:2x5", "--quiet"]
    out, _ = gpu_wordle(*game, cwd=tmp_path)
    assert "best: 01, 02, 03, 04, 10, 12 and 14 more, total " in out
    found, _ = gpu_wordle(*game, "--json", cwd=tmp_path)
    assert len(json.loads(found)["best"]) == 20


def test_prove_on_a_state(tmp_path):
    out, _ = gpu_wordle("prove", "--state", "light BGGGG", "--json", "--quiet")
    proof = json.loads(out)
    assert proof["complete"]
    assert proof["total"] == 19
    assert "ferms" in proof["best"]
    assert sum(proof["fates"].values()) == 12972


@pytest.mark.slow
def test_a_foreign_file_is_never_replaced(tmp_path):
    rank = ["rank", "--exact", "0", "--quiet", "--out"]
    for name, message in (("a.h5", "not a file of gpu-wordle"), ("a.csv", "is kept as HDF5")):
        (tmp_path / name).write_text("mine")
        for how in ("--resume", "--fresh"):
            _, err = gpu_wordle(*rank, name, how, cwd=tmp_path, code=2)
            assert message in err
        assert (tmp_path / name).read_text() == "mine"


@pytest.mark.slow
def test_a_damaged_file_is_refused_and_can_be_replaced(tmp_path):
    rank = ["rank", "--exact", "0", "--out", "x.h5", "--quiet"]
    gpu_wordle(*rank, cwd=tmp_path)
    whole = (tmp_path / "x.h5").read_bytes()
    (tmp_path / "x.h5").write_bytes(whole[:-100])
    _, err = gpu_wordle(*rank, cwd=tmp_path, code=2)
    assert "damaged" in err
    gpu_wordle(*rank, "--fresh", cwd=tmp_path)
    store.load(tmp_path / "x.h5")


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_output_is_one_line():
    with Path("/dev/full").open("w") as full:
        _, err = gpu_wordle("rank", "--exact", "0", "-q", stdout=full, code=1)
    assert err == "gpu-wordle: error: the output cannot be written (No space left on device)\n"


def test_no_verb_is_help_and_no_error():
    out, err = gpu_wordle(code=2)
    assert "spectrum" in out + err
    assert "error" not in err


def test_version_and_help():
    assert gpu_wordle("--version")[0].startswith("gpu-wordle ")
    assert "spectrum" in gpu_wordle("--help")[0]
