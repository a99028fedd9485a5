"""The functions that each rule supplies to the search; everything else is shared by all rules.

The templates of this room call these hooks by name; ``unconstrained/`` and ``constrained/`` define
them. ``w`` is the workspace of a thread. ``state`` is a set of answers in the form of the rule: the
answers ``w.answers[state.at : state.at + state.n]``, heaviest first, and what is needed to look
them up. ``marks`` are the first free entries of the arenas. Part ``p`` is row p of ``w.parts``.
"""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gpu_wordle.solver.machine.templates import Hook, Slot, hook

WORKSPACE = Slot("WORKSPACE")
STATE = Slot("STATE")
ARRAYS = Slot("ARRAYS")

# The guesses of a state.


@hook
def has_room(w, state, marks):
    """True if the arenas have room for the guesses of a state and for its parts."""


@hook
def generate(w, state, marks, guesses_left, cutoff):
    """List the legal guesses of a state that may cost less than the cutoff, as a heap of moves.

    Returns ``(moves, number, max_parts, bound, state, marks)``. Move m, for m from ``moves`` on, is
    guess ``w.guess[m]`` at place ``w.source[m]`` of the rows. It is answer ``w.self_row[m]`` of the
    state, or none if that is -1, and costs at least ``w.one_ply[m]``. ``w.heap`` holds the moves in
    the order of ordering.py. ``max_parts`` bounds the parts that any legal guess makes, ``bound``
    is the least one-ply bound. If the parts are to inherit other rows, the state returned is a copy
    that has them.
    """


@hook
def generate_for_tree(w, state, marks, guesses_left, cutoff, lists):
    """List the guesses that a tree may take: ``(moves, number, max_parts, state, marks, lists)``.

    Moves are as in generate. They do not depend on what was searched before. ``lists`` counts the
    lists of states above that bind the state; the number of those that bind the states below is
    returned.
    """


@hook
def look_up(w, state, number):
    """``(place, guess)`` of guess ``number`` in the rows of the state; sets these rows."""


@hook
def look_up_answer(w, state, j):
    """The place of answer j of the state as a guess, in the rows of the state; sets these rows."""


@hook
def number_of(w, state, move):
    """The number by which look_up finds the guess of a move."""


@hook
def keep_rows(w, state, since):
    """Set the rows of a state again if they have been dropped since then; returns the time now.

    ``since`` is such a time, or -1, with which nothing is set.
    """


@hook
def note_refuted(w, move, guesses_left, lower):
    """Remember that the guess of a move costs at least ``lower``."""


# The parts of a guess.


@hook
def copy_answer(w, t, i):
    """Copy answer i of the arena of states, with what is needed to look it up, to place t."""


@hook
def reveal(w, p, state, guess):
    """Set what the feedback of a guess reveals on part p of a state; guess -1 adds nothing."""


@hook
def key_of(w, p):
    """The two words that the key of part p holds beside those of its answers."""


@hook
def child(w, state, p):
    """Part p of a state, as a state."""


# The bounds of a part.


@hook
def first_limit(w, guesses_left, k):
    """The guesses left with which a part of k answers is searched first."""


@hook
def recall(w, p, guesses_left):
    """Raise the bound of part p by its entry in the table, and set its LEFT."""


@hook
def restrict(w, p, guesses_left):
    """Reopen part p under the limit, because the tree of its value without one is too high."""


@hook
def is_lost(w, state, marks, guesses_left, missing):
    """True if a state is proved unwinnable in the guesses left; ``missing`` is cutoff - bound.

    The state is as generate has entered it. Where little is missing, no proof is tried.
    """


@hook
def look_at_overlaps(w, state, guesses_left, cutoff, total, parts):
    """Raise the bounds of parts by states that were counted before; returns the new total.

    ``parts`` are the first part and their number.
    """


@hook
def answer_row(w, t):
    """Address of the row of answer t that holds the patterns of the answers as guesses."""


@hook
def answer_place(w, t):
    """Offset of answer t, as a guess, in the rows of answer_row."""


@hook
def only_candidates(w):
    """True if only answers of a state are legal guesses on it."""


@hook
def count_most(w, state, p, floor):
    """``max(floor, most parts that a legal guess makes of part p)``, for countable parts."""


@hook
def is_some_part_lost(w, state, marks, parts, guesses_left, thoroughly, missing):
    """True if one of the last ``parts`` parts below ``marks`` is proved unwinnable in time.

    The arenas are free from ``marks`` on. The answers of a lost part may be overwritten.
    ``thoroughly`` asks for a longer proof, where nothing else refutes the guess soon. ``missing``
    is what the bounds of the parts have to rise by to refute it.
    """


@hook
def measure_all(w, state):
    """Set ``w.column_parts`` and ``w.column_pairs`` of all guesses on a state."""


@hook
def fetch(address):
    """The workspace that was saved at an address; see linking.fetcher."""


MAX_SHALLOW = Hook("MAX_SHALLOW", "Guesses left up to which a part is searched to the end at once.")


def filled_by(*scopes: Mapping[str, Any]) -> dict[str, Any]:
    """The hooks of this module that modules of a rule define, each by a function of its name."""
    declared = [name for name, value in globals().items() if isinstance(value, Hook)]
    return {name: scope[name] for scope in scopes for name in declared if name in scope}
