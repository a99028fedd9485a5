"""Sign files with one value at an edge, and read them in every way.

    python scripts/fuzz/edges.py [--kinds KIND...] [--share N/M] [--out FILE.md]

Anyone who can compute a hash can sign anything. So in a file of each kind each value is replaced,
one column or root attribute at a time: by infinities, NaN and negative zero, by the largest and the
smallest number, by the numbers on both sides of each end of the range that ``store/form.py``
declares, and by strange texts. The file is signed again, verified, opened, reported on and resumed
from. Each of these must succeed or end in an error of one line. All must refuse a value out of
range. ``--share`` takes a share of the edges, as in 2/40. The exit code is 1 if anything was found.
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import h5py
import numpy as np

import gpu_wordle as gw
from gpu_wordle.api.games import load_game
from gpu_wordle.store import form, save_analysis
from gpu_wordle.store.contents import Column
from scripts.bench import common
from scripts.fuzz.game import ANSWERS, GUESSES
from support.forging import forge

FLOATS = [np.inf, -np.inf, np.nan, -0.0, 1.8e308, -1.8e308, 5e-324]
TEXTS = ["", " ", "nan", "1/0", "9" * 40, "\n", "é\u202e", "x" * 3000]
WHOLE = [2**63 - 1, -(2**63), 2**62, 2**31, 2**40 + 1, -1, -2, 0]


@dataclass(frozen=True)
class Edge:
    """A value at an edge.

    Attributes:
        kind: the kind of the file.
        name: the name of the dataset or the attribute.
        value: the value that is put there.
        is_outside: whether it is outside the declared range.
    """

    kind: str
    name: str
    value: Any
    is_outside: bool


@dataclass(frozen=True)
class Result:
    """The result of an edge; ``faults`` are findings, by the way of reading."""

    edge: Edge
    became: str
    faults: dict[str, str]


def write_files(folder: Path) -> gw.Game:
    """Write a file of each kind, by its name in IN_WORDS; return their game."""
    game = load_game(GUESSES, ANSWERS, max_guesses=5)
    gw.rank(game, exact=10, out=folder / "ranking.h5")
    gw.solve(game, "chf").tree.save(folder / "tree.h5")
    gw.simulate(game, ["parts", "greens"], ["chf", "bat"], out=folder / "simulation.h5")
    gw.pairs(game, by="total", top=3, out=folder / "pairs.h5")
    gw.noise(game, "chf", runs=3, depth=2, levels=[5, 20], out=folder / "noise.h5")
    gw.league(game, ["parts", "greens"], split="all", games=6, out=folder / "league.h5")
    weighed = load_game(GUESSES, ANSWERS, weights=dict.fromkeys(ANSWERS, 3), max_guesses=3)
    gw.rank(weighed, exact="all", out=folder / "weighed.h5")
    rows = [
        {"game_number": 1 + number, "player": "ann", **row}
        for number, answer in enumerate(ANSWERS[:3])
        for row in gw.analyse(game, ["chf", "mps", answer], answer)
    ]
    save_analysis(folder / "analysis.h5", game._inner, rows)
    return game


def readings(kind: str, path: Path, game: gw.Game) -> dict[str, Callable[[], object]]:
    """Return the ways to read a file of a kind, by name."""
    again = {
        "ranking": lambda: gw.rank(game, exact=10, out=path),
        "weighed": lambda: gw.merge([path], path.with_name("whole.h5"), fresh=True),
        "simulation": lambda: gw.simulate(game, ["parts", "greens"], ["chf", "bat"], out=path),
        "pairs": lambda: gw.pairs(game, by="total", top=3, out=path),
        "noise": lambda: gw.noise(game, "chf", runs=3, depth=2, levels=[5, 20], out=path),
        "league": lambda: gw.league(game, "parts", split="all", games=6, out=path),
        "tree": lambda: gw.solve(game, "chf").tree.save(path),
        "analysis": lambda: gw.open_results(path),
    }
    return {
        "verify": lambda: gw.verify_file(path, sample=2),
        "open": lambda: gw.open_results(path),
        "report": lambda: gw.write_report(path, path.with_suffix(".md")),
        "go on": again[kind],
    }


KINDS = ["ranking", "weighed", "tree", "analysis", "simulation", "pairs", "noise", "league"]
FILETYPES = {name: f"gpu-wordle {'ranking' if name == 'weighed' else name}" for name in KINDS}


def edges(kind: str, path: Path) -> Iterator[Edge]:
    """Yield every edge of every value of a file."""
    filetype = FILETYPES[kind]
    with h5py.File(path) as file:
        sizes = {name: len(file[name]) for name in file if isinstance(file[name], h5py.Dataset)}
        weights = file.get("words/weights")
        sizes["weight"] = sizes["answer"] if weights is None else int(weights[:].sum())
        groups = {"words": form.WORDS, **form.FORMS[filetype]}
        for group, columns in groups.items():
            for name, column in columns.items():
                if f"{group}/{name}" in file:
                    for value, outside in _of_column(column, sizes):
                        yield Edge(kind, f"{group}/{name}", value, outside)
        for name in file.attrs:
            for value, outside in _of_attribute(name, filetype, file.attrs[name]):
                yield Edge(kind, name, value, outside)


def _of_column(column: Column, sizes: dict[str, int]) -> Iterator[tuple[Any, bool]]:
    """Yield values at the edges of a column, and whether each is outside."""
    least, most = column.least, column.most
    if isinstance(most, str):
        most = sizes[most] - (column.units == "index")
    if np.dtype(column.dtype).kind == "U":
        for text in TEXTS:
            is_long_enough = least <= len(text) <= most
            yield text, not (is_long_enough and (not column.form or _fits(column.form, text)))
        return
    ends = [least, most, least - 1, most + 1]
    if np.dtype(column.dtype).kind == "f":
        beyond = [np.nextafter(float(most), np.inf), np.nextafter(float(least), -np.inf)]
        for number in (*FLOATS, *map(float, ends), *beyond):
            is_inside = column.may_be_nan if np.isnan(number) else least <= number <= most
            yield number, not is_inside
        return
    for number in dict.fromkeys([*map(int, ends), *WHOLE]):
        if -(2**63) <= number < 2**63:
            is_code = not column.codes or number in column.codes.values()
            yield number, not (least <= number <= most and is_code)


def _of_attribute(name: str, filetype: str, held: Any) -> Iterator[tuple[Any, bool]]:
    """Yield values at the edges of a root attribute; None to leave it out."""
    needed = {**form.ATTRIBUTES, **form.ATTRIBUTES_OF.get(filetype, {})}
    allowed = {**form.MORE_ATTRIBUTES, **needed}[name]
    yield None, name in needed
    if isinstance(allowed, str):
        for text in TEXTS:
            yield text, not _fits(allowed, text)
        yield 7, True
        return
    for number in dict.fromkeys([*allowed, allowed[0] - 1, allowed[1] + 1, *WHOLE]):
        if -(2**63) <= number < 2**63:
            yield number, not allowed[0] <= number <= allowed[1]
    yield "many", True


def _fits(form_of_text: str, text: str) -> bool:
    return re.fullmatch(form_of_text, text) is not None


def put(file: h5py.File, edge: Edge) -> None:
    """Put the value of an edge in its place; in a dataset in the middle, in a type that fits."""
    name, value = edge.name, edge.value
    if "/" not in name:
        del file.attrs[name]
        if value is not None:
            file.attrs[name] = value
        return
    old = file[name]
    units, description = old.attrs["units"], old.attrs["description"]
    is_text = h5py.check_string_dtype(old.dtype) is not None
    values = np.array(old.asstr()[()].tolist()) if is_text else old[()]
    if is_text:
        values = values.astype(f"U{max(len(value), values.dtype.itemsize // 4)}")
    else:
        values = values.astype(type(value))
    values.flat[values.size // 2] = value
    del file[name]
    if is_text:
        encoded = np.char.encode(values, "utf-8")
        dtype = h5py.string_dtype("utf-8", max(encoded.dtype.itemsize, 1))
        new = file.create_dataset(name, data=encoded.astype(dtype))
    else:
        new = file.create_dataset(name, data=values)
    new.attrs["units"], new.attrs["description"] = units, description


def attempt(edge: Edge, whole: bytes, folder: Path, game: gw.Game) -> Result:
    """Forge a file, and read it in every way."""
    path = folder / f"{edge.kind}-edge.h5"
    path.write_bytes(whole)
    forge(path, lambda file: put(file, edge))
    image = path.read_bytes()
    became, faults = Counter[str](), {}
    for way, read in readings(edge.kind, path, game).items():
        path.write_bytes(image)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                read()
            became["accepted"] += 1
            if edge.is_outside and not (edge.kind == "tree" and way == "go on"):
                faults[way] = "out of range, and accepted"
        except gw.UserError as error:
            became["refused"] += 1
            if "\n" in str(error):
                faults[way] = f"not one line: {error}"
        except Exception as error:
            faults[way] = f"{type(error).__name__}: {error}"
    accepted = became["accepted"] - (edge.kind == "tree")
    return Result(edge, "read by some" if accepted > 0 else "refused by all", faults)


def main() -> int:
    """Parse arguments, try every edge, and report."""
    arguments = common.options(__doc__, kinds=dict.fromkeys(KINDS), share="1/1")
    number, parts = map(int, arguments.share.split("/"))
    facts, started = common.machine(), time.monotonic()
    results = []
    with tempfile.TemporaryDirectory() as name:
        os.chdir(name)
        game = write_files(Path())
        for kind in arguments.kinds:
            whole = Path(f"{kind}.h5").read_bytes()
            for edge in list(edges(kind, Path(f"{kind}.h5")))[number - 1 :: parts]:
                results.append(attempt(edge, whole, Path(), game))
                for way, fault in results[-1].faults.items():
                    print(f"{kind} {edge.name} {edge.value!r}, {way}: {fault}", file=sys.stderr)
        os.chdir("/")
    facts["seconds"] = f"{time.monotonic() - started:,.0f}"
    common.tell(page(results, facts), arguments.out)
    return int(any(result.faults for result in results))


def page(results: list[Result], facts: dict[str, str]) -> str:
    """Return the results as Markdown."""
    rows = []
    for kind in dict.fromkeys(result.edge.kind for result in results):
        mine = [result for result in results if result.edge.kind == kind]
        became = Counter(result.became for result in mine)
        rows.append(
            {
                "file": kind,
                "values at edges": len(mine),
                "out of range": sum(result.edge.is_outside for result in mine),
                **{name: became[name] for name in ("refused by all", "read by some")},
                "findings": sum(bool(result.faults) for result in mine),
            }
        )
    total = sum(bool(result.faults) for result in results)
    return common.page(facts, rows, "", f"{len(results):,} files, {total:,} findings.")


if __name__ == "__main__":
    sys.exit(main())
