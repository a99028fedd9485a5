"""Rankings that were made in parts, put together in one file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from gpu_wordle.api import files
from gpu_wordle.api.games import Game, position_of
from gpu_wordle.api.given import takes
from gpu_wordle.api.rankings import Ranking
from gpu_wordle.errors import UserError
from gpu_wordle.game import game as inner
from gpu_wordle.ranking.consistency import check_openers, check_statistics
from gpu_wordle.ranking.merging import merged
from gpu_wordle.ranking.openers import Openers
from gpu_wordle.store import RankingFile, load, read_openers, read_position, read_statistics
from gpu_wordle.store.form import RANKING
from gpu_wordle.store.hdf5 import is_vacant
from gpu_wordle.store.provenance import IDENTITY, check_same, check_same_state
from gpu_wordle.verify import VerificationError

OTHER_RANKING = "merge it with the other parts of its own ranking"
"""What to do about a file of another job."""


class MergeWork:
    """Parts of one ranking, and the file of the whole.

    Args:
        parts: files of rankings of one position.
        out: the file of the whole. If there is one, it is one more part.
        game: needed only where its feedback was given by a matrix.
        fresh: whether to replace the file instead.

    Attributes:
        position: what is ranked.
        openers: what all parts know together.

    Raises UserError for what is no part of the same ranking; JobError where parts contradict each
    other, and if the whole cannot be written.
    """

    def __init__(
        self,
        parts: Sequence[Path],
        out: Path,
        game: inner.Game | None = None,
        *,
        fresh: bool = False,
    ) -> None:
        if not parts:
            raise UserError("no parts to merge; name the files of --shard")
        first = load(parts[0], RANKING)
        game = files.game_of(first, parts[0], game)
        self.position = read_position(parts[0], first, game)
        self._columns = read_statistics(first)
        made_by = (str(first.attributes[name]) for name in ("backend", "device"))
        self._whole = RankingFile(out, self.position, self._columns, *made_by)
        with self._whole.held():
            self._whole.check_replaceable()
            kept = [] if fresh or is_vacant(out) else [out]
            self.openers = merged(game.words.guesses.words, self._read([*kept, *parts]))
            self._whole.save(self.openers)

    def _read(self, parts: Sequence[Path]) -> Iterator[tuple[str, Openers]]:
        """The openers of each part, which is of the same ranking and not damaged."""
        for path in dict.fromkeys(parts):
            part = load(path, RANKING)
            check_same(path, part, self._whole.contents, IDENTITY, OTHER_RANKING)
            check_same_state(path, part, self.position, OTHER_RANKING)
            openers = read_openers(part)
            try:
                check_openers(openers, self.position.game, self.position)
                check_statistics(read_statistics(part), self._columns, self.position.game)
            except VerificationError as error:
                raise UserError(
                    f"{path}: cannot be true, {error}; leave it out, and rank that part again"
                ) from None
            yield str(path), openers


@takes()
def merge(
    parts: Sequence[str | Path],
    out: str | Path,
    game: Game | None = None,
    *,
    fresh: bool = False,
) -> Ranking:
    """Put the parts of a ranking together that were made by shards; see :func:`rank`.

    Args:
        parts: their files.
        out: HDF5 file of the whole. If there is one, what it has counts as one more part.
        game: needed only for a game made by :meth:`Game.from_feedback`.
        fresh: whether to replace the file instead.

    Raises UserError for files of other games, and JobError for parts that contradict each other.
    """
    inner_game = None if game is None else position_of(game).game
    MergeWork([Path(part) for part in parts], Path(out), inner_game, fresh=fresh)
    return files.open_ranking(Path(out), inner_game)
