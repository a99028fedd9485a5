"""Positions with exact values as rows, and the Parquet file that keeps them."""

from __future__ import annotations

import importlib.util
import io
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypedDict

import numpy as np

from gpu_wordle.errors import UserError, counted, installing
from gpu_wordle.experiments.guess_values import values_of_best
from gpu_wordle.experiments.positions import (
    MIXTURE,
    Identity,
    Reached,
    Walks,
    best_first,
)
from gpu_wordle.experiments.splits import split_of
from gpu_wordle.files import Holding, check_folder, held, is_vacant, read
from gpu_wordle.game.game import Game
from gpu_wordle.game.values import INFEASIBLE
from gpu_wordle.report import keys
from gpu_wordle.report.document import METADATA, as_arrow, envelope, packed
from gpu_wordle.report.keys import Key, schema
from gpu_wordle.report.table import columns_of
from gpu_wordle.solver import Solver
from gpu_wordle.store.provenance import other_job

if TYPE_CHECKING:
    import pyarrow as pa

SUFFIX, VERB = ".parquet", "positions"

MAX_FILE_BYTES = 1 << 32
"""Largest file that is read."""

TOP = DRAWN = 50
"""Best guesses and random legal guesses whose regrets are exact in each position."""


@schema
class PositionRow(TypedDict):
    """A position with exact values."""

    split: keys.Split
    position: Annotated[str, Key("a name that equal positions share")]
    secret: Annotated[str, Key("the answer that stands for a position, one of those left")]
    player: keys.Player
    turn: keys.Turn
    state: keys.State
    answers_before: keys.AnswersBefore
    answers_of_split: Annotated[int, Key("answers left that are of the split of the position")]
    remaining: keys.Remaining
    total_weight: Annotated[
        int,
        Key(
            "weight of the answers left, their number if all are alike; the denominator of regrets"
        ),
    ]
    value_before: keys.ValueBefore
    optimal_guesses: keys.OptimalGuesses
    top_guesses: Annotated[int, Key("number of best guesses in `valued_guesses`")]
    valued_guesses: Annotated[
        list[str], Key("the best guesses in order, then legal guesses drawn at random")
    ]
    regrets: Annotated[
        list[float | None], Key("regret of each valued guess; null if it is no guaranteed win")
    ]
    groups: Annotated[list[int], Key("groups of answers that each valued guess makes")]
    largest_groups: Annotated[list[int], Key("answers in the largest group of each")]
    squared_sizes: Annotated[list[int], Key("squares of the sizes of the groups of each, summed")]


@schema
class PositionFacts(TypedDict):
    """The origin of a set of positions."""

    seed: keys.Seed
    mixture: Annotated[
        dict[str, Any],
        Key("percent of the games of each player, and the constants of draws and thinning"),
    ]
    weights_sha256: Annotated[str, Key("SHA-256 of the weights of the answers")]
    games_walked: Annotated[int, Key("games whose positions are all in the set")]


IDENTITY = (
    "feedback", "guesses_sha256", "answers_sha256", "rule", "objective", "max_guesses",
    "weights_sha256", "seed", "mixture",
)  # fmt: skip
"""The keys that tell whether a file is of the same job."""


def describe_position(solver: Solver, walks: Walks, reached: Reached) -> dict[str, Any] | None:
    """Return the row of a position; None if no guess has a value."""
    position, game = reached.position, walks.game
    drawn = walks.drawn(reached, DRAWN)
    values = values_of_best(solver, position, TOP, drawn)
    weight = int(game.objective.weights_of(position.state).sum())
    best = best_first(position, np.flatnonzero((values >= 0) & (values < INFEASIBLE)), values)
    if len(best) == 0 or weight == 0:
        return None
    least, top = int(values[best[0]]), best[:TOP]
    guesses, (name, secret, _) = np.concatenate([top, drawn]), Identity.of(position)
    groups, squares = solver.engine.measure(position.state)
    told = game.patterns.values[position.state][:, guesses]
    remaining = [game.words.answers.words[answer] for answer in position.state.tolist()]
    split = split_of(secret)
    return {
        "split": split,
        "position": name,
        "secret": secret,
        "player": reached.player,
        "turn": position.turns_made + 1,
        "state": position.history,
        "answers_before": len(remaining),
        "answers_of_split": sum(split_of(word) == split for word in remaining),
        "remaining": remaining,
        "total_weight": weight,
        "value_before": least / weight,
        "optimal_guesses": game.spell(best[values[best] == least]),
        "top_guesses": len(top),
        "valued_guesses": game.spell(guesses),
        "regrets": [
            None if value >= INFEASIBLE else (value - least) / weight
            for value in values[guesses].tolist()
        ],
        "groups": groups[guesses].tolist(),
        "largest_groups": [int(np.unique(c, return_counts=True)[1].max()) for c in told.T],
        "squared_sizes": squares[guesses].tolist(),
    }


class PositionTable:
    """Positions with exact values, in the order in which games reached them.

    Attributes:
        game: their game.
        seed: seed of the draws.
        walked: number of games whose positions are all in the table.
    """

    def __init__(
        self, game: Game, seed: int, walked: int = 0, kept: pa.Table | None = None
    ) -> None:
        self.game, self.seed, self.walked = game, seed, walked
        self._kept = as_arrow(columns_of([], PositionRow)) if kept is None else kept
        self._rows: list[dict[str, Any]] = []

    def __len__(self) -> int:
        return len(self._kept) + len(self._rows)

    def __str__(self) -> str:
        return counted(len(self), "position")

    def enter(self, row: dict[str, Any], number: int) -> None:
        """Add the row of a position that the game ``number`` has reached."""
        self._rows.append(row)
        self.walked = number

    @property
    def rows(self) -> pa.Table:
        """All rows."""
        import pyarrow as pa

        if self._rows:
            new = as_arrow(columns_of(self._rows))
            self._kept, self._rows = pa.concat_tables([self._kept, new]), []
        return self._kept

    @property
    def said(self) -> dict[str, Any]:
        """What the metadata of the file say: the game, and the origin of the positions."""
        return {
            **envelope(VERB, self.game.start()),
            "seed": self.seed,
            "mixture": MIXTURE,
            "weights_sha256": self.game.objective.weights_sha256,
            "games_walked": self.walked,
        }


class PositionFile:
    """The Parquet file of a table of positions: held while it is made, and resumed from."""

    def __init__(self, path: Path, table: PositionTable) -> None:
        self._path, self._table = path, table
        self._holding: Holding | None = None

    def __str__(self) -> str:
        return str(self._path)

    @contextmanager
    def held(self) -> Iterator[None]:
        """Keep other processes off the file; JobError if one holds it, or it cannot be written."""
        with held(self._path) as self._holding:
            yield

    def check_replaceable(self) -> None:
        """Raise UserError if there is a file that holds no positions."""
        if not is_vacant(self._path):
            self._read()

    def load(self) -> PositionTable | None:
        """Return the positions of an earlier run; None if there is no file.

        Raises UserError if the file is of another game, seed or mixture, or holds no positions.
        """
        if is_vacant(self._path):
            return None
        rows, made = self._read()
        asked = _identity(self._table.said)
        for name in IDENTITY:
            if made[name] != asked[name]:
                raise other_job(self._path, name, made[name], asked[name])
        return PositionTable(self._table.game, self._table.seed, made["games_walked"], rows)

    def save(self, table: PositionTable) -> None:
        """Write the held file, unless the table is empty; JobError if it cannot be written."""
        assert self._holding is not None, "a file is held before it is written"
        if len(table):
            self._holding.replace(packed(table.rows.combine_chunks(), table.said, "zstd"))

    def _read(self) -> tuple[pa.Table, dict[str, Any]]:
        """The rows of the file, and what made them; UserError if it holds no positions."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        schema = as_arrow(columns_of([], PositionRow)).schema
        try:
            rows = pq.read_table(io.BytesIO(read(self._path, MAX_FILE_BYTES)))
            made = _identity(json.loads(rows.schema.metadata[METADATA.encode()]))
            is_ours = rows.schema == schema and made["games_walked"] >= 0
        except (pa.ArrowException, OSError, LookupError, TypeError, ValueError):
            is_ours = False
        if not is_ours:
            raise UserError(f"{self._path}: no positions of gpu-wordle; choose another file")
        return rows.cast(schema), made  # without metadata of its fields, so that bytes are equal


def _identity(said: dict[str, Any]) -> dict[str, Any]:
    """What made a file, from its metadata; LookupError or TypeError if they are of another."""
    told = {**said["game"], **said}
    return {name: told[name] for name in (*IDENTITY, "games_walked")}


def check_position_file(path: Path) -> None:
    """Raise UserError if positions cannot be kept in a file of this name."""
    if path.suffix.lower() != SUFFIX:
        raise UserError(f"{path}: positions are kept as Parquet; give a name that ends in {SUFFIX}")
    if importlib.util.find_spec("pyarrow") is None:
        raise UserError(f"Parquet files need pyarrow; {installing('parquet')}")
    check_folder(path)
