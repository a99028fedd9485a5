"""Each kind of file opens in xarray with all its dimensions named."""

from __future__ import annotations

import h5py
import pytest
import xarray

import gpu_wordle as gw

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
    "analysis": write_analysis,
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", WRITERS)
def test_xarray_names_every_dimension(tmp_path, kind):
    path = tmp_path / "x.h5"
    WRITERS[kind](gw.load_game(WORDS), path)
    with h5py.File(path) as file:
        groups = ["/", *(name for name, item in file.items() if isinstance(item, h5py.Group))]
    dimensions = set()
    for group in groups:
        with xarray.open_dataset(path, engine="h5netcdf", group=group) as table:
            dimensions |= {str(name) for name in table.dims}
    assert {"guess", "answer"} <= dimensions
    assert not [name for name in dimensions if name.startswith("phony_dim")]
