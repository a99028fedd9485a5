"""Make many small changes to the program, and count how often the tests notice.

    python scripts/mutants/run.py [--number N] [--seed S] [--targets NAME...] [--by-hand]
                                  [--only PART...] [--quick] [--limit SECONDS] [--out FILE.md]
    python scripts/mutants/run.py --check

Two kinds of mutants are tried, in a copy of the checkout. Those of pure Python come from the
operators of cosmic-ray (extra ``mutation``), drawn by a seed, N of each target. ``--by-hand`` tries
those in mutants.toml instead. ``--check`` only says whether each of these still fits the source.

A mutant is killed if a test fails, or takes longer than the limit. mutants.toml names the tests.
First come quick ones that call the changed function, then files of tests that may call it, then
slow ones. So the rest of the suite may yet notice a survivor. The exit code is 1 if fewer than 90 %
are killed.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # a process with threads should not fork

import argparse
import ast
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from scripts.mutants.listed import BY_HAND, LISTED, Mutant
from scripts.mutants.reached import (
    Reached,
    Survey,
    files_that_may,
    place_of,
    read_survey,
    those_that_reach,
)

ROOT = Path(__file__).resolve().parents[2]

TARGETS: dict[str, dict[str, Any]] = LISTED["targets"]
OPERATORS = frozenset(f"core/{name}" for name in LISTED["operators"])
GOAL = 0.9
SURVIVED = "survived"


@dataclass(frozen=True)
class Tried:
    """The outcome of a mutant: killed, survived, or too long."""

    target: str
    mutant: Mutant
    outcome: str


def drawn(target: str, number: int, seed: int) -> Iterator[Mutant]:
    """Yield ``number`` mutants of a target, or all of them."""
    from cosmic_ray.mutating import mutate_code
    from cosmic_ray.plugins import get_operator, operator_names

    pattern, tests = TARGETS[target]["modules"], tuple(TARGETS[target]["tests"])
    every = [
        (path, operator, place)
        for path in sorted((ROOT / "gpu_wordle").glob(pattern))
        for operator in operator_names()
        if operator in OPERATORS or _compares(operator)
        for place in range(_places(path, operator))
    ]
    random.Random(f"{seed}/{target}").shuffle(every)
    for path, operator, place in every:
        before = path.read_text("utf-8")
        after = mutate_code(before, get_operator(operator)(), place)
        if number and after and _is_other(before, after):
            number -= 1
            yield Mutant(str(path.relative_to(ROOT)), before, after, operator, tests)


def _compares(operator: str) -> bool:
    """True if an operator replaces one comparison by another; ``is`` counts as ``==``."""
    is_one = operator.startswith("core/ReplaceComparisonOperator")
    return is_one and not operator.endswith(("_Is", "Eq_IsNot", "Lt_IsNot", "Gt_IsNot", "E_IsNot"))


def _places(path: Path, operator: str) -> int:
    """Return the number of places where an operator finds something to replace."""
    from cosmic_ray.plugins import get_operator

    found = get_operator(operator)()
    return sum(1 for node in _nodes(path) for _ in found.mutation_positions(node))


@cache
def _nodes(path: Path) -> list[Any]:
    """Return the nodes of a module's syntax tree, as cosmic-ray orders them."""
    from cosmic_ray.ast import ast_nodes, get_ast

    return list(ast_nodes(get_ast(path.read_text("utf-8"))))


class _Bare(ast.NodeTransformer):
    """Removes annotations, which are never evaluated, and the switches of dataclasses."""

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        node.decorator_list = []
        return self.generic_visit(node)

    def visit_arg(self, node: ast.arg) -> ast.arg:
        node.annotation = None
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        return self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        node.annotation = ast.Constant(None)
        return self.generic_visit(node)


def _is_other(before: str, after: str) -> bool:
    """True if two sources differ in behaviour, and the second is valid Python."""
    try:
        one, two = (ast.dump(_Bare().visit(ast.parse(text))) for text in (before, after))
    except SyntaxError:
        return False
    return one != two


def attempt(
    mutant: Mutant, checkout: Path, limit_s: float, reached: list[Reached], *, quick: bool
) -> str:
    """Put a mutant into a copy of the checkout, run its tests, and take it out again."""
    path = checkout / mutant.file
    whole = path.read_text("utf-8")
    path.write_text(mutant.apply(whole), "utf-8")
    stages = [(tests, "not slow") for tests in quick_tests(mutant, whole, reached)]
    if not quick:
        stages.append((files_of(mutant.tests), "slow"))
    outcome = SURVIVED
    try:
        for tests, which in stages:
            if tests and outcome == SURVIVED:
                outcome = run_tests(tests, checkout, limit_s, which)
        return outcome
    finally:
        path.write_text(whole, "utf-8")


def quick_tests(mutant: Mutant, whole: str, reached: list[Reached]) -> Iterator[list[str]]:
    """Yield tests that call the changed function, then files that may; all files if none calls it.

    Python does not see calls of compiled functions and kernels.
    """
    files = files_of(mutant.tests)
    is_python = bool(reached) and mutant.file.endswith(".py")
    place = place_of(mutant.file, whole, mutant.apply(whole)) if is_python else None
    if place is None:
        yield files
        return
    known = [each for each in reached if each.test.partition("::")[0] in files]
    calling = those_that_reach(place, known)
    yield calling
    yield files_that_may(place, known) if calling else files


def files_of(names: tuple[str, ...]) -> list[str]:
    """Return the paths of test files by their names, each of which must be unique."""
    found = {path.stem: path for path in (ROOT / "tests").rglob("test_*.py")}
    return [found[f"test_{name}"].relative_to(ROOT).as_posix() for name in names]


def survey(names: set[str], checkout: Path, limit_s: float) -> list[Reached]:
    """Record the calls of the quick tests of files; exits if one fails without a mutant."""
    reached: list[Reached] = []
    for file in files_of(tuple(sorted(names))):
        noted = checkout / "noted.json"
        if run_tests([file], checkout, limit_s, "not slow", noted) != SURVIVED:
            raise SystemExit(f"{file} fails without a mutant; mend it first")
        reached += read_survey(noted)
        print(f"{file}: {len(reached):,} tests in all", file=sys.stderr, flush=True)
    return reached


def run_tests(
    tests: list[str], checkout: Path, limit_s: float, which: str, noted: Path | None = None
) -> str:
    """Run tests of a checkout in a forked process, up to the first that fails."""
    child = os.fork()
    if child == 0:
        try:
            os._exit(_be_tested(tests, checkout, which, noted))
        finally:
            os._exit(99)
    until = time.monotonic() + limit_s
    while time.monotonic() < until:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            code = os.waitstatus_to_exitcode(status)
            return SURVIVED if code in (0, pytest.ExitCode.NO_TESTS_COLLECTED) else "killed"
        time.sleep(0.02)
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return "too long"


def _be_tested(tests: list[str], checkout: Path, which: str, noted: Path | None) -> int:
    """Run pytest in this process, silent except for its records; return its exit code."""
    os.setsid()
    silence = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(silence, stream)
    os.chdir(checkout)
    os.environ["PYTHONPATH"] = str(checkout)
    os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
    os.environ["GPU_WORDLE_MACHINE_CODE"] = str(checkout / ".machine-code")
    sys.dont_write_bytecode = True
    sys.path[:0] = [str(checkout)]
    from gpu_wordle.jit import files

    # Machine code is compiled from none of the targets, so mutants do not change it.
    whole = checkout / ".machine-code" / "whole"
    if whole.exists() and not files.folder().exists():
        files.folder().symlink_to(whole)
    quietly = ["-x", "-q", "-n", "0", "-p", "no:cacheprovider", "-m", which]
    if noted is None:
        return int(pytest.main([*quietly, *tests]))
    plugin = Survey(checkout, noted)
    plugin.begin()
    return int(pytest.main([*quietly, *tests], plugins=[plugin]))


def prepare(checkout: Path, by_hand: bool) -> None:
    """Copy the tracked files and machine code, which is compiled before if no mutant touches it."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, check=True, capture_output=True)
    for name in listed.stdout.decode().splitlines():
        (checkout / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, checkout / name)
    code = checkout / ".machine-code"
    if (kept := ROOT / ".machine-code").is_dir():  # by earlier runs of the tests
        shutil.copytree(kept, code)
    if by_hand:
        return
    environment = {**os.environ, "PYTHONPATH": str(checkout), "GPU_WORDLE_MACHINE_CODE": str(code)}
    command = [sys.executable, "-m", "gpu_wordle", "warm"]
    subprocess.run(command, cwd=checkout, env=environment, check=True, stdout=sys.stderr)
    command = [sys.executable, "-c", "from gpu_wordle.jit import files; print(files.folder())"]
    told = subprocess.run(command, cwd=checkout, env=environment, check=True, capture_output=True)
    compiled = Path(told.stdout.decode().strip())
    compiled.rename(code / "whole")
    compiled.symlink_to(code / "whole")


def check() -> int:
    """Print the mutants by hand that do not fit the source or name unknown tests.

    The exit code is 1 if there is one.
    """
    faults = []
    for mutant in BY_HAND:
        try:
            mutant.apply((ROOT / mutant.file).read_text("utf-8"))
            files_of(mutant.tests)
        except (OSError, ValueError, KeyError) as error:
            faults.append(f"{mutant.why}: {error}")
    print(*faults, f"{len(BY_HAND)} mutants, {len(faults)} cannot be made", sep="\n")
    return int(bool(faults))


def cpu_seconds() -> float:
    """Return the CPU seconds of this process and of all its tests."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def page(tried: list[Tried], facts: dict[str, str]) -> str:
    """Return the score and the survivors as Markdown."""
    from scripts.bench import common

    rows: list[dict[str, object]] = []
    for target in dict.fromkeys(each.target for each in tried):
        outcomes = [each.outcome for each in tried if each.target == target]
        survived = outcomes.count(SURVIVED)
        rows.append(
            {"target": target, "mutants": len(outcomes), "killed": outcomes.count("killed"),
             "too long": outcomes.count("too long"), "survived": survived,
             "score": f"{1 - survived / len(outcomes):.0%}"}
        )  # fmt: skip
    lines = [""]
    for each in tried:
        if each.outcome == SURVIVED:
            lines += ["", f"`{each.mutant.file}`, {each.mutant.why}:", "", "```diff"]
            lines += [*each.mutant.difference(), "```"]
    return common.page(facts, rows, *lines)


def main() -> int:
    """Parse arguments, try the mutants, and report."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--number", type=int, default=40, help="mutants of each target")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--targets", nargs="*", choices=TARGETS, default=list(TARGETS))
    parser.add_argument("--by-hand", action="store_true", help="try those that are listed")
    parser.add_argument("--check", action="store_true", help="say which cannot be made any more")
    parser.add_argument("--only", nargs="*", default=[""], help="those by hand of such files")
    parser.add_argument("--quick", action="store_true", help="leave the slow tests out")
    parser.add_argument("--limit", type=float, default=300.0, help="seconds for the tests of one")
    parser.add_argument("--out", type=Path, help="file for the score, beside printing it")
    arguments = parser.parse_args()
    if arguments.check:
        return check()
    if arguments.by_hand:
        plan = [
            ("by hand", mutant)
            for mutant in BY_HAND
            if any(part in mutant.file for part in arguments.only)
        ]
    else:
        plan = [
            (target, mutant)
            for target in arguments.targets
            for mutant in drawn(target, arguments.number, arguments.seed)
        ]
    started, tried = time.monotonic(), []
    with tempfile.TemporaryDirectory(prefix="mutate-") as place:
        checkout = Path(place)
        prepare(checkout, arguments.by_hand)
        names = {name for _, mutant in plan for name in mutant.tests}
        reached = survey(names, checkout, 2 * arguments.limit)
        for target, mutant in plan:
            outcome = attempt(mutant, checkout, arguments.limit, reached, quick=arguments.quick)
            tried.append(Tried(target, mutant, outcome))
            told = f"{len(tried)} of {len(plan)}: {target}, {mutant.file}, {outcome}"
            print(f"{told}, {cpu_seconds():,.0f} CPU s so far", file=sys.stderr, flush=True)
            if outcome == SURVIVED:
                print("\n".join(mutant.difference()), file=sys.stderr, flush=True)
    # imported late, since it loads the package, which forks should not have
    from scripts.bench import common

    facts = common.machine() | {"seconds": f"{time.monotonic() - started:,.0f}"}
    facts |= {"CPU seconds": f"{cpu_seconds():,.0f}"}
    common.tell(page(tried, facts), arguments.out)
    survived = sum(each.outcome == SURVIVED for each in tried)
    return int(survived > (1 - GOAL) * len(tried))


if __name__ == "__main__":
    sys.exit(main())
