"""Marks of the answers of a state, set while its guesses are listed.

Constrained rules do likewise in a workspace of their own; see constrained/generate.py.
"""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from gpu_wordle.solver.machine.linking import inlined
from gpu_wordle.solver.machine.signatures import INT, NOTHING
from gpu_wordle.solver.memory.workspace import WORKSPACE


@inlined(NOTHING(WORKSPACE, INT, INT))
def mark(w, at, n):
    """Set ``w.member`` of n answers from ``at`` on to their places, from 1; all others have 0."""
    for i in range(n):
        w.member[w.answers[at + i]] = i + 1


@inlined(NOTHING(WORKSPACE, INT, INT))
def unmark(w, at, n):
    """Set ``w.member`` of the n answers from ``at`` on to 0 again."""
    for i in range(n):
        w.member[w.answers[at + i]] = 0
