"""The job of making a data set of positions with exact values."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from gpu_wordle.api import pools
from gpu_wordle.api.session import Session
from gpu_wordle.errors import JobError, counted
from gpu_wordle.experiments.positions import Identity, Reached, Walks
from gpu_wordle.experiments.values import Values
from gpu_wordle.ranking.job import Job, Progress, ProgressCallback
from gpu_wordle.ranking.stop_token import StopToken
from gpu_wordle.report.positions import PositionFile, PositionTable, describe_position
from gpu_wordle.solver import Solver, SolverPool
from gpu_wordle.tunables import PROVE_TABLE_MIB

GAMES_AT_ONCE = 256
"""Most games whose positions are valued together."""

MAX_BARREN = 5_000
"""Games in a row without a new position after which the players have reached all there are."""


class PositionsWork:
    """A data set of positions and its job.

    Args:
        session: the start of a game. Raises UserError if its objective has no regrets.
        count: number of positions.
        seed: seed of all draws.

    Attributes:
        table: the positions; none before :meth:`run`.
    """

    def __init__(self, session: Session, count: int, seed: int) -> None:
        Values(session.game)  # refuses objectives without regrets
        self.session, self.count = session, count
        self.table = PositionTable(session.game, seed)

    def run(
        self, out: Path, stop_token: StopToken, on_progress: ProgressCallback, *, fresh: bool
    ) -> None:
        """Run the job: resume from the file, walk and value, and save.

        Raises JobError if the players reach fewer positions.
        """
        job = Job(self.table, PositionFile(out, self.table), stop_token, on_progress)
        with job.held(fresh=fresh):
            self.table = job.table
            if len(self.table) < self.count and not stop_token.is_due():
                session = self.session
                tasks = self.count - len(self.table)
                with pools.solver_pool(
                    session.game, session.machine, tasks, PROVE_TABLE_MIB
                ) as pool:
                    job.run(self._units(pool), pool.stop)

    def _units(self, pool: SolverPool) -> Iterator[Progress]:
        """Walk some games, value their new positions, and enter these in the order of the games."""
        table, game = self.table, self.session.game
        groups, _ = pool.submit(
            lambda solver, root: solver.engine.measure(root), game.root()
        ).result()
        walks = Walks(game, table.seed, groups)
        known, number = set(table.rows["position"].to_pylist()), table.walked
        while len(table) < self.count and not pool.stop.is_set():
            yield self._progress()
            games = range(number, number + min(GAMES_AT_ONCE, self.count - len(table)))
            reached = dict(pool.map(walks.walk, games))
            if pool.stop.is_set():
                return
            new: dict[str, Reached] = {}
            for each in (each for number in games for each in reached[number]):
                name, _, is_kept = Identity.of(each.position)
                if is_kept and name not in known:
                    new.setdefault(name, each)
            known.update(new)
            yield from self._valued(pool, walks, list(new.values()))
            number = games.stop
            if number - table.walked > MAX_BARREN:
                raise JobError(_exhausted(len(table)))

    def _valued(self, pool: SolverPool, walks: Walks, todo: list[Reached]) -> Iterator[Progress]:
        """Value positions on all threads, and enter them in order as far as they are wanted."""

        def value(solver: Solver, place: int) -> dict[str, Any] | None:
            return describe_position(solver, walks, todo[place])

        found: dict[int, dict[str, Any] | None] = {}
        entered = 0
        for place, row in pool.map(value, range(len(todo))):
            if pool.stop.is_set():
                return  # after a stop, values may be only bounds
            found[place] = row
            while entered in found and len(self.table) < self.count:
                ready = found.pop(entered)
                if ready is not None:
                    self.table.enter(ready, todo[entered].number)
                entered += 1
            yield self._progress()
            if len(self.table) == self.count:
                return

    def _progress(self) -> Progress:
        return Progress("valuing positions", len(self.table), self.count)


def _exhausted(found: int) -> str:
    """What to say where the players reach no further position."""
    if not found:
        return (
            "the players reach no position with two answers left and a guess that is a guaranteed "
            "win; choose longer lists, or --max-guesses 0"
        )
    return (
        f"the players reach only {counted(found, 'position')} of this game; ask for a --count of "
        f"{found:,}"
    )
