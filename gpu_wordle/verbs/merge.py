"""The verb ``merge``: join parts of a ranking in one file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, TypedDict

from gpu_wordle.api import files
from gpu_wordle.api.games import GameOfFile, position_of
from gpu_wordle.api.rankings import Ranking
from gpu_wordle.errors import UserError
from gpu_wordle.game import game as inner
from gpu_wordle.options.declared import Option
from gpu_wordle.options.outcome import Outcome, verb_for
from gpu_wordle.options.reading import FILE, FILES
from gpu_wordle.options.shared import OUTPUT, Fresh
from gpu_wordle.ranking.openers import Openers, Status, check_openers, check_statistics, merged
from gpu_wordle.report import keys
from gpu_wordle.report.keys import Key, schema
from gpu_wordle.store import (
    RankingFile,
    check_suffix,
    load,
    read_openers,
    read_position,
    read_statistics,
)
from gpu_wordle.store.form import RANKING
from gpu_wordle.store.hdf5 import is_vacant
from gpu_wordle.store.provenance import IDENTITY, check_same, check_same_state
from gpu_wordle.verify import VerificationError


@schema
class MergedFacts(TypedDict):
    """The merged results of the parts of a ranking."""

    out: keys.Out
    merged_files: Annotated[list[str], Key("files whose rankings were put together")]
    exact_openers: keys.ExactOpeners
    infeasible_openers: keys.InfeasibleOpeners
    bounded_openers: Annotated[int, Key("openers of a ranking whose value is not known yet")]


OTHER_RANKING = "merge it with the other parts of its own ranking"
"""The remedy for a file of another ranking."""


def merge_files(
    parts: Sequence[Path], out: Path, game: inner.Game | None = None, *, fresh: bool = False
) -> tuple[inner.Position, Openers]:
    """Merge parts of one ranking in a file; return its position, and the merged openers.

    An existing file is one more part, unless ``fresh`` replaces it. ``game`` is needed only if its
    feedback was given by a matrix.

    Raises UserError for a file that is no part of the same ranking; JobError if parts contradict
    each other, or if the whole cannot be written.
    """
    if not parts:
        raise UserError("no parts to merge; name the files of --shard")
    first = load(parts[0], RANKING)
    game = files.game_of(first, parts[0], game)
    position = read_position(parts[0], first, game)
    made_by = (str(first.attributes[name]) for name in ("backend", "device"))
    whole = RankingFile(out, position, read_statistics(first), *made_by)
    with whole.held():
        whole.check_replaceable()
        kept = [] if fresh or is_vacant(out) else [out]
        openers = merged(game.words.guesses.words, _read_parts([*kept, *parts], whole, position))
        whole.save(openers)
    return position, openers


def _read_parts(
    parts: Sequence[Path], whole: RankingFile, position: inner.Position
) -> Iterator[tuple[str, Openers]]:
    """Yield the openers of each part. Checks that it is of the same ranking and undamaged."""
    for path in dict.fromkeys(parts):
        part = load(path, RANKING)
        check_same(path, part, whole.contents, IDENTITY, OTHER_RANKING)
        check_same_state(path, part, position, OTHER_RANKING)
        openers = read_openers(part)
        try:
            check_openers(openers, position.game, position)
            check_statistics(read_statistics(part), read_statistics(whole.contents), position.game)
        except VerificationError as error:
            raise UserError(
                f"{path}: cannot be true, {error}; leave it out, and rank that part again"
            ) from None
        yield str(path), openers


@dataclass(frozen=True, eq=False, kw_only=True)
class Merged(Outcome):
    """The file of the merged ranking, and the game that a Python caller has named."""

    out: Path
    game: inner.Game | None

    def ranking(self) -> Ranking:
        """Return the merged ranking."""
        return files.open_ranking(self.out, self.game)


@verb_for(Merged.ranking)
def merge(
    parts: Annotated[
        Sequence[str | Path],
        Option("Rankings of one game, such as those of rank --shard.", FILES, metavar="FILE..."),
    ],
    out: Annotated[
        str | Path,
        Option(
            "HDF5 file of the joined ranking. If it exists, it is one more part.",
            FILE,
            OUTPUT,
            "FILE",
            flag="--out",
        ),
    ],
    game: GameOfFile = None,
    *,
    fresh: Fresh = False,
) -> Merged:
    """Join the parts of a ranking, and check them against each other.

    Parts may overlap, and some may be missing.

    Raises UserError for files of other games, and JobError for parts that contradict each other.

    Examples:
        $ gpu-wordle merge part1.h5 part2.h5 --out openers.h5
        >>> gw.merge(["part1.h5", "part2.h5"], "openers.h5")
    """
    whole, own = Path(out), None if game is None else position_of(game).game
    check_suffix(whole, RANKING)
    paths = [Path(part) for part in parts]
    ranked, openers = merge_files(paths, whole, own, fresh=fresh)
    status = openers.status
    exact, infeasible, bounded = (
        int((status == each).sum()) for each in (Status.EXACT, Status.INFEASIBLE, Status.BOUNDED)
    )
    told = f"{whole}: {exact:,} exact, {infeasible:,} infeasible, {bounded:,} not solved yet"
    return Merged(
        lines=lambda width: [told],
        facts={
            "out": str(whole),
            "merged_files": [str(path) for path in paths],
            "exact_openers": exact,
            "infeasible_openers": infeasible,
            "bounded_openers": bounded,
        },
        asked=ranked,
        out=whole,
        game=own,
    )
