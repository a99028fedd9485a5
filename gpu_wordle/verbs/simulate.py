"""The verb ``simulate``: games of strategies over all answers, with exact values of openers."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from rich.console import RenderableType

from gpu_wordle.api import jobs, pools
from gpu_wordle.api.games import Game, played
from gpu_wordle.api.session import Machine
from gpu_wordle.api.simulating import MAX_SOLVED, SimulationWork, Umpire, UmpireName, whole_game
from gpu_wordle.api.simulations import Simulation
from gpu_wordle.errors import JobError, UserError, all_of, counted
from gpu_wordle.experiments.simulate import Simulated
from gpu_wordle.experiments.simulations import HardGame
from gpu_wordle.files import check_folder
from gpu_wordle.game.feedback import NaiveFeedback
from gpu_wordle.game.game import Position
from gpu_wordle.game.spelling import capitals
from gpu_wordle.options.declared import Option
from gpu_wordle.options.outcome import GOES_ON, run_job, verb
from gpu_wordle.options.reading import FOLDER, OPENERS, WORD, is_a, whole
from gpu_wordle.options.shared import (
    OUTPUT,
    PLAY,
    BackendName,
    Fresh,
    LastCandidate,
    OnProgress,
    OrderName,
    Out,
    PoolName,
    Seed,
    Stop,
    Survivors,
    Threads,
    TiesName,
    TimeLimit,
    TopOrAll,
    Workers,
    check_out,
    names_of_strategies,
)
from gpu_wordle.options.telling import compile_first
from gpu_wordle.ranking.job import ignore_progress
from gpu_wordle.ranking.stop_token import StopToken
from gpu_wordle.report.simulations import (
    GAMES_KEY,
    describe_games,
    describe_simulations,
    explained_game,
    game_lines,
    gap_lines,
    simulated_table,
)
from gpu_wordle.solver.ready import make_greedy_ready
from gpu_wordle.store import check_writable, save_tree
from gpu_wordle.store.form import SIMULATION
from gpu_wordle.strategies.named import fixed_openings
from gpu_wordle.strategies.strategy import Choice, Order, Pool, Strategy, Ties

ALL = "all"
"""The value of --opener for every opener, unless the list has that word."""

HARDEST, MAX_TOLD_ROWS = 3, 100
"""Default number of games of each row that are shown in full, and most rows with such games."""
MAX_SHOWN = 6
"""Most rows whose games are printed below the table."""
MAX_TREES = 100
"""Most trees of one job that are written to a folder."""

_log = logging.getLogger("gpu_wordle")


STRATEGIES = is_a("names, or strategies of your own", lambda given: given is not None)


@dataclass(frozen=True, eq=False)
class Shown:
    """The shown part of a simulation: some rows with their longest games, or one explained game.

    Attributes:
        work: the job, which has ended.
        rows: the shown rows, best first.
        hardest: number of longest games of each row, if the caller gave it.
        answer: the answer whose game is explained, if any.
    """

    work: SimulationWork
    rows: Sequence[int]
    hardest: int | None
    answer: int | None

    @cached_property
    def games(self) -> dict[int, list[HardGame]]:
        """The longest games of each row, by playing them again."""
        usual = HARDEST if len(self.rows) <= MAX_TOLD_ROWS else 0
        count = usual if self.hardest is None else self.hardest
        return {} if self.answer is not None else self.work.hardest(self.rows, count)

    @cached_property
    def explained(self) -> list[str]:
        """The game against the answer, a line for each turn."""
        if self.answer is None or not self.rows:
            return []
        return explained_game(self.work.simulated(self.rows[0]), self.answer)

    @cached_property
    def described(self) -> list[dict[str, Any]]:
        """The rows as plain values, with their longest games."""
        described = describe_simulations(self.work.simulations, self.rows)
        for row, values in zip(self.rows, described, strict=True):
            told = self.games.get(row)
            values[GAMES_KEY] = describe_games(self.work.session.game, told) if told else None
        return described

    def lines(self) -> Iterator[RenderableType]:
        """Yield what people read: a table, reasons for missing gaps, and the games of few rows."""
        game, games = self.work.session.game, self.games
        played = counted(game.answer_count, "game")
        yield f"{played} from each opener; greedy rules choose by: {self.work.choice}"
        yield simulated_table(self.described)
        yield from gap_lines(self.described, MAX_SOLVED)
        yield from self.explained
        if len(games) > MAX_SHOWN:
            return
        for values, told in zip(self.described, games.values(), strict=False):
            if told and len(games) > 1:
                yield f"{values['strategy']} from {capitals(values['opener'])}:"
            yield from game_lines(game, told)


@verb
def simulate(
    game: Annotated[Game, played("objective", "weights")],
    strategies: Annotated[
        str | Strategy | Sequence[str | Strategy],
        Option(
            "What to play; gpu-wordle strategies lists them.",
            STRATEGIES,
            metavar="STRATEGY...",
            names=names_of_strategies,
        ),
    ],
    openers: Annotated[
        str | Sequence[str] | None,
        Option(
            "First guess, or several fixed guesses in quotes; may be repeated; or all. Default: "
            "the strategy's own.",
            OPENERS,
            PLAY,
            "WORD...",
            flag="--opener",
        ),
    ] = None,
    *,
    pool: PoolName = Pool.ALL.value,
    survivors: Survivors = 2,
    last_candidate: LastCandidate = False,
    ties: TiesName = Ties.CANDIDATES.value,
    order: OrderName = Order.LISTED.value,
    umpire: UmpireName = Umpire.TRUE.value,
    seed: Seed = 0,
    top: TopOrAll = 0,
    hardest: Annotated[
        int | None,
        Option(
            "Number of longest games of each row to show in full.",
            whole(0),
            OUTPUT,
            default=f"{HARDEST}; none beyond {MAX_TOLD_ROWS} rows",
            only="terminal",
        ),
    ] = None,
    explain: Annotated[
        str | None,
        Option(
            "Show the game against this answer, and the information of each turn as a regular "
            "expression.",
            WORD,
            OUTPUT,
            "ANSWER",
            only="terminal",
        ),
    ] = None,
    out: Out = None,
    fresh: Fresh = False,
    trees: Annotated[
        str | Path | None,
        Option(
            "Folder to write the strategies to as trees, which verify can replay.",
            FOLDER,
            OUTPUT,
        ),
    ] = None,
    progress: OnProgress = None,
    time_limit: TimeLimit = None,
    stop: Stop = None,
    backend: BackendName = "auto",
    threads: Threads = None,
    executor: Workers = None,
) -> Simulation:
    """Play every answer by strategies, and compare the totals with the exact value of the opener.

    Games beyond the guess limit are played to the end and count as lost. Rows are sorted by total,
    best first. With --out, the turn on which each answer is found is saved during the work, and the
    same command resumes from the file. --trees also saves the guesses.

    Your own strategies are identified by their names. Raises UserError for an unknown strategy or
    opener, and for the file of another job. Raises JobError for a strategy that makes an illegal
    guess, and if the file cannot be written.

    Examples:
        $ gpu-wordle simulate entropy parts --opener salet
        >>> gw.simulate(gw.load_game(), "entropy", "salet").best
    """
    file = check_out(out, SIMULATION, fresh=fresh)
    given = strategies if isinstance(strategies, Sequence) else [strategies]
    named = [openers] if isinstance(openers, str) else openers
    specs, first_words = fixed_openings([given] if isinstance(given, str) else given, named)
    compile_first(make_greedy_ready, progress, stop)
    machine = Machine(backend, threads, pools=pools.of_executor(executor))
    session = whole_game(game, Umpire(umpire), machine)
    first = find_openers(session.position, first_words)
    choice = Choice(Pool(pool), survivors, last_candidate, Ties(ties), seed, Order(order))
    answer = None if explain is None else session.game.words.answers.find(explain)
    work = SimulationWork(session, specs, first, choice)
    if answer is not None and len(work.strategies) * len(first) > 1:
        raise UserError("--explain takes one strategy and one opener")
    folder = None if trees is None else TreeFolder(Path(trees), work)
    stop_token = StopToken.of_call(time_limit, stop)
    tell = progress or ignore_progress
    unsaved: JobError | None = run_job(work.run, file, stop_token, tell, fresh=fresh)
    if folder is not None:
        unsaved = all_of(unsaved, folder.unwritten(work))
    rows = work.rows[: top or None]
    shown = Shown(work, rows, hardest, answer)
    return Simulation(
        lines=lambda width: shown.lines(),
        facts={"choice": str(choice)} | ({} if answer is None else {"explained": shown.explained}),
        asked=session.position,
        reason=stop_token.reason,
        kept=GOES_ON if file else "what is shown was played by then",
        unsaved=unsaved,
        remark=f"{work.simulations}, in {file}" if file else "",
        _simulations=work.simulations,
        _rows=rows,
        _tree=work.tree,
        _hardest=lambda: shown.described,
    )


def find_openers(position: Position, named: Sequence[str] | None) -> Sequence[int | None]:
    """The first guesses; None for the strategy's own.

    Raises UserError for a word that is not in the list.
    """
    if not named:
        return [None]
    if any(word.lower() == ALL for word in named) and ALL not in position.game.words.guesses.index:
        return np.flatnonzero(position.choices).tolist()
    return jobs.find_guesses(position, named)


class TreeFolder:
    """A folder for the trees of a job, a file for each strategy and opener.

    Args:
        path: the folder, which is made if its own folder is there.
        work: what is to be played.

    Raises UserError if there are too many trees, or if ``verify`` could not replay them.
    """

    def __init__(self, path: Path, work: SimulationWork) -> None:
        count = len(work.strategies) * len(work.openers)
        if count > MAX_TREES:
            raise UserError(
                f"{count:,} trees; at most {MAX_TREES} are written, so name fewer openers, or "
                "leave --trees out"
            )
        if isinstance(work.session.game.words.feedback, NaiveFeedback):
            raise UserError("verify knows the true umpire only; leave --trees or --umpire out")
        check_folder(path)
        try:
            path.mkdir(exist_ok=True)
        except OSError as error:
            raise JobError(f"{path}: no folder ({error.strerror}); choose another") from None
        self.path = path
        self._written: set[Path] = set()

    def write(self, simulated: Simulated) -> Path | None:
        """Write the tree of a row; None if it never finds some answer, so that it has no end."""
        if simulated.total is None:
            return None
        opener = simulated.game.words.guesses.words[simulated.opener]
        name = re.sub(r"[^\w-]", "-", f"{simulated.strategy}-{opener}")  # names may hold anything
        path = self.path / f"{name}.h5"
        if path in self._written:
            raise UserError(f"{path}: two openers would be written there; name one of them only")
        self._written.add(path)
        check_writable(path)
        save_tree(path, simulated.tree, simulated.start)
        return path

    def unwritten(self, work: SimulationWork) -> JobError | None:
        """Write the tree of each row, and log how many; return the error if that fails."""
        try:
            written = [self.write(work.simulated(row)) for row in work.rows]
        except JobError as error:
            return error
        count = sum(path is not None for path in written)
        _log.info("%s written to %s", counted(count, "tree"), self.path)
        if None in written:
            _log.info("strategies that never find some answer have no tree")
        return None
