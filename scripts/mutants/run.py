"""Make many small changes to the program, and count how often the tests notice.

    python scripts/mutants/run.py [--number N] [--seed S] [--targets NAME...] [--by-hand]
                                  [--only PART...] [--quick] [--limit SECONDS] [--out FILE.md]
    python scripts/mutants/run.py --check

Two kinds of mutants are tried, in a copy of the checkout. Those of pure Python come from the
operators of cosmic-ray (group ``mutation``), drawn by a seed, N of each target. ``--by-hand`` tries
those in mutants.toml instead. ``--check`` only says whether each of these still fits the source.

A mutant is killed if a test fails, or takes longer than the limit. Tests are those of the files
that mutants.toml names, the slow ones last; without a mutant they have to pass. So a survivor may
yet be seen by the rest of the suite. The exit code is 1 if fewer than 90 % are killed.
"""

from __future__ import annotations

import ast
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from scripts import ROOT
from scripts.bench import common
from scripts.mutants.listed import BY_HAND, LISTED, Mutant

TARGETS: dict[str, dict[str, Any]] = LISTED["targets"]
OPERATORS = frozenset(f"core/{name}" for name in LISTED["operators"])
GOAL = 0.9
SURVIVED = "survived"

PYTEST = """
import sys
import pytest
from gpu_wordle.jit import files
whole = files.parent_folder() / "whole"
if whole.exists() and not files.folder().exists():
    files.folder().symlink_to(whole)
sys.exit(pytest.main(sys.argv[1:]))
"""
"""Run tests in a copy of the checkout.

Machine code is made of none of the targets, so it stays as it is whatever they are.
"""
QUIETLY = ["-x", "-q", "-n", "0", "-p", "no:cacheprovider"]


def drawn(target: str, number: int, seed: int) -> Iterator[Mutant]:
    """As many mutants of a target as asked for, or as there are."""
    from cosmic_ray.ast import ast_nodes, get_ast
    from cosmic_ray.mutating import mutate_code
    from cosmic_ray.plugins import get_operator, operator_names

    every = []
    for path in sorted((ROOT / "gpu_wordle").glob(TARGETS[target]["modules"])):
        nodes = list(ast_nodes(get_ast(path.read_text("utf-8"))))
        for operator in operator_names():
            if operator in OPERATORS or _compares(operator):
                found = get_operator(operator)()
                places = sum(1 for node in nodes for _ in found.mutation_positions(node))
                every += [(path, operator, place) for place in range(places)]
    random.Random(f"{seed}/{target}").shuffle(every)
    for path, operator, place in every:
        before = path.read_text("utf-8")
        after = mutate_code(before, get_operator(operator)(), place)
        if number and after and _is_other(before, after):
            number -= 1
            file, tests = str(path.relative_to(ROOT)), tuple(TARGETS[target]["tests"])
            yield Mutant(file, before, after, operator, tests)


def _compares(operator: str) -> bool:
    """True if an operator replaces one comparison by another; ``is`` counts as ``==``."""
    is_one = operator.startswith("core/ReplaceComparisonOperator")
    return is_one and not operator.endswith(("_Is", "Eq_IsNot", "Lt_IsNot", "Gt_IsNot", "E_IsNot"))


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


def attempt(mutant: Mutant, checkout: Path, limit_s: float, *, quick: bool) -> str:
    """Put a mutant into a copy of the checkout, run its tests, and take it out again."""
    path = checkout / mutant.file
    whole = path.read_text("utf-8")
    path.write_text(mutant.apply(whole), "utf-8")
    tests = files_of(mutant.tests)
    try:
        outcome = run_tests(tests, checkout, limit_s, "not slow")
        is_left = outcome == SURVIVED and not quick
        return run_tests(tests, checkout, limit_s, "slow") if is_left else outcome
    finally:
        path.write_text(whole, "utf-8")


def files_of(names: tuple[str, ...]) -> list[str]:
    """Return the paths of test files by their names, each of which must be unique."""
    found = {path.stem: path for path in (ROOT / "tests").rglob("test_*.py")}
    return [found[f"test_{name}"].relative_to(ROOT).as_posix() for name in names]


def run_tests(files: list[str], checkout: Path, limit_s: float, which: str) -> str:
    """Run tests of a checkout, up to the first that fails."""
    environment = {**os.environ, **variables(checkout)}
    with subprocess.Popen(
        [sys.executable, "-c", PYTEST, *QUIETLY, "-m", which, *files],
        cwd=checkout, env=environment, start_new_session=True,
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    ) as process:  # fmt: skip
        try:
            code = process.wait(limit_s)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            return "too long"
    return SURVIVED if code in (0, pytest.ExitCode.NO_TESTS_COLLECTED) else "killed"


def variables(checkout: Path) -> dict[str, str]:
    """Variables with which Python runs a copy of the checkout."""
    code = str(checkout / ".machine-code")
    return {"PYTHONPATH": str(checkout), "GPU_WORDLE_MACHINE_CODE": code}


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
    environment = {**os.environ, **variables(checkout)}
    command = [sys.executable, "-m", "gpu_wordle", "warm"]
    subprocess.run(command, cwd=checkout, env=environment, check=True, stdout=sys.stderr)
    command = [sys.executable, "-c", "from gpu_wordle.jit import files; print(files.folder())"]
    told = subprocess.run(command, cwd=checkout, env=environment, check=True, capture_output=True)
    compiled = Path(told.stdout.decode().strip())
    compiled.rename(code / "whole")
    compiled.symlink_to(code / "whole")


def check() -> int:
    """Name mutants by hand that no longer fit the source, or whose tests are missing.

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


def cpu_seconds() -> str:
    """CPU seconds of this process and of all tests that were run."""
    return f"{sum(os.times()[:4]):,.0f}"


def score(tried: list[tuple[str, Mutant, str]]) -> list[dict[str, object]]:
    """A row for each target: its mutants by outcome, and the share that did not survive."""
    rows: list[dict[str, object]] = []
    for target in dict.fromkeys(target for target, *_ in tried):
        became = Counter(outcome for each, _, outcome in tried if each == target)
        counts = {name: became[name] for name in ("killed", "too long", SURVIVED)}
        share = 1 - became[SURVIVED] / became.total()
        rows.append(
            {"target": target, "mutants": became.total(), **counts, "score": f"{share:.0%}"}
        )
    return rows


def main() -> int:
    """Try the mutants, and report."""
    options = common.options(
        __doc__, number=40, seed=0, targets=TARGETS, by_hand=False, check=False, only=[""],
        quick=False, limit=300.0,
    )  # fmt: skip
    if options.check:
        return check()
    if options.by_hand:
        plan = [("by hand", m) for m in BY_HAND if any(part in m.file for part in options.only)]
    else:
        targets, drawing = options.targets, (options.number, options.seed)
        plan = [(target, mutant) for target in targets for mutant in drawn(target, *drawing)]
    started, tried = time.monotonic(), []
    survivors: list[str] = []
    with tempfile.TemporaryDirectory(prefix="mutate-") as place:
        checkout = Path(place)
        prepare(checkout, options.by_hand)
        names = {name for _, mutant in plan for name in mutant.tests}
        for file in files_of(tuple(sorted(names))):
            if run_tests([file], checkout, 2 * options.limit, "not slow") != SURVIVED:
                raise SystemExit(f"{file} fails without a mutant; mend it first")
        for target, mutant in plan:
            outcome = attempt(mutant, checkout, options.limit, quick=options.quick)
            tried.append((target, mutant, outcome))
            told = f"{len(tried)} of {len(plan)}: {target}, {mutant.file}, {outcome}"
            print(f"{told}, {cpu_seconds()} CPU s so far", file=sys.stderr, flush=True)
            if outcome == SURVIVED:
                changed = ["```diff", *mutant.difference(), "```"]
                survivors += ["", f"`{mutant.file}`, {mutant.why}:", "", *changed]
                print(*changed[1:-1], sep="\n", file=sys.stderr, flush=True)
    facts = common.machine() | {"seconds": f"{time.monotonic() - started:,.0f}"}
    facts |= {"CPU seconds": cpu_seconds()}
    common.tell(common.page(facts, score(tried), "", *survivors), options.out)
    survived = sum(outcome == SURVIVED for *_, outcome in tried)
    return int(survived > (1 - GOAL) * len(tried))


if __name__ == "__main__":
    sys.exit(main())
