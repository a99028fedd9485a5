"""The verb ``merge``: join parts of a ranking, or simulations, in one file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any, TypedDict

from gpu_wordle.api import files
from gpu_wordle.api.games import Game, GameOfFile, position_of
from gpu_wordle.api.rankings import Ranking
from gpu_wordle.api.simulations import Simulation
from gpu_wordle.errors import UserError, counted
from gpu_wordle.experiments import simulations
from gpu_wordle.experiments.simulations import Simulations
from gpu_wordle.files import held, is_vacant
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
    describe,
    load,
    read_openers,
    read_position,
    read_simulations,
    read_statistics,
)
from gpu_wordle.store.contents import datasets_of
from gpu_wordle.store.form import GAMES, RANKING, SIMULATION
from gpu_wordle.store.hdf5 import check_replaceable, put
from gpu_wordle.store.kinds import CHOICES
from gpu_wordle.store.provenance import IDENTITY, check_same, check_same_state, told
from gpu_wordle.verify import VerificationError


@schema
class MergedFacts(TypedDict, total=False):
    """The merged results of the parts of a ranking, or of simulations."""

    out: keys.Out
    merged_files: Annotated[list[str], Key("files whose results were put together")]
    strategies: Annotated[list[str], Key("names of the strategies that were played")]
    merged_rows: Annotated[int, Key("rows of merged simulations: a strategy and an opener each")]
    exact_openers: keys.ExactOpeners
    infeasible_openers: keys.InfeasibleOpeners
    bounded_openers: Annotated[int, Key("openers of a ranking whose value is not known yet")]


Joined = tuple[str, dict[str, Any], inner.Position]
"""A line on what was joined, its facts, and its position."""

OTHER_RANKING = "merge it with the other parts of its own ranking"
"""The remedy for a file of another ranking."""


def _joined_rankings(
    paths: Sequence[Path], out: Path, game: inner.Game | None, fresh: bool
) -> Joined:
    """Merge parts of one ranking in a file.

    An existing file is one more part, unless ``fresh`` replaces it. ``game`` is needed only if its
    feedback was given by a matrix.

    Raises UserError for a file that is no part of the same ranking; JobError if parts contradict
    each other, or if the whole cannot be written.
    """
    first = load(paths[0], RANKING)
    game = files.game_of(first, paths[0], game)
    position = read_position(paths[0], first, game)
    made_by = (str(first.attributes[name]) for name in ("backend", "device"))
    whole = RankingFile(out, position, read_statistics(first), *made_by)
    with whole.held():
        whole.check_replaceable()
        kept = [] if fresh or is_vacant(out) else [out]
        openers = merged(game.words.guesses.words, _read_parts([*kept, *paths], whole, position))
        whole.save(openers)
    exact, infeasible, bounded = (
        int((openers.status == each).sum())
        for each in (Status.EXACT, Status.INFEASIBLE, Status.BOUNDED)
    )
    line = f"{out}: {exact:,} exact, {infeasible:,} infeasible, {bounded:,} not solved yet"
    facts = {
        "exact_openers": exact,
        "infeasible_openers": infeasible,
        "bounded_openers": bounded,
    }
    return line, facts, position


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


OTHER_GAMES = "merge it with simulations of its own game and ties"
"""The remedy for a file of other simulations."""


def _joined_simulations(
    paths: Sequence[Path], out: Path, game: inner.Game | None, fresh: bool
) -> Joined:
    """Merge simulations of one game in a file that keeps the sums of the games.

    Raises UserError for a file of another game or of other choices among guesses, and for files
    that contradict each other; JobError if the whole cannot be written.
    """
    with held(out) as holding:
        check_replaceable(out, SIMULATION)
        parts = [*([] if fresh or is_vacant(out) else [out]), *paths]
        first = load(paths[0], SIMULATION)
        own = files.game_of(first, paths[0], game)
        made_by = (str(first.attributes[name]) for name in ("backend", "device"))
        contents = describe(own, SIMULATION, *made_by)
        contents.attributes |= {name: told(first, name) for name in CHOICES}
        tables: dict[str, Simulations] = {}
        for path in dict.fromkeys(parts):
            part = load(path, SIMULATION)
            check_same(path, part, contents, (*IDENTITY, *CHOICES), OTHER_GAMES)
            tables[str(path)] = read_simulations(path, part, own)
        whole = simulations.merged(tables)
        contents.datasets |= datasets_of("games", GAMES, whole)
        put(holding, contents)
    rows, strategies = counted(len(whole), "row"), len(whole.strategies)
    line = f"{out}: {rows} of {counted(strategies, 'strategy', 'strategies')}"
    facts = {"strategies": list(whole.strategies), "merged_rows": len(whole)}
    return line, facts, whole.game.start()


def _opened(outcome: Outcome) -> Ranking | Simulation:
    """The merged results, which Python callers get."""
    assert outcome.asked is not None, "merged results are of a game"
    return files.open_results(outcome.facts["out"], Game(outcome.asked.game))


@verb_for(_opened)
def merge(
    parts: Annotated[
        Sequence[str | Path],
        Option(
            "Rankings of one game, such as those of rank --shard; or simulations of one game.",
            FILES,
        ),
    ],
    out: Annotated[
        str | Path,
        Option(
            "HDF5 file of the joined results. If it exists, it is one more part.",
            FILE,
            OUTPUT,
            flag="--out",
        ),
    ],
    game: GameOfFile = None,
    *,
    fresh: Fresh = False,
) -> Outcome:
    """Join the parts of a ranking, or simulations, and check them against each other.

    Parts may overlap, and some may be missing. Of simulations the number of answers found on each
    turn is kept, and not each game. So the file of all strategies from all openers stays small.

    Raises UserError for files of other games, and JobError for parts that contradict each other.

    Examples:
        $ gpu-wordle merge part1.h5 part2.h5 --out openers.h5
        $ gpu-wordle merge entropy.h5 parts.h5 --out strategies.h5
        >>> gw.merge(["part1.h5", "part2.h5"], "openers.h5")
    """
    whole, own = Path(out), None if game is None else position_of(game).game
    paths = [Path(part) for part in parts]
    if not paths:
        raise UserError("no parts to merge; name the files of --shard, or of simulate --out")
    check_suffix(whole, RANKING)
    is_simulated = load(paths[0]).attributes["filetype"] == SIMULATION
    join = _joined_simulations if is_simulated else _joined_rankings
    line, facts, asked = join(paths, whole, own, fresh)
    return Outcome(
        lines=lambda width: [line],
        facts={"out": str(whole), "merged_files": [str(path) for path in paths], **facts},
        asked=asked,
    )
