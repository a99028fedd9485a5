"""The verb ``solve``: exact values of guesses, each with a strategy that attains it."""

from __future__ import annotations

import logging
import operator
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Annotated, Any, NoReturn

from rich.console import RenderableType

from gpu_wordle.api import jobs
from gpu_wordle.api.games import Here, Position, position_of
from gpu_wordle.api.session import Machine, open_session
from gpu_wordle.api.trees import Tree
from gpu_wordle.errors import JobError, UserError, quoted
from gpu_wordle.game import game as inner
from gpu_wordle.game.spelling import capitals
from gpu_wordle.options.declared import Option
from gpu_wordle.options.outcome import Outcome, verb
from gpu_wordle.options.reading import ONE_OR_MORE, TRUTH
from gpu_wordle.options.shared import (
    AIM,
    BackendName,
    Batched,
    Budget,
    CertificateFile,
    DeviceMemory,
    OnProgress,
    Stop,
    TableSize,
    Threads,
    TimeLimit,
    TreeFile,
)
from gpu_wordle.options.telling import compile_first, teller
from gpu_wordle.ranking.solving import GuessOrBest, SolveReport, unknown
from gpu_wordle.ranking.stop_token import StopToken
from gpu_wordle.report.keys import Number
from gpu_wordle.report.solved import describe, solved_table
from gpu_wordle.report.table import Column, FittedTable, columns_of
from gpu_wordle.solver.ready import make_ready
from gpu_wordle.states.tree import show as spelled
from gpu_wordle.store import save_tree

MAX_LISTED = 60
"""Most answers of a position whose strategy is printed below its value."""

_log = logging.getLogger("gpu_wordle")


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Result(Outcome):
    """The result for a guess, or for the best one: an interval, and a strategy if one is known.

    An independent checker has replayed every strategy against all answers. A figure that is
    unknown raises UserError: the search ended early, or there is no strategy.

    If several guesses were solved separately, ``len`` counts them and ``result[0]`` is the result
    of the first. The figures are for results of one guess.
    """

    _every: Sequence[SolveReport]
    _found: Sequence[SolveReport]
    _fixed: Sequence[int] = ()

    @property
    def position(self) -> Position:
        """The position that was solved."""
        return Position(self._every[0].position)

    @property
    def rows(self) -> list[dict[str, Any]]:
        """The results of each guess as plain values; None for unknown ones."""
        return [_row_of(each, self._fixed) for each in self._every]

    @property
    def is_exact(self) -> bool:
        """Whether the value is proven, or it is proven that there is no strategy."""
        return self._solved.result.is_exact

    @property
    def is_infeasible(self) -> bool:
        """Whether it is proven that some answer cannot be found in time."""
        return self._solved.result.is_infeasible

    @property
    def lower(self) -> int | None:
        """Proven lower bound of the value; None if there is no strategy."""
        return self._described["lower"]

    @property
    def upper(self) -> int | None:
        """Value of the best known strategy; None if none is known."""
        return self._described["upper"]

    @property
    def best(self) -> str:
        """The first guess of the strategy, which is the given guess or else the best one."""
        return self._known("opener", "guess")

    @property
    def mean(self) -> float:
        """Mean number of guesses, weighted by the answer weights."""
        return self._known("mean")

    @property
    def total(self) -> Number:
        """Sum of the guesses over all answers, weighted by the answer weights."""
        return self._known("total")

    @property
    def worst(self) -> int:
        """Most guesses of the strategy for any answer, counted from the position.

        All answers that it finds count, including those of weight zero.
        """
        return self._known("worst")

    @property
    def distribution(self) -> tuple[int, ...]:
        """Number of answers found on turn 1, 2, ..., counted from the position."""
        return tuple(self._known("distribution"))

    @property
    def solvable(self) -> Number:
        """Most answers that can be found in time; all of them, unless infeasible."""
        return self._known("solvable")

    @property
    def has_tree(self) -> bool:
        """Whether a strategy is known."""
        return self._solved.result.tree is not None

    @cached_property
    def tree(self) -> Tree:
        """The strategy; UserError if none is known."""
        tree = self._solved.result.tree
        if tree is None:
            self._unknown("tree")
        return Tree._of(tree, self._solved.position)

    def to_dict(self) -> dict[str, Any]:
        """All results as plain values; None for unknown ones."""
        return dict(self._described)

    def __len__(self) -> int:
        """Number of guesses that were solved separately."""
        return len(self._every)

    def __getitem__(self, place: int) -> Result:
        one = [self._every[operator.index(place)]]
        return replace(self, _every=one, _found=one)

    def __repr__(self) -> str:
        if len(self) > 1:
            return f"Result({len(self):,} guesses)"
        described = self._described
        guess = described["opener"] or "?"
        if self.is_infeasible:
            return f"Result({guess}, infeasible)"
        if not self.is_exact:
            upper = "?" if self.upper is None else self.upper
            return f"Result({guess}, value in [{self.lower}, {upper}])"
        known = (f"{name}={described[name]}" for name in ("mean", "worst") if described[name])
        return f"Result({guess}, {', '.join(known)})"

    @cached_property
    def _table(self) -> Sequence[Column]:
        return columns_of(self.rows)

    @property
    def _told(self) -> Sequence[Column]:
        """The guesses that were solved; after an early end some are missing."""
        found = [_row_of(each, self._fixed) for each in self._found]
        return columns_of(found, self.rows[0])

    def _lines(self, width: int) -> Iterator[RenderableType]:
        """A table, and for one guess on few answers its strategy."""
        position = self._every[0].position
        yield _for_people(position, self._found, self._fixed)
        tree = self._found[0].result.tree if len(self._found) == 1 else None
        if tree is not None and len(position.state) <= MAX_LISTED:
            yield spelled(tree, position.game.words, depth=6)

    def _brief(self, width: int) -> Iterator[RenderableType]:
        yield _for_people(self._every[0].position, self._every, self._fixed)
        if len(self) == 1 and self.has_tree:
            yield self.tree

    @property
    def _solved(self) -> SolveReport:
        """The report of the only guess; UserError if there are several."""
        if len(self) > 1:
            raise UserError(f"{len(self):,} guesses were solved; choose one, as in result[0]")
        return self._every[0]

    @cached_property
    def _described(self) -> dict[str, Any]:
        return _row_of(self._solved, self._fixed)

    def _known(self, key: str, name: str = "") -> Any:
        value = self._described.get(key)
        if value is None:
            self._unknown(name or key)
        return value

    def _unknown(self, name: str) -> NoReturn:
        guess = capitals(self._described["opener"] or "the best guess")
        if self.is_infeasible:
            limit = self._solved.position.game.objective.max_guesses
            why = f"after {guess} no strategy finds every answer within {limit} guesses"
        elif not self.is_exact:
            why = f"the search for {guess} ended early; lower and upper are its proven bounds"
        else:
            why = "it is not defined for this objective"
        raise UserError(f"no {name}: {why}; check is_infeasible, is_exact and has_tree first")


@verb
def solve(
    position: Here,
    guess: Annotated[
        str | Sequence[str] | None,
        Option("First guesses; with --state, next guesses.", ONE_OR_MORE, metavar="GUESS..."),
    ] = None,
    *,
    fixed: Annotated[
        bool | None,
        Option(
            "Make these guesses in order, whatever the feedback, then play optimally.",
            TRUTH,
            AIM,
            terminal=False,
        ),
    ] = None,
    tree: TreeFile = None,
    certificate: CertificateFile = None,
    budget: Budget = None,
    time_limit: TimeLimit = None,
    stop: Stop = None,
    backend: BackendName = "auto",
    threads: Threads = None,
    table_size: TableSize = None,
    batched: Batched = None,
    device_memory: DeviceMemory = None,
    progress: OnProgress = None,
) -> Result:
    """Solve guesses exactly; without a guess, find the best next one.

    Every value is proven by search. An independent checker replays every strategy against all
    answers before it is shown. For a guess that is not a guaranteed win, the most answers that it
    can solve are shown. An early end leaves proven bounds.

    Raises UserError for a guess that is unknown or illegal, and if no guesses are left. In Python,
    several guesses are fixed; ``fixed=False`` solves each of them separately.

    Examples:
        $ gpu-wordle solve salet --tree salet.txt
        $ gpu-wordle solve --state "salet BYBBG"
        >>> gw.solve(gw.load_game(), "salet").mean
    """
    asked = position_of(position)
    words = [guess] if isinstance(guess, str) else list(guess or ())
    is_fixed = fixed or (fixed is None and not isinstance(guess, str | None))
    _check(asked, words, tree, certificate, is_fixed=is_fixed, is_each=fixed is False)
    compile_first(partial(make_ready, asked.game.rule), progress, stop)
    session = open_session(asked, Machine(backend, threads, table_size, batched, device_memory))
    stop_token, tell = StopToken.of_call(time_limit, stop), teller(progress, "solving")
    guesses: list[int] = []
    if is_fixed:
        from gpu_wordle.api.pairs import solve_fixed  # it loads the studies of pairs

        guesses = [asked.game.words.guesses.find(word) for word in words]
        solved = every = [solve_fixed(session, guesses, stop_token, budget, tell)]
    else:
        tasks: list[GuessOrBest] = [*jobs.find_guesses(asked, words)] or [None]
        solved = jobs.solve(session, tasks, stop_token, budget, tell)
        known = {each.guess: each for each in solved}
        every = [known.get(task) or unknown(asked, task) for task in tasks]
    kept, unsaved = "", None
    try:
        if tree is not None and solved and solved[0].result.tree is not None:
            save_tree(Path(tree), solved[0].result.tree, asked)
            _log.info("strategy written to %s", tree)
        if certificate is not None:
            from gpu_wordle.api.certifying import certify_opener

            kept = certify_opener(session, every[0], Path(certificate), stop_token, progress)
    except JobError as error:
        unsaved = error
    return Result(
        facts=_row_of(solved[0], guesses) if is_fixed else {},
        asked=asked,
        reason=stop_token.reason,
        kept=kept or Outcome.kept,
        unsaved=unsaved,
        _every=every,
        _found=solved,
        _fixed=guesses,
    )


def _check(
    position: inner.Position,
    words: Sequence[str],
    tree: object,
    certificate: object,
    *,
    is_fixed: bool,
    is_each: bool,
) -> None:
    """Raise UserError for options that contradict each other or ask for nothing."""
    if is_fixed and len(words) < 2:
        alone = f", or give {quoted(words[0])} alone" if words else ""
        raise UserError(f"fixed guesses are made one after the other; name two or more{alone}")
    if is_each and not words and position.is_start:
        raise UserError("name an opener, or a --state; to find the best opener, use prove")
    if tree is not None and len(words) > 1 and not is_fixed:
        raise UserError("a tree holds one strategy; name one opener")
    if certificate is not None:
        if len(words) != 1:
            raise UserError("a certificate is for one opener; name one, or use prove")
        from gpu_wordle.certify.making import check_certifiable

        check_certifiable(position)


def _row_of(solved: SolveReport, fixed: Sequence[int]) -> dict[str, Any]:
    """The results of a guess, or of fixed guesses, as plain values."""
    if not fixed:
        return describe(solved)
    words = solved.position.game.spell(fixed)
    return {"fixed": words, **describe(solved), "opener": words[0]}


def _for_people(
    position: inner.Position, solved: Sequence[SolveReport], fixed: Sequence[int]
) -> FittedTable:
    """The rows for people; fixed guesses replace the opener."""
    rows = [_row_of(each, fixed) for each in solved]
    shown = [{**row, "opener": " ".join(row["fixed"])} if fixed else row for row in rows]
    return solved_table(position, shown)
