"""The verb ``suggest``: the best next guesses by exact value or by statistics."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Annotated, Any, TypedDict

import numpy as np
from numpy.typing import NDArray
from rich.console import RenderableType

from gpu_wordle.api import pools
from gpu_wordle.api.files import published_openers
from gpu_wordle.api.games import Game, Position, about, position_of
from gpu_wordle.api.jobs import RankingWork
from gpu_wordle.api.session import Machine, Session, open_session
from gpu_wordle.errors import UserError, counted
from gpu_wordle.experiments.pasted import ignored_lines
from gpu_wordle.experiments.suggest import (
    ProgressCallback,
    RootBounds,
    Suggestions,
    bound_above,
    search,
)
from gpu_wordle.game import game as inner
from gpu_wordle.game.objective import Aim
from gpu_wordle.game.values import INFEASIBLE
from gpu_wordle.options.declared import Option
from gpu_wordle.options.outcome import Rows, verb
from gpu_wordle.options.reading import NAMES, whole
from gpu_wordle.options.shared import (
    OUTPUT,
    BackendName,
    Batched,
    DeviceMemory,
    OnProgress,
    Stop,
    TableSize,
    Threads,
    TimeLimit,
)
from gpu_wordle.options.telling import compile_first, seldom
from gpu_wordle.ranking.job import Progress
from gpu_wordle.ranking.solving import replayed
from gpu_wordle.ranking.statistics import ALIASES, BY_KEY, order_by
from gpu_wordle.ranking.stop_token import StopToken
from gpu_wordle.report import keys
from gpu_wordle.report.figures import Figures, figure_columns
from gpu_wordle.report.keys import Bar, Key, schema
from gpu_wordle.report.ranking import TOTAL
from gpu_wordle.report.solved import title_of
from gpu_wordle.report.table import FittedTable, columns_of
from gpu_wordle.solver.ready import make_ready
from gpu_wordle.tunables import SOLVE_TABLE_MIB


@schema
class SuggestedRow(keys.Figures, keys.Statistics):
    """A guess that is suggested."""

    guess: keys.Guess
    exact: keys.Exact
    optimal: keys.Optimal
    candidate: Annotated[bool, Key("whether the guess can be the answer", heading="can be\nanswer")]
    chance: Annotated[
        float | None, Key("probability that it is the answer", decimals=3, bar=Bar.SHARE)
    ]
    infeasible: keys.Infeasible
    lower: keys.Lower
    upper: keys.Upper
    by: Annotated[str, Key("criterion that lists the row")]


@schema
class SuggestedFacts(TypedDict):
    """The answers left."""

    remaining: keys.Remaining
    ignored: keys.Ignored


DEFAULT_TOP = 12
"""Number of guesses that are suggested by default."""

MAX_REMAINING = 60
"""Most remaining answers that are listed; of more, only their number is shown."""

SHOWN_STATISTICS = ("parts", "entropy_bits", "max_part")
"""Statistics that every row has."""

NO_WIN = "no guess is a guaranteed win; --objective fewest-failures finds the best ones"


@verb
def suggest(
    position: Annotated[Position | Game, about(turns=True)],
    by: Annotated[
        str,
        Option(
            f"Criteria of the list, separated by commas: {TOTAL} or any statistics: "
            f"{', '.join(BY_KEY)}.",
            NAMES,
            OUTPUT,
            flag="--by",
        ),
    ] = TOTAL,
    top: Annotated[
        int,
        Option(
            "Number of guesses to suggest, shared evenly among the criteria of --by.",
            whole(1),
            OUTPUT,
            flag="--top",
        ),
    ] = DEFAULT_TOP,
    *,
    time_limit: TimeLimit = None,
    stop: Stop = None,
    backend: BackendName = "auto",
    threads: Threads = None,
    table_size: TableSize = None,
    batched: Batched = None,
    device_memory: DeviceMemory = None,
    progress: OnProgress = None,
) -> Rows:
    """Suggest next guesses: exact expected number of guesses, worst case, parts and information.

    Values count this guess and those after it. All guesses that are equally best are marked. After
    a time limit or Ctrl-C, open values are shown as intervals.

    Examples:
        $ gpu-wordle suggest salet BYBBG
        $ gpu-wordle suggest --by entropy,parts
        >>> gw.suggest(gw.load_game().after("salet BYBBG"), top=3)
    """
    criteria, asked = criteria_of(by), position_of(position)
    compile_first(partial(make_ready, asked.game.rule, statistics=True), progress, stop)
    session = open_session(asked, Machine(backend, threads, table_size, batched, device_memory))
    stop_token, work = StopToken.of_call(time_limit, stop), RankingWork(session)

    def tell(so_far: Suggestions) -> None:
        if progress is not None:
            found, words = so_far.shortlist, asked.game.words.guesses.words
            whole = len(found.legal)
            best = tuple((words[g], int(found.lower[g])) for g in found.best() if found.is_exact[g])
            table = tightening(so_far, work.statistics)
            progress(Progress("suggesting", whole - found.open_count, whole, best, table=table))

    found = _find(work, criteria, top, stop_token, seldom(tell))[1]
    ignored = position.ignored if isinstance(position, Position) else ()

    def lines(width: int) -> Iterator[RenderableType]:
        yield from found._lines(width)
        yield from ignored_lines(ignored)

    return replace(found, lines=lines, facts={**found.facts, "ignored": list(ignored)})


def criteria_of(text: str) -> list[str]:
    """The keys named in a text such as ``total,entropy``; UserError for an unknown one."""
    names = [name.strip().lower().replace("-", "_") for name in text.split(",")]
    keys = list(dict.fromkeys(ALIASES.get(name, name) for name in names))
    for name, key in zip(names, keys, strict=False):
        if key != TOTAL and key not in BY_KEY:
            raise UserError(
                f"no criterion is called {name!r}; choose among {', '.join((TOTAL, *BY_KEY))}"
            )
    return keys


def find(
    session: Session,
    criteria: Sequence[str],
    top: int,
    stop_token: StopToken,
    on_progress: ProgressCallback = lambda found: None,
) -> tuple[Suggestions, Rows]:
    """Find the ``top`` best guesses, shared evenly among the criteria, at least one for each.

    Values come from search, or, at the start of a published game, from its ranking. Under the mean,
    ties are ordered by worst case. After an early end, open values have lower and upper bounds.
    """
    work = RankingWork(session)
    return _find(work, criteria, top, stop_token, lambda so_far: on_progress(so_far.shortlist))


def _find(
    work: RankingWork,
    criteria: Sequence[str],
    top: int,
    stop_token: StopToken,
    on_progress: Callable[[Suggestions], None],
) -> tuple[Suggestions, Rows]:
    """Find the best guesses; ``on_progress`` gets them so far, with an empty list by value."""
    session = work.session
    position, share = session.position, max(1, top // len(criteria))
    legal = position.choices
    lists = {by: [] if by == TOTAL else _by_statistic(work, by, legal, share) for by in criteria}
    wanted = list(dict.fromkeys(guess for guesses in lists.values() for guess in guesses))
    pool = pools.batched_pool(session, int(legal.sum()), SOLVE_TABLE_MIB)
    with pool:
        count = share if TOTAL in criteria else 1
        known = published_openers(session.game) if position.is_start else None
        worst = None
        if session.game.objective.aim in (Aim.MEAN, Aim.MEAN_WORST):
            # a guess that leaves two answers together needs two more, of which one may fail
            worst = 1 + np.minimum(work.statistics["max_part"], 2)
            if len(position.state) == 1:
                worst[session.game.words.guess_of_answer[position.state]] = 1

        def tell(found: RootBounds) -> None:
            on_progress(Suggestions(found, lists, {}))

        found = search(pool, position, count, stop_token, wanted, known, tell, worst)
        shown = list(dict.fromkeys([*wanted, *(found.best() if TOTAL in criteria else [])]))
        bound_above(found, session.evaluator, shown)
        lists = _completed(lists, found)
        asked = [g for g in shown if found.is_exact[g] and g not in found.strategies]
        with stop_token.of(pool.stop):
            for guess, result in pool.solve_guesses(position, asked, tree=True):
                found.settle_strategy(guess, result)
    known_ones = [(g, found.strategies[g]) for g in shown if g in found.strategies]
    suggestions = Suggestions(found, lists, replayed(position, known_ones))
    return suggestions, _outcome_of(suggestions, work.statistics, stop_token)


def _completed(lists: Mapping[str, list[int]], found: RootBounds) -> dict[str, list[int]]:
    """The lists, with the best guesses by value in place of the empty one."""
    return {by: guesses or found.best() for by, guesses in lists.items()}


def _by_statistic(work: RankingWork, by: str, legal: NDArray[np.bool_], count: int) -> list[int]:
    """The first legal guesses by a statistic."""
    statistic = BY_KEY[by]
    if statistic.name not in work.statistics:
        raise UserError(f"--by {by} needs {statistic.needs}")
    order = order_by(statistic, work.statistics, work.candidates)
    return order[legal[order]][:count].tolist()


def _outcome_of(
    suggestions: Suggestions, statistics: Mapping[str, NDArray[Any]], stop_token: StopToken
) -> Rows:
    """The result of the verb; statistics are arrays [G] by name."""
    found, lists = suggestions.shortlist, suggestions.lists
    rows = _rows(suggestions, statistics)
    answers = found.position.game.words.answers.words
    remaining = [answers[a] for a in found.position.state]
    left = f"{counted(len(remaining), 'answer')} left"

    def lines(width: int) -> Iterator[RenderableType]:
        yield _table(found.position, rows, list(lists))
        yield left if len(remaining) > MAX_REMAINING else f"{left}: {' '.join(remaining)}"
        if found.value == INFEASIBLE:
            yield NO_WIN

    return Rows(
        lines=lines,
        facts={"remaining": remaining, "ignored": []},
        columns=columns_of(rows),
        asked=found.position,
        reason=stop_token.reason,
    )


def _rows(suggestions: Suggestions, statistics: Mapping[str, NDArray[Any]]) -> list[dict[str, Any]]:
    """The rows of all lists."""
    lists = suggestions.lists.items()
    return [_row(suggestions, g, by, statistics) for by, guesses in lists for g in guesses]


def _row(
    suggestions: Suggestions, guess: int, by: str, statistics: Mapping[str, NDArray[Any]]
) -> dict[str, Any]:
    """The row of one guess in one list; None for unknown values."""
    found = suggestions.shortlist
    position, words = found.position, found.position.game.words
    figures = Figures.of(position.game, position)
    solved = suggestions.solved.get(guess)
    verdict = solved.verdict if solved else None
    lower, upper = int(found.lower[guess]), int(found.upper[guess])
    is_exact = bool(found.is_exact[guess]) or lower >= INFEASIBLE
    named: dict[str, Any] = dict.fromkeys(figures.names)
    if is_exact and lower < INFEASIBLE:
        named |= figures.named(lower, None if verdict is None else verdict.weight_distribution)
    worst = named.pop("worst", None)
    listed = [key for key in suggestions.lists if key in BY_KEY]
    shown = dict.fromkeys((*SHOWN_STATISTICS, *listed))
    return {
        "guess": words.guesses.words[guess],
        **named,
        "worst": worst if verdict is None else verdict.worst,
        "exact": is_exact,
        "optimal": found.is_optimal(guess),
        "candidate": bool((words.guess_of_answer[position.state] == guess).any()),
        **{key: statistics[BY_KEY[key].name][guess].item() for key in shown},
        "chance": _chance(position, guess),
        "infeasible": is_exact and lower >= INFEASIBLE,
        "lower": _finite(lower),
        "upper": _finite(upper),
        "by": by,
    }


def _table(
    position: inner.Position, rows: Sequence[dict[str, Any]], lists: Sequence[str]
) -> FittedTable:
    """The rows for people; open values as intervals."""
    figures = Figures.of(position.game, position)
    marked = [{**row, "optimal": _mark(row["optimal"])} for row in rows]
    column = {each.name: each for each in columns_of(marked)}
    statistics = [BY_KEY[name] for name in column if name in BY_KEY]
    columns = [
        column["guess"],
        *figure_columns(figures, [figures.cells(row) for row in rows]),
        *(column[name] for name in ("worst",) if name not in figures.names),
        *(column[name] for name in ("optimal", "candidate", "chance")),
        *(replace(column[s.key], decimals=s.decimals, heading=s.heading) for s in statistics),
    ]
    if len(lists) > 1:
        columns.append(column["by"])
    listed = [key for key in lists if key in BY_KEY]
    importance = (
        *("guess", "by", *figures.names[:1], *listed, *figures.names, "worst", "optimal"),
        *("candidate", *SHOWN_STATISTICS, "chance"),
    )
    return FittedTable(columns, importance, title_of(position))


def tightening(so_far: Suggestions, statistics: Mapping[str, NDArray[Any]]) -> FittedTable:
    """The table of the best guesses so far, during the search, with the columns of the result."""
    found = so_far.shortlist
    whole = replace(so_far, lists=_completed(so_far.lists, found))
    table = _table(found.position, _rows(whole, statistics), list(whole.lists))
    left = counted(found.open_count, "guess", "guesses")
    doing = "these are exact" if found.is_exact[found.best()].all() else "these have bounds"
    return replace(table, title=f"{table.title}; {doing}, {left} to rule out")


def describe_bounds(found: RootBounds) -> dict[str, Any]:
    """The best guesses so far as plain values, and the number of open guesses."""
    guesses = found.best()
    rows = [
        {
            "guess": word,
            "exact": bool(found.is_exact[guess]),
            "lower": _finite(int(found.lower[guess])),
            "upper": _finite(int(found.upper[guess])),
        }
        for guess, word in zip(guesses, found.position.game.spell(guesses), strict=True)
    ]
    return {"open": found.open_count, "exact": bool(found.is_exact[guesses].all()), "rows": rows}


def _finite(value: int) -> int | None:
    """A bound; None if there is none."""
    return None if value >= INFEASIBLE else value


def _chance(position: inner.Position, guess: int) -> float | None:
    """Probability that a guess is the answer; None if all remaining answers have weight 0."""
    weights = position.game.objective.weights_of(position.state)
    own = weights[position.game.words.guess_of_answer[position.state] == guess].sum()
    whole = int(weights.sum())
    return float(np.divide(own, whole)) if whole else None


def _mark(is_optimal: bool | None) -> str:
    """The mark of a guess: ``=`` if optimal, ``?`` if not known."""
    return "?" if is_optimal is None else "=" if is_optimal else ""
