"""What a rule supplies to the search: the whole of what differs between rules.

The templates of this room name these hooks; ``unconstrained/`` and ``constrained/`` supply them.
``w`` is the workspace of a thread. ``state`` is a set of answers as the rule holds it: the answers
``w.answers[state.at : state.at + state.n]``, heaviest first, and what it takes to look them up.
``marks`` are the first free entries of the arenas. Part ``p`` is row p of ``w.parts``.
"""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from numba import types

from gpu_wordle.solver.machine.signatures import INT
from gpu_wordle.solver.machine.templates import Hook, Slot, hook
from gpu_wordle.solver.memory.arenas import ARENA_MARKS

WORKSPACE = Slot("WORKSPACE")
STATE = Slot("STATE")
ARRAYS = Slot("ARRAYS")
MOVES = types.Tuple((INT, INT, INT, INT, STATE, ARENA_MARKS))
"""Of generate: where the moves lie, how many they are, max_parts, bound, state, marks."""

# The guesses of a state.


@hook
def has_room(w, state, marks):
    """Whether the arenas have room for the guesses of a state and for its parts."""


@hook
def generate(w, state, marks, guesses_left, cutoff):
    """The legal guesses of a state that may cost less than the cutoff, as a heap of moves.

    Returns ``(moves, number, max_parts, bound, state, marks)``. Move m, for m from ``moves`` on, is
    guess ``w.guess[m]`` at place ``w.source[m]`` of the rows, answer ``w.self_row[m]`` of the
    state or -1, and costs at least ``w.one_ply[m]``; ``w.heap`` holds the moves in the order of
    ordering.py. ``max_parts`` bounds the parts that any legal guess makes, ``bound`` is the least
    one-ply bound. The state is entered anew where its parts are to inherit other rows.
    """


@hook
def generate_for_tree(w, state, marks, guesses_left, cutoff, lists):
    """The same for a tree: ``(moves, number, max_parts, state, marks, lists)``.

    The guesses are the same whatever was searched before. ``lists`` counts the lists of states
    above that bind the state; those that bind the states below are returned.
    """


@hook
def look_up(w, state, number):
    """``(place, guess)`` of the guess of that number, in the rows of the state, which are set."""


@hook
def look_up_answer(w, state, j):
    """The place of answer j of the state as a guess, in the rows of the state, which are set."""


@hook
def number_of(w, state, move):
    """The number by which look_up knows the guess of a move."""


@hook
def keep_rows(w, state, since):
    """Set the rows of a state again if they have been dropped since then; the time now.

    -1 stands for no time, and sets nothing.
    """


@hook
def note_refuted(w, move, guesses_left, lower):
    """Learn that the guess of a move costs at least ``lower``."""


# The parts of a guess.


@hook
def copy_answer(w, t, i):
    """Copy answer i of the arena of states, and how it is looked up, to place t."""


@hook
def reveal(w, p, state, guess):
    """Set what is revealed on part p of a state once the guess was made; -1 adds nothing."""


@hook
def key_of(w, p):
    """What the key of part p holds beside its answers, two words."""


@hook
def child(w, state, p):
    """Part p of a state, as a state."""


# The bounds of a part.


@hook
def first_limit(w, guesses_left, k):
    """The guesses left with which the value of a part of k answers is looked for first."""


@hook
def recall(w, p, guesses_left):
    """Raise the bound of part p by what the table knows of it, and set its LEFT."""


@hook
def restrict(w, p, guesses_left):
    """Go on with part p under the limit, since its value without one takes too many guesses."""


@hook
def is_lost(w, state, marks, guesses_left, missing):
    """Whether a state is seen not to be won in time; ``missing`` is what its bound is to rise by.

    The state is as generate has entered it. Where little is missing, it is not looked for.
    """


@hook
def look_at_overlaps(w, state, guesses_left, cutoff, total, parts):
    """Raise the bounds of parts by states that were counted before; the new total.

    ``parts`` are the first of them and how many they are.
    """


@hook
def answer_row(w, t):
    """Address from which the patterns of the state's answers as guesses lie for answer t."""


@hook
def answer_place(w, t):
    """Where the pattern of answer t as a guess lies in the rows of answer_row."""


@hook
def only_candidates(w):
    """Whether only answers of a state are legal guesses on it."""


@hook
def count_most(w, state, p, floor):
    """``max(floor, most parts that a legal guess makes of part p)``, for countable parts."""


@hook
def is_some_part_lost(w, state, marks, parts, guesses_left, thoroughly, missing):
    """Whether one of the parts below ``marks``, so many, is seen not to be won in the guesses left.

    The arenas are free from ``marks`` on; what is seen to be lost may be changed there. If nothing
    else refutes the guess soon, it is to be looked into ``thoroughly``. ``missing`` is what the
    bounds of the parts are to rise by to refute it.
    """


@hook
def measure_all(w, state):
    """Set ``w.column_parts`` and ``w.column_pairs`` of all guesses on a state."""


@hook
def fetch(address):
    """The workspace that was saved at an address; see linking.fetcher."""


MAX_SHALLOW = Hook("MAX_SHALLOW", "Guesses left up to which a part is searched to the end at once.")


def filled_by(*scopes: Mapping[str, Any]) -> dict[str, Any]:
    """The hooks of this module that modules of a rule fill, each by a function of its name."""
    declared = [name for name, value in globals().items() if isinstance(value, Hook)]
    return {name: scope[name] for scope in scopes for name in declared if name in scope}
