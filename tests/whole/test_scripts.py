"""The scripts for a GPU machine can be tried out on any machine."""

import json
import os
import re
import shutil
import subprocess
import sys
from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import gpu_wordle as gw
from gpu_wordle.backends.cpu.frontier import CpuFrontier
from gpu_wordle.backends.cuda import backend as cuda
from gpu_wordle.backends.cuda import device, launch
from gpu_wordle.backends.cuda import frontier as cuda_frontier
from gpu_wordle.backends.cuda import lists as cuda_lists
from gpu_wordle.solver import SolverPool
from gpu_wordle.solver.memory import table
from scripts.fuzz import game as fuzz_game
from scripts.fuzz.child import Outcome
from scripts.fuzz.kills import is_fit
from scripts.fuzz.writers import IS_WHOLE, WRITERS, contents, write_contents
from scripts.gpu import check, nvrtc, sweep
from scripts.gpu import kernels as bench_gpu
from scripts.gpu.report import Report
from scripts.gpu.work import work_of
from support import ROOT, small_game
from support.host_cupy import HostCupy, pretend
from support.missing import without
from support.slices import slice_of
from support.word_lists import make_game


def rows_of(out, section):
    report = json.loads((out / "gpu_check.json").read_text())
    return {row["case"]: row for row in report["sections"][section]["rows"]}


@pytest.fixture
def run_on_cpu(tmp_path, monkeypatch):
    """Run one of the scripts in this process, with the CPU in a GPU's place and small tables."""
    small = 1 << 22
    monkeypatch.setattr(table, "default_table_bytes", lambda: small)
    monkeypatch.setattr(check, "TABLE_BYTES", dict.fromkeys(check.TABLE_BYTES, small))

    def call(script, *options):
        command = [f"{script.__name__}.py", "--backend", "cpu", "--out", str(tmp_path), *options]
        monkeypatch.setattr(sys, "argv", command)
        assert script.main() == 0

    return call


@pytest.mark.slow
def test_gpu_check_on_the_cpu(tmp_path, run_on_cpu):
    run_on_cpu(check, "--answers", "60", "--guesses", "120", "--seconds", "120")
    jobs = rows_of(tmp_path, "jobs")
    for case in ("opener", "prove", "rank"):
        batched, alone = (
            jobs[f"{case}, original, {how}"] for how in ("cpu, batched", "cpu threads")
        )
        assert batched["result"] == alone["result"]
    assert rows_of(tmp_path, "compare")["original, threads tuned"]["result"] == "=="
    assert {path.name for path in tmp_path.iterdir()} == {"gpu_check.json", "gpu_check.md"}


def test_jobs_without_time_say_so(tmp_path, run_on_cpu):
    run_on_cpu(check, "--answers", "30", "--guesses", "50", "--seconds", "0", "--only", "cpu")
    jobs = rows_of(tmp_path, "jobs")
    assert jobs["rank, original, cpu threads"]["result"] == "not begun: no time was left"


def test_a_failure_is_a_row_and_the_rest_goes_on(tmp_path, monkeypatch):
    def fail():
        raise RuntimeError("unspecified launch failure\nand more")

    monkeypatch.setenv("GPU_WORDLE_COMMIT", "abc")
    report = Report(tmp_path)
    report.attempt("kernels", "one", fail)
    report.attempt("kernels", "two", lambda: {"seconds": 1})
    report.attempt("kernels", "two", lambda: {"seconds": 2})
    assert report.has_failed
    rows = rows_of(tmp_path, "kernels")
    assert rows["one"]["result"] == "error: RuntimeError: unspecified launch failure"
    assert rows["two"]["seconds"] == 2
    text = (tmp_path / "gpu_check.md").read_text()
    assert "- commit: `abc`" in text
    assert "unspecified launch failure |" in text
    monkeypatch.setenv("GPU_WORDLE_COMMIT", "def")  # rows of two commits do not mix
    Report(tmp_path).add("kernels", {"case": "three"})
    assert set(rows_of(tmp_path, "kernels")) == {"three"}


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("nvidia-smi") is not None, reason="for machines without a GPU")
def test_gpu_check_without_a_gpu_says_so(tmp_path):
    """It fails, ends at once, and says what was missing; few files come back.

    The tree has come without .git to a machine that lacks a library.
    """
    tree, out = without(tmp_path / "tree", "platformdirs"), tmp_path / "out"
    for part in ("gpu_wordle", "kernels", "scripts", "tests"):
        shutil.copytree(ROOT / part, tree / part)
    shutil.copy(ROOT / "pyproject.toml", tree)
    tools = tmp_path / "tools"
    tools.mkdir()
    refusing = tools / "compute-sanitizer"
    refusing.write_text(
        '#!/bin/sh\necho "$@, $GPU_WORDLE_CACHE, $CUPY_CACHE_DIR"\n'
        "echo Error: Device not supported\nexit 1\n"
    )
    refusing.chmod(0o755)
    path = os.pathsep.join([str(tools), str(Path(sys.executable).parent), os.environ["PATH"]])
    given = {"PATH": path, "GPU_WORDLE_COMMIT": "abc", "GPU_CHECK_CACHE": str(tmp_path / "kept")}
    command = ["bash", str(tree / "scripts" / "gpu" / "check.sh"), str(out)]
    run = subprocess.run(
        [*command, "gpu", "kernels", "tests", "sweep", "memcheck", "racecheck"],
        env=os.environ | given, capture_output=True, text=True, timeout=600,
    )  # fmt: skip
    assert run.returncode == 1
    steps = rows_of(out, "steps")
    assert steps["memcheck"]["result"] == "left out, this machine refuses the tool"
    assert steps["gpu"]["result"] == steps["kernels"]["result"] == "failed (1)"
    assert steps["tests"]["result"] == steps["sweep"]["result"] == "failed (1)"
    jobs = rows_of(out, "jobs") | rows_of(out, "sweep")
    for case in ("rank, original, cuda, batched", "warm-up, cuda, threads tuned"):
        assert "cuda backend cannot be used" in jobs[case]["result"]
    log = (out / "gpu_check.log").read_text()
    assert "cuda backend cannot be used" in log
    kept = tmp_path / "kept"
    ours = "--error-exitcode 77 --kernel-name-exclude kernel_substring=cupy_"
    for line in (
        f"--tool memcheck {ours} --report-api-errors no python3",
        f"--tool racecheck {ours} python3",
        f", {kept / 'cache'}, {kept / 'cupy'}",
    ):
        assert line in log
    assert "- commit: `abc`" in (out / "gpu_check.md").read_text()
    assert len(list(out.iterdir())) == 3


@pytest.mark.slow
def test_every_setting_of_the_sweep_finds_the_same_totals(tmp_path, run_on_cpu, monkeypatch):
    """What a folder has is not measured again, and what there was no time for is."""
    monkeypatch.setattr(CpuFrontier, "drivers", CpuFrontier.drivers)  # settings change these two
    monkeypatch.setattr(cuda_lists, "INTERLEAVED_STATES", cuda_lists.INTERLEAVED_STATES)
    small = ("--answers", "200", "--guesses", "200", "--openers", "50")

    def swept(*options):
        run_on_cpu(sweep, *small, "--only", "drivers", "small", "threads", *options)
        return rows_of(tmp_path, "sweep")

    begun = swept("--seconds", "0")
    assert {row["result"] for row in begun.values()} == {"not begun: no time was left"}
    rows = swept()
    assert set(rows) == set(begun)
    warm, timed = ([row for case, row in rows.items() if ("warm-up" in case) == b] for b in (1, 0))
    assert (len(warm), len(timed)) == (3, 10)
    game = check.part_of_game("original", 200, 200)
    with SolverPool(game, threads=1) as pool:
        chosen = range(0, game.guess_count, game.guess_count // 50)[:50]
        found = [each for _, each in pool.solve_guesses(game.start(), chosen)]
    total = sum(each.lower for each in found if not each.is_infeasible)
    assert {(row["result"], row["totals"]) for row in timed} == {("50 of 50 openers", total)}
    searched = {row.get("collapse_calls", 0) for row in timed}
    assert len(searched) > 1  # as more or fewer states are left to the CPU
    assert swept() == rows


@pytest.mark.slow
def test_every_kernel_is_timed(folder, tmp_path, monkeypatch, original):
    """The benchmark of the kernels, from end to end over the emulator."""
    host = HostCupy(folder, free_bytes=1 << 28)
    event = SimpleNamespace(record=lambda: None, synchronize=lambda: None)
    host.cuda.Event = lambda: event
    host.cuda.get_elapsed_time = lambda *_: 1.0
    pretend(monkeypatch, host)
    small = {"LIMIT_STEPS": 2, "LIMIT_THREADS": 1, "COPY_BYTES": 4096, "CACHE_BYTES": 4096}
    for name, value in (small | {"BLOCK_THREADS": (32,)}).items():
        monkeypatch.setattr(bench_gpu, name, value)
    for module in (cuda, cuda_frontier, cuda_lists, launch):
        for name in [name for name in vars(module) if name.endswith("_THREADS")]:
            monkeypatch.setattr(module, name, 32)
    game = make_game(slice_of(original, 280, 270))
    states = bench_gpu.depth_one_states(game)
    assert len({tuple(key) for key in states.keys.tolist()}) == len(states)
    monkeypatch.setattr(bench_gpu, "load_game", lambda **_: game)
    command = ["kernels.py", "--states", "20", "--repeats", "1", "--out", str(tmp_path)]
    monkeypatch.setattr(sys, "argv", command)
    device.module.cache_clear()
    try:
        assert bench_gpu.main() == 0
    finally:
        device.module.cache_clear()
    limits, kernels = rows_of(tmp_path, "limits"), rows_of(tmp_path, "kernels")
    assert set(limits) == {"memory", "integer", "shared", "cache"}
    named = {case.split(",")[0] for case in kernels}
    assert named >= {"best_guess", "partition_stats", "build_patterns", "split"}
    assert named >= {"collapse", "copy_columns", "bound_states", "bound_guesses"}
    row = kernels["best_guess, lower_bound, all states, threads tuned"]
    assert row["lookups"] == int(states.sizes.sum()) * 280
    assert {"of_cache", "of_shared", "of_integer"} <= set(row)


def test_the_work_counted_is_that_of_the_method():
    game = SimpleNamespace(
        patterns=SimpleNamespace(values=np.zeros((1, 1), np.uint8), pattern_count=243),
        guess_count=100,
    )
    few, many = np.array([20]), np.array([200])
    assert work_of("PAIRS", few, game).amounts() == {"cache": 2000}
    # Touched counters are set back one by one, or all at once where that is less.
    assert work_of("COUNTS8", few, game).amounts() == {"cache": 4000, "shared": 6000}
    assert work_of("COUNTS8", many, game).amounts() == {"cache": 20_000, "shared": 46_075}
    bound = work_of("COUNTS8", few, game, is_lower_bound=True)
    assert bound.integer == pytest.approx((5.6 + 2) * 2000)


@pytest.mark.skipif(nvrtc.library() is None, reason="nvidia-cuda-nvrtc is not installed")
@pytest.mark.parametrize("architecture", nvrtc.ARCHITECTURES)
def test_the_kernels_that_measure_limits_compile(architecture):
    source = (ROOT / "scripts" / "gpu" / "limits.cu").read_text("utf-8")
    log, code, _ = nvrtc.compile_cuda(source, "limits.cu", architecture)
    assert (log, bool(code)) == ("", True)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="commands are forked")
def test_a_short_fuzz_finds_nothing(tmp_path):
    out, said = tmp_path / "fuzz.md", tmp_path / "said.txt"
    command = [sys.executable, "scripts/fuzz/run.py", "--seed", "16", "--out", str(out)]
    command += ["--kills", "3", "--damages", "30", "--inputs", "40", "--variables", "5"]
    with said.open("w") as stream:  # not a pipe, whose end would be waited for after a timeout
        run = subprocess.run(command, cwd=ROOT, stdout=stream, stderr=stream, timeout=600)
    assert run.returncode == 0, said.read_text()
    text = out.read_text("utf-8")
    assert "78 tries, 0 findings." in text
    assert {row.split(" | ")[0] for row in text.splitlines() if " | " in row} == {
        "| tries of", "| kills", "| damages", "| inputs", "| variables"
    }  # fmt: skip


def test_every_verb_that_writes_is_killed_by_the_fuzz_script():
    from typer.main import get_command

    from gpu_wordle.cli.program import app

    writing = {"--out", "--tree", "--trees", "--plot", "--certificate", "--export"}
    offered = {
        (verb, option)
        for verb, command in get_command(app).commands.items()
        for parameter in command.params
        for option in writing.intersection(parameter.opts)
    }
    tried = {(each.command[0], option) for each in WRITERS for option in each.command}
    assert len(offered) >= 18
    assert offered <= tried


def test_the_fuzz_script_tells_whole_files_from_others(tmp_path):
    pdf = b"%PDF-1.4\nbody\nxref\n0 1\ntrailer\nstartxref\n14\n%%EOF\n"
    for suffix, whole in (
        (".svg", b"<svg xmlns='http://www.w3.org/2000/svg'></svg>"),
        (".html", b"<html><body></body></html>\n"),
        (".pdf", pdf),
        (".md", b"<!-- gpu-wordle report -->\n\n# Report\n\n- written: 2026-11-23\n"),
        (".json", b'{"a": 1}\n'),
    ):
        assert IS_WHOLE[suffix](whole)
        cut = whole[:-9]
        with suppress(ValueError, SyntaxError):  # it counts as a finding, too
            assert not IS_WHOLE[suffix](cut)
    for text, true, fits in (
        ("a\n", "a\nb\n", True),
        ("b\n", "a\nb\n", False),
        ("a", "a\n", False),
    ):
        assert is_fit(text.encode(), true.encode(), ".csv", is_one_of_many=False) == fits
    assert not is_fit(b"{}", b"{ }", ".json", is_one_of_many=False)
    held = {"index.html": b"a", "data/words.json": b"b"}
    write_contents(tmp_path / "site", held)
    assert contents(tmp_path / "site") == held
    assert contents(tmp_path / "nothing") == {}


TREE = """\
chf BBB1 mps BBB2 bat GGG3
chf BBB1 mps BBB2 bat GBG3 bit GGG4
chf BBB1 mps BBB2 bat BGG3 rat GGG4
chf BBB1 mps GBB2 mat GGG3
chf BBB1 mps BYB2 pat GGG3
chf BBB1 mps BBY2 sat GGG3
chf GBB1 cat GGG2
chf BYB1 hat GGG2
chf BBY1 fat GGG2
chf BBY1 fat GBG2 fit GGG3
"""


def test_the_fuzz_script_sees_what_is_wrong(tmp_path):
    assert Outcome(0, "", "", 0.1).fault() == ""
    assert Outcome(2, "", "gpu-wordle: error: no\n", 0.1).fault() == ""
    for outcome in (
        Outcome(None, "", "", 20.0),
        Outcome(-11, "", "", 0.1),
        Outcome(130, "", "", 0.1),
        Outcome(1, "", "", 0.1),
        Outcome(2, "", "gpu-wordle: error: no\ngpu-wordle: really\n", 0.1),
        Outcome(2, "", "gpu-wordle: error: \x1b[31m\n", 0.1),
        Outcome(1, "", "Traceback (most recent call last):\nValueError: x\n", 0.1),
    ):
        assert outcome.fault()
    fuzz_game.write_game(tmp_path)
    row = {"opener": "chf", "infeasible": False, "total": 29}
    told = {"rows": [row], "max_guesses": 6, "weight": 10}
    for game in (
        fuzz_game.game_of_lists(tmp_path), fuzz_game.game_of_matrix(tmp_path / "game.csv")
    ):  # fmt: skip
        assert fuzz_game.untrue(told, game) == ""
        for wrong in ({"total": 28}, {"total": 30}, {"infeasible": True}):
            assert "is 29/10" in fuzz_game.untrue({**told, "rows": [row | wrong]}, game)
    useless = fuzz_game.Matrix(
        ["mps", "bat", "cat"], ["bat", "cat"], fuzz_game.colours, "GGG", [1, 1]
    )
    assert fuzz_game.means(useless, ["mps", "cat"], 6) == [Fraction(5, 2), Fraction(3, 2)]
    weighed = fuzz_game.game_of_lists(tmp_path, weights=True)
    assert fuzz_game.means(weighed, ["chf"], 6) == [Fraction(1445, 605)]
    tree = tmp_path / "tree.txt"
    tree.write_text(TREE)
    assert fuzz_game.played(tree) == 29
    lines = TREE.splitlines()
    for text in ("\n".join(lines[1:]), TREE + lines[0], TREE.replace("mat GGG3", "pat GBB3")):
        tree.write_text(text)
        assert fuzz_game.played(tree) is None


def test_mutants_made_by_hand_are_of_the_source_as_it_is():
    from scripts.mutants.listed import BY_HAND, LISTED

    tests = {path.stem for path in (ROOT / "tests").rglob("test_*.py")}
    assert len(BY_HAND) >= 62
    for mutant in BY_HAND:
        whole = (ROOT / mutant.file).read_text("utf-8")
        assert mutant.apply(whole) != whole
        assert {f"test_{name}" for name in mutant.tests} <= tests
    for target in LISTED["targets"].values():
        assert any((ROOT / "gpu_wordle").glob(target["modules"]))
        assert {f"test_{name}" for name in target["tests"]} <= tests


LOOPS = """
\t.section\t.text.first,"ax",@progbits
        /*0000*/                   LDC R1, c[0x0][0x28] ;
.L_x_0:
        /*0010*/                   S2R R0, SR_TID.X ;
.L_x_1:
        /*0020*/                   LDG.E.CONSTANT R2, [R4.64] ;
        /*0030*/                   LDS.U8 R3, [R2] ;
        /*0040*/                   IMAD.MOV.U32 R5, RZ, RZ, R3 ;
        /*0050*/                   LOP3.LUT R6, R5, 0xff, RZ, 0xc0, !PT ;
        /*0060*/              @!P0 BRA `(.L_x_1) ;
        /*0070*/              @!P1 BRA `(.L_x_0) ;
        /*0080*/                   BRA `(.L_x_2) ;
.L_x_2:
        /*0090*/                   EXIT ;
"""


def test_instructions_are_counted_in_inner_loops_alone():
    from scripts.gpu.instructions import inner_loops

    (loop,) = inner_loops(LOOPS)
    assert (loop.function, loop.begin, loop.instructions) == ("first", 2, 5)
    assert (loop.pattern_loads, loop.loads_first) == (1, 1)
    assert loop.units == {"global": 1, "shared": 1, "multiply": 1, "integer": 1, "control": 1}


@pytest.mark.slow
@pytest.mark.skipif(nvrtc.installed("bin/nvdisasm") is None, reason="nvdisasm is not installed")
def test_headers_state_the_instructions_of_the_machine_code():
    """What one compiler makes of the main loops; another release may move them a little.

    All patterns of a round are loaded before the first is counted.
    """
    from gpu_wordle.backends.cuda.device import kernel_source
    from scripts.gpu.instructions import AHEAD, rows_of

    for file, method, options in (
        ("bound_states.cu", "SEEN", ()),
        ("best_guess.cu", "COUNTS8", ("-DCRITERION=LOWER_BOUND",)),
    ):
        rows = [row for row in rows_of("90", file, 8, method, *options) if "a look-up" in row]
        assert {row["loads first"] for row in rows} == {AHEAD}
        found = float(rows[0]["a look-up"])
        header = kernel_source(file).partition("#include")[0]
        stated = float(re.search(rf"{method}\n?\W*([\d.]+)(?: a look-up)?\s+in", header)[1])
        assert found == pytest.approx(stated, rel=0.1)


def test_noise_of_rules_finds_the_level_that_loses_as_much(tmp_path, monkeypatch):
    from scripts.publish import noise_of_rules

    levels = [(1, (0, 0, 0)), (10, (3, 4, 9)), (30, (20, 24, 25))]
    noise = "".join(f"{level},{gap}\n" for level, gaps in levels for gap in gaps)
    (tmp_path / "n.csv").write_text(f"level_percent,gap\n{noise}")

    class Games(dict):
        strategies = ("slow", "fair", "best")

    gaps = {("slow", "cat"): 90, ("fair", "cat"): 14, ("best", "cat"): 0, ("fair", "rat"): 2}
    games = Games((pair, {"gap": gap}) for pair, gap in gaps.items())
    monkeypatch.setattr(gw, "open_results", lambda path: games)
    asked = [tmp_path / "n.csv", tmp_path / "s.h5", "--opener", "cat", "--out", tmp_path / "o"]
    monkeypatch.setattr(sys, "argv", ["noise_of_rules.py", *map(str, asked)])
    noise_of_rules.main()
    assert (tmp_path / "o.csv").read_text().splitlines()[1:] == [
        "best,cat,0,1,1,10",  # the highest level that loses nothing
        "fair,cat,14,20,10,30",
        "slow,cat,90,,30,",
    ]
    assert (tmp_path / "o.png").stat().st_size > 1000


def test_noise_curves_sum_up_what_files_hold(tmp_path, monkeypatch):
    from scripts.publish import noise_curves

    game = gw.load_game(sorted(small_game.GUESSES), small_game.ANSWERS)
    expected = []
    for depth in (2, 3):
        asked = {"depth": depth, "levels": [1, 40], "runs": 5, "threads": 1}
        runs = gw.noise(game, "chf", **asked, out=tmp_path / f"{depth}.h5")
        for level in (1, 40):
            rows = [row for row in runs if row["level_percent"] == level]
            gaps = sorted(row["gap"] for row in rows)
            worst = max(row["worst"] for row in rows)
            numbers = (rows[0]["exact_total"], 5, level, gaps[0], gaps[2], gaps[4], gaps.count(0))
            expected.append(",".join(map(str, (f"depth {depth}", *numbers, worst, 0))))
    files = [str(tmp_path / f"{depth}.h5") for depth in (2, 3)]
    monkeypatch.setattr(sys, "argv", ["noise_curves.py", *files, "--out", str(tmp_path / "curves")])
    noise_curves.main()
    assert (tmp_path / "curves.csv").read_text().splitlines()[1:] == expected
    assert (tmp_path / "curves.png").stat().st_size > 1000
    drawn = (tmp_path / "curves.svg").read_text()
    assert "Date" not in drawn
