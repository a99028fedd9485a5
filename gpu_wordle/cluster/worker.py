"""What a worker does with a unit, and what it keeps for the next one.

A process keeps, for each game that it has met of late, the patterns and one table of what is known
of states; see slot.py.
"""

from __future__ import annotations

import os
import threading
import time
from collections import OrderedDict

from gpu_wordle.backends import build_patterns, choose
from gpu_wordle.cluster.slot import Place
from gpu_wordle.cluster.unit import Answer, Unit, identity, program, worker_name
from gpu_wordle.errors import JobError
from gpu_wordle.game.game import Game

MAX_PLACES = 3
"""Games that a process keeps: the game of a job, the same where answers may be lost, one more."""

_places: OrderedDict[str, Place] = OrderedDict()
_lock = threading.Lock()


def forget_games() -> None:
    """Begin anew, as a process does that was forked: the threads of its parent are not here."""
    global _lock
    _places.clear()
    _lock = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=forget_games)


def work_on(unit: Unit) -> Answer:
    """Do a unit, if this process has the game and runs the same program."""
    if unit.program != program():
        return Answer(worker_name(), program())
    place, had_game = _place(unit)
    if place is None:
        return Answer(worker_name(), program())
    with place.slot(unit.terms.threads) as slot:
        started = time.perf_counter()
        done = tuple(unit.do(slot, unit.where.within(place.game), unit.tasks, unit.known))
        seconds = time.perf_counter() - started
    return Answer(worker_name(), program(), done, seconds, had_game)


def _place(unit: Unit) -> tuple[Place | None, bool]:
    """Where the unit is done, and whether it was there before; None if the game is missing."""
    with _lock:
        place = _places.get(unit.game)
        if place is not None:
            _places.move_to_end(unit.game)
            return place, True
        if unit.sent is None:
            return None, False
        words, rule, objective = unit.sent.unpacked()
        if identity(words, rule, objective) != unit.game:
            raise JobError("the lists of a unit of work are not those of its game")
        patterns = build_patterns(words, choose("cpu", unit.terms.threads).backend)
        game = Game(words, patterns, rule, objective)
        place = _places[unit.game] = Place(game, unit.terms.most_table_mib, unit.terms.threads)
        while len(_places) > MAX_PLACES:
            _places.popitem(last=False)
        return place, False
