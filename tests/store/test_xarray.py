"""Each kind of file opens in xarray with all its dimensions named."""

from __future__ import annotations

import pytest
import xarray

import gpu_wordle as gw
from support import ROOT

WORDS = ["crane", "slate", "trace", "crate", "react"]
GAMES = "guesses,answer\ncrane slate,slate\ntrace,trace\n"


def write_analysis(game, out):
    games = out.with_name("games.csv")
    games.write_text(GAMES, "utf-8")
    gw.analyse(game, games=games, out=out)


WRITERS = {
    "ranking": lambda game, out: gw.rank(game, out=out),
    "simulation": lambda game, out: gw.simulate(game, ["parts"], "slate", out=out),
    "pairs": lambda game, out: gw.pairs(game, out=out),
    "noise": lambda game, out: gw.noise(game, "slate", depth=1, levels=[10], runs=2, out=out),
    "league": lambda game, out: gw.league(game, "parts", split="all", games=3, out=out),
    "analysis": write_analysis,
    "tree": lambda game, out: gw.solve(game).tree.save(out),
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", WRITERS)
def test_xarray_names_every_dimension(tmp_path, kind):
    path = tmp_path / "x.h5"
    WRITERS[kind](gw.load_game(WORDS), path)
    dimensions = named_dimensions(path)
    assert {"guess", "answer"} <= dimensions


@pytest.mark.parametrize("path", sorted((ROOT / "results").glob("*.h5")), ids=lambda p: p.stem)
def test_xarray_names_every_dimension_of_what_is_published(path):
    assert {"guess", "answer"} <= named_dimensions(path)


def named_dimensions(path):
    """The dimensions of all groups, none of which may be without a name."""
    with xarray.open_datatree(path, engine="h5netcdf", phony_dims="access") as tree:
        dimensions = {str(name) for group in tree.subtree for name in group.dims}
        if "level" in dimensions:
            assert tree["noise"].coords["level"].values.tolist() == [100_000]
    assert not [name for name in dimensions if name.startswith("phony_dim")]
    return dimensions
