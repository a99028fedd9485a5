"""Surveys of large states that are not made twice.

A search surveys a large state, the proof of the least worst case does so again under its limit,
and the extraction of the tree once more; openers of the same letters leave the same states behind.
What a survey finds out depends on the state and its matrix alone, so those of the last large states
that were looked up in the matrix of the game are kept.
"""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import numpy as np
from numba import njit

from gpu_wordle.solver.linking import linked
from gpu_wordle.solver.signatures import INT, NOTHING, PAIR
from gpu_wordle.solver.workspace import KEPT_SURVEYS, WORKSPACE

LEAST_KEPT = 64
"""Answers of a state from which on its survey is kept."""


@njit(INT(WORKSPACE, INT, INT), cache=True, nogil=True)
def find_survey(w, at, n):
    """Where the survey of a state is kept, -1 if it is not; the state's key is remembered."""
    key_0 = np.uint64(0)
    key_1 = np.uint64(0)
    for a in w.answers[at : at + n]:
        key_0 ^= w.zobrist[a, 0]
        key_1 ^= w.zobrist[a, 1]
    w.survey_key[KEPT_SURVEYS, 0] = key_0
    w.survey_key[KEPT_SURVEYS, 1] = key_1
    for place in range(KEPT_SURVEYS):
        if w.survey_key[place, 0] == key_0 and w.survey_key[place, 1] == key_1:
            return place
    return -1


@linked(NOTHING(WORKSPACE, INT, INT))
def keep_survey(w, tried, kept):
    """Keep what is known of the columns in ``w.kept[:kept]``, for the state asked for last.

    The oldest survey makes room. The first ``tried`` of the columns are to be tried.
    """
    place = w.survey_size[KEPT_SURVEYS, 0]
    w.survey_size[KEPT_SURVEYS, 0] = (place + 1) % KEPT_SURVEYS
    w.survey_key[place] = w.survey_key[KEPT_SURVEYS]
    w.survey_size[place, 0] = tried
    w.survey_size[place, 1] = kept
    for k in range(kept):
        c = w.kept[k]
        w.survey_column[place, k] = c
        w.survey_parts[place, k] = w.column_parts[c]
        w.survey_pairs[place, k] = w.column_pairs[c]


@linked(PAIR(WORKSPACE, INT))
def recall_survey(w, place):
    """Undo :func:`keep_survey`; ``(tried, kept)``."""
    kept = w.survey_size[place, 1]
    for k in range(kept):
        c = np.int64(w.survey_column[place, k])
        w.kept[k] = c
        w.column_parts[c] = w.survey_parts[place, k]
        w.column_pairs[c] = w.survey_pairs[place, k]
    return w.survey_size[place, 0], kept
