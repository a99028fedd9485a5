"""The verb ``learn``: the learning curve of tabular Q-learning."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, TypedDict

from gpu_wordle.api.games import Game, played
from gpu_wordle.api.session import Machine
from gpu_wordle.api.simulating import Umpire, whole_game
from gpu_wordle.options.declared import Option
from gpu_wordle.options.outcome import Rows, verb
from gpu_wordle.options.reading import NUMBER, whole
from gpu_wordle.options.shared import (
    OUTPUT,
    BackendName,
    OnProgress,
    Plot,
    Seed,
    Stop,
    Threads,
    TimeLimit,
)
from gpu_wordle.options.telling import teller
from gpu_wordle.ranking.stop_token import StopToken
from gpu_wordle.report.keys import Key, schema
from gpu_wordle.report.pictures import COLOUR, MARK, in_percent, panel
from gpu_wordle.report.table import Column, FittedTable
from gpu_wordle.solver import Stop as Flag
from gpu_wordle.strategies.positions import Positions
from gpu_wordle.strategies.q_learning import CurvePoint, Learning, learning_curve

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@schema
class CurveRow(TypedDict):
    """A point of the learning curve."""

    episodes: Annotated[int, Key("games learned from so far")]
    won_learning: Annotated[
        float, Key("share of games won since the previous row, while learning", decimals=4)
    ]
    found_in_time: Annotated[int, Key("answers that the table's best guesses find in time")]
    states_visited: Annotated[int, Key("states in which a guess was tried")]
    pairs_tried: Annotated[int, Key("pairs of state and guess that were tried")]


LEARNING = "Learning"
"""The panel of the help for the constants of learning."""


def _constant(help: str) -> Option:
    return Option(help, NUMBER, LEARNING, "DECIMAL")


@verb
def learn(
    game: Annotated[Game, played("objective", "weights")],
    *,
    episodes: Annotated[
        int, Option("Games to learn from.", whole(1), LEARNING)
    ] = Learning.episodes,
    rate: Annotated[
        float, _constant("Learning rate: how far a turn moves a value.")
    ] = Learning.rate,
    discount: Annotated[
        float, _constant("Discount: the worth of a win one turn later.")
    ] = Learning.discount,
    exploration: Annotated[
        float, _constant("Share of random guesses at the start; it falls to 0.")
    ] = Learning.exploration,
    initial: Annotated[
        float, _constant("Initial value of a guess that was never tried.")
    ] = Learning.initial,
    seed: Seed = 0,
    points: Annotated[int, Option("Rows of the learning curve.", whole(1), OUTPUT)] = 20,
    plot: Plot = None,
    time_limit: TimeLimit = None,
    stop: Stop = None,
    backend: BackendName = "auto",
    threads: Threads = None,
    progress: OnProgress = None,
) -> Rows:
    """Learn to play by Q-learning over the last turn, and print the learning curve.

    It learns little; the page on learning says why. Ctrl-C and --time-limit end it early and print
    the curve so far.

    Examples:
        $ gpu-wordle learn --episodes 1000
    """
    constants = Learning(episodes, rate, discount, exploration, initial, seed)
    session = whole_game(game, Umpire.TRUE, Machine(backend, threads))
    start, answers = Positions.of(session.position, session.evaluator), session.game.answer_count
    stop_token, flag, tell = (
        StopToken.of_call(time_limit, stop),
        Flag(),
        teller(progress, "learning"),
    )
    with stop_token.of(flag):
        told = learning_curve(start, constants, points, lambda done: tell(done, episodes), flag)
        curve = list(told)
    columns = [
        Column("episodes", [point.episodes for point in curve]),
        Column("won_learning", [point.won_learning for point in curve]),
        Column("found_in_time", [point.found for point in curve]),
        Column("states_visited", [point.visited for point in curve]),
        Column("pairs_tried", [point.tried for point in curve]),
    ]
    title = f"answers found within the limit, of {answers:,}"
    return Rows(
        lines=lambda width: [FittedTable(columns, title=title)],
        columns=columns,
        asked=session.position,
        reason=stop_token.reason,
        kept="the curve shows the games learned from by then",
        figure=lambda: _drawn(curve, answers),
    )


def _drawn(curve: Sequence[CurvePoint], answers: int) -> Figure:
    """The figure: the share of games won, over the games learned from."""
    episodes = [point.episodes for point in curve]
    title = f"Q-learning over the last turn, {answers:,} answers"
    figure, axes = panel(title, "games learned from", "games won within the limit")
    played = [point.found / answers for point in curve]
    learning = [point.won_learning for point in curve]
    axes.plot(episodes, played, color=COLOUR, marker="o", ms=4, label="by the best guesses")
    axes.plot(episodes, learning, color=MARK, marker="s", ms=4, label="while learning")
    axes.set_ylim(bottom=0)
    axes.xaxis.set_major_formatter("{x:,.0f}")
    in_percent(axes.yaxis)
    axes.legend(frameon=False)
    return figure
