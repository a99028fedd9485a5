"""Kill writers, damage files, and give nonsense; count what happens.

    python scripts/fuzz/run.py [--seed S] [--kills N] [--damages N] [--inputs N] [--variables N]
                               [--jobs N] [--minutes M] [--kinds PART...] [--out FILE.md]

Every verb that writes is killed at random moments. The files that it leaves must be absent or
whole, and the same command must then reach the same result. Files of every kind are flipped, cut,
zeroed and extended: they must be refused or mended, or be true as they are. Command lines with
wrong values must be refused in one line. Odd environments must not change any result. Nothing may
hang, print a traceback or print a wrong value.

Try number N of a section depends on the seed, on ``--kinds`` and on N alone: ``--only damages:17``
repeats it. ``--kinds`` selects what is killed, damaged or called by parts of its name, as in
``certificate merge``. It ends after ``--minutes``. ``--out`` is a file for the table, which is
printed too. The exit code is 1 if anything was found.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # a process with threads should not fork

import multiprocessing
import random
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

from gpu_wordle.backends.cpu.threads import available_cores
from scripts.bench import common
from scripts.fuzz import child
from scripts.fuzz.damages import damage
from scripts.fuzz.inputs import try_input
from scripts.fuzz.kills import kill
from scripts.fuzz.variables import try_variables

SECTIONS = {
    "kills": kill,
    "damages": damage,
    "inputs": try_input,
    "variables": try_variables,
}
SIZES = {"kills": 200, "damages": 1000, "inputs": 500, "variables": 100}
"""Number of tries in each section, by default."""


Try = tuple[str, int]
"""A section, and the number of a try in it."""

Result = tuple[Try, str, str, str]
"""The try, its kind, its fate, and what is wrong, if anything."""


def attempt(which: Try, seed: int, kinds: list[str], shelf: Path) -> Result:
    """Do one try in a folder of its own."""
    section, number = which
    folder = Path(tempfile.mkdtemp(dir=shelf))
    chance = random.Random(f"{seed}/{section}/{number}")
    try:
        return which, *SECTIONS[section](chance, folder, shelf, kinds)
    except Exception as error:
        return which, "the fuzz script", "", f"{type(error).__name__}: {error}"
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def run(
    tries: list[Try], seed: int, kinds: list[str], jobs: int, minutes: float
) -> Iterator[Result]:
    """Do all tries in several processes, or as many as time allows."""
    child.prepare()
    until = time.monotonic() + 60 * minutes
    context = multiprocessing.get_context("fork")
    with (
        tempfile.TemporaryDirectory(prefix="fuzz-") as shelf,
        ProcessPoolExecutor(jobs, mp_context=context) as pool,
    ):
        work = partial(attempt, seed=seed, kinds=kinds, shelf=Path(shelf))
        for done, result in enumerate(pool.map(work, tries, chunksize=4), start=1):
            if result[-1]:
                print(f"{result[0]}: {result[-1]}", file=sys.stderr, flush=True)
            elif done % 50 == 0:
                print(f"{done:,} of {len(tries):,}", file=sys.stderr, flush=True)
            yield result
            if time.monotonic() > until:
                pool.shutdown(cancel_futures=True)
                return


def rows_of(results: list[Result]) -> list[dict[str, object]]:
    """Return a row for each kind of try: number of tries, fates, and findings."""
    rows: list[dict[str, object]] = []
    for section in SECTIONS:
        of_section = [result for result in results if result[0][0] == section]
        for kind in sorted({result[1] for result in of_section}):
            of_kind = [result for result in of_section if result[1] == kind]
            became = Counter(result[2] for result in of_kind if not result[3])
            told = ", ".join(f"{count} {name}" for name, count in became.most_common())
            found = len(of_kind) - became.total()
            rows.append(
                {"tries of": section, "what": kind, "number": len(of_kind),
                 "what came of it": told, "findings": found}
            )  # fmt: skip
    return rows


def page(results: list[Result], facts: dict[str, str]) -> str:
    """Return the results as Markdown."""
    total = sum(bool(result[3]) for result in results)
    faults = [f"- `{name}:{number}`: {fault}" for (name, number), *_, fault in results if fault]
    told = f"{len(results):,} tries, {total:,} findings."
    return common.page(facts, rows_of(results), "", told, *([""] if faults else []), *faults)


def main() -> int:
    """Parse arguments, do the tries, and report."""
    arguments = common.options(
        __doc__, seed=0, **SIZES, only=str, kinds=[""], jobs=available_cores(), minutes=60.0
    )
    tries = [(name, n) for name in SECTIONS for n in range(getattr(arguments, name))]
    if arguments.only:
        section, _, number = arguments.only.partition(":")
        tries = [(section, int(number))]
    # so that a run that ends early has tried every section
    random.Random(arguments.seed).shuffle(tries)
    facts, started = common.machine(), time.monotonic()
    kinds, jobs = arguments.kinds, arguments.jobs
    results = sorted(run(tries, arguments.seed, kinds, jobs, arguments.minutes))
    facts |= {"seed": str(arguments.seed), "seconds": f"{time.monotonic() - started:,.0f}"}
    common.tell(page(results, facts), arguments.out)
    return int(any(result[-1] for result in results))


if __name__ == "__main__":
    sys.exit(main())
