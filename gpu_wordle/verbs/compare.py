"""The verb ``compare``: games of several strategies, or statistics against exact totals."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
from rich.console import RenderableType

from gpu_wordle.api import jobs, studies
from gpu_wordle.api.games import Game, played
from gpu_wordle.api.session import Machine, Session
from gpu_wordle.api.simulating import Umpire, UmpireName, strategies_of, whole_game
from gpu_wordle.errors import JobError, UserError, counted, quoted
from gpu_wordle.experiments import compare as experiment
from gpu_wordle.experiments.compare import Pairs
from gpu_wordle.experiments.predict import predict
from gpu_wordle.game.numbers import natural_number
from gpu_wordle.game.spelling import capitals
from gpu_wordle.options.declared import Option
from gpu_wordle.options.outcome import Rows, verb
from gpu_wordle.options.reading import FILES, STRATEGIES, WORD, WORDS, Allowed, whole
from gpu_wordle.options.shared import (
    OUTPUT,
    PLAY,
    BackendName,
    LastCandidate,
    OnProgress,
    OrderName,
    Plot,
    PoolName,
    Seed,
    Stop,
    Survivors,
    Threads,
    TiesName,
    TimeLimit,
    names_of_strategies,
)
from gpu_wordle.options.telling import compile_first, teller
from gpu_wordle.ranking.stop_token import Reason, StopToken
from gpu_wordle.report import compared as report
from gpu_wordle.report.table import columns_of
from gpu_wordle.solver import Stop as Flag
from gpu_wordle.solver.ready import make_greedy_ready
from gpu_wordle.strategies.positions import Positions
from gpu_wordle.strategies.strategy import Choice, Order, Pool, Strategy, Ties

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ALL = "all"
"""The value of --pairs for every first guess with every answer."""
MAX_PAIRS = 10_000_000
COUNT = whole(1, MAX_PAIRS)


def _pairs(given: Any) -> Any:
    is_all = isinstance(given, str) and given.strip().lower() == ALL
    return ALL if is_all else COUNT.read(given)


PAIRS = Allowed(f"{COUNT.said}, or {ALL}", _pairs, lambda text: natural_number(text) or text)


@verb
def compare(
    game: Annotated[Game, played("objective", "weights")],
    strategies: Annotated[
        Sequence[str | Strategy],
        Option(
            "Two or more strategies. Without any, statistics are compared with exact totals.",
            STRATEGIES,
            metavar="STRATEGY...",
            names=names_of_strategies,
        ),
    ] = (),
    *,
    openers: Annotated[
        Sequence[str],
        Option(
            "First guess of the games; may be repeated. Default: any.",
            WORDS,
            PLAY,
            "WORD...",
            flag="--opener",
        ),
    ] = (),
    target: Annotated[str | None, Option("Answer of the games. Default: any.", WORD, PLAY)] = None,
    pairs: Annotated[
        int | str,
        Option(
            "Number of random pairs of first guess and answer, drawn by --seed; all: every pair.",
            PAIRS,
            PLAY,
            "NUMBER|all",
        ),
    ] = 5000,
    simulations: Annotated[
        Sequence[str | Path],
        Option(
            "HDF5 or CSV file of simulate, whose totals are compared with the exact ones; may be "
            "repeated.",
            FILES,
            OUTPUT,
        ),
    ] = (),
    pool: PoolName = Pool.ALL.value,
    survivors: Survivors = 2,
    last_candidate: LastCandidate = False,
    ties: TiesName = Ties.CANDIDATES.value,
    order: OrderName = Order.LISTED.value,
    umpire: UmpireName = Umpire.TRUE.value,
    seed: Seed = 0,
    plot: Plot = None,
    time_limit: TimeLimit = None,
    stop: Stop = None,
    backend: BackendName = "auto",
    threads: Threads = None,
    progress: OnProgress = None,
) -> Rows:
    """Compare the games of strategies; without any, compare statistics with exact totals.

    Two games are the same if all their guesses are. Ctrl-C and --time-limit end the games early;
    the games played by then are compared.

    Examples:
        $ gpu-wordle compare entropy parts --pairs 1000
        $ gpu-wordle compare
    """
    if strategies and simulations:
        raise UserError("--simulations goes with statistics; leave the strategies out")
    if not strategies and time_limit is not None:
        raise UserError("--time-limit goes with strategies; statistics take a moment")
    if strategies:
        compile_first(make_greedy_ready, progress, stop)
    session = whole_game(game, Umpire(umpire), Machine(backend, threads))
    if not strategies:
        return _predictions(session, [Path(each) for each in simulations])
    choice = Choice(Pool(pool), survivors, last_candidate, Ties(ties), seed, Order(order))
    players = [player for _, player in strategies_of(strategies, session.game, choice)]
    if len(players) < max(2, len(strategies)):
        named = " ".join(map(str, strategies))
        raise UserError(f"{quoted(named)}: name two strategies or more, each once")
    chosen = _drawn(session, openers, target, pairs, seed)
    stop_token = StopToken.of_call(time_limit, stop)
    return _games(session, players, chosen, stop_token, progress)


def _drawn(
    session: Session, openers: Sequence[str], target: str | None, pairs: int | str, seed: int
) -> Pairs:
    """The pairs to play: random ones, all, or the given first guesses with the given answer."""
    position, game = session.position, session.game
    if openers:
        first = np.array(jobs.find_guesses(position, openers), np.int32)
    else:
        first = np.flatnonzero(position.choices).astype(np.int32)
    if target is not None:
        return Pairs(np.sort(first), np.full(len(first), game.words.answers.find(target)))
    if isinstance(pairs, str):
        return experiment.all_pairs(game, first)
    return experiment.random_pairs(game, first, pairs, seed)


def _games(
    session: Session,
    players: Sequence[Strategy],
    chosen: Pairs,
    stop_token: StopToken,
    progress: OnProgress,
) -> Rows:
    """Play the pairs with each strategy and compare the games."""
    start, whole, flag = Positions.of(session.position, session.evaluator), len(chosen), Flag()
    tell = teller(progress, "playing")
    with stop_token.of(flag):
        seen = experiment.compare(players, start, chosen, lambda done: tell(done, whole), flag)
    if seen.games == 0 and stop_token.reason is Reason.TIME_LIMIT:
        raise JobError("out of time before pairs were played; give a longer --time-limit")
    made = {p.name: experiment.line(p, start, chosen) for p in players} if whole == 1 else None

    facts, rows = report.describe_compared(seen, made), report.compared_rows(seen)
    if seen.games == 0:  # all other figures would be undefined
        facts, rows = dict.fromkeys(facts) | {"pairs": 0}, []

    def lines(width: int) -> Iterator[RenderableType]:
        if seen.games == 0:
            return
        yield f"{counted(seen.games, 'pair')} of first guess and answer"
        yield from report.compared_lines(seen)
        for name, words in (made or {}).items():
            yield f"{name}: {capitals(' '.join(words))}"
        yield report.compared_table(seen)

    def figure() -> Figure:
        from gpu_wordle.report.compared import draw_compared

        return draw_compared(seen)

    return Rows(
        lines=lines,
        facts=facts,
        columns=columns_of(rows, report.ComparedRow),
        asked=session.position,
        reason=stop_token.reason,
        kept=f"{seen.games:,} of {whole:,} pairs are played",
        figure=figure if seen.games else None,
    )


def _predictions(session: Session, simulations: Sequence[Path]) -> Rows:
    """Rank all openers by each statistic, and compare the rankings with the exact totals."""
    words = session.game.words
    totals, is_known = studies.exact_totals(session.game)
    predictors = studies.predictors(session, simulations)
    found = predict(predictors, totals, is_known, words.answer_of_guess >= 0)
    spelled, known, least = words.guesses.words, int(is_known.sum()), totals[is_known].min()
    best = [spelled[g] for g in np.flatnonzero(is_known & (totals == least))]

    def lines(width: int) -> Iterator[RenderableType]:
        openers = f"{counted(known, 'opener')} by their exact totals"
        yield f"{openers}; the least is {least:,}, of {capitals(' '.join(best))}"
        yield report.prediction_table(found, spelled)

    def figure() -> Figure:
        from gpu_wordle.report.compared import draw_predictions

        return draw_predictions(found, totals, is_known)

    return Rows(
        lines=lines,
        facts={"exact_openers": known, "best": best},
        columns=columns_of(report.prediction_rows(found, spelled), report.PredictionRow),
        asked=session.position,
        figure=figure,
    )
