"""The data of studies of all openers: exact totals, statistics, and simulations in files."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.api.files import published_openers
from gpu_wordle.api.session import Session
from gpu_wordle.errors import UserError, quoted
from gpu_wordle.experiments.predict import Predictor
from gpu_wordle.experiments.simulations import Simulations
from gpu_wordle.files import read
from gpu_wordle.game.game import Game
from gpu_wordle.game.numbers import decimal_number
from gpu_wordle.ranking.openers import UNKNOWN, Openers, Status
from gpu_wordle.ranking.statistics import STATISTICS, columns_of
from gpu_wordle.report.players import Player, players_of
from gpu_wordle.store import check_same_words, is_hdf5, load, read_simulations
from gpu_wordle.store.form import SIMULATION

MAX_SIMULATION_BYTES = 1 << 28
"""Largest file of simulated openers."""


def published_ranking(game: Game) -> Openers:
    """Return the published results of every guess; UserError if no ranking of it is published."""
    openers = published_openers(game)
    if openers is None:
        raise UserError(
            "exact totals are published for the lists original and nyt-2023 (normal rule) and for "
            "original (hard), six guesses each; compare those, or name strategies to compare"
        )
    return openers


def exact_totals(game: Game) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Return the published exact total of each guess, and which of them are known, [G] each.

    Raises UserError if no ranking of this game is published.
    """
    openers = published_ranking(game)
    is_known = openers.status == Status.EXACT
    return np.where(is_known, openers.lower, 0), is_known


def predictors(session: Session, simulations: Sequence[Path]) -> list[Predictor]:
    """Return predictors from every first-guess statistic, and from files of simulated openers."""
    game = session.game
    columns = columns_of(game, session.statistics(), session.position.state)
    found = [
        Predictor(
            name, np.asarray(values, np.float64), STATISTICS[name].most_first,
            STATISTICS[name].units,
        )
        for name, values in columns.items()
    ]  # fmt: skip
    return found + [predictor for path in simulations for predictor in read_simulation(path, game)]


def read_simulation(path: Path, game: Game) -> list[Predictor]:
    """Return the totals of simulated openers in a file, a predictor for each strategy in it.

    The file is one of ``simulate --out``, or CSV with ``opener`` and ``total`` as from ``simulate
    --format csv``. Without a column ``strategy``, the file's name is the strategy. Raises UserError
    for anything wrong in it.
    """
    if path.is_file() and is_hdf5(path):
        contents = load(path, SIMULATION)
        check_same_words(path, contents, game)
        return _predictors_of(read_simulations(path, contents, game))
    try:
        rows = csv.DictReader(io.StringIO(read(path, MAX_SIMULATION_BYTES).decode("utf-8")))
        missing = {"opener", "total"} - set(rows.fieldnames or ())
    except (UnicodeDecodeError, csv.Error):
        raise UserError(
            f"{path}: no CSV in UTF-8; give what simulate prints with --format csv"
        ) from None
    if missing:
        raise UserError(
            f"{path}: has no column {min(missing)}; give what simulate prints with --format csv"
        )
    totals: dict[str, NDArray[np.float64]] = {}
    for number, row in enumerate(rows, start=2):
        name = row.get("strategy") or path.stem
        values = totals.setdefault(name, np.full(game.guess_count, np.nan))
        guess = game.words.guesses.index.get(row["opener"] or "")
        total = decimal_number(row["total"] or "")
        if guess is None or (row["total"] and total is None):
            what = f"opener {quoted(row['opener'])}, total {quoted(row['total'])}"
            raise UserError(f"{path}, line {number}: {what}; give a guess of the game and a number")
        values[guess] = np.nan if total is None else float(total)
    return [_predictor(name, values) for name, values in totals.items()]


def read_players(paths: Sequence[Path], game: Game) -> list[Player]:
    """The strategies in files of simulations of a game; UserError if two have one name."""
    found: dict[str, Player] = {}
    for path in paths:
        contents = load(path, SIMULATION)
        check_same_words(path, contents, game)
        for name, wanted in (("rule", game.rule), ("max_guesses", game.objective.max_guesses or 0)):
            held = contents.attributes[name]
            if held != wanted:
                raise UserError(
                    f"{path}: made with {name} {held}, this ranking has {wanted}; leave it out"
                )
        for player in players_of(read_simulations(path, contents, game)):
            if found.setdefault(player.key, player) is not player:
                raise UserError(f"{path}: holds {player.name} again; name one file of it")
    return list(found.values())


def _predictor(strategy: str, totals: NDArray[np.float64]) -> Predictor:
    """Return a predictor from whole games, named apart from a statistic of the same name."""
    return Predictor(f"games by {strategy}", totals, False, "guesses")


def _predictors_of(simulations: Simulations) -> list[Predictor]:
    """Return the totals of the rows of a simulation that are known, as predictors."""
    found = []
    for number, name in enumerate(simulations.strategies):
        values = np.full(simulations.game.guess_count, np.nan)
        is_known = (simulations.strategy == number) & simulations.is_played
        is_known &= simulations.total != UNKNOWN
        values[simulations.opener[is_known]] = simulations.total[is_known]
        found.append(_predictor(name, values))
    return found
