"""The worker's side: does units, and keeps games for the next ones.

For each of the last MAX_GAMES games a process keeps the patterns and one transposition table.
"""

from __future__ import annotations

import os
import threading
import time
from collections import OrderedDict

from gpu_wordle.backends import build_patterns, choose
from gpu_wordle.cluster.slot import HostedGame
from gpu_wordle.cluster.unit import Answer, Unit, identity, program, worker_name
from gpu_wordle.errors import JobError
from gpu_wordle.game.game import Game

MAX_GAMES = 3
"""Most games that a process keeps: a job's game, its variant of fewest failures, and one more."""

_games: OrderedDict[str, HostedGame] = OrderedDict()
_lock = threading.Lock()


def forget_games() -> None:
    """Forget all games, as a forked process must: it lacks the threads of its parent."""
    global _lock
    _games.clear()
    _lock = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=forget_games)


def work_on(unit: Unit) -> Answer:
    """Do a unit and return the answer.

    The answer has no results if this process runs another program than the owner, or lacks the
    game and the unit did not bring it.
    """
    if unit.program != program():
        return Answer(worker_name(), program())
    hosted, had_game = _hosted_game(unit)
    if hosted is None:
        return Answer(worker_name(), program())
    with hosted.slot(unit.terms.threads) as slot:
        started = time.perf_counter()
        done = tuple(unit.do(slot, unit.where.within(hosted.game), unit.tasks, unit.known))
        seconds = time.perf_counter() - started
    return Answer(worker_name(), program(), done, seconds, had_game)


def _hosted_game(unit: Unit) -> tuple[HostedGame | None, bool]:
    """Return the unit's hosted game, made if need be, and whether it existed before.

    It is None if the game is not hosted and the unit did not bring the game.
    """
    with _lock:
        hosted = _games.get(unit.game)
        if hosted is not None:
            _games.move_to_end(unit.game)
            return hosted, True
        if unit.sent is None:
            return None, False
        words, rule, objective = unit.sent.unpacked()
        if identity(words, rule, objective) != unit.game:
            raise JobError(
                "a unit of work came with the lists of another game; start the job again"
            )
        patterns = build_patterns(words, choose("cpu", unit.terms.threads).backend)
        game = Game(words, patterns, rule, objective)
        hosted = _games[unit.game] = HostedGame(game, unit.terms.max_table_mib, unit.terms.threads)
        while len(_games) > MAX_GAMES:
            _games.popitem(last=False)
        return hosted, False
